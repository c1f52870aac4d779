//! Runs a query over tables in memory and writes its result as text.

use arrow::array::RecordBatch;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use async_trait::async_trait;
use query::{At, Catalog, Column, Found, Predicate, Session, Settings, Table, plan_query};
use spec::{Diagnostic, Name};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex};

/// 2024-03-10 12:34:56.789 UTC
pub(crate) const NOW: i64 = 1_710_074_096_789_000;

const TABLES: [(&str, &str); 4] = [
    ("t", "VALUES (1, 'a', 10, 1.5D), (2, 'a', 20, NULL), (3, 'b', NULL, 2.5D), (4, NULL, 40, 0.5D) AS t(id, k, v, d)"),
    ("s", "VALUES (1, 'one', 100), (2, 'two', 200), (2, 'deux', 201), (5, 'five', NULL) AS s(id, name, w)"),
    (
        "nested",
        "VALUES (1, named_struct('x', 1, 'y', 'u'), array(10, 20), map('a', 1, 'b', 2)),
                (2, named_struct('x', CAST(NULL AS INT), 'y', 'v'), array(), map()),
                (3, NULL, NULL, NULL) AS n(id, p, arr, m)",
    ),
    ("empty", "VALUES (1, 'x') AS e(id, k) WHERE id > 1"),
];

const VIEWS: [(&str, &str); 2] = [("big", "SELECT id, v FROM t WHERE v >= 20"), ("broken", "SELECT id, gone FROM t")];

#[derive(Debug)]
struct Memory {
    name: String,
    columns: Vec<Column>,
    batches: Vec<RecordBatch>,
    asked: Mutex<Vec<Predicate>>,
}

#[async_trait]
impl Table for Memory {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn is_delta(&self) -> bool {
        !self.name.ends_with(".s")
    }

    fn identifier(&self) -> &str {
        &self.name
    }

    fn n_bytes(&self) -> Option<u64> {
        None
    }

    async fn scan(
        &self,
        projection: &[usize],
        filter: &[Predicate],
        _: usize,
    ) -> Result<Vec<Vec<RecordBatch>>, Diagnostic> {
        self.asked.lock().unwrap().extend(filter.iter().cloned());
        Ok(vec![self.batches.iter().map(|batch| batch.project(projection).unwrap()).collect()])
    }
}

/// The tables and views that the cases read.
pub(crate) struct Memories {
    tables: BTreeMap<String, Arc<Memory>>,
}

#[async_trait]
impl Catalog for Memories {
    async fn relation(&self, name: &Name, at: Option<At>) -> Result<Found, Diagnostic> {
        let key = name.last().to_lowercase();
        if let Some((_, text)) = VIEWS.iter().find(|(view, _)| *view == key) {
            return Ok(Found::View {
                query: Box::new(sql::parse_query(text).unwrap()),
                columns: Vec::new(),
                schema: Vec::new(),
            });
        }
        let known = self.tables.get(&key).filter(|_| at.is_none_or(|at| at == At::Version(0)));
        match known {
            Some(table) => Ok(Found::Table(Arc::clone(table) as Arc<dyn Table>)),
            None => Err(Diagnostic::new("TABLE_OR_VIEW_NOT_FOUND", "42P01", format!("no {name}"), name.span())),
        }
    }
}

pub(crate) fn run<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

pub(crate) fn session() -> Session {
    Session::new(NOW, &Settings::default())
}

pub(crate) async fn catalog() -> Memories {
    let mut catalog = Memories { tables: BTreeMap::new() };
    for (name, values) in TABLES {
        let query = sql::parse_query(&format!("SELECT * FROM {values}")).unwrap();
        let plan = plan_query(&session(), &catalog, &query).await.unwrap();
        let batches = plan.collect(&session()).await.unwrap();
        let memory = Memory {
            name: format!("spark_catalog.default.{name}"),
            columns: plan.columns().to_vec(),
            batches,
            asked: Mutex::default(),
        };
        catalog.tables.insert(name.into(), Arc::new(memory));
    }
    catalog
}

impl Memories {
    /// The predicates that scans of a table were given so far.
    pub(crate) fn asked(&self, table: &str) -> Vec<Predicate> {
        self.tables.get(table).unwrap().asked.lock().unwrap().clone()
    }

    pub(crate) fn batches(&self, table: &str) -> (Vec<Column>, Vec<RecordBatch>) {
        let table = self.tables.get(table).unwrap();
        (table.columns.clone(), table.batches.clone())
    }
}

/// The columns with their types, then one line per row.
pub(crate) async fn answer(catalog: &Memories, text: &str) -> Result<String, Diagnostic> {
    let query = sql::parse_query(text)?;
    let session = session();
    let plan = plan_query(&session, catalog, &query).await?;
    let batches = plan.collect(&session).await?;
    let mut out = String::new();
    for (idx, column) in plan.columns().iter().enumerate() {
        let comma = if idx > 0 { ", " } else { "" };
        write!(out, "{comma}{} {}", column.name, column.data_type.spark_name()).unwrap();
    }
    let options = FormatOptions::default().with_null("NULL");
    for batch in &batches {
        for (column, declared) in batch.columns().iter().zip(plan.columns()) {
            assert_eq!(*column.data_type(), declared.data_type.to_arrow(), "{text}: {}", declared.name);
        }
        let formatters: Vec<ArrayFormatter<'_>> =
            batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options).unwrap()).collect();
        for row in 0..batch.num_rows() {
            let values: Vec<String> = formatters.iter().map(|formatter| formatter.value(row).to_string()).collect();
            write!(out, "\n{}", values.join("|")).unwrap();
        }
    }
    Ok(out)
}

/// Each case: a query, and the text of its answer. A query without ORDER BY is compared row by row in sorted order.
pub(crate) fn check(cases: &[(&str, &str)]) {
    assert!(!cases.is_empty());
    let catalog = run(catalog());
    let mut failures = Vec::new();
    for (text, expected) in cases {
        let got = match run(answer(&catalog, text)) {
            Ok(answer) => answer,
            Err(diagnostic) => format!("{diagnostic}"),
        };
        let expected: Vec<&str> = expected.lines().map(str::trim).collect();
        let mut got: Vec<&str> = got.lines().collect();
        let mut wanted = expected.clone();
        if !text.contains("ORDER BY") || text.contains("OVER (") {
            sort_rows(&mut got);
            sort_rows(&mut wanted);
        }
        if got != wanted {
            failures.push(format!(
                "{text}\n  wanted:\n    {}\n  got:\n    {}",
                wanted.join("\n    "),
                got.join("\n    ")
            ));
        }
    }
    assert!(failures.is_empty(), "{} of {} cases differ\n\n{}", failures.len(), cases.len(), failures.join("\n\n"));
}

fn sort_rows(lines: &mut [&str]) {
    if let Some((_, rows)) = lines.split_first_mut() {
        rows.sort_unstable();
    }
}

/// Each case: a query, the condition it fails with, and the text that the complaint points at.
pub(crate) fn refuse(cases: &[(&str, &str, &str)]) {
    assert!(!cases.is_empty());
    let catalog = run(catalog());
    let mut failures = Vec::new();
    for (text, condition, place) in cases {
        match run(answer(&catalog, text)) {
            Ok(answer) => failures.push(format!("{text}\n  runs: {answer}")),
            Err(diagnostic) => {
                let span = diagnostic.span.map_or("", |span| span.of(text));
                if diagnostic.condition != *condition || span != *place {
                    failures.push(format!("{text}\n  wanted {condition} at `{place}`\n  got {diagnostic} at `{span}`"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {} cases differ\n\n{}", failures.len(), cases.len(), failures.join("\n\n"));
}
