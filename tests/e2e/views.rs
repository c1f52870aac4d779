//! The views of the stage, walked with the keyboard alone, on a recorded run and on a real one.

use serde_json::json;

use crate::browser::{Browser, key};
use crate::course::first_exercise;
use crate::timeline;

/// Every view with its key and a piece of what it says of a MERGE that is over.
const VIEWS: [(&str, &str, &str); 9] = [
    ("rows", "t", "Target before"),
    ("files", "f", "write amplification"),
    ("clauses", "c", "✓ acts"),
    ("logic", "o", "ON"),
    ("pruning", "p", "decided from the log alone"),
    ("plan", "n", "find touched files"),
    ("metrics", "m", "operationMetrics of the commit"),
    ("log", "l", "_delta_log/"),
    ("history", "h", "MERGE"),
];

#[test]
fn every_view_is_reached_by_its_key_and_shows_the_run() {
    let browser = opened("first-upsert");
    timeline::press(&browser, key::END, timeline::last_step(&browser));
    for (view, letter, piece) in VIEWS {
        press(&browser, letter);
        browser.wait_for(&format!("#tab-{view}[aria-pressed=true]"));
        browser.wait_text("#stage .panel", |text| text.contains(piece));
        assert_eq!(browser.count("#stage .tabs .badge"), 1, "{view} says whether it is real or recorded");
        show_stage(&browser);
        browser.screenshots(&format!("view-{view}"));
    }
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

#[test]
fn intervals_are_asked_at_an_instant() {
    let browser = opened("scd2-one-merge");
    timeline::press(&browser, key::END, timeline::last_step(&browser));
    press(&browser, "i");
    browser.wait_text("#stage .panel", |text| text.contains("Rows that hold at"));
    let all = browser.text("#stage .panel h3");
    browser.evaluate(
        "const slider = document.querySelector('#as-of'); slider.value = 0;
         slider.dispatchEvent(new Event('input', { bubbles: true }));",
        &[],
    );
    browser.wait_text("#stage .panel h3", |text| text != all && text.contains("1 row"));
    show_stage(&browser);
    browser.screenshots("view-intervals");
}

#[test]
fn the_open_view_is_remembered() {
    let browser = opened("first-upsert");
    press(&browser, "m");
    browser.wait_for("#tab-metrics[aria-pressed=true]");
    browser.reload();
    browser.wait_for("#tab-metrics[aria-pressed=true]");
}

#[test]
fn only_what_differs_is_shown_at_the_press_of_a_key() {
    let browser = opened("first-upsert");
    timeline::press(&browser, key::END, timeline::last_step(&browser));
    press(&browser, "d");
    browser.wait_text("#stage .panel", |text| text.contains("What differs in"));
    show_stage(&browser);
    browser.screenshots("view-diff");
    press(&browser, "d");
    browser.wait_text("#stage .panel", |text| text.contains("Target before"));
}

#[test]
fn a_pressed_metric_lights_the_rows_that_it_counts() {
    let browser = opened("first-upsert");
    timeline::press(&browser, key::END, timeline::last_step(&browser));
    press(&browser, "m");
    browser.wait_for("#stage button.metric");
    let names = "return [...document.querySelectorAll('button.metric')].map(b =>
        [b.innerText, b.closest('tr').querySelector('td').innerText]);";
    let metrics = browser.evaluate(names, &[]).as_array().cloned().unwrap_or_default();
    assert!(metrics.len() > 8, "{metrics:?}");
    for (at, metric) in metrics.iter().enumerate() {
        let (name, value) = (metric[0].as_str().unwrap_or(""), metric[1].as_str().unwrap_or(""));
        let script = "document.querySelectorAll('button.metric')[arguments[0]].click();";
        browser.evaluate(script, &[json!(at)]);
        browser.wait_text("#lit", |text| text.starts_with(&format!("{name} counts {value} ")));
        if name.contains("Rows") && name != "numSourceRows" {
            assert_eq!(browser.count("#stage .cell.lit").to_string(), value, "{name}");
        }
    }
    browser.evaluate(
        "[...document.querySelectorAll('button.metric')].find(b => b.innerText === 'numTargetRowsCopied').click()",
        &[],
    );
    browser.wait_text("#lit", |text| text.starts_with("numTargetRowsCopied"));
    show_stage(&browser);
    browser.screenshots("view-metrics-lit");
}

#[test]
fn a_check_leaves_its_run_on_the_stage() {
    let browser = opened("scd2-one-merge");
    let exercise = first_exercise(&browser, "scd2-one-merge");
    browser.click(&format!("#open-exercise-{}", exercise.id));
    browser.replace_text("#editor", "SELECT 1;\n");
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_text("#stage", |text| text.contains("Nothing to step through"));
    browser.replace_text("#editor", &exercise.solution);
    browser.press(&[key::CONTROL, key::SHIFT], &[key::ENTER]);
    browser.wait_for("#verdict[data-status=passed]");
    browser.wait_text("#stage", |text| !text.contains("Nothing to step through"));
    assert!(timeline::last_step(&browser) > 2);
    assert!(!browser.text("#verdict").contains('`'), "backticks are drawn as code");
}

#[test]
fn the_play_stops_where_it_was_told_to() {
    let browser = opened("first-upsert");
    let script = "const pick = document.querySelector('#break-file'); pick.selectedIndex = 1;
        pick.dispatchEvent(new Event('change', { bubbles: true })); document.activeElement?.blur();";
    browser.evaluate(script, &[]);
    press(&browser, "b");
    browser.wait_text("#status", |text| text.starts_with("Stopped: file 1"));
    assert!(browser.text("#narration").to_lowercase().contains("file 1"), "{}", browser.text("#narration"));
    browser.screenshots("timeline-stop");
}

#[test]
fn a_row_of_the_grid_opens_its_conditions() {
    let browser = opened("first-upsert");
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_for("#result .badge.real");
    blur(&browser);
    timeline::press(&browser, key::END, timeline::last_step(&browser));
    press(&browser, "c");
    let why =
        "return [...document.querySelectorAll('.grid-of-clauses button')].filter(b => b.innerText === 'why').length;";
    browser.wait("a question", || browser.evaluate(why, &[]).as_u64().filter(|count| *count > 0));
    browser.evaluate(
        "[...document.querySelectorAll('.grid-of-clauses button')].find(b => b.innerText === 'why').click()",
        &[],
    );
    browser.wait_for("#tab-logic[aria-pressed=true]");
    assert!(browser.count("#stage .truth") > 0);
    browser.wait_text("#stage .panel", |text| text.contains("TRUE"));
}

fn opened(lesson: &str) -> Browser {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open(&format!("#/lesson/{lesson}"));
    browser.wait_for("#timeline");
    blur(&browser);
    browser
}

/// A letter belongs to the text as long as the text has the keyboard.
fn blur(browser: &Browser) {
    browser.evaluate("document.activeElement?.blur();", &[]);
}

fn press(browser: &Browser, letter: &str) {
    blur(browser);
    browser.press(&[], &[letter]);
}

/// On a narrow screen one pane shows at a time.
pub(crate) fn show_stage(browser: &Browser) {
    browser.evaluate(
        "[...document.querySelectorAll('nav.panes button')].find(b => b.textContent === 'Files').click()",
        &[],
    );
}
