//! Finding touched files: prune, scan, join.
//!
//! What "touched" means depends on the statement (see [`touched`]); it is Delta's rule and decides
//! which files are rewritten.

use super::bind::BoundMerge;
use super::classify::{first_true, some_unknown};
use super::clause::{Action, Clause};
use super::duplicates;
use super::plan::{MergePlan, Strategy};
use super::rows::locate;
use crate::batch::{beside, gather, positional, take_rows};
use crate::observe::{ClauseKind, Event, Observer};
use crate::products::{Actions, FileDecision, MatchSet, NO_CLAUSE, ScannedFile, Why};
use crate::prune;
use crate::read::{complete, rows_at, scan};
use crate::sandbox::Context;
use crate::table::delta_bytes;
use crate::update::columns_taken;
use arrow::array::new_empty_array;
use arrow::compute::concat_batches;
use arrow::record_batch::RecordBatch;
use delta::snapshot::Snapshot;
use query::join_pairs;
use spec::Diagnostic;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What the first pass found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// The files that were opened; touched ones have all columns.
    pub(crate) scanned: Vec<Arc<ScannedFile>>,
    pub(crate) matches: MatchSet,
    /// Indices into `scanned`.
    pub(crate) touched: Vec<usize>,
    /// The rows that new ones are made from, where touched files are not read as a whole.
    pub(crate) old: Option<OldRows>,
}

/// Rows of touched files in the columns that new rows take over or are computed from.
#[derive(Debug, Clone, Default)]
pub(crate) struct OldRows {
    /// Their numbers among all scanned rows, ascending.
    pub(crate) rows: Vec<u64>,
    /// The same rows in the same order.
    pub(crate) batches: Vec<RecordBatch>,
}

impl Found {
    /// What the reference takes the touched files to weigh.
    pub(crate) fn touched_bytes(&self, snapshot: &Snapshot) -> u64 {
        self.touched.iter().map(|idx| delta_bytes(snapshot, &self.scanned[*idx].add)).sum()
    }

    /// What it takes the files to weigh that the rows to write are joined with.
    pub(crate) fn joined_bytes(&self, plan: &MergePlan, snapshot: &Snapshot) -> u64 {
        match plan.strategy {
            Strategy::InsertOnly => self.scanned.iter().map(|file| delta_bytes(snapshot, &file.add)).sum(),
            Strategy::CopyOnWrite | Strategy::MarkRows => self.touched_bytes(snapshot),
        }
    }

    /// The old files that are written again and so removed, as indices into `Snapshot::files`.
    pub(crate) fn removed_files(&self, plan: &MergePlan) -> Vec<usize> {
        match plan.strategy {
            Strategy::InsertOnly | Strategy::MarkRows => Vec::new(),
            Strategy::CopyOnWrite => self.touched.iter().map(|idx| self.scanned[*idx].file).collect(),
        }
    }
}

/// Reads the source once, as one batch: a row number is then its identity for the whole statement. Also gives the number
/// of rows of each branch of a UNION ALL, in order.
pub(crate) async fn read_source(
    context: &Context<'_>,
    bound: &BoundMerge,
) -> Result<(RecordBatch, Vec<usize>), Diagnostic> {
    let branches = bound.source.collect_branches(&context.session).await?;
    let n_rows = |batches: &Vec<RecordBatch>| batches.iter().map(RecordBatch::num_rows).sum();
    let lengths = branches.iter().map(n_rows).collect();
    let batches: Vec<RecordBatch> = branches.into_iter().flatten().collect();
    let rows = match batches.first() {
        None => {
            let empty = |column: &query::Column| new_empty_array(&column.data_type.to_arrow());
            positional(bound.source_columns.iter().map(empty).collect(), 0)
        }
        Some(first) if batches.len() == 1 => Ok(first.clone()),
        Some(first) => concat_batches(&first.schema(), &batches).map_err(Diagnostic::internal),
    };
    Ok((rows?, lengths))
}

/// Prunes, scans and joins; fails on duplicate matches unless the plan allows them.
pub(crate) async fn touched_files(
    context: &Context<'_>,
    bound: &BoundMerge,
    plan: &MergePlan,
    source: &RecordBatch,
    observer: &mut dyn Observer,
) -> Result<Found, Diagnostic> {
    let snapshot = &bound.target.snapshot;
    let decisions = if plan.by_source {
        let keep = |file| FileDecision { file, kept: true, why: Why::BySourceReadsAll };
        (0..snapshot.files().len()).map(keep).collect()
    } else {
        prune::decide(snapshot, &plan.conjuncts)
    };
    observer.on(Event::Pruned(&decisions));

    let storage = context.env.storage.as_ref();
    let candidates = decisions.iter().filter(|decision| decision.kept).map(|decision| decision.file);
    let mut scanned = scan(storage, snapshot, candidates, &first_pass_columns(bound, plan)).await?;
    let matches = matches(context, bound, plan, &scanned, source).await?;
    let touched = if plan.strategy == Strategy::InsertOnly { Vec::new() } else { touched(plan, &scanned, &matches) };
    observer.on(Event::Matched { scanned: &scanned, matches: &matches, touched: &touched });

    if !plan.duplicates_allowed
        && let Some((duplicate, n_rows)) = duplicates::first(&matches)
    {
        if let Some((idx, row)) = locate(&scanned, duplicate.target) {
            observer.on(Event::Duplicate { file: scanned[idx].file, row, sources: &duplicate.sources });
        }
        return Err(duplicates::complaint(context, bound, &scanned, source, (&duplicate, n_rows)).await?);
    }
    if plan.completes_files {
        complete(storage, snapshot, &mut scanned, &touched).await?;
    }
    Ok(Found { scanned, matches, touched, old: None })
}

/// Reads of the touched files what the rows to write need: rows that an UPDATE clause takes, in the columns that it
/// reads or keeps.
pub(crate) async fn old_rows(
    context: &Context<'_>,
    bound: &BoundMerge,
    found: &Found,
    actions: &Actions,
) -> Result<OldRows, Diagnostic> {
    let updates = |clause: &Clause| match &clause.action {
        Action::Update(values) => Some(columns_taken(values)),
        Action::Delete | Action::Insert(_) => None,
    };
    let taken: Vec<Option<BTreeSet<usize>>> = bound.clauses.iter().map(updates).collect();
    let is_target = |column: &usize| *column < bound.target.columns.len();
    let wanted: BTreeSet<usize> = taken.iter().flatten().flatten().copied().filter(is_target).collect();
    let is_updated = |clause: u16| matches!(taken.get(usize::from(clause)), Some(Some(_)));
    let storage = context.env.storage.as_ref();
    let chosen = actions.files.iter().map(|file| {
        let updated = file.clause.iter().enumerate().filter(|(_, clause)| is_updated(**clause));
        (found.scanned[file.scanned].as_ref(), updated.map(|(row, _)| row as u64).collect::<Vec<u64>>())
    });
    let chosen: Vec<_> = chosen.filter(|(_, rows)| !rows.is_empty()).collect();
    let batches = rows_at(storage, &bound.target.snapshot, &chosen, &wanted).await?;
    let numbered = |(file, rows): &(&ScannedFile, Vec<u64>)| {
        let first = file.first_row;
        rows.iter().map(|row| row + first).collect::<Vec<_>>()
    };
    Ok(OldRows { rows: chosen.iter().flat_map(numbered).collect(), batches })
}

/// The target columns that ON and the conditions of MATCHED clauses use; where touched files are not completed, those
/// of all other conditions too.
fn first_pass_columns(bound: &BoundMerge, plan: &MergePlan) -> BTreeSet<usize> {
    let is_first = |kind: ClauseKind| match kind {
        ClauseKind::Matched => true,
        ClauseKind::NotMatchedBySource => plan.strategy == Strategy::MarkRows,
        ClauseKind::NotMatched | ClauseKind::Statement => false,
    };
    let first = bound.clauses.iter().filter(|clause| is_first(clause.kind));
    let conditions = first.filter_map(|clause| clause.condition.as_ref());
    let used = std::iter::once(&bound.on).chain(conditions).flat_map(|condition| condition.columns());
    used.filter(|column| *column < bound.target.columns.len()).collect()
}

/// All pairs on which ON is true, and the MATCHED clause that acts on each.
async fn matches(
    context: &Context<'_>,
    bound: &BoundMerge,
    plan: &MergePlan,
    scanned: &[Arc<ScannedFile>],
    source: &RecordBatch,
) -> Result<MatchSet, Diagnostic> {
    let target: Vec<RecordBatch> = scanned.iter().flat_map(|file| file.batches.iter().cloned()).collect();
    let pairs = join_pairs(&context.session, &target, std::slice::from_ref(source), &bound.on).await?;
    let (target_rows, source_rows) = (pairs.target.values().to_vec(), pairs.source.values().to_vec());
    let mut source_matched = vec![false; source.num_rows()];
    for row in &source_rows {
        source_matched[*row as usize] = true;
    }
    let batches: Vec<&RecordBatch> = target.iter().collect();
    let pairs_at = |some: &[u64]| {
        let pick = |rows: &[u64]| some.iter().map(|at| rows[*at as usize]).collect::<Vec<u64>>();
        beside(&gather(&batches, &pick(&target_rows))?, &take_rows(source, &pick(&source_rows))?)
    };
    let clause = first_true(bound, ClauseKind::Matched, target_rows.len(), pairs_at)?;
    let uncounted = match plan.matched_only && !plan.duplicates_allowed {
        true => duplicates::uncounted(&target_rows, &clause, |some| some_unknown(bound, &pairs_at(some)?))?,
        false => Vec::new(),
    };
    Ok(MatchSet { target: target_rows, source: source_rows, clause, source_matched, uncounted })
}

/// Which scanned files are touched:
/// with BY SOURCE clauses every file that has rows; in a matched-only statement the files with a
/// pair on which some clause acts; otherwise the files with a pair.
fn touched(plan: &MergePlan, scanned: &[Arc<ScannedFile>], matches: &MatchSet) -> Vec<usize> {
    let mut touched = Vec::new();
    for (idx, file) in scanned.iter().enumerate() {
        let start = matches.target.partition_point(|row| *row < file.first_row);
        let end = matches.target.partition_point(|row| *row < file.first_row + file.n_rows);
        let is_touched = if plan.by_source {
            file.n_rows > 0
        } else if plan.matched_only {
            matches.clause[start..end].iter().any(|clause| *clause != NO_CLAUSE)
        } else {
            start < end
        };
        if is_touched {
            touched.push(idx);
        }
    }
    touched
}
