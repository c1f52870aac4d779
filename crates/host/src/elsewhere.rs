//! The engine lens: what other engines do with the statement that ran, where that is recorded.
//!
//! Rules, not runs: each was measured on the engine that it names (deltalake 1.6.6) or is what its maker documents
//! (Databricks 16.1). What is not recorded is not told.

use crate::errors::range;
use protocol::{Elsewhere, ErrorReport};
use spec::{BinaryOp, Expr, ExprKind, MatchedAction, MergeInto, NotMatchedAction, StatementKind};
use std::collections::HashSet;
use trace::{Cell, Outcome, Scene, Step, Trace};

const DELTA_RS: &str = "delta-rs 1.6";
const DATABRICKS: &str = "Databricks 16.1 and later";

/// What is known of a MERGE that ran or failed.
struct Ran<'a> {
    merge: &'a MergeInto,
    /// Absent where it failed before it began.
    trace: Option<&'a Trace>,
    error: Option<&'a ErrorReport>,
}

impl Ran<'_> {
    fn failed_with(&self, condition: &str) -> bool {
        self.error.is_some_and(|error| error.condition == condition)
    }
}

/// Every rule that the statement meets, in the order in which a MERGE meets them.
pub(crate) fn elsewhere(
    statement: &StatementKind,
    trace: Option<&Trace>,
    error: Option<&ErrorReport>,
) -> Vec<Elsewhere> {
    let StatementKind::Merge(merge) = statement else { return Vec::new() };
    let ran = Ran { merge, trace, error };
    let rules = [missing_column, pruning, by_source, duplicates, new_twins, for_nothing, hidden_rows, no_commit];
    rules.iter().flat_map(|rule| rule(&ran)).collect()
}

fn other(engine: &str, here: &str, there: &str) -> Elsewhere {
    Elsewhere { engine: engine.to_owned(), here: here.to_owned(), there: there.to_owned(), differs: true }
}

fn same(engine: &str, here: &str) -> Elsewhere {
    let there = "The same.".to_owned();
    Elsewhere { engine: engine.to_owned(), here: here.to_owned(), there, differs: false }
}

fn missing_column(ran: &Ran<'_>) -> Vec<Elsewhere> {
    let updates = ran.merge.matched.iter().filter(|clause| clause.action == MatchedAction::UpdateAll);
    let inserts = ran.merge.not_matched.iter().filter(|clause| clause.action == NotMatchedAction::InsertAll);
    let mut stars = updates.map(|clause| clause.span).chain(inserts.map(|clause| clause.span));
    // A name that nobody has is an error of the same kind, at its own place; that of a star is at its whole clause.
    let at = ran.error.and_then(|error| error.span);
    if !ran.failed_with("DELTA_MERGE_UNRESOLVED_EXPRESSION") || !stars.any(|span| Some(range(span)) == at) {
        return Vec::new();
    }
    let here = "A star needs every column of the target in the source, unless WITH SCHEMA EVOLUTION says otherwise.";
    vec![other(DELTA_RS, here, "It runs: INSERT * fills the missing column with NULL, UPDATE SET * leaves it.")]
}

fn pruning(ran: &Ran<'_>) -> Vec<Elsewhere> {
    let Some(trace) = ran.trace.filter(|trace| trace.target.files.len() > 1) else { return Vec::new() };
    let is_skipped = |step: &Step| matches!(step, Step::SkipFile { .. });
    let mut keys = Vec::new();
    equated(&ran.merge.on, &mut keys);
    if keys.is_empty()
        || !ran.merge.not_matched_by_source.is_empty()
        || trace.steps.iter().any(is_skipped)
        || ends(trace).tally.files_skipped > 0
    {
        return Vec::new();
    }
    let here = "Only conditions about the target alone leave files unread; an equality with the source leaves none.";
    let there = "Its default reads every file too; with streamed_exec=False it also uses the smallest and largest keys \
                 of the source.";
    vec![other(DELTA_RS, here, there)]
}

fn by_source(ran: &Ran<'_>) -> Vec<Elsewhere> {
    if ran.merge.not_matched_by_source.is_empty() || ran.trace.is_none_or(|trace| trace.target.files.is_empty()) {
        return Vec::new();
    }
    let here = "WHEN NOT MATCHED BY SOURCE needs every target row: no file is left unread, whatever ON says.";
    if ran.trace.is_some_and(|trace| trace.hides_rows) {
        return vec![same(DELTA_RS, here)];
    }
    let here = format!("{here} Every file is written again, whatever the conditions of the clauses say.");
    vec![other(DELTA_RS, &here, "No file is left unread either; only files with a changed row are written again.")]
}

fn duplicates(ran: &Ran<'_>) -> Vec<Elsewhere> {
    let matched = &ran.merge.matched;
    let all_ask = !matched.is_empty() && matched.iter().all(|clause| clause.condition.is_some());
    if !ran.failed_with("DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE") || !all_ask {
        return Vec::new();
    }
    let here = "Two source rows that match one target row under ON are an error, whatever the WHEN conditions say.";
    let there = "It runs where at most one of them satisfies a WHEN MATCHED condition.";
    vec![other(DELTA_RS, here, there), other(DATABRICKS, here, there)]
}

fn new_twins(ran: &Ran<'_>) -> Vec<Elsewhere> {
    let Some(trace) = ran.trace.filter(|_| has_new_twins(ran)) else { return Vec::new() };
    if trace.commit.is_none() {
        return Vec::new();
    }
    vec![same(DELTA_RS, "Source rows with the same key that match nothing are all inserted, without an error.")]
}

fn for_nothing(ran: &Ran<'_>) -> Vec<Elsewhere> {
    let Some(tally) = ran.trace.filter(|trace| trace.commit.is_some()).map(|trace| ends(trace).tally) else {
        return Vec::new();
    };
    // With a NOT MATCHED BY SOURCE clause every file is written, for another reason, which is told.
    if tally.changed() > 0 || tally.rows_written == 0 || !ran.merge.not_matched_by_source.is_empty() {
        return Vec::new();
    }
    let here = "No row changed, and every file that holds a match was written again: files are chosen by ON alone.";
    vec![other(DELTA_RS, here, "It adds no file, removes none and writes no version.")]
}

fn hidden_rows(ran: &Ran<'_>) -> Vec<Elsewhere> {
    if ran.trace.is_none_or(|trace| !trace.hides_rows || trace.commit.is_none()) {
        return Vec::new();
    }
    let here = "MERGE hides the changed rows with deletion vectors and leaves the other rows where they are.";
    vec![other(DELTA_RS, here, "Its MERGE writes no deletion vectors: the file is written again.")]
}

fn no_commit(ran: &Ran<'_>) -> Vec<Elsewhere> {
    let changes_nothing = |trace: &Trace| trace.steps.iter().any(|step| matches!(step, Step::NoCommit));
    if !ran.trace.is_some_and(changes_nothing) {
        return Vec::new();
    }
    vec![same(DELTA_RS, "A MERGE that changes no file and no definition writes no version.")]
}

fn ends(trace: &Trace) -> Scene {
    trace.scene(trace.steps.len())
}

/// Whether two inserted rows have the same values in all columns that ON compares with the target.
fn has_new_twins(ran: &Ran<'_>) -> bool {
    let Some((trace, source)) = ran.trace.and_then(|trace| Some((trace, trace.source.as_ref()?))) else { return false };
    let mut keys = Vec::new();
    equated(&ran.merge.on, &mut keys);
    let column = |name: &&str| source.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name));
    let of_source: Vec<usize> = keys.iter().filter_map(column).collect();
    let inserted = trace.steps.iter().filter_map(|step| match step {
        Step::Act { outcome: Outcome::Inserted, source: Some(row), .. } => source.rows.get(*row as usize),
        _ => None,
    });
    let mut seen: HashSet<Vec<&Cell>> = HashSet::new();
    !of_source.is_empty()
        && inserted.map(|row| row.as_slice()).any(|row| {
            let key: Vec<&Cell> = of_source.iter().filter_map(|at| row.get(*at)).collect();
            key.iter().all(|cell| cell.is_some()) && !seen.insert(key)
        })
}

/// The last parts of the names that the conjuncts of a condition equate.
fn equated<'a>(on: &'a Expr, names: &mut Vec<&'a str>) {
    let ExprKind::Binary { left, op, right } = &on.kind else { return };
    match op {
        BinaryOp::And => {
            equated(left, names);
            equated(right, names);
        }
        BinaryOp::Eq => names.extend([left, right].into_iter().filter_map(|side| match &side.kind {
            ExprKind::Column(name) => Some(name.last()),
            _ => None,
        })),
        _ => {}
    }
}
