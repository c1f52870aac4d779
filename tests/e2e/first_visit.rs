//! Someone who has never been here.

use serde_json::json;

use crate::browser::{Browser, key};
use crate::timeline;

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

/// An engine on its way for as long as the test likes: what its worker says is held back until `release` is called.
const HOLD: &str = "const Real = Worker; window.Worker = function (...given) {
    const real = new Real(...given); const held = []; let isReleased = false;
    real.addEventListener('message', (event) => {
        if (isReleased) return;
        event.stopImmediatePropagation(); held.push(event.data); });
    window.release = () => { isReleased = true;
        for (const data of held) real.dispatchEvent(new MessageEvent('message', { data })); };
    return real; };";

#[test]
fn a_recorded_run_can_be_scrubbed_at_once_on_a_slow_line() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": HOLD }));
    browser.throttle(10, 4);
    browser.open("");
    browser.wait_for("#timeline");
    browser.wait_for("#result .badge.recorded");
    timeline::press(&browser, key::RIGHT, 1);
    timeline::press(&browser, key::LEFT, 0);
    assert_eq!(browser.count("#engine-status[data-state=ready]"), 0, "all of this without the engine");
}

#[test]
fn a_run_that_is_asked_for_too_early_is_queued_and_said_so() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": HOLD }));
    browser.open("");
    browser.click("#run");
    browser.wait_for("#queued");
    browser.evaluate("window.release();", &[]);
    browser.wait_for("#result .badge.real");
    browser.wait_gone("#queued");
}
