//! Data types.

use crate::cursor::{Cursor, Parse};
use crate::errors::{condition, expected, unsupported};
use crate::{interval, literal};
use spec::{DataType, Ident, Span, StructField};

/// Reads a data type.
pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Parse<DataType> {
    cursor.nested(data_type)
}

fn data_type(cursor: &mut Cursor<'_>) -> Parse<DataType> {
    let word = cursor.ident("a data type")?;
    let plain = match word.value.to_ascii_uppercase().as_str() {
        "BOOLEAN" => DataType::Boolean,
        "TINYINT" | "BYTE" => DataType::Byte,
        "SMALLINT" | "SHORT" => DataType::Short,
        "INT" | "INTEGER" => DataType::Int,
        "BIGINT" | "LONG" => DataType::Long,
        "FLOAT" | "REAL" => DataType::Float,
        "DOUBLE" => DataType::Double,
        "DATE" => DataType::Date,
        "TIMESTAMP" | "TIMESTAMP_LTZ" => DataType::Timestamp,
        "TIMESTAMP_NTZ" => DataType::TimestampNtz,
        "STRING" => DataType::String,
        "BINARY" => DataType::Binary,
        "VOID" => DataType::Void,
        "DECIMAL" | "DEC" | "NUMERIC" => return decimal(cursor),
        "CHAR" | "CHARACTER" => return length(cursor, &word).map(|length| DataType::Char { length }),
        "VARCHAR" => return length(cursor, &word).map(|length| DataType::Varchar { length }),
        "INTERVAL" => return interval::data_type(cursor, word.span),
        "ARRAY" | "MAP" | "STRUCT" => return nested_type(cursor, &word),
        "VARIANT" => return Err(unsupported("The type VARIANT", word.span)),
        _ => return Err(unknown(&word)),
    };
    if cursor.at("COLLATE") {
        return Err(unsupported("COLLATE", cursor.here()));
    }
    if cursor.at_op("(") {
        let message = format!("The type {} takes no length or precision.", word.value.to_ascii_uppercase());
        return Err(condition("UNSUPPORTED_DATATYPE", "0A000", message, word.span));
    }
    Ok(plain)
}

fn unknown(word: &Ident) -> crate::errors::Failure {
    let message = format!("There is no data type {}.", word.value.to_ascii_uppercase());
    let mut failure = condition("UNSUPPORTED_DATATYPE", "0A000", message, word.span);
    let other = match word.value.to_ascii_uppercase().as_str() {
        "TEXT" | "NVARCHAR" | "VARCHAR2" | "CLOB" | "UUID" | "JSON" => Some("STRING"),
        "DATETIME" | "TIMESTAMPTZ" => Some("TIMESTAMP"),
        "NUMBER" => Some("DECIMAL(38, 0)"),
        "BOOL" | "BIT" => Some("BOOLEAN"),
        "BLOB" | "BYTES" | "VARBINARY" => Some("BINARY"),
        "INT64" | "INT8" => Some("BIGINT"),
        "INT32" | "INT4" => Some("INT"),
        "FLOAT64" | "FLOAT8" => Some("DOUBLE"),
        misspelt => crate::keywords::nearest(misspelt, &NAMES),
    };
    if let Some(other) = other {
        *failure = failure.with_edit(format!("Change to {other}"), word.span, other);
    }
    failure
}

const NAMES: [&str; 17] = [
    "BOOLEAN",
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "FLOAT",
    "DOUBLE",
    "DATE",
    "TIMESTAMP",
    "STRING",
    "BINARY",
    "DECIMAL",
    "VARCHAR",
    "INTERVAL",
    "ARRAY",
    "STRUCT",
    "INT",
];

fn decimal(cursor: &mut Cursor<'_>) -> Parse<DataType> {
    let start = cursor.here();
    if !cursor.eat_op("(") {
        return Ok(DataType::Decimal { precision: 10, scale: 0 });
    }
    let precision = literal::unsigned(cursor, "a precision")?;
    let scale = if cursor.eat_op(",") { literal::unsigned(cursor, "a scale")? } else { 0 };
    cursor.expect_op(")")?;
    let span = cursor.since(start);
    if scale > precision {
        let message = format!("The scale {scale} of a DECIMAL cannot be larger than its precision {precision}.");
        return Err(condition("DECIMAL_SCALE_EXCEEDS_PRECISION", "22003", message, span));
    }
    match (u8::try_from(precision), i8::try_from(scale)) {
        (Ok(precision @ 1..=38), Ok(scale)) => Ok(DataType::Decimal { precision, scale }),
        _ => {
            let message = format!("A DECIMAL has 1 to 38 digits, not {precision}.");
            Err(condition("DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION", "22003", message, span))
        }
    }
}

fn length(cursor: &mut Cursor<'_>, word: &Ident) -> Parse<u32> {
    if !cursor.eat_op("(") {
        let name = word.value.to_ascii_uppercase();
        let message = format!("The type {name} needs a length, for instance {name}(10).");
        return Err(condition("DATATYPE_MISSING_SIZE", "42K01", message, word.span));
    }
    let span = cursor.here();
    let length = literal::unsigned(cursor, "a length")?;
    cursor.expect_op(")")?;
    match u32::try_from(length) {
        Ok(length @ 1..=2_147_483_647) => Ok(length),
        _ => Err(condition("UNSUPPORTED_DATATYPE", "0A000", format!("The length {length} is out of range."), span)),
    }
}

fn nested_type(cursor: &mut Cursor<'_>, word: &Ident) -> Parse<DataType> {
    let name = word.value.to_ascii_uppercase();
    if name == "STRUCT" && cursor.eat_op("<>") {
        return Ok(DataType::Struct(Vec::new()));
    }
    if !cursor.eat_op("<") {
        return Err(incomplete(&name, word.span));
    }
    let data_type = match name.as_str() {
        "ARRAY" => DataType::Array(Box::new(parse(cursor)?)),
        "MAP" => {
            let key = Box::new(parse(cursor)?);
            cursor.expect_op(",")?;
            DataType::Map(key, Box::new(parse(cursor)?))
        }
        _ if cursor.at_op(">") => DataType::Struct(Vec::new()),
        _ => DataType::Struct(cursor.list(field)?),
    };
    if cursor.eat_op(">") { Ok(data_type) } else { Err(expected(cursor, &["','", "'>'"])) }
}

fn incomplete(name: &str, span: Span) -> crate::errors::Failure {
    let example = match name {
        "ARRAY" => "ARRAY<INT>",
        "MAP" => "MAP<STRING, INT>",
        _ => "STRUCT<a: INT, b: STRING>",
    };
    let message = format!("The type {name} must say what it holds, for instance {example}.");
    condition(&format!("INCOMPLETE_TYPE_DEFINITION.{name}"), "42K01", message, span)
}

fn field(cursor: &mut Cursor<'_>) -> Parse<StructField> {
    let name = cursor.ident("a field name")?;
    cursor.eat_op(":");
    let data_type = parse(cursor)?;
    let nullable = !cursor.eat("NOT NULL");
    let comment = if cursor.eat("COMMENT") { Some(literal::string(cursor, "a comment in quotes")?) } else { None };
    Ok(StructField { name, data_type, nullable, comment })
}
