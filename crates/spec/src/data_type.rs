//! Column types as declared.

use crate::Ident;

/// A Spark SQL type. `CHAR` and `VARCHAR` keep their length.
#[derive(Debug, Clone, PartialEq)]
pub enum DataType {
    /// The type of a bare `NULL` (`VOID`).
    Void,
    Boolean,
    Byte,
    Short,
    Int,
    Long,
    Float,
    Double,
    Decimal {
        precision: u8,
        scale: i8,
    },
    String,
    Char {
        length: u32,
    },
    Varchar {
        length: u32,
    },
    Binary,
    Date,
    /// Instant, microseconds since the epoch in UTC.
    Timestamp,
    /// Wall-clock time without zone, microseconds.
    TimestampNtz,
    /// `INTERVAL … YEAR`, `MONTH` or `YEAR TO MONTH`.
    YearMonthInterval,
    /// `INTERVAL … DAY`, `HOUR`, `MINUTE`, `SECOND` or a range of them.
    DayTimeInterval,
    Array(Box<DataType>),
    Map(Box<DataType>, Box<DataType>),
    Struct(Vec<StructField>),
}

/// One field of a struct type.
#[derive(Debug, Clone, PartialEq)]
pub struct StructField {
    pub name: Ident,
    pub data_type: DataType,
    /// False after `NOT NULL`.
    pub nullable: bool,
    pub comment: Option<String>,
}
