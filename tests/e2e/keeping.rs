//! Someone whose work must not be lost.

use serde_json::json;

use crate::browser::{Browser, key};
use crate::course::first_exercise;

fn text_of_editor(browser: &Browser) -> String {
    let value = browser.evaluate("return document.querySelector('#editor')?.value ?? '';", &[]);
    value.as_str().unwrap_or_default().to_owned()
}

fn wait_editor(browser: &Browser, expected: &str) {
    browser.wait(&format!("the text {expected:?}"), || (text_of_editor(browser) == expected).then_some(()));
}

/// The record of a place in the browser's database.
fn record(browser: &Browser, place: &str) -> String {
    let script = "const [place, done] = arguments; mergelab.get('work', place).then((record) => done(record ?? ''));";
    let record = browser.evaluate_later(script, &[json!(place)]);
    record.as_str().unwrap_or_default().to_owned()
}

#[test]
fn edits_are_kept_in_the_browsers_database() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("#/lesson/pruned-or-not");
    browser.replace_text("#editor", "SELECT 'kept';");
    browser.wait_text(".saved", |text| text == "saved in this browser");
    browser.wait("the record", || record(&browser, "pruned-or-not").contains("SELECT 'kept';").then_some(()));
}

/// A database may be slow: until it has said that it has a record, leaving the page must not lose it.
#[test]
fn a_page_that_goes_while_the_database_writes_loses_nothing() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("#/lesson/pruned-or-not");
    browser.wait_for("#editor");
    let asked = "mergelab.asked = 0; mergelab.put = () => { mergelab.asked += 1; return new Promise(() => {}); };";
    browser.evaluate(asked, &[]);
    browser.replace_text("#editor", "SELECT 'slow';");
    browser.wait("the database is asked", || {
        (browser.evaluate("return mergelab.asked;", &[]).as_u64() > Some(0)).then_some(())
    });
    browser.reload();
    wait_editor(&browser, "SELECT 'slow';");
    browser.reload();
    wait_editor(&browser, "SELECT 'slow';");
}

#[test]
fn what_an_earlier_page_kept_is_taken_over() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("license.txt");
    let old = "localStorage.setItem('mergelab/text/pruned-or-not/' + arguments[0], 'SELECT 1 AS old;');
        localStorage.setItem('mergelab/solved/pruned-or-not/' + arguments[1], 'yes');";
    browser.open("#/lesson/pruned-or-not");
    browser.wait_for("#editor");
    let exercise = format!("exercise-{}", first_exercise(&browser, "pruned-or-not").id);
    browser.evaluate(old, &[json!(exercise), json!(exercise)]);
    browser.reload();
    browser.click(&format!("#open-{exercise}"));
    wait_editor(&browser, "SELECT 1 AS old;");
    let left =
        browser.evaluate("return Object.keys(localStorage).filter((key) => key.includes('/text/')).length;", &[]);
    assert_eq!(left, json!(0), "it moved");
    browser.reload();
    browser.click(&format!("#open-{exercise}"));
    wait_editor(&browser, "SELECT 1 AS old;");
    assert!(browser.count(".tabs .solved") > 0, "solved once");
}

#[test]
fn the_lessons_text_and_mine_stand_side_by_side() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("#/lesson/pruned-or-not");
    browser.wait_for("#editor");
    let lesson = text_of_editor(&browser);
    browser.replace_text("#editor", "SELECT 'mine';");
    browser.click("#side-lesson");
    let shown = browser.text("#looked-at");
    assert_eq!(shown.trim(), lesson.trim());
    browser.screenshots("sides");
    browser.click("#side-mine");
    wait_editor(&browser, "SELECT 'mine';");
}

#[test]
fn all_work_goes_out_as_a_file_and_comes_in_by_the_newest() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("#/lesson/pruned-or-not");
    browser.replace_text("#editor", "SELECT 'before';");
    browser.wait("the record", || record(&browser, "pruned-or-not").contains("before").then_some(()));
    // The file is caught where it would be saved.
    browser.evaluate(
        "window.saved = []; const make = URL.createObjectURL;
         URL.createObjectURL = (blob) => { blob.text().then((text) => saved.push(text)); return make.call(URL, blob); };",
        &[],
    );
    browser.click("#work");
    browser.wait_for("dialog[open]");
    browser.screenshots("work");
    browser.click("#export");
    let file = browser
        .wait("the file", || browser.evaluate("return window.saved[0] ?? null;", &[]).as_str().map(str::to_owned));
    assert!(file.contains("\"mergelab\":1") && file.contains("SELECT 'before';"), "{file}");

    // In another, empty browser: the text comes in; a newer one of there stays.
    let other = Browser::start();
    other.show_as(1440, 900, false);
    other.open("#/lesson/pruned-or-not");
    import(&other, &file);
    wait_editor(&other, "SELECT 'before';");
    other.replace_text("#editor", "SELECT 'newer';");
    other.wait("the record", || record(&other, "pruned-or-not").contains("newer").then_some(()));
    import(&other, &file);
    wait_editor(&other, "SELECT 'newer';");
    import(&other, "{\"something\": \"else\"}");
    other.wait_text("#status", |status| status.starts_with("This is no file of work"));
    wait_editor(&other, "SELECT 'newer';");
}

/// Picks a file of work with this content, as a person does in the dialog.
fn import(browser: &Browser, content: &str) {
    if browser.count("dialog[open]") == 0 {
        browser.click("#work");
    }
    browser.wait_for("dialog[open] #import");
    let pick = "const input = document.querySelector('#import'); const files = new DataTransfer();
        files.items.add(new File([arguments[0]], 'work.json')); input.files = files.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));";
    browser.evaluate(pick, &[json!(content)]);
    browser.wait_text("#status", |status| status.contains("brought in") || status.starts_with("This is no"));
    browser.evaluate("document.querySelector('dialog').close();", &[]);
}

#[test]
fn a_second_window_is_told_that_the_first_has_saved() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("#/lesson/pruned-or-not");
    browser.replace_text("#editor", "SELECT 'here';");
    browser.wait("the record", || record(&browser, "pruned-or-not").contains("here").then_some(()));
    // A frame of the same site is a second window of it.
    browser.evaluate(
        "const other = new BroadcastChannel('mergelab');
         mergelab.get('work', 'pruned-or-not').then((record) => {
             const theirs = JSON.parse(record); theirs.sheets[0].text = \"SELECT 'there';\"; theirs.sheets[0].at += 1;
             other.postMessage(['pruned-or-not', JSON.stringify(theirs)]);
         });",
        &[],
    );
    browser.wait_for("#elsewhere");
    wait_editor(&browser, "SELECT 'here';");
    browser.screenshots("elsewhere");
    browser.click("#take-theirs");
    wait_editor(&browser, "SELECT 'there';");
    browser.wait_gone("#elsewhere");
}

#[test]
fn a_shown_solution_counts_as_seen() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open("#/lesson/pruned-or-not");
    let exercise = first_exercise(&browser, "pruned-or-not");
    browser.click(&format!("#open-exercise-{}", exercise.id));
    wait_editor(&browser, &exercise.starter);
    browser.click("#solution");
    browser.click("#confirm-solution");
    wait_editor(&browser, &exercise.solution);
    browser.press(&[key::CONTROL, key::SHIFT], &[key::ENTER]);
    browser.wait_for("#verdict[data-status=passed]");
    let words = browser.evaluate(
        "return [...document.querySelectorAll('.tabs .unseen')].map((word) => word.textContent).join();",
        &[],
    );
    assert_eq!(words.as_str(), Some("seen: the solution was shown"));
    // In one's own words it is solved; another edit takes the tick away until it is checked again.
    browser.replace_text("#editor", &format!("{}\n-- my own\n", exercise.solution));
    browser.press(&[key::CONTROL, key::SHIFT], &[key::ENTER]);
    browser.wait_text(".tabs", |text| text.contains('✓'));
    browser.replace_text("#editor", "SELECT 1;");
    browser.wait_text(".tabs", |text| text.contains("(✓)"));
}
