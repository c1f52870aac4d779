//! Cells, rows and columns.

use std::cmp::Ordering;

/// The types that the model knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Bool,
    Int,
    Long,
    /// `DECIMAL(9,2)`.
    Money,
    Double,
    Text,
    Date,
}

/// A cell.
#[derive(Debug, Clone)]
pub enum Value {
    Null,
    Bool(bool),
    /// INT and BIGINT.
    Int(i64),
    /// Hundredths.
    Money(i64),
    Double(f64),
    Text(String),
    /// Days since 1970-01-01.
    Date(i32),
}

/// The cells of a row, by column.
pub type Row = Vec<Value>;

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub data_type: Type,
    /// NOT NULL.
    pub required: bool,
}

impl Value {
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Whether a condition of this value holds: neither false nor unknown.
    pub fn is_true(&self) -> bool {
        matches!(self, Value::Bool(true))
    }
}

/// The order of two cells of one type; `None` (unknown) if either is NULL. NaN equals itself and is the largest;
/// the two zeros are equal; texts compare by their bytes.
pub fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => Some(left.cmp(right)),
        (Value::Int(left), Value::Int(right)) | (Value::Money(left), Value::Money(right)) => Some(left.cmp(right)),
        (Value::Double(left), Value::Double(right)) => Some(match (left.is_nan(), right.is_nan()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) if left < right => Ordering::Less,
            (false, false) if left > right => Ordering::Greater,
            (false, false) => Ordering::Equal,
        }),
        (Value::Text(left), Value::Text(right)) => Some(left.as_bytes().cmp(right.as_bytes())),
        (Value::Date(left), Value::Date(right)) => Some(left.cmp(right)),
        _ => None,
    }
}
