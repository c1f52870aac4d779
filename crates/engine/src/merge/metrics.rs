//! What a MERGE counts: the 22 operation metrics.

use super::bind::BoundMerge;
use super::plan::{MergePlan, Strategy};
use crate::commit::{Metrics, metric};
use crate::marks::{Marked, VectorCounts};
use crate::observe::{ActionKind, ClauseKind};
use crate::products::{Actions, NO_CLAUSE, WrittenFile};
use crate::write::{total_rows, total_size};

/// The counts behind the metrics and the result row.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct MergeMetrics {
    pub(crate) source_rows: u64,
    pub(crate) inserted: u64,
    pub(crate) matched_updated: u64,
    pub(crate) matched_deleted: u64,
    pub(crate) by_source_updated: u64,
    pub(crate) by_source_deleted: u64,
    pub(crate) copied: u64,
    pub(crate) output_rows: u64,
    pub(crate) files_added: usize,
    pub(crate) files_removed: usize,
    pub(crate) change_files: usize,
    pub(crate) bytes_added: i64,
    pub(crate) bytes_removed: i64,
    pub(crate) elapsed_ms: i64,
    pub(crate) vectors: VectorCounts,
    rewrites: bool,
    insert_only: bool,
}

impl MergeMetrics {
    /// Counts the products of a run.
    pub(crate) fn count(
        bound: &BoundMerge,
        plan: &MergePlan,
        source_rows: u64,
        actions: &Actions,
        written: &[WrittenFile],
        marked: &Marked,
        elapsed_ms: i64,
    ) -> Self {
        let vectors = match plan.strategy {
            Strategy::MarkRows => marked.vectors(&bound.target.snapshot),
            Strategy::InsertOnly | Strategy::CopyOnWrite => VectorCounts::default(),
        };
        let mut counts = Self {
            source_rows,
            inserted: actions.inserts.source.len() as u64,
            output_rows: total_rows(written),
            files_added: written.len(),
            files_removed: marked.removed.len(),
            bytes_added: total_size(written),
            bytes_removed: marked
                .removed
                .iter()
                .filter_map(|file| bound.target.snapshot.files().get(*file))
                .map(|add| add.size)
                .sum(),
            copied: actions.copied_again.len() as u64,
            elapsed_ms,
            rewrites: !written.is_empty() || !marked.is_empty(),
            vectors,
            insert_only: plan.strategy == Strategy::InsertOnly,
            ..Self::default()
        };
        let mut per_clause = vec![0u64; bound.clauses.len()];
        for clause in actions.files.iter().flat_map(|file| &file.clause) {
            match per_clause.get_mut(usize::from(*clause)) {
                Some(rows) if *clause != NO_CLAUSE => *rows += 1,
                _ if plan.strategy == Strategy::CopyOnWrite => counts.copied += 1,
                _ => {}
            }
        }
        for (clause, n_rows) in bound.clauses.iter().zip(per_clause) {
            match (clause.kind, clause.action.kind()) {
                (ClauseKind::Matched, ActionKind::Update) => counts.matched_updated += n_rows,
                (ClauseKind::Matched, ActionKind::Delete) => counts.matched_deleted += n_rows,
                (ClauseKind::NotMatchedBySource, ActionKind::Update) => counts.by_source_updated += n_rows,
                (ClauseKind::NotMatchedBySource, ActionKind::Delete) => counts.by_source_deleted += n_rows,
                _ => {}
            }
        }
        counts
    }

    pub(crate) fn updated(&self) -> u64 {
        self.matched_updated + self.by_source_updated
    }

    pub(crate) fn deleted(&self) -> u64 {
        self.matched_deleted + self.by_source_deleted
    }

    /// The metrics, in the order in which the reference logs them. Times come from the statement's
    /// clock, which stands still while it runs unless the clock is a real one; materialising takes
    /// at least a millisecond by the reference's own rule.
    pub(crate) fn entries(&self) -> Metrics {
        let scan_ms = if self.insert_only { 0 } else { self.elapsed_ms };
        let rewrite_ms = if self.rewrites { self.elapsed_ms } else { 0 };
        vec![
            metric("numTargetRowsCopied", self.copied),
            metric("numTargetRowsDeleted", self.deleted()),
            metric("numTargetBytesRemoved", self.bytes_removed),
            metric("numTargetDeletionVectorsAdded", self.vectors.added),
            metric("numTargetRowsMatchedUpdated", self.matched_updated),
            metric("numTargetRowsMatchedDeleted", self.matched_deleted),
            metric("numTargetRowsUpdated", self.updated()),
            metric("numTargetChangeFilesAdded", self.change_files),
            metric("numTargetRowsNotMatchedBySourceDeleted", self.by_source_deleted),
            metric("rewriteTimeMs", rewrite_ms),
            metric("numTargetFilesAdded", self.files_added),
            metric("numTargetBytesAdded", self.bytes_added),
            metric("executionTimeMs", self.elapsed_ms),
            metric("materializeSourceTimeMs", self.elapsed_ms.max(1)),
            metric("numTargetRowsInserted", self.inserted),
            metric("numTargetDeletionVectorsUpdated", self.vectors.updated),
            metric("scanTimeMs", scan_ms),
            metric("numOutputRows", self.output_rows),
            metric("numTargetDeletionVectorsRemoved", self.vectors.removed),
            metric("numTargetRowsNotMatchedBySourceUpdated", self.by_source_updated),
            metric("numSourceRows", self.source_rows),
            metric("numTargetFilesRemoved", self.files_removed),
        ]
    }
}
