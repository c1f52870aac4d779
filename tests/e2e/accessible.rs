//! Someone who does not see the page as others do: axe-core on every kind of page, and a walk by keyboard only.

use serde_json::{Value, json};

use crate::browser::{Browser, key};
use crate::course::first_exercise;
use crate::playground::{open, run};

const AXE: &str = include_str!("../axe/axe.min.js");

/// Panics with every violation that axe-core finds, light and dark.
pub(crate) fn check(browser: &Browser, what: &str) {
    for is_dark in [false, true] {
        browser.show_as(1440, 900, is_dark);
        assert_eq!(violations(browser), Vec::<String>::new(), "{what}, {}", if is_dark { "dark" } else { "light" });
    }
    browser.show_as(390, 844, false);
    assert_eq!(violations(browser), Vec::<String>::new(), "{what}, on a phone");
    browser.show_as(1440, 900, false);
}

fn violations(browser: &Browser) -> Vec<String> {
    if browser.evaluate("return typeof axe;", &[]) == json!("undefined") {
        browser.evaluate(&format!("{AXE}\nwindow.axe = axe;"), &[]);
    }
    let script = "const [done] = arguments; axe.run(document, { resultTypes: ['violations'] })
        .then(({ violations }) => done(violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html.slice(0, 160)).join(' | ')}`)),
            (error) => done([String(error)]));";
    let found = browser.evaluate_later(script, &[]);
    found.as_array().cloned().unwrap_or_default().iter().map(Value::to_string).collect()
}

#[test]
fn a_lesson_before_and_after_a_run_with_an_error_and_a_verdict() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("#/lesson/pruned-or-not");
    browser.wait_for("#timeline");
    browser.wait_for("#engine-status[data-state=ready]");
    check(&browser, "a lesson with its recorded run");
    browser.click("#run");
    browser.wait_for("#result .badge.real");
    check(&browser, "a lesson after a run");
    let exercise = first_exercise(&browser, "pruned-or-not");
    browser.click(&format!("#open-exercise-{}", exercise.id));
    browser.click("#check");
    browser.wait_for("#verdict[data-status=failed]");
    check(&browser, "a failed check");
    browser.replace_text("#editor", &exercise.solution);
    browser.click("#check");
    browser.wait_for("#verdict[data-status=passed]");
    browser.click("#proof summary");
    check(&browser, "a passed check with its card");
    browser.replace_text("#editor", "SELECT nowhere FROM t;");
    browser.click("#run");
    browser.wait_for("#result .error");
    check(&browser, "an error");
    browser.click("#side-lesson");
    check(&browser, "the lesson's own text");
}

#[test]
fn every_view_of_a_run() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("#/lesson/scd2-one-merge");
    browser.wait_for("#timeline");
    for letter in ["t", "f", "c", "o", "p", "n", "m", "l", "h", "i"] {
        browser.evaluate("document.activeElement?.blur();", &[]);
        browser.press(&[], &[letter, key::END]);
        check(&browser, &format!("the view behind {letter}"));
    }
}

#[test]
fn dialogs() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("#/lesson/pruned-or-not");
    let exercise = first_exercise(&browser, "pruned-or-not");
    browser.click(&format!("#open-exercise-{}", exercise.id));
    for (opener, what) in [
        ("header button[aria-label='Keyboard shortcuts']", "keys"),
        ("#share", "share"),
        ("#work", "work"),
        ("#solution", "solution"),
    ] {
        browser.click(opener);
        browser.wait_for("dialog[open] h2");
        check(&browser, what);
        browser.screenshots(&format!("dialog-{what}"));
        browser.press(&[], &["\u{e00c}"]);
        browser.wait_gone("dialog[open]");
    }
}

#[test]
fn the_playground_empty_and_full_and_embedded() {
    let browser = Browser::start();
    open(&browser);
    check(&browser, "an empty playground");
    run(&browser, "CREATE TABLE t (k INT) USING DELTA; INSERT INTO t VALUES (1), (2); SELECT * FROM t;");
    check(&browser, "a playground with tables");
    browser.replace_text("#editor", "MERGE INTO x USING y ON x.k = y.k WHEN MATCHED THEN DELETE;");
    browser.click("#run");
    browser.wait_for("#make-samples");
    check(&browser, "an offer of sample tables");
    browser.open("?embed=1#/lesson/first-upsert");
    browser.wait_for("#timeline");
    check(&browser, "an embedded page");
}

#[test]
fn the_playground_by_keyboard_only() {
    let browser = Browser::start();
    open(&browser);
    let focus = |css: &str| {
        // Tab from the start of the page until the element has the focus; a person would do the same.
        browser.evaluate("document.activeElement?.blur(); window.scrollTo(0, 0);", &[]);
        for _ in 0..80 {
            browser.press(&[], &["\u{e004}"]);
            let has = browser.evaluate("return document.activeElement?.matches(arguments[0]) ?? false;", &[json!(css)]);
            if has == json!(true) {
                return;
            }
        }
        panic!("`{css}` is not reached by Tab");
    };
    focus("#editor");
    browser.press(&[key::CONTROL], &["a"]);
    browser.press(
        &[],
        &["M", "E", "R", "G", "E", " ", "I", "N", "T", "O", " ", "a", " ", "U", "S", "I", "N", "G", " ", "b"],
    );
    for letter in " ON a.k = b.k WHEN MATCHED THEN DELETE".chars() {
        browser.press(&[], &[&letter.to_string()]);
    }
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_for("#make-samples");
    focus("#make-samples");
    browser.press(&[], &[key::ENTER]);
    browser.wait_for("#timeline");
    focus("#timeline");
    browser.press(&[], &[key::END]);
    focus("#undo-step");
    browser.press(&[], &[" "]);
    crate::playground::wait_kinds(&browser, &["SAMPLE TABLES"]);
}
