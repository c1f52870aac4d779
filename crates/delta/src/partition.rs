//! Partition values: to and from the text in actions, as columns, and as folder names (semantics: PROTOCOL.md,
//! Partition Value Serialization).

use crate::actions::PartitionValues;
use crate::error::Error;
use crate::scalar::Scalar;
use crate::schema::{DataType, StructField};
use crate::text;
use arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BooleanArray, Date32Array, Decimal128Array, Float32Array, Float64Array,
    Int8Array, Int16Array, Int32Array, Int64Array, StringArray, TimestampMicrosecondArray, new_null_array,
};
use arrow::datatypes::{
    DataType as Arrow, Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimeUnit, TimestampMicrosecondType,
};
use std::sync::Arc;

/// What Hive, and so Spark, names the folder of NULL.
pub const NULL_FOLDER: &str = "__HIVE_DEFAULT_PARTITION__";

/// The value at a row as `partitionValues` holds it. `None` is NULL, which an empty string becomes too.
/// Also `None` for a row out of range or a type that cannot be a partition column.
pub fn partition_value_to_string(array: &dyn Array, row_idx: usize) -> Option<String> {
    Some(match scalar_at(array, row_idx)? {
        Scalar::String(value) if value.is_empty() => return None,
        Scalar::Timestamp(micros) => text::timestamp_iso(micros),
        Scalar::TimestampNtz(micros) => text::timestamp_ntz_partition(micros),
        Scalar::Binary(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        other => other.to_string(),
    })
}

/// The value at a row; `None` for NULL, a row out of range or a type without scalars.
pub fn scalar_at(array: &dyn Array, row_idx: usize) -> Option<Scalar> {
    if row_idx >= array.len() || array.is_null(row_idx) {
        return None;
    }
    Some(match array.data_type() {
        Arrow::Boolean => Scalar::Boolean(array.as_boolean().value(row_idx)),
        Arrow::Int8 => Scalar::Int(array.as_primitive::<Int8Type>().value(row_idx).into()),
        Arrow::Int16 => Scalar::Int(array.as_primitive::<Int16Type>().value(row_idx).into()),
        Arrow::Int32 => Scalar::Int(array.as_primitive::<Int32Type>().value(row_idx).into()),
        Arrow::Int64 => Scalar::Int(array.as_primitive::<Int64Type>().value(row_idx)),
        Arrow::Float32 => Scalar::Float(array.as_primitive::<Float32Type>().value(row_idx)),
        Arrow::Float64 => Scalar::Double(array.as_primitive::<Float64Type>().value(row_idx)),
        Arrow::Decimal128(_, scale) => Scalar::Decimal(array.as_primitive::<Decimal128Type>().value(row_idx), *scale),
        Arrow::Utf8 => Scalar::String(array.as_string::<i32>().value(row_idx).to_owned()),
        Arrow::LargeUtf8 => Scalar::String(array.as_string::<i64>().value(row_idx).to_owned()),
        Arrow::Utf8View => Scalar::String(array.as_string_view().value(row_idx).to_owned()),
        Arrow::Binary => Scalar::Binary(array.as_binary::<i32>().value(row_idx).to_vec()),
        Arrow::Date32 => Scalar::Date(array.as_primitive::<Date32Type>().value(row_idx)),
        Arrow::Timestamp(TimeUnit::Microsecond, zone) => {
            let micros = array.as_primitive::<TimestampMicrosecondType>().value(row_idx);
            if zone.is_some() { Scalar::Timestamp(micros) } else { Scalar::TimestampNtz(micros) }
        }
        _ => return None,
    })
}

/// Reads the text of a partition value. `None` and the empty text are NULL. Fails on text that is not a value
/// of the type.
pub fn parse_partition_value(value: Option<&str>, data_type: &DataType) -> Result<Option<Scalar>, Error> {
    let Some(value) = value.filter(|value| !value.is_empty()) else { return Ok(None) };
    let scalar = match data_type {
        DataType::Boolean => match value.to_ascii_lowercase().as_str() {
            "true" => Some(Scalar::Boolean(true)),
            "false" => Some(Scalar::Boolean(false)),
            _ => None,
        },
        DataType::Byte => value.parse::<i8>().ok().map(|number| Scalar::Int(number.into())),
        DataType::Short => value.parse::<i16>().ok().map(|number| Scalar::Int(number.into())),
        DataType::Int => value.parse::<i32>().ok().map(|number| Scalar::Int(number.into())),
        DataType::Long => value.parse().ok().map(Scalar::Int),
        DataType::Float => value.parse().ok().map(Scalar::Float),
        DataType::Double => value.parse().ok().map(Scalar::Double),
        DataType::Decimal { precision, scale } => text::parse_decimal(value, *scale)
            .filter(|unscaled| unscaled.unsigned_abs() < 10_u128.pow(u32::from(*precision).min(38)))
            .map(|unscaled| Scalar::Decimal(unscaled, *scale)),
        DataType::String => Some(Scalar::String(value.to_owned())),
        DataType::Binary => Some(Scalar::Binary(value.as_bytes().to_vec())),
        DataType::Date => text::parse_date(value).map(Scalar::Date),
        DataType::Timestamp => text::parse_timestamp(value).map(Scalar::Timestamp),
        DataType::TimestampNtz => text::parse_timestamp(value).map(Scalar::TimestampNtz),
        DataType::Void | DataType::Array { .. } | DataType::Map { .. } | DataType::Struct(_) => None,
    };
    match scalar {
        Some(scalar) => Ok(Some(scalar)),
        None => Err(Error::InvalidPartitionValue { value: value.to_owned(), data_type: data_type.spark_name() }),
    }
}

/// A column that holds one partition value in every row. Fails as [`parse_partition_value`] does.
pub fn constant_array(value: Option<&str>, data_type: &DataType, n_rows: usize) -> Result<ArrayRef, Error> {
    let Some(scalar) = parse_partition_value(value, data_type)? else {
        return Ok(new_null_array(&data_type.to_arrow(), n_rows));
    };
    scalar_array(&scalar, data_type, n_rows)
}

/// A column that holds one value in every row. Fails if the value is not of the type.
pub fn scalar_array(scalar: &Scalar, data_type: &DataType, n_rows: usize) -> Result<ArrayRef, Error> {
    let misfit = || Error::InvalidPartitionValue { value: scalar.to_string(), data_type: data_type.spark_name() };
    Ok(match (scalar, data_type) {
        (Scalar::Boolean(value), DataType::Boolean) => Arc::new(BooleanArray::from(vec![*value; n_rows])),
        (Scalar::Int(value), DataType::Byte) => {
            Arc::new(Int8Array::from_value(i8::try_from(*value).map_err(|_| misfit())?, n_rows))
        }
        (Scalar::Int(value), DataType::Short) => {
            Arc::new(Int16Array::from_value(i16::try_from(*value).map_err(|_| misfit())?, n_rows))
        }
        (Scalar::Int(value), DataType::Int) => {
            Arc::new(Int32Array::from_value(i32::try_from(*value).map_err(|_| misfit())?, n_rows))
        }
        (Scalar::Int(value), DataType::Long) => Arc::new(Int64Array::from_value(*value, n_rows)),
        (Scalar::Float(value), DataType::Float) => Arc::new(Float32Array::from_value(*value, n_rows)),
        (Scalar::Double(value), DataType::Double) => Arc::new(Float64Array::from_value(*value, n_rows)),
        (Scalar::Decimal(value, found), DataType::Decimal { precision, scale }) if found == scale => {
            let array = Decimal128Array::from_value(*value, n_rows);
            Arc::new(array.with_precision_and_scale(*precision, *scale).map_err(|_| misfit())?)
        }
        (Scalar::String(value), DataType::String) => {
            Arc::new(StringArray::from_iter_values(std::iter::repeat_n(value, n_rows)))
        }
        (Scalar::Binary(value), DataType::Binary) => {
            Arc::new(BinaryArray::from_iter_values(std::iter::repeat_n(value, n_rows)))
        }
        (Scalar::Date(value), DataType::Date) => Arc::new(Date32Array::from_value(*value, n_rows)),
        (Scalar::Timestamp(value), DataType::Timestamp) => {
            Arc::new(TimestampMicrosecondArray::from_value(*value, n_rows).with_timezone("UTC"))
        }
        (Scalar::TimestampNtz(value), DataType::TimestampNtz) => {
            Arc::new(TimestampMicrosecondArray::from_value(*value, n_rows))
        }
        _ => return Err(misfit()),
    })
}

/// The folder of a data file below the table's root, `day=2025-01-01/city=x%2Fy`, or an empty text for a
/// table without partitions. This is the place in the store; `paths::encode_path` makes the action's text of it.
pub fn partition_dir(columns: &[StructField], values: &PartitionValues) -> String {
    let folder = |column: &StructField| {
        let value = values.get(column.physical_name()).and_then(Option::as_deref);
        format!("{}={}", escape(&column.name), folder_value(value, &column.data_type))
    };
    columns.iter().map(folder).collect::<Vec<_>>().join("/")
}

// Spark casts the value to text for the folder, which prints timestamps in another form than the action.
fn folder_value(value: Option<&str>, data_type: &DataType) -> String {
    let Some(value) = value.filter(|value| !value.is_empty()) else { return NULL_FOLDER.to_owned() };
    match parse_partition_value(Some(value), data_type) {
        Ok(Some(Scalar::Timestamp(micros) | Scalar::TimestampNtz(micros))) => escape(&text::timestamp(micros)),
        _ => escape(value),
    }
}

// Hive's escaping of path names.
fn escape(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            '\u{1}'..='\u{1f}'
            | '\u{7f}'
            | '"'
            | '#'
            | '%'
            | '\''
            | '*'
            | '/'
            | ':'
            | '='
            | '?'
            | '\\'
            | '{'
            | '['
            | ']'
            | '^' => escaped.push_str(&format!("%{:02X}", u32::from(character))),
            other => escaped.push(other),
        }
    }
    escaped
}
