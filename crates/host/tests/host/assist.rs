//! Help with a text that is being written.

use host::{Host, block_on};
use protocol::{Assistance, ErrorReport, ReplyBody, Request, RunReport};

const SETUP: &str =
    "CREATE TABLE tgt (k INT NOT NULL, v STRING) USING DELTA; CREATE TABLE src (k INT, v STRING) USING DELTA;
INSERT INTO tgt VALUES (1, 'a'), (2, NULL); CREATE TEMP VIEW young AS SELECT k AS id, upper(v) AS name FROM src";

fn ask(host: &mut Host, request: Request) -> ReplyBody {
    block_on(host.handle(request, &mut |_| ()))
}

fn assist(host: &mut Host, setup: Option<&str>, text: &str) -> Assistance {
    let request = Request::Assist { setup: setup.map(str::to_owned), text: text.to_owned(), clock: None };
    match ask(host, request) {
        ReplyBody::Assisted(help) => *help,
        other => panic!("{other:?}"),
    }
}

fn run(host: &mut Host, setup: &str, text: &str) -> RunReport {
    match ask(host, Request::Run { setup: setup.to_owned(), text: text.to_owned(), clock: None }) {
        ReplyBody::Ran(report) => *report,
        other => panic!("{other:?}"),
    }
}

fn error(report: &RunReport) -> &ErrorReport {
    let failed = report.statements.iter().find_map(|statement| statement.error.as_ref());
    failed.unwrap_or_else(|| panic!("nothing failed: {report:?}"))
}

fn shown(help: &Assistance) -> Vec<String> {
    let relations = help.relations.iter().map(|relation| {
        let columns = relation.columns.iter().map(|column| format!("{} {}", column.name, column.data_type));
        format!(
            "{}{} ({})",
            relation.name,
            if relation.is_view { "*" } else { "" },
            columns.collect::<Vec<_>>().join(", ")
        )
    });
    relations.collect()
}

fn applied(text: &str, edit: &protocol::Edit) -> String {
    format!("{}{}{}", &text[..edit.span.0 as usize], edit.replacement, &text[edit.span.1 as usize..])
}

#[test]
fn the_catalog_is_that_of_the_setup_and_of_the_text() {
    let mut host = Host::new("t");
    let help = assist(&mut host, Some(SETUP), "CREATE TABLE mine (a DATE) USING DELTA; DROP TABLE src");
    assert_eq!(shown(&help), ["mine (a date)", "tgt (k int, v string)", "young* (id int, name string)"]);
    let help = assist(&mut host, Some(SETUP), "SELECT 1");
    assert_eq!(shown(&help), ["src (k int, v string)", "tgt (k int, v string)", "young* (id int, name string)"]);
    assert_eq!(shown(&assist(&mut host, Some(""), "")), Vec::<String>::new());
}

#[test]
fn without_a_setup_it_is_that_of_what_was_run() {
    let mut host = Host::new("t");
    assert_eq!(shown(&assist(&mut host, None, "")), Vec::<String>::new());
    run(&mut host, "", "CREATE TABLE made AS SELECT 1 AS one, 'x' AS two");
    assert_eq!(shown(&assist(&mut host, None, "DROP TABLE nothing")), ["made (one int, two string)"]);
    assist(&mut host, Some(SETUP), "");
    assert_eq!(shown(&assist(&mut host, None, "")), ["made (one int, two string)"], "help changes nothing");
}

#[test]
fn errors_and_warnings_come_with_their_places() {
    let text = "SELEC 1; MERGE INTO tgt t USING src s ON t.k = s.k WHEN MATCHED AND t.v <> s.v THEN UPDATE SET *";
    let help = assist(&mut Host::new("t"), Some(SETUP), text);
    assert_eq!(help.errors.iter().map(|error| error.condition.as_str()).collect::<Vec<_>>(), ["PARSE_SYNTAX_ERROR"]);
    let [warning] = help.warnings.as_slice() else { panic!("{:?}", help.warnings) };
    assert_eq!(warning.condition, "MERGELAB_WARNING.NULL_UNSAFE_COMPARISON");
    let (start, end) = warning.span.unwrap();
    assert_eq!(&text[start as usize..end as usize], "t.v <> s.v");
    assert_eq!(warning.edits.len(), 2);
}

#[test]
fn the_words_are_many_and_sorted() {
    let ReplyBody::Words { keywords, functions, members } = ask(&mut Host::new("t"), Request::Words) else {
        panic!("no words")
    };
    assert!(keywords.is_sorted() && keywords.iter().any(|word| word == "MATCHED"));
    assert!(functions.is_sorted() && functions.len() > 150, "{}", functions.len());
    assert!(members.iter().any(|owner| owner.starts_with("DataFrame ") && owner.contains(" withColumn ")));
    for name in ["row_number", "coalesce", "explode", "count", "date_sub"] {
        assert!(functions.iter().any(|function| function == name), "{name}");
    }
}

#[test]
fn an_unknown_name_in_a_merge_comes_with_the_near_ones_and_both_schemas() {
    let text = "MERGE INTO tgt t USING young s ON t.k = s.id WHEN MATCHED THEN UPDATE SET v = s.nane";
    let report = run(&mut Host::new("t"), SETUP, text);
    let error = error(&report);
    assert_eq!(error.condition, "DELTA_MERGE_UNRESOLVED_EXPRESSION");
    let hint = error.hint.as_deref().unwrap();
    assert!(hint.contains("The target is t (k, v), the source is s (id, name)."), "{hint}");
    let fixed = applied(text, &error.edits[0]);
    assert!(fixed.ends_with("v = s.name"), "{fixed}");
    assert!(run(&mut Host::new("t"), SETUP, &fixed).statements[0].error.is_none());
}

const DUPLICATES: &str = "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE";

/// Applies the deduplication that is offered, asserts that the script then runs, and gives it back.
fn deduplicated(setup: &str, text: &str) -> String {
    let report = run(&mut Host::new("t"), setup, text);
    let error = error(&report);
    assert_eq!(error.condition, DUPLICATES);
    let fixed = applied(text, &error.edits[0]);
    let report = run(&mut Host::new("t"), setup, &fixed);
    assert!(report.statements.iter().all(|statement| statement.error.is_none()), "{fixed}\n{report:?}");
    fixed
}

#[test]
fn duplicates_of_a_script_are_shown_with_their_lines() {
    let text = "MERGE INTO tgt t\nUSING (SELECT * FROM VALUES\n  (1, 'x'),\n  (3, 'y'),\n  (1, 'z') AS v(k, v)) AS s\n\
                ON t.k = s.k WHEN MATCHED THEN UPDATE SET *";
    let report = run(&mut Host::new("t"), SETUP, text);
    let error = error(&report);
    let [sources, target] = error.rows.as_slice() else { panic!("{:?}", error.rows) };
    assert_eq!((sources.total, sources.rows.len(), target.rows.len()), (2, 2, 1));
    let places: Vec<&str> = sources.spans.iter().map(|span| &text[span.0 as usize..span.1 as usize]).collect();
    assert_eq!(places, ["1, 'x'", "1, 'z'"]);
    assert!(target.spans.is_empty());
    let filtered = text.replace(") AS s", " WHERE k < 9) AS s");
    let report = run(&mut Host::new("t"), SETUP, &filtered);
    assert!(self::error(&report).rows[0].spans.is_empty(), "a filter may drop rows, so none is pointed at");
}

#[test]
fn the_offered_deduplication_runs() {
    let with_cte = "WITH d AS (VALUES (1, 'x'), (1, 'y') AS v(k, v)) MERGE INTO tgt USING d ON tgt.k = d.k \
                    WHEN MATCHED THEN UPDATE SET v = d.v";
    deduplicated(SETUP, with_cte);
    let source = "MERGE INTO tgt t USING (SELECT * FROM VALUES (1, 'x', DATE'2026-01-01', 7), (1, 'y', DATE'2026-01-02', 5) \
                  AS v(`my key`, v, day, no)) s ON t.k = s.`my key` WHEN MATCHED THEN UPDATE SET v = s.v";
    let fixed = deduplicated(SETUP, source);
    assert!(fixed.contains("PARTITION BY s.`my key` ORDER BY day DESC, no DESC) AS nth"), "{fixed}");
    assert_eq!(assist(&mut Host::new("t"), Some(SETUP), &fixed).warnings, [], "what is offered is no trap itself");
}

#[test]
fn the_deduplication_of_the_lesson_keeps_the_latest_scan() {
    let file = include_str!("../../../../lessons/basics/duplicate-match.md");
    let between = |from: &str| file.split_once(from).unwrap().1.split_once("```").unwrap().0;
    let setup = between("```sql setup\n");
    let statement = between("label=\"Tuesday's scans\"\n");
    let fixed = deduplicated(setup, statement);
    assert!(fixed.contains("PARTITION BY s.parcel_id ORDER BY seen_at DESC, scan_no DESC"), "{fixed}");
    let script = format!("{fixed}; SELECT status FROM parcel WHERE parcel_id = 102");
    let report = run(&mut Host::new("t"), setup, &script);
    let grid = report.statements.last().unwrap().grid.as_ref().unwrap();
    assert_eq!(grid.rows, [[Some("delivered".to_owned())]]);
}
