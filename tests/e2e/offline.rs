//! Someone without a network, and a page that talks to nobody else.

use serde_json::json;

use crate::browser::{Browser, key};
use crate::playground::run;
use crate::sharing::link;
use crate::timeline;

/// Waits until the service worker has everything and answers for this page.
pub(crate) fn wait_offline(browser: &Browser) {
    browser.wait_for("#engine-status[data-state=ready]");
    let ready = "const [done] = arguments; navigator.serviceWorker.ready.then((r) => done(r.active?.state ?? ''));";
    browser.wait("the service worker", || {
        (browser.evaluate_later(ready, &[]).as_str() == Some("activated")).then_some(())
    });
    browser.wait("its control of the page", || {
        let controls = browser.evaluate("return navigator.serviceWorker.controller !== null;", &[]);
        (controls == json!(true)).then_some(())
    });
}

#[test]
fn after_the_first_visit_everything_works_without_a_network() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("#/lesson/first-upsert");
    wait_offline(&browser);
    browser.cut_network();
    browser.reload();
    browser.wait_for("#engine-status[data-state=ready]");
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_for("#result .badge.real");
    // A lesson that was never opened, and the playground.
    browser.click("nav.lessons a[href='#/lesson/scd2-one-merge']");
    browser.wait_for("#article .prose");
    browser.click("nav.lessons a[href='#/playground']");
    run(&browser, "SELECT 1 AS one;");
    let kept = "const [done] = arguments; caches.keys().then((names) => done(names.length));";
    assert_eq!(browser.evaluate_later(kept, &[]), json!(1), "one version is kept");
}

#[test]
fn no_request_leaves_the_origin() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("#/lesson/first-upsert");
    wait_offline(&browser);
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_for("#result .badge.real");
    browser.click("nav.lessons a[href='#/playground']");
    run(&browser, "SELECT '<img src=\"http://elsewhere.example/x\">' AS x, 'http://elsewhere.example' AS y;");
    let asked = browser.evaluate("return performance.getEntriesByType('resource').map((entry) => entry.name);", &[]);
    for name in asked.as_array().expect("names") {
        let name = name.as_str().unwrap_or_default();
        let is_own = name.starts_with(&browser.site) || name.starts_with("data:") || name.starts_with("blob:");
        assert!(is_own, "{name}");
    }
    // What tries to leave is stopped by the page's policy, not by luck.
    let tried =
        "const [done] = arguments; fetch('http://elsewhere.example/').then(() => done('left'), (e) => done('stopped'));
        ";
    assert_eq!(browser.evaluate_later(tried, &[]), json!("stopped"));
    let policy = browser.evaluate("return document.querySelector('meta[http-equiv]').content;", &[]);
    let policy = policy.as_str().unwrap_or_default();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe-inline"), "{policy}");
    assert!(!policy.replace("'wasm-unsafe-eval'", "").contains("unsafe-eval"), "{policy}");
}

#[test]
fn a_new_version_is_announced_and_used_on_the_next_load() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("#/lesson/first-upsert");
    wait_offline(&browser);
    let in_use = |browser: &Browser| {
        let address = browser.evaluate("return navigator.serviceWorker.controller?.scriptURL ?? '';", &[]);
        address.as_str().unwrap_or_default().to_owned()
    };
    // Another address of the same worker is another version to the browser.
    browser.evaluate("navigator.serviceWorker.register('sw.js?next');", &[]);
    browser.wait_text("#status", |status| status.starts_with("A new version of MergeLab is here"));
    assert!(in_use(&browser).ends_with("sw.js"), "nothing changes under an open page");
    browser.reload();
    browser.wait("the new version", || in_use(&browser).ends_with("sw.js?next").then_some(()));
    browser.wait_for("#timeline");
}

#[test]
fn a_stranger_goes_the_whole_way_and_loses_nothing() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("");
    browser.wait_for("#editor");
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_for("#result .badge.real");
    timeline::scrub(&browser);
    // Break it, read, repair, make it one's own.
    let text = browser.text_of_editor();
    let own = text.replace("WHEN NOT MATCHED THEN INSERT *", "WHEN NOT MATCHED THEN\n  INSERT *");
    browser.replace_text("#editor", &text.replace("delivery", "delivry"));
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_text("#result .error", |told| told.contains("delivry") && told.contains("`delivery`"));
    browser.replace_text("#editor", &own);
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_gone("#result .error");
    browser.evaluate("document.activeElement?.blur();", &[]);
    timeline::press(&browser, key::RIGHT, 1);
    let second = timeline::press(&browser, key::RIGHT, 2);
    let shared = link(&browser);
    browser.reload();
    browser.wait("the text after a reload", || (browser.text_of_editor() == own).then_some(()));
    wait_offline(&browser);
    browser.cut_network();
    browser.reload();
    browser.wait("the text without a network", || (browser.text_of_editor() == own).then_some(()));
    browser.wait_for("#engine-status[data-state=ready]");
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_for("#result .badge.real");
    timeline::scrub(&browser);
    // The link brings text and step, without a network and beside what is there.
    browser.open(&shared);
    browser.wait_for("#side-shared[aria-pressed=true]");
    browser.click("#run");
    browser.wait_for("#result .badge.real");
    browser.wait("the step of the link", || (timeline::position(&browser) == 2).then_some(()));
    assert_eq!(browser.text("#narration"), second.narration);
}
