//! Change rows to change files: below `_change_data`, one file per output task and partition value.

use crate::batch::take_rows;
use crate::env::Env;
use crate::failure;
use crate::products::{ChangeFile, ChangedRows};
use crate::write::{Destination, PartOfBatch, Place, by_partition_value};
use arrow::array::{ArrayRef, StringArray};
use arrow::record_batch::RecordBatch;
use delta::actions::{Action, AddCdcFile};
use delta::change_feed::CHANGE_TYPE;
use delta::parquet_io::write_file;
use delta::paths::{CHANGE_DATA_DIR, change_file_name, data_path, encode_path, join};
use delta::schema::{DataType, StructField};
use spec::Diagnostic;
use std::sync::Arc;

/// Writes the change rows of each output task; tasks share a file where they share a partition value, as data files do.
/// Tasks without change rows leave no file.
///
/// # Errors
/// The store failed.
pub(crate) async fn write_changes(
    env: &Env,
    to: &Destination<'_>,
    mut tasks: Vec<Vec<ChangedRows>>,
) -> Result<Vec<ChangeFile>, Diagnostic> {
    for changed in &mut tasks {
        changed.retain(|changed| changed.rows.num_rows() > 0);
    }
    let by_task = to.partition_columns.is_empty();
    let groups = if by_task { tasks } else { by_partition(to, tasks.into_iter().flatten().collect())? };
    let mut written = Vec::new();
    for (idx, rows) in groups.into_iter().enumerate().filter(|(_, rows)| !rows.is_empty()) {
        written.push(write_one(env, to, if by_task { idx as u32 } else { 0 }, rows).await?);
    }
    Ok(written)
}

/// The actions of change files.
pub(crate) fn cdc_actions(written: &[ChangeFile]) -> impl Iterator<Item = Action> + '_ {
    written.iter().map(|file| Action::AddCdcFile(AddCdcFile::clone(&file.cdc)))
}

/// The sum of the sizes of change files, in bytes.
pub(crate) fn change_bytes(written: &[ChangeFile]) -> i64 {
    written.iter().map(|file| file.cdc.size).sum()
}

async fn write_one(
    env: &Env,
    to: &Destination<'_>,
    task: u32,
    rows: Vec<ChangedRows>,
) -> Result<ChangeFile, Diagnostic> {
    let place = Place::of(env, to, rows.first().map(|first| &first.rows))?;
    let (mut stored, positions) = to.stored_columns();
    stored.fields.push(StructField::new(CHANGE_TYPE, DataType::String));
    let arrow_schema = stored.to_arrow();
    let batches = rows.iter().map(|changed| {
        let n_rows = changed.rows.num_rows();
        let names = StringArray::from_iter_values(std::iter::repeat_n(changed.change.name(), n_rows));
        let mut columns: Vec<ArrayRef> = positions.iter().map(|idx| Arc::clone(changed.rows.column(*idx))).collect();
        columns.push(Arc::new(names));
        RecordBatch::try_new(Arc::clone(&arrow_schema), columns).map_err(Diagnostic::internal)
    });
    let batches = batches.collect::<Result<Vec<_>, _>>()?;
    let file = write_file(&stored, &batches).map_err(failure::of_store)?;
    let name = change_file_name(task, &env.names.uuid());
    // The reference puts a made-up folder in the place of the whole path, that of change data included.
    let folder = if place.is_random { place.folder } else { join(CHANGE_DATA_DIR, &place.folder) };
    let path = encode_path(&join(&folder, &name));
    let size = file.bytes.len() as i64;
    env.storage
        .put(&data_path(to.root, &path), file.bytes, env.clock.now_ms())
        .await
        .map_err(|error| failure::of_store(error.into()))?;
    let cdc = AddCdcFile { path, partition_values: place.values, size, tags: None, data_change: false };
    Ok(ChangeFile { cdc: Arc::new(cdc), rows })
}

/// The change rows cut by partition value, in the order of the values. The images of a row that moves lie in two of them.
fn by_partition(to: &Destination<'_>, changed: Vec<ChangedRows>) -> Result<Vec<Vec<ChangedRows>>, Diagnostic> {
    let keys = changed.iter().map(|changed| (&changed.rows, changed.rows.num_rows()));
    let mut groups = Vec::new();
    for group in by_partition_value(to, keys)? {
        let part = |(idx, rows): PartOfBatch| {
            let whole = &changed[idx];
            let rows = match rows {
                None => whole.rows.clone(),
                Some(rows) => take_rows(&whole.rows, &rows)?,
            };
            Ok(ChangedRows { change: whole.change, rows })
        };
        groups.push(group.into_iter().map(part).collect::<Result<Vec<_>, Diagnostic>>()?);
    }
    Ok(groups)
}
