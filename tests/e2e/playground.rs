//! Someone who pastes a statement of their own.

use crate::browser::{Browser, key};

const MERGE: &str = "MERGE INTO crm.members m
USING staging.changes c ON m.member_id = c.member_id
WHEN MATCHED AND c.op = 'DELETE' THEN DELETE
WHEN MATCHED THEN UPDATE SET m.plan = c.plan, m.changed_at = c.ts
WHEN NOT MATCHED AND c.op != 'DELETE' THEN INSERT (member_id, plan, changed_at) VALUES (c.member_id, c.plan, c.ts);
";

/// A playground of the wide page, open and with an engine.
pub(crate) fn open(browser: &Browser) {
    browser.show_as(1440, 900, false);
    browser.open("#/playground");
    browser.wait_for("#engine-status[data-state=ready]");
}

/// Runs a text that has no error.
pub(crate) fn run(browser: &Browser, text: &str) {
    browser.replace_text("#editor", text);
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_text("#status", |status| status.contains("statement") && status.ends_with("ran."));
    browser.wait_gone("#result .error");
}

/// What the playground lists, in short.
pub(crate) fn kinds(browser: &Browser) -> Vec<String> {
    let script = "return [...document.querySelectorAll('#steps .kind')].map((kind) => kind.textContent);";
    let kinds = browser.evaluate(script, &[]);
    let kinds = kinds.as_array().cloned().unwrap_or_default();
    kinds.iter().map(|kind| kind.as_str().unwrap_or_default().to_owned()).collect()
}

pub(crate) fn wait_kinds(browser: &Browser, expected: &[&str]) {
    browser.wait(&format!("the steps {expected:?}"), || (kinds(browser) == expected).then_some(()));
}

#[test]
fn a_pasted_merge_runs_in_two_clicks() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("");
    browser.click("header a[href='#/playground']");
    browser.wait_for("nav.lessons a[href='#/playground'][aria-current=page]");
    browser.replace_text("#editor", MERGE);
    browser.click("#run");
    browser.wait_text("#result .error", |text| text.contains("TABLE_OR_VIEW_NOT_FOUND"));
    browser.screenshots("playground-samples");
    browser.click("#make-samples");
    browser.wait_gone("#result .error");
    browser.wait_for("#timeline");
    wait_kinds(&browser, &["SAMPLE TABLES", "MERGE"]);
    let tables = browser.text("#tables");
    assert!(tables.contains("crm.members") && tables.contains("staging.changes"), "{tables}");
    browser.screenshots("playground");
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

#[test]
fn statements_add_up_and_can_be_taken_back_and_come_again() {
    let browser = Browser::start();
    open(&browser);
    run(&browser, "CREATE TABLE t (k INT) USING DELTA; INSERT INTO t VALUES (1), (2);");
    run(&browser, "INSERT INTO t VALUES (3); SELECT count(*) AS n FROM t;");
    assert_eq!(browser.text("#result td"), "3");
    wait_kinds(&browser, &["CREATE TABLE", "INSERT", "INSERT"]);
    browser.click("#undo-step");
    wait_kinds(&browser, &["CREATE TABLE", "INSERT"]);
    browser.wait_text("#tables", |text| text.contains("2 rows"));
    browser.click("#redo-step");
    wait_kinds(&browser, &["CREATE TABLE", "INSERT", "INSERT"]);
    browser.wait_text("#tables", |text| text.contains("3 rows"));

    // A run that fails leaves nothing, whatever came before the failure.
    browser.replace_text("#editor", "INSERT INTO t VALUES (4); SELECT nowhere;");
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_for("#result .error");
    run(&browser, "SELECT count(*) AS n FROM t;");
    assert_eq!(browser.text("#result td"), "3");

    browser.click("#empty");
    browser.click("#confirm-empty");
    wait_kinds(&browser, &[]);
    browser.wait_text("#tables", |text| text.contains("No tables yet"));
}

#[test]
fn a_reload_brings_the_tables_back_and_runs_nothing_else() {
    let browser = Browser::start();
    open(&browser);
    run(&browser, "CREATE TABLE t (k INT) USING DELTA; INSERT INTO t VALUES (1), (2);");
    wait_kinds(&browser, &["CREATE TABLE", "INSERT"]);
    browser.replace_text("#editor", "INSERT INTO t VALUES (99);");
    browser.reload();
    browser.wait_text("#tables", |text| text.contains("2 rows"));
    assert_eq!(browser.text("#status"), "2 statements make what is here.");
    let text = browser.evaluate("return document.querySelector('#editor').value;", &[]);
    assert_eq!(text.as_str(), Some("INSERT INTO t VALUES (99);"), "the text is there and did not run");
    run(&browser, "SELECT count(*) AS n FROM t;");
    assert_eq!(browser.text("#result td"), "2");
}

#[test]
fn a_ready_statement_is_written_and_not_run() {
    let browser = Browser::start();
    open(&browser);
    browser.click(".ready button:nth-of-type(2)");
    browser.wait("the text", || {
        let text = browser.evaluate("return document.querySelector('#editor').value;", &[]);
        text.as_str().is_some_and(|text| text.contains("PARTITIONED BY")).then_some(())
    });
    assert_eq!(kinds(&browser), Vec::<String>::new());
    browser.press(&[key::CONTROL], &[key::ENTER]);
    wait_kinds(&browser, &["CREATE TABLE", "INSERT", "MERGE"]);
    browser.wait_text("#tables", |text| text.contains("10 files") || text.contains("files"));
}
