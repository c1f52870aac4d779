//! Data skipping never loses a row: what a filter finds with the statistics it finds without them too.

use crate::fixtures::{ROOT, load, run, sandbox};
use cli::value::{rows, sorted};
use delta::actions::Action;
use delta::log::parse_commit;
use delta::storage::{InMemory, Storage};
use engine::env::START_MS;
use engine::observe::{Event, Observer};
use engine::sandbox::Sandbox;
use host::block_on;
use serde_json::Value;
use std::path::Path;
use testkit::random::Random;

/// Every type that has statistics, and one without; the values that are hard to bound.
const COLUMNS: [(&str, &str, &[&str]); 12] = [
    ("b", "BOOLEAN", &["true", "false"]),
    ("t", "TINYINT", &["-128", "0", "127"]),
    ("i", "INT", &["-2147483648", "-1", "0", "5", "7", "2147483647"]),
    ("l", "BIGINT", &["9007199254740993", "9007199254740992", "-3", "5"]),
    ("f", "FLOAT", &["0.1", "CAST('NaN' AS FLOAT)", "CAST('-0.0' AS FLOAT)", "0.0", "3.5"]),
    (
        "d",
        "DOUBLE",
        &["0.1D", "CAST('NaN' AS DOUBLE)", "CAST('-0.0' AS DOUBLE)", "CAST('Infinity' AS DOUBLE)", "0.0D", "-2.5D"],
    ),
    ("n", "DECIMAL(20,4)", &["0.0001", "-12345678901234.5678", "1.5", "0"]),
    (
        "s",
        "STRING",
        &[
            "''",
            "'a'",
            "'ab'",
            "'abcdefghijklmnopqrstuvwxyz0123456789'",
            "'abcdefghijklmnopqrstuvwxyz012345'",
            "concat(repeat('é', 40), 'z')",
            "repeat('😀', 33)",
        ],
    ),
    ("day", "DATE", &["DATE'1500-03-01'", "DATE'2024-02-29'", "DATE'9999-12-31'"]),
    (
        "ts",
        "TIMESTAMP",
        &[
            "TIMESTAMP'2024-01-01 10:00:00.123456'",
            "TIMESTAMP'2024-01-01 10:00:00.123'",
            "TIMESTAMP'1969-12-31 23:59:59.999999'",
            "TIMESTAMP'2024-01-02 00:00:00'",
        ],
    ),
    ("ntz", "TIMESTAMP_NTZ", &["'2024-01-01 10:00:00.123456'", "'1969-12-31 23:59:59.9999'"]),
    ("bin", "BINARY", &["X'00FF'", "X''"]),
];

/// `{c}` is a column, `{v}` and `{w}` are values of its type.
const PREDICATES: [&str; 22] = [
    "{c} = {v}",
    "{c} <=> {v}",
    "{c} <> {v}",
    "{c} < {v}",
    "{c} <= {v}",
    "{c} > {v}",
    "{c} >= {v}",
    "{v} < {c}",
    "NOT ({c} = {v})",
    "NOT ({c} <=> {v})",
    "NOT ({c} < {v})",
    "NOT ({c} <> {v})",
    "{c} IS NULL",
    "{c} IS NOT NULL",
    "{c} IN ({v}, {w})",
    "{c} NOT IN ({v}, {w})",
    "{c} IN ({v}, NULL)",
    "{c} BETWEEN {v} AND {w}",
    "{c} NOT BETWEEN {v} AND {w}",
    "{c} = {v} OR {c} IS NULL",
    "NOT ({c} = {v} OR {c} = {w})",
    "NOT ({c} >= {v} AND {c} <= {w})",
];

/// Conditions of other shapes.
const OTHERS: [&str; 30] = [
    "b",
    "NOT b",
    "t + 1 = 1",
    "i / 2 > 1",
    "-d = 2.5D",
    "l = 9007199254740993",
    "f > 0.1",
    "f = 0.1",
    "d >= 0.0",
    "CAST(i AS STRING) = '5'",
    "i > '4'",
    "s LIKE 'ab%'",
    "s LIKE '%z'",
    "s NOT LIKE 'a%'",
    "startswith(s, 'é')",
    "upper(s) = 'AB'",
    "upper(s) IN ('A', 'AB')",
    "length(s) > 2",
    "CAST(ts AS DATE) = DATE'2024-01-01'",
    "CAST(ts AS DATE) <> DATE'2024-01-01'",
    "CAST(ts AS DATE) < DATE'2024-01-01'",
    "CAST(ts AS DATE) >= DATE'2024-01-02'",
    "DATE'2024-01-01' >= CAST(ntz AS DATE)",
    "NOT (CAST(ts AS DATE) = DATE'1969-12-31')",
    "st.x = 5",
    "st.x IS NULL",
    "st IS NULL",
    "st.x > 5 OR st.y = 'q'",
    "coalesce(i, 5) = 5",
    "CASE WHEN i = 5 THEN true ELSE b END",
];

const N_FILES: usize = 8;

/// Files of few rows, some columns all NULL in some of them.
fn table(numbers: &mut Random, properties: &str) -> InMemory {
    let store = InMemory::new();
    let mut sandbox = sandbox(&store);
    let columns: Vec<String> = COLUMNS.iter().map(|(name, data_type, _)| format!("{name} {data_type}")).collect();
    let create =
        format!("CREATE TABLE t ({}, st STRUCT<x: INT, y: STRING>) USING delta {properties}", columns.join(", "));
    run(&mut sandbox, &create).unwrap();
    for _ in 0..N_FILES {
        let nulls: Vec<usize> = COLUMNS.iter().map(|_| [0, 30, 100][numbers.below(3)]).collect();
        let row = |numbers: &mut Random| {
            let value = |((_, data_type, values), nulls): (&(&str, &str, &[&str]), &usize)| {
                let text = if numbers.below(100) < *nulls { "NULL" } else { numbers.pick(values) };
                format!("CAST({text} AS {data_type})")
            };
            let values: Vec<String> = COLUMNS.iter().zip(&nulls).map(value).collect();
            let structs = ["NULL", "named_struct('x', 5, 'y', 'q')", "named_struct('x', CAST(NULL AS INT), 'y', 'r')"];
            format!("({}, {})", values.join(", "), numbers.pick(&structs))
        };
        let rows: Vec<String> = (0..=numbers.below(3)).map(|_| row(numbers)).collect();
        run(&mut sandbox, &format!("INSERT INTO t VALUES {}", rows.join(", "))).unwrap();
    }
    store
}

/// The same table without statistics.
fn blind(store: &InMemory) -> InMemory {
    let blind = store.fork();
    let is_commit = |path: &str| path.starts_with(&format!("{ROOT}/_delta_log/")) && path.ends_with(".json");
    for file in store.files().iter().filter(|file| is_commit(&file.path)) {
        let mut text = String::new();
        for action in parse_commit(&file.path, &block_on(store.get(&file.path)).unwrap()).unwrap() {
            let action = match action {
                Action::Add(mut add) => {
                    add.stats = None;
                    Action::Add(add)
                }
                other => other,
            };
            text.push_str(&serde_json::to_string(&action).unwrap());
            text.push('\n');
        }
        block_on(blind.put(&file.path, text.into(), START_MS)).unwrap();
    }
    blind
}

fn found(sandbox: &mut Sandbox, predicate: &str) -> Vec<Value> {
    let text = format!("SELECT * FROM t WHERE {predicate}");
    let outcome = run(sandbox, &text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
    sorted(&rows(&outcome.rows.unwrap().batches).unwrap())
}

/// How many files a DELETE has kept.
#[derive(Default)]
struct Kept(Option<usize>);

impl Observer for Kept {
    fn on(&mut self, event: Event<'_>) {
        if let Event::Pruned(decisions) = event {
            self.0 = Some(decisions.iter().filter(|decision| decision.kept).count());
        }
    }
}

fn n_kept(store: &InMemory, predicate: &str) -> usize {
    let mut kept = Kept::default();
    let text = format!("DELETE FROM t WHERE {predicate}");
    let parsed = sql::parse(&text);
    // What the table asks of writers is not the question here.
    let _ = block_on(sandbox(&store.fork()).execute(&text, &parsed.statements[0], &mut kept));
    kept.0.unwrap()
}

fn check(properties: &str, seed: u64) -> (usize, usize) {
    let mut numbers = Random::new(seed);
    let store = table(&mut numbers, properties);
    let blind = blind(&store);
    let (mut seeing, mut unseeing) = (sandbox(&store), sandbox(&blind));
    let mut predicates: Vec<String> = OTHERS.iter().map(|text| (*text).to_owned()).collect();
    for (name, data_type, values) in COLUMNS {
        for shape in PREDICATES {
            let mut value = || format!("CAST({} AS {data_type})", numbers.pick(values));
            predicates.push(shape.replace("{c}", name).replace("{v}", &value()).replace("{w}", &value()));
        }
    }
    let mut n_skipped = 0;
    for predicate in &predicates {
        assert_eq!(found(&mut seeing, predicate), found(&mut unseeing, predicate), "{predicate}");
        n_skipped += usize::from(n_kept(&store, predicate) < N_FILES);
    }
    (predicates.len(), n_skipped)
}

#[test]
fn a_filter_finds_the_same_rows_with_and_without_statistics() {
    let (n_predicates, n_skipped) = check("", 0x5EED);
    println!("{n_predicates} filters, {n_skipped} of them skip files");
    // Skipping that never happens would pass too.
    assert!(n_skipped > n_predicates / 4, "{n_skipped} of {n_predicates}");
}

/// The day of the base column follows from the partition even where nothing else is known of it.
#[test]
fn a_generated_partition_column_rules_files_out_by_the_column_it_is_made_from() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/delta/tests/data/generated-identity-default/table");
    let store = blind(&load(&folder));
    for (predicate, expected) in [
        ("ts < TIMESTAMP'2025-03-01 00:00:00'", 0),
        ("ts = TIMESTAMP'2025-03-01 23:59:59.999999'", 1),
        ("ts >= TIMESTAMP'2025-03-02 00:00:00'", 2),
        ("ts IS NULL", 0),
        ("k = 100", 3),
    ] {
        assert_eq!(n_kept(&store, predicate), expected, "{predicate}");
    }
}

#[test]
fn files_are_skipped_for_the_reasons_of_the_reference() {
    let store = InMemory::new();
    let mut sandbox = sandbox(&store);
    run(&mut sandbox, "CREATE TABLE t (i INT, s STRING, ts TIMESTAMP, b BOOLEAN, st STRUCT<x: INT>) USING delta")
        .unwrap();
    for row in [
        "(1, 'apple', TIMESTAMP'2024-01-01 10:00:00.5', true, named_struct('x', 1))",
        "(9, 'banana', TIMESTAMP'2024-01-03 10:00:00', false, named_struct('x', 9))",
        "(NULL, NULL, NULL, NULL, NULL)",
    ] {
        run(&mut sandbox, &format!("INSERT INTO t VALUES {row}")).unwrap();
    }
    let kept = [
        ("i = 9", 1),
        ("i <=> 9", 1),
        ("NOT i = 9", 1),
        ("i IS NULL", 1),
        ("i IS NOT NULL", 2),
        ("i IN (2, 5)", 0),
        ("i IN (0, 2, 3, 4, 5)", 1),
        ("i NOT IN (1)", 1),
        ("i BETWEEN 2 AND 8", 0),
        ("i = 1 OR i = 9", 2),
        ("i = 1 AND s = 'banana'", 0),
        ("s LIKE 'b%'", 1),
        ("s > 'apple' AND s < 'banana'", 0),
        ("ts = TIMESTAMP'2024-01-01 10:00:00.5004'", 1),
        ("CAST(ts AS DATE) = DATE'2024-01-03'", 1),
        ("CAST(ts AS DATE) > DATE'2024-01-01'", 1),
        ("i + 1 = 5", 2),
        ("upper(s) = 'X'", 2),
        ("st.x = 9", 1),
        ("b", 2),
        ("coalesce(i, 1) = 1", 3),
        ("i = length(s)", 2),
        ("st IS NULL", 3),
    ];
    for (predicate, expected) in kept {
        assert_eq!(n_kept(&store, predicate), expected, "{predicate}");
    }
}
