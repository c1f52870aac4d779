//! Checkpoints (PROTOCOL.md, Checkpoints): the state of a version as actions, one per row of a Parquet file or per
//! line of JSON, in one file, several parts, or a file with sidecars. Rows travel through the actions' own JSON form,
//! so that there is one mapping of fields. We write the classic form, which every reader knows.

mod columns;

use crate::actions::{Action, Add, Remove};
use crate::error::Error;
use crate::log::{CheckpointFiles, LastCheckpoint};
use crate::parquet_io::{open, read_batches, write_batches};
use crate::paths::{checkpoint_path, last_checkpoint_path, sidecar_path};
use crate::properties::deleted_file_retention_ms;
use crate::snapshot::Snapshot;
use crate::storage::{Storage, StorageError};
use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use arrow::json::ReaderBuilder;
use arrow::json::writer::{LineDelimited, WriterBuilder};
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use serde::{Deserialize, Serialize};

const BATCH_SIZE: usize = 4096;

/// Writes the checkpoint of a version and the `_last_checkpoint` that points to it, and returns its path. A
/// tombstone is left out once it is older than the table's retention at `now_ms`.
pub async fn write_checkpoint(storage: &dyn Storage, snapshot: &Snapshot, now_ms: i64) -> Result<String, Error> {
    let oldest_ms = now_ms.saturating_sub(deleted_file_retention_ms(snapshot.metadata())?);
    let actions = checkpoint_actions(snapshot, oldest_ms);
    let bytes = checkpoint_bytes(&actions)?;
    let path = checkpoint_path(snapshot.root(), snapshot.version());
    let hint = LastCheckpoint {
        version: snapshot.version(),
        size: actions.len() as i64,
        parts: None,
        size_in_bytes: Some(bytes.len() as i64),
        num_of_add_files: Some(snapshot.files().len() as i64),
    };
    let hint = serde_json::to_vec(&hint).map_err(|error| Error::Internal(error.to_string()))?;
    storage.put(&path, bytes, now_ms).await?;
    storage.put(&last_checkpoint_path(snapshot.root()), Bytes::from(hint), now_ms).await?;
    Ok(path)
}

// Files in a checkpoint are no change of data (PROTOCOL.md, Add File and Remove File).
fn checkpoint_actions(snapshot: &Snapshot, oldest_ms: i64) -> Vec<Action> {
    let mut actions =
        vec![Action::Protocol(snapshot.protocol().clone()), Action::Metadata(snapshot.metadata().clone())];
    actions.extend(snapshot.txns().values().cloned().map(Action::Txn));
    actions.extend(snapshot.domain_metadata().values().cloned().map(Action::DomainMetadata));
    let is_kept = |remove: &&std::sync::Arc<Remove>| remove.deletion_timestamp.unwrap_or(0) > oldest_ms;
    let tombstone = |remove: &Remove| Remove { data_change: false, stats: None, ..remove.clone() };
    actions.extend(snapshot.tombstones().iter().filter(is_kept).map(|remove| Action::Remove(tombstone(remove))));
    let unchanged = |add: &Add| Add { data_change: false, ..add.clone() };
    actions.extend(snapshot.files().iter().map(|add| Action::Add(unchanged(add))));
    actions
}

/// The bytes of a checkpoint file that holds these actions.
pub fn checkpoint_bytes(actions: &[Action]) -> Result<Bytes, Error> {
    let bug = |error: ArrowError| Error::Internal(format!("a checkpoint could not be built: {error}"));
    let schema = columns::schema();
    let mut batches = Vec::new();
    for rows in actions.chunks(BATCH_SIZE) {
        batches.push(rows_to_batch(rows, &schema).map_err(bug)?);
    }
    write_batches(schema, &batches)
}

fn rows_to_batch<S: Serialize>(rows: &[S], schema: &arrow::datatypes::SchemaRef) -> Result<RecordBatch, ArrowError> {
    let mut decoder = ReaderBuilder::new(schema.clone()).with_batch_size(rows.len()).build_decoder()?;
    decoder.serialize(rows)?;
    decoder.flush()?.ok_or_else(|| ArrowError::JsonError("no rows".to_owned()))
}

/// Reads the actions of a checkpoint, those of its sidecars included. Fails on a damaged or missing file.
pub(crate) async fn read_checkpoint(
    storage: &dyn Storage,
    root: &str,
    checkpoint: &CheckpointFiles,
) -> Result<Vec<Action>, Error> {
    let mut actions = Vec::new();
    let mut sidecars = Vec::new();
    for file in &checkpoint.files {
        let lines = lines_of(&file.path, storage.get(&file.path).await?)?;
        read_lines(&file.path, &lines, &mut actions, &mut sidecars)?;
    }
    for sidecar in sidecars {
        let path = sidecar_path(root, &sidecar);
        let missing = |error: StorageError| Error::CorruptCheckpoint { file: path.clone(), reason: error.to_string() };
        let lines = lines_of(&path, storage.get(&path).await.map_err(missing)?)?;
        // A sidecar holds file actions only.
        read_lines(&path, &lines, &mut actions, &mut Vec::new())?;
    }
    Ok(actions)
}

/// The actions of a file as lines of JSON.
fn lines_of(path: &str, bytes: Bytes) -> Result<Vec<u8>, Error> {
    if path.ends_with(".json") {
        return Ok(bytes.to_vec());
    }
    let corrupt = |reason: String| Error::CorruptCheckpoint { file: path.to_owned(), reason };
    let metadata = open(&bytes).map_err(|error| corrupt(error.to_string()))?;
    let is_needed = |path: &[String]| columns::is_needed(path);
    let leaves = metadata.parquet_schema().columns().iter().enumerate();
    let needed: Vec<usize> = leaves.filter(|(_, leaf)| is_needed(leaf.path().parts())).map(|(at, _)| at).collect();
    let mask = ProjectionMask::leaves(metadata.parquet_schema(), needed);
    let mut lines = Vec::new();
    for batch in read_batches(bytes, metadata, mask, BATCH_SIZE).map_err(|error| corrupt(error.to_string()))? {
        lines.extend(batch_to_json(&batch).map_err(|error| corrupt(error.to_string()))?);
    }
    Ok(lines)
}

#[derive(Deserialize)]
struct SidecarLine {
    sidecar: Option<Sidecar>,
}

#[derive(Deserialize)]
struct Sidecar {
    path: String,
}

fn read_lines(path: &str, lines: &[u8], actions: &mut Vec<Action>, sidecars: &mut Vec<String>) -> Result<(), Error> {
    let corrupt = |reason: String| Error::CorruptCheckpoint { file: path.to_owned(), reason };
    for line in lines.split(|byte| *byte == b'\n') {
        let text = std::str::from_utf8(line).map_err(|error| corrupt(error.to_string()))?;
        if text.trim().is_empty() {
            continue;
        }
        match Action::parse(text).map_err(|error| corrupt(error.to_string()))? {
            Some(action) => actions.push(action),
            None => {
                let line: SidecarLine = serde_json::from_str(text).map_err(|error| corrupt(error.to_string()))?;
                sidecars.extend(line.sidecar.map(|sidecar| sidecar.path));
            }
        }
    }
    Ok(())
}

// A map keeps its NULL values only if all NULLs are written out; actions read those as absent.
fn batch_to_json(batch: &RecordBatch) -> Result<Vec<u8>, ArrowError> {
    let mut writer = WriterBuilder::new().with_explicit_nulls(true).build::<_, LineDelimited>(Vec::new());
    writer.write(batch)?;
    writer.finish()?;
    Ok(writer.into_inner())
}
