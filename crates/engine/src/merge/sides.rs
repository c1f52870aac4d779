//! What the reference's optimiser knows of the two sides of the join before it runs: which side is sent to the other, and
//! which can hold no row that meets ON. Results do not depend on it; how rows are split into files and what is counted does.

use super::bind::BoundMerge;
use super::clause::Action;
use super::plan::{Join, MergePlan};
use crate::observe::ClauseKind;
use query::{Bound, Column, empty_sides, has_equality, is_never, row_bytes};
use std::collections::BTreeSet;

/// A side below this many bytes is sent to every task of the other (`spark.sql.autoBroadcastJoinThreshold`).
pub(crate) const BROADCAST_BYTES: u64 = 10 * 1024 * 1024;

/// The side of a full outer join without an equality that is sent whole to the tasks of the other. Those find the pairs and
/// the other side's unmatched rows; the sent side's are found afterwards, for which the other side is read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    Source,
    Target,
}

/// Which side is sent; `None` for joins that are not of that kind. The reference compares what it takes the sides to weigh:
/// what their files do, scaled to the columns that the join has to carry.
pub(crate) fn sent(bound: &BoundMerge, plan: &MergePlan, n_source: usize, touched_bytes: u64) -> Option<Sent> {
    if plan.join != Join::FullOuter || !plan.asks_every_pair {
        return None;
    }
    let carried = carried(bound, plan.records_changes);
    let n_target = bound.target.columns.len();
    let target = touched_bytes as f64 * share(&bound.target.columns, |column| carried.contains(&column));
    let source = bound.source.estimated_bytes(n_source)
        * share(&bound.source_columns, |column| carried.contains(&(n_target + column)));
    let (source_fits, target_fits) = (source <= BROADCAST_BYTES as f64, target <= BROADCAST_BYTES as f64);
    let sends_target = if source_fits == target_fits { target <= source } else { target_fits };
    Some(if sends_target { Sent::Target } else { Sent::Source })
}

/// How much of a row is left when only some columns are read and a mark is added that the row is there.
fn share(columns: &[Column], is_carried: impl Fn(usize) -> bool) -> f64 {
    let carried = columns.iter().enumerate().filter(|(idx, _)| is_carried(*idx)).map(|(_, column)| column);
    (row_bytes(carried) + 1) as f64 / row_bytes(columns) as f64
}

/// The columns that the join carries, target's first, then the source's: what ON, the conditions and the new values use. A
/// deleted row is one of NULLs that is dropped later, unless the change feed wants to tell of it; a row that no clause acts
/// on is carried whole.
fn carried(bound: &BoundMerge, records_changes: bool) -> BTreeSet<usize> {
    let n_target = bound.target.columns.len();
    let mut carried = if is_never(&bound.on) { BTreeSet::new() } else { bound.on.columns() };
    for clause in &bound.clauses {
        let shift = if clause.kind == ClauseKind::NotMatched { n_target } else { 0 };
        carried.extend(clause.condition.iter().flat_map(Bound::columns).map(|column| column + shift));
        match &clause.action {
            Action::Insert(values) => {
                carried.extend(values.iter().flat_map(Bound::columns).map(|column| column + shift))
            }
            Action::Update(values) => {
                for (idx, value) in values.iter().enumerate() {
                    carried.extend(value.as_ref().map_or_else(|| BTreeSet::from([idx]), Bound::columns));
                }
            }
            Action::Delete => {}
        }
    }
    let changes = |kind| bound.clauses.iter().any(|clause| clause.kind == kind);
    let takes_all = |kind| bound.clauses.iter().any(|clause| clause.kind == kind && clause.condition.is_none());
    let of_target = [ClauseKind::Matched, ClauseKind::NotMatchedBySource];
    if of_target.into_iter().any(|kind| !takes_all(kind) || (records_changes && changes(kind))) {
        carried.extend(0..n_target);
    }
    carried
}

/// How many source rows the reference counts: those of the join that makes the new rows where it needs them all, else those
/// of the join that finds the touched files. A join that joins nothing may not read them, and one that asks every pair
/// reads the side twice that it does not send.
pub(crate) fn counted(plan: &MergePlan, n_source: u64, sent: Option<Sent>, n_scanned: usize, n_touched: usize) -> u64 {
    match plan.join {
        Join::FullOuter if n_touched > 0 && sent == Some(Sent::Target) => 2 * n_source,
        Join::FullOuter | Join::LeftOuter if n_touched > 0 => n_source,
        _ if plan.source_uncounted && n_scanned > 0 => 0,
        _ => n_source,
    }
}

/// ON with the columns of a source without FROM as the constants that they are.
fn known_on(bound: &BoundMerge) -> Bound {
    bound.on.knowing(&bound.source, bound.target.columns.len())
}

/// Whether rows of both sides can be brought together by a value that they share. A condition that no pair meets brings
/// none together.
pub(crate) fn meet_by_equality(bound: &BoundMerge) -> bool {
    !is_never(&bound.on) && has_equality(&known_on(bound), bound.target.columns.len())
}

/// Whether the join that finds the touched files does not read the source, because no source row can meet ON or, where only
/// pairs are wanted, no target row. Where ON is false as it stands and only pairs are wanted, the target's files are all
/// skipped, and the source is counted on its own.
pub(crate) fn is_uncounted(bound: &BoundMerge, by_source: bool) -> bool {
    let never = is_never(&bound.on);
    let empty = empty_sides(&bound.on, bound.target.columns.len());
    match by_source {
        true => never || empty.source,
        false => compares_with_null(bound) || (!never && (empty.source || empty.target)),
    }
}

/// Whether ON is NULL for every pair because it compares with a constant of the source that is NULL.
fn compares_with_null(bound: &BoundMerge) -> bool {
    let (written, known) = (bound.on.conjuncts(), known_on(bound).conjuncts());
    written.iter().zip(&known).any(|(written, known)| !written.is_null() && known.is_null())
}
