//! Watching a statement run.
//!
//! Phase functions know nothing of this: the driver of each statement lends the product of a phase
//! to [`Observer::on`] once it is complete. Products are shared (`Arc`, Arrow buffers), so an
//! observer that keeps them copies nothing, and [`Silent`] costs nothing.

use crate::products::{Actions, ChangeFile, FileDecision, HiddenRows, MatchSet, ScannedFile, WrittenFile};
use arrow::record_batch::RecordBatch;
use delta::snapshot::Snapshot;
use query::Column;
use spec::{Diagnostic, Span};
use std::sync::Arc;

/// Gets told what a statement did, in order. It cannot change or stop the run.
pub trait Observer: Send {
    /// Called once per finished phase.
    fn on(&mut self, event: Event<'_>);
}

/// Hears nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn on(&mut self, _: Event<'_>) {}
}

/// The product of a phase.
#[derive(Debug, Clone)]
pub enum Event<'a> {
    /// The statement is bound; nothing has been read.
    Begin { target: &'a TargetInfo, clauses: &'a [ClauseInfo], condition: Option<Span> },
    /// The commit will give the table new columns, or change the types of some. The statement reads the table as if it had
    /// them already.
    Evolves { added: &'a [String], changed: &'a [String] },
    /// The source has been read: one batch.
    Source { name: &'a str, columns: &'a [Column], rows: &'a RecordBatch },
    /// One decision per file of the snapshot, in the snapshot's order.
    Pruned(&'a [FileDecision]),
    /// The files that were read, the pairs found in them, and which of the files are touched.
    Matched { scanned: &'a [Arc<ScannedFile>], matches: &'a MatchSet, touched: &'a [usize] },
    /// A target row has several source rows; the statement is about to fail.
    Duplicate { file: usize, row: u64, sources: &'a [u64] },
    /// What happens to each row.
    Classified(&'a Actions),
    /// The table has its changed rows hidden by deletion vectors: old files are not written again. Files that lose
    /// their last row are removed and not among these.
    Hidden { files: &'a [HiddenRows] },
    /// New files lie in the store; no reader sees them yet.
    Written { files: &'a [WrittenFile], removed: &'a [usize] },
    /// Change files lie in the store too: what readers of the change feed will see of the commit.
    Recorded { files: &'a [ChangeFile] },
    /// The new version exists.
    Committed { version: u64, log_path: &'a str, log_text: &'a str, metrics: &'a [(String, String)] },
    /// There was nothing to write: no commit was made.
    Nothing { metrics: &'a [(String, String)] },
    /// The statement stopped; nothing was committed.
    Failed(&'a Diagnostic),
}

/// The table that a statement writes to.
#[derive(Debug, Clone)]
pub struct TargetInfo {
    /// As a reader writes it.
    pub name: String,
    /// `MERGE`, `UPDATE`, `DELETE` or `WRITE`.
    pub operation: &'static str,
    pub columns: Vec<Column>,
    /// What the statement read.
    pub snapshot: Snapshot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClauseKind {
    Matched,
    NotMatched,
    NotMatchedBySource,
    /// The one implied clause of UPDATE, DELETE and INSERT.
    Statement,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionKind {
    Update,
    Delete,
    Insert,
}

/// One clause, in the order: matched, not matched, not matched by source.
#[derive(Debug, Clone, PartialEq)]
pub struct ClauseInfo {
    pub kind: ClauseKind,
    pub action: ActionKind,
    pub span: Span,
}
