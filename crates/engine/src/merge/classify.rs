//! Who acts on which row; pure.
//!
//! Inside each block of clauses the first one whose condition is **true** acts (false and NULL do
//! not). A later condition is evaluated only on rows that no earlier one took, so that an error in
//! it cannot come from a row that it does not decide about.

use super::bind::BoundMerge;
use super::find::Found;
use super::plan::{MergePlan, Strategy};
use crate::batch::{gather, take_rows};
use crate::observe::ClauseKind;
use crate::products::{ActingPairs, Actions, FileActions, Inserts, NO_CLAUSE};
use arrow::array::{Array, AsArray};
use arrow::record_batch::RecordBatch;
use spec::Diagnostic;

/// One action per row of the touched files, and the source rows to insert.
pub(crate) fn rows(
    bound: &BoundMerge,
    plan: &MergePlan,
    found: &Found,
    source: &RecordBatch,
) -> Result<Actions, Diagnostic> {
    let inserts = inserts(bound, found, source)?;
    if plan.strategy == Strategy::InsertOnly {
        return Ok(Actions { inserts, ..Actions::default() });
    }
    let mut files = Vec::with_capacity(found.touched.len());
    let mut matched = ActingPairs::default();
    for idx in &found.touched {
        files.push(file_actions(bound, plan, found, *idx, &mut matched)?);
    }
    let copied_again = if plan.strategy == Strategy::CopyOnWrite { copied_again(found) } else { Vec::new() };
    Ok(Actions { files, matched, inserts, copied_again })
}

/// The rows of touched files that the join gives once more for each pair beyond their first.
fn copied_again(found: &Found) -> Vec<u64> {
    let matches = &found.matches;
    if matches.uncounted.is_empty() {
        return Vec::new();
    }
    let repeated = matches.target.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
    let is_touched = |row: &u64| {
        let ranges = found.touched.iter().map(|idx| &found.scanned[*idx]);
        ranges.into_iter().any(|file| (file.first_row..file.first_row + file.n_rows).contains(row))
    };
    repeated.filter(is_touched).collect()
}

/// The actions on the rows of one touched file.
fn file_actions(
    bound: &BoundMerge,
    plan: &MergePlan,
    found: &Found,
    scanned: usize,
    matched: &mut ActingPairs,
) -> Result<FileActions, Diagnostic> {
    let file = &found.scanned[scanned];
    let matches = &found.matches;
    let mut clause = vec![NO_CLAUSE; file.n_rows as usize];
    let start = matches.target.partition_point(|row| *row < file.first_row);
    let end = matches.target.partition_point(|row| *row < file.first_row + file.n_rows);
    let mut met = if plan.by_source { vec![false; clause.len()] } else { Vec::new() };
    for pair in start..end {
        let row = (matches.target[pair] - file.first_row) as usize;
        if plan.by_source {
            met[row] = true;
        }
        // Only the exempt DELETE can meet a row twice; it acts once.
        if matches.clause[pair] != NO_CLAUSE && clause[row] == NO_CLAUSE {
            clause[row] = matches.clause[pair];
            matched.target.push(matches.target[pair]);
            matched.source.push(matches.source[pair]);
            matched.clause.push(matches.clause[pair]);
        }
    }
    if plan.by_source {
        let rows: Vec<u64> = (0..file.n_rows).filter(|row| !met[*row as usize]).collect();
        let batches: Vec<&RecordBatch> = file.batches.iter().collect();
        let decided = first_true(bound, ClauseKind::NotMatchedBySource, rows.len(), |some| {
            let rows: Vec<u64> = some.iter().map(|at| rows[*at as usize]).collect();
            gather(&batches, &rows)
        })?;
        for (row, by) in rows.iter().zip(decided) {
            clause[*row as usize] = by;
        }
    }
    Ok(FileActions { scanned, clause })
}

/// Source rows that met no target row and that an INSERT clause takes.
fn inserts(bound: &BoundMerge, found: &Found, source: &RecordBatch) -> Result<Inserts, Diagnostic> {
    if !bound.clauses.iter().any(|clause| clause.kind == ClauseKind::NotMatched) {
        return Ok(Inserts::default());
    }
    let unmatched: Vec<u64> =
        (0..source.num_rows() as u64).filter(|row| !found.matches.source_matched[*row as usize]).collect();
    let decided = first_true(bound, ClauseKind::NotMatched, unmatched.len(), |some| {
        let rows: Vec<u64> = some.iter().map(|at| unmatched[*at as usize]).collect();
        take_rows(source, &rows)
    })?;
    let mut inserts = Inserts::default();
    for (row, clause) in unmatched.into_iter().zip(decided) {
        if clause != NO_CLAUSE {
            inserts.source.push(row);
            inserts.clause.push(clause);
        }
    }
    Ok(inserts)
}

/// Of pairs on which no MATCHED clause acts: whether a condition is NULL rather than false.
pub(crate) fn some_unknown(bound: &BoundMerge, pairs: &RecordBatch) -> Result<Vec<bool>, Diagnostic> {
    let mut unknown = vec![false; pairs.num_rows()];
    for condition in bound.clauses.iter().filter_map(|clause| clause.condition.as_ref()) {
        let truth = condition.evaluate(pairs)?;
        for (row, unknown) in unknown.iter_mut().enumerate() {
            *unknown |= truth.is_null(row);
        }
    }
    Ok(unknown)
}

/// For each of `n_rows` rows the first clause of the kind whose condition is true, as an index
/// into all clauses. `rows_at` gives the rows at the given positions in the clauses' scope.
pub(crate) fn first_true(
    bound: &BoundMerge,
    kind: ClauseKind,
    n_rows: usize,
    rows_at: impl Fn(&[u64]) -> Result<RecordBatch, Diagnostic>,
) -> Result<Vec<u16>, Diagnostic> {
    let mut decided = vec![NO_CLAUSE; n_rows];
    let mut open: Vec<u64> = (0..n_rows as u64).collect();
    for (idx, clause) in bound.clauses.iter().enumerate().filter(|(_, clause)| clause.kind == kind) {
        if open.is_empty() {
            break;
        }
        let Some(condition) = &clause.condition else {
            open.iter().for_each(|at| decided[*at as usize] = idx as u16);
            break;
        };
        let truth = condition.evaluate(&rows_at(&open)?)?;
        let truth = truth.as_boolean_opt().ok_or_else(|| Diagnostic::internal("a condition is not boolean"))?;
        let mut rest = Vec::with_capacity(open.len());
        for (at, row) in open.iter().enumerate() {
            if truth.is_valid(at) && truth.value(at) {
                decided[*row as usize] = idx as u16;
            } else {
                rest.push(*row);
            }
        }
        open = rest;
    }
    Ok(decided)
}
