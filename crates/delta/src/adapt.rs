//! Rows of one schema as rows of another: by name without regard to case or by field id, missing columns as NULL,
//! narrower types widened. Data files are older than the table's schema, so every read goes through here.

use crate::error::Error;
use crate::schema::{DataType, StructType, same_name};
use arrow::array::{
    Array, ArrayRef, AsArray, ListArray, MapArray, RecordBatch, RecordBatchOptions, StructArray, new_null_array,
};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType as Arrow, Field, Fields, SchemaRef, TimeUnit, TimestampMicrosecondType};
use parquet::arrow::PARQUET_FIELD_ID_META_KEY;
use std::sync::Arc;

/// Finds the field that becomes a wanted one, by the wanted one's position among its siblings or by what it says of
/// itself.
pub(crate) type Find = fn(&Fields, usize, &Field) -> Option<usize>;

/// The field of that name, without regard to case.
pub(crate) fn by_name(found: &Fields, _: usize, wanted: &Field) -> Option<usize> {
    found.iter().position(|other| same_name(other.name(), wanted.name()))
}

/// The field that has the wanted one's id inside Parquet files; members of lists and maps have none and go by name.
pub(crate) fn by_id(found: &Fields, position: usize, wanted: &Field) -> Option<usize> {
    match wanted.metadata().get(PARQUET_FIELD_ID_META_KEY) {
        Some(id) => found.iter().position(|other| other.metadata().get(PARQUET_FIELD_ID_META_KEY) == Some(id)),
        None => by_name(found, position, wanted),
    }
}

fn by_position(_: &Fields, position: usize, _: &Field) -> Option<usize> {
    Some(position)
}

/// The batch with exactly the arrow schema of `schema`. Columns that the batch has beyond it are dropped.
/// Fails on a column whose values cannot all be kept in the wanted type.
pub fn adapt_batch(batch: &RecordBatch, schema: &StructType) -> Result<RecordBatch, Error> {
    adapt(batch, &schema.to_arrow(), by_name)
}

/// The batch under other names and ids: the same columns in the same order, also inside structs.
pub(crate) fn relabel(batch: &RecordBatch, wanted: &SchemaRef) -> Result<RecordBatch, Error> {
    adapt(batch, wanted, by_position)
}

/// The batch with exactly the wanted schema.
pub(crate) fn adapt(batch: &RecordBatch, wanted: &SchemaRef, find: Find) -> Result<RecordBatch, Error> {
    if batch.schema_ref() == wanted {
        return Ok(batch.clone());
    }
    let found = batch.schema_ref().fields();
    let columns = adapt_fields(found, batch.columns(), wanted.fields(), batch.num_rows(), find)?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(wanted.clone(), columns, &options)
        .map_err(|error| Error::CorruptParquet { reason: error.to_string() })
}

fn adapt_fields(
    found: &Fields,
    columns: &[ArrayRef],
    wanted: &Fields,
    n_rows: usize,
    find: Find,
) -> Result<Vec<ArrayRef>, Error> {
    let adapt = |(position, field): (usize, &Arc<Field>)| {
        let column = find(found, position, field).and_then(|position| columns.get(position));
        match column {
            Some(array) => adapt_array(array, field.data_type(), field.name(), find),
            None => Ok(new_null_array(field.data_type(), n_rows)),
        }
    };
    wanted.iter().enumerate().map(adapt).collect()
}

fn adapt_array(array: &ArrayRef, wanted: &Arrow, column: &str, find: Find) -> Result<ArrayRef, Error> {
    if array.data_type() == wanted {
        return Ok(array.clone());
    }
    let bug = |error: arrow::error::ArrowError| Error::CorruptParquet { reason: format!("{column}: {error}") };
    match (array.data_type(), wanted) {
        (Arrow::Struct(found), Arrow::Struct(fields)) => {
            let array = array.as_struct();
            let columns = adapt_fields(found, array.columns(), fields, array.len(), find)?;
            let nulls = array.nulls().cloned();
            let adapted = StructArray::try_new_with_length(fields.clone(), columns, nulls, array.len());
            Ok(Arc::new(adapted.map_err(bug)?))
        }
        (Arrow::List(_), Arrow::List(element)) => {
            let array = array.as_list::<i32>();
            let values = adapt_array(array.values(), element.data_type(), column, find)?;
            let adapted = ListArray::try_new(element.clone(), array.offsets().clone(), values, array.nulls().cloned());
            Ok(Arc::new(adapted.map_err(bug)?))
        }
        (Arrow::Map(..), Arrow::Map(entries, ordered)) => {
            let array = array.as_map();
            let Arrow::Struct(fields) = entries.data_type() else {
                return Err(misfit(array.data_type(), wanted, column));
            };
            let (Some(key), Some(value)) = (fields.first(), fields.get(1)) else {
                return Err(misfit(array.data_type(), wanted, column));
            };
            let keys = adapt_array(array.keys(), key.data_type(), column, find)?;
            let values = adapt_array(array.values(), value.data_type(), column, find)?;
            let pairs = StructArray::try_new(fields.clone(), vec![keys, values], None).map_err(bug)?;
            let nulls = array.nulls().cloned();
            let adapted = MapArray::try_new(entries.clone(), array.offsets().clone(), pairs, nulls, *ordered);
            Ok(Arc::new(adapted.map_err(bug)?))
        }
        (found, _) if found.is_nested() && !wanted.is_nested() && !matches!(found, Arrow::Dictionary(..)) => {
            Err(misfit(found, wanted, column))
        }
        (Arrow::Timestamp(..), Arrow::Timestamp(TimeUnit::Microsecond, zone)) => to_micros(array, zone.clone(), column),
        (found, _) if is_safe(found, wanted) => {
            let options = CastOptions { safe: false, ..CastOptions::default() };
            cast_with_options(array, wanted, &options).map_err(|_| misfit(found, wanted, column))
        }
        (found, _) => Err(misfit(found, wanted, column)),
    }
}

// A file's timestamps are instants in UTC whatever their label says, so the zone is exchanged and not converted:
// INT96, Spark's older form, carries none.
fn to_micros(array: &ArrayRef, zone: Option<Arc<str>>, column: &str) -> Result<ArrayRef, Error> {
    let Arrow::Timestamp(_, found_zone) = array.data_type() else {
        return Err(Error::Internal(format!("{column} is no timestamp")));
    };
    let micros = Arrow::Timestamp(TimeUnit::Microsecond, found_zone.clone());
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let cast = cast_with_options(array, &micros, &options).map_err(|_| misfit(array.data_type(), &micros, column))?;
    Ok(Arc::new(cast.as_primitive::<TimestampMicrosecondType>().clone().with_timezone_opt(zone)))
}

// Casts that keep every value or fail. Reading a number as text, say, would be another engine's answer.
fn is_safe(found: &Arrow, wanted: &Arrow) -> bool {
    if let Arrow::Dictionary(_, values) = found {
        return values.as_ref() == wanted || is_safe(values, wanted);
    }
    let is_text = |data_type: &Arrow| matches!(data_type, Arrow::Utf8 | Arrow::LargeUtf8 | Arrow::Utf8View);
    let is_bytes = |data_type: &Arrow| {
        matches!(data_type, Arrow::Binary | Arrow::LargeBinary | Arrow::BinaryView | Arrow::FixedSizeBinary(_))
    };
    match (found, wanted) {
        (Arrow::Null, _) => true,
        (found, wanted) if found.is_integer() && wanted.is_integer() => true,
        (found, Arrow::Float64) => found.is_floating() || is_small_integer(found),
        (Arrow::Float16, Arrow::Float32) => true,
        (found, Arrow::Decimal128(_, wanted_scale)) => match found {
            Arrow::Decimal32(_, scale) | Arrow::Decimal64(_, scale) | Arrow::Decimal128(_, scale) => {
                scale <= wanted_scale
            }
            found => found.is_integer(),
        },
        (Arrow::Date32, Arrow::Timestamp(_, None)) => true,
        (Arrow::Date64, Arrow::Date32) => true,
        (found, wanted) => {
            (is_text(found) && is_text(wanted))
                || (is_bytes(found) && (is_bytes(wanted) || is_text(wanted)))
                || (is_text(found) && is_bytes(wanted))
        }
    }
}

fn is_small_integer(found: &Arrow) -> bool {
    matches!(found, Arrow::Int8 | Arrow::Int16 | Arrow::Int32 | Arrow::UInt8 | Arrow::UInt16 | Arrow::UInt32)
}

fn misfit(found: &Arrow, wanted: &Arrow, column: &str) -> Error {
    let name =
        |arrow: &Arrow| DataType::from_arrow(arrow).map_or_else(|| arrow.to_string(), |known| known.spark_name());
    Error::IncompatibleColumn { column: column.to_owned(), found: name(found), wanted: name(wanted) }
}
