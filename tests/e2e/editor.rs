//! Someone who writes: in the full editor, in the text area that stands in for it, on a phone.

use serde_json::json;

use crate::browser::{Browser, key};

/// A lesson in the full editor. Panics where it does not take over.
pub(crate) fn full_editor(path: &str) -> Browser {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open(path);
    browser.wait_for("sql-editor #editor");
    browser
}

/// Waits for the text in the editor.
pub(crate) fn wait_for_text(browser: &Browser, text: &str) {
    browser.wait(&format!("the text {text:?}"), || (browser.text_of_editor() == text).then_some(()));
}

#[test]
fn the_full_editor_takes_over_while_someone_is_writing() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    // Slow enough for the stand-in to be written in.
    browser.throttle(20, 1);
    browser.open("#/playground");
    browser.wait_for("textarea#editor");
    browser.replace_text("#editor", "");
    let mut typed = String::new();
    while browser.count("sql-editor") == 0 {
        browser.press(&[], &["a"]);
        typed.push('a');
    }
    println!("{} letters were written before the editor came", typed.len());
    browser.press(&[], &["b"]);
    typed.push('b');
    wait_for_text(&browser, &typed);
    browser.wait_for(".engine.ready");
    browser.press(&[], &["c"]);
    typed.push('c');
    wait_for_text(&browser, &typed);
    browser.press(&[key::CONTROL], &["z"]);
    wait_for_text(&browser, "");
    assert_eq!(browser.console_errors(), Vec::<String>::new(), "no rule of the page's policy is broken");
    let styles = "return [document.querySelectorAll('style').length, document.adoptedStyleSheets.length > 0];";
    assert_eq!(browser.evaluate(styles, &[]), json!([0, true]), "its style is constructed, not written into the page");
}

#[test]
fn the_keys_of_the_editor() {
    let browser = full_editor("#/lesson/first-upsert");
    browser.replace_text("#editor", "SELECT (1)");
    assert_eq!(browser.count(".cm-matchingBracket"), 2, "the bracket behind the cursor and its partner");
    browser.press(&[], &[key::ENTER, "x", key::TAB, "y"]);
    wait_for_text(&browser, "SELECT (1)\n  xy");
    browser.press(&[key::CONTROL], &["f"]);
    browser.wait_for(".cm-search input");
    browser.press(&[], &["S", key::ESCAPE]);
    browser.wait_gone(".cm-search");
    assert_eq!(browser.text_of_editor(), "SELECT (1)\n  xy", "what is searched for is no text of the lesson");
    browser.click("#undo");
    wait_for_text(&browser, "SELECT (1)\n  x");
    browser.click("#redo");
    wait_for_text(&browser, "SELECT (1)\n  xy");
    browser.click("sql-editor #editor");
    browser.press(&[], &[key::ESCAPE, key::TAB]);
    let inside = "return document.activeElement?.closest('sql-editor') !== null;";
    assert_eq!(browser.evaluate(inside, &[]), json!(false), "Escape, then Tab, leaves");
    let label = browser.evaluate("return document.querySelector('#editor').getAttribute('aria-label');", &[]);
    assert!(label.as_str().is_some_and(|label| label.contains("Escape, then Tab")), "the label says so: {label}");
    browser.replace_text("#editor", "SELECT 7 AS seven");
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_text("#result", |text| text.contains("seven"));
    assert_eq!(browser.text_of_editor(), "SELECT 7 AS seven", "the key that runs writes nothing");
}

#[test]
fn sql_and_python_are_coloured_light_and_dark() {
    let browser = full_editor("#/lesson/first-upsert");
    let colour = |word: &str| {
        let script = "const spans = [...document.querySelectorAll('.cm-line span')];
            const span = spans.find((span) => span.textContent === arguments[0]);
            return span && getComputedStyle(span).color;";
        browser.wait(&format!("the colour of {word}"), || {
            browser.evaluate(script, &[json!(word)]).as_str().map(str::to_owned)
        })
    };
    browser.replace_text("#editor", "MERGE INTO t USING s ON t.k <=> 'x' -- why\n");
    let (keyword, text, comment) = (colour("MERGE"), colour("'x'"), colour("-- why"));
    assert!(keyword != text && text != comment && comment != keyword, "{keyword} {text} {comment}");
    browser.show_as(1440, 900, true);
    assert_ne!(colour("MERGE"), keyword);
    browser.show_as(1440, 900, false);
    browser.replace_text("#editor", "from delta.tables import DeltaTable\nt = DeltaTable.forName(spark, 'x')  # why\n");
    assert_eq!((colour("from"), colour("'x'"), colour("# why")), (keyword, text, comment));
}

#[test]
fn a_plain_text_area_is_remembered_and_nothing_else_is_fetched() {
    let browser = full_editor("#/lesson/first-upsert");
    browser.replace_text("#editor", "SELECT 'mine'");
    browser.click("#plain-editor");
    browser.wait_for("textarea#editor");
    wait_for_text(&browser, "SELECT 'mine'");
    browser.reload();
    browser.wait_for("textarea#editor");
    browser.wait_for(".engine.ready");
    wait_for_text(&browser, "SELECT 'mine'");
    let fetched = "const files = performance.getEntriesByType('resource');
        return files.filter((file) => file.name.includes('editor')).length;";
    assert_eq!((browser.evaluate(fetched, &[]), browser.count("sql-editor")), (json!(0), 0));
    browser.replace_text("#editor", "SELECT 'plain'");
    browser.click("#undo");
    wait_for_text(&browser, "SELECT 'mine'");
    browser.click("#plain-editor");
    browser.wait_for("sql-editor #editor");
    wait_for_text(&browser, "SELECT 'mine'");
}

#[test]
fn a_phone_gets_large_letters_and_the_signs_its_keyboard_hides() {
    let browser = Browser::start();
    let metrics = json!({ "width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true });
    browser.devtools("Emulation.setDeviceMetricsOverride", &metrics);
    browser.devtools("Emulation.setTouchEmulationEnabled", &json!({ "enabled": true, "maxTouchPoints": 5 }));
    browser.open("#/lesson/first-upsert");
    browser.click("nav.panes button:nth-of-type(2)");
    browser.wait_for("sql-editor #editor");
    let size = browser.evaluate("return getComputedStyle(document.querySelector('#editor')).fontSize;", &[]);
    assert_eq!(size, json!("16px"), "a phone would zoom in on anything smaller");
    browser.replace_text("#editor", "x");
    for (button, text) in [("<=>", "x <=> "), ("'…'", "x <=> ''"), ("AND", "x <=> ' AND '")] {
        let press = "const buttons = [...document.querySelectorAll('.touch-keys button')];
            const button = buttons.find((button) => button.textContent === arguments[0]);
            const box = button.getBoundingClientRect(); button.click(); return Math.min(box.width, box.height);";
        let side = browser.evaluate(press, &[json!(button)]).as_f64().expect("a size");
        assert!(side >= 44.0, "{button} is {side} px");
        wait_for_text(&browser, text);
        browser.wait("the keyboard to come back", || {
            (browser.evaluate("return document.activeElement?.id;", &[]) == json!("editor")).then_some(())
        });
    }
    browser.screenshot("editor-phone");
}
