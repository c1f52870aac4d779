//! VACUUM: files that no version within the retention needs leave the store.

use super::subject;
use crate::commit::{Operation, commit, metric};
use crate::describe::{column, rows};
use crate::failure;
use crate::observe::Observer;
use crate::sandbox::{Context, Outcome, Rows};
use crate::settings::{RETENTION_CHECK, RETENTION_IGNORED, VACUUM_LOGGED};
use arrow::array::StringArray;
use delta::actions::{Action, DeletionVectorDescriptor};
use delta::deletion_vector::file_path;
use delta::paths::{data_path, decode_path};
use delta::properties::deleted_file_retention_ms;
use delta::schema::DataType;
use delta::snapshot::{Snapshot, actions_since};
use delta::storage::FileMeta;
use serde_json::{Map, Value};
use spec::{Diagnostic, Vacuum};
use std::collections::BTreeSet;
use std::sync::Arc;

const HOUR_MS: f64 = 3_600_000.0;

/// Deletes files, or with DRY RUN lists them.
///
/// # Errors
/// No such table; a retention that is refused; the store failed.
pub(crate) async fn run(
    context: &Context<'_>,
    vacuum: &Vacuum,
    observer: &mut dyn Observer,
) -> Result<Outcome, Diagnostic> {
    let subject = subject(context, &vacuum.table, "VACUUM").await?;
    let snapshot = &subject.snapshot;
    let window = window(context, vacuum, snapshot)?;
    let root = snapshot.root();
    let listed = context.env.storage.list_from(root, "").await.map_err(|error| failure::of_store(error.into()))?;
    let visible: Vec<FileMeta> =
        listed.into_iter().filter(|file| is_visible(root, &file.path, snapshot.partition_columns())).collect();
    let before_ms = context.env.clock.now_ms().saturating_sub(window.retention_ms);
    let needed = needed(snapshot, before_ms);
    let known = if vacuum.lite { Some(removed_in_log(context, snapshot).await?) } else { None };
    let is_garbage = |file: &&FileMeta| {
        file.modified_ms < before_ms
            && !needed.contains(&file.path)
            && known.as_ref().is_none_or(|known| known.contains(&file.path))
    };
    let garbage: Vec<&FileMeta> = visible.iter().filter(is_garbage).collect();
    let outcome =
        |rows, version| Outcome { kind: "VACUUM", rows: Some(rows), version, table: Some(subject.entry.short_name()) };
    if vacuum.dry_run {
        return Ok(outcome(paths(garbage.iter().map(|file| file.path.as_str()))?, None));
    }
    let is_logged = context.settings.is_on(VACUUM_LOGGED);
    let mut last = None;
    if is_logged {
        let metrics = vec![
            metric("numFilesToDelete", garbage.len()),
            metric("sizeOfDataToDelete", garbage.iter().map(|file| file.size).sum::<u64>()),
        ];
        let operation =
            Operation { name: "VACUUM START", parameters: window.parameters(), metrics, reads_table: false };
        last = Some(commit(context.env, root, Some(snapshot), operation, Vec::new(), observer).await?);
    }
    for file in &garbage {
        context.env.storage.delete(&file.path).await.map_err(|error| failure::of_store(error.into()))?;
    }
    if let Some(started) = last.take() {
        let operation = Operation {
            name: "VACUUM END",
            parameters: Map::from_iter([("status".to_owned(), Value::String("COMPLETED".into()))]),
            metrics: vec![
                metric("numDeletedFiles", garbage.len()),
                metric("numVacuumedDirectories", n_folders(root, &visible)),
            ],
            reads_table: false,
        };
        last = Some(commit(context.env, root, Some(&started.snapshot), operation, Vec::new(), observer).await?);
    }
    Ok(outcome(paths(std::iter::once(root))?, last.map(|committed| committed.version)))
}

/// How long deleted files are kept.
struct Window {
    retention_ms: i64,
    /// The table's own.
    default_ms: i64,
    /// What RETAIN says, where it counts.
    specified_ms: Option<i64>,
    checked: bool,
}

impl Window {
    fn parameters(&self) -> Map<String, Value> {
        let mut parameters = Map::from_iter([
            ("retentionCheckEnabled".to_owned(), Value::Bool(self.checked)),
            ("defaultRetentionMillis".to_owned(), self.default_ms.into()),
        ]);
        if let Some(specified_ms) = self.specified_ms {
            parameters.insert("specifiedRetentionMillis".to_owned(), specified_ms.into());
        }
        parameters
    }
}

fn window(context: &Context<'_>, vacuum: &Vacuum, snapshot: &Snapshot) -> Result<Window, Diagnostic> {
    let default_ms = deleted_file_retention_ms(snapshot.metadata()).map_err(failure::of_store)?;
    let checked = context.settings.is_on(RETENTION_CHECK);
    // Any RETAIN but that of 0 hours is passed over, as by the reference, unless a setting says otherwise.
    let counts = |hours: f64| hours == 0.0 || !context.settings.is_on(RETENTION_IGNORED);
    let retain = vacuum.retain.filter(|retain| counts(retain.hours));
    let specified_ms = retain.map(|retain| (retain.hours * HOUR_MS) as i64);
    if let (Some(retain), Some(specified_ms)) = (retain, specified_ms) {
        if specified_ms < 0 {
            let message = "The retention of VACUUM cannot be less than 0 hours.";
            return Err(Diagnostic::new("DELTA_VACUUM_RETENTION_PERIOD_NEGATIVE", "22003", message, retain.span)
                .with_hint("Leave RETAIN out to keep what the table asks for, a week by default."));
        }
        if checked && specified_ms < default_ms {
            let message = format!(
                "A retention of {} hours is shorter than the table's {} hours: readers and writers that are at work \
                 may lose their files.",
                retain.hours,
                default_ms as f64 / HOUR_MS
            );
            return Err(Diagnostic::new("DELTA_VACUUM_RETENTION_PERIOD_TOO_SHORT", "22003", message, retain.span)
                .with_hint(format!("If nobody else uses the table: SET {RETENTION_CHECK} = false;")));
        }
    }
    Ok(Window { retention_ms: specified_ms.unwrap_or(default_ms), default_ms, specified_ms, checked })
}

/// The files that must stay: those of the snapshot, and those removed within the retention.
fn needed(snapshot: &Snapshot, before_ms: i64) -> BTreeSet<String> {
    let root = snapshot.root();
    let mut needed = BTreeSet::new();
    let mut keep = |path: &str, vector: Option<&DeletionVectorDescriptor>| {
        needed.insert(data_path(root, path));
        needed.extend(vector.and_then(|vector| file_path(root, vector)));
    };
    for add in snapshot.files() {
        keep(&add.path, add.deletion_vector.as_ref());
    }
    for remove in snapshot.tombstones() {
        if remove.deletion_timestamp.unwrap_or(0) >= before_ms {
            keep(&remove.path, remove.deletion_vector.as_ref());
        }
    }
    needed
}

/// What LITE looks at: the files that the log says were removed.
async fn removed_in_log(context: &Context<'_>, snapshot: &Snapshot) -> Result<BTreeSet<String>, Diagnostic> {
    let root = snapshot.root();
    let actions = actions_since(context.env.storage.as_ref(), root, 0).await.map_err(failure::of_store)?;
    let mut removed = BTreeSet::new();
    for action in actions {
        if let Action::Remove(remove) = action {
            removed.insert(data_path(root, &remove.path));
            removed.extend(remove.deletion_vector.as_ref().and_then(|vector| file_path(root, vector)));
        }
    }
    Ok(removed)
}

/// Whether VACUUM looks at a file: names that start with `_` or `.` are hidden, also those of folders, but for partition
/// folders and change files.
fn is_visible(root: &str, path: &str, partition_columns: &[String]) -> bool {
    let inside = path.strip_prefix(root).unwrap_or(path).trim_start_matches('/');
    let is_partition = |part: &str| partition_columns.iter().any(|column| part.starts_with(&format!("{column}=")));
    let is_hidden = |part: &str| {
        part.starts_with(['_', '.']) && !part.starts_with("_change_data") && !is_partition(&decode_path(part))
    };
    !inside.split('/').any(is_hidden)
}

/// The folders that were looked into, the table's own among them. A store has no empty ones.
fn n_folders(root: &str, files: &[FileMeta]) -> usize {
    let mut folders = BTreeSet::from([""]);
    for file in files {
        let inside = file.path.strip_prefix(root).unwrap_or(&file.path).trim_start_matches('/');
        folders.extend(inside.match_indices('/').filter_map(|(at, _)| inside.get(..at)));
    }
    folders.len()
}

fn paths<'a>(paths: impl Iterator<Item = &'a str>) -> Result<Rows, Diagnostic> {
    let paths: StringArray = paths.map(Some).collect();
    rows(vec![column("path", DataType::String, Arc::new(paths))])
}
