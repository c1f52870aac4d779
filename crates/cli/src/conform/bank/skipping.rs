//! Cases of data skipping: which files a filter may leave out.

use super::{BankCase, execute, texts};
use crate::conform::difference;
use crate::value;
use anyhow::{Result, anyhow};
use async_trait::async_trait;
use bytes::Bytes;
use delta::actions::{Action, Add};
use delta::log::parse_commit;
use delta::paths::{commit_path, join};
use delta::storage::{FileMeta, InMemory, Storage, StorageError};
use engine::env::{Env, START_MS};
use engine::observe::Silent;
use engine::sandbox::Sandbox;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// A store that notes which files are read.
#[derive(Debug, Clone, Default)]
struct Watched {
    inner: InMemory,
    read: Arc<Mutex<Vec<String>>>,
}

impl Watched {
    fn note(&self, path: &str) {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.read.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[async_trait]
impl Storage for Watched {
    async fn list_from(&self, dir: &str, start: &str) -> Result<Vec<FileMeta>, StorageError> {
        self.inner.list_from(dir, start).await
    }

    async fn get(&self, path: &str) -> Result<Bytes, StorageError> {
        self.note(path);
        self.inner.get(path).await
    }

    async fn get_range(&self, path: &str, range: Range<u64>) -> Result<Bytes, StorageError> {
        self.note(path);
        self.inner.get_range(path, range).await
    }

    async fn put(&self, path: &str, bytes: Bytes, modified_ms: i64) -> Result<(), StorageError> {
        self.inner.put(path, bytes, modified_ms).await
    }

    async fn put_if_absent(&self, path: &str, bytes: Bytes, modified_ms: i64) -> Result<bool, StorageError> {
        self.inner.put_if_absent(path, bytes, modified_ms).await
    }

    async fn delete(&self, path: &str) -> Result<(), StorageError> {
        self.inner.delete(path).await
    }
}

/// Runs the case; what differs, one line per key.
pub(super) async fn differences(case: &BankCase) -> Result<Vec<String>> {
    let store = Watched::default();
    let mut sandbox = Sandbox::new(Env::over(Arc::new(store.clone()), START_MS));
    let schema: Vec<(String, String)> = case.input["schema"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|column| Some((column[0].as_str()?.to_owned(), column[1].as_str()?.to_owned())))
        .collect();
    let columns: Vec<String> = schema.iter().map(|(name, data_type)| format!("`{name}` {data_type}")).collect();
    run(&mut sandbox, &format!("CREATE TABLE t ({}) USING delta", columns.join(", "))).await?;
    let root = sandbox.tables().first().map(|table| table.root.clone()).ok_or_else(|| anyhow!("there is no table"))?;
    let mut names = BTreeMap::new();
    for (place, file) in case.input["files"].as_array().into_iter().flatten().enumerate() {
        let rows: Vec<String> =
            file["rows"].as_array().into_iter().flatten().map(|row| literals(row, &schema)).collect();
        run(&mut sandbox, &format!("INSERT INTO t SELECT * FROM VALUES {}", rows.join(", "))).await?;
        let path = with_stats(&store, &root, place as u64 + 1, &file["stats"]).await?;
        names.insert(join(&root, &path), file["path"].as_str().unwrap_or_default().to_owned());
    }
    let predicate = case.input["predicate"].as_str().unwrap_or("true");
    store.take();
    let rows = run(&mut sandbox, &format!("SELECT * FROM t WHERE {predicate}")).await?;
    let mut kept: Vec<String> = store.take().iter().filter_map(|path| names.get(path).cloned()).collect();
    kept.dedup();
    let mut wrong = Vec::new();
    let lost = texts(&json!(case.expect["must_keep"])).into_iter().filter(|file| !kept.contains(file));
    wrong.extend(lost.map(|file| format!("must_keep: {file} is skipped")));
    let too_many = texts(&json!(case.expect["may_skip"])).into_iter().filter(|file| kept.contains(file));
    wrong.extend(too_many.map(|file| format!("may_skip: {file} is read")));
    let key = if case.expect.contains_key("query") { None } else { case.expect.get("rows") };
    if let Some(expected) = key {
        // Timestamps are recorded with their zone here, and large numbers as texts.
        let expected: Value = serde_json::from_str(&expected.to_string().replace("Z\"", "\""))?;
        let is_long = |place: usize| schema.get(place).is_some_and(|(_, data_type)| data_type == "bigint");
        let cell = |(place, value): (usize, &Value)| match value.as_str().map(str::parse::<i64>) {
            Some(Ok(number)) if is_long(place) => number.into(),
            _ => value.clone(),
        };
        let row = |row: &Value| row.as_array().into_iter().flatten().enumerate().map(cell).collect::<Value>();
        let expected: Value = expected.as_array().into_iter().flatten().map(row).collect();
        wrong.extend(difference("rows", &expected, &rows, &case.expect).map(|text| format!("rows: {text}")));
    }
    Ok(wrong)
}

async fn run(sandbox: &mut Sandbox, text: &str) -> Result<Value> {
    let outcome = execute(sandbox, text, &mut Silent).await.map_err(|problem| anyhow!("`{text}`: {problem}"))?;
    let rows = outcome.rows.map(|rows| value::rows(&rows.batches)).transpose()?;
    Ok(Value::Array(rows.unwrap_or_default()))
}

/// Gives the file that a commit added other statistics; its path.
async fn with_stats(store: &Watched, root: &str, version: u64, stats: &Value) -> Result<String> {
    let log = commit_path(root, version);
    let mut text = String::new();
    let mut path = String::new();
    for action in parse_commit(&log, &store.inner.get(&log).await?)? {
        let action = match action {
            Action::Add(add) => {
                path.clone_from(&add.path);
                let stats = match stats {
                    Value::Null => None,
                    Value::String(text) => Some(text.clone()),
                    other => Some(other.to_string()),
                };
                Action::Add(Add { stats, ..add })
            }
            other => other,
        };
        text.push_str(&serde_json::to_string(&action)?);
        text.push('\n');
    }
    store.inner.put(&log, Bytes::from(text), START_MS).await?;
    Ok(path)
}

/// One row of VALUES.
fn literals(row: &Value, schema: &[(String, String)]) -> String {
    let cells = row.as_array().map(Vec::as_slice).unwrap_or_default();
    let values = cells.iter().zip(schema).map(|(value, (_, data_type))| literal(value, data_type));
    format!("({})", values.collect::<Vec<_>>().join(", "))
}

fn literal(value: &Value, data_type: &str) -> String {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| match value {
                Value::Null => format!("'{name}', CAST(NULL AS INT)"),
                other => format!("'{name}', {other}"),
            });
            format!("CAST(named_struct({}) AS {data_type})", fields.collect::<Vec<_>>().join(", "))
        }
        Value::String(text) if text.starts_with("X:") => format!("X'{}'", &text[2..]),
        Value::String(text) => format!("CAST('{text}' AS {data_type})"),
        other => format!("CAST({other} AS {data_type})"),
    }
}
