//! Someone with data of their own.

use serde_json::json;

use crate::browser::Browser;
use crate::playground::{open, run, wait_kinds};

/// Drops a file on the page, as a person drags it in.
fn drop_file(browser: &Browser, name: &str, content: &str) {
    let script = "const input = document.querySelector('#pick-files'); const files = new DataTransfer();
        files.items.add(new File([arguments[1]], arguments[0])); input.files = files.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));";
    browser.evaluate(script, &[json!(name), json!(content)]);
}

#[test]
fn files_become_tables_survive_a_reload_and_what_is_lost_is_said() {
    let browser = Browser::start();
    open(&browser);
    browser.wait_for("#pick-files");
    drop_file(&browser, "Prices 2026.csv", "sku,price,day\nmug,9.5,2026-01-01\npen,,2026-01-02\n");
    wait_kinds(&browser, &["FILE"]);
    browser.wait_text("#tables", |text| text.contains("prices_2026") && text.contains("price double"));
    drop_file(&browser, "rows.json", r#"[{"sku": "mug", "note": "<img src=x onerror=alert(1)>"}]"#);
    wait_kinds(&browser, &["FILE", "FILE"]);
    browser.wait_text("#tables", |text| text.contains("rows"));
    run(&browser, "SELECT p.sku, r.note FROM prices_2026 p JOIN rows r ON p.sku = r.sku;");
    assert_eq!(browser.text("#result td:nth-child(2)"), "<img src=x onerror=alert(1)>", "a value is a text");
    assert_eq!(browser.count("#result img"), 0);
    browser.screenshots("own-data");

    browser.reload();
    browser.wait_text("#tables", |text| text.contains("prices_2026") && text.contains("rows"));
    let forget = "const [done] = arguments; indexedDB.open('mergelab', 1).onsuccess = ({ target }) => {
        const all = target.result.transaction('files', 'readwrite').objectStore('files').clear();
        all.onsuccess = () => done(true); };";
    browser.evaluate_later(forget, &[]);
    browser.reload();
    browser.wait_text("#result .error", |text| text.contains("drop it again"));
}

#[test]
fn what_cannot_be_read_is_refused_and_leaves_nothing() {
    let browser = Browser::start();
    open(&browser);
    browser.wait_for("#pick-files");
    for (name, content, expected) in [
        ("bad.zip", "PK no zip at all", "no zip file"),
        ("bad.csv", "a,b\n1,2,3\n", "Line 2 has 3 fields"),
        ("bad.json", "{", "no JSON"),
    ] {
        drop_file(&browser, name, content);
        browser.wait_text("#result .error", |text| text.contains(expected));
        browser.click("#undo-step");
        browser.wait_gone("#result .error");
    }
}

#[test]
fn a_table_goes_out_as_a_zip_and_comes_back_with_its_history() {
    let browser = Browser::start();
    open(&browser);
    run(&browser, "CREATE TABLE t (k INT) USING DELTA; INSERT INTO t VALUES (1), (2); DELETE FROM t WHERE k = 2;");
    browser.evaluate(
        "const make = URL.createObjectURL;
         URL.createObjectURL = (blob) => { window.zip = blob; return make.call(URL, blob); };",
        &[],
    );
    browser.wait_for("#tables .download");
    browser.click("#tables .download");
    browser.wait_text("#status", |status| status == "t.zip is in your downloads.");
    browser.evaluate(
        "const input = document.querySelector('#pick-files'); const files = new DataTransfer();
         files.items.add(new File([window.zip], 'Back Again.zip')); input.files = files.files;
         input.dispatchEvent(new Event('change', { bubbles: true }));",
        &[],
    );
    browser.wait_text("#tables", |text| text.contains("back_again"));
    run(&browser, "SELECT count(*) AS n FROM back_again VERSION AS OF 1;");
    assert_eq!(browser.text("#result td"), "2");
}

#[test]
fn files_dragged_onto_the_page_become_tables() {
    let browser = Browser::start();
    open(&browser);
    browser.wait_for("#pick-files");
    let folder = std::env::temp_dir().join(format!("mergelab-drag-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the file");
    let file = folder.join("stock.csv");
    std::fs::write(&file, "sku,n\nmug,3\npen,4\n").expect("the file is written");
    let data = json!({ "items": [], "files": [file.to_string_lossy()], "dragOperationsMask": 1 });
    for kind in ["dragEnter", "dragOver"] {
        browser.devtools("Input.dispatchDragEvent", &json!({ "type": kind, "x": 700, "y": 400, "data": data }));
    }
    browser.wait_for("body.dropping");
    browser.screenshot("dragging");
    browser.devtools("Input.dispatchDragEvent", &json!({ "type": "drop", "x": 700, "y": 400, "data": data }));
    wait_kinds(&browser, &["FILE"]);
    browser.wait_text("#tables", |text| text.contains("stock") && text.contains("2 rows"));
    assert_eq!(browser.count("body.dropping"), 0);
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}
