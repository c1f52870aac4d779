//! Writing data files. Columns are encoded side by side where there are several cores; the bytes are the same as one
//! after the other, because a column never sees another one.

use super::CREATED_BY;
use crate::adapt::{adapt_batch, relabel};
use crate::error::Error;
use crate::mapping::stored_schema;
use crate::parallel;
use crate::schema::{DataType, StructField, StructType};
use crate::stats::chunk::{ChunkStats, is_known};
use crate::stats::{FileStats, IndexedColumns, StatsCollector};
use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::{DataType as Arrow, FieldRef, SchemaRef};
use bytes::Bytes;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowWriter, ArrowWriterOptions, compute_leaves,
};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

/// The leaf columns that get statistics unless the table says otherwise.
pub const DEFAULT_INDEXED_COLUMNS: IndexedColumns = IndexedColumns::First(32);

// A column with more distinct values than fit here is written plainly from then on. Hashing every value of a key column
// only to give up at a megabyte was a tenth of the time of a large MERGE; names of cities and days fit many times over.
const DICTIONARY_BYTES: usize = 128 * 1024;

// A page is decompressed as a whole, also for the first rows of a file, which the page shows of every file it draws.
const ROWS_PER_PAGE: usize = 4096;

const ROWS_PER_GROUP: usize = 1024 * 1024;

// Numbers of eight bytes lose half of their size to Snappy, but left as they are they make a MERGE of a million rows in the
// browser an eighth faster (264 to 230 ms). Files that fit into a page look as Spark's do.
const ROWS_WORTH_COMPRESSING_WIDE: usize = ROWS_PER_PAGE;

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
    write_with_hidden(schema, &StructType::default(), batches, indexed_columns)
}

/// [`write_file_with`] for batches that have, after the table's columns, others that statements do not see. They get
/// no statistics.
pub fn write_with_hidden(
    schema: &StructType,
    hidden: &StructType,
    batches: &[RecordBatch],
    indexed_columns: &IndexedColumns,
) -> Result<WrittenFile, Error> {
    // A VOID column is never stored: it reads back as NULL because the file does not have it.
    let visible = without_void(schema);
    let mut stored = visible.clone();
    stored.fields.extend(hidden.fields.iter().cloned());
    let adapted = batches.iter().map(|batch| adapt_batch(batch, &stored)).collect::<Result<Vec<_>, _>>()?;
    let labels = stored_schema(&stored);
    let labelled = adapted.iter().map(|batch| relabel(batch, &labels)).collect::<Result<Vec<_>, _>>()?;
    let (bytes, known) = encode(labels, &labelled)?;
    let stats = StatsCollector::new(&visible, indexed_columns).of_file(&adapted, &known)?;
    Ok(WrittenFile { bytes, stats })
}

/// Batches of one schema as a snappy Parquet file.
pub(crate) fn write_batches(schema: SchemaRef, batches: &[RecordBatch]) -> Result<Bytes, Error> {
    Ok(encode(schema, batches)?.0)
}

/// The file, and what was found out about each top-level column.
type Encoded = (Bytes, Vec<Option<ChunkStats>>);

fn encode(schema: SchemaRef, batches: &[RecordBatch]) -> Result<Encoded, Error> {
    try_encode(schema, batches)
        .map_err(|error| Error::Internal(format!("a Parquet file could not be written: {error}")))
}

fn try_encode(schema: SchemaRef, batches: &[RecordBatch]) -> Result<Encoded, ParquetError> {
    let options = ArrowWriterOptions::new()
        .with_properties(properties(&schema, batches.iter().map(RecordBatch::num_rows).sum()))
        .with_skip_arrow_metadata(true)
        .with_schema_root("spark_schema".to_owned());
    let mut bytes = Vec::new();
    let writer = ArrowWriter::try_new_with_options(&mut bytes, schema.clone(), options)?;
    let (mut file, factory) = writer.into_serialized_writer()?;
    let mut known: Vec<Option<ChunkStats>> = vec![None; schema.fields().len()];
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
        for (encoded, known) in parallel::map(columns.collect(), n_bytes, Column::encode).into_iter().zip(&mut known) {
            let (chunks, stats) = encoded?;
            for chunk in chunks {
                chunk.append_to_row_group(&mut row_group)?;
            }
            *known = match (known.take(), stats) {
                (Some(before), Some(stats)) => Some(before.and(stats)),
                (_, stats) => stats,
            };
        }
        row_group.close()?;
    }
    file.close()?;
    Ok((Bytes::from(bytes), known))
}

fn properties(schema: &SchemaRef, n_rows: usize) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_created_by(CREATED_BY.to_owned())
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_dictionary_page_size_limit(DICTIONARY_BYTES)
        .set_data_page_row_count_limit(ROWS_PER_PAGE);
    for field in schema.fields().iter() {
        let column = || ColumnPath::from(field.name().as_str());
        // What we look at ourselves the writer need not compare value by value.
        if is_known(field.data_type()) {
            properties = properties.set_column_statistics_enabled(column(), EnabledStatistics::None);
        }
        // Hashing a number costs more than compressing it.
        if field.data_type().is_primitive() {
            properties = properties.set_column_dictionary_enabled(column(), false);
        }
        if n_rows > ROWS_WORTH_COMPRESSING_WIDE && field.data_type().primitive_width() == Some(8) {
            properties = properties.set_column_compression(column(), Compression::UNCOMPRESSED);
        }
    }
    properties.build()
}

/// A column of one row group, with a writer per leaf.
struct Column {
    field: FieldRef,
    arrays: Vec<ArrayRef>,
    writers: Vec<ArrowColumnWriter>,
}

impl Column {
    fn encode(mut self) -> Result<(Vec<ArrowColumnChunk>, Option<ChunkStats>), ParquetError> {
        for array in &self.arrays {
            for (writer, leaf) in self.writers.iter_mut().zip(compute_leaves(&self.field, array)?) {
                writer.write(&leaf)?;
            }
        }
        let mut chunks = self.writers.into_iter().map(ArrowColumnWriter::close).collect::<Result<Vec<_>, _>>()?;
        let data_type = self.field.data_type();
        let stats = is_known(data_type).then(|| ChunkStats::of(&self.arrays));
        if let (Some(stats), [chunk]) = (&stats, chunks.as_mut_slice()) {
            let closed = chunk.close_mut();
            let told = closed.metadata.clone().into_builder().set_statistics(stats.to_parquet(data_type));
            closed.metadata = told.build()?;
        }
        Ok((chunks, stats))
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
    use super::{ROWS_PER_GROUP, encode, row_groups};
    use arrow::array::{
        ArrayRef, Date32Array, Float32Array, Float64Array, Int8Array, Int64Array, RecordBatch, StringArray,
        TimestampMicrosecondArray,
    };
    use bytes::Bytes;
    use parquet::arrow::ArrowWriter;
    use parquet::arrow::arrow_reader::ArrowReaderMetadata;
    use parquet::file::properties::{EnabledStatistics, WriterProperties};
    use parquet::file::statistics::Statistics;
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

    fn footer_statistics(bytes: Bytes) -> Vec<Statistics> {
        let metadata = ArrowReaderMetadata::load(&bytes, Default::default()).unwrap();
        let columns = metadata.metadata().row_group(0).columns();
        columns.iter().map(|column| column.statistics().unwrap().clone()).collect()
    }

    #[test]
    fn the_footer_says_what_the_parquet_writer_would_have_said() {
        let texts = |values: &[Option<&str>]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
        let doubles = |values: &[f64]| Arc::new(Float64Array::from(values.to_vec())) as ArrayRef;
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Int8Array::from(vec![Some(3), None, Some(-7)])),
            Arc::new(Int64Array::from(vec![i64::MIN, 0, i64::MAX])),
            Arc::new(Int64Array::from(vec![None, None, None])),
            Arc::new(Date32Array::from(vec![Some(-1), Some(20_000), None])),
            Arc::new(TimestampMicrosecondArray::from(vec![-1_500, 0, 1_234_567]).with_timezone("UTC")),
            Arc::new(Float32Array::from(vec![f32::NAN, 1.5, -0.5])),
            doubles(&[0.0, 0.0, 1.0]),
            doubles(&[-1.0, -0.0, -2.0]),
            doubles(&[f64::NAN, -f64::NAN, f64::NAN]),
            doubles(&[f64::NEG_INFINITY, f64::INFINITY, f64::NAN]),
            texts(&[Some(""), None, Some("b")]),
            texts(&[Some("same head 1"), Some("same head"), Some("same head 2")]),
            texts(&[Some("z"), Some("\u{10ffff}"), Some("é")]),
        ];
        let named = columns.into_iter().enumerate().map(|(at, column)| (format!("c.{at}"), column, true));
        let batch = RecordBatch::try_from_iter_with_nullable(named).unwrap();
        let (ours, _) = encode(batch.schema(), std::slice::from_ref(&batch)).unwrap();
        let properties = WriterProperties::builder().set_statistics_enabled(EnabledStatistics::Chunk).build();
        let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        let theirs = Bytes::from(writer.into_inner().unwrap());
        for (at, (ours, theirs)) in footer_statistics(ours).iter().zip(footer_statistics(theirs)).enumerate() {
            // As text, since the two zeros are equal as numbers.
            assert_eq!(format!("{ours:?}"), format!("{theirs:?}"), "column {at}");
        }
    }

    #[test]
    fn a_long_text_is_cut_and_stays_a_bound() {
        let (low, high) = ("a".repeat(80), "z".repeat(80));
        let column: ArrayRef = Arc::new(StringArray::from(vec![high.as_str(), low.as_str()]));
        let batch = RecordBatch::try_from_iter([("s", column)]).unwrap();
        let (bytes, _) = encode(batch.schema(), &[batch]).unwrap();
        let statistics = footer_statistics(bytes).remove(0);
        assert!(!statistics.min_is_exact() && !statistics.max_is_exact());
        assert!(statistics.min_bytes_opt().unwrap() <= low.as_bytes());
        assert!(statistics.max_bytes_opt().unwrap() >= high.as_bytes());
        assert!(statistics.max_bytes_opt().unwrap().len() < 64);
    }
}
