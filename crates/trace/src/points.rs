//! Metrics that point: which rows or files a number of the commit counts.

use crate::{FileRef, FileStatus, Outcome, Scene, Strip, Tally, Trace};

/// What a metric counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Points {
    SourceRows,
    /// Rows of old files with one of these outcomes.
    OldRows(&'static [Outcome]),
    /// Rows of new files with one of these outcomes.
    NewRows(&'static [Outcome]),
    /// Old files that the log entry removes.
    RemovedFiles,
    /// The same, and those that it removes only to name them again with a deletion vector.
    ReplacedFiles,
    NewFiles,
}

const WRITTEN: &[Outcome] = &[Outcome::Inserted, Outcome::Updated, Outcome::UpdatedBySource, Outcome::Copied];

/// What the metric of that name counts in a commit of that operation; `None` for bytes, times and whatever else has no rows or files to show.
pub fn points(operation: &str, metric: &str) -> Option<Points> {
    Some(match metric {
        "numSourceRows" => Points::SourceRows,
        "numTargetRowsInserted" => Points::NewRows(&[Outcome::Inserted]),
        "numTargetRowsUpdated" | "numUpdatedRows" => Points::OldRows(&[Outcome::Updated, Outcome::UpdatedBySource]),
        "numTargetRowsDeleted" | "numDeletedRows" => Points::OldRows(&[Outcome::Deleted, Outcome::DeletedBySource]),
        "numTargetRowsMatchedUpdated" => Points::OldRows(&[Outcome::Updated]),
        "numTargetRowsMatchedDeleted" => Points::OldRows(&[Outcome::Deleted]),
        "numTargetRowsNotMatchedBySourceUpdated" => Points::OldRows(&[Outcome::UpdatedBySource]),
        "numTargetRowsNotMatchedBySourceDeleted" => Points::OldRows(&[Outcome::DeletedBySource]),
        "numTargetRowsCopied" | "numCopiedRows" => Points::OldRows(&[Outcome::Copied]),
        "numOutputRows" => Points::NewRows(WRITTEN),
        // UPDATE counts files that stay with a deletion vector as removed and added again; DELETE and MERGE do not.
        "numRemovedFiles" if operation == "UPDATE" => Points::ReplacedFiles,
        "numTargetFilesRemoved" | "numRemovedFiles" => Points::RemovedFiles,
        "numTargetFilesAdded" | "numAddedFiles" | "numFiles" => Points::NewFiles,
        _ => return None,
    })
}

impl Points {
    /// Whether a row of that outcome in that strip is counted.
    pub fn lights(self, strip: &Strip, outcome: Option<Outcome>) -> bool {
        let is_old = matches!(strip.file, Some(FileRef::Old(_)));
        match self {
            Self::SourceRows => false,
            Self::OldRows(outcomes) => is_old && outcome.is_some_and(|outcome| outcomes.contains(&outcome)),
            Self::NewRows(outcomes) => !is_old && outcome.is_some_and(|outcome| outcomes.contains(&outcome)),
            Self::RemovedFiles => strip.status == Some(FileStatus::Removed),
            Self::ReplacedFiles => matches!(strip.status, Some(FileStatus::Removed | FileStatus::RowsHidden)),
            Self::NewFiles => !is_old,
        }
    }

    /// Whether it counts files, not rows.
    pub fn is_of_files(self) -> bool {
        matches!(self, Self::RemovedFiles | Self::ReplacedFiles | Self::NewFiles)
    }
}

impl Trace {
    /// How many rows or files are lit: cell by cell where all rows have one, else from the counts of the steps.
    pub fn count_lit(&self, scene: &Scene, points: Points) -> u64 {
        let strips = self.strips(scene);
        match points {
            Points::SourceRows => self.source.as_ref().map_or(0, |source| source.n_rows),
            Points::RemovedFiles => scene.tally.files_removed,
            Points::ReplacedFiles => scene.tally.files_removed + scene.tally.files_hidden,
            Points::NewFiles => scene.tally.files_added,
            Points::OldRows(outcomes) | Points::NewRows(outcomes) => {
                if strips.iter().any(|strip| strip.cells.len() as u64 != strip.n_rows) {
                    return outcomes.iter().map(|outcome| scene.tally.of(*outcome)).sum();
                }
                let cells = strips.iter().flat_map(|strip| strip.cells.iter().map(move |cell| (strip, *cell)));
                cells.filter(|(strip, cell)| points.lights(strip, *cell)).count() as u64
            }
        }
    }
}

impl Tally {
    /// Rows of an outcome so far; ignored ones are not counted.
    pub fn of(&self, outcome: Outcome) -> u64 {
        match outcome {
            Outcome::Inserted => self.inserted,
            Outcome::Updated => self.updated,
            Outcome::Deleted => self.deleted,
            Outcome::Copied => self.copied,
            Outcome::UpdatedBySource => self.updated_by_source,
            Outcome::DeletedBySource => self.deleted_by_source,
            Outcome::Ignored => 0,
        }
    }
}
