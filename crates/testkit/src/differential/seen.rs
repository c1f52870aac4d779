//! What a statement showed, from either engine, in the words of the recorded cases.

use super::reference::Reference;
use crate::world::World;
use anyhow::{Result, anyhow};
use cli::conform::difference;
use cli::value;
use delta::actions::Action;
use serde_json::{Map, Value, json};

/// The keys of `expect`.
pub type Seen = Map<String, Value>;

/// The condition with which this program refuses what it does not do yet.
pub(super) const NOT_SUPPORTED: &str = "MERGELAB_NOT_SUPPORTED_YET";

/// Runs a statement here, and looks at `tgt`.
///
/// # Errors
/// The table cannot be read.
pub fn ours(world: &mut World, sql: &str, feed: bool) -> Result<Seen> {
    let problem = |text: String| anyhow!("after `{sql}`: {text}");
    let before = world.version("tgt").map_err(problem)?;
    let mut seen = Seen::new();
    match world.run(sql) {
        Err(complaint) => {
            seen.insert("error_class".into(), complaint.condition.into());
            seen.extend(complaint.wrapped_in.map(|outer| ("wrapped_in".to_owned(), outer.into())));
            seen.insert("message".into(), complaint.message.into());
        }
        Ok(outcome) => {
            if let Some(rows) = outcome.rows {
                seen.insert("result".into(), Value::Array(value::rows(&rows.batches)?));
            }
        }
    }
    let after = world.version("tgt").map_err(problem)?;
    let commits = after.map_or(0, |after| after + 1) - before.map_or(0, |before| before + 1);
    seen.insert("commits".into(), commits.into());
    let Some(version) = after.filter(|_| commits > 0) else { return Ok(seen) };
    let info = world.last_commits("tgt", 1).map_err(problem)?.into_iter().next().unwrap_or_default();
    seen.insert("operation".into(), info.operation.into());
    let number = |text: &String| text.parse::<i64>().map_or_else(|_| Value::String(text.clone()), Value::from);
    let metrics = info.operation_metrics.iter().map(|(key, text)| (key.clone(), number(text)));
    seen.insert("metrics".into(), Value::Object(metrics.collect()));
    seen.insert("layout".into(), layout(&world.actions("tgt", version).map_err(problem)?));
    let outcome = world.run("SELECT * FROM tgt").map_err(|complaint| anyhow!("after `{sql}`: {complaint}"))?;
    if let Some(rows) = outcome.rows {
        let column = |column: &query::Column| json!([column.name, column.data_type.spark_name()]);
        seen.insert("columns".into(), rows.columns.iter().map(column).collect());
        seen.insert("rows".into(), Value::Array(value::rows(&rows.batches)?));
    }
    if feed {
        let rows = world.rows(&format!("SELECT * FROM table_changes('tgt', {version}, {version})"));
        seen.insert("changes".into(), rows.map(without_version).map_err(problem)?);
    }
    Ok(seen)
}

/// Version and time stand behind the kind of change.
fn without_version(rows: Vec<Value>) -> Value {
    let without = |row: Value| {
        let mut cells = row.as_array().cloned().unwrap_or_default();
        cells.truncate(cells.len().saturating_sub(2));
        Value::Array(cells)
    };
    Value::Array(rows.into_iter().map(without).collect())
}

fn layout(actions: &[Action]) -> Value {
    let adds = || actions.iter().filter_map(|action| if let Action::Add(add) = action { Some(add) } else { None });
    let removes =
        || actions.iter().filter_map(|action| if let Action::Remove(remove) = action { Some(remove) } else { None });
    let readded = |path: &str| adds().any(|add| add.path == path);
    let removed = |path: &str| removes().any(|remove| remove.path == path);
    let marked = adds().filter(|add| removed(&add.path)).filter_map(|add| add.deletion_vector.as_ref());
    let mut vectors: Vec<i64> = marked.map(|vector| vector.cardinality).collect();
    vectors.sort_unstable();
    json!({
        "new_files": adds().filter(|add| !removed(&add.path)).count(),
        "removed_files": removes().filter(|remove| !readded(&remove.path)).count(),
        "dv_cardinalities": vectors,
        "cdc_files": actions.iter().filter(|action| matches!(action, Action::AddCdcFile(_))).count(),
        "metadata_action": actions.iter().any(|action| matches!(action, Action::Metadata(_))),
        "protocol_action": actions.iter().any(|action| matches!(action, Action::Protocol(_))),
    })
}

/// Runs a statement on the reference, and looks at `tgt`; `version` is the table's latest before and after.
///
/// # Errors
/// The process ended or answers nonsense.
pub fn theirs(reference: &mut Reference, sql: &str, feed: bool, version: &mut i64) -> Result<Seen> {
    let answer = reference.ask(&json!({ "op": "run", "sql": sql }))?;
    let mut seen = Seen::new();
    for key in ["error_class", "wrapped_in", "exception", "message_start", "message"] {
        seen.extend(answer.get(key).map(|value| (key.to_owned(), value.clone())));
    }
    let has_result = answer["columns"].as_array().is_some_and(|columns| !columns.is_empty());
    if has_result {
        seen.insert("result".into(), answer["rows"].clone());
    }
    let look = reference.ask(&json!({ "op": "look", "table": "tgt", "after": *version, "changes": feed }))?;
    let commits = look["commits"].as_array().cloned().unwrap_or_default();
    *version = look["version"].as_i64().unwrap_or(-1);
    seen.insert("commits".into(), commits.len().into());
    let Some(last) = commits.last() else { return Ok(seen) };
    for key in ["operation", "metrics", "layout", "volatile_metrics"] {
        seen.insert(key.into(), last[key].clone());
    }
    for key in ["columns", "rows", "read_error"] {
        seen.extend(look.get(key).map(|value| (key.to_owned(), value.clone())));
    }
    seen.extend(look["changes"].get("rows").map(|rows| ("changes".to_owned(), rows.clone())));
    Ok(seen)
}

/// Keys that are compared; the others explain.
const COMPARED: [&str; 9] =
    ["error_class", "commits", "operation", "result", "columns", "rows", "metrics", "layout", "changes"];

/// How the engine differs from the reference, one line per key.
pub fn differences(theirs: &Seen, ours: &Seen, is_merge: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for key in COMPARED {
        let (expected, seen) = (theirs.get(key), ours.get(key));
        let line = match (expected, seen) {
            (None, None) => None,
            _ if key == "error_class" => condition(theirs, ours),
            // Listings and sizes are not for comparison; counts are.
            _ if key == "result" && !is_merge => None,
            (Some(expected), Some(seen)) if matches!(key, "result" | "changes") => {
                difference("rows", expected, seen, theirs)
            }
            (Some(expected), Some(seen)) => difference(key, expected, seen, theirs),
            (Some(expected), None) if key == "result" && expected.as_array().is_some_and(Vec::is_empty) => None,
            (Some(expected), None) => Some(format!("expected {expected}, got nothing")),
            // The reference has no feed to show here.
            (None, Some(_)) if key == "changes" => None,
            (None, Some(seen)) => Some(format!("expected nothing, got {seen}")),
        };
        lines.extend(line.map(|line| format!("{key}: {line}")));
    }
    lines
}

/// Either level of a wrapped condition may be shown; where the reference has none, to fail is enough.
fn condition(theirs: &Seen, ours: &Seen) -> Option<String> {
    let text = |seen: &Seen, key: &str| seen.get(key).and_then(Value::as_str).map(str::to_owned);
    let (expected, outer, seen) = (text(theirs, "error_class"), text(theirs, "wrapped_in"), text(ours, "error_class"));
    let agrees =
        seen == expected || (seen.is_some() && seen == outer) || text(ours, "wrapped_in") == expected && seen.is_some();
    let either_fails = theirs.contains_key("exception") && seen.is_some();
    (!agrees && !either_fails).then(|| {
        let why = text(ours, "message").or_else(|| text(theirs, "message")).unwrap_or_default();
        format!("expected {expected:?}, got {seen:?} ({why})")
    })
}
