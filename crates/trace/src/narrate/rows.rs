//! Sentences about rows: pairs, the clause that acts, and what it changes.

use super::names::{is_text, literal, source_row, target_row};
use super::words::{be, count, list, one_line, past};
use crate::{ClauseKind, Outcome, RowId, RowImage, Trace};

/// The most changed columns that a sentence spells out.
const N_CHANGES: usize = 3;

pub(super) fn pair(trace: &Trace, target: RowId, source: u32) -> String {
    format!(
        "{} meets {}: {} is true for this pair.",
        source_row(trace, source),
        target_row(trace, target),
        condition(trace)
    )
}

pub(super) fn many_pairs(trace: &Trace, place: &str, pairs: u64) -> String {
    let make = if pairs == 1 { "makes" } else { "make" };
    format!("In {place}, {} of a target row and a source row {make} {} true.", count(pairs, "pair"), condition(trace))
}

pub(super) fn duplicate(trace: &Trace, target: RowId, sources: &[u32]) -> String {
    let numbers: Vec<_> = sources.iter().take(6).map(|source| (source + 1).to_string()).collect();
    let more = if sources.len() > numbers.len() { ", …" } else { "" };
    format!(
        "{} is matched by {} (numbers {}{more}); a target row can change only once and nothing says which one wins, so the MERGE stops.",
        target_row(trace, target),
        count(sources.len() as u64, "source row"),
        list(&numbers),
    )
}

pub(super) fn act(
    trace: &Trace,
    outcome: Outcome,
    clause: Option<u32>,
    target: Option<RowId>,
    source: Option<u32>,
) -> String {
    match (target, source) {
        (Some(target), Some(source)) => act_on_pair(trace, outcome, clause, target, source),
        (Some(target), None) => act_on_target(trace, outcome, clause, target),
        (None, Some(source)) => act_on_source(trace, outcome, clause, source),
        (None, None) => format!("One row is {}.", past(outcome)),
    }
}

fn act_on_pair(trace: &Trace, outcome: Outcome, clause: Option<u32>, target: RowId, source: u32) -> String {
    let (target_name, source_name) = (target_row(trace, target), source_row(trace, source));
    let Some(clause) = clause else {
        let fate =
            if outcome == Outcome::Copied { "it is copied unchanged with its file" } else { "it stays as it is" };
        let why = match n_clauses(trace, ClauseKind::Matched) {
            0 => "there is no WHEN MATCHED clause",
            _ => "no WHEN MATCHED condition is true for them (NULL counts as false)",
        };
        return format!("{target_name} matches {source_name}, but {why}: {fate}.");
    };
    let label = trace.clause_label(clause);
    match outcome {
        Outcome::Deleted => format!(
            "{label} is the first that holds for {target_name} and {source_name}: the row is deleted, that is, {}.",
            if trace.hides_rows { "hidden from readers" } else { "left out of the new file" }
        ),
        _ => format!(
            "{label} is the first that holds for {target_name} and {source_name}: the row is {}{}.",
            past(outcome),
            changes(trace, target)
        ),
    }
}

fn act_on_target(trace: &Trace, outcome: Outcome, clause: Option<u32>, target: RowId) -> String {
    let name = target_row(trace, target);
    let cause = match clause.and_then(|clause| Some((clause, trace.clauses.get(clause as usize)?.kind))) {
        Some((_, ClauseKind::Statement)) => match &trace.condition {
            Some(condition) => format!("`{}` is true for {name}", one_line(condition, 90)),
            None => format!("without WHERE, {} takes every row, also {name}", trace.operation_name()),
        },
        Some((clause, _)) => format!("no source row matches {name}, so {} applies", trace.clause_label(clause)),
        None if outcome == Outcome::Copied => {
            return format!("No clause acts on {name}: it is copied unchanged, because other rows of its file change.");
        }
        None => return format!("No clause acts on {name}: it stays as it is."),
    };
    match outcome {
        Outcome::Deleted | Outcome::DeletedBySource => format!("{cause}: the row is deleted."),
        _ => format!("{cause}: the row is {}{}.", past(outcome), changes(trace, target)),
    }
}

fn act_on_source(trace: &Trace, outcome: Outcome, clause: Option<u32>, source: u32) -> String {
    let name = source_row(trace, source);
    if trace.operation != "MERGE" {
        return format!("{name} is {}.", past(outcome));
    }
    match clause {
        Some(clause) => {
            format!(
                "{name} matches no target row that was read, so {} acts: the row is {}.",
                trace.clause_label(clause),
                past(outcome)
            )
        }
        None if n_clauses(trace, ClauseKind::NotMatched) == 0 => {
            format!("{name} matches no target row and there is no WHEN NOT MATCHED clause: it has no effect.")
        }
        None => {
            format!("{name} matches no target row and no WHEN NOT MATCHED condition is true for it: it has no effect.")
        }
    }
}

pub(super) fn act_many(trace: &Trace, outcome: Outcome, clause: Option<u32>, place: Option<&str>, rows: u64) -> String {
    let (n, is) = (count(rows, "row"), be(rows));
    match (outcome, clause, place) {
        (Outcome::Copied, _, Some(place)) => {
            let it = if rows == 1 { "it" } else { "them" };
            format!("{n} of {place} {is} copied unchanged, only because other rows beside {it} change.")
        }
        (Outcome::Ignored, _, None) => {
            format!("{} {} no effect: no clause takes {}.", count(rows, "source row"), has(rows), object(rows))
        }
        (Outcome::Inserted, Some(clause), _) if trace.operation == "MERGE" => format!(
            "{} {} no target row that was read, so {} acts: {n} {is} inserted.",
            count(rows, "source row"),
            if rows == 1 { "matches" } else { "match" },
            trace.clause_label(clause)
        ),
        (Outcome::Inserted, _, _) => format!("{n} {is} inserted."),
        (_, Some(clause), Some(place)) => {
            format!("{} acts on {n} of {place}: {} {is} {}.", trace.clause_label(clause), subject(rows), past(outcome))
        }
        (_, _, Some(place)) => {
            format!("{n} of {place} {is} {}, because no clause acts on {}.", past(outcome), object(rows))
        }
        (_, _, None) => format!("{n} {is} {}.", past(outcome)),
    }
}

// What an update changed, found in the written row that came from the target row.
fn changes(trace: &Trace, target: RowId) -> String {
    let Some((old, new)) = old_and_new(trace, target) else { return String::new() };
    let columns = trace.target.columns.iter();
    let changed: Vec<_> = columns
        .zip(old.iter().zip(new))
        .filter(|(_, (old, new))| old != new)
        .map(|(column, (old, new))| {
            let quoted = is_text(column);
            format!("{} {} → {}", column.name, literal(old, quoted), literal(new, quoted))
        })
        .collect();
    match changed.len() {
        0 => " to the values that it already had".to_owned(),
        n if n > N_CHANGES => {
            let shown = changed.get(..N_CHANGES).unwrap_or(&changed);
            format!(" ({} and {})", shown.join(", "), count((n - N_CHANGES) as u64, "more column"))
        }
        _ => format!(" ({})", changed.join(", ")),
    }
}

fn old_and_new(trace: &Trace, target: RowId) -> Option<(&RowImage, &RowImage)> {
    let old = trace.target.files.get(target.file as usize)?.rows.get(target.row as usize)?;
    let new = trace.written.iter().find_map(|written| {
        let position = written.origins.iter().position(|origin| origin.target == Some(target))?;
        written.file.rows.get(position)
    })?;
    Some((old, new))
}

fn n_clauses(trace: &Trace, kind: ClauseKind) -> usize {
    trace.clauses.iter().filter(|clause| clause.kind == kind).count()
}

fn condition(trace: &Trace) -> String {
    trace.condition.as_deref().map_or("the condition".to_owned(), |text| format!("`{}`", one_line(text, 90)))
}

fn has(n: u64) -> &'static str {
    if n == 1 { "has" } else { "have" }
}

fn subject(n: u64) -> &'static str {
    if n == 1 { "it" } else { "they" }
}

fn object(n: u64) -> &'static str {
    if n == 1 { "it" } else { "them" }
}
