//! The typed steps that a run is told in.

use serde::{Deserialize, Serialize};

/// The parts of a run, in the order in which they happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The source is read.
    Source,
    /// Files are skipped by partition values and statistics.
    Prune,
    /// Rows of the remaining files meet source rows.
    Join,
    /// Each row gets its clause.
    Classify,
    /// New files are written; nobody can see them yet.
    Write,
    /// One log entry makes all of it visible at once.
    Commit,
}

/// A row of a file of the old snapshot: index into `TargetImage::files` and position in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RowId {
    pub file: u32,
    pub row: u32,
}

/// What became of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Inserted,
    Updated,
    Deleted,
    /// Rewritten unchanged, because another row of its file changed.
    Copied,
    UpdatedBySource,
    DeletedBySource,
    /// A source row that no clause took, or a target row whose file stays as it is.
    Ignored,
}

impl Outcome {
    /// Whether the row is no longer what its old file says.
    pub fn leaves(self) -> bool {
        matches!(self, Self::Updated | Self::Deleted | Self::UpdatedBySource | Self::DeletedBySource)
    }
}

/// Why a file was skipped or kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// One sentence: cause and effect.
    pub text: String,
    /// The conjunct that decided, as written; `None` where there was nothing to decide by.
    pub conjunct: Option<String>,
    /// The column whose statistic or partition value decided.
    pub column: Option<String>,
    /// The statistic looked at, e.g. `min 5, max 9` or `day = 2026-01-02`.
    pub statistic: Option<String>,
    /// A conjunct that, joined to the condition by AND, would have skipped this file and no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would_skip: Option<String>,
}

/// One thing that happened. File ids index `TargetImage::files` (old files) or
/// `Trace::written` (new files); source rows index `SourceImage::rows`; clause ids index
/// `Trace::clauses`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// The table gets new columns, or wider types, with this statement's commit; readers see them from then on.
    ChangeColumns {
        added: Vec<String>,
        changed: Vec<String>,
    },
    ReadSource {
        rows: u64,
    },
    SkipFile {
        file: u32,
        reason: Reason,
    },
    ScanFile {
        file: u32,
        reason: Reason,
    },
    /// One pair on which ON is true.
    Match {
        target: RowId,
        source: u32,
    },
    /// Pairs of a file that are not told one by one.
    MatchMany {
        file: u32,
        pairs: u64,
    },
    /// A target row with more than one source row: the statement fails.
    Duplicate {
        target: RowId,
        sources: Vec<u32>,
    },
    /// The file has rows that change: it will be rewritten, or these rows hidden.
    TouchFile {
        file: u32,
        matches: u64,
    },
    /// The file was read but stays as it is.
    LeaveFile {
        file: u32,
    },
    /// A clause (or none) decided about a row. `target` is absent for inserts, `source` for rows
    /// that no source row met.
    Act {
        outcome: Outcome,
        clause: Option<u32>,
        target: Option<RowId>,
        source: Option<u32>,
    },
    /// Rows of a file (or of the source, where `file` is absent) that are not told one by one.
    ActMany {
        outcome: Outcome,
        clause: Option<u32>,
        file: Option<u32>,
        rows: u64,
    },
    /// A data file was written; it is an orphan until the commit.
    WriteFile {
        file: u32,
        rows: u64,
    },
    /// Change files were written: what readers of the change feed will see of the commit.
    WriteChanges {
        files: u64,
        rows: u64,
    },
    /// The log entry will give this old file a deletion vector that hides the rows that changed.
    HideRows {
        file: u32,
        rows: u64,
    },
    /// The log entry will remove this old file.
    RemoveFile {
        file: u32,
    },
    /// The log entry was put: the new version exists.
    Commit {
        version: u64,
    },
    /// Nothing to write: no commit is made.
    NoCommit,
    /// The statement stopped; nothing was committed.
    Fail,
    /// Files that are not told one by one, because there are too many: the same happened to each.
    Files {
        event: FilesEvent,
        files: Vec<u32>,
    },
}

/// What happened to each file of a [`Step::Files`]; counts are those of all its files together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FilesEvent {
    /// Pruned. `reason` is that of the first one.
    Skipped {
        reason: Reason,
    },
    /// Read. `reason` is that of the first one.
    Scanned {
        reason: Reason,
    },
    /// Pairs were found.
    Matched {
        pairs: u64,
    },
    Touched {
        matches: u64,
    },
    Left,
    /// Rows got their outcome.
    Acted {
        outcome: Outcome,
        clause: Option<u32>,
        rows: u64,
    },
    /// New files were written.
    Written {
        rows: u64,
    },
    /// Deletion vectors hide rows.
    Hidden {
        rows: u64,
    },
    Removed,
}

/// A data file that a step is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileRef {
    /// Index into `TargetImage::files`.
    Old(u32),
    /// Index into `Trace::written`.
    New(u32),
}

impl Step {
    /// The phase that the step belongs to.
    pub fn phase(&self) -> Phase {
        match self {
            Step::ChangeColumns { .. } | Step::ReadSource { .. } => Phase::Source,
            Step::SkipFile { .. } | Step::ScanFile { .. } => Phase::Prune,
            Step::Match { .. }
            | Step::MatchMany { .. }
            | Step::Duplicate { .. }
            | Step::TouchFile { .. }
            | Step::LeaveFile { .. } => Phase::Join,
            Step::Act { .. } | Step::ActMany { .. } => Phase::Classify,
            Step::WriteFile { .. } | Step::WriteChanges { .. } => Phase::Write,
            Step::HideRows { .. } | Step::RemoveFile { .. } | Step::Commit { .. } | Step::NoCommit | Step::Fail => {
                Phase::Commit
            }
            Step::Files { event, .. } => match event {
                FilesEvent::Skipped { .. } | FilesEvent::Scanned { .. } => Phase::Prune,
                FilesEvent::Matched { .. } | FilesEvent::Touched { .. } | FilesEvent::Left => Phase::Join,
                FilesEvent::Acted { .. } => Phase::Classify,
                FilesEvent::Written { .. } => Phase::Write,
                FilesEvent::Hidden { .. } | FilesEvent::Removed => Phase::Commit,
            },
        }
    }

    /// The one file that the step is about; `None` where it is about the source, the commit or many files.
    pub fn file(&self) -> Option<FileRef> {
        match self {
            Step::SkipFile { file, .. }
            | Step::ScanFile { file, .. }
            | Step::MatchMany { file, .. }
            | Step::TouchFile { file, .. }
            | Step::LeaveFile { file }
            | Step::HideRows { file, .. }
            | Step::RemoveFile { file } => Some(FileRef::Old(*file)),
            Step::Match { target, .. } | Step::Duplicate { target, .. } => Some(FileRef::Old(target.file)),
            Step::Act { target, .. } => target.map(|row| FileRef::Old(row.file)),
            Step::ActMany { file, .. } => file.map(FileRef::Old),
            Step::WriteFile { file, .. } => Some(FileRef::New(*file)),
            Step::ChangeColumns { .. }
            | Step::ReadSource { .. }
            | Step::WriteChanges { .. }
            | Step::Commit { .. }
            | Step::NoCommit
            | Step::Fail
            | Step::Files { .. } => None,
        }
    }
}
