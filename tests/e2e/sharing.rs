//! Someone who sends a link, and someone who opens it.

use serde_json::json;

use crate::browser::{Browser, key};
use crate::course::first_exercise;
use crate::playground::{kinds, open, run, wait_kinds};
use crate::timeline;

/// The link of the open dialog, without the site's address.
pub(crate) fn link(browser: &Browser) -> String {
    browser.click("#share");
    browser.wait_for("dialog[open] #link");
    let link = browser.evaluate("return document.querySelector('#link').value;", &[]);
    let link = link.as_str().expect("the field has a link").to_owned();
    browser.evaluate("document.querySelector('dialog').close();", &[]);
    let fragment = link.split_once('#').expect("a link has a fragment").1;
    assert!(fragment.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'), "{fragment}");
    format!("#{fragment}")
}

#[test]
fn a_playground_travels_in_a_link_and_runs_when_it_is_told_to() {
    let browser = Browser::start();
    open(&browser);
    run(&browser, "CREATE TABLE t (k INT, v STRING) USING DELTA; INSERT INTO t VALUES (1, 'é'), (2, '😀');");
    run(
        &browser,
        "MERGE INTO t USING (SELECT 2 AS k, 'new' AS v UNION ALL SELECT 3, 'x') AS s ON t.k = s.k
         WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;",
    );
    browser.evaluate("document.activeElement?.blur();", &[]);
    timeline::press(&browser, key::RIGHT, 1);
    timeline::press(&browser, key::RIGHT, 2);
    let told = browser.text("#narration");
    browser.click("#undo-step");
    wait_kinds(&browser, &["CREATE TABLE", "INSERT"]);
    browser.press(&[key::CONTROL], &[key::ENTER]);
    wait_kinds(&browser, &["CREATE TABLE", "INSERT", "MERGE"]);
    browser.click("#undo-step");
    wait_kinds(&browser, &["CREATE TABLE", "INSERT"]);
    let link = link(&browser);

    let other = Browser::start();
    other.show_as(1440, 900, false);
    other.open(&link);
    other.wait_text("#from-link", |text| text.contains("2 statements before") && text.contains("Nothing has run"));
    other.wait_for("#engine-status[data-state=ready]");
    assert_eq!((other.count("#result"), other.count("#timeline")), (0, 0), "nothing runs on load");
    other.screenshots("from-link");
    other.click("#run");
    other.wait_for("#result .badge.real");
    other.wait_for("#timeline");
    assert!(!told.is_empty());
    other.click("#adopt");
    other.wait_for("nav.lessons a[href='#/playground'][aria-current=page]");
    wait_kinds(&other, &["CREATE TABLE", "INSERT", "MERGE"]);
    assert_eq!(other.console_errors(), Vec::<String>::new());
}

#[test]
fn a_lessons_link_shows_the_text_beside_ones_own_and_goes_to_the_step() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("#/lesson/pruned-or-not");
    browser.click("#run");
    browser.wait_for("#result .badge.real");
    browser.evaluate("document.activeElement?.blur();", &[]);
    timeline::press(&browser, key::RIGHT, 1);
    timeline::press(&browser, key::RIGHT, 2);
    let told = browser.text("#narration");
    let link = link(&browser);

    let other = Browser::start();
    other.show_as(1440, 900, false);
    other.open("#/lesson/pruned-or-not");
    other.replace_text("#editor", "SELECT 'mine';");
    // The address changes under an open page.
    other.evaluate("location.hash = arguments[0];", &[json!(link)]);
    other.wait_text("#status", |status| status.starts_with("From a link"));
    other.wait_for("#side-shared[aria-pressed=true]");
    assert_eq!(other.count("#result .badge.real"), 0, "nothing ran");
    other.click("#run");
    other.wait_for("#result .badge.real");
    other.wait_text("#narration", |text| text == told);
    assert_eq!(timeline::position(&other), 2);
    other.click("#side-mine");
    let mine = other.evaluate("return document.querySelector('#editor').value;", &[]);
    assert_eq!(mine.as_str(), Some("SELECT 'mine';"), "one's own text is untouched");
}

#[test]
fn a_broken_or_hostile_link_is_a_sentence() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    for fragment in ["#1", "#1AAAA", "#1%3Cscript%3E", "#9abc", "#1<img src=x onerror=alert(1)>"] {
        browser.open("license.txt");
        browser.open(fragment);
        browser.wait_text("#status", |status| status.starts_with("This link"));
        browser.wait_for("#article");
    }
    browser.open("license.txt");
    // A megabyte of A: longer than anything made here, and answered at once.
    browser.open("#/playground");
    browser.evaluate("location.hash = '1' + 'A'.repeat(1000000);", &[]);
    browser.wait_text("#status", |status| status.contains("longer than any"));
}

#[test]
fn a_long_link_is_warned_about_and_a_file_offered() {
    let browser = Browser::start();
    open(&browser);
    let noise = |n: u64| (0..n).map(|at| format!("SELECT '{:x}';\n", at.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    for (n, expected) in [(2, "short enough"), (700, "some chat programs"), (2_500, "many programs cut it")] {
        browser.replace_text("#editor", &noise(n).collect::<String>());
        browser.click("#share");
        browser.wait_text("dialog[open] #link-size", |text| text.contains(expected));
        browser.evaluate("document.querySelector('dialog').close();", &[]);
    }
}

#[test]
fn an_embedded_page_reads_steps_and_opens_in_full() {
    let browser = Browser::start();
    browser.show_as(1024, 640, false);
    browser.open("?embed=1&step=3#/lesson/first-upsert");
    browser.wait_for("#timeline");
    assert!(timeline::position(&browser) > 0, "the step of the address");
    assert_eq!((browser.count("#editor"), browser.count("nav.lessons")), (0, 0), "it is to read");
    let full = browser.evaluate("return document.querySelector('#open-full').href;", &[]);
    assert_eq!(full.as_str(), Some(format!("{}#/lesson/first-upsert", browser.site).as_str()));
    assert_eq!(browser.count("#engine-status[data-state=off]"), 1, "no engine before it is asked for");
    browser.screenshots("embed");
    browser.click("#run");
    browser.wait_for("#result .badge.real");
}

#[test]
fn a_passed_exercise_gives_a_card_that_proves_itself_elsewhere() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("#/lesson/pruned-or-not");
    let exercise = first_exercise(&browser, "pruned-or-not");
    browser.click(&format!("#open-exercise-{}", exercise.id));
    browser.replace_text("#editor", &exercise.solution);
    browser.press(&[key::CONTROL, key::SHIFT], &[key::ENTER]);
    browser.wait_for("#verdict[data-status=passed]");
    browser.click("#proof summary");
    let card = browser.text("#proof");
    for piece in ["Data", "Engine", "Checks passed", "Variants survived"] {
        assert!(card.contains(piece), "{piece}: {card}");
    }
    browser.screenshots("proof");
    let link = browser.evaluate("return document.querySelector('#proof-link').getAttribute('href');", &[]);

    let other = Browser::start();
    other.show_as(1440, 900, false);
    other.open(link.as_str().expect("a fragment"));
    other.wait_for("#side-shared[aria-pressed=true]");
    other.click("#run");
    other.wait_for("#result .badge.real");
    assert_eq!(timeline::position(&other), timeline::last_step(&other), "it shows the commit");
    other.click("#check");
    other.wait_for("#verdict[data-status=passed]");
    assert_eq!(kinds(&other), Vec::<String>::new());
}
