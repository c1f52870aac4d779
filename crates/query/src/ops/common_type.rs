//! The type that several values share: Spark's ANSI type coercion.

use crate::typed::SqlType;
use delta::schema::{DataType, StructField, StructType};

const MAX_PRECISION: u8 = 38;

/// The one type for the branches of CASE, the arguments of coalesce, the rows of VALUES, UNION and IN.
///
/// `None` where Spark finds none.
pub(crate) fn common_type(types: &[SqlType]) -> Option<SqlType> {
    // Text gives way to every other atomic type, whatever the order, so it is met last.
    let (texts, others): (Vec<_>, Vec<_>) = types.iter().partition(|data_type| data_type.is_string());
    let mut types = others.into_iter().chain(texts);
    let first = types.next()?.clone();
    types.try_fold(first, |left, right| wider(&left, right))
}

/// The common type of two.
pub(crate) fn wider(left: &SqlType, right: &SqlType) -> Option<SqlType> {
    match (left, right) {
        _ if left == right => Some(left.clone()),
        _ if left.is_void() => Some(right.clone()),
        _ if right.is_void() => Some(left.clone()),
        (SqlType::DayTimeInterval { .. }, SqlType::DayTimeInterval { .. }) => {
            Some(SqlType::DayTimeInterval { days_only: false })
        }
        (SqlType::Column(left), SqlType::Column(right)) => wider_columns(left, right).map(SqlType::Column),
        _ => None,
    }
}

fn wider_columns(left: &DataType, right: &DataType) -> Option<DataType> {
    use DataType as T;
    Some(match (left, right) {
        _ if left == right => left.clone(),
        (T::Void, other) | (other, T::Void) => other.clone(),
        (T::Decimal { .. }, T::Float | T::Double) | (T::Float | T::Double, T::Decimal { .. }) => T::Double,
        (T::Decimal { .. }, other) | (other, T::Decimal { .. }) if decimal_of(other).is_some() => {
            let (left, right) = (decimal_of(left)?, decimal_of(right)?);
            wider_decimal(left, right)
        }
        _ if rank(left).is_some() && rank(right).is_some() => wider_number(left, right)?,
        (T::Date, T::Timestamp) | (T::Timestamp, T::Date) => T::Timestamp,
        (T::Date, T::TimestampNtz) | (T::TimestampNtz, T::Date) => T::TimestampNtz,
        (T::Timestamp, T::TimestampNtz) | (T::TimestampNtz, T::Timestamp) => T::Timestamp,
        (T::String, other) | (other, T::String) => promoted(other)?,
        (
            T::Array { element: left, contains_null: left_null },
            T::Array { element: right, contains_null: right_null },
        ) => T::Array { element: Box::new(wider_columns(left, right)?), contains_null: *left_null || *right_null },
        (
            T::Map { key: left_key, value: left, value_contains_null: left_null },
            T::Map { key: right_key, value: right, value_contains_null: right_null },
        ) => T::Map {
            key: Box::new(wider_columns(left_key, right_key)?),
            value: Box::new(wider_columns(left, right)?),
            value_contains_null: *left_null || *right_null,
        },
        (T::Struct(left), T::Struct(right)) => T::Struct(wider_structs(left, right)?),
        _ => return None,
    })
}

fn wider_structs(left: &StructType, right: &StructType) -> Option<StructType> {
    if left.fields.len() != right.fields.len() {
        return None;
    }
    let mut fields = Vec::with_capacity(left.fields.len());
    for (left, right) in left.fields.iter().zip(&right.fields) {
        if !left.name.eq_ignore_ascii_case(&right.name) {
            return None;
        }
        let data_type = wider_columns(&left.data_type, &right.data_type)?;
        fields.push(StructField { data_type, nullable: left.nullable || right.nullable, ..left.clone() });
    }
    Some(StructType { fields })
}

/// What text becomes beside a value of this type.
fn promoted(other: &DataType) -> Option<DataType> {
    use DataType as T;
    match other {
        T::Byte | T::Short | T::Int | T::Long => Some(T::Long),
        T::Float | T::Double | T::Decimal { .. } => Some(T::Double),
        T::Boolean | T::Binary | T::Date | T::Timestamp | T::TimestampNtz => Some(other.clone()),
        _ => None,
    }
}

/// The place of a number type that is no decimal in Spark's order of precedence.
pub(crate) fn rank(data_type: &DataType) -> Option<u8> {
    Some(match data_type {
        DataType::Byte => 1,
        DataType::Short => 2,
        DataType::Int => 3,
        DataType::Long => 4,
        DataType::Float => 5,
        DataType::Double => 6,
        _ => return None,
    })
}

fn wider_number(left: &DataType, right: &DataType) -> Option<DataType> {
    let (low, high) = if rank(left)? <= rank(right)? { (left, right) } else { (right, left) };
    // A FLOAT cannot hold every whole number, so the two meet as DOUBLE.
    let lossy = matches!(high, DataType::Float) && !matches!(low, DataType::Float);
    Some(if lossy { DataType::Double } else { high.clone() })
}

/// Precision and scale of the decimal that holds every value of the type.
pub(crate) fn decimal_of(data_type: &DataType) -> Option<(u8, i8)> {
    Some(match data_type {
        DataType::Byte => (3, 0),
        DataType::Short => (5, 0),
        DataType::Int => (10, 0),
        DataType::Long => (20, 0),
        DataType::Decimal { precision, scale } => (*precision, *scale),
        _ => return None,
    })
}

fn wider_decimal(left: (u8, i8), right: (u8, i8)) -> DataType {
    let scale = left.1.max(right.1);
    let whole = whole_digits(left).max(whole_digits(right));
    let precision = whole + i16::from(scale);
    if precision <= i16::from(MAX_PRECISION) {
        return decimal(precision, i16::from(scale));
    }
    // Digits before the point are kept first.
    decimal(i16::from(MAX_PRECISION), (i16::from(MAX_PRECISION) - whole).max(0))
}

fn whole_digits((precision, scale): (u8, i8)) -> i16 {
    i16::from(precision) - i16::from(scale)
}

fn decimal(precision: i16, scale: i16) -> DataType {
    let precision = u8::try_from(precision.clamp(1, i16::from(MAX_PRECISION))).unwrap_or(MAX_PRECISION);
    DataType::Decimal { precision, scale: i8::try_from(scale).unwrap_or(0) }
}

/// A decimal type for a result that may need more than 38 digits: digits after the point go first, down to six.
pub(crate) fn adjusted_decimal(precision: i16, scale: i16) -> DataType {
    let max = i16::from(MAX_PRECISION);
    if precision <= max {
        return decimal(precision, scale);
    }
    let whole = precision - scale;
    decimal(max, (max - whole).max(scale.min(6)))
}

/// Whether no value is lost or changed in the cast (Spark's up-cast).
pub(crate) fn can_up_cast(from: &SqlType, to: &SqlType) -> bool {
    match (from, to) {
        _ if from == to || from.is_void() => true,
        (SqlType::Column(from), SqlType::Column(to)) => can_up_cast_columns(from, to),
        _ => false,
    }
}

fn can_up_cast_columns(from: &DataType, to: &DataType) -> bool {
    use DataType as T;
    match (from, to) {
        _ if from == to => true,
        (T::Void, _) => true,
        (T::Array { element: from, contains_null: old }, T::Array { element: to, contains_null: new }) => {
            can_up_cast_columns(from, to) && (*new || !*old)
        }
        (
            T::Map { key: from_key, value: from, value_contains_null: old },
            T::Map { key, value, value_contains_null: new },
        ) => can_up_cast_columns(from_key, key) && can_up_cast_columns(from, value) && (*new || !*old),
        (T::Struct(from), T::Struct(to)) => {
            from.fields.len() == to.fields.len()
                && from.fields.iter().zip(&to.fields).all(|(from, to)| {
                    can_up_cast_columns(&from.data_type, &to.data_type) && (to.nullable || !from.nullable)
                })
        }
        (T::Array { .. } | T::Map { .. } | T::Struct(_), _) => false,
        (_, T::String) => true,
        (T::Date, T::Timestamp | T::TimestampNtz) => true,
        (T::Timestamp, T::TimestampNtz) | (T::TimestampNtz, T::Timestamp) => true,
        (_, T::Decimal { precision, scale }) => decimal_of(from)
            .is_some_and(|from| whole_digits(from) <= whole_digits((*precision, *scale)) && from.1 <= *scale),
        (T::Decimal { precision, scale }, _) => {
            *scale == 0 && decimal_of(to).is_some_and(|to| whole_digits((*precision, *scale)) <= whole_digits(to))
        }
        _ => matches!((rank(from), rank(to)), (Some(from), Some(to)) if from <= to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_meet_as_in_spark() {
        use DataType as T;
        let dec = |precision, scale| T::Decimal { precision, scale };
        let cases = [
            (T::Int, T::Long, Some(T::Long)),
            (T::Byte, T::Short, Some(T::Short)),
            (T::Int, T::Float, Some(T::Double)),
            (T::Float, T::Double, Some(T::Double)),
            (T::Int, dec(3, 1), Some(dec(11, 1))),
            (T::Long, dec(38, 18), Some(dec(38, 18))),
            (dec(10, 2), dec(5, 4), Some(dec(12, 4))),
            (dec(3, 1), T::Float, Some(T::Double)),
            (T::String, T::Int, Some(T::Long)),
            (T::String, dec(3, 1), Some(T::Double)),
            (T::String, T::Date, Some(T::Date)),
            (T::Date, T::Timestamp, Some(T::Timestamp)),
            (T::Void, T::Date, Some(T::Date)),
            (T::Int, T::Date, None),
            (T::Boolean, T::Int, None),
        ];
        for (left, right, expected) in cases {
            let both = [SqlType::from(left.clone()), SqlType::from(right.clone())];
            assert_eq!(common_type(&both), expected.clone().map(SqlType::from), "{left:?} {right:?}");
            let [left, right] = both;
            assert_eq!(common_type(&[right, left]), expected.map(SqlType::from));
        }
    }

    #[test]
    fn up_casts_lose_nothing() {
        use DataType as T;
        let up = |from: T, to: T| can_up_cast(&from.into(), &to.into());
        assert!(up(T::Int, T::Long) && up(T::Int, T::String) && up(T::Date, T::Timestamp));
        assert!(up(T::Int, T::Decimal { precision: 10, scale: 0 }) && up(T::Long, T::Double));
        assert!(!up(T::Long, T::Int) && !up(T::String, T::Int) && !up(T::Int, T::Decimal { precision: 10, scale: 2 }));
    }
}
