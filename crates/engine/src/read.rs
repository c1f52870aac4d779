//! Data files to batches of a table's columns. Rows that a deletion vector marks do not leave this module.

use crate::batch::{absent, gather, is_absent, positional};
use crate::failure;
use crate::products::ScannedFile;
use arrow::array::ArrayRef;
use arrow::compute::concat_batches;
use arrow::record_batch::RecordBatch;
use bytes::Bytes;
use delta::actions::Add;
use delta::deletion_vector::{self, DeletionVector};
use delta::error::Error;
use delta::parallel;
use delta::parquet_io::{read_mapped_file, read_rows, row_count};
use delta::partition::constant_array;
use delta::paths::data_path;
use delta::schema::{StructField, StructType};
use delta::snapshot::Snapshot;
use delta::storage::Storage;
use spec::Diagnostic;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Rows per batch: large enough that per-batch work vanishes, small enough to stay in the cache.
pub(crate) const BATCH_ROWS: usize = 32_768;

/// The columns at `wanted` of the files at `files` of the snapshot, file by file, as batches that have **all** columns of
/// the table by position; those not wanted are `Null` arrays. Files are decoded side by side.
///
/// # Errors
/// A file is missing or damaged.
pub(crate) async fn read_columns(
    storage: &dyn Storage,
    snapshot: &Snapshot,
    files: &[Arc<Add>],
    wanted: &BTreeSet<usize>,
) -> Result<Vec<Vec<RecordBatch>>, Diagnostic> {
    let deleted = deleted_rows(storage, snapshot, files).await?;
    read_live(storage, snapshot, files, &deleted, wanted).await
}

/// The deleted rows of a file, if it has any.
type Deleted = Option<Arc<DeletionVector>>;

async fn deleted_rows(
    storage: &dyn Storage,
    snapshot: &Snapshot,
    files: &[Arc<Add>],
) -> Result<Vec<Deleted>, Diagnostic> {
    let mut deleted = Vec::with_capacity(files.len());
    for add in files {
        let vector = deletion_vector::of_file(storage, snapshot.root(), add).await.map_err(failure::of_store)?;
        deleted.push(vector.map(Arc::new));
    }
    Ok(deleted)
}

async fn read_live(
    storage: &dyn Storage,
    snapshot: &Snapshot,
    files: &[Arc<Add>],
    deleted: &[Deleted],
    wanted: &BTreeSet<usize>,
) -> Result<Vec<Vec<RecordBatch>>, Diagnostic> {
    let mut loaded = Vec::with_capacity(files.len());
    let mut n_bytes = 0;
    for (add, deleted) in files.iter().zip(deleted) {
        let bytes = bytes_of(storage, snapshot, add).await?;
        n_bytes += bytes.len();
        loaded.push((add, deleted, bytes));
    }
    let read = |(add, deleted, bytes): (&Arc<Add>, &Deleted, Bytes)| {
        live(add, deleted, decode(bytes, snapshot, add, wanted, None)?)
    };
    parallel::map(loaded, n_bytes, read).into_iter().collect()
}

/// The bytes of a data file.
pub(crate) async fn bytes_of(storage: &dyn Storage, snapshot: &Snapshot, add: &Add) -> Result<Bytes, Diagnostic> {
    storage.get(&data_path(snapshot.root(), &add.path)).await.map_err(|error| missing(add, &error))
}

/// The rows of a whole file that are not deleted.
fn live(add: &Add, deleted: &Deleted, batches: Vec<RecordBatch>) -> Result<Vec<RecordBatch>, Diagnostic> {
    let (Some(deleted), Some(descriptor)) = (deleted, &add.deletion_vector) else { return Ok(batches) };
    let n_rows = batches.iter().map(|batch| batch.num_rows() as u64).sum();
    deleted
        .check_rows(n_rows)
        .map_err(|damage| Error::DamagedDeletionVector { vector: descriptor.unique_id(), damage })
        .and_then(|()| deleted.live_rows(batches))
        .map_err(failure::of_store)
}

/// All rows of a file, or those at some positions, which ascend.
fn decode(
    bytes: Bytes,
    snapshot: &Snapshot,
    add: &Add,
    wanted: &BTreeSet<usize>,
    positions: Option<&[u64]>,
) -> Result<Vec<RecordBatch>, Diagnostic> {
    let fields = &snapshot.schema().fields;
    let is_partition = |field: &StructField| snapshot.partition_columns().contains(&field.name);
    let stored: Vec<usize> =
        wanted.iter().copied().filter(|idx| fields.get(*idx).is_some_and(|f| !is_partition(f))).collect();
    let batches = if stored.is_empty() {
        let n_rows = match positions {
            Some(positions) => positions.len(),
            None => row_count(bytes).map_err(failure::of_store)? as usize,
        };
        (0..n_rows).step_by(BATCH_ROWS).map(|start| (Vec::new(), BATCH_ROWS.min(n_rows - start))).collect()
    } else {
        let columns = StructType { fields: stored.iter().map(|idx| fields[*idx].clone()).collect() };
        let batches = match positions {
            Some(positions) => read_rows(bytes, &columns, snapshot.mapping(), positions, BATCH_ROWS),
            None => read_mapped_file(bytes, &columns, snapshot.mapping(), BATCH_ROWS),
        };
        let batches = batches.map_err(failure::of_store)?;
        batches
            .into_iter()
            .map(|batch| (batch.columns().to_vec(), batch.num_rows()))
            .collect::<Vec<(Vec<ArrayRef>, usize)>>()
    };
    let place = |(data, n_rows): (Vec<ArrayRef>, usize)| {
        let mut data = data.into_iter();
        let columns = fields.iter().enumerate().map(|(idx, field)| {
            if !wanted.contains(&idx) {
                return Ok(absent(n_rows));
            }
            if is_partition(field) {
                let value = add.partition_value(field);
                return constant_array(value, &field.data_type, n_rows).map_err(failure::of_store);
            }
            data.next().ok_or_else(|| Diagnostic::internal("a column was not read"))
        });
        positional(columns.collect::<Result<_, _>>()?, n_rows)
    };
    batches.into_iter().map(place).collect()
}

/// Opens the files at `files` of the snapshot and reads the columns at `wanted`.
pub(crate) async fn scan(
    storage: &dyn Storage,
    snapshot: &Snapshot,
    files: impl IntoIterator<Item = usize>,
    wanted: &BTreeSet<usize>,
) -> Result<Vec<Arc<ScannedFile>>, Diagnostic> {
    let files: Vec<usize> = files.into_iter().collect();
    let add = |file: &usize| snapshot.files().get(*file).cloned().ok_or_else(|| Diagnostic::internal("no such file"));
    let adds = files.iter().map(add).collect::<Result<Vec<_>, _>>()?;
    let deleted = deleted_rows(storage, snapshot, &adds).await?;
    let read = read_live(storage, snapshot, &adds, &deleted, wanted).await?;
    let mut first_row = 0;
    let opened = files.into_iter().zip(adds).zip(deleted).zip(read).map(|(((file, add), deleted), batches)| {
        let n_rows = batches.iter().map(|batch| batch.num_rows() as u64).sum();
        let scanned = ScannedFile { file, add, batches, n_rows, first_row, deleted };
        first_row += n_rows;
        Arc::new(scanned)
    });
    Ok(opened.collect())
}

/// The files at `chosen` of those that were opened, now with all of their columns; what was read before is not read
/// again.
pub(crate) async fn complete(
    storage: &dyn Storage,
    snapshot: &Snapshot,
    scanned: &mut [Arc<ScannedFile>],
    chosen: &[usize],
) -> Result<(), Diagnostic> {
    let n_columns = snapshot.schema().fields.len();
    // All were read with the same columns, so the first batch speaks for every file.
    let Some(first) = chosen.iter().find_map(|idx| scanned[*idx].batches.first()) else { return Ok(()) };
    let lacking: BTreeSet<usize> = (0..n_columns).filter(|idx| is_absent(first.column(*idx))).collect();
    if lacking.is_empty() {
        return Ok(());
    }
    let adds: Vec<_> = chosen.iter().map(|idx| Arc::clone(&scanned[*idx].add)).collect();
    let deleted: Vec<_> = chosen.iter().map(|idx| scanned[*idx].deleted.clone()).collect();
    let rest = read_live(storage, snapshot, &adds, &deleted, &lacking).await?;
    for (idx, rest) in chosen.iter().zip(rest) {
        let file = &scanned[*idx];
        let batches = file.batches.iter().zip(&rest).map(|(had, new)| {
            let column = |idx: usize| if lacking.contains(&idx) { new.column(idx) } else { had.column(idx) };
            positional((0..n_columns).map(column).cloned().collect(), had.num_rows())
        });
        let batches = batches.collect::<Result<_, _>>()?;
        scanned[*idx] = Arc::new(ScannedFile { batches, ..ScannedFile::clone(file) });
    }
    Ok(())
}

/// Some rows of each file with the columns at `wanted`, one batch per file. Rows ascend and count the file's live rows;
/// what was read before is not read again, and of the rest no more than these rows.
pub(crate) async fn rows_at(
    storage: &dyn Storage,
    snapshot: &Snapshot,
    chosen: &[(&ScannedFile, Vec<u64>)],
    wanted: &BTreeSet<usize>,
) -> Result<Vec<RecordBatch>, Diagnostic> {
    let mut loaded = Vec::with_capacity(chosen.len());
    let mut n_bytes = 0;
    for (file, rows) in chosen {
        let lacks = |batch: &RecordBatch| {
            let is_lacking = |idx: &usize| batch.columns().get(*idx).is_some_and(|column| is_absent(column));
            wanted.iter().copied().filter(is_lacking).collect::<BTreeSet<usize>>()
        };
        let lacking = file.batches.first().map(lacks).unwrap_or_default();
        let bytes = match lacking.is_empty() || rows.is_empty() {
            true => None,
            false => Some(bytes_of(storage, snapshot, &file.add).await?),
        };
        n_bytes += bytes.as_ref().map_or(0, Bytes::len);
        loaded.push((*file, rows.as_slice(), lacking, bytes));
    }
    let read = |(file, rows, lacking, bytes)| rows_of(snapshot, file, rows, &lacking, bytes);
    parallel::map(loaded, n_bytes, read).into_iter().collect()
}

/// The rows of a file at these positions, which ascend and count deleted rows too, with the columns at `wanted`.
///
/// # Errors
/// The file is missing or damaged, or has no such row.
pub(crate) async fn rows_of_file(
    storage: &dyn Storage,
    snapshot: &Snapshot,
    add: &Add,
    positions: &[u64],
    wanted: &BTreeSet<usize>,
) -> Result<Vec<RecordBatch>, Diagnostic> {
    if positions.is_empty() {
        return Ok(Vec::new());
    }
    let bytes = bytes_of(storage, snapshot, add).await?;
    decode(bytes, snapshot, add, wanted, Some(positions))
}

/// Rows of one file: what was read before, and the lacking columns from the file's bytes.
fn rows_of(
    snapshot: &Snapshot,
    file: &ScannedFile,
    rows: &[u64],
    lacking: &BTreeSet<usize>,
    bytes: Option<Bytes>,
) -> Result<RecordBatch, Diagnostic> {
    let had = gather(&file.batches.iter().collect::<Vec<_>>(), rows)?;
    let Some(bytes) = bytes else { return Ok(had) };
    let positions: Vec<u64> = match &file.deleted {
        Some(deleted) => deleted.positions(rows.iter().copied()).collect(),
        None => rows.to_vec(),
    };
    let read = decode(bytes, snapshot, &file.add, lacking, Some(&positions))?;
    let Some(first) = read.first() else { return Err(Diagnostic::internal("no row was read")) };
    let new = concat_batches(&first.schema(), &read).map_err(Diagnostic::internal)?;
    let column = |idx: usize| if lacking.contains(&idx) { new.column(idx) } else { had.column(idx) };
    positional((0..had.num_columns()).map(|idx| Arc::clone(column(idx))).collect(), rows.len())
}

fn missing(add: &Add, error: &delta::storage::StorageError) -> Diagnostic {
    let message = format!("The data file {} cannot be read: {error}.", add.path);
    Diagnostic::new("FAILED_READ_FILE.FILE_NOT_EXIST", "KD001", message, None)
        .with_hint("The log names this file, but it is not in the store; VACUUM or a broken copy can do that.")
}
