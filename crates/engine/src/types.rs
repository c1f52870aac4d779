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
    let mut field = StructField::new(name, data_type(declared, span)?);
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

/// Whether the column is a CHAR or VARCHAR, whose length must be enforced.
pub(crate) fn has_length(field: &StructField) -> bool {
    field.metadata.contains_key(CHAR_VARCHAR)
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
        Declared::String | Declared::Char { .. } | Declared::Varchar { .. } => DataType::String,
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
