//! Someone who has never been here.

use serde_json::json;

use crate::browser::{Browser, key};
use crate::timeline;

/// How long the first scrubbable picture may take on a slow line and a slow processor.
const FIRST_TIMELINE_MILLISECONDS: f64 = 3_000.0;

#[test]
fn two_presses_are_enough_for_the_first_lesson() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("");
    browser.wait_for("#editor");
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_for("#result .badge.real");
    assert_eq!(timeline::position(&browser), 0, "a run waits at its first step");
    let first = timeline::press(&browser, key::RIGHT, 1);
    assert!(!first.narration.is_empty());

    timeline::press(&browser, key::END, timeline::last_step(&browser));
    browser.screenshots("first-upsert-end");
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

#[test]
fn a_recorded_run_can_be_scrubbed_at_once_on_a_slow_line() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    // Noted by the page itself: asking from outside would slow it down further.
    let note = "new MutationObserver((_, observer) => {
        if (document.querySelector('#timeline')) { window.timelineAt = performance.now(); observer.disconnect(); }
    }).observe(document, { childList: true, subtree: true });";
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": note }));
    browser.throttle(10, 4);
    browser.open("");
    browser.wait_for("#timeline");
    browser.wait_for("#result .badge.recorded");
    let shown_at = browser.evaluate("return window.timelineAt;", &[]).as_f64().expect("the page noted it");
    println!("the timeline was there after {shown_at:.0} ms");
    timeline::press(&browser, key::RIGHT, 1);
    timeline::press(&browser, key::LEFT, 0);
    assert!(shown_at <= FIRST_TIMELINE_MILLISECONDS, "{shown_at:.0} ms at 10 Mbit/s and a quarter of the processor");
}

#[test]
fn a_run_that_is_asked_for_too_early_is_queued_and_said_so() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    // So slow that the engine is still on its way when a busy machine gets round to the click.
    browser.throttle(2, 1);
    browser.open("");
    browser.click("#run");
    browser.wait_for("#queued");
    browser.throttle(1_000, 1);
    browser.wait_for("#result .badge.real");
    browser.wait_gone("#queued");
}
