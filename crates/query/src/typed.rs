//! Expressions with their Spark types.

use arrow::datatypes::{DataType as ArrowType, IntervalUnit, TimeUnit};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::Expr;
use delta::schema::{DataType, StructField, StructType};

/// A DataFusion expression with its Spark type.
///
/// `expr` yields exactly `data_type.arrow()`: whoever builds a value of this type casts first.
#[derive(Debug, Clone)]
pub(crate) struct Typed {
    pub(crate) expr: Expr,
    /// `Void` for a bare NULL.
    pub(crate) data_type: SqlType,
    pub(crate) nullable: bool,
}

impl Typed {
    pub(crate) fn new(expr: Expr, data_type: impl Into<SqlType>, nullable: bool) -> Self {
        Self { expr, data_type: data_type.into(), nullable }
    }

    /// A constant; `value` has the Arrow type of `data_type`.
    pub(crate) fn literal(value: ScalarValue, data_type: impl Into<SqlType>) -> Self {
        let nullable = value.is_null();
        Self::new(Expr::Literal(value, None), data_type, nullable)
    }

    /// The constant, where this is one.
    pub(crate) fn as_literal(&self) -> Option<&ScalarValue> {
        match &self.expr {
            Expr::Literal(value, _) => Some(value),
            _ => None,
        }
    }
}

/// The type of an expression: a column type of Delta, or an interval, which no column can hold.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SqlType {
    Column(DataType),
    /// Whole months, as Arrow's `Interval(YearMonth)`.
    YearMonthInterval,
    /// Microseconds, as Arrow's `Duration(Microsecond)`. `days_only` where the text names no unit below the day:
    /// then `DATE - INTERVAL` stays a DATE.
    DayTimeInterval {
        days_only: bool,
    },
    /// Months, days and microseconds mixed, as Arrow's `Interval(MonthDayNano)`.
    CalendarInterval,
}

impl From<DataType> for SqlType {
    fn from(data_type: DataType) -> Self {
        Self::Column(data_type)
    }
}

impl SqlType {
    /// The type of the Arrow arrays that hold it.
    pub(crate) fn arrow(&self) -> ArrowType {
        match self {
            Self::Column(data_type) => data_type.to_arrow(),
            Self::YearMonthInterval => ArrowType::Interval(IntervalUnit::YearMonth),
            Self::DayTimeInterval { .. } => ArrowType::Duration(TimeUnit::Microsecond),
            Self::CalendarInterval => ArrowType::Interval(IntervalUnit::MonthDayNano),
        }
    }

    /// The column type, unless this is an interval.
    pub(crate) fn column(&self) -> Option<&DataType> {
        match self {
            Self::Column(data_type) => Some(data_type),
            _ => None,
        }
    }

    pub(crate) fn is(&self, data_type: &DataType) -> bool {
        self.column() == Some(data_type)
    }

    pub(crate) fn is_void(&self) -> bool {
        self.is(&DataType::Void)
    }

    pub(crate) fn is_boolean(&self) -> bool {
        self.is(&DataType::Boolean)
    }

    pub(crate) fn is_string(&self) -> bool {
        self.is(&DataType::String)
    }

    pub(crate) fn is_integral(&self) -> bool {
        matches!(self, Self::Column(DataType::Byte | DataType::Short | DataType::Int | DataType::Long))
    }

    pub(crate) fn is_numeric(&self) -> bool {
        self.is_integral()
            || matches!(self, Self::Column(DataType::Float | DataType::Double | DataType::Decimal { .. }))
    }

    pub(crate) fn is_interval(&self) -> bool {
        self.column().is_none()
    }

    /// The type as Spark's messages write it, e.g. `DECIMAL(10,2)` or `ARRAY<INT>`.
    pub(crate) fn spark_name(&self) -> String {
        match self {
            Self::Column(data_type) => data_type.sql_name(),
            Self::YearMonthInterval => "INTERVAL YEAR TO MONTH".into(),
            Self::DayTimeInterval { days_only: true } => "INTERVAL DAY".into(),
            Self::DayTimeInterval { days_only: false } => "INTERVAL DAY TO SECOND".into(),
            Self::CalendarInterval => "INTERVAL".into(),
        }
    }
}

/// The type that a cast or a column definition names. CHAR and VARCHAR are STRING here: their length belongs to a
/// column, and a cast ignores it.
pub(crate) fn declared(data_type: &spec::DataType) -> SqlType {
    match data_type {
        spec::DataType::YearMonthInterval => SqlType::YearMonthInterval,
        spec::DataType::DayTimeInterval => SqlType::DayTimeInterval { days_only: false },
        other => SqlType::Column(declared_column(other)),
    }
}

fn declared_column(data_type: &spec::DataType) -> DataType {
    match data_type {
        // Intervals inside arrays, maps and structs have no Arrow form of ours.
        spec::DataType::Void | spec::DataType::YearMonthInterval | spec::DataType::DayTimeInterval => DataType::Void,
        spec::DataType::Boolean => DataType::Boolean,
        spec::DataType::Byte => DataType::Byte,
        spec::DataType::Short => DataType::Short,
        spec::DataType::Int => DataType::Int,
        spec::DataType::Long => DataType::Long,
        spec::DataType::Float => DataType::Float,
        spec::DataType::Double => DataType::Double,
        spec::DataType::Decimal { precision, scale } => DataType::Decimal { precision: *precision, scale: *scale },
        spec::DataType::String | spec::DataType::Char { .. } | spec::DataType::Varchar { .. } => DataType::String,
        spec::DataType::Binary => DataType::Binary,
        spec::DataType::Date => DataType::Date,
        spec::DataType::Timestamp => DataType::Timestamp,
        spec::DataType::TimestampNtz => DataType::TimestampNtz,
        spec::DataType::Array(element) => {
            DataType::Array { element: Box::new(declared_column(element)), contains_null: true }
        }
        spec::DataType::Map(key, value) => DataType::Map {
            key: Box::new(declared_column(key)),
            value: Box::new(declared_column(value)),
            value_contains_null: true,
        },
        spec::DataType::Struct(fields) => DataType::Struct(StructType {
            fields: fields
                .iter()
                .map(|field| StructField {
                    nullable: field.nullable,
                    ..StructField::new(field.name.value.as_str(), declared_column(&field.data_type))
                })
                .collect(),
        }),
    }
}
