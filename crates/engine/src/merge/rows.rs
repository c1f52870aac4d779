//! The rows to write: copied, updated, inserted.
//!
//! Copied rows keep their Arrow buffers where a whole batch is copied; changed rows are computed
//! once per clause, over all files at a time.

use super::bind::BoundMerge;
use super::clause::Action;
use super::find::{Found, OldRows};
use super::plan::{MergePlan, Strategy};
use crate::batch::{beside, gather, positional, take_rows};
use crate::constraints::identity::Counter;
use crate::observe::ClauseKind;
use crate::products::{Actions, From, Piece, ScannedFile};
use crate::rewrite::{copied, old_rows};
use arrow::record_batch::RecordBatch;
use query::Bound;
use spec::Diagnostic;
use std::sync::Arc;

/// The pieces of the new files: copied rows in the order of the old files, then the updated rows and the inserted rows
/// clause by clause.
pub(crate) fn to_write(
    bound: &BoundMerge,
    plan: &MergePlan,
    found: &Found,
    source: &RecordBatch,
    actions: &Actions,
    counter: &mut Counter,
) -> Result<Vec<Piece>, Diagnostic> {
    let rewritten = if plan.strategy == Strategy::CopyOnWrite { actions.files.as_slice() } else { &[] };
    let mut pieces = copied(&found.scanned, &rewritten.iter().collect::<Vec<_>>())?;
    for row in &actions.copied_again {
        let rows = touched_rows(found, &[*row])?;
        pieces.push(Piece { rows, from: From::Copied { first: *row, kept: None } });
    }
    for (idx, clause) in bound.clauses.iter().enumerate() {
        let idx = idx as u16;
        pieces.extend(match (&clause.action, clause.kind) {
            (Action::Delete, _) => None,
            (Action::Update(values), ClauseKind::NotMatchedBySource) => {
                updated_by_source(bound, found, actions, idx, values)?
            }
            (Action::Update(values), _) => updated(bound, found, source, actions, idx, values)?,
            (Action::Insert(values), _) => inserted(bound, source, actions, idx, values, counter)?,
        });
    }
    Ok(pieces)
}

/// Scanned file and row in it of a row numbered among all scanned rows.
pub(crate) fn locate(scanned: &[Arc<ScannedFile>], row: u64) -> Option<(usize, u64)> {
    let idx = scanned.partition_point(|file| file.first_row <= row).checked_sub(1)?;
    let row = row - scanned[idx].first_row;
    (row < scanned[idx].n_rows).then_some((idx, row))
}

fn updated(
    bound: &BoundMerge,
    found: &Found,
    source: &RecordBatch,
    actions: &Actions,
    clause: u16,
    values: &[Option<Bound>],
) -> Result<Option<Piece>, Diagnostic> {
    let pairs = &actions.matched;
    let acting = (0..pairs.clause.len()).filter(|at| pairs.clause[*at] == clause);
    let (target, from): (Vec<u64>, Vec<u64>) = acting.map(|at| (pairs.target[at], pairs.source[at])).unzip();
    // Where no row acts there may be no file to take columns from.
    if target.is_empty() {
        return Ok(None);
    }
    let old = touched_rows(found, &target)?;
    let both = beside(&old, &take_rows(source, &from)?)?;
    let rows = changed(values, &both, bound.target.columns.len())?;
    let rows = bound.rules.complete(&rows, &to_recompute(bound, values))?;
    Ok(Some(Piece { rows, from: From::Updated { clause, target, source: Some(from) } }))
}

fn updated_by_source(
    bound: &BoundMerge,
    found: &Found,
    actions: &Actions,
    clause: u16,
    values: &[Option<Bound>],
) -> Result<Option<Piece>, Diagnostic> {
    let mut target = Vec::new();
    for file in &actions.files {
        let first = found.scanned[file.scanned].first_row;
        let acting = file.clause.iter().enumerate().filter(|(_, by)| **by == clause);
        target.extend(acting.map(|(row, _)| first + row as u64));
    }
    if target.is_empty() {
        return Ok(None);
    }
    let old = touched_rows(found, &target)?;
    let rows = changed(values, &old, bound.target.columns.len())?;
    let rows = bound.rules.complete(&rows, &to_recompute(bound, values))?;
    Ok(Some(Piece { rows, from: From::Updated { clause, target, source: None } }))
}

/// Generated columns whose inputs the clause assigns.
fn to_recompute(bound: &BoundMerge, values: &[Option<Bound>]) -> Vec<usize> {
    let assigned = values.iter().enumerate().filter(|(_, value)| value.is_some()).map(|(idx, _)| idx);
    bound.rules.to_recompute(&assigned.collect())
}

fn inserted(
    bound: &BoundMerge,
    source: &RecordBatch,
    actions: &Actions,
    clause: u16,
    values: &[Bound],
    counter: &mut Counter,
) -> Result<Option<Piece>, Diagnostic> {
    let inserts = &actions.inserts;
    let acting = (0..inserts.clause.len()).filter(|at| inserts.clause[*at] == clause);
    let rows: Vec<u64> = acting.map(|at| inserts.source[at]).collect();
    if rows.is_empty() {
        return Ok(None);
    }
    let new = take_rows(source, &rows)?;
    let mut columns = values.iter().map(|value| value.evaluate(&new)).collect::<Result<Vec<_>, _>>()?;
    let left_out = bound.clauses.get(usize::from(clause)).map_or(&[][..], |clause| &clause.left_out);
    for (idx, column) in columns.iter_mut().enumerate().filter(|(idx, _)| left_out.contains(idx)) {
        if counter.counts(idx) {
            *column = counter.next(idx, rows.len())?;
        }
    }
    let new = bound.rules.complete(&positional(columns, rows.len())?, left_out)?;
    Ok(Some(Piece { rows: new, from: From::Inserted { clause, source: rows } }))
}

/// The rows with their new values; columns without a value stay as they are.
pub(crate) fn changed(
    values: &[Option<Bound>],
    rows: &RecordBatch,
    n_columns: usize,
) -> Result<RecordBatch, Diagnostic> {
    let column = |idx: usize| match values.get(idx) {
        Some(Some(value)) => value.evaluate(rows),
        _ => Ok(Arc::clone(rows.column(idx))),
    };
    positional((0..n_columns).map(column).collect::<Result<_, _>>()?, rows.num_rows())
}

/// Rows of touched files, numbered among all scanned rows.
pub(crate) fn touched_rows(found: &Found, rows: &[u64]) -> Result<RecordBatch, Diagnostic> {
    if let Some(old) = &found.old {
        return gather(&old.batches.iter().collect::<Vec<_>>(), &places(old, rows)?);
    }
    old_rows(found.touched.iter().map(|idx| found.scanned[*idx].as_ref()), rows)
}

/// Where rows that are numbered among all scanned rows stand among the old rows; both ascend.
fn places(old: &OldRows, rows: &[u64]) -> Result<Vec<u64>, Diagnostic> {
    let mut known = old.rows.iter().zip(0..);
    let place = |row: &u64| {
        let found = known.find(|(known, _)| *known == row);
        found.map(|(_, place)| place).ok_or_else(|| Diagnostic::internal(format!("row {row} was not read")))
    };
    rows.iter().map(place).collect()
}
