//! Cases of log folders: which files are live, or why the table cannot be read.

use super::{BankCase, is_one_of, texts};
use anyhow::{Result, anyhow};
use bytes::Bytes;
use delta::actions::{Action, Add};
use delta::checkpoint::checkpoint_bytes;
use delta::commit_info::CommitInfo;
use delta::error::Error;
use delta::paths::{decode_path, join};
use delta::snapshot::Snapshot;
use delta::storage::{InMemory, Storage};
use delta::transaction::Transaction;
use serde_json::{Value, json};

const ROOT: &str = "t";
const NOW_MS: i64 = 1_700_000_000_000;

/// Runs the case; what differs, one line per key.
pub(super) async fn differences(case: &BankCase) -> Result<Vec<String>> {
    let store = InMemory::new();
    for file in case.input["files"].as_array().into_iter().flatten() {
        let path = file["path"].as_str().ok_or_else(|| anyhow!("a file without a path"))?;
        store.put(&join(ROOT, path), content(file)?, NOW_MS).await?;
    }
    let loaded = Snapshot::load(&store, ROOT, None).await;
    let snapshot = match loaded {
        Ok(Some(snapshot)) => snapshot,
        Ok(None) => return Ok(refusal(case, &Error::TableNotFound { path: join(ROOT, "_delta_log") })),
        Err(error) => return Ok(refusal(case, &error)),
    };
    let mut wrong = Vec::new();
    for (key, expected) in &case.expect {
        let files = || snapshot.files().iter();
        let (expected, seen) = match key.as_str() {
            "or_error" | "must_not" | "rows" => continue,
            "error" if accepts_files(case) => continue,
            "error" => (expected.clone(), json!("the table is read")),
            "active_files" => (sorted(texts(expected)), sorted(files().map(|add| decode_path(&add.path)).collect())),
            "version" => (expected.clone(), snapshot.version().into()),
            "numRecords" => (expected.clone(), files().filter_map(|add| records(add)).sum::<i64>().into()),
            "partition_value" => (expected.clone(), files().next().map_or(Value::Null, first_value)),
            "partition_values" => (expected.clone(), files().map(first_value).collect()),
            "row" => {
                let values = files().next().map(|add| json!(add.partition_values));
                (expected.clone(), values.unwrap_or_default())
            }
            "txn" => {
                let marks = snapshot.txns().iter().map(|(app, txn)| (app.clone(), txn.version.into()));
                (expected.clone(), Value::Object(marks.collect()))
            }
            "write_error" => (expected.clone(), write(&store, snapshot.clone()).await),
            _ => (expected.clone(), json!("this program does not compare it")),
        };
        if expected != seen {
            wrong.push(format!("{key}: expected {expected}, got {seen}"));
        }
    }
    Ok(wrong)
}

fn content(file: &Value) -> Result<Bytes> {
    if let Some(text) = file["text"].as_str() {
        return Ok(Bytes::from(text.to_owned()));
    }
    let Some(rows) = file["rows"].as_array() else { return Ok(Bytes::new()) };
    let mut actions = Vec::new();
    for row in rows {
        actions.extend(Action::parse(&row.to_string())?);
    }
    Ok(checkpoint_bytes(&actions)?)
}

/// The reference itself goes wrong here, and says so: reading the files is as good.
fn accepts_files(case: &BankCase) -> bool {
    case.observed["active_paths"].is_array() || case.expect["error"]["class"] == "FAILED_EXECUTE_UDF"
}

fn refusal(case: &BankCase, error: &Error) -> Vec<String> {
    let text = error.to_string();
    let Some(expected) = case.expect.get("error").or(case.expect.get("or_error")) else {
        return vec![format!("it cannot be read: {text}")];
    };
    let mut wrong = Vec::new();
    if let Some(class) = expected["class"].as_str() {
        let is_named = error.condition().is_some_and(|condition| is_one_of(condition, class));
        // What the page calls a malformed commit has no condition of its own.
        let is_malformed = class == "malformed commit" && matches!(error, Error::CorruptLog { .. });
        if !is_named && !is_malformed {
            wrong.push(format!("error: expected {class}, got {text}"));
        }
    }
    let lacking = texts(&expected["mentions"]).into_iter().filter(|word| !text.contains(word.as_str()));
    wrong.extend(lacking.map(|word| format!("error: `{word}` is not mentioned in: {text}")));
    wrong
}

async fn write(store: &InMemory, snapshot: Snapshot) -> Value {
    let info = CommitInfo { timestamp: NOW_MS, operation: "WRITE".to_owned(), ..CommitInfo::default() };
    match Transaction::new(ROOT, Some(snapshot)).commit(store, Vec::new(), info).await {
        Ok(_) => json!("committed"),
        Err(error) => error.condition().map_or_else(|| error.to_string().into(), Value::from),
    }
}

fn sorted(mut paths: Vec<String>) -> Value {
    paths.sort();
    Value::from(paths)
}

fn records(add: &Add) -> Option<i64> {
    serde_json::from_str::<Value>(add.stats.as_deref()?).ok()?["numRecords"].as_i64()
}

fn first_value(add: &std::sync::Arc<Add>) -> Value {
    add.partition_values.values().next().cloned().flatten().map_or(Value::Null, Value::String)
}
