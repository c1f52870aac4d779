//! Delta's own types. A table's schema is one `StructType`, stored as Spark's JSON in `schemaString`; arrow
//! types are derived from it, never the other way round, because arrow cannot say everything Spark can.

mod arrow_types;
mod json;
mod merge;
pub mod widening;

pub use merge::Incompatible;

use serde_json::{Map, Value};

/// A Spark SQL type as Delta stores it. CHAR and VARCHAR are `String` with the length in the field's metadata.
#[derive(Debug, Clone, PartialEq)]
pub enum DataType {
    Boolean,
    Byte,
    Short,
    Int,
    Long,
    Float,
    Double,
    Decimal { precision: u8, scale: i8 },
    String,
    Binary,
    Date,
    Timestamp,
    TimestampNtz,
    Void,
    Array { element: Box<DataType>, contains_null: bool },
    Map { key: Box<DataType>, value: Box<DataType>, value_contains_null: bool },
    Struct(StructType),
}

impl DataType {
    /// The name in results and error messages: `int`, `decimal(8,2)`, `struct<a:int,b:string>`.
    pub fn spark_name(&self) -> String {
        match self {
            Self::Boolean => "boolean".to_owned(),
            Self::Byte => "tinyint".to_owned(),
            Self::Short => "smallint".to_owned(),
            Self::Int => "int".to_owned(),
            Self::Long => "bigint".to_owned(),
            Self::Float => "float".to_owned(),
            Self::Double => "double".to_owned(),
            Self::Decimal { precision, scale } => format!("decimal({precision},{scale})"),
            Self::String => "string".to_owned(),
            Self::Binary => "binary".to_owned(),
            Self::Date => "date".to_owned(),
            Self::Timestamp => "timestamp".to_owned(),
            Self::TimestampNtz => "timestamp_ntz".to_owned(),
            Self::Void => "void".to_owned(),
            Self::Array { element, .. } => format!("array<{}>", element.spark_name()),
            Self::Map { key, value, .. } => format!("map<{},{}>", key.spark_name(), value.spark_name()),
            Self::Struct(inner) => {
                let fields = inner.fields.iter();
                let texts: Vec<_> = fields.map(|f| format!("{}:{}", f.name, f.data_type.spark_name())).collect();
                format!("struct<{}>", texts.join(","))
            }
        }
    }

    /// The name in SQL text: `INT`, `DECIMAL(8,2)`, `STRUCT<a: INT, b: STRING>`.
    pub fn sql_name(&self) -> String {
        match self {
            Self::Array { element, .. } => format!("ARRAY<{}>", element.sql_name()),
            Self::Map { key, value, .. } => format!("MAP<{}, {}>", key.sql_name(), value.sql_name()),
            Self::Struct(inner) => {
                let texts: Vec<_> = inner.fields.iter().map(sql_field).collect();
                format!("STRUCT<{}>", texts.join(", "))
            }
            simple => simple.spark_name().to_uppercase(),
        }
    }
}

fn sql_field(field: &StructField) -> String {
    let not_null = if field.nullable { "" } else { " NOT NULL" };
    format!("{}: {}{not_null}", field.name, field.data_type.sql_name())
}

/// A column, or a field of a struct.
#[derive(Debug, Clone, PartialEq)]
pub struct StructField {
    pub name: String,
    pub data_type: DataType,
    pub nullable: bool,
    pub metadata: Map<String, Value>,
}

impl StructField {
    /// A nullable field without metadata.
    pub fn new(name: impl Into<String>, data_type: DataType) -> Self {
        Self { name: name.into(), data_type, nullable: true, metadata: Map::new() }
    }
}

/// Fields in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StructType {
    pub fields: Vec<StructField>,
}

impl StructType {
    /// A struct of these fields.
    pub fn new(fields: Vec<StructField>) -> Self {
        Self { fields }
    }

    /// The position of a field, by name without regard to case.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| same_name(&field.name, name))
    }

    /// A field by name without regard to case.
    pub fn field(&self, name: &str) -> Option<&StructField> {
        self.fields.iter().find(|field| same_name(&field.name, name))
    }

    /// The fields that are not among these columns: what a data file of a partitioned table holds.
    pub fn without(&self, columns: &[String]) -> Self {
        let is_out = |field: &&StructField| !columns.iter().any(|column| same_name(column, &field.name));
        Self { fields: self.fields.iter().filter(is_out).cloned().collect() }
    }
}

/// Whether two column names are the same to Spark, which does not look at case.
pub fn same_name(left: &str, right: &str) -> bool {
    left.eq_ignore_ascii_case(right) || (!left.is_ascii() && left.to_lowercase() == right.to_lowercase())
}
