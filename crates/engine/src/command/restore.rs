//! RESTORE: a new version with the files and the metadata of an old one.

use super::subject;
use crate::commit::{Operation, commit, metric};
use crate::failure;
use crate::observe::Observer;
use crate::sandbox::{Context, Outcome, count_row};
use crate::settings::MISSING_FILES_IGNORED;
use crate::travel::{self, Instant};
use delta::actions::{Action, Add, Protocol, Remove};
use delta::paths::data_path;
use delta::snapshot::Snapshot;
use serde_json::{Map, Value};
use spec::{Diagnostic, ExprKind, Literal, Name, Span, TimeTravel};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many missing files a complaint names.
const FILES_NAMED: usize = 100;

/// Goes back to a version or an instant. The version that is current already gives nothing to do.
///
/// # Errors
/// No such version or instant; one that is too old; files of it are gone.
pub(crate) async fn run(
    context: &Context<'_>,
    table: &Name,
    to: &TimeTravel,
    observer: &mut dyn Observer,
) -> Result<Outcome, Diagnostic> {
    let subject = subject(context, table, "RESTORE").await?;
    let newest = &subject.snapshot;
    let version = version(context, newest, to).await?;
    let outcome =
        |rows, version| Outcome { kind: "RESTORE", rows: Some(rows), version, table: Some(subject.entry.short_name()) };
    if version == newest.version() {
        let mut rows = count_row(&COLUMNS.map(|column| (column, 0)))?;
        rows.batches.clear();
        return Ok(outcome(rows, None));
    }
    let span = table.span();
    let then = Snapshot::load(context.env.storage.as_ref(), newest.root(), Some(version)).await;
    let then = then.map_err(|error| failure::of_table(error, span))?;
    let then = then.ok_or_else(|| Diagnostic::internal("a version got lost"))?;
    travel::refuse_beyond_retention(context.env, context.settings, newest, &then, span)?;

    let restored = missing_from(&then, newest);
    let removed = missing_from(newest, &then);
    if !context.settings.is_on(MISSING_FILES_IGNORED) {
        refuse_missing(context, &then, &restored, span).await?;
    }
    let total = |adds: &[Arc<Add>]| adds.iter().map(|add| add.size).sum::<i64>() as u64;
    let counts = [
        total(then.files()),
        then.files().len() as u64,
        removed.len() as u64,
        restored.len() as u64,
        total(&removed),
        total(&restored),
    ];
    let metrics = METRICS.iter().zip(counts).map(|(name, count)| metric(name, count)).collect();
    let operation = Operation { name: "RESTORE", parameters: parameters(to), metrics, reads_table: true };
    let now_ms = context.env.clock.now_ms();
    let mut log = vec![Action::Metadata(then.metadata().clone())];
    log.extend(restored.iter().map(|add| Action::Add(Add { data_change: true, ..Add::clone(add) })));
    log.extend(removed.iter().map(|add| Action::Remove(Remove::of(add, now_ms, true))));
    log.push(Action::Protocol(merged(then.protocol(), newest.protocol())));
    let committed = commit(context.env, newest.root(), Some(newest), operation, log, observer).await?;
    let rows = COLUMNS.iter().zip(counts).map(|(name, count)| (*name, count)).collect::<Vec<_>>();
    Ok(outcome(count_row(&rows)?, Some(committed.version)))
}

const COLUMNS: [&str; 6] = [
    "table_size_after_restore",
    "num_of_files_after_restore",
    "num_removed_files",
    "num_restored_files",
    "removed_files_size",
    "restored_files_size",
];
const METRICS: [&str; 6] = [
    "tableSizeAfterRestore",
    "numOfFilesAfterRestore",
    "numRemovedFiles",
    "numRestoredFiles",
    "removedFilesSize",
    "restoredFilesSize",
];

async fn version(context: &Context<'_>, newest: &Snapshot, to: &TimeTravel) -> Result<u64, Diagnostic> {
    match to {
        TimeTravel::Version(version, span) if *version > newest.version() => {
            let message =
                format!("Cannot restore the table to version {version}: it has versions 0 to {}.", newest.version());
            Err(Diagnostic::new("DELTA_CANNOT_RESTORE_TABLE_VERSION", "22003", message, *span)
                .with_hint("DESCRIBE HISTORY shows the versions that there are."))
        }
        TimeTravel::Version(version, _) => Ok(*version),
        TimeTravel::Timestamp(time) => {
            let micros = travel::instant_of(context, time).await?;
            match travel::version_at(context.env, newest, micros, time.span).await? {
                Instant::Version(version) => Ok(version),
                Instant::BeforeFirst => {
                    let message = "Cannot restore the table to a time before its first commit.";
                    Err(Diagnostic::new("DELTA_CANNOT_RESTORE_TIMESTAMP_EARLIER", "22003", message, time.span)
                        .with_hint("DESCRIBE HISTORY shows when each version was committed."))
                }
                Instant::AfterLast => {
                    let message = "Cannot restore the table to a time after its last commit.";
                    Err(Diagnostic::new("DELTA_CANNOT_RESTORE_TIMESTAMP_GREATER", "22003", message, time.span)
                        .with_hint("DESCRIBE HISTORY shows when each version was committed."))
                }
            }
        }
    }
}

fn parameters(to: &TimeTravel) -> Map<String, Value> {
    let (version, timestamp) = match to {
        TimeTravel::Version(version, _) => (Value::from(*version), Value::Null),
        TimeTravel::Timestamp(time) => match &time.kind {
            ExprKind::Literal(Literal::String(text)) => (Value::Null, Value::String(text.clone())),
            _ => (Value::Null, Value::Null),
        },
    };
    Map::from_iter([("version".to_owned(), version), ("timestamp".to_owned(), timestamp)])
}

/// The files of one snapshot that the other lacks; a file with another deletion vector is another file.
fn missing_from(of: &Snapshot, other: &Snapshot) -> Vec<Arc<Add>> {
    let key = |add: &Arc<Add>| (add.path.clone(), add.deletion_vector.as_ref().map(|vector| vector.unique_id()));
    let known: BTreeSet<_> = other.files().iter().map(key).collect();
    of.files().iter().filter(|add| !known.contains(&key(add))).cloned().collect()
}

/// Both protocols at once: RESTORE never asks less of readers and writers than the table did.
fn merged(then: &Protocol, newest: &Protocol) -> Protocol {
    let features = |left: &Option<Vec<String>>, right: &Option<Vec<String>>| -> Option<Vec<String>> {
        let mut all = right.clone().or_else(|| left.is_some().then(Vec::new))?;
        let lacking: Vec<String> = left.iter().flatten().filter(|feature| !all.contains(feature)).cloned().collect();
        all.extend(lacking);
        Some(all)
    };
    Protocol {
        min_reader_version: then.min_reader_version.max(newest.min_reader_version),
        min_writer_version: then.min_writer_version.max(newest.min_writer_version),
        reader_features: features(&then.reader_features, &newest.reader_features),
        writer_features: features(&then.writer_features, &newest.writer_features),
    }
}

/// A restored file must still be there: VACUUM may have deleted it.
async fn refuse_missing(
    context: &Context<'_>,
    then: &Snapshot,
    restored: &[Arc<Add>],
    span: Span,
) -> Result<(), Diagnostic> {
    let root = then.root();
    let listed = context.env.storage.list_from(root, "").await.map_err(|error| failure::of_store(error.into()))?;
    let present: BTreeSet<&str> = listed.iter().map(|file| file.path.as_str()).collect();
    let missing: Vec<&str> = restored
        .iter()
        .filter(|add| !present.contains(data_path(root, &add.path).as_str()))
        .map(|add| add.path.as_str())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let named = missing.iter().take(FILES_NAMED).copied().collect::<Vec<_>>().join(", ");
    let message =
        format!("Not all files from version {} are available in file system. Missed files: {named}.", then.version());
    Err(Diagnostic::new("MERGELAB_FILES_MISSING", "", message, span)
        .with_hint(format!("VACUUM has deleted them. Set {MISSING_FILES_IGNORED} to true to restore what is left.")))
}
