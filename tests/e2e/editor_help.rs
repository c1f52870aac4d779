//! What the editor tells before and after a run: names to choose from, marks, warnings, and repairs to press.

use serde_json::json;

use crate::browser::{Browser, key};
use crate::editor::{full_editor, wait_for_text};

/// The lesson about duplicates, once the engine has told what there is.
fn knowing() -> Browser {
    let browser = full_editor("#/lesson/duplicate-match");
    browser.wait_for("sql-editor[words*='\"tuesday\"']");
    browser
}

/// What the list of completions offers, best first.
pub(crate) fn offered(browser: &Browser) -> Vec<String> {
    let script = "const labels = document.querySelectorAll('.cm-tooltip-autocomplete .cm-completionLabel');
        return [...labels].map((label) => label.textContent);";
    let labels = browser.wait("the list of completions", || {
        browser.evaluate(script, &[]).as_array().filter(|labels| !labels.is_empty()).cloned()
    });
    labels.iter().filter_map(|label| label.as_str().map(str::to_owned)).collect()
}

/// Puts the cursor behind the first `before` in the text.
fn put_cursor_behind(browser: &Browser, before: &str) {
    let script = "const field = document.querySelector('#editor');
        const at = field.value.indexOf(arguments[0]) + arguments[0].length;
        field.focus(); field.setSelectionRange(at, at);";
    browser.evaluate(script, &[json!(before)]);
}

#[test]
fn names_are_completed_from_the_tables_that_the_statement_names() {
    let browser = knowing();
    browser.replace_text("#editor", "SELECT  FROM tuesday AS s");
    put_cursor_behind(&browser, "SELECT ");
    browser.press(&[key::CONTROL], &[" "]);
    let labels = offered(&browser);
    let mut first: Vec<&str> = labels.iter().take(5).map(String::as_str).collect();
    first.sort_unstable();
    assert_eq!(first, ["parcel_id", "s", "scan_no", "seen_at", "status"], "the columns of the table, before all else");
    browser.press(&[], &["s", "c", "a", "n"]);
    browser.wait("the one column", || (offered(&browser).first()? == "scan_no").then_some(()));
    browser.screenshot("completion");
    browser.press(&[], &[key::DOWN, key::ENTER]);
    wait_for_text(&browser, "SELECT scan_no FROM tuesday AS s");

    browser.replace_text("#editor", "CREATE TABLE fresh (odd INT) USING DELTA;\nSELECT f. FROM fresh f");
    browser.wait_for("sql-editor[words*='\"fresh\"']");
    put_cursor_behind(&browser, "f.");
    browser.press(&[key::CONTROL], &[" "]);
    assert_eq!(offered(&browser), ["odd"], "a table that the text itself makes, by its alias");
    browser.press(&[], &[key::ESCAPE]);

    browser.replace_text("#editor", "SELECT row_n");
    browser.press(&[key::CONTROL], &[" "]);
    assert!(offered(&browser).iter().any(|label| label == "row_number"), "functions of the engine");
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

const UNSAFE: &str = "MERGE INTO parcel AS t USING monday AS s ON t.parcel_id = s.parcel_id
WHEN MATCHED AND t.status <> s.status THEN UPDATE SET *";

#[test]
fn a_warning_is_marked_listed_reached_by_key_and_repaired_by_a_press() {
    let browser = knowing();
    browser.replace_text("#editor", UNSAFE);
    let item = ".problems [data-condition='MERGELAB_WARNING.NULL_UNSAFE_COMPARISON']";
    let told = browser.wait_text(item, |text| text.contains("line 2"));
    assert!(told.contains("Warning") && told.contains("NULL"), "{told}");
    browser.wait_text(".cm-lintRange-warning", |text| text.contains("t.status"));
    browser.wait_for("#editor[aria-invalid=false]");
    put_cursor_behind(&browser, "MERGE");
    browser.press(&[], &[key::F8]);
    browser.wait_text("#status", |text| text.starts_with("Warning, 1 of 1: "));
    let selected = "const field = document.querySelector('#editor');
        return field.value.slice(field.selectionStart, field.selectionEnd);";
    assert_eq!(browser.evaluate(selected, &[]), json!("t.status <> s.status"));
    browser.screenshots("warning");
    assert_eq!(browser.text_of_editor(), UNSAFE, "nothing is repaired unasked");

    browser.click(&format!("{item} button:not(.link)"));
    wait_for_text(&browser, &UNSAFE.replace("<>", "IS DISTINCT FROM"));
    browser.wait_gone(item);
    browser.wait_gone(".cm-lintRange-warning");
    browser.click("#undo");
    wait_for_text(&browser, UNSAFE);
    browser.wait_for(item);
}

#[test]
fn all_six_traps_are_warned_of() {
    let browser = knowing();
    let merge = |on: &str, clauses: &str| format!("MERGE INTO parcel AS t USING tuesday AS s ON {on} {clauses}");
    let numbered = |number: &str| {
        format!(
            "SELECT * FROM (SELECT *, {number}() OVER (PARTITION BY parcel_id ORDER BY seen_at DESC) AS n \
             FROM tuesday) WHERE n = 1"
        )
    };
    for (rule, text) in [
        ("UNCONDITIONAL_DELETE", merge("t.parcel_id = s.parcel_id", "WHEN NOT MATCHED BY SOURCE THEN DELETE")),
        ("NO_KEY_EQUALITY", merge("t.scan_no < s.scan_no", "WHEN MATCHED THEN UPDATE SET *")),
        ("WINDOW_ONLY_IN_ON", merge("t.parcel_id = s.parcel_id AND t.scan_no >= 9", "WHEN NOT MATCHED THEN INSERT *")),
        ("NULL_UNSAFE_COMPARISON", UNSAFE.to_owned()),
        ("RANK_KEEPS_TIES", numbered("rank")),
        ("NO_TIEBREAKER", numbered("row_number")),
    ] {
        browser.replace_text("#editor", &text);
        browser.wait_for(&format!(".problems [data-condition='MERGELAB_WARNING.{rule}']"));
        browser.wait_for(".cm-lintRange-warning");
    }
}

#[test]
fn an_error_is_marked_while_it_is_written_and_explained_where_the_pointer_waits() {
    let browser = knowing();
    browser.replace_text("#editor", "SELEC 1");
    browser.wait_for(".cm-lintRange-error");
    browser.wait_for(".problems [data-condition=PARSE_SYNTAX_ERROR]");
    browser.wait_for("#editor[aria-invalid=true]");

    browser.replace_text("#editor", "SELECT scan_nno FROM tuesday");
    browser.wait_gone(".cm-lintRange-error");
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_text("#result .error", |text| text.contains("UNRESOLVED_COLUMN"));
    browser.hover(".cm-lintRange-error");
    let told = browser.wait_text(".cm-tooltip .cm-diagnostic", |text| text.contains("UNRESOLVED_COLUMN"));
    assert!(told.contains("No column"), "{told}");
    browser.screenshot("hover");
    browser.click(".cm-tooltip .cm-diagnosticAction");
    browser.wait("the near name", || browser.text_of_editor().ends_with("scan_no FROM tuesday").then_some(()));
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

const COLLIDING: &str = "MERGE INTO parcel AS t
USING (SELECT * FROM VALUES
  (102, 'loaded', TIMESTAMP'2026-01-13 09:00:00', 31),
  (107, 'loaded', TIMESTAMP'2026-01-13 09:30:00', 32),
  (102, 'delivered', TIMESTAMP'2026-01-13 15:30:00', 34) AS v(parcel_id, status, seen_at, scan_no)) AS s
ON t.parcel_id = s.parcel_id
WHEN MATCHED THEN UPDATE SET *";

#[test]
fn colliding_rows_are_shown_with_their_lines_and_deduplicated_by_a_press() {
    let browser = knowing();
    browser.replace_text("#editor", COLLIDING);
    browser.press(&[key::CONTROL], &[key::ENTER]);
    let error = browser.wait_text("#result .error", |text| text.contains("DELTA_MULTIPLE_SOURCE_ROW"));
    for piece in ["source rows", "target row", "delivered", "packed", "line 3", "line 5"] {
        assert!(error.contains(piece), "{piece} in {error}");
    }
    assert!(!error.contains("line 4"), "the row of another key is none of them: {error}");
    browser.screenshots("duplicates");
    repair_and_run(&browser);
}

#[test]
fn the_lesson_s_own_duplicates_are_deduplicated_by_a_press() {
    let browser = knowing();
    let statement = "MERGE INTO parcel AS t\nUSING tuesday AS s\nON t.parcel_id = s.parcel_id\n\
                     WHEN MATCHED THEN UPDATE SET *\nWHEN NOT MATCHED THEN INSERT *;\n";
    browser.replace_text("#editor", statement);
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_text("#result .error", |text| text.contains("DELTA_MULTIPLE_SOURCE_ROW"));
    repair_and_run(&browser);
}

/// Presses the deduplication, sees it in the text, runs, and finds no error.
fn repair_and_run(browser: &Browser) {
    let before = browser.text_of_editor();
    browser.click("#result .error .edits button");
    browser.wait("the deduplication", || browser.text_of_editor().contains("row_number() OVER").then_some(()));
    assert_ne!(browser.text_of_editor(), before);
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_gone("#result .error");
    browser.wait_for("#result .badge.real");
    browser.wait_for("#timeline");
}
