//! The rows of a snapshot, as text.

use arrow::array::{Array, ArrayRef, RecordBatch};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use delta::deletion_vector;
use delta::error::Error;
use delta::parquet_io::read_mapped_file;
use delta::partition::{constant_array, scalar_at};
use delta::paths::data_path;
use delta::schema::{DataType, StructField, StructType, same_name};
use delta::snapshot::Snapshot;
use delta::storage::{InMemory, Storage};
use delta::text;
use futures::executor::block_on;

/// All rows in table column order, each value as Spark casts it to text, sorted.
pub(crate) fn rows(store: &InMemory, snapshot: &Snapshot) -> Result<Vec<Vec<String>>, Error> {
    let mut found = Vec::new();
    for add in snapshot.files() {
        let data = block_on(store.get(&data_path(snapshot.root(), &add.path)))?;
        let mut batches = read_mapped_file(data, &snapshot.data_schema(), snapshot.mapping(), 1024)?;
        if let Some(deleted) = block_on(deletion_vector::of_file(store, snapshot.root(), add))? {
            batches = deleted.live_rows(batches)?;
        }
        for batch in batches {
            let columns = table_columns(snapshot, &batch, add)?;
            found.extend((0..batch.num_rows()).map(|row_idx| columns.iter().map(|c| value_text(c, row_idx)).collect()));
        }
    }
    found.sort();
    Ok(found)
}

fn table_columns(snapshot: &Snapshot, batch: &RecordBatch, add: &delta::actions::Add) -> Result<Vec<ArrayRef>, Error> {
    let column =
        |field: &StructField| match snapshot.partition_columns().iter().find(|name| same_name(name, &field.name)) {
            Some(_) => constant_array(add.partition_value(field), &field.data_type, batch.num_rows()),
            None => Ok(batch.column_by_name(&field.name).unwrap().clone()),
        };
    snapshot.schema().fields.iter().map(column).collect()
}

fn value_text(array: &ArrayRef, row_idx: usize) -> String {
    if array.is_null(row_idx) {
        return "NULL".to_owned();
    }
    match scalar_at(array, row_idx) {
        Some(scalar) => scalar.to_string(),
        None => ArrayFormatter::try_new(array, &FormatOptions::default()).unwrap().value(row_idx).to_string(),
    }
}

/// Recorded rows in the same form; only for tables without nested columns.
pub(crate) fn recorded_rows(schema: &StructType, rows: &serde_json::Value) -> Vec<Vec<String>> {
    let row = |row: &serde_json::Value| {
        row.as_array().unwrap().iter().zip(&schema.fields).map(|(value, field)| recorded_text(value, field)).collect()
    };
    let mut found: Vec<Vec<String>> = rows.as_array().unwrap().iter().map(row).collect();
    found.sort();
    found
}

fn recorded_text(value: &serde_json::Value, field: &StructField) -> String {
    use serde_json::Value;
    match (value, &field.data_type) {
        (Value::Null, _) => "NULL".to_owned(),
        (Value::String(text), DataType::Timestamp | DataType::TimestampNtz) => {
            text::timestamp(text::parse_timestamp(text).unwrap())
        }
        (Value::String(text), DataType::Decimal { scale, .. }) => {
            text::decimal_plain(text::parse_decimal(text, *scale).unwrap(), *scale)
        }
        (Value::Number(number), DataType::Double) => text::double(number.as_f64().unwrap()),
        (Value::Number(number), DataType::Float) => text::float(number.as_f64().unwrap() as f32),
        (Value::String(text), _) => text.clone(),
        (other, _) => other.to_string(),
    }
}
