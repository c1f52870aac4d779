//! A MERGE in either language is the same MERGE: rows, errors and, apart from text and its places, the trace.

use crate::cases::load;
use crate::program_requests::Worker;
use cli::python::apart;
use protocol::{RunReport, StatementReport};
use serde_json::Value;

const NO_DELTA_TABLE: &str = "DELTA_MISSING_DELTA_TABLE";

fn last(report: &RunReport) -> Option<&StatementReport> {
    report.statements.iter().rfind(|statement| statement.kind == "MERGE" || statement.error.is_some())
}

/// The trace without what comes from the text it was written as.
fn masked(statement: &StatementReport) -> Value {
    let mut trace = serde_json::to_value(statement.trace.as_deref()).unwrap();
    mask(&mut trace);
    if let Some(trace) = trace.as_object_mut() {
        // The text of ON: an interval may be spelled in another way.
        trace.remove("condition");
    }
    trace
}

fn mask(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for key in ["statement", "span", "spans", "text", "conjunct"] {
                members.remove(key);
            }
            members.values_mut().for_each(mask);
        }
        Value::Array(items) => items.iter_mut().for_each(mask),
        _ => {}
    }
}

/// Where the two differ, as a path.
fn difference(path: &str, sql: &Value, python: &Value) -> Option<String> {
    match (sql, python) {
        (Value::Object(left), Value::Object(right)) if left.len() == right.len() => {
            left.iter().find_map(|(key, value)| {
                difference(&format!("{path}.{key}"), value, right.get(key).unwrap_or(&Value::Null))
            })
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => left
            .iter()
            .zip(right)
            .enumerate()
            .find_map(|(idx, (left, right))| difference(&format!("{path}[{idx}]"), left, right)),
        _ if sql == python => None,
        _ => Some(format!("{path}: {sql} in SQL, {python} in Python")),
    }
}

/// Why the two runs are not the same MERGE.
fn fault(sql: &RunReport, python: &RunReport) -> Option<String> {
    let (Some(sql), Some(python)) = (last(sql), last(python)) else { return Some("nothing ran".to_owned()) };
    let condition = |statement: &StatementReport| statement.error.as_ref().map(|error| error.condition.clone());
    if condition(sql) != condition(python) {
        return Some(format!("{:?} in SQL, {:?} in Python", sql.error, python.error));
    }
    if sql.error.is_some() {
        return None;
    }
    if sql.version != python.version {
        return Some(format!("version {:?} in SQL, {:?} in Python", sql.version, python.version));
    }
    difference("trace", &masked(sql), &masked(python))
}

#[test]
fn a_merge_in_either_language_is_the_same_merge() {
    apart(|| {
        let mut worker = Worker::new();
        let (mut faults, mut n_compared, mut n_marked) = (Vec::new(), 0, 0);
        let mut only_sql = Vec::new();
        for case in load("merge_cases.jsonl").iter().filter(|case| case.lang == "sql") {
            let sql = worker.run(&case.setup(), &case.script());
            let Some(mirror) = sql.statements.last().and_then(|statement| statement.mirror.clone()) else { continue };
            if !mirror.notes.is_empty() {
                n_marked += 1;
                continue;
            }
            let python = worker.run(&case.setup(), &mirror.text);
            if last(&python).and_then(|last| last.error.as_ref()).is_some_and(|error| error.condition == NO_DELTA_TABLE)
            {
                only_sql.push(case.id.clone());
                continue;
            }
            n_compared += 1;
            if let Some(fault) = fault(&sql, &python) {
                faults.push(format!("{}: {fault}\n{}", case.id, mirror.text));
            }
            // And back again: the builder's statement is told in SQL, which is what it came from.
            let back = last(&python).and_then(|statement| statement.mirror.clone());
            if python.statements.iter().all(|statement| statement.error.is_none())
                && back.is_none_or(|back| back.python)
            {
                faults.push(format!("{}: the program is not told in SQL", case.id));
            }
        }
        // Views, and a table of another format: `DeltaTable.forName` takes neither.
        assert_eq!(only_sql, ["basic-030", "basic-031", "basic-032", "basic-033"]);
        assert!(n_compared >= 280 && n_marked <= 5, "{n_compared} compared, {n_marked} marked");
        assert!(faults.is_empty(), "{} of {n_compared}:\n{}", faults.len(), faults.join("\n\n"));
    });
}
