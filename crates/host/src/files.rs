//! Data files as images: what the log says of a file, and its rows.

use crate::cells::rows_of_all;
use arrow::record_batch::RecordBatch;
use delta::actions::Add;
use delta::deletion_vector;
use delta::parquet_io::{read_head, row_count};
use delta::partition::{constant_array, parse_partition_value};
use delta::paths::{data_path, decode_path};
use delta::scalar::Scalar;
use delta::schema::{StructField, StructType};
use delta::snapshot::Snapshot;
use delta::stats::FileStats;
use delta::storage::Storage;
use spec::Diagnostic;
use trace::{Cell, ColumnImage, ColumnRange, FileImage, MAX_CELLS, RowImage};

/// The columns of a table.
pub(crate) fn columns_of(snapshot: &Snapshot) -> Vec<ColumnImage> {
    let column = |field: &StructField| ColumnImage {
        name: field.name.clone(),
        data_type: field.data_type.spark_name(),
        partition: is_partition(snapshot, field),
    };
    snapshot.schema().fields.iter().map(column).collect()
}

/// The columns of a plain Parquet table.
pub(crate) fn plain_columns(schema: &StructType) -> Vec<ColumnImage> {
    let column = |field: &StructField| ColumnImage {
        name: field.name.clone(),
        data_type: field.data_type.spark_name(),
        partition: false,
    };
    schema.fields.iter().map(column).collect()
}

/// A file as the log describes it, without rows. `n_rows` where it is known better than from statistics.
pub(crate) fn describe(snapshot: &Snapshot, add: &Add, n_rows: Option<u64>) -> FileImage {
    let stats = stats_of(snapshot, add);
    FileImage {
        path: decode_path(&add.path),
        size: u64::try_from(add.size).unwrap_or(0),
        n_rows: n_rows.or(add.n_live_rows()).unwrap_or(0),
        partition: partition(snapshot, add),
        ranges: stats.map(|stats| ranges(&stats)).unwrap_or_default(),
        rows: Vec::new(),
        hidden: Vec::new(),
    }
}

/// The number of rows that a reader sees: from the statistics, else from the file's footer.
///
/// # Errors
/// The file is needed and cannot be read.
pub(crate) async fn n_rows_of(storage: &dyn Storage, snapshot: &Snapshot, add: &Add) -> Result<u64, Diagnostic> {
    if let Some(n_rows) = add.n_live_rows() {
        return Ok(n_rows);
    }
    let n_rows = row_count(bytes_of(storage, snapshot, add).await?).map_err(|error| unreadable(add, error))?;
    Ok(n_rows.saturating_sub(add.n_deleted_rows()))
}

/// The positions of the rows that the file's deletion vector hides, where the file is small enough to be drawn.
///
/// # Errors
/// The deletion vector cannot be read.
pub(crate) async fn hidden(storage: &dyn Storage, root: &str, add: &Add, n_rows: u64) -> Result<Vec<u32>, Diagnostic> {
    if add.n_deleted_rows() == 0 || n_rows + add.n_deleted_rows() > MAX_CELLS as u64 {
        return Ok(Vec::new());
    }
    let vector = deletion_vector::of_file(storage, root, add).await.map_err(|error| unreadable(add, error))?;
    Ok(vector.iter().flat_map(|vector| vector.iter()).map(|row| row as u32).collect())
}

/// The first `limit` rows of a file that a reader sees, in the column order of the table.
///
/// # Errors
/// The file cannot be read.
pub(crate) async fn first_rows(
    storage: &dyn Storage,
    snapshot: &Snapshot,
    add: &Add,
    limit: usize,
) -> Result<Vec<RowImage>, Diagnostic> {
    if limit == 0 {
        return Ok(Vec::new());
    }
    let bytes = bytes_of(storage, snapshot, add).await?;
    let deleted =
        deletion_vector::of_file(storage, snapshot.root(), add).await.map_err(|error| unreadable(add, error))?;
    // As many rows of the file as may have to be passed over.
    let n_wanted = limit.saturating_add(deleted.as_ref().map_or(0, |deleted| deleted.len() as usize));
    let stored: Vec<StructField> =
        snapshot.schema().fields.iter().filter(|field| !is_partition(snapshot, field)).cloned().collect();
    let batches = if stored.is_empty() {
        let n_rows = row_count(bytes).map_err(|error| unreadable(add, error))? as usize;
        vec![(Vec::new(), n_rows.min(n_wanted))]
    } else {
        let batches = read_head(bytes, &StructType { fields: stored }, snapshot.mapping(), n_wanted)
            .map_err(|error| unreadable(add, error))?;
        batches.into_iter().map(|batch| (batch.columns().to_vec(), batch.num_rows())).collect()
    };
    let batches: Vec<RecordBatch> = batches
        .into_iter()
        .map(|(data, n_rows)| {
            let mut data = data.into_iter();
            let columns = snapshot.schema().fields.iter().map(|field| {
                let stored = if is_partition(snapshot, field) { None } else { data.next() };
                let array = match stored {
                    Some(array) => array,
                    None => constant_array(add.partition_value(field), &field.data_type, n_rows)
                        .map_err(|error| unreadable(add, error))?,
                };
                Ok((field.name.as_str(), array, true))
            });
            let columns = columns.collect::<Result<Vec<_>, Diagnostic>>()?;
            RecordBatch::try_from_iter_with_nullable(columns).map_err(Diagnostic::internal)
        })
        .collect::<Result<_, _>>()?;
    let batches = match deleted {
        Some(deleted) => deleted.live_rows(batches).map_err(|error| unreadable(add, error))?,
        None => batches,
    };
    rows_of_all(&batches, limit)
}

async fn bytes_of(storage: &dyn Storage, snapshot: &Snapshot, add: &Add) -> Result<bytes::Bytes, Diagnostic> {
    storage.get(&data_path(snapshot.root(), &add.path)).await.map_err(|error| unreadable(add, error))
}

fn unreadable(add: &Add, error: impl std::fmt::Display) -> Diagnostic {
    let message = format!("The data file {} cannot be read: {error}.", decode_path(&add.path));
    Diagnostic::new("FAILED_READ_FILE.FILE_NOT_EXIST", "KD001", message, None)
}

fn stats_of(snapshot: &Snapshot, add: &Add) -> Option<FileStats> {
    FileStats::parse(add.stats.as_deref()?, snapshot.schema())
}

fn is_partition(snapshot: &Snapshot, field: &StructField) -> bool {
    snapshot.partition_columns().contains(&field.name)
}

// A value that does not parse is shown as the log has it.
fn partition(snapshot: &Snapshot, add: &Add) -> Vec<(String, Cell)> {
    let shown = |name: &String| {
        let field = snapshot.schema().field(name);
        let raw = field.and_then(|field| add.partition_value(field));
        let parsed = field.and_then(|field| parse_partition_value(raw, &field.data_type).ok());
        let cell = match parsed {
            Some(value) => value.as_ref().map(Scalar::to_string),
            None => raw.map(str::to_owned),
        };
        (name.clone(), cell)
    };
    snapshot.partition_columns().iter().map(shown).collect()
}

fn ranges(stats: &FileStats) -> Vec<ColumnRange> {
    let text = |value: &Option<Scalar>| value.as_ref().map(Scalar::to_string);
    let range = |leaf: &delta::stats::LeafStats| ColumnRange {
        column: leaf.path.join("."),
        min: text(&leaf.min),
        max: text(&leaf.max),
        nulls: leaf.nulls.and_then(|nulls| u64::try_from(nulls).ok()),
    };
    // Types without bounds, and columns that are all NULL, have nothing to show as a range.
    stats.columns.iter().filter(|leaf| leaf.min.is_some() || leaf.max.is_some()).map(range).collect()
}
