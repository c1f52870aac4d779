//! The suite's cases, recorded anew.

use super::reference::Reference;
use anyhow::{Context, Result};
use cli::conform::{Case, difference};
use serde_json::{Map, Value, json};

/// What came of a file of cases.
#[derive(Debug, Clone, Default)]
pub struct Rerecorded {
    pub n_same: usize,
    /// Cases in another language than SQL, or with keys that are only looked at elsewhere.
    pub n_left_out: usize,
    /// Case, key and what changed.
    pub changes: Vec<String>,
    /// The file with the new answers.
    pub text: String,
}

/// Keys that the reference is asked about again.
const ASKED: [&str; 17] = [
    "error_class",
    "sqlstate",
    "exception",
    "commits",
    "columns",
    "rows",
    "rows_after",
    "result",
    "operation",
    "operationParameters",
    "metrics",
    "volatile_metrics",
    "isBlindAppend",
    "isolationLevel",
    "layout",
    "changes",
    "version_after",
];

/// Runs every case of a file on the reference and compares; tells each change as it is found.
///
/// # Errors
/// A line is no case, or the reference ended.
pub fn rerecord(reference: &mut Reference, text: &str, tell: &mut dyn FnMut(&str)) -> Result<Rerecorded> {
    let mut found = Rerecorded::default();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let (case, mut raw) = (Case::parse(line)?, serde_json::from_str::<Value>(line)?);
        if case.lang == "sql" {
            let seen = observe(reference, &case).with_context(|| case.id.clone())?;
            let mut changes = Vec::new();
            for (key, expected) in &case.expect {
                if !ASKED.contains(&key.as_str()) {
                    continue;
                }
                let now = seen.get(key).cloned().unwrap_or_default();
                let lost = key == "sqlstate" && now.is_null() && seen.contains_key("error_class");
                if let Some(text) = difference(key, expected, &now, &case.expect).filter(|_| !lost) {
                    changes.push(format!("{}: {key}: {text}", case.id));
                    raw["expect"][key] = now;
                }
            }
            for key in ["error_class", "exception"] {
                if let Some(now) = seen.get(key).filter(|_| !case.expect.contains_key(key)) {
                    changes.push(format!("{}: it fails now: {now}", case.id));
                }
            }
            found.n_same += usize::from(changes.is_empty());
            changes.iter().for_each(|change| tell(change));
            found.changes.extend(changes);
        } else {
            found.n_left_out += 1;
        }
        found.text += &raw.to_string();
        found.text.push('\n');
    }
    Ok(found)
}

/// Runs a case; what happened, in the shape of `expect`.
fn observe(reference: &mut Reference, case: &Case) -> Result<Map<String, Value>> {
    reference.ask(&json!({ "op": "fresh", "conf": case.conf }))?;
    for statement in &case.create {
        let answer = reference.ask(&json!({ "op": "run", "sql": statement }))?;
        if let Some(condition) = answer.get("error_class").or_else(|| answer.get("exception")) {
            return Ok(Map::from_iter([("exception".to_owned(), json!(format!("setup `{statement}`: {condition}")))]));
        }
    }
    let before = reference.ask(&json!({ "op": "look", "table": case.table, "after": i64::MAX }))?;
    let answer = reference.ask(&json!({ "op": "run", "sql": case.statement }))?;
    let feed = case.expect.contains_key("changes");
    let look =
        json!({ "op": "look", "table": case.table, "after": before["version"], "changes": feed, "always": true });
    let look = reference.ask(&look)?;
    let fails = answer.get("error_class").is_some() || answer.get("exception").is_some();
    let mut seen = Map::new();
    for key in ["error_class", "sqlstate", "wrapped_in"] {
        seen.extend(answer.get(key).map(|value| (key.to_owned(), value.clone())));
    }
    // That it fails is what such a case compares.
    seen.extend(answer.get("exception").map(|_| ("exception".to_owned(), Value::Bool(true))));
    let commits = look["commits"].as_array().cloned().unwrap_or_default();
    seen.insert("commits".into(), commits.len().into());
    seen.insert("version_after".into(), look["version"].clone());
    seen.extend(look.get("columns").map(|columns| ("columns".to_owned(), columns.clone())));
    seen.extend(look.get("rows").map(|rows| (if fails { "rows_after" } else { "rows" }.to_owned(), rows.clone())));
    if let Some(Value::Object(last)) = commits.last() {
        seen.extend(last.clone());
    }
    if !fails {
        seen.insert("result".into(), result(case, &answer));
    }
    if let Some(feed) = look.get("changes") {
        let names: Vec<Value> = feed["columns"].as_array().into_iter().flatten().map(|name| name[0].clone()).collect();
        seen.insert("changes".into(), json!({ "columns": names, "rows": feed["rows"] }));
    }
    Ok(seen)
}

fn result(case: &Case, answer: &Value) -> Value {
    if !case.is_merge {
        return json!({ "columns": answer["columns"], "rows": answer["rows"] });
    }
    let counts = answer["rows"][0].as_array().cloned().unwrap_or_default();
    let names = ["affected", "updated", "deleted", "inserted"].map(str::to_owned);
    Value::Object(names.into_iter().zip(counts).collect())
}
