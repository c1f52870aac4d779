//! The duplicate-match rule.
//!
//! A target row that more than one source row matches under ON makes the statement fail, whatever
//! the clause conditions say; the exemption is decided by the plan.
//!
//! But the reference counts matches by a sum over the pairs of "some condition is true", taken as 1 for true and for false:
//! where that is NULL, in a statement of MATCHED clauses only, the pair adds nothing. Such a row passes, the join that
//! makes the new rows gives it once per pair, and what keeps the table whole is a check of row counts before the commit.

use super::bind::BoundMerge;
use super::find::Found;
use super::rows::locate;
use crate::batch::{gather, take_rows};
use crate::products::{MatchSet, NO_CLAUSE, ScannedFile};
use crate::read::complete;
use crate::sandbox::Context;
use arrow::record_batch::RecordBatch;
use query::{Column, display};
use spec::{Diagnostic, RowSample, Span};
use std::sync::Arc;

pub(crate) const CONDITION: &str = "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE";

/// A target row and the source rows that match it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Duplicate {
    /// Among all scanned rows.
    pub(crate) target: u64,
    pub(crate) sources: Vec<u64>,
}

/// The first target row with several source rows, and how many such rows there are.
pub(crate) fn first(matches: &MatchSet) -> Option<(Duplicate, usize)> {
    let mut found: Option<Duplicate> = None;
    let mut n_rows = 0;
    let mut start = 0;
    while start < matches.target.len() {
        let row = matches.target[start];
        let run = matches.target[start..].iter().take_while(|other| **other == row).count();
        if run > 1 {
            let counted = (start..start + run).filter(|pair| matches.uncounted.binary_search(pair).is_err());
            let sources: Vec<u64> = counted.map(|pair| matches.source[pair]).collect();
            if sources.len() > 1 {
                n_rows += 1;
                found.get_or_insert(Duplicate { target: row, sources });
            }
        }
        start += run;
    }
    found.map(|duplicate| (duplicate, n_rows))
}

/// The pairs that are not counted, by index and ascending: `unknown` tells which of some pairs have a condition that is
/// NULL, and is asked only about pairs on which no clause acts and whose row has others.
pub(crate) fn uncounted(
    target: &[u64],
    clause: &[u16],
    unknown: impl FnOnce(&[u64]) -> Result<Vec<bool>, Diagnostic>,
) -> Result<Vec<usize>, Diagnostic> {
    let shares_row = |pair: usize| {
        let row = target.get(pair);
        row == target.get(pair + 1) || pair.checked_sub(1).is_some_and(|before| row == target.get(before))
    };
    let asked: Vec<u64> = (0..target.len())
        .filter(|pair| clause[*pair] == NO_CLAUSE && shares_row(*pair))
        .map(|pair| pair as u64)
        .collect();
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let unknown = unknown(&asked)?;
    Ok(asked.into_iter().zip(unknown).filter_map(|(pair, unknown)| unknown.then_some(pair as usize)).collect())
}

/// The check of row counts that a statement without INSERT has to pass before it commits. `repeated` are the target rows,
/// numbered among all scanned rows, that were copied once more, and are not empty.
///
/// # Errors
/// `DELTA_NUM_RECORDS_MISMATCH`: more rows were written than files with rows were removed.
pub(crate) async fn check_counts(
    context: &Context<'_>,
    bound: &BoundMerge,
    found: &Found,
    source: &RecordBatch,
    (repeated, n_added): (&[u64], u64),
) -> Result<(), Diagnostic> {
    let n_removed = found.touched.iter().map(|idx| found.scanned[*idx].n_rows).sum();
    let Some(target) = repeated.first().copied().filter(|_| n_added > n_removed) else { return Ok(()) };
    let pairs = found.matches.target.iter().zip(&found.matches.source);
    let sources = pairs.filter(|(row, _)| **row == target).map(|(_, source)| *source).collect();
    let message = format!(
        "The commit would add {n_added} rows where it removes {n_removed}, though the MERGE has no INSERT clause: a row was \
         matched several times, by pairs whose conditions are NULL."
    );
    let mut problem = Diagnostic::new("DELTA_NUM_RECORDS_MISMATCH", "XXKDS", message, bound.on.span());
    problem.rows = collision(context, bound, &found.scanned, source, &Duplicate { target, sources }).await?;
    Err(problem.with_hint(
        "Keep one source row per key, or write conditions that are never NULL, for example with `<=>` or coalesce.",
    ))
}

/// The complaint, with the rows that collide.
pub(crate) async fn complaint(
    context: &Context<'_>,
    bound: &BoundMerge,
    scanned: &[Arc<ScannedFile>],
    source: &RecordBatch,
    (duplicate, n_rows): (&Duplicate, usize),
) -> Result<Diagnostic, Diagnostic> {
    let n_sources = duplicate.sources.len();
    let table = bound.target.name();
    let message = format!(
        "Cannot perform MERGE: {n_sources} source rows match the same row of `{table}`, and it is not clear which one should act."
    );
    let mut problem = Diagnostic::new(CONDITION, "21506", message, bound.on.span());
    problem.rows = collision(context, bound, scanned, source, duplicate).await?;
    let others = if n_rows > 1 { format!(" {n_rows} target rows are concerned in all.") } else { String::new() };
    problem.hint = Some(format!(
        "Conditions of WHEN clauses do not count here: two matches under ON are enough.{others} Keep one source row per \
         key, for example with row_number() OVER (PARTITION BY key ORDER BY …) = 1, or tell the rows apart in ON."
    ));
    Ok(problem)
}

/// Where the script writes these rows of the source, if it writes all of them one by one.
fn written(bound: &BoundMerge, source: &RecordBatch, rows: &[u64]) -> Vec<Span> {
    if bound.source_rows.len() != source.num_rows() {
        return Vec::new();
    }
    let span = |row: &u64| usize::try_from(*row).ok().and_then(|row| bound.source_rows.get(row).copied());
    rows.iter().filter_map(span).collect()
}

/// A target row and some of the source rows that it is matched by.
async fn collision(
    context: &Context<'_>,
    bound: &BoundMerge,
    scanned: &[Arc<ScannedFile>],
    source: &RecordBatch,
    duplicate: &Duplicate,
) -> Result<Vec<RowSample>, Diagnostic> {
    let shown: Vec<u64> = duplicate.sources.iter().copied().take(5).collect();
    let sources = take_rows(source, &shown)?;
    let mut sources = sample("source rows", &bound.source_columns, &sources, duplicate.sources.len())?;
    sources.spans = written(bound, source, &shown);
    let mut rows = vec![sources];
    if let Some((idx, row)) = locate(scanned, duplicate.target) {
        let mut file = [Arc::clone(&scanned[idx])];
        complete(context.env.storage.as_ref(), &bound.target.snapshot, &mut file, &[0]).await?;
        let batches: Vec<&RecordBatch> = file[0].batches.iter().collect();
        rows.push(sample("target row", &bound.target.columns, &gather(&batches, &[row])?, 1)?);
    }
    Ok(rows)
}

fn sample(title: &str, columns: &[Column], rows: &RecordBatch, total: usize) -> Result<RowSample, Diagnostic> {
    let texts = rows.columns().iter().map(display).collect::<Result<Vec<_>, _>>()?;
    let cell = |column: &arrow::array::StringArray, row: usize| {
        use arrow::array::Array;
        (!column.is_null(row)).then(|| column.value(row).to_owned())
    };
    Ok(RowSample {
        title: title.to_owned(),
        columns: columns.iter().map(|column| column.name.clone()).collect(),
        rows: (0..rows.num_rows()).map(|row| texts.iter().map(|column| cell(column, row)).collect()).collect(),
        total,
        spans: Vec::new(),
    })
}
