//! The state after a number of steps: what the page draws.
//!
//! A row whose image was left out has no [`RowState`]; every count stays exact.

use crate::{Counts, Outcome, Phase, RowImage, Trace};
use serde::{Deserialize, Serialize};

/// What is to be seen after the first `step` steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// How many steps have happened: 0 to `Trace::steps.len()`.
    pub step: usize,
    pub phase: Phase,
    /// Per source row image.
    pub source: Vec<RowState>,
    /// Per old file.
    pub files: Vec<FileState>,
    /// Per written file: whether it exists in the store yet.
    pub written: Vec<bool>,
    /// Whether the log entry exists.
    pub committed: bool,
    /// The version that a reader who opens the table now sees.
    pub reader_version: Option<u64>,
    pub tally: Tally,
}

/// An old file and its rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileState {
    pub status: FileStatus,
    /// Per row image.
    pub rows: Vec<RowState>,
    /// How many of the file's rows met which outcome so far; exact also where rows have no image.
    #[serde(default)]
    pub counts: Counts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    /// Nothing has been decided yet.
    Waiting,
    /// Pruned: never opened.
    Skipped,
    Scanned,
    /// Will be rewritten, or lose rows to a deletion vector.
    Touched,
    /// Read, and left as it is.
    Left,
    /// Still in the table, without the rows that the log entry hides.
    RowsHidden,
    /// Removed by the log entry.
    Removed,
}

/// A row at a step.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RowState {
    /// Source rows that matched this target row, or the number of target rows for a source row.
    pub matches: u32,
    pub outcome: Option<Outcome>,
    /// The clause that acted.
    pub clause: Option<u32>,
    /// Several source rows met this target row, or this source row is one of them.
    pub conflict: bool,
    /// The step that this row is the subject of is the latest one.
    pub focus: bool,
}

/// Counts so far; after the last step they equal the commit's metrics.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    pub source_rows: u64,
    pub files_skipped: u64,
    pub files_scanned: u64,
    pub files_touched: u64,
    pub files_added: u64,
    pub files_removed: u64,
    /// Files that stay with fewer rows.
    #[serde(default)]
    pub files_hidden: u64,
    pub pairs: u64,
    pub inserted: u64,
    pub updated: u64,
    pub deleted: u64,
    pub copied: u64,
    pub updated_by_source: u64,
    pub deleted_by_source: u64,
    pub rows_written: u64,
}

impl Scene {
    /// What a reader who opens the table now sees: the old files until the commit, from then on the
    /// old files that were not removed, without hidden rows, and the new ones. Only rows that have an image.
    pub fn reader_rows<'a>(&self, trace: &'a Trace) -> Vec<&'a RowImage> {
        let old = trace.target.files.iter().enumerate().flat_map(|(idx, file)| {
            let rows = file.rows.iter().enumerate();
            rows.filter(move |(row, _)| self.shows(idx, *row)).map(|(_, cells)| cells)
        });
        let new = trace.written.iter().filter(|_| self.committed).flat_map(|written| &written.file.rows);
        old.chain(new).collect()
    }

    fn shows(&self, file: usize, row: usize) -> bool {
        let Some(file) = self.files.get(file).filter(|_| self.committed) else { return true };
        match file.status {
            FileStatus::Removed => false,
            FileStatus::RowsHidden => file.rows.get(row).is_none_or(|row| !row.outcome.is_some_and(Outcome::leaves)),
            _ => true,
        }
    }

    pub(crate) fn before(trace: &Trace) -> Self {
        let waiting = |n_rows: usize| FileState {
            status: FileStatus::Waiting,
            rows: vec![RowState::default(); n_rows],
            counts: Counts::default(),
        };
        Self {
            step: 0,
            phase: Phase::Source,
            source: vec![RowState::default(); trace.source.as_ref().map_or(0, |source| source.rows.len())],
            files: trace.target.files.iter().map(|file| waiting(file.rows.len())).collect(),
            written: vec![false; trace.written.len()],
            committed: false,
            reader_version: trace.target.version,
            tally: Tally::default(),
        }
    }
}
