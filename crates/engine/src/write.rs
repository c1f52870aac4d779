//! Pieces of rows to data files: of each task one file per partition value, one file in an unpartitioned table. The files of
//! a task come in the order of the partition values, NULL first.

use crate::batch::take_rows;
use crate::env::Env;
use crate::failure;
use crate::products::{From, Piece, ScannedFile, WrittenFile};
use crate::row_ids::{self, RowIds, moves_rows};
use arrow::array::{Array, ArrayRef, AsArray, StringArray, new_null_array};
use arrow::compute::nullif;
use arrow::datatypes::DataType as Arrow;
use arrow::record_batch::RecordBatch;
use arrow::row::{OwnedRow, RowConverter, SortField};
use delta::actions::{Action, Add, Metadata, PartitionValues};
use delta::change_feed::CHANGE_TYPE;
use delta::deletion_vector;
use delta::parquet_io::write_with_hidden;
use delta::partition::{partition_dir, partition_value_to_string};
use delta::paths::{data_file_name, data_path, encode_path, join};
use delta::properties::{indexed_columns, random_prefix_length};
use delta::row_tracking::is_enabled;
use delta::schema::{DataType, StructField, StructType};
use delta::snapshot::Snapshot;
use delta::storage::Storage;
use spec::Diagnostic;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where files go and what they look like.
#[derive(Debug, Clone)]
pub(crate) struct Destination<'a> {
    /// The table's folder.
    pub(crate) root: &'a str,
    pub(crate) schema: &'a StructType,
    pub(crate) partition_columns: &'a [String],
    pub(crate) metadata: &'a Metadata,
    /// The table knows deletion vectors, so that statistics say whether their bounds are tight.
    pub(crate) has_vectors: bool,
    /// Whether the same write may fill change files too.
    pub(crate) with_changes: bool,
    /// The ids that rows of older files keep.
    pub(crate) row_ids: Option<RowIds>,
}

impl<'a> Destination<'a> {
    /// The table of a snapshot, as it is.
    pub(crate) fn of(snapshot: &'a Snapshot) -> Self {
        Self {
            root: snapshot.root(),
            schema: snapshot.schema(),
            partition_columns: snapshot.partition_columns(),
            metadata: snapshot.metadata(),
            has_vectors: deletion_vector::are_known(snapshot.protocol()),
            with_changes: false,
            row_ids: None,
        }
    }

    /// The same table, to which rows of these files are written again.
    ///
    /// # Errors
    /// The table tracks rows and the files cannot be read.
    pub(crate) async fn keeping(
        mut self,
        storage: &dyn Storage,
        snapshot: &Snapshot,
        scanned: &[Arc<ScannedFile>],
    ) -> Result<Self, Diagnostic> {
        self.row_ids = row_ids::of(storage, snapshot, scanned).await?;
        Ok(self)
    }

    /// The same for a commit that records its changes, or does not.
    pub(crate) fn with_changes(self, with_changes: bool) -> Self {
        Self { with_changes, ..self }
    }

    /// The columns that files hold, and their positions among the table's.
    pub(crate) fn stored_columns(&self) -> (StructType, Vec<usize>) {
        let fields = self.schema.fields.iter().enumerate();
        let stored = fields.filter(|(_, field)| !self.partition_columns.contains(&field.name));
        let (positions, fields) = stored.map(|(idx, field)| (idx, field.clone())).unzip();
        (StructType { fields }, positions)
    }
}

/// Where the rows of one partition go.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// Below the table's folder; empty in an unpartitioned table.
    pub(crate) folder: String,
    /// Whether the folder was made up, so that it tells nothing.
    pub(crate) is_random: bool,
    /// Under physical names.
    pub(crate) values: PartitionValues,
}

impl Place {
    /// The place of rows that share their partition values; the first one speaks for all.
    pub(crate) fn of(env: &Env, to: &Destination<'_>, rows: Option<&RecordBatch>) -> Result<Self, Diagnostic> {
        let mut fields = Vec::with_capacity(to.partition_columns.len());
        let mut values = PartitionValues::new();
        for name in to.partition_columns {
            let Some(idx) = to.schema.fields.iter().position(|field| field.name == *name) else { continue };
            let value = rows.and_then(|rows| partition_value_to_string(rows.column(idx), 0));
            let field: &StructField = &to.schema.fields[idx];
            values.insert(field.physical_name().to_owned(), value.filter(|text| !text.is_empty()));
            fields.push(field.clone());
        }
        Ok(match random_prefix_length(to.metadata).map_err(failure::of_store)? {
            Some(length) => Self { folder: env.names.prefix(length), is_random: true, values },
            None => Self { folder: partition_dir(&fields, &values), is_random: false, values },
        })
    }
}

/// Writes the pieces of each output task: a file for each partition value that it has. Empty pieces leave no file. The rows
/// have passed `constraints::Rules::check`.
///
/// # Errors
/// The store failed.
pub(crate) async fn write_files(
    env: &Env,
    to: &Destination<'_>,
    tasks: Vec<Vec<Piece>>,
) -> Result<Vec<WrittenFile>, Diagnostic> {
    let mut written = Vec::with_capacity(tasks.len());
    for (number, mut pieces) in tasks.into_iter().enumerate() {
        pieces.retain(|piece| piece.rows.num_rows() > 0);
        if pieces.is_empty() {
            continue;
        }
        let files = if to.partition_columns.is_empty() { vec![pieces] } else { by_partition(to, pieces)? };
        for pieces in files {
            written.push(write_one(env, to, u32::try_from(number).unwrap_or(u32::MAX), pieces).await?);
        }
    }
    Ok(written)
}

/// The tasks of a MERGE: rows are brought together by partition before they are written
/// (`spark.databricks.delta.merge.repartitionBeforeWrite.enabled`).
pub(crate) fn brought_together(to: &Destination<'_>, tasks: Vec<Vec<Piece>>) -> Vec<Vec<Piece>> {
    if to.partition_columns.is_empty() { tasks } else { vec![tasks.into_iter().flatten().collect()] }
}

/// The add actions of written files.
pub(crate) fn adds(written: &[WrittenFile]) -> impl Iterator<Item = Action> + '_ {
    written.iter().map(|file| Action::Add(Add::clone(&file.add)))
}

/// The sum of the sizes of written files, in bytes.
pub(crate) fn total_size(written: &[WrittenFile]) -> i64 {
    written.iter().map(|file| file.add.size).sum()
}

/// How many rows written files hold.
pub(crate) fn total_rows(written: &[WrittenFile]) -> u64 {
    written.iter().flat_map(|file| &file.pieces).map(|piece| piece.rows.num_rows() as u64).sum()
}

async fn write_one(env: &Env, to: &Destination<'_>, task: u32, pieces: Vec<Piece>) -> Result<WrittenFile, Diagnostic> {
    let (stored, positions) = to.stored_columns();
    let kept_ids = if moves_rows(&pieces) { to.row_ids.as_ref() } else { None };
    if is_enabled(to.metadata) && moves_rows(&pieces) && kept_ids.is_none() {
        return Err(Diagnostic::unsupported("Writing rows again in a table that tracks rows", None));
    }
    let mut hidden = kept_ids.map(|ids| ids.columns.clone()).unwrap_or_default();
    // The reference writes data files and change files as one table; in data files the column stays empty.
    if to.with_changes {
        hidden.fields.push(StructField::new(CHANGE_TYPE, DataType::String));
    }
    let mut all = stored.clone();
    all.fields.extend(hidden.fields.iter().cloned());
    let arrow_schema = all.to_arrow();
    let batches = pieces.iter().map(|piece| {
        let mut columns: Vec<ArrayRef> = positions.iter().map(|idx| Arc::clone(piece.rows.column(*idx))).collect();
        if let Some(ids) = kept_ids {
            columns.extend(ids.of_piece(piece)?);
        }
        if to.with_changes {
            columns.push(new_null_array(&Arrow::Utf8, piece.rows.num_rows()));
        }
        RecordBatch::try_new(Arc::clone(&arrow_schema), columns).map_err(Diagnostic::internal)
    });
    let batches = batches.collect::<Result<Vec<_>, _>>()?;
    let indexed = indexed_columns(to.metadata).map_err(failure::of_store)?;
    let mut file = write_with_hidden(&stored, &hidden, &batches, &indexed).map_err(failure::of_store)?;
    file.stats.tight_bounds = to.has_vectors.then_some(true);

    let place = Place::of(env, to, pieces.first().map(|first| &first.rows))?;
    let dotted = to.with_changes || !to.partition_columns.is_empty();
    let path = encode_path(&join(&place.folder, &data_file_name(task, &env.names.uuid(), dotted)));
    let now = env.clock.now_ms();
    let size = file.bytes.len() as i64;
    env.storage
        .put(&data_path(to.root, &path), file.bytes, now)
        .await
        .map_err(|error| failure::of_store(error.into()))?;
    let stats = Some(file.stats.to_json());
    let add = Add { modification_time: now, stats, ..Add::file(path, place.values, size) };
    Ok(WrittenFile { add: Arc::new(add), pieces })
}

/// The pieces cut by partition value, in the order of the values.
fn by_partition(to: &Destination<'_>, pieces: Vec<Piece>) -> Result<Vec<Vec<Piece>>, Diagnostic> {
    // Rows of one old file share its partition, so the first speaks for all.
    let n_keys = |piece: &Piece| if matches!(piece.from, From::Copied { .. }) { 1 } else { piece.rows.num_rows() };
    let parts = by_partition_value(to, pieces.iter().map(|piece| (&piece.rows, n_keys(piece))))?;
    let mut pieces: Vec<Option<Piece>> = pieces.into_iter().map(Some).collect();
    let lost = || Diagnostic::internal("a piece lies in two partitions");
    let mut groups = Vec::with_capacity(parts.len());
    for parts in parts {
        let part = |(idx, rows): PartOfBatch| match rows {
            None => pieces[idx].take().ok_or_else(lost),
            Some(rows) => select(pieces[idx].as_ref().ok_or_else(lost)?, &rows),
        };
        groups.push(parts.into_iter().map(part).collect::<Result<Vec<_>, _>>()?);
    }
    Ok(groups)
}

/// A batch by its number, and which of its rows; all without.
pub(crate) type PartOfBatch = (usize, Option<Vec<u64>>);

/// For each partition value, in order, the rows that have it. Each batch comes with the number of its first rows that
/// have to be looked at: one where all rows have the value of the first.
pub(crate) fn by_partition_value<'a>(
    to: &Destination<'_>,
    batches: impl Iterator<Item = (&'a RecordBatch, usize)>,
) -> Result<Vec<Vec<PartOfBatch>>, Diagnostic> {
    let positions: Vec<usize> = to
        .partition_columns
        .iter()
        .map(|name| to.schema.fields.iter().position(|field| field.name == *name))
        .collect::<Option<_>>()
        .ok_or_else(|| Diagnostic::internal("a partition column is missing"))?;
    let fields = positions.iter().map(|idx| SortField::new(to.schema.fields[*idx].data_type.to_arrow())).collect();
    let converter = RowConverter::new(fields).map_err(Diagnostic::internal)?;
    let mut groups: BTreeMap<OwnedRow, Vec<PartOfBatch>> = BTreeMap::new();
    for (idx, (batch, n_keys)) in batches.enumerate() {
        let key_column = |idx: &usize| without_empty_text(&batch.column(*idx).slice(0, n_keys));
        let keys: Vec<ArrayRef> = positions.iter().map(key_column).collect::<Result<_, _>>()?;
        let keys = converter.convert_columns(&keys).map_err(Diagnostic::internal)?;
        let mut rows_of: BTreeMap<arrow::row::Row<'_>, Vec<u64>> = BTreeMap::new();
        for (row, key) in keys.iter().enumerate() {
            rows_of.entry(key).or_default().push(row as u64);
        }
        let is_whole = rows_of.len() == 1;
        for (key, rows) in rows_of {
            groups.entry(key.owned()).or_default().push((idx, (!is_whole).then_some(rows)));
        }
    }
    Ok(groups.into_values().collect())
}

/// Spark writes an empty text in a partition column as NULL.
fn without_empty_text(column: &ArrayRef) -> Result<ArrayRef, Diagnostic> {
    if column.data_type() != &Arrow::Utf8 {
        return Ok(Arc::clone(column));
    }
    let empty = arrow::compute::kernels::cmp::eq(column.as_string::<i32>(), &StringArray::new_scalar(""))
        .map_err(Diagnostic::internal)?;
    nullif(column, &empty).map_err(Diagnostic::internal)
}

/// Some rows of a piece.
fn select(piece: &Piece, rows: &[u64]) -> Result<Piece, Diagnostic> {
    let pick =
        |numbers: &[u64]| rows.iter().filter_map(|row| numbers.get(*row as usize).copied()).collect::<Vec<u64>>();
    let from = match &piece.from {
        From::Copied { .. } => return Err(Diagnostic::internal("copied rows share the partition of their file")),
        From::Updated { clause, target, source } => {
            From::Updated { clause: *clause, target: pick(target), source: source.as_deref().map(pick) }
        }
        From::Inserted { clause, source } => From::Inserted { clause: *clause, source: pick(source) },
    };
    Ok(Piece { rows: take_rows(&piece.rows, rows)?, from })
}
