//! Pieces of rows to data files: one file per partition value, one file in an unpartitioned table.
//!
//! The reference repartitions by the partition columns before it writes, so a small merge leaves one
//! file per partition value; files come in the order of the partition values, NULL first.

use crate::batch::take_rows;
use crate::env::Env;
use crate::failure;
use crate::products::{From, Piece, ScannedFile, WrittenFile};
use crate::row_ids::{self, RowIds, moves_rows};
use arrow::array::{Array, ArrayRef, AsArray, StringArray};
use arrow::compute::nullif;
use arrow::datatypes::DataType as Arrow;
use arrow::record_batch::RecordBatch;
use arrow::row::{OwnedRow, RowConverter, SortField};
use delta::actions::{Action, Add, Metadata, PartitionValues};
use delta::parquet_io::write_with_hidden;
use delta::partition::{partition_dir, partition_value_to_string};
use delta::paths::{data_file_name, data_path, encode_path};
use delta::properties::{indexed_columns, random_prefix_length};
use delta::row_tracking::is_enabled;
use delta::schema::{StructField, StructType};
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
}

/// Writes the pieces of each output task: a file per task, or per partition value over all tasks, since rows are brought
/// together by partition before they are written. Empty pieces leave no file. The rows have passed `constraints::Rules::check`.
///
/// # Errors
/// The store failed.
pub(crate) async fn write_files(
    env: &Env,
    to: &Destination<'_>,
    mut tasks: Vec<Vec<Piece>>,
) -> Result<Vec<WrittenFile>, Diagnostic> {
    for pieces in &mut tasks {
        pieces.retain(|piece| piece.rows.num_rows() > 0);
    }
    let by_task = to.partition_columns.is_empty();
    let groups = if by_task { tasks } else { by_partition(to, tasks.into_iter().flatten().collect())? };
    let mut written = Vec::with_capacity(groups.len());
    for (idx, pieces) in groups.into_iter().enumerate().filter(|(_, pieces)| !pieces.is_empty()) {
        let task = if by_task { idx as u32 } else { 0 };
        written.push(write_one(env, to, task, pieces).await?);
    }
    Ok(written)
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
    let partition_fields: Vec<StructField> = to
        .partition_columns
        .iter()
        .filter_map(|name| to.schema.fields.iter().find(|field| field.name == *name))
        .cloned()
        .collect();
    let is_stored = |field: &StructField| !to.partition_columns.contains(&field.name);
    let stored = StructType { fields: to.schema.fields.iter().filter(|field| is_stored(field)).cloned().collect() };
    let positions: Vec<usize> =
        to.schema.fields.iter().enumerate().filter(|(_, field)| is_stored(field)).map(|(idx, _)| idx).collect();
    let kept_ids = if moves_rows(&pieces) { to.row_ids.as_ref() } else { None };
    if is_enabled(to.metadata) && moves_rows(&pieces) && kept_ids.is_none() {
        return Err(Diagnostic::unsupported("Writing rows again in a table that tracks rows", None));
    }
    let hidden = kept_ids.map(|ids| ids.columns.clone()).unwrap_or_default();
    let mut all = stored.clone();
    all.fields.extend(hidden.fields.iter().cloned());
    let arrow_schema = all.to_arrow();
    let batches = pieces.iter().map(|piece| {
        let mut columns: Vec<ArrayRef> = positions.iter().map(|idx| Arc::clone(piece.rows.column(*idx))).collect();
        if let Some(ids) = kept_ids {
            columns.extend(ids.of_piece(piece)?);
        }
        RecordBatch::try_new(Arc::clone(&arrow_schema), columns).map_err(Diagnostic::internal)
    });
    let batches = batches.collect::<Result<Vec<_>, _>>()?;
    let indexed = indexed_columns(to.metadata).map_err(failure::of_store)?;
    let file = write_with_hidden(&stored, &hidden, &batches, &indexed).map_err(failure::of_store)?;

    let partition_values = partition_values(to, &pieces);
    let folder = match random_prefix_length(to.metadata).map_err(failure::of_store)? {
        Some(length) => env.names.prefix(length),
        None => partition_dir(&partition_fields, &partition_values),
    };
    let name = data_file_name(task, &env.names.uuid(), !to.partition_columns.is_empty());
    let path = encode_path(&if folder.is_empty() { name } else { format!("{folder}/{name}") });
    let now = env.clock.now_ms();
    let size = file.bytes.len() as i64;
    env.storage
        .put(&data_path(to.root, &path), file.bytes, now)
        .await
        .map_err(|error| failure::of_store(error.into()))?;
    let add = Add {
        path,
        partition_values,
        size,
        modification_time: now,
        data_change: true,
        stats: Some(file.stats.to_json()),
        tags: None,
        deletion_vector: None,
        base_row_id: None,
        default_row_commit_version: None,
        clustering_provider: None,
    };
    Ok(WrittenFile { add: Arc::new(add), pieces })
}

/// The partition values that all rows of the pieces share, under physical names.
fn partition_values(to: &Destination<'_>, pieces: &[Piece]) -> PartitionValues {
    let mut values = PartitionValues::new();
    for name in to.partition_columns {
        let Some(idx) = to.schema.fields.iter().position(|field| field.name == *name) else { continue };
        let value = pieces.first().and_then(|piece| partition_value_to_string(piece.rows.column(idx), 0));
        let stored = to.schema.fields.get(idx).map_or(name.as_str(), StructField::physical_name);
        values.insert(stored.to_owned(), value.filter(|text| !text.is_empty()));
    }
    values
}

/// The pieces cut by partition value, in the order of the values.
fn by_partition(to: &Destination<'_>, pieces: Vec<Piece>) -> Result<Vec<Vec<Piece>>, Diagnostic> {
    let positions: Vec<usize> = to
        .partition_columns
        .iter()
        .map(|name| to.schema.fields.iter().position(|field| field.name == *name))
        .collect::<Option<_>>()
        .ok_or_else(|| Diagnostic::internal("a partition column is missing"))?;
    let fields = positions.iter().map(|idx| SortField::new(to.schema.fields[*idx].data_type.to_arrow())).collect();
    let converter = RowConverter::new(fields).map_err(Diagnostic::internal)?;
    let mut groups: BTreeMap<OwnedRow, Vec<Piece>> = BTreeMap::new();
    for piece in pieces {
        // Rows of one old file share its partition, so the first speaks for all.
        let n_keys = if matches!(piece.from, From::Copied { .. }) { 1 } else { piece.rows.num_rows() };
        let key_column = |idx: &usize| without_empty_text(&piece.rows.column(*idx).slice(0, n_keys));
        let keys: Vec<ArrayRef> = positions.iter().map(key_column).collect::<Result<_, _>>()?;
        let keys = converter.convert_columns(&keys).map_err(Diagnostic::internal)?;
        let mut rows_of: BTreeMap<arrow::row::Row<'_>, Vec<u64>> = BTreeMap::new();
        for (idx, key) in keys.iter().enumerate() {
            rows_of.entry(key).or_default().push(idx as u64);
        }
        if let [(key, _)] = rows_of.iter().collect::<Vec<_>>().as_slice() {
            groups.entry(key.owned()).or_default().push(piece);
            continue;
        }
        for (key, rows) in rows_of {
            groups.entry(key.owned()).or_default().push(select(&piece, &rows)?);
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
