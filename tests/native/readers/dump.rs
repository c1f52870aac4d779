//! Tables of the suite, with our rows at every version.

use crate::cases::load;
use crate::fixtures::{ROOT, load as load_table, run, sandbox};
use cli::value::{rows, sorted};
use delta::snapshot::Snapshot;
use delta::storage::InMemory;
use engine::env::{Env, START_MS};
use engine::observe::Silent;
use engine::sandbox::Sandbox;
use host::block_on;
use serde_json::Value;
use std::path::Path;
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

/// Statements on recorded tables that ask more of writers: mapped columns, row ids, V2 checkpoints.
const ON_RECORDED: [(&str, &[&str]); 4] = [
    (
        "column-mapping-name",
        &[
            "INSERT INTO t VALUES (10, 1.25, 'west', 3), (11, NULL, NULL, NULL)",
            "UPDATE t SET note = 4 WHERE order_no = 10",
            "MERGE INTO t USING (SELECT * FROM VALUES (2, 'east'), (12, 'west') AS v(n, a)) s ON t.order_no = s.n \
             WHEN MATCHED THEN UPDATE SET area = s.a WHEN NOT MATCHED THEN INSERT (order_no, area) VALUES (s.n, s.a)",
            "DELETE FROM t WHERE `unit price (EUR)` > 5",
        ],
    ),
    (
        "column-mapping-upgraded",
        &[
            "INSERT INTO t VALUES (3, named_struct('z', 3, 'y', 'r')), (4, NULL)",
            "UPDATE t SET b = named_struct('z', 9, 'y', 'w') WHERE id <= 2",
            "DELETE FROM t WHERE b.z = 3",
        ],
    ),
    (
        "clustered-row-tracking",
        &[
            "INSERT INTO t VALUES (20, 'west'), (21, 'north')",
            "UPDATE t SET region = 'far' WHERE id = 20",
            "DELETE FROM t WHERE id = 21",
        ],
    ),
    ("checkpoint-v2-json", &["INSERT INTO t VALUES (20, 'w')", "INSERT INTO t VALUES (21, 'x')"]),
];

/// Tables of ours that map their columns.
const MAPPED: [&[&str]; 3] = [
    &[
        "CREATE TABLE t (id INT, s STRUCT<a: INT, b: ARRAY<STRUCT<c: INT>>>, m MAP<STRING, STRUCT<d: INT>>, p STRING) \
         USING delta PARTITIONED BY (p) TBLPROPERTIES ('delta.columnMapping.mode' = 'name')",
        "INSERT INTO t VALUES (1, named_struct('a', 1, 'b', array(named_struct('c', 2))), \
         map('k', named_struct('d', 3)), 'x'), (2, NULL, NULL, NULL)",
        "ALTER TABLE t RENAME COLUMN id TO `the id`",
        "ALTER TABLE t ADD COLUMN later INT",
        "UPDATE t SET later = 5 WHERE `the id` = 1",
        "DELETE FROM t WHERE p IS NULL",
    ],
    &[
        "CREATE TABLE t (id INT, v STRING) USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'id')",
        "INSERT INTO t VALUES (1, 'a'), (2, NULL)",
        "MERGE INTO t USING (SELECT 2 AS id, 'b' AS v) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET *",
    ],
    &[
        "CREATE TABLE t (id INT, v STRING) USING delta",
        "INSERT INTO t VALUES (1, 'a')",
        "ALTER TABLE t SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')",
        "ALTER TABLE t DROP COLUMN v",
        "ALTER TABLE t ADD COLUMN v INT",
        "INSERT INTO t VALUES (2, 7)",
    ],
];

/// Recorded tables after statements of ours, and tables that map their columns.
fn continued() -> Vec<Dumped> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/delta/tests/data");
    let mut dumped = Vec::new();
    let recorded =
        ON_RECORDED.iter().map(|(name, statements)| (*name, load_table(&data.join(name).join("table")), *statements));
    let mapped = MAPPED.iter().map(|statements| ("mapped", InMemory::new(), *statements));
    for (name, store, statements) in recorded.chain(mapped) {
        let mut sandbox = sandbox(&store);
        for text in statements {
            run(&mut sandbox, text).unwrap_or_else(|problem| panic!("{name}: {text}: {problem}"));
        }
        let snapshot = block_on(Snapshot::load(&store, ROOT, None)).unwrap().unwrap();
        let at = |version| query(&mut sandbox, &format!("SELECT * FROM t VERSION AS OF {version}"));
        let versions = (0..=snapshot.version()).map(at).collect();
        dumped.push(Dumped { case: name.to_owned(), root: ROOT.to_owned(), store, versions });
    }
    dumped
}

/// The Delta tables of every case that runs, and how many cases do not.
pub(super) fn tables() -> (Vec<Dumped>, usize) {
    let mut dumped = continued();
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
