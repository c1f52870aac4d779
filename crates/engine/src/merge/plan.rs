//! Which plan a MERGE takes and what it may prune by; pure.

use super::bind::BoundMerge;
use super::clause::Action;
use crate::marks;
use crate::observe::ClauseKind;
use crate::prune::Conjunct;
use crate::settings::{MERGE_MARKS, Settings};
use delta::change_feed;
use query::{Bound, has_equality};

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
    /// Without an equality every pair has to be asked, and a full outer join of that kind keeps the unmatched rows of
    /// its smaller side apart: see [`MergePlan::writes_inserts_apart`].
    pub(crate) asks_every_pair: bool,
    /// ON is NULL or false for every pair whatever the columns hold, so that the reference drops the source from the join
    /// before it is counted.
    pub(crate) source_uncounted: bool,
    /// Touched files are read with all columns: all of their rows are written again, or the change feed tells of whole
    /// rows.
    pub(crate) completes_files: bool,
    /// A file is skipped when one of these cannot be true for any of its rows.
    pub(crate) conjuncts: Vec<Conjunct>,
}

impl MergePlan {
    /// Whether inserted rows are an output task of their own. The reference compares the sides' sizes in bytes; rows
    /// stand for them here, which agrees wherever rows of both sides are about equally wide.
    pub(crate) fn writes_inserts_apart(&self, n_source: u64, n_touched: u64) -> bool {
        self.asks_every_pair && n_source <= n_touched
    }
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
    // What is not written needs no full outer join.
    let full_outer = match strategy {
        Strategy::InsertOnly => false,
        Strategy::CopyOnWrite => !matched_only,
        Strategy::MarkRows => not_matched && by_source,
    };
    MergePlan {
        strategy,
        completes_files: strategy == Strategy::CopyOnWrite || change_feed::is_enabled(bound.target.snapshot.metadata()),
        matched_only,
        by_source,
        asks_every_pair: full_outer && !has_equality(&known_on(bound), bound.target.columns.len()),
        source_uncounted: is_uncounted(bound, strategy, by_source, not_matched),
        duplicates_allowed: insert_only || lone_unconditional_delete(bound),
        conjuncts: if by_source { Vec::new() } else { conjuncts(bound, matched_only, script) },
    }
}

/// Whether the reference drops the source from a join that cannot need it before it is counted.
fn is_uncounted(bound: &BoundMerge, strategy: Strategy, by_source: bool, not_matched: bool) -> bool {
    match strategy {
        Strategy::InsertOnly => false,
        _ if !by_source => is_void(bound),
        Strategy::MarkRows => !not_matched && is_never(bound),
        Strategy::CopyOnWrite => false,
    }
}

/// Whether ON is false or NULL for every pair, whatever the columns hold.
fn is_never(bound: &BoundMerge) -> bool {
    bound.on.conjuncts().iter().any(|conjunct| conjunct.is_null() || conjunct.is_false())
}

/// ON as the reference's optimiser sees it: columns of a source without FROM are constants.
fn known_on(bound: &BoundMerge) -> Bound {
    bound.on.knowing(&bound.source, bound.target.columns.len())
}

/// Whether ON is NULL for every pair because it compares with a constant of the source that is NULL.
fn is_void(bound: &BoundMerge) -> bool {
    let (written, known) = (bound.on.conjuncts(), known_on(bound).conjuncts());
    written.iter().zip(&known).any(|(written, known)| !written.is_null() && known.is_null())
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
