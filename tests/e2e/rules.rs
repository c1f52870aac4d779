//! Rules of the interface that no other flow is about, each in the page as it is served.

use serde_json::{Value, json};

use crate::browser::{Browser, key};
use crate::course::first_exercise;
use crate::playground;
use crate::timeline;
use crate::views::show_stage;

fn lesson(slug: &str) -> Browser {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    browser.open(&format!("#/lesson/{slug}"));
    browser.wait_for("#timeline");
    browser
}

/// The places of elements in the window: left, top, width, height.
fn places(browser: &Browser, css: &str) -> Vec<[f64; 4]> {
    let script = "return [...document.querySelectorAll(arguments[0])].map((element) => {
        const { left, top, width, height } = element.getBoundingClientRect(); return [left, top, width, height]; });";
    serde_json::from_value(browser.evaluate(script, &[json!(css)])).expect("four numbers each")
}

fn widths(browser: &Browser) -> Vec<f64> {
    places(browser, ".column").into_iter().map(|[_, _, width, _]| width.round()).collect()
}

fn press(browser: &Browser, letter: &str) {
    browser.evaluate("document.activeElement?.blur();", &[]);
    browser.press(&[], &[letter]);
}

#[test]
fn the_columns_are_three_two_or_one_and_the_reader_sets_their_widths() {
    let browser = lesson("first-upsert");
    let n_rows = |browser: &Browser| {
        let mut tops: Vec<i64> = places(browser, ".column").iter().map(|[_, top, ..]| *top as i64).collect();
        tops.sort_unstable();
        tops.dedup();
        tops.len()
    };
    assert_eq!((widths(&browser).len(), n_rows(&browser)), (3, 1));
    let own = widths(&browser);
    browser.evaluate("document.querySelector('pane-divider').focus();", &[]);
    browser.press(&[], &[key::LEFT, key::LEFT, key::LEFT]);
    let moved = widths(&browser);
    assert!(
        moved[0] < own[0] - 30.0 && moved[1] > own[1] + 30.0 && (moved[2] - own[2]).abs() <= 1.0,
        "{own:?} to {moved:?}"
    );
    assert_eq!(timeline::position(&browser), 0, "the arrows moved the divider and not the run");
    browser.screenshot("columns-moved");
    browser.reload();
    browser.wait_for("#timeline");
    assert_eq!(widths(&browser), moved, "they are remembered");
    press(&browser, "?");
    browser.click("#reset-layout");
    browser.press(&[], &[key::ESCAPE]);
    browser.wait_gone("dialog[open]");
    assert_eq!(widths(&browser), own);

    browser.show_as(1024, 768, false);
    assert_eq!(n_rows(&browser), 2, "reading above working, the state beside them");
    browser.show_as(390, 844, false);
    let shown = places(&browser, ".column").iter().filter(|[_, _, width, _]| *width > 0.0).count();
    assert_eq!((shown, browser.count("nav.panes button")), (1, 4));
}

#[test]
fn source_before_and_after_are_in_view_together() {
    let browser = lesson("first-upsert");
    timeline::press(&browser, key::END, timeline::last_step(&browser));
    press(&browser, "t");
    browser.wait_for("#tab-rows[aria-pressed=true]");
    for side in ["Source", "Target before", "Target after"] {
        let [left, top, width, height] = places(&browser, &format!("section[aria-label='{side}']"))[0];
        assert!(width > 100.0 && height > 60.0, "{side} is {width} by {height}");
        assert!(left >= 0.0 && top >= 0.0 && left + width <= 1440.0 && top + height <= 900.0, "{side} is in view");
    }
}

#[test]
fn a_pass_is_a_line_and_no_window() {
    let browser = lesson("duplicate-match");
    let exercise = first_exercise(&browser, "duplicate-match");
    browser.click(&format!("#open-exercise-{}", exercise.id));
    browser.replace_text("#editor", &exercise.solution);
    browser.press(&[key::CONTROL, key::SHIFT], &[key::ENTER]);
    browser.wait_for("#verdict[data-status=passed]");
    browser.wait_text("#status", |status| status.starts_with("Passed"));
    assert_eq!(browser.count("dialog[open]"), 0);
    assert_eq!(browser.evaluate("return document.activeElement.closest('dialog') === null;", &[]), json!(true));
}

#[test]
fn a_failed_check_names_the_variant_that_it_failed_on_and_opens_it() {
    let browser = lesson("duplicate-match");
    let exercise = first_exercise(&browser, "duplicate-match");
    browser.click(&format!("#open-exercise-{}", exercise.id));
    // Right on the data that is shown, wrong where a label could not be read.
    let careless = exercise.solution.replace("WHERE parcel_id IS NOT NULL", "");
    assert_ne!(careless, exercise.solution);
    browser.replace_text("#editor", &careless);
    browser.press(&[key::CONTROL, key::SHIFT], &[key::ENTER]);
    browser.wait_for("#verdict[data-status=failed]");
    let told = browser.text("#verdict");
    assert!(told.contains("NULL_KEY"), "{told}");
    let open = "const open = [...document.querySelectorAll('#verdict button')].find((button) => button.innerText.startsWith('Run on'));
        open?.click(); return open?.innerText ?? null;";
    assert!(browser.evaluate(open, &[]).is_string(), "a button opens its data: {told}");
    browser.wait_text("#result .badge.variant", |text| text == "variant NULL_KEY");
}

/// Durations of all transitions and animations, in seconds.
fn longest_motion(browser: &Browser) -> f64 {
    let script =
        "const seconds = (text) => text.split(',').map((part) => parseFloat(part) * (part.includes('ms') ? 0.001 : 1));
        // A cursor that blinks is the editor's, and stays where it is.
        const all = [...document.querySelectorAll('*')].filter((element) => !element.closest('.cm-cursorLayer'));
        return Math.max(0, ...all.flatMap((element) => {
            const style = getComputedStyle(element);
            return [...seconds(style.transitionDuration), ...seconds(style.animationDuration)]; }));";
    browser.evaluate(script, &[]).as_f64().expect("a duration")
}

#[test]
fn nothing_moves_for_long_and_nothing_at_all_for_those_who_ask() {
    let browser = lesson("first-upsert");
    timeline::press(&browser, key::RIGHT, 1);
    let usual = longest_motion(&browser);
    assert!(usual <= 0.25, "{usual} s");
    let features = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
    browser.devtools("Emulation.setEmulatedMedia", &features);
    timeline::press(&browser, key::RIGHT, 2);
    let reduced = longest_motion(&browser);
    assert!(reduced <= 0.1, "{reduced} s");
}

#[test]
fn each_key_completes_the_move_before_it() {
    let browser = lesson("first-upsert");
    let last = timeline::last_step(&browser);
    browser.evaluate("document.activeElement?.blur();", &[]);
    browser.press(&[], &vec![key::RIGHT; last]);
    browser.wait("the last step", || (timeline::position(&browser) == last).then_some(()));
}

#[test]
fn what_cannot_be_read_is_named_and_what_stood_before_it_ran() {
    let browser = Browser::start();
    playground::open(&browser);
    browser.replace_text(
        "#editor",
        "CREATE TABLE t (id INT, name STRING) USING DELTA;\nSELECT 1;\nGRANT SELECT ON t TO someone;\n",
    );
    browser.press(&[key::CONTROL], &[key::ENTER]);
    let told = browser.wait_text("#result .error", |text| !text.is_empty());
    assert!(told.contains("GRANT"), "{told}");
    browser.wait_text("#result", |text| text.contains("CREATE TABLE"));
    browser.replace_text("#editor", "SELECT nmae FROM (SELECT 1 AS id, 'x' AS name);\n");
    browser.press(&[key::CONTROL], &[key::ENTER]);
    let told = browser.wait_text("#result .error", |text| text.contains("nmae"));
    assert!(told.contains("UNRESOLVED_COLUMN") && told.contains("`name`"), "{told}");
}

#[test]
fn a_browser_without_wasm_is_told_so() {
    let browser = Browser::start();
    let source = "delete globalThis.WebAssembly;";
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": source }));
    browser.open("");
    browser.wait_text("#boot", |text| text.contains("WebAssembly") && text.contains("Any current browser can"));
}

#[test]
fn loading_is_told_in_bytes() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    // Noted by the page itself: on a fast machine it is there for a moment only.
    let source = "new MutationObserver(() => {
        const status = document.querySelector('#engine-status');
        if (status?.querySelector('progress') && status.innerText.includes(' MB of ')) window.told = status.innerText;
    }).observe(document, { childList: true, subtree: true, characterData: true });";
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": source }));
    browser.open("");
    browser.wait_for("#engine-status[data-state=ready]");
    let told = browser.evaluate("return window.told ?? '';", &[]);
    assert!(told.as_str().is_some_and(|told| told.starts_with("Engine: ")), "{told}");
}

#[test]
fn what_is_empty_says_what_that_means() {
    let browser = Browser::start();
    playground::open(&browser);
    let setup = "CREATE TABLE t (id INT, v INT) USING DELTA;\nCREATE TABLE s (id INT, v INT) USING DELTA;\n";
    let merge = "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;\n";
    playground::run(&browser, &format!("{setup}{merge}"));
    press(&browser, "t");
    browser.wait_text("#stage", |text| text.contains("0 source rows: nothing can match"));
    browser.wait_text("#stage", |text| text.contains("The target is empty"));
    press(&browser, "p");
    browser.wait_text("#stage", |text| text.contains("The table has no files"));
    browser.screenshot("empty");
}

#[test]
fn every_table_of_every_view_has_a_name() {
    let browser = lesson("first-upsert");
    timeline::press(&browser, key::END, timeline::last_step(&browser));
    for letter in ["t", "f", "c", "o", "p", "n", "m", "l", "h"] {
        press(&browser, letter);
        let nameless = "return [...document.querySelectorAll('#stage table')].filter((table) =>
            !table.caption && !table.closest('[aria-label]')).length;";
        assert_eq!(browser.evaluate(nameless, &[]), json!(0), "{letter}");
    }
}

#[test]
fn what_a_finger_presses_is_large_enough() {
    let browser = lesson("first-upsert");
    browser.devtools("Emulation.setTouchEmulationEnabled", &json!({ "enabled": true }));
    let metrics = json!({ "width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true });
    browser.devtools("Emulation.setDeviceMetricsOverride", &metrics);
    let small = "return [...document.querySelectorAll('.timeline button, nav.panes button, .workbench .bar button')]
        .map((button) => [button.innerText, button.getBoundingClientRect().height])
        .filter(([, height]) => height > 0 && height < 44);";
    for pane in ["Code", "Files"] {
        let open =
            "[...document.querySelectorAll('nav.panes button')].find((b) => b.textContent === arguments[0]).click()";
        browser.evaluate(open, &[json!(pane)]);
        assert_eq!(browser.evaluate(small, &[]), json!([]), "{pane}");
    }
}

#[test]
fn a_lesson_is_text_whatever_stands_in_it() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    // A site may be served by anyone; the page's policy holds whatever its lessons say.
    let evil = "<h2>Evil</h2><img src=x onerror='window.hacked = 1'><script>window.hacked = 2<\\/script><a id=bad href='javascript:window.hacked = 3'>x</a>";
    let source = format!(
        "const fetched = window.fetch; window.fetch = async (name, options) => {{
            const answer = await fetched(name, options);
            if (!String(name?.url ?? name).includes('first-upsert')) return answer;
            const file = await answer.json(); const evil = {};
            file.lesson.title = evil; file.lesson.blocks.find((block) => block.html).html = evil;
            return new Response(JSON.stringify(file), {{ headers: {{ 'Content-Type': 'application/json' }} }}); }};",
        json!(evil).to_string().replace("<\\\\/script>", "<\\/script>")
    );
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": source }));
    browser.open("#/lesson/first-upsert");
    browser.wait_text("article h1", |title| title.contains("<img src=x"));
    browser.wait_text("article", |text| text.contains("Evil"));
    browser.evaluate("document.querySelector('#bad')?.click();", &[]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(browser.evaluate("return window.hacked ?? null;", &[]), Value::Null);
}

#[test]
fn the_footers_of_the_files_are_told_and_whose_they_are() {
    let browser = lesson("first-upsert");
    press(&browser, "l");
    browser.wait_text("#stage .panel", |text| text.contains("Parquet footers"));
    let before = browser.count("#stage .footer");
    timeline::press(&browser, key::END, timeline::last_step(&browser));
    assert!(browser.count("#stage .footer") > before, "the new files have footers of their own");
    browser.evaluate("document.querySelectorAll('#stage .footer').forEach((footer) => { footer.open = true; });", &[]);
    let told = browser.text("#stage .panel");
    for piece in
        ["added by this commit", "no longer in the table, still in the store", "row group 0: ", " NULL", "SNAPPY"]
    {
        assert!(told.contains(piece), "{piece}: {told}");
    }
    browser.evaluate("document.querySelector('#stage .footer').scrollIntoView();", &[]);
    show_stage(&browser);
    browser.screenshots("view-footers");
}

#[test]
fn other_engines_are_told_where_they_differ() {
    let browser = Browser::start();
    playground::open(&browser);
    let setup = "CREATE TABLE t (id INT, v INT) USING DELTA;\nINSERT INTO t VALUES (1, 1);\n";
    let merge = "MERGE INTO t USING (SELECT * FROM VALUES (1, 5), (1, 1) AS s(id, v)) s ON t.id = s.id\nWHEN MATCHED AND t.v <> s.v THEN UPDATE SET *;\n";
    browser.replace_text("#editor", &format!("{setup}{merge}"));
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_text("#result .error", |text| text.contains("DELTA_MULTIPLE_SOURCE_ROW"));
    browser
        .wait_text("#result .lens summary", |text| text.contains("On other engines") && text.contains("2 differences"));
    browser.click("#result .lens summary");
    let told = browser.text("#result .lens");
    assert!(told.contains("delta-rs 1.6") && told.contains("Databricks 16.1"), "{told}");
    browser.evaluate("document.querySelector('#result .lens').scrollIntoView();", &[]);
    browser.screenshots("lens");
}

#[test]
fn the_statement_behind_a_commit_is_guessed_from_its_metrics() {
    let browser = Browser::start();
    playground::open(&browser);
    playground::run(
        &browser,
        "CREATE TABLE t (id INT, v INT) USING DELTA;\nINSERT INTO t VALUES (1, 1), (2, 2), (3, 3);\n\
         UPDATE t SET v = 9 WHERE id = 2;\nDELETE FROM t WHERE id = 3;\n",
    );
    press(&browser, "h");
    browser.wait_for("#stage .versions");
    let ask = "[...document.querySelectorAll('#stage button')].find((b) => b.innerText === arguments[0]).click();";
    browser.evaluate(ask, &[json!("Which statement did it?")]);
    browser.wait_for("#stage .riddle");
    assert_eq!(browser.count("#stage .versions"), 0, "the history would tell");
    show_stage(&browser);
    browser.screenshots("riddle");
    browser.evaluate(ask, &[json!("UPDATE t SET v = 9 WHERE id = 2")]);
    browser.wait_text("#stage .riddle [role=status]", |text| text.contains("Not that one: it made version 2"));
    browser.evaluate(ask, &[json!("DELETE FROM t WHERE id = 3")]);
    browser.wait_text("#stage .riddle [role=status]", |text| text.contains("Yes: it made version 3"));
    browser.evaluate(ask, &[json!("Another commit")]);
    browser.wait_text("#stage .riddle dl", |text| text.contains("numUpdatedRows"));
    browser.evaluate(ask, &[json!("Show the history")]);
    browser.wait_for("#stage .versions");
}

#[test]
fn the_cells_of_a_deletion_vector_are_as_many_as_the_log_says() {
    let browser = Browser::start();
    playground::open(&browser);
    playground::run(
        &browser,
        "CREATE TABLE t (id INT, v INT) USING DELTA TBLPROPERTIES ('delta.enableDeletionVectors' = 'true');\n\
         INSERT INTO t SELECT CAST(id AS INT), 0 FROM range(0, 10, 1, 1);\nDELETE FROM t WHERE id IN (2, 5);\n\
         MERGE INTO t USING (SELECT 7 AS id, 1 AS v) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET *;\n",
    );
    browser.evaluate("document.activeElement?.blur();", &[]);
    press(&browser, "f");
    browser.wait_for("#stage .cell.dv.gone");
    assert_eq!(browser.count("#stage .cell.dv.gone"), 2, "hidden by the DELETE before");
    timeline::press(&browser, key::END, timeline::last_step(&browser));
    browser
        .wait_text("#stage .vector", |text| text.contains("marks 3 of 10 rows; cardinality 3 in the log, 2 of them"));
    assert_eq!(browser.count("#stage .cell.dv"), 3);
    show_stage(&browser);
    browser.screenshots("view-deletion-vector");
}

#[test]
fn a_version_is_looked_at_by_a_press_and_brought_back_by_a_statement() {
    let browser = Browser::start();
    playground::open(&browser);
    playground::run(
        &browser,
        "CREATE TABLE t (id INT) USING DELTA;\nINSERT INTO t VALUES (1), (2), (3);\nDELETE FROM t WHERE id > 0;\n",
    );
    press(&browser, "h");
    browser.wait_for("#stage .versions");
    let open = "[...document.querySelectorAll('#stage .versions > li > details')][arguments[0]].open = true;";
    browser.evaluate(open, &[json!(1)]);
    let click = "[...document.querySelectorAll('#stage button')].find((b) => b.innerText === arguments[0]).click();";
    browser.evaluate(click, &[json!("Rows of version 1")]);
    browser.wait("the rows of version 1", || (browser.count("#stage .versions tbody tr") == 3).then_some(()));
    browser.evaluate(click, &[json!("RESTORE to version 1")]);
    browser.wait("the statement", || {
        browser.text_of_editor().contains("RESTORE TABLE t TO VERSION AS OF 1").then_some(())
    });
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_text("#tables", |text| text.contains("3 rows"));
}

#[test]
fn a_batch_that_comes_twice_is_judged_by_what_its_second_run_changes() {
    let browser = lesson("first-upsert");
    browser.wait_for("#engine-status[data-state=ready]");
    browser.click("#run-twice");
    browser.wait_text("#again", |text| text.starts_with("The second run changed no row"));
    browser.screenshots("run-twice");
    let merge = "MERGE INTO stock AS t USING (SELECT CAST(NULL AS INT) AS sku) AS s ON t.sku = s.sku\n\
                 WHEN NOT MATCHED THEN INSERT (sku) VALUES (s.sku)";
    browser.replace_text("#editor", merge);
    browser.click("#run-twice");
    browser.wait_text("#again", |text| text.starts_with("The second run changed 1 row:"));
}

#[test]
fn readers_see_the_old_version_until_the_commit() {
    let browser = lesson("first-upsert");
    let last = timeline::last_step(&browser);
    timeline::press(&browser, key::END, last);
    let after = timeline::press(&browser, key::LEFT, last - 1);
    assert!(after.stage.contains("Orphans: they are in the store, and no version lists them."), "{}", after.stage);
    press(&browser, "l");
    browser.wait_text("#stage", |text| text.contains("No new entry in _delta_log yet. Readers see version"));
    press(&browser, "i");
    timeline::press(&browser, key::RIGHT, last);
    press(&browser, "l");
    browser.wait_gone("#stage .panel > .log > .empty");
}

#[test]
fn a_prediction_is_answered_and_the_engine_knows_better() {
    let browser = lesson("first-upsert");
    let choose =
        "[...document.querySelectorAll('article .predict button')].find((b) => b.innerText === arguments[0]).click();";
    browser.wait_for("article .predict");
    browser.evaluate(choose, &[json!("7")]);
    browser.wait_text("article .predict [role=status]", |text| text.starts_with("Not 7."));
    browser.evaluate(choose, &[json!("1")]);
    browser.wait_text("article .predict [role=status]", |text| text == "Yes: 1.");
}

#[test]
fn the_edit_that_would_skip_a_file_skips_it() {
    let browser = lesson("pruned-or-not");
    browser.wait_for("#engine-status[data-state=ready]");
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_for("#result .badge.real");
    press(&browser, "t");
    timeline::press(&browser, key::END, timeline::last_step(&browser));
    press(&browser, "p");
    let skipped = |browser: &Browser| browser.text("#stage").matches("skipped").count();
    browser.wait_text("#stage", |text| text.contains("what would skip it"));
    let before = skipped(&browser);
    let old = browser.text_of_editor();
    browser.evaluate(
        "[...document.querySelectorAll('#stage .panel button')].find((b) => /try it/i.test(b.innerText)).click();",
        &[],
    );
    browser.wait("the edit in the text", || (browser.text_of_editor() != old).then_some(()));
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait("a run of the new text", || browser.text("#result").contains("real").then_some(()));
    browser.wait_text("#status", |text| text.ends_with("ran."));
    press(&browser, "t");
    timeline::press(&browser, key::END, timeline::last_step(&browser));
    press(&browser, "p");
    browser.wait("more skipped files", || (skipped(&browser) > before).then_some(()));
}

#[test]
fn a_stopped_engine_keeps_the_text_and_comes_back() {
    let browser = Browser::start();
    browser.show_as(1440, 900, false);
    let source = "const Real = Worker; window.Worker = class extends Real {
        constructor(...given) { super(...given); window.theWorker = this; } };";
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": source }));
    playground::open(&browser);
    browser.replace_text("#editor", "SELECT 41 + 1 AS answer;\n");
    let stop = "window.theWorker.terminate();
        window.theWorker.dispatchEvent(new MessageEvent('message', { data: { panic: 'it fell over' } }));";
    browser.evaluate(stop, &[]);
    browser.wait_text("body", |text| text.contains("The engine stopped") || text.contains("the engine is back"));
    assert_eq!(browser.text_of_editor(), "SELECT 41 + 1 AS answer;\n");
    browser.wait_for("#engine-status[data-state=ready]");
    browser.press(&[key::CONTROL], &[key::ENTER]);
    browser.wait_text("#result", |text| text.contains("42"));
}

#[test]
fn two_hundred_thousand_rows_are_stepped_through_by_their_counts() {
    let browser = Browser::start();
    playground::open(&browser);
    playground::run(
        &browser,
        "CREATE TABLE big (id INT, part INT, v INT) USING DELTA PARTITIONED BY (part);\n\
         INSERT INTO big SELECT CAST(id AS INT), CAST(id % 20 AS INT), 0 FROM range(200000);\n\
         MERGE INTO big t USING (SELECT CAST(id AS INT) AS id, CAST(id % 20 AS INT) AS part, 1 AS v FROM range(100000, 300000)) s\n\
         ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;\n",
    );
    press(&browser, "f");
    let last = timeline::last_step(&browser);
    assert!(last >= 6, "{last}");
    for step in 1..=last {
        timeline::press(&browser, key::RIGHT, step);
    }
    for (letter, piece) in [
        ("t", "Target after"),
        ("f", "write amplification"),
        ("c", "the counts are exact"),
        ("m", "numTargetRowsUpdated"),
    ] {
        press(&browser, letter);
        browser.wait_text("#stage .panel", |text| text.contains(piece));
    }
    browser.wait_text("#stage .panel", |text| {
        text.contains("100 000") || text.contains("100\u{202f}000") || text.contains("100000")
    });
    show_stage(&browser);
    browser.screenshots("large");
}
