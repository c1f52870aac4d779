//! A sandbox with what tests ask of it: run a text, rows as JSON, metrics of the last commit.

use cli::value;
use delta::actions::Action;
use delta::commit_info::CommitInfo;
use delta::snapshot::{Snapshot, history};
use delta::storage::{InMemory, Storage};
use engine::env::{CountedNames, Env, START_MS};
use engine::observe::Silent;
use engine::sandbox::{Outcome, Sandbox};
use host::block_on;
use serde_json::Value;
use spec::{Diagnostic, Query, QueryBody, Relation};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A sandbox over a store.
#[derive(Debug)]
pub struct World {
    sandbox: Sandbox,
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// An empty one in memory.
    pub fn new() -> Self {
        Self { sandbox: Sandbox::new(Env::over(Arc::new(InMemory::new()), START_MS)) }
    }

    /// One over a store that may hold tables; `run` makes its names different from those of other runs.
    ///
    /// # Errors
    /// The store cannot be listed.
    pub fn open(storage: Arc<dyn Storage>, run: u64) -> Result<Self, Diagnostic> {
        let mut env = Env::over(storage, START_MS + run as i64 * 1_000_000);
        env.names = Arc::new(CountedNames::from_count(run * 1_000_000));
        Ok(Self { sandbox: block_on(Sandbox::open(env))? })
    }

    /// Sets a session setting.
    ///
    /// # Errors
    /// The setting is refused.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Diagnostic> {
        self.sandbox.set(key, value)
    }

    /// Runs the statements of a text; gives the last one's outcome.
    ///
    /// # Errors
    /// The complaint of the first that fails.
    pub fn run(&mut self, text: &str) -> Result<Outcome, Diagnostic> {
        let parsed = sql::parse(text);
        if let Some(problem) = parsed.diagnostics.into_iter().next() {
            return Err(problem);
        }
        let mut last = Err(Diagnostic::internal("there is no statement"));
        for statement in &parsed.statements {
            last = Ok(block_on(self.sandbox.execute(text, statement, &mut Silent))?);
        }
        last
    }

    /// The rows of a query, sorted.
    ///
    /// # Errors
    /// It fails.
    pub fn rows(&mut self, query: &str) -> Result<Vec<Value>, String> {
        let outcome = self.run(query).map_err(|problem| format!("`{query}` fails: {problem}"))?;
        let rows = outcome.rows.ok_or_else(|| format!("`{query}` gives no rows"))?;
        Ok(sorted(value::rows(&rows.batches).map_err(|error| error.to_string())?))
    }

    /// The latest version of a table, if it exists.
    ///
    /// # Errors
    /// Its log cannot be read.
    pub fn version(&self, table: &str) -> Result<Option<u64>, String> {
        Ok(self.snapshot(table)?.map(|snapshot| snapshot.version()))
    }

    /// The latest state of a table, if it exists.
    ///
    /// # Errors
    /// Its log cannot be read.
    pub fn snapshot(&self, table: &str) -> Result<Option<Snapshot>, String> {
        let Some(root) = self.root(table) else { return Ok(None) };
        block_on(Snapshot::load(self.storage(), &root, None)).map_err(|error| error.to_string())
    }

    /// The metrics of the latest commit.
    ///
    /// # Errors
    /// There is none.
    pub fn last_metrics(&self, table: &str) -> Result<BTreeMap<String, String>, String> {
        let info = self.last_commits(table, 1)?.into_iter().next().ok_or("there is no commit")?;
        Ok(info.operation_metrics.into_iter().collect())
    }

    /// What the latest `n` commits say of themselves, newest first.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn last_commits(&self, table: &str, n: usize) -> Result<Vec<CommitInfo>, String> {
        let root = self.root(table).ok_or("there is no such table")?;
        let commits = block_on(history(self.storage(), &root, Some(n))).map_err(|error| error.to_string())?;
        Ok(commits.into_iter().map(|(_, info)| info).collect())
    }

    /// The actions of a version.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn actions(&self, table: &str, version: u64) -> Result<Vec<Action>, String> {
        let root = self.root(table).ok_or("there is no such table")?;
        let path = delta::paths::commit_path(&root, version);
        let bytes = block_on(self.storage().get(&path)).map_err(|error| error.to_string())?;
        delta::log::parse_commit(&path, &bytes).map_err(|error| error.to_string())
    }

    pub fn storage(&self) -> &dyn Storage {
        self.sandbox.env().storage.as_ref()
    }

    /// The names of all tables.
    pub fn tables(&self) -> Vec<String> {
        self.sandbox.tables().iter().map(engine::TableEntry::short_name).collect()
    }

    fn root(&self, table: &str) -> Option<String> {
        let query: Query = sql::parse_query(&format!("SELECT * FROM {table}")).ok()?;
        let QueryBody::Select(select) = query.body else { return None };
        let Some(Relation::Table { name, .. }) = select.from.first() else { return None };
        self.sandbox.table(name).map(|entry| entry.root)
    }
}

/// Rows as a bag.
pub fn sorted(rows: Vec<Value>) -> Vec<Value> {
    value::sorted(&rows)
}
