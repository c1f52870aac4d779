//! Writing data files. Columns are encoded side by side where there are several cores; the bytes are the same as one
//! after the other, because a column never sees another one.

use super::CREATED_BY;
use crate::adapt::{adapt_batch, relabel};
use crate::error::Error;
use crate::mapping::stored_schema;
use crate::parallel;
use crate::schema::{DataType, StructField, StructType};
use crate::stats::{FileStats, IndexedColumns, StatsCollector};
use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::{DataType as Arrow, FieldRef, SchemaRef};
use bytes::Bytes;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowWriter, ArrowWriterOptions, compute_leaves,
};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::properties::{EnabledStatistics, WriterProperties};

/// The leaf columns that get statistics unless the table says otherwise.
pub const DEFAULT_INDEXED_COLUMNS: IndexedColumns = IndexedColumns::First(32);

// A column with more distinct values than fit here is written plainly from then on. Hashing every value of a key column
// only to give up at a megabyte was a tenth of the time of a large MERGE; names of cities and days fit many times over.
const DICTIONARY_BYTES: usize = 128 * 1024;

const ROWS_PER_GROUP: usize = 1024 * 1024;

// A rough guess; it only decides whether a thread is worth it.
const BYTES_PER_VALUE: usize = 8;

/// A data file in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenFile {
    pub bytes: Bytes,
    pub stats: FileStats,
}

/// Writes one Parquet file of the data columns, with statistics of the first 32 leaf columns. Fails on batches
/// that do not fit the schema.
pub fn write_file(schema: &StructType, batches: &[RecordBatch]) -> Result<WrittenFile, Error> {
    write_file_with(schema, batches, &DEFAULT_INDEXED_COLUMNS)
}

/// [`write_file`] with statistics of the columns that the table names.
pub fn write_file_with(
    schema: &StructType,
    batches: &[RecordBatch],
    indexed_columns: &IndexedColumns,
) -> Result<WrittenFile, Error> {
    // A VOID column is never stored: it reads back as NULL because the file does not have it.
    let stored = without_void(schema);
    let adapted = batches.iter().map(|batch| adapt_batch(batch, &stored)).collect::<Result<Vec<_>, _>>()?;
    let labels = stored_schema(&stored);
    let labelled = adapted.iter().map(|batch| relabel(batch, &labels)).collect::<Result<Vec<_>, _>>()?;
    let (bytes, metadata) = encode(labels, &labelled)?;
    let stats = StatsCollector::new(&stored, indexed_columns).of_file(&adapted, &metadata)?;
    Ok(WrittenFile { bytes, stats })
}

/// Batches of one schema as a snappy Parquet file.
pub(crate) fn write_batches(schema: SchemaRef, batches: &[RecordBatch]) -> Result<Bytes, Error> {
    Ok(encode(schema, batches)?.0)
}

fn encode(schema: SchemaRef, batches: &[RecordBatch]) -> Result<(Bytes, ParquetMetaData), Error> {
    try_encode(schema, batches)
        .map_err(|error| Error::Internal(format!("a Parquet file could not be written: {error}")))
}

fn try_encode(schema: SchemaRef, batches: &[RecordBatch]) -> Result<(Bytes, ParquetMetaData), ParquetError> {
    let properties = WriterProperties::builder()
        .set_created_by(CREATED_BY.to_owned())
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_dictionary_page_size_limit(DICTIONARY_BYTES)
        .build();
    let options = ArrowWriterOptions::new()
        .with_properties(properties)
        .with_skip_arrow_metadata(true)
        .with_schema_root("spark_schema".to_owned());
    let mut bytes = Vec::new();
    let writer = ArrowWriter::try_new_with_options(&mut bytes, schema.clone(), options)?;
    let (mut file, factory) = writer.into_serialized_writer()?;
    for (idx, group) in row_groups(batches).into_iter().enumerate() {
        let mut writers = factory.create_column_writers(idx)?.into_iter();
        let columns = schema.fields().iter().enumerate().map(|(idx, field)| Column {
            field: field.clone(),
            arrays: group.iter().map(|batch| batch.column(idx).clone()).collect(),
            writers: writers.by_ref().take(n_leaves(field.data_type())).collect(),
        });
        let n_rows: usize = group.iter().map(RecordBatch::num_rows).sum();
        let n_bytes = n_rows * schema.fields().len() * BYTES_PER_VALUE;
        let mut row_group = file.next_row_group()?;
        for chunks in parallel::map(columns.collect(), n_bytes, Column::encode) {
            for chunk in chunks? {
                chunk.append_to_row_group(&mut row_group)?;
            }
        }
        row_group.close()?;
    }
    let metadata = file.close()?;
    Ok((Bytes::from(bytes), metadata))
}

/// A column of one row group, with a writer per leaf.
struct Column {
    field: FieldRef,
    arrays: Vec<ArrayRef>,
    writers: Vec<ArrowColumnWriter>,
}

impl Column {
    fn encode(mut self) -> Result<Vec<ArrowColumnChunk>, ParquetError> {
        for array in &self.arrays {
            for (writer, leaf) in self.writers.iter_mut().zip(compute_leaves(&self.field, array)?) {
                writer.write(&leaf)?;
            }
        }
        self.writers.into_iter().map(ArrowColumnWriter::close).collect()
    }
}

/// The batches cut into row groups; empty ones are left out.
fn row_groups(batches: &[RecordBatch]) -> Vec<Vec<RecordBatch>> {
    let mut groups: Vec<Vec<RecordBatch>> = Vec::new();
    let mut room = 0;
    for batch in batches {
        let mut start = 0;
        while start < batch.num_rows() {
            if room == 0 {
                groups.push(Vec::new());
                room = ROWS_PER_GROUP;
            }
            let n_rows = room.min(batch.num_rows() - start);
            if let Some(group) = groups.last_mut() {
                group.push(batch.slice(start, n_rows));
            }
            start += n_rows;
            room -= n_rows;
        }
    }
    groups
}

/// How many Parquet columns a column of this type is stored as.
fn n_leaves(data_type: &Arrow) -> usize {
    match data_type {
        Arrow::Struct(fields) => fields.iter().map(|field| n_leaves(field.data_type())).sum(),
        Arrow::List(field) | Arrow::Map(field, _) => n_leaves(field.data_type()),
        _ => 1,
    }
}

fn without_void(schema: &StructType) -> StructType {
    let is_stored = |field: &&StructField| field.data_type != DataType::Void;
    StructType { fields: schema.fields.iter().filter(is_stored).cloned().collect() }
}

#[cfg(test)]
mod tests {
    use super::{ROWS_PER_GROUP, row_groups};
    use arrow::array::{ArrayRef, Int8Array, RecordBatch};
    use std::sync::Arc;

    fn batch(n_rows: usize) -> RecordBatch {
        RecordBatch::try_from_iter([("a", Arc::new(Int8Array::from(vec![0; n_rows])) as ArrayRef)]).unwrap()
    }

    #[test]
    fn a_row_group_is_filled_before_the_next_begins() {
        let sizes = |batches: &[RecordBatch]| -> Vec<Vec<usize>> {
            row_groups(batches).iter().map(|group| group.iter().map(RecordBatch::num_rows).collect()).collect()
        };
        assert_eq!(sizes(&[]), Vec::<Vec<usize>>::new());
        assert_eq!(sizes(&[batch(0), batch(3), batch(0)]), [[3]]);
        let large = sizes(&[batch(10), batch(2 * ROWS_PER_GROUP)]);
        assert_eq!(large, vec![vec![10, ROWS_PER_GROUP - 10], vec![ROWS_PER_GROUP], vec![10]]);
        assert_eq!(sizes(&[batch(ROWS_PER_GROUP)]), [[ROWS_PER_GROUP]]);
    }
}
