//! Declared types to table types.

use delta::schema::{DataType, StructField, StructType};
use serde_json::Value;
use spec::{Diagnostic, Span};

/// The field metadata key in which Spark keeps the length of CHAR and VARCHAR columns.
const CHAR_VARCHAR: &str = "__CHAR_VARCHAR_TYPE_STRING";

/// The field of a table for a declared column.
///
/// # Errors
/// Types that cannot be stored.
pub(crate) fn field(
    name: &str,
    declared: &spec::DataType,
    nullable: bool,
    comment: Option<&str>,
    span: Span,
) -> Result<StructField, Diagnostic> {
    let stored = match declared {
        spec::DataType::Char { .. } | spec::DataType::Varchar { .. } => DataType::String,
        other => data_type(other, span)?,
    };
    let mut field = StructField::new(name, stored);
    field.nullable = nullable;
    if let Some(comment) = comment {
        field.metadata.insert("comment".into(), Value::String(comment.to_owned()));
    }
    let length = match declared {
        spec::DataType::Char { length } => Some(format!("char({length})")),
        spec::DataType::Varchar { length } => Some(format!("varchar({length})")),
        _ => None,
    };
    if let Some(text) = length {
        field.metadata.insert(CHAR_VARCHAR.into(), Value::String(text));
    }
    Ok(field)
}

/// The length of a CHAR or VARCHAR column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CharType {
    /// In characters.
    pub(crate) length: u32,
    /// CHAR: shorter texts are filled up with blanks.
    pub(crate) padded: bool,
}

/// The length that a column's texts must have, where it is a CHAR or VARCHAR.
pub(crate) fn char_type(field: &StructField) -> Option<CharType> {
    let text = field.metadata.get(CHAR_VARCHAR)?.as_str()?;
    let (kind, length) = text.strip_suffix(')')?.split_once('(')?;
    Some(CharType { length: length.trim().parse().ok()?, padded: kind == "char" })
}

fn data_type(declared: &spec::DataType, span: Span) -> Result<DataType, Diagnostic> {
    use spec::DataType as Declared;
    Ok(match declared {
        Declared::Void => DataType::Void,
        Declared::Boolean => DataType::Boolean,
        Declared::Byte => DataType::Byte,
        Declared::Short => DataType::Short,
        Declared::Int => DataType::Int,
        Declared::Long => DataType::Long,
        Declared::Float => DataType::Float,
        Declared::Double => DataType::Double,
        Declared::Decimal { precision, scale } => DataType::Decimal { precision: *precision, scale: *scale },
        Declared::String => DataType::String,
        Declared::Char { .. } | Declared::Varchar { .. } => {
            return Err(Diagnostic::unsupported("CHAR or VARCHAR inside another type", span).with_hint("Use STRING."));
        }
        Declared::Binary => DataType::Binary,
        Declared::Date => DataType::Date,
        Declared::Timestamp => DataType::Timestamp,
        Declared::TimestampNtz => DataType::TimestampNtz,
        Declared::YearMonthInterval | Declared::DayTimeInterval => {
            let message = "Delta tables cannot store intervals.";
            return Err(Diagnostic::new("DELTA_UNSUPPORTED_DATA_TYPES", "0AKDC", message, span));
        }
        Declared::Array(element) => {
            DataType::Array { element: Box::new(data_type(element, span)?), contains_null: true }
        }
        Declared::Map(key, value) => DataType::Map {
            key: Box::new(data_type(key, span)?),
            value: Box::new(data_type(value, span)?),
            value_contains_null: true,
        },
        Declared::Struct(fields) => {
            let fields = fields.iter().map(|inner| {
                field(&inner.name.value, &inner.data_type, inner.nullable, inner.comment.as_deref(), inner.name.span)
            });
            DataType::Struct(StructType { fields: fields.collect::<Result<_, _>>()? })
        }
    })
}

/// Spark's up-casts: conversions that lose nothing.
pub(crate) fn up_cast(from: &DataType, to: &DataType) -> bool {
    use DataType::{Byte, Date, Decimal, Double, Float, Int, Long, Short, String, Timestamp, TimestampNtz};
    let rank = |data_type: &DataType| match data_type {
        Byte => Some(0),
        Short => Some(1),
        Int => Some(2),
        Long => Some(3),
        Float => Some(4),
        Double => Some(5),
        _ => None,
    };
    let digits = |data_type: &DataType| match data_type {
        Byte => Some((3, 0)),
        Short => Some((5, 0)),
        Int => Some((10, 0)),
        Long => Some((20, 0)),
        Decimal { precision, scale } => Some((i16::from(*precision), i16::from(*scale))),
        _ => None,
    };
    match (from, to) {
        (Date, Timestamp | TimestampNtz) | (Timestamp, TimestampNtz) | (TimestampNtz, Timestamp) => true,
        (_, Decimal { .. }) => match (digits(from), digits(to)) {
            (Some((from, from_scale)), Some((to, to_scale))) => {
                from_scale <= to_scale && from - from_scale <= to - to_scale
            }
            _ => false,
        },
        (_, String) => {
            !matches!(from, DataType::Array { .. } | DataType::Map { .. } | DataType::Struct(_) | DataType::Binary)
        }
        _ => matches!((rank(from), rank(to)), (Some(from), Some(to)) if from < to),
    }
}
