//! Tables as they are now: files, log, history, objects.

use crate::files;
use crate::limits::{ALL_IMAGE_ROWS, FOOTERS, IMAGE_ROWS, LOG_TEXTS, SAMPLE_ROWS};
use delta::commit_info::CommitInfo;
use delta::footer;
use delta::snapshot::{Snapshot, history};
use delta::storage::{FileMeta, Storage};
use engine::sandbox::Sandbox;
use engine::{Format, TableEntry};
use protocol::{HistoryEntry, TableFile, TableReport};
use serde_json::Value;
use spec::Diagnostic;

/// All Delta and Parquet tables, those in `first` before the others; and what could not be read of them.
pub(crate) async fn all(sandbox: &Sandbox, first: &[String]) -> (Vec<TableReport>, Vec<Diagnostic>) {
    let mut entries = sandbox.tables();
    entries.sort_by_key(|entry| {
        let name = entry.short_name();
        (first.iter().position(|other| *other == name).unwrap_or(usize::MAX), name)
    });
    let mut reports = Vec::with_capacity(entries.len());
    let mut problems = Vec::new();
    for entry in &entries {
        match report(sandbox.env().storage.as_ref(), entry).await {
            Ok(report) => reports.push(report),
            Err(diagnostic) => problems.push(diagnostic),
        }
    }
    (reports, problems)
}

/// The table of that name as a reader writes it, with or without schema and catalog.
pub(crate) fn find(sandbox: &Sandbox, name: &str) -> Option<TableEntry> {
    let wanted = name.replace('`', "").to_lowercase();
    sandbox.tables().into_iter().find(|entry| {
        let with_schema = format!("{}.{}", entry.schema, entry.name);
        [entry.short_name(), with_schema, entry.full_name()].contains(&wanted)
    })
}

/// The state of one table.
///
/// # Errors
/// Its log or a file cannot be read.
pub(crate) async fn report(storage: &dyn Storage, entry: &TableEntry) -> Result<TableReport, Diagnostic> {
    let objects = objects(storage, &entry.root).await?;
    let name = entry.short_name();
    let snapshot = match entry.format {
        Format::Delta => Snapshot::load(storage, &entry.root, None).await.map_err(|error| unreadable(&name, error))?,
        Format::Parquet(_) => None,
    };
    let Some(snapshot) = snapshot else {
        let columns = match &entry.format {
            Format::Parquet(schema) => files::plain_columns(schema),
            Format::Delta => Vec::new(),
        };
        return Ok(TableReport { name, columns, version: None, files: Vec::new(), history: Vec::new(), objects });
    };
    let commits = history(storage, &entry.root, None).await.map_err(|error| unreadable(&name, error))?;
    Ok(TableReport {
        columns: files::columns_of(&snapshot),
        version: Some(snapshot.version()),
        files: file_images(storage, &snapshot).await?,
        history: commits.iter().map(|(version, info)| history_entry(*version, info)).collect(),
        objects,
        name,
    })
}

// All rows of a small table, the first rows of each file of a large one.
async fn file_images(storage: &dyn Storage, snapshot: &Snapshot) -> Result<Vec<trace::FileImage>, Diagnostic> {
    let mut images = Vec::with_capacity(snapshot.files().len());
    for add in snapshot.files() {
        let n_rows = files::n_rows_of(storage, snapshot, add).await?;
        images.push(files::describe(snapshot, add, Some(n_rows)));
    }
    let is_small = |n_rows: u64, limit: usize| n_rows <= limit as u64;
    let shows_all = is_small(images.iter().map(|image| image.n_rows).sum(), ALL_IMAGE_ROWS)
        && images.iter().all(|image| is_small(image.n_rows, IMAGE_ROWS));
    let per_image = if shows_all { IMAGE_ROWS } else { SAMPLE_ROWS };
    let mut budget = ALL_IMAGE_ROWS;
    for (image, add) in images.iter_mut().zip(snapshot.files()) {
        let n_wanted = usize::try_from(image.n_rows).unwrap_or(usize::MAX).min(per_image).min(budget);
        budget -= n_wanted;
        image.rows = files::first_rows(storage, snapshot, add, n_wanted).await?;
    }
    Ok(images)
}

/// Everything below the table's folder; the newest log entries with their text and the newest data files with what
/// their footers say.
async fn objects(storage: &dyn Storage, root: &str) -> Result<Vec<TableFile>, Diagnostic> {
    let listed = storage.list_from(root, "").await.map_err(|error| unreadable(root, error))?;
    let is_entry = |path: &str| path.ends_with(".json") && path.contains("/_delta_log/");
    let described = newest_data_files(&listed);
    let n_entries = listed.iter().filter(|file| is_entry(&file.path)).count();
    let mut n_seen = 0;
    let mut objects = Vec::with_capacity(listed.len());
    for file in &listed {
        let mut text = None;
        if is_entry(&file.path) {
            n_seen += 1;
            if n_entries - n_seen < LOG_TEXTS {
                let bytes = storage.get(&file.path).await.map_err(|error| unreadable(root, error))?;
                text = Some(String::from_utf8_lossy(&bytes).into_owned());
            }
        }
        if described.contains(&file.path.as_str()) {
            let bytes = storage.get(&file.path).await.map_err(|error| unreadable(root, error))?;
            // A file that is damaged is told by the query that needs it.
            text = footer::describe(&bytes).ok();
        }
        let path = file.path.strip_prefix(root).unwrap_or(&file.path).trim_start_matches('/').to_owned();
        objects.push(TableFile { path, size: file.size, text });
    }
    Ok(objects)
}

fn newest_data_files(listed: &[FileMeta]) -> Vec<&str> {
    let is_data = |file: &&FileMeta| file.path.ends_with(".parquet") && !file.path.contains("/_delta_log/");
    let mut files: Vec<&FileMeta> = listed.iter().filter(is_data).collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.modified_ms));
    files.into_iter().take(FOOTERS).map(|file| file.path.as_str()).collect()
}

fn history_entry(version: u64, info: &CommitInfo) -> HistoryEntry {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    HistoryEntry {
        version,
        timestamp: info.timestamp,
        operation: info.operation.clone(),
        parameters: info.operation_parameters.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
        metrics: info.operation_metrics.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
    }
}

fn unreadable(table: &str, error: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::new("MERGELAB_TABLE_UNREADABLE", "KD001", format!("The table {table} cannot be read: {error}."), None)
}
