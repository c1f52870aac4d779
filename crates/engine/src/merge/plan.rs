//! Which plan a MERGE takes and what it may prune by; pure.

use super::bind::BoundMerge;
use super::clause::Action;
use super::sides;
use crate::marks;
use crate::observe::ClauseKind;
use crate::prune::Conjunct;
use crate::settings::{MERGE_MARKS, Settings};
use delta::change_feed;
use query::Bound;

/// How a MERGE is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// Only NOT MATCHED clauses: source rows without a match are appended, no file is rewritten
    /// and duplicates are not looked for.
    InsertOnly,
    /// Touched files are written anew, with changed and copied rows.
    CopyOnWrite,
    /// Changed rows are written alone, and deletion vectors hide their old versions.
    MarkRows,
}

/// The reference's join, source on the left, that makes the rows to write from the touched files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Join {
    /// Source rows without a match.
    LeftAnti,
    Inner,
    LeftOuter,
    RightOuter,
    FullOuter,
}

/// The decisions that need no data.
#[derive(Debug, Clone)]
pub(crate) struct MergePlan {
    pub(crate) strategy: Strategy,
    /// MATCHED clauses and no others: files without an acting pair stay as they are.
    pub(crate) matched_only: bool,
    /// Some clause is NOT MATCHED BY SOURCE: every target row takes part, nothing is pruned.
    pub(crate) by_source: bool,
    /// The lone MATCHED clause is an unconditional DELETE: duplicate matches do no harm.
    pub(crate) duplicates_allowed: bool,
    pub(crate) join: Join,
    /// There is no equality by which rows could meet, so that every pair has to be asked.
    pub(crate) asks_every_pair: bool,
    /// No pair can meet ON by the statement's text alone, so that the reference drops the source from the join before it
    /// is counted; unless all files are skipped, for then it joins nothing.
    pub(crate) source_uncounted: bool,
    /// New rows are written where their source rows are, so that the branches of a UNION ALL stay apart: the target's rows
    /// are sent there, and no row is kept that met no source row.
    pub(crate) streams_source: bool,
    /// Touched files are read with all columns: all of their rows are written again, or the change feed tells of whole
    /// rows.
    pub(crate) completes_files: bool,
    /// The table has a change feed.
    pub(crate) records_changes: bool,
    /// A file is skipped when one of these cannot be true for any of its rows.
    pub(crate) conjuncts: Vec<Conjunct>,
}

/// Chooses the plan.
pub(crate) fn merge(bound: &BoundMerge, settings: &Settings, script: &str) -> MergePlan {
    let has = |kind| bound.clauses.iter().any(|clause| clause.kind == kind);
    let by_source = has(ClauseKind::NotMatchedBySource);
    let matched = has(ClauseKind::Matched);
    let not_matched = has(ClauseKind::NotMatched);
    let insert_only = not_matched && !matched && !by_source && settings.insert_only_plan();
    let matched_only = matched && !not_matched && !by_source;
    let strategy = match insert_only {
        true => Strategy::InsertOnly,
        false if marks::are_made(&bound.target.snapshot, settings, MERGE_MARKS) => Strategy::MarkRows,
        false => Strategy::CopyOnWrite,
    };
    let join = match strategy {
        Strategy::InsertOnly => Join::LeftAnti,
        Strategy::CopyOnWrite if matched_only => Join::RightOuter,
        Strategy::CopyOnWrite => Join::FullOuter,
        // What is not written needs no full outer join.
        Strategy::MarkRows if matched_only => Join::Inner,
        Strategy::MarkRows if !by_source => Join::LeftOuter,
        Strategy::MarkRows if !not_matched => Join::RightOuter,
        Strategy::MarkRows => Join::FullOuter,
    };
    let records_changes = change_feed::is_enabled(bound.target.snapshot.metadata());
    MergePlan {
        strategy,
        completes_files: strategy == Strategy::CopyOnWrite || records_changes,
        records_changes,
        matched_only,
        by_source,
        join,
        asks_every_pair: !sides::meet_by_equality(bound),
        source_uncounted: !insert_only && sides::is_uncounted(bound, by_source),
        streams_source: matches!(join, Join::LeftAnti | Join::LeftOuter),
        duplicates_allowed: insert_only || lone_unconditional_delete(bound),
        conjuncts: if by_source { Vec::new() } else { conjuncts(bound, matched_only, script) },
    }
}

fn lone_unconditional_delete(bound: &BoundMerge) -> bool {
    let mut matched = bound.clauses.iter().filter(|clause| clause.kind == ClauseKind::Matched);
    let (first, second) = (matched.next(), matched.next());
    matches!(first, Some(clause) if clause.condition.is_none() && matches!(clause.action, Action::Delete))
        && second.is_none()
}

/// The conjuncts of ON that use target columns only; in a matched-only statement also the OR of
/// the clauses' target-only conjuncts.
fn conjuncts(bound: &BoundMerge, matched_only: bool, script: &str) -> Vec<Conjunct> {
    let on_target = |condition: &Bound| condition.columns().iter().all(|column| *column < bound.target.columns.len());
    let mut all: Vec<Conjunct> = bound
        .on
        .conjuncts()
        .into_iter()
        .filter(|conjunct| on_target(conjunct))
        .map(|conjunct| Conjunct::of(&conjunct, script))
        .collect();
    if matched_only {
        let per_clause: Option<Vec<Vec<Bound>>> = bound
            .clauses
            .iter()
            .map(|clause| {
                let parts = clause.condition.as_ref()?.conjuncts();
                let usable: Vec<Bound> = parts.into_iter().filter(|part| on_target(part)).collect();
                (!usable.is_empty()).then_some(usable)
            })
            .collect();
        // One clause without a target-only conjunct may act on any row: then nothing is known.
        if let Some(per_clause) = per_clause {
            all.push(Conjunct::any_of(&per_clause, script));
        }
    }
    all
}
