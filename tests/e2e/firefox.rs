//! The same page in Firefox: what a learner does most, with nothing but the commands that every browser has.

use serde_json::json;

use crate::browser::{Browser, key};
use crate::timeline;

/// Firefox fills no clipboard for a script, so texts are put into the plain text area.
fn write_plainly(browser: &Browser) {
    browser.click("#plain-editor");
    browser.wait_for("textarea#editor");
}

#[test]
fn a_lesson_is_read_run_broken_and_stepped_through() {
    let browser = Browser::start();
    browser.resize(1440, 900);
    browser.open("#/lesson/first-upsert");
    timeline::scrub(&browser);
    browser.wait_for("#engine-status[data-state=ready]");
    browser.click("#run");
    browser.wait_for("#result .badge.real");
    timeline::scrub(&browser);
    assert_eq!(browser.count(".cm-content#editor"), 1, "the full editor is there");
    write_plainly(&browser);
    let text = browser.text_of_editor();
    browser.replace_text("#editor", &text.replace("MATCHED", "MATCHD"));
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_for("#result .error");
    browser.replace_text("#editor", &text);
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_gone("#result .error");
    browser.wait_text("#status", |status| status.ends_with("ran."));
    browser.screenshot("firefox-lesson");
}

#[test]
fn a_playground_adds_up_and_survives_a_reload() {
    let browser = Browser::start();
    browser.resize(1440, 900);
    browser.open("#/playground");
    browser.wait_for("#engine-status[data-state=ready]");
    write_plainly(&browser);
    browser.replace_text("#editor", "CREATE TABLE t (id INT) USING DELTA; INSERT INTO t VALUES (1), (2);\n");
    browser.click("#run");
    browser.wait_text("#tables", |text| text.contains("2 rows"));
    browser.replace_text(
        "#editor",
        "MERGE INTO t USING (SELECT 3 AS id) s ON t.id = s.id WHEN NOT MATCHED THEN INSERT *;\n",
    );
    browser.click("#run");
    browser.wait_text("#tables", |text| text.contains("3 rows"));
    browser.reload();
    browser.wait_text("#tables", |text| text.contains("3 rows"));
    for letter in ["f", "c", "o", "p", "n", "m", "l", "h"] {
        browser.evaluate("document.activeElement?.blur();", &[]);
        browser.press(&[], &[letter]);
    }
    browser.wait_for("#tab-history[aria-pressed=true]");
    browser.screenshot("firefox-playground");
}

#[test]
fn programs_run_and_are_bounded() {
    let browser = Browser::start();
    browser.resize(1440, 900);
    browser.open("#/playground");
    browser.wait_for("#engine-status[data-state=ready]");
    write_plainly(&browser);
    browser.replace_text("#editor", "spark.range(3).write.saveAsTable('t')\nspark.table('t').show()\n");
    browser.click("#run");
    browser.wait_text("#result .printed", |text| text.contains("|  2|"));
    browser.replace_text("#editor", "def f(n):\n    return f(n + 1)\nf(0)\n");
    browser.click("#run");
    browser.wait_text("#result .error", |text| text.contains("RecursionError"));
    browser.replace_text("#editor", "print(spark.table('t').count())\n");
    browser.click("#run");
    browser.wait_text("#result .printed", |text| text.trim() == "3");
}

#[test]
fn the_page_fits_a_phone() {
    let browser = Browser::start();
    browser.resize(1440, 900);
    browser.open("#/lesson/first-upsert");
    browser.wait_for("#timeline");
    let overflow = browser.evaluate("return document.documentElement.scrollWidth > innerWidth;", &[]);
    assert_eq!(overflow, json!(false));
    browser.resize(500, 850);
    browser.wait("one pane", || {
        let shown =
            "return [...document.querySelectorAll('.column')].filter((column) => column.offsetWidth > 0).length;";
        (browser.evaluate(shown, &[]) == json!(1)).then_some(())
    });
    let overflow = browser.evaluate("return document.documentElement.scrollWidth > innerWidth;", &[]);
    assert_eq!(overflow, json!(false));
    browser.screenshot("firefox-narrow");
}
