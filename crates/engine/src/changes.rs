//! The rows of the change feed that a commit records in files of its own; pure.
//!
//! [`are_recorded`] is the one place that decides whether a commit needs change files. Images of new rows are the rows
//! that are written anyway and share their buffers; only old rows are looked up again.

use crate::filter::Hits;
use crate::products::{ChangeType, ChangedRows, FileActions, From, NO_CLAUSE, Piece, ScannedFile};
use crate::rewrite::old_rows;
use arrow::record_batch::RecordBatch;
use delta::actions::Metadata;
use delta::change_feed::is_enabled;
use spec::Diagnostic;
use std::sync::Arc;

/// What a commit does to the files of its table, as far as that tells readers of the feed what happened to rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Files come and go whole, so that all their rows are inserted or deleted; or rows are only marked as deleted, and the
    /// difference of the deletion vectors tells which.
    ToldByFiles,
    /// New files hold rows that were there before, changed or copied.
    RowsRewritten,
}

/// Whether a commit has to record its changes, because its files alone would mislead the readers of the feed.
pub(crate) fn are_recorded(metadata: &Metadata, effect: Effect) -> bool {
    is_enabled(metadata) && effect == Effect::RowsRewritten
}

/// The change rows of each output task: both images of updated rows, and inserted rows, from the rows that the task
/// writes. Deleted rows belong to the first task. Old rows are numbered among all scanned rows, ascending; `old` looks
/// them up.
pub(crate) fn of_tasks(
    tasks: &[Vec<Piece>],
    deleted: &[u64],
    old: impl Fn(&[u64]) -> Result<RecordBatch, Diagnostic>,
) -> Result<Vec<Vec<ChangedRows>>, Diagnostic> {
    let mut changed: Vec<Vec<ChangedRows>> = Vec::with_capacity(tasks.len().max(1));
    for pieces in tasks {
        let mut rows = Vec::new();
        for piece in pieces {
            match &piece.from {
                From::Copied { .. } => {}
                From::Updated { target, .. } => {
                    rows.push(ChangedRows { change: ChangeType::UpdatePreimage, rows: old(target)? });
                    rows.push(ChangedRows { change: ChangeType::UpdatePostimage, rows: piece.rows.clone() });
                }
                From::Inserted { .. } => {
                    rows.push(ChangedRows { change: ChangeType::Insert, rows: piece.rows.clone() });
                }
            }
        }
        changed.push(rows);
    }
    if !deleted.is_empty() {
        let deleted = ChangedRows { change: ChangeType::Delete, rows: old(deleted)? };
        match changed.first_mut() {
            Some(first) => first.push(deleted),
            None => changed.push(vec![deleted]),
        }
    }
    Ok(changed)
}

/// The change rows of a DELETE that writes `tasks` again.
pub(crate) fn deleted(tasks: &[Vec<Piece>], hits: &Hits) -> Result<Vec<Vec<ChangedRows>>, Diagnostic> {
    let deleted = rows_where(&hits.actions.files, &hits.scanned, |clause| clause != NO_CLAUSE);
    of_tasks(tasks, &deleted, |rows| old_rows(hits.scanned.iter().map(Arc::as_ref), rows))
}

/// The change rows of an INSERT.
pub(crate) fn inserted(tasks: &[Vec<Piece>]) -> Result<Vec<Vec<ChangedRows>>, Diagnostic> {
    of_tasks(tasks, &[], |_| Err(Diagnostic::internal("an INSERT has no old rows")))
}

/// The rows of touched files whose clause is wanted, numbered among all scanned rows.
pub(crate) fn rows_where(
    files: &[FileActions],
    scanned: &[Arc<ScannedFile>],
    wanted: impl Fn(u16) -> bool,
) -> Vec<u64> {
    let mut rows = Vec::new();
    for file in files {
        let first = scanned[file.scanned].first_row;
        let acting = file.clause.iter().enumerate().filter(|(_, clause)| wanted(**clause));
        rows.extend(acting.map(|(row, _)| first + row as u64));
    }
    rows
}
