//! Rows that a program hands over, as Arrow columns.

use arrow::array::{
    ArrayRef, BinaryArray, BooleanArray, Decimal128Array, ListArray, MapArray, NullArray, PrimitiveArray, StringArray,
    StructArray,
};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{
    ArrowPrimitiveType, DataType as Arrow, Date32Type, DurationMicrosecondType, Field, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, Schema, TimeUnit, TimestampMicrosecondType,
};
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use delta::schema::StructType;
use engine::sandbox::Rows;
use query::Column;
use serde_json::Value;
use spec::Diagnostic;
use std::sync::Arc;

type Result<T> = std::result::Result<T, Diagnostic>;

/// The rows as a batch. The program has checked them against the schema already.
///
/// # Errors
/// A schema that cannot be read, or a value that does not fit it: both are ours.
pub(super) fn of_program(schema: &Value, rows: &[Value]) -> Result<Rows> {
    let schema = StructType::from_json(&schema.to_string()).map_err(Diagnostic::internal)?;
    let columns: Vec<Column> = schema
        .fields
        .iter()
        .map(|field| Column { name: field.name.clone(), data_type: field.data_type.clone(), nullable: field.nullable })
        .collect();
    let mut arrays = Vec::with_capacity(columns.len());
    let mut fields = Vec::with_capacity(columns.len());
    for (idx, column) in columns.iter().enumerate() {
        let values: Vec<&Value> = rows.iter().map(|row| &row[idx]).collect();
        let arrow = column.data_type.to_arrow();
        arrays.push(array(&arrow, &values)?);
        fields.push(Field::new(&column.name, arrow, true));
    }
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    let batch = RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options);
    Ok(Rows { columns, batches: vec![batch.map_err(Diagnostic::internal)?] })
}

fn array(to: &Arrow, values: &[&Value]) -> Result<ArrayRef> {
    Ok(match to {
        Arrow::Null => Arc::new(NullArray::new(values.len())),
        Arrow::Boolean => Arc::new(values.iter().map(|value| value.as_bool()).collect::<BooleanArray>()),
        Arrow::Int8 => integers::<Int8Type>(values, |number| i8::try_from(number).ok()),
        Arrow::Int16 => integers::<Int16Type>(values, |number| i16::try_from(number).ok()),
        Arrow::Int32 => integers::<Int32Type>(values, |number| i32::try_from(number).ok()),
        Arrow::Int64 => integers::<Int64Type>(values, Some),
        Arrow::Date32 => integers::<Date32Type>(values, |number| i32::try_from(number).ok()),
        Arrow::Timestamp(TimeUnit::Microsecond, zone) => {
            let micros: PrimitiveArray<TimestampMicrosecondType> = values.iter().map(|value| value.as_i64()).collect();
            Arc::new(micros.with_timezone_opt(zone.clone()))
        }
        Arrow::Duration(TimeUnit::Microsecond) => integers::<DurationMicrosecondType>(values, Some),
        Arrow::Float32 => Arc::new(
            values
                .iter()
                .map(|value| float(value).map(|number| number as f32))
                .collect::<PrimitiveArray<Float32Type>>(),
        ),
        Arrow::Float64 => Arc::new(values.iter().map(|value| float(value)).collect::<PrimitiveArray<Float64Type>>()),
        Arrow::Utf8 => Arc::new(values.iter().map(|value| value.as_str()).collect::<StringArray>()),
        Arrow::Binary => {
            let bytes: Vec<Option<Vec<u8>>> = values.iter().map(|value| value.as_str().map(bytes)).collect();
            Arc::new(bytes.iter().map(|bytes| bytes.as_deref()).collect::<BinaryArray>())
        }
        Arrow::Decimal128(precision, scale) => {
            let unscaled = values.iter().map(|value| value.as_str().and_then(|text| decimal(text, *precision, *scale)));
            let array: Decimal128Array = unscaled.collect();
            Arc::new(array.with_precision_and_scale(*precision, *scale).map_err(Diagnostic::internal)?)
        }
        Arrow::List(element) => {
            let (offsets, items) = flattened(values);
            let items = array(element.data_type(), &items)?;
            Arc::new(
                ListArray::try_new(Arc::clone(element), offsets, items, nulls(values)).map_err(Diagnostic::internal)?,
            )
        }
        Arrow::Struct(fields) => {
            let column = |(idx, field): (usize, &Arc<Field>)| {
                array(field.data_type(), &values.iter().map(|value| &value[idx]).collect::<Vec<_>>())
            };
            let columns = fields.iter().enumerate().map(column).collect::<Result<Vec<_>>>()?;
            Arc::new(StructArray::try_new(fields.clone(), columns, nulls(values)).map_err(Diagnostic::internal)?)
        }
        Arrow::Map(entries, sorted) => {
            let (offsets, pairs) = flattened(values);
            let Arrow::Struct(fields) = entries.data_type() else {
                return Err(Diagnostic::internal("a map without entries"));
            };
            let column = |idx: usize, field: &Arc<Field>| {
                array(field.data_type(), &pairs.iter().map(|pair| &pair[idx]).collect::<Vec<_>>())
            };
            let columns =
                fields.iter().enumerate().map(|(idx, field)| column(idx, field)).collect::<Result<Vec<_>>>()?;
            let pairs = StructArray::try_new(fields.clone(), columns, None).map_err(Diagnostic::internal)?;
            let map = MapArray::try_new(Arc::clone(entries), offsets, pairs, nulls(values), *sorted);
            Arc::new(map.map_err(Diagnostic::internal)?)
        }
        other => return Err(Diagnostic::unsupported(format!("A data frame of {other}"), None)),
    })
}

fn integers<T: ArrowPrimitiveType>(values: &[&Value], fit: impl Fn(i64) -> Option<T::Native>) -> ArrayRef {
    Arc::new(values.iter().map(|value| value.as_i64().and_then(&fit)).collect::<PrimitiveArray<T>>())
}

fn float(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

fn bytes(hex: &str) -> Vec<u8> {
    let byte = |at: usize| hex.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    (0..hex.len()).step_by(2).filter_map(byte).collect()
}

fn nulls(values: &[&Value]) -> Option<NullBuffer> {
    Some(values.iter().map(|value| !value.is_null()).collect::<NullBuffer>()).filter(|nulls| nulls.null_count() > 0)
}

/// Lists behind each other, and where each ends.
fn flattened<'a>(values: &[&'a Value]) -> (OffsetBuffer<i32>, Vec<&'a Value>) {
    let lists = values.iter().map(|value| value.as_array().map_or(&[][..], Vec::as_slice));
    let offsets = OffsetBuffer::from_lengths(lists.clone().map(<[Value]>::len));
    (offsets, lists.flatten().collect())
}

/// A decimal's text at a scale, rounded half away from zero as Spark does; `None` where it has too many digits.
fn decimal(text: &str, precision: u8, scale: i8) -> Option<i128> {
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut unscaled: i128 = format!("{whole}{fraction}").parse().ok()?;
    let mut shift = i32::from(scale) - i32::try_from(fraction.len()).ok()? + exponent;
    while shift > 0 {
        unscaled = unscaled.checked_mul(10)?;
        shift -= 1;
    }
    if shift < 0 {
        let unit = 10_i128.checked_pow(shift.unsigned_abs())?;
        let half = unit / 2 * unscaled.signum();
        unscaled = (unscaled + half) / unit;
    }
    let limit = 10_i128.checked_pow(u32::from(precision))?;
    (unscaled.abs() < limit).then_some(unscaled)
}
