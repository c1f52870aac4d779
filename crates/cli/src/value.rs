//! Arrow values as the JSON of the recorded cases.
//!
//! NULL is null; dates and timestamps are ISO text without zone; decimals are text with their scale; FLOAT and
//! DOUBLE are numbers or the texts `NaN`, `Infinity`, `-Infinity`, `-0.0`; binary is `X:` and upper-case hex;
//! structs and maps are objects, arrays are lists. BIGINT stays an exact number.

use anyhow::{Result, bail};
use arrow::array::{Array, AsArray};
use arrow::datatypes::{
    DataType, Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimeUnit, TimestampMicrosecondType,
};
use arrow::record_batch::RecordBatch;
use delta::scalar::Scalar;
use serde_json::{Map, Number, Value};

/// The rows of the batches, each as a list.
///
/// # Errors
/// A type that no recorded case has.
pub fn rows(batches: &[RecordBatch]) -> Result<Vec<Value>> {
    let mut rows = Vec::new();
    for batch in batches {
        for row in 0..batch.num_rows() {
            let cells = batch.columns().iter().map(|column| cell(column, row));
            rows.push(Value::Array(cells.collect::<Result<_>>()?));
        }
    }
    Ok(rows)
}

/// The rows as a bag: in one order, whatever order they came in.
pub fn sorted(rows: &[Value]) -> Vec<Value> {
    let mut sorted = rows.to_vec();
    sorted.sort_by_cached_key(Value::to_string);
    sorted
}

fn cell(array: &dyn Array, row: usize) -> Result<Value> {
    if array.is_null(row) {
        return Ok(Value::Null);
    }
    Ok(match array.data_type() {
        DataType::Null => Value::Null,
        DataType::Boolean => Value::Bool(array.as_boolean().value(row)),
        DataType::Int8 => array.as_primitive::<Int8Type>().value(row).into(),
        DataType::Int16 => array.as_primitive::<Int16Type>().value(row).into(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).into(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into(),
        DataType::Float32 => {
            // The shortest text of the FLOAT, not of the DOUBLE it widens to.
            let value = array.as_primitive::<Float32Type>().value(row);
            float(value.to_string().parse().unwrap_or(f64::from(value)))
        }
        DataType::Float64 => float(array.as_primitive::<Float64Type>().value(row)),
        DataType::Decimal128(_, scale) => {
            Value::String(Scalar::Decimal(array.as_primitive::<Decimal128Type>().value(row), *scale).to_string())
        }
        DataType::Utf8 => Value::String(array.as_string::<i32>().value(row).to_owned()),
        DataType::Binary => {
            let hex = array.as_binary::<i32>().value(row).iter().map(|byte| format!("{byte:02X}"));
            Value::String(format!("X:{}", hex.collect::<String>()))
        }
        DataType::Date32 => Value::String(Scalar::Date(array.as_primitive::<Date32Type>().value(row)).to_string()),
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            let micros = array.as_primitive::<TimestampMicrosecondType>().value(row);
            Value::String(Scalar::TimestampNtz(micros).to_string().replacen(' ', "T", 1))
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            Value::Array((0..items.len()).map(|idx| cell(&items, idx)).collect::<Result<_>>()?)
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            let members =
                fields.iter().zip(columns).map(|(field, column)| Ok((field.name().clone(), cell(column, row)?)));
            Value::Object(members.collect::<Result<Map<_, _>>>()?)
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let (keys, values) = (entries.column(0), entries.column(1));
            let members = (0..entries.len()).map(|idx| {
                let key = match cell(keys, idx)? {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                Ok((key, cell(values, idx)?))
            });
            Value::Object(members.collect::<Result<Map<_, _>>>()?)
        }
        other => bail!("no recorded case holds values of type {other}"),
    })
}

fn float(value: f64) -> Value {
    if value == 0.0 && value.is_sign_negative() {
        return Value::String("-0.0".into());
    }
    match Number::from_f64(value) {
        Some(number) => Value::Number(number),
        None if value.is_nan() => Value::String("NaN".into()),
        None if value > 0.0 => Value::String("Infinity".into()),
        None => Value::String("-Infinity".into()),
    }
}
