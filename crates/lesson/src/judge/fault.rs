//! One expectation on one variant: whether it holds, why not, and what it looked at.

use crate::{
    Answer, Bound, Check, CheckKind, Counter, Exercise, Failure, FileBound, FileCounts, Observation, Order, Outcome,
    RowDiff, Rows, Rowset, TableState, diff, session,
};

use super::{Asked, Fault};

/// The condition with which the text must fail on this variant, if an `error` check asks for one.
fn expected_condition<'a>(exercise: &'a Exercise, variant: &str) -> Option<&'a str> {
    exercise.checks.iter().filter(|check| check.applies_to(variant)).find_map(|check| match &check.kind {
        CheckKind::Error { condition } => Some(condition.as_str()),
        _ => None,
    })
}

/// Why the text does not run, unless it is asked to fail.
pub(super) fn run_fault(exercise: &Exercise, seen: &Observation) -> Option<Fault> {
    if expected_condition(exercise, &seen.variant).is_some() {
        return None;
    }
    let error = seen.runs.first()?.error.as_ref()?;
    Some(fault(format!("The text failed: {}", told(error))))
}

/// Whether a check holds on a variant.
pub(super) fn check_fault(exercise: &Exercise, check: &Check, seen: &Observation, wanted: &Observation) -> Asked {
    if !check.applies_to(&seen.variant) {
        return Asked::Holds;
    }
    if run_fault(exercise, seen).is_some() {
        return Asked::NotReached;
    }
    let (Some(found), Some(solved)) = (seen.runs.first(), wanted.runs.first()) else {
        return Asked::NotReached;
    };
    let fault = match &check.kind {
        CheckKind::RowsEqual { of, order } => {
            rows_fault(rowset(exercise, solved, of), rowset(exercise, found, of), *order)
        }
        CheckKind::Metric { table, metric, bound } => {
            let solution = metric_of(solved, table, metric);
            bound_fault(metric, metric_of(found, table, metric), *bound, solution).map(fault)
        }
        CheckKind::Files { table, bounds } => {
            files_fault(bounds, files_of(found, table), files_of(solved, table)).map(fault)
        }
        CheckKind::Error { condition } => error_fault(found, condition).map(fault),
        CheckKind::Invariant { query } => invariant_fault(query_answer(exercise, found, query)),
        CheckKind::Idempotent { tables } => idempotent_fault(tables, found, seen.runs.get(1)),
    };
    match fault {
        None => Asked::Holds,
        Some(fault) if check.message.is_empty() => Asked::Fails(fault),
        Some(fault) => Asked::Fails(Fault { message: format!("{} {}", check.message, fault.message), ..fault }),
    }
}

/// Whether two texts gave the same answer, as far as the named check can see.
pub(super) fn same_evidence(exercise: &Exercise, check_id: &str, left: &Observation, right: &Observation) -> bool {
    let (Some(first), Some(second)) = (left.runs.first(), right.runs.first()) else {
        return false;
    };
    let condition = |outcome: &Outcome| outcome.error.as_ref().map(|error| error.condition.clone());
    if condition(first) != condition(second) {
        return false;
    }
    let Some(check) = exercise.checks.iter().find(|check| check.id == check_id) else {
        return check_id == Exercise::RUN;
    };
    match &check.kind {
        CheckKind::RowsEqual { of, order } => {
            same_answer(rowset(exercise, first, of), rowset(exercise, second, of), *order)
        }
        CheckKind::Metric { table, metric, .. } => metric_of(first, table, metric) == metric_of(second, table, metric),
        CheckKind::Files { table, .. } => files_of(first, table) == files_of(second, table),
        CheckKind::Error { .. } => true,
        CheckKind::Invariant { query } => {
            same_answer(query_answer(exercise, first, query), query_answer(exercise, second, query), Order::Any)
        }
        CheckKind::Idempotent { tables } => match (left.runs.get(1), right.runs.get(1)) {
            (Some(left), Some(right)) => {
                condition(left) == condition(right)
                    && tables.iter().all(|name| {
                        same_answer(table_answer(first, name), table_answer(second, name), Order::Any)
                            && same_answer(table_answer(left, name), table_answer(right, name), Order::Any)
                    })
            }
            _ => false,
        },
    }
}

fn rows_fault(expected: Option<&Answer>, found: Option<&Answer>, order: Order) -> Option<Fault> {
    let (expected, found) = match (expected, found) {
        (Some(Answer::Rows(expected)), Some(Answer::Rows(found))) => (expected, found),
        (_, Some(Answer::Failed(failure))) => return Some(fault(format!("It cannot be read: {}", told(failure)))),
        _ => return Some(fault("It was not observed.".to_owned())),
    };
    if !same_columns(expected, found) {
        let message =
            format!("The columns are ({}) and should be ({}).", found.columns.join(", "), expected.columns.join(", "));
        return Some(fault(message));
    }
    diff(expected, found, order).map(|difference| Fault { message: count(&difference), rows: Some(difference) })
}

fn invariant_fault(answer: Option<&Answer>) -> Option<Fault> {
    match answer {
        Some(Answer::Rows(rows)) if rows.rows.is_empty() => None,
        Some(Answer::Rows(rows)) => {
            let nothing = Rows { columns: rows.columns.clone(), rows: Vec::new() };
            let message = format!("{} must not be there.", plural(rows.rows.len() as u64, "row"));
            Some(Fault { message, rows: diff(&nothing, rows, Order::Any) })
        }
        Some(Answer::Failed(failure)) => Some(fault(format!("It cannot be asked: {}", told(failure)))),
        None => Some(fault("It was not observed.".to_owned())),
    }
}

fn idempotent_fault(tables: &[String], first: &Outcome, second: Option<&Outcome>) -> Option<Fault> {
    let Some(second) = second else {
        return Some(fault("The second run was not observed.".to_owned()));
    };
    if let Some(error) = &second.error {
        return Some(fault(format!("The second run failed: {}", told(error))));
    }
    tables.iter().find_map(|name| {
        let changed = rows_fault(table_answer(first, name), table_answer(second, name), Order::Any)?;
        Some(Fault { message: format!("The second run changed {name}: {}", changed.message), rows: changed.rows })
    })
}

fn error_fault(found: &Outcome, condition: &str) -> Option<String> {
    match &found.error {
        Some(error) if error.condition == condition => None,
        Some(error) => Some(format!("It must fail with {condition}, and failed with {}", told(error))),
        None => Some(format!("It must fail with {condition}, and ran.")),
    }
}

fn files_fault(bounds: &[FileBound], found: FileCounts, solution: FileCounts) -> Option<String> {
    bounds.iter().find_map(|FileBound { counter, bound }| {
        let name = match counter {
            Counter::Added => "Files added",
            Counter::Removed => "Files removed",
            Counter::Scanned => "Files scanned",
            Counter::Skipped => "Files skipped",
        };
        bound_fault(name, found.get(*counter), *bound, solution.get(*counter))
    })
}

fn bound_fault(name: &str, found: i64, bound: Bound, solution: i64) -> Option<String> {
    let (holds, wanted) = match bound {
        Bound::Equals(number) => (found == number, format!("it should be {number}")),
        Bound::AtMost(number) => (found <= number, format!("at most {number} is asked for")),
        Bound::AtLeast(number) => (found >= number, format!("at least {number} is asked for")),
        Bound::SameAsSolution => (found == solution, format!("it should be {solution}")),
    };
    if holds { None } else { Some(format!("{name}: {found}, and {wanted}.")) }
}

fn same_answer(left: Option<&Answer>, right: Option<&Answer>, order: Order) -> bool {
    match (left, right) {
        (Some(Answer::Rows(left)), Some(Answer::Rows(right))) => {
            same_columns(left, right) && diff(left, right, order).is_none()
        }
        (Some(Answer::Failed(left)), Some(Answer::Failed(right))) => left.condition == right.condition,
        _ => false,
    }
}

fn same_columns(left: &Rows, right: &Rows) -> bool {
    left.columns.len() == right.columns.len()
        && left.columns.iter().zip(&right.columns).all(|(one, other)| one.eq_ignore_ascii_case(other))
}

fn rowset<'a>(exercise: &Exercise, outcome: &'a Outcome, of: &Rowset) -> Option<&'a Answer> {
    match of {
        Rowset::Table(name) => table_answer(outcome, name),
        Rowset::Query(query) => query_answer(exercise, outcome, query),
    }
}

fn query_answer<'a>(exercise: &Exercise, outcome: &'a Outcome, query: &str) -> Option<&'a Answer> {
    let position = session::watched(exercise).1.iter().position(|known| known == query)?;
    outcome.queries.get(position)
}

fn table_answer<'a>(outcome: &'a Outcome, name: &str) -> Option<&'a Answer> {
    table(outcome, name).map(|state| &state.rows)
}

/// A metric that no commit recorded counts as zero: nothing was done.
fn metric_of(outcome: &Outcome, name: &str, metric: &str) -> i64 {
    table(outcome, name).and_then(|state| state.metrics.get(metric)).copied().unwrap_or(0)
}

fn files_of(outcome: &Outcome, name: &str) -> FileCounts {
    table(outcome, name).map(|state| state.files).unwrap_or_default()
}

fn table<'a>(outcome: &'a Outcome, name: &str) -> Option<&'a TableState> {
    outcome.tables.iter().find(|state| state.name == name)
}

fn fault(message: String) -> Fault {
    Fault { message, rows: None }
}

fn told(failure: &Failure) -> String {
    if failure.condition.is_empty() {
        failure.message.clone()
    } else {
        format!("[{}] {}", failure.condition, failure.message)
    }
}

fn count(difference: &RowDiff) -> String {
    let parts: Vec<String> = [
        (difference.missing.len(), "missing"),
        (difference.unexpected.len(), "too many"),
        (difference.changed.len(), "with other values"),
    ]
    .into_iter()
    .filter(|(number, _)| *number > 0)
    .map(|(number, what)| format!("{} {what}", plural(number as u64, "row")))
    .collect();
    let more = if difference.more > 0 { format!(", and {} more", difference.more) } else { String::new() };
    format!("{}{more}.", parts.join(", "))
}

fn plural(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
