//! The joins that Delta on Spark would run for a MERGE: a rule applied to the statement, not something that was watched.

use crate::{ClauseKind, FileStatus, Scene, Step, Trace};

/// A join of Spark's plan; the source stands left, the target right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SparkJoin {
    pub pass: Pass,
    pub kind: JoinKind,
    /// What it is for and why it is of that kind.
    pub because: &'static str,
    /// Old files on its right side, and their bytes, as far as the scene knows.
    pub files: u64,
    pub bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    /// Which files have rows that change.
    FindTouchedFiles,
    /// The new rows.
    WriteChanges,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinKind {
    Inner,
    LeftOuter,
    RightOuter,
    FullOuter,
    LeftAnti,
}

impl JoinKind {
    /// As plans write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inner => "inner",
            Self::LeftOuter => "left outer",
            Self::RightOuter => "right outer",
            Self::FullOuter => "full outer",
            Self::LeftAnti => "left anti",
        }
    }

    /// Whether Spark may send the source, the left side, to every task.
    pub fn broadcasts_source(self) -> bool {
        matches!(self, Self::Inner | Self::RightOuter)
    }

    /// Whether Spark may send the target, the right side, to every task.
    pub fn broadcasts_target(self) -> bool {
        matches!(self, Self::Inner | Self::LeftOuter | Self::LeftAnti)
    }
}

impl Trace {
    /// The joins in the order in which Spark runs them; empty for anything but a MERGE.
    pub fn spark_joins(&self, scene: &Scene) -> Vec<SparkJoin> {
        if self.operation != "MERGE" {
            return Vec::new();
        }
        let has = |kind| self.clauses.iter().any(|clause| clause.kind == kind);
        let (matched, not_matched) = (has(ClauseKind::Matched), has(ClauseKind::NotMatched));
        let by_source = has(ClauseKind::NotMatchedBySource);
        let is_read = |status| status != FileStatus::Skipped;
        let is_touched = |status| matches!(status, FileStatus::Touched | FileStatus::Removed | FileStatus::RowsHidden);
        // A setting can switch the plan for inserts off; then files are touched all the same.
        let rewrites = self.steps.iter().any(|step| matches!(step, Step::TouchFile { .. } | Step::RemoveFile { .. }));
        if not_matched && !matched && !by_source && !rewrites {
            let because = "Only inserts: source rows without a match are kept, and nothing is rewritten.";
            return vec![self.join(scene, Pass::WriteChanges, JoinKind::LeftAnti, because, is_read)];
        }
        let (find, why_find) = match by_source {
            true => (JoinKind::RightOuter, "NOT MATCHED BY SOURCE needs the target rows that meet no source row too."),
            false => (JoinKind::Inner, "Only pairs matter: a file without one is not touched."),
        };
        let (write, why_write) = match (self.hides_rows, matched, not_matched, by_source) {
            (false, true, false, false) => (
                JoinKind::RightOuter,
                "MATCHED clauses only: every target row is written again, no source row is inserted.",
            ),
            (false, ..) => {
                (JoinKind::FullOuter, "Unmatched rows of both sides are written: inserted ones and copied ones.")
            }
            (true, _, false, false) => {
                (JoinKind::Inner, "Deletion vectors: only pairs are written, the rest stays where it is.")
            }
            (true, _, true, false) => {
                (JoinKind::LeftOuter, "Deletion vectors: pairs and unmatched source rows are written.")
            }
            (true, _, false, true) => {
                (JoinKind::RightOuter, "Deletion vectors: pairs and unmatched target rows are written.")
            }
            (true, _, true, true) => (JoinKind::FullOuter, "Unmatched rows of both sides have clauses of their own."),
        };
        vec![
            self.join(scene, Pass::FindTouchedFiles, find, why_find, is_read),
            self.join(scene, Pass::WriteChanges, write, why_write, is_touched),
        ]
    }

    fn join(
        &self,
        scene: &Scene,
        pass: Pass,
        kind: JoinKind,
        because: &'static str,
        takes_part: impl Fn(FileStatus) -> bool,
    ) -> SparkJoin {
        let files = self.target.files.iter().zip(&scene.files);
        let (mut n_files, mut bytes) = (0, 0);
        for (file, _) in files.filter(|(_, state)| takes_part(state.status)) {
            n_files += 1;
            bytes += file.size;
        }
        SparkJoin { pass, kind, because, files: n_files, bytes }
    }
}
