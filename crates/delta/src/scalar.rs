//! One typed value: a bound in the statistics, or a partition value.

use crate::schema::DataType;
use crate::text;
use std::cmp::Ordering;
use std::fmt;

/// A value that is not NULL. Integers of every width share one variant, since bounds compare across widths.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    Boolean(bool),
    Int(i64),
    Float(f32),
    Double(f64),
    /// The unscaled value and the scale.
    Decimal(i128, i8),
    String(String),
    Binary(Vec<u8>),
    /// Days since 1970-01-01.
    Date(i32),
    /// Microseconds since 1970-01-01 UTC.
    Timestamp(i64),
    /// Microseconds since 1970-01-01, without a zone.
    TimestampNtz(i64),
}

/// Spark's order: NaN is the largest and equal to itself, the two zeros are equal, text compares by its bytes.
/// Values of different types have no order, but FLOAT and DOUBLE do, and so do DECIMALs of different scale.
impl PartialOrd for Scalar {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(match (self, other) {
            (Self::Boolean(left), Self::Boolean(right)) => left.cmp(right),
            (Self::Int(left), Self::Int(right)) => left.cmp(right),
            (Self::Float(left), Self::Float(right)) => compare_doubles(f64::from(*left), f64::from(*right)),
            (Self::Double(left), Self::Double(right)) => compare_doubles(*left, *right),
            (Self::Float(left), Self::Double(right)) => compare_doubles(f64::from(*left), *right),
            (Self::Double(left), Self::Float(right)) => compare_doubles(*left, f64::from(*right)),
            (Self::Decimal(left, left_scale), Self::Decimal(right, right_scale)) => {
                compare_decimals((*left, *left_scale), (*right, *right_scale))
            }
            (Self::String(left), Self::String(right)) => left.as_bytes().cmp(right.as_bytes()),
            (Self::Binary(left), Self::Binary(right)) => left.cmp(right),
            (Self::Date(left), Self::Date(right)) => left.cmp(right),
            (Self::Timestamp(left), Self::Timestamp(right)) => left.cmp(right),
            (Self::TimestampNtz(left), Self::TimestampNtz(right)) => left.cmp(right),
            _ => return None,
        })
    }
}

/// Spark's order of doubles: NaN last, -0.0 equal to 0.0.
pub fn compare_doubles(left: f64, right: f64) -> Ordering {
    match (left.is_nan(), right.is_nan()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => left.partial_cmp(&right).unwrap_or(Ordering::Equal),
    }
}

fn compare_decimals((left, left_scale): (i128, i8), (right, right_scale): (i128, i8)) -> Ordering {
    if left_scale > right_scale {
        return compare_decimals((right, right_scale), (left, left_scale)).reverse();
    }
    let factor = 10_i128.checked_pow(i32::from(right_scale).saturating_sub(i32::from(left_scale)) as u32);
    match factor.and_then(|factor| left.checked_mul(factor)) {
        Some(scaled) => scaled.cmp(&right),
        // Too large for 128 bits at the finer scale, so its sign decides.
        None => left.cmp(&0),
    }
}

impl Scalar {
    /// Whether this variant is the one that holds values of the type.
    pub fn is_of(&self, data_type: &DataType) -> bool {
        match self {
            Self::Boolean(_) => matches!(data_type, DataType::Boolean),
            Self::Int(_) => matches!(data_type, DataType::Byte | DataType::Short | DataType::Int | DataType::Long),
            Self::Float(_) => matches!(data_type, DataType::Float),
            Self::Double(_) => matches!(data_type, DataType::Double),
            Self::Decimal(..) => matches!(data_type, DataType::Decimal { .. }),
            Self::String(_) => matches!(data_type, DataType::String),
            Self::Binary(_) => matches!(data_type, DataType::Binary),
            Self::Date(_) => matches!(data_type, DataType::Date),
            Self::Timestamp(_) => matches!(data_type, DataType::Timestamp),
            Self::TimestampNtz(_) => matches!(data_type, DataType::TimestampNtz),
        }
    }
}

/// The text `CAST(value AS STRING)` gives in a session in UTC; binary is shown as `X'…'`.
impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => f.write_str(&text::float(*value)),
            Self::Double(value) => f.write_str(&text::double(*value)),
            Self::Decimal(value, scale) => f.write_str(&text::decimal_plain(*value, *scale)),
            Self::String(value) => f.write_str(value),
            Self::Binary(bytes) => {
                f.write_str("X'")?;
                for byte in bytes {
                    write!(f, "{byte:02X}")?;
                }
                f.write_str("'")
            }
            Self::Date(days) => f.write_str(&text::date(*days)),
            Self::Timestamp(micros) | Self::TimestampNtz(micros) => f.write_str(&text::timestamp(*micros)),
        }
    }
}
