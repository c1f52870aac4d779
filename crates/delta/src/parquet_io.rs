//! Data files. Written the way Spark writes them (snappy, standard list and map layout, timestamps in
//! microseconds, no arrow schema inside), with the same bytes on every platform; read by column name.

use crate::adapt::{Find, adapt, by_id, by_name, relabel};
use crate::error::Error;
use crate::mapping::{MappingMode, stored_schema};
use crate::page_check::{check_footer, check_pages};
use crate::schema::{DataType, StructField, StructType};
use arrow::array::RecordBatch;
use arrow::datatypes::{DataType as Arrow, Field, Fields, Schema, SchemaRef, TimeUnit};
use bytes::Bytes;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection,
};
use parquet::arrow::{PARQUET_FIELD_ID_META_KEY, ProjectionMask};
use parquet::basic::Type as PhysicalType;
use parquet::errors::ParquetError;
use std::ops::Range;
use std::sync::Arc;

mod write;

pub(crate) use write::write_batches;
pub use write::{DEFAULT_INDEXED_COLUMNS, WrittenFile, write_file, write_file_with, write_with_hidden};

// Fixed, so that a version of this program does not change the bytes of a run.
const CREATED_BY: &str = "MergeLab";

/// Reads the wanted columns by their physical name without regard to case, as batches with exactly the arrow schema
/// of `schema`. A column that the file lacks is NULL. Fails on a damaged file and on types that do not fit.
pub fn read_file(bytes: Bytes, schema: &StructType, batch_size: usize) -> Result<Vec<RecordBatch>, Error> {
    read_mapped_file(bytes, schema, MappingMode::Name, batch_size)
}

/// [`read_file`] of a table that maps columns in this mode: by id where the mode says so.
pub fn read_mapped_file(
    bytes: Bytes,
    schema: &StructType,
    mode: MappingMode,
    batch_size: usize,
) -> Result<Vec<RecordBatch>, Error> {
    let metadata = open(&bytes)?;
    let wanted = Wanted::of(schema, mode);
    let mask = wanted.columns(&metadata)?;
    read_batches(bytes, metadata, mask, batch_size)?.iter().map(|batch| wanted.take(batch)).collect()
}

/// As [`read_mapped_file`], but only the first `n_rows` rows: what lies behind them is not decoded.
pub fn read_head(
    bytes: Bytes,
    schema: &StructType,
    mode: MappingMode,
    n_rows: usize,
) -> Result<Vec<RecordBatch>, Error> {
    read_part(bytes, schema, mode, n_rows, |builder| Ok(builder.with_limit(n_rows)))
}

/// As [`read_mapped_file`], but only the rows at `positions`, which ascend: what lies between them is not decoded.
/// Fails on a position behind the last row.
pub fn read_rows(
    bytes: Bytes,
    schema: &StructType,
    mode: MappingMode,
    positions: &[u64],
    batch_size: usize,
) -> Result<Vec<RecordBatch>, Error> {
    read_part(bytes, schema, mode, batch_size, |builder| {
        let n_rows = usize::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
        Ok(builder.with_row_selection(selection(positions, n_rows)?))
    })
}

type Builder = ParquetRecordBatchReaderBuilder<Bytes>;

fn read_part(
    bytes: Bytes,
    schema: &StructType,
    mode: MappingMode,
    batch_size: usize,
    part: impl FnOnce(Builder) -> Result<Builder, Error>,
) -> Result<Vec<RecordBatch>, Error> {
    let metadata = open(&bytes)?;
    let wanted = Wanted::of(schema, mode);
    let mask = wanted.columns(&metadata)?;
    // A file of our own needs no second look, and reading those is what has to be fast.
    if metadata.metadata().file_metadata().created_by() != Some(CREATED_BY) {
        check_pages(&bytes, metadata.metadata(), &mask).map_err(corrupt)?;
    }
    let builder = Builder::new_with_metadata(bytes, metadata).with_projection(mask).with_batch_size(batch_size.max(1));
    let reader = part(builder)?.build().map_err(corrupt)?;
    let damaged = |error: arrow::error::ArrowError| Error::CorruptParquet { reason: error.to_string() };
    reader.map(|batch| wanted.take(&batch.map_err(damaged)?)).collect()
}

fn selection(positions: &[u64], n_rows: usize) -> Result<RowSelection, Error> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for position in positions {
        let position = usize::try_from(*position).unwrap_or(usize::MAX);
        if position >= n_rows {
            return Err(Error::CorruptParquet { reason: format!("it has no row {position}") });
        }
        match ranges.last_mut() {
            Some(last) if last.end == position => last.end += 1,
            Some(last) if last.end > position => {
                return Err(Error::Internal(format!("row {position} is asked for out of order")));
            }
            _ => ranges.push(position..position + 1),
        }
    }
    Ok(RowSelection::from_consecutive_ranges(ranges.into_iter(), n_rows))
}

/// The columns to read: as the file labels them, and as the table does.
struct Wanted {
    stored: SchemaRef,
    logical: SchemaRef,
    mode: MappingMode,
}

impl Wanted {
    fn of(schema: &StructType, mode: MappingMode) -> Self {
        Self { stored: stored_schema(schema), logical: schema.to_arrow(), mode }
    }

    // A file without ids in a table that goes by ids would read as NULLs (PROTOCOL.md, Reader Requirements for
    // Column Mapping, lets a reader refuse it).
    fn columns(&self, metadata: &ArrowReaderMetadata) -> Result<ProjectionMask, Error> {
        let found = metadata.schema().fields();
        let has_id = |field: &Arc<Field>| field.metadata().contains_key(PARQUET_FIELD_ID_META_KEY);
        if self.mode == MappingMode::Id && !found.iter().any(has_id) {
            return Err(Error::CorruptParquet {
                reason: "the table finds columns by id, but the file has none".into(),
            });
        }
        let wanted = self.stored.fields().iter().enumerate();
        let roots: Vec<usize> = wanted.filter_map(|(position, field)| self.find()(found, position, field)).collect();
        Ok(ProjectionMask::roots(metadata.parquet_schema(), roots))
    }

    fn find(&self) -> Find {
        if self.mode == MappingMode::Id { by_id } else { by_name }
    }

    fn take(&self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        relabel(&adapt(batch, &self.stored, self.find())?, &self.logical)
    }
}

/// The columns of a Parquet file as Delta types, all nullable, as the reference treats a plain Parquet table.
pub fn file_schema(bytes: Bytes) -> Result<StructType, Error> {
    let metadata = open(&bytes)?;
    let convert = |field: &Arc<Field>| match DataType::from_arrow(field.data_type()) {
        Some(data_type) => Ok(StructField::new(field.name().as_str(), data_type)),
        None => Err(Error::Unsupported { what: format!("the Parquet type {} of {}", field.data_type(), field.name()) }),
    };
    Ok(StructType { fields: metadata.schema().fields().iter().map(convert).collect::<Result<_, _>>()? })
}

/// The number of rows, from the footer.
pub fn row_count(bytes: Bytes) -> Result<u64, Error> {
    let n_rows = open(&bytes)?.metadata().file_metadata().num_rows();
    u64::try_from(n_rows).map_err(|_| Error::CorruptParquet { reason: "a negative number of rows".to_owned() })
}

/// The names of the columns, from the footer.
pub fn column_names(bytes: &Bytes) -> Result<Vec<String>, Error> {
    let fields = open(bytes)?.parquet_schema().root_schema().get_fields().to_vec();
    Ok(fields.iter().map(|field| field.name().to_owned()).collect())
}

pub(crate) fn open(bytes: &Bytes) -> Result<ArrowReaderMetadata, Error> {
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let metadata = ArrowReaderMetadata::load(bytes, options.clone()).map_err(corrupt)?;
    check_footer(metadata.metadata(), bytes.len()).map_err(corrupt)?;
    let leaves = metadata.parquet_schema().columns();
    if !leaves.iter().any(|leaf| leaf.physical_type() == PhysicalType::INT96) {
        return Ok(metadata);
    }
    // INT96 reads as nanoseconds by default, which end in the year 2262. The hint keeps microseconds.
    let hinted = Schema::new(micros_for_nanos(metadata.schema().fields()));
    ArrowReaderMetadata::try_new(metadata.metadata().clone(), options.with_schema(Arc::new(hinted))).map_err(corrupt)
}

pub(crate) fn read_batches(
    bytes: Bytes,
    metadata: ArrowReaderMetadata,
    mask: ProjectionMask,
    batch_size: usize,
) -> Result<Vec<RecordBatch>, Error> {
    // A file of our own needs no second look, and reading those is what has to be fast.
    if metadata.metadata().file_metadata().created_by() != Some(CREATED_BY) {
        check_pages(&bytes, metadata.metadata(), &mask).map_err(corrupt)?;
    }
    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(bytes, metadata);
    let reader = builder.with_projection(mask).with_batch_size(batch_size.max(1)).build().map_err(corrupt)?;
    let mut batches = Vec::new();
    for batch in reader {
        batches.push(batch.map_err(|error| Error::CorruptParquet { reason: error.to_string() })?);
    }
    Ok(batches)
}

fn micros_for_nanos(fields: &Fields) -> Fields {
    let convert = |field: &Arc<Field>| field.as_ref().clone().with_data_type(micros_type(field.data_type()));
    fields.iter().map(convert).collect()
}

fn micros_type(data_type: &Arrow) -> Arrow {
    let inner = |field: &Arc<Field>| Arc::new(field.as_ref().clone().with_data_type(micros_type(field.data_type())));
    match data_type {
        Arrow::Timestamp(TimeUnit::Nanosecond, zone) => Arrow::Timestamp(TimeUnit::Microsecond, zone.clone()),
        Arrow::Struct(fields) => Arrow::Struct(micros_for_nanos(fields)),
        Arrow::List(field) => Arrow::List(inner(field)),
        Arrow::Map(field, ordered) => Arrow::Map(inner(field), *ordered),
        other => other.clone(),
    }
}

fn corrupt(error: ParquetError) -> Error {
    Error::CorruptParquet { reason: error.to_string() }
}
