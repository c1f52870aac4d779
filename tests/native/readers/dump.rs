//! Tables of the suite, with our rows at every version.

use crate::cases::load;
use cli::value::{rows, sorted};
use delta::snapshot::Snapshot;
use delta::storage::InMemory;
use engine::env::{Env, START_MS};
use engine::observe::Silent;
use engine::sandbox::Sandbox;
use host::block_on;
use serde_json::Value;
use std::sync::Arc;

/// Whose tables are read.
const FILES: [&str; 3] = ["merge_cases.jsonl", "random_merges.jsonl", "deletion_vectors.jsonl"];

/// A table that a case left behind.
pub(super) struct Dumped {
    pub(super) case: String,
    pub(super) root: String,
    pub(super) store: InMemory,
    /// Our rows, by version from 0.
    pub(super) versions: Vec<Vec<Value>>,
}

/// The Delta tables of every case that runs, and how many cases do not.
pub(super) fn tables() -> (Vec<Dumped>, usize) {
    let mut dumped = Vec::new();
    let mut refused = 0;
    for case in FILES.into_iter().flat_map(load) {
        let store = InMemory::new();
        let mut sandbox = Sandbox::new(Env::over(Arc::new(store.clone()), START_MS));
        let statements = case.create.iter().chain(std::iter::once(&case.statement));
        if !statements.into_iter().all(|text| ran(&mut sandbox, text)) {
            refused += 1;
        }
        for entry in sandbox.tables() {
            let Some(snapshot) = block_on(Snapshot::load(&store, &entry.root, None)).unwrap() else { continue };
            // A table without columns has no rows that could differ, and it may have been without them at first.
            let first = block_on(Snapshot::load(&store, &entry.root, Some(0))).unwrap();
            if first.is_none_or(|first| first.schema().fields.is_empty()) {
                continue;
            }
            let at =
                |version| query(&mut sandbox, &format!("SELECT * FROM {} VERSION AS OF {version}", entry.short_name()));
            let versions = (0..=snapshot.version()).map(at).collect();
            dumped.push(Dumped { case: case.id.clone(), root: entry.root.clone(), store: store.clone(), versions });
        }
    }
    (dumped, refused)
}

fn ran(sandbox: &mut Sandbox, text: &str) -> bool {
    let parsed = sql::parse(text);
    parsed.diagnostics.is_empty()
        && parsed.statements.iter().all(|statement| block_on(sandbox.execute(text, statement, &mut Silent)).is_ok())
}

fn query(sandbox: &mut Sandbox, text: &str) -> Vec<Value> {
    let parsed = sql::parse(text);
    let outcome = block_on(sandbox.execute(text, &parsed.statements[0], &mut Silent));
    let outcome = outcome.unwrap_or_else(|problem| panic!("{text}: {problem}"));
    sorted(&rows(&outcome.rows.unwrap().batches).unwrap())
}
