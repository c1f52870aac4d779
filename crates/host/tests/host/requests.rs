//! Requests and replies.

use host::{Host, block_on};
use protocol::{Envelope, Note, ReplyBody, Request, RunReport, VERSION};
use std::cell::RefCell;
use std::rc::Rc;

const SETUP: &str = "CREATE TABLE t (k INT, v STRING) USING DELTA; INSERT INTO t VALUES (1, 'a'), (2, NULL)";

fn ask(host: &mut Host, request: Request) -> ReplyBody {
    block_on(host.handle(request, &mut |_| ()))
}

fn ran(reply: ReplyBody) -> RunReport {
    match reply {
        ReplyBody::Ran(report) => *report,
        other => panic!("{other:?}"),
    }
}

fn run(host: &mut Host, text: &str) -> RunReport {
    ran(ask(host, Request::Run { setup: SETUP.into(), text: text.into(), clock: None }))
}

fn cells(report: &RunReport, statement: usize) -> Vec<Vec<Option<String>>> {
    report.statements[statement].grid.as_ref().unwrap().rows.clone()
}

fn text(cell: &str) -> Option<String> {
    Some(cell.to_owned())
}

#[test]
fn hello_answers_its_own_build_only() {
    let mut host = Host::new("b7");
    let hello = |version, build: &str| Request::Hello { version, build: build.into() };
    assert_eq!(ask(&mut host, hello(VERSION, "b7")), ReplyBody::Hello { version: VERSION, build: "b7".into() });
    assert!(matches!(ask(&mut host, hello(VERSION, "b8")), ReplyBody::Refused { .. }));
    assert!(matches!(ask(&mut host, hello(VERSION + 1, "b7")), ReplyBody::Refused { .. }));
}

#[test]
fn null_is_not_the_text_null() {
    let report = run(&mut Host::new("t"), "SELECT v, 'null' AS w FROM t ORDER BY k");
    assert_eq!(cells(&report, 0), [[text("a"), text("null")], [None, text("null")]]);
    let columns = &report.statements[0].grid.as_ref().unwrap().columns;
    assert_eq!(columns.iter().map(|column| column.data_type.as_str()).collect::<Vec<_>>(), ["string", "string"]);
}

#[test]
fn a_script_stops_at_the_failing_statement() {
    let mut host = Host::new("t");
    let script = "SELECT 1 AS one; SELECT nowhere FROM t; INSERT INTO t VALUES (3, 'c')";
    let report = run(&mut host, script);
    assert_eq!((report.statements.len(), report.total), (2, 3));
    assert!(report.statements[0].error.is_none());
    let error = report.statements[1].error.as_ref().unwrap();
    assert_eq!(error.condition, "UNRESOLVED_COLUMN.WITH_SUGGESTION");
    let (start, end) = error.span.unwrap();
    assert_eq!(&script[start as usize..end as usize], "nowhere");
    let count = ran(ask(&mut host, Request::Continue { text: "SELECT count(*) FROM t".into() }));
    assert_eq!(cells(&count, 0), [[text("2")]]);
}

#[test]
fn what_stands_before_a_broken_statement_still_runs() {
    let script = "SELECT 1 AS one; SELEC 2; SELECT 3 AS three; INSERT INTO INTO t";
    let report = run(&mut Host::new("t"), script);
    assert_eq!((report.statements.len(), report.total), (2, 4));
    assert_eq!(report.statements[1].error.as_ref().unwrap().condition, "PARSE_SYNTAX_ERROR");
    assert_eq!(report.errors.len(), 1, "the second broken statement is marked too: {:?}", report.errors);
}

#[test]
fn run_forgets_and_continue_remembers() {
    let mut host = Host::new("t");
    let count = |report: &RunReport| cells(report, report.statements.len() - 1)[0][0].clone();
    let script = "INSERT INTO t VALUES (3, 'c'); SELECT count(*) FROM t";
    assert_eq!(count(&run(&mut host, script)), text("3"));
    assert_eq!(count(&run(&mut host, script)), text("3"));
    assert_eq!(count(&ran(ask(&mut host, Request::Continue { text: script.into() }))), text("4"));
}

#[test]
fn the_clock_starts_where_the_request_says() {
    let mut host = Host::new("t");
    let query = "SELECT current_date()";
    assert_eq!(cells(&run(&mut host, query), 0), [[text("2026-01-15")]]);
    let request = Request::Run { setup: String::new(), text: query.into(), clock: Some("2025-03-01T12:00:00Z".into()) };
    assert_eq!(cells(&ran(ask(&mut host, request)), 0), [[text("2025-03-01")]]);
    let request = Request::Run { setup: String::new(), text: query.into(), clock: Some("noon".into()) };
    assert_eq!(ran(ask(&mut host, request)).errors[0].condition, "MERGELAB_INVALID_CLOCK");
}

#[test]
fn a_failing_setup_is_an_error_of_the_whole_run() {
    let request = Request::Run { setup: "SELECT * FROM nowhere".into(), text: "SELECT 1".into(), clock: None };
    let report = ran(ask(&mut Host::new("t"), request));
    assert_eq!((report.statements.len(), report.total, report.errors.len()), (0, 1, 1));
    assert_eq!(report.errors[0].condition, "TABLE_OR_VIEW_NOT_FOUND");
    assert_eq!(report.errors[0].span, None);
}

#[test]
fn a_table_shows_files_log_and_history() {
    let mut host = Host::new("t");
    let report = run(&mut host, "UPDATE t SET v = 'b' WHERE k = 2");
    assert_eq!(report.tables[0].name, "t");
    let ReplyBody::Table(table) = ask(&mut host, Request::Table { name: "t".into() }) else { panic!("no table") };
    assert_eq!(table.version, Some(2));
    assert_eq!(
        table.history.iter().map(|entry| entry.operation.as_str()).collect::<Vec<_>>(),
        ["UPDATE", "WRITE", "CREATE TABLE"]
    );
    assert_eq!(table.files.iter().map(|file| file.rows.len()).sum::<usize>(), 2);
    let told = table.objects.iter().filter(|object| object.text.is_some());
    let (footers, logs): (Vec<_>, Vec<_>) = told.partition(|object| object.path.ends_with(".parquet"));
    let logs: Vec<_> = logs.into_iter().map(|object| object.path.as_str()).collect();
    assert_eq!(
        logs,
        [
            "_delta_log/00000000000000000000.json",
            "_delta_log/00000000000000000001.json",
            "_delta_log/00000000000000000002.json"
        ]
    );
    let data = table.objects.iter().filter(|object| object.path.ends_with(".parquet")).count();
    assert_eq!(data, 2, "the removed file is still in the store");
    assert_eq!(footers.len(), 2);
    for footer in footers {
        let text = footer.text.as_deref().unwrap();
        assert!(text.contains("2 rows, 1 row group") && text.contains("\n  k INT32: "), "{text}");
    }
    assert!(matches!(ask(&mut host, Request::Table { name: "nowhere".into() }), ReplyBody::Refused { .. }));
}

#[test]
fn the_table_that_was_written_to_comes_first() {
    let setup = "CREATE TABLE a (k INT) USING DELTA; CREATE TABLE z (k INT) USING DELTA";
    let request = Request::Run { setup: setup.into(), text: "INSERT INTO z VALUES (1)".into(), clock: None };
    let report = ran(ask(&mut Host::new("t"), request));
    assert_eq!(report.tables.iter().map(|table| table.name.as_str()).collect::<Vec<_>>(), ["z", "a"]);
}

#[test]
fn json_goes_in_and_out_with_its_id() {
    let notes = Rc::new(RefCell::new(Vec::new()));
    let request =
        Envelope { id: 42, body: Request::Run { setup: SETUP.into(), text: "SELECT 1; SELECT 2".into(), clock: None } };
    let heard = Rc::clone(&notes);
    let note = Box::new(move |note| heard.borrow_mut().push(note));
    let mut serving = Host::new("t").serve(&serde_json::to_string(&request).unwrap(), note);
    let (_, reply) = serving.go_on().unwrap();
    let reply: Envelope<ReplyBody> = serde_json::from_str(&reply).unwrap();
    assert_eq!((reply.id, ran(reply.body).statements.len()), (42, 2));
    let notes: Vec<Envelope<Note>> = notes.borrow().iter().map(|note| serde_json::from_str(note).unwrap()).collect();
    let progress = |done| Envelope { id: 42, body: Note::Progress { done, total: 2 } };
    assert_eq!(notes, [progress(1), progress(2)]);
}

#[test]
fn text_that_is_no_request_is_refused() {
    for (text, id) in [("nonsense", 0), (r#"{"id": 7, "body": {"request": "fly"}}"#, 7)] {
        let (_, reply) = Host::new("t").serve(text, Box::new(|_| ())).go_on().unwrap();
        let reply: Envelope<ReplyBody> = serde_json::from_str(&reply).unwrap();
        assert_eq!(reply.id, id);
        assert!(matches!(reply.body, ReplyBody::Refused { .. }));
    }
}

#[test]
#[should_panic(expected = "panic on request")]
fn a_panic_can_be_asked_for() {
    ask(&mut Host::new("t"), Request::Panic);
}

#[test]
fn rows_that_collide_are_shown_whichever_check_finds_them() {
    let source = "USING (SELECT * FROM VALUES (1, NULL), (1, NULL), (2, 'y') AS s(k, w)) s ON t.k = s.k";
    for (clause, condition) in [
        ("WHEN MATCHED THEN UPDATE SET v = s.w", "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE"),
        ("WHEN MATCHED AND s.w > 'a' THEN UPDATE SET v = s.w", "DELTA_NUM_RECORDS_MISMATCH"),
    ] {
        let mut host = Host::new("t");
        let report = run(&mut host, &format!("MERGE INTO t {source} {clause}"));
        let error = report.statements[0].error.as_ref().unwrap();
        assert_eq!(error.condition, condition);
        let shown: Vec<_> = error.rows.iter().map(|sample| (sample.title.as_str(), sample.rows.clone())).collect();
        let sources = vec![vec![text("1"), None], vec![text("1"), None]];
        assert_eq!(shown, [("source rows", sources), ("target row", vec![vec![text("1"), text("a")]])]);
        assert!(error.hint.is_some() && error.span.is_some());
        let rows = ran(ask(&mut host, Request::Continue { text: "SELECT * FROM t ORDER BY k".into() }));
        assert_eq!(cells(&rows, 0), [[text("1"), text("a")], [text("2"), None]], "nothing is committed");
    }
}
