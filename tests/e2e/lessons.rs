//! Someone who does the exercises: solves one, breaks it, reads the error, repairs it, passes.

use serde_json::Value;

use crate::browser::{Browser, key};
use crate::course::{self, first_exercise};
use crate::timeline;

#[test]
fn scd_type_2() {
    learn("scd2-one-merge");
}

#[test]
fn two_source_rows() {
    learn("duplicate-match");
}

#[test]
fn pruned_or_not() {
    learn("pruned-or-not");
}

#[test]
fn every_lesson_opens_from_the_list() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("");
    let lessons = course::lessons(&browser);
    assert!(lessons.len() >= 4, "{lessons:?}");
    for (slug, title) in &lessons {
        browser.click(&format!("nav.lessons a[href='#/lesson/{slug}']"));
        browser.wait_for(&format!("nav.lessons a[href='#/lesson/{slug}'][aria-current=page]"));
        browser.wait_text("#article h1", |text| text == title);
        assert!(browser.count("#article .prose") > 0, "{slug} has prose");
    }
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

#[test]
fn a_text_survives_a_reload() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("#/lesson/pruned-or-not");
    browser.replace_text("#editor", "SELECT 'mine';\n");
    browser.reload();
    browser.wait("the text of before", || (text_of_editor(&browser) == "SELECT 'mine';\n").then_some(()));
}

#[test]
fn both_sides_of_a_twin_share_the_timeline() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("#/lesson/pruned-or-not");
    browser.click("#run-twin-0");
    browser.wait_for("#stage .runs.two");
    let last = timeline::scrub(&browser);
    timeline::press(&browser, key::END, last);
    assert_eq!(browser.count("#narration span"), 2, "each run tells its own step");
    browser.screenshots("twin");
}

fn learn(slug: &str) {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open(&format!("#/lesson/{slug}"));
    let exercise = first_exercise(&browser, slug);
    browser.click(&format!("#open-exercise-{}", exercise.id));
    browser.wait("the starter", || (text_of_editor(&browser) == exercise.starter).then_some(()));
    browser.click("#check");
    browser.wait_for("#verdict[data-status=failed]");

    browser.replace_text("#editor", &exercise.solution);
    run(&browser);
    let n_steps = timeline::scrub(&browser);
    println!("{slug}: {n_steps} steps");

    let broken = exercise.solution.replacen("MERGE INTO ", "MERGE INTO no_such_", 1);
    assert_ne!(broken, exercise.solution, "the solution is a MERGE");
    browser.replace_text("#editor", &broken);
    browser.press(&[key::CONTROL], &[key::ENTER]);
    let error = browser.wait_text("#result .error", |text| text.contains("TABLE_OR_VIEW_NOT_FOUND"));
    assert!(error.contains("no_such_") && error.contains("line "), "the error names thing and place: {error}");
    browser.wait_for("#editor[aria-invalid=true]");
    browser.screenshots(&format!("{slug}-error"));

    browser.replace_text("#editor", &exercise.solution);
    browser.press(&[key::CONTROL, key::SHIFT], &[key::ENTER]);
    browser.wait_for("#verdict[data-status=passed]");
    browser.screenshots(&format!("{slug}-passed"));
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

/// Runs the text and waits for what this tab's engine gives.
fn run(browser: &Browser) {
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_for("#result .badge.real");
    browser.wait_gone("#result .error");
    browser.wait_for("#timeline");
}

fn text_of_editor(browser: &Browser) -> String {
    let value = browser.evaluate("return document.querySelector('#editor')?.value ?? '';", &[]);
    value.as_str().map_or_else(|| Value::to_string(&value), str::to_owned)
}
