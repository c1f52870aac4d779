//! The built worker with the built engine, spoken to as the page does it.
//!
//! The engine is not linked here: `cargo xtask test` builds it once and puts the site below this folder, where
//! the test runner serves it.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::expect_used, clippy::panic, reason = "every function here is part of a test")]

mod engine;
mod parity;

use engine::{Engine, Stopped};
use protocol::{Reply, ReplyBody, Request, RunReport};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// What an engine is built as unless `cargo xtask dist` gives it an id.
const BUILD: &str = "dev";

const SETUP: &str = "
CREATE TABLE customers (id BIGINT, name STRING) USING DELTA;
INSERT INTO customers VALUES (1, 'Ada'), (2, 'Grace');
CREATE TABLE updates (id BIGINT, name STRING) USING DELTA;
INSERT INTO updates VALUES (2, 'Grace Hopper'), (3, 'Edsger');
";

const MERGE: &str = "
MERGE INTO customers AS t USING updates AS s ON t.id = s.id
WHEN MATCHED THEN UPDATE SET t.name = s.name
WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, s.name);
SELECT id, name FROM customers ORDER BY id;
";

fn run(text: &str) -> Request {
    Request::Run { setup: SETUP.to_owned(), text: text.to_owned(), clock: None }
}

fn report(reply: Result<Reply, Stopped>) -> RunReport {
    match reply {
        Ok(ReplyBody::Ran(report)) => *report,
        other => panic!("expected a report, got {other:?}"),
    }
}

fn rows(report: &RunReport) -> Vec<Vec<String>> {
    let grid = report.statements.last().and_then(|statement| statement.grid.as_ref()).expect("the SELECT gives a grid");
    let json = serde_json::to_value(&grid.rows).expect("rows are JSON");
    let text = |cell: &serde_json::Value| cell.as_str().map_or_else(|| cell.to_string(), str::to_owned);
    let rows = json.as_array().expect("a list of rows");
    rows.iter().map(|row| row.as_array().expect("a row is a list").iter().map(text).collect()).collect()
}

#[wasm_bindgen_test]
async fn hello_tells_version_and_build_and_refuses_another_version() {
    let mut engine = Engine::start().await;
    let hello = engine.ask(Request::Hello { version: protocol::VERSION, build: BUILD.to_owned() }).await;
    match hello.expect("the engine lives") {
        ReplyBody::Hello { version, build } => assert_eq!((version, build.as_str()), (protocol::VERSION, BUILD)),
        other => panic!("expected hello, got {other:?}"),
    }
    for (version, build) in [(protocol::VERSION + 1, BUILD), (protocol::VERSION, "another build")] {
        let reply = engine.ask(Request::Hello { version, build: build.to_owned() }).await;
        assert!(matches!(reply, Ok(ReplyBody::Refused { .. })), "version {version}, build {build}: {reply:?}");
    }
}

#[wasm_bindgen_test]
async fn a_merge_commits_its_rows_and_metrics() {
    let mut engine = Engine::start().await;
    let report = report(engine.ask(run(MERGE)).await);
    assert_eq!(report.errors, []);
    assert_eq!(rows(&report), [["1", "Ada"], ["2", "Grace Hopper"], ["3", "Edsger"]]);
    let customers = report.tables.iter().find(|table| table.name.ends_with("customers")).expect("the target");
    let newest = customers.history.first().expect("a commit");
    assert_eq!(newest.operation, "MERGE");
    let metric = |name: &str| newest.metrics.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    assert_eq!(metric("numTargetRowsUpdated"), Some("1"));
    assert_eq!(metric("numTargetRowsInserted"), Some("1"));
    assert_eq!(metric("numTargetRowsCopied"), Some("1"));
}

#[wasm_bindgen_test]
async fn the_same_run_gives_the_same_bytes() {
    let mut engine = Engine::start().await;
    let first = report(engine.ask(run(MERGE)).await);
    let second = report(engine.ask(run(MERGE)).await);
    assert_eq!(first.tables, second.tables);
}

#[wasm_bindgen_test]
async fn an_error_has_a_condition_and_a_place_and_commits_nothing() {
    let mut engine = Engine::start().await;
    let text = "MERGE INTO customers AS t USING nowhere AS s ON t.id = s.id WHEN MATCHED THEN DELETE";
    let report = report(engine.ask(run(text)).await);
    let error = report.statements.last().and_then(|statement| statement.error.as_ref()).expect("it must fail");
    assert_eq!(error.condition, "TABLE_OR_VIEW_NOT_FOUND");
    let (start, end) = error.span.expect("a place in the text");
    assert_eq!(&text[start as usize..end as usize], "nowhere");
    let customers = report.tables.iter().find(|table| table.name.ends_with("customers")).expect("the target");
    assert_eq!(customers.version, Some(1));
}

const PROGRAM: &str = "
from delta.tables import DeltaTable
t = DeltaTable.forName(spark, 'customers')
(t.alias('t').merge(spark.table('updates').alias('s'), 't.id = s.id')
 .whenMatchedUpdateAll().whenNotMatchedInsertAll().execute())
print(t.toDF().count(), 'customers')
";

#[wasm_bindgen_test]
async fn a_program_runs_beside_the_engine() {
    let mut engine = Engine::start().await;
    let report = report(engine.ask(run(PROGRAM)).await);
    let printed: String = report.statements.iter().filter_map(|statement| statement.printed.as_deref()).collect();
    assert_eq!(printed, "3 customers\n", "{report:?}");
    assert!(report.statements.iter().any(|statement| statement.kind == "MERGE" && statement.trace.is_some()));
}

#[wasm_bindgen_test]
async fn a_program_may_hold_many_objects() {
    let mut engine = Engine::start().await;
    let text = "many = list(range(70_000))\nnones = [None] * 70_000\nprint(len(many) + len(nones))\n";
    let report = report(engine.ask(run(text)).await);
    assert_eq!(report.statements[0].printed.as_deref(), Some("140000\n"), "{report:?}");
}

#[wasm_bindgen_test]
async fn python_that_cannot_be_fetched_is_told_and_sql_goes_on() {
    let mut engine = Engine::start_without_python().await;
    let failed = report(engine.ask(run(PROGRAM)).await);
    let error = failed.statements.last().and_then(|statement| statement.error.as_ref()).expect("it must fail");
    assert_eq!(error.condition, "MERGELAB_PYTHON_NOT_LOADED");
    assert_eq!(rows(&report(engine.ask(run(MERGE)).await)).len(), 3);
}

#[wasm_bindgen_test]
async fn a_panic_is_told_and_another_worker_takes_over() {
    let mut engine = Engine::start().await;
    let stopped = engine.ask(Request::Panic).await.expect_err("it must stop");
    assert!(stopped.message.contains("panic"), "the message of the panic arrives: {}", stopped.message);
    drop(engine);
    let mut engine = Engine::start().await;
    let report = report(engine.ask(run(MERGE)).await);
    assert_eq!(rows(&report).len(), 3);
}
