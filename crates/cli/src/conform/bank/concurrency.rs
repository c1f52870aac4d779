//! Cases of two writers: both read the same version, the second to commit may follow the first or not.
//!
//! The first statement runs on a store that lets the other writer in at the very moment of its commit.

use super::{BankCase, execute, is_one_of, texts};
use crate::conform::difference;
use crate::value;
use anyhow::{Result, anyhow, bail};
use async_trait::async_trait;
use bytes::Bytes;
use delta::storage::{FileMeta, InMemory, Storage, StorageError};
use engine::env::{CountedNames, Env, START_MS, SteppingClock};
use engine::observe::Silent;
use engine::sandbox::Sandbox;
use serde_json::{Value, json};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// A statement that another writer runs, once, when the first is about to commit.
#[derive(Debug)]
struct Rival {
    setup: Vec<String>,
    code: String,
    /// What became of it: absent until it has run.
    outcome: Option<Value>,
}

#[derive(Debug, Clone)]
struct Interrupted {
    inner: InMemory,
    rival: Arc<Mutex<Option<Rival>>>,
}

impl Interrupted {
    async fn let_in(&self) -> Result<(), StorageError> {
        let take = || {
            let mut slot = self.rival.lock().unwrap_or_else(PoisonError::into_inner);
            if slot.as_ref().is_some_and(|rival| rival.outcome.is_none()) { slot.take() } else { None }
        };
        let Some(mut rival) = take() else { return Ok(()) };
        let failed = |reason: String| StorageError::Failed { path: String::new(), reason };
        let env = Env {
            storage: Arc::new(self.inner.clone()),
            clock: Arc::new(SteppingClock::new(START_MS + 3_600_000)),
            names: Arc::new(CountedNames::from_count(1_000_000)),
            note: None,
        };
        let mut sandbox = Sandbox::open(env).await.map_err(|problem| failed(problem.to_string()))?;
        for view in rival.setup.iter().filter(|statement| statement.to_uppercase().contains(" VIEW ")) {
            execute(&mut sandbox, view, &mut Silent).await.map_err(|problem| failed(problem.to_string()))?;
        }
        rival.outcome = Some(match execute(&mut sandbox, &rival.code, &mut Silent).await {
            Ok(_) => "committed".into(),
            Err(problem) => problem.condition.into(),
        });
        *self.rival.lock().unwrap_or_else(PoisonError::into_inner) = Some(rival);
        Ok(())
    }
}

#[async_trait]
impl Storage for Interrupted {
    async fn list_from(&self, dir: &str, start: &str) -> Result<Vec<FileMeta>, StorageError> {
        self.inner.list_from(dir, start).await
    }

    async fn get(&self, path: &str) -> Result<Bytes, StorageError> {
        self.inner.get(path).await
    }

    async fn get_range(&self, path: &str, range: Range<u64>) -> Result<Bytes, StorageError> {
        self.inner.get_range(path, range).await
    }

    async fn put(&self, path: &str, bytes: Bytes, modified_ms: i64) -> Result<(), StorageError> {
        self.inner.put(path, bytes, modified_ms).await
    }

    async fn put_if_absent(&self, path: &str, bytes: Bytes, modified_ms: i64) -> Result<bool, StorageError> {
        self.let_in().await?;
        self.inner.put_if_absent(path, bytes, modified_ms).await
    }

    async fn delete(&self, path: &str) -> Result<(), StorageError> {
        self.inner.delete(path).await
    }
}

/// Runs the case; what differs, one line per key.
pub(super) async fn differences(case: &BankCase) -> Result<Vec<String>> {
    const ORDER: [&str; 4] = ["A reads snapshot", "B reads snapshot", "B commits", "A tries to commit"];
    if texts(&case.input["order"]) != ORDER {
        bail!("this order of two writers does not run yet");
    }
    let code = |name: &str| -> Result<String> {
        let all = case.input["transactions"].as_array().into_iter().flatten();
        let found = all.clone().find(|each| each["name"] == name && each["lang"] == "sql");
        let found = found.and_then(|each| each["code"].as_str());
        found.map(str::to_owned).ok_or_else(|| anyhow!("transaction {name} is no SQL, which does not run yet"))
    };
    let setup = texts(&case.input["setup"]);
    let inner = InMemory::new();
    let rival = Arc::new(Mutex::new(None));
    let store = Interrupted { inner, rival: Arc::clone(&rival) };
    let mut sandbox = Sandbox::new(Env::over(Arc::new(store), START_MS));
    for statement in &setup {
        execute(&mut sandbox, statement, &mut Silent)
            .await
            .map_err(|problem| anyhow!("setup `{statement}`: {problem}"))?;
    }
    *rival.lock().unwrap_or_else(PoisonError::into_inner) =
        Some(Rival { setup: setup.clone(), code: code("B")?, outcome: None });
    let first = match execute(&mut sandbox, &code("A")?, &mut Silent).await {
        Ok(_) => Value::String("committed".into()),
        Err(problem) => problem.condition.into(),
    };
    let second = rival.lock().unwrap_or_else(PoisonError::into_inner).take().and_then(|rival| rival.outcome);
    let mut wrong = Vec::new();
    for (name, seen) in [("A", first), ("B", second.unwrap_or_else(|| json!("never let in")))] {
        let expected = &case.expect["outcome"][name];
        let fits = is_one_of(seen.as_str().unwrap_or_default(), expected.as_str().unwrap_or_default());
        if !fits {
            wrong.push(format!("{name}: expected {expected}, got {seen}"));
        }
        // Where two answers are allowed, which one it is depends on how many files the setup wrote.
        let is_open = expected.as_str().is_some_and(|classes| classes.contains('|'));
        let observed = &case.observed["outcome"][name]["error_class"];
        if !is_open && observed.is_string() && *observed != seen {
            wrong.push(format!("{name}: the reference showed {observed}, got {seen}"));
        }
    }
    if let Some(check) = case.expect.get("check").and_then(Value::as_str) {
        let outcome =
            execute(&mut sandbox, check, &mut Silent).await.map_err(|problem| anyhow!("`{check}`: {problem}"))?;
        let rows = outcome.rows.map(|rows| value::rows(&rows.batches)).transpose()?;
        let seen = Value::Array(rows.unwrap_or_default());
        let expected = case.expect.get("rows").unwrap_or(&Value::Null);
        wrong.extend(difference("rows", expected, &seen, &case.expect).map(|text| format!("rows: {text}")));
    }
    if let Some(active) = case.expect.get("files").map(|files| &files["active_after"]) {
        let table = sandbox.tables().into_iter().next().ok_or_else(|| anyhow!("there is no table"))?;
        let storage = Arc::clone(&sandbox.env().storage);
        let snapshot = delta::snapshot::Snapshot::load(storage.as_ref(), &table.root, None).await?;
        let seen = snapshot.map(|snapshot| snapshot.files().len());
        if Value::from(seen) != *active {
            wrong.push(format!("files: expected {active}, got {seen:?}"));
        }
    }
    Ok(wrong)
}
