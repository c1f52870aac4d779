//! Someone who writes PySpark.

use crate::browser::{Browser, key};
use crate::editor::full_editor;
use crate::editor_help::offered;
use crate::offline::wait_offline;
use crate::playground::{kinds, open, run, wait_kinds};
use serde_json::Value;
use std::fs;
use std::path::Path;

const PROGRAM: &str = "from delta.tables import DeltaTable
from pyspark.sql import functions as F

members = spark.createDataFrame([(1, 'free'), (2, 'pro')], ['member_id', 'plan'])
members.write.format('delta').saveAsTable('members')
changes = spark.createDataFrame([(2, 'free'), (3, 'pro')], ['member_id', 'plan'])
(DeltaTable.forName(spark, 'members').alias('m')
 .merge(changes.alias('c'), 'm.member_id = c.member_id')
 .whenMatchedUpdateAll()
 .whenNotMatchedInsertAll()
 .execute())
spark.table('members').orderBy('member_id').show()
";

const PRINTED: &str = "+---------+----+\n|member_id|plan|\n+---------+----+\n|        1|free|\n|        2|free|\n|        3| pro|\n+---------+----+\n";

/// The text of the cards that show what was printed.
fn printed(browser: &Browser) -> String {
    let script = "return [...document.querySelectorAll('#result .printed')].map((card) => card.textContent).join('');";
    browser.evaluate(script, &[]).as_str().unwrap_or_default().to_owned()
}

fn start(browser: &Browser, text: &str) {
    browser.replace_text("#editor", text);
    browser.press(&[key::CONTROL], &[key::ENTER]);
}

/// Runs a program that has no error.
fn run_program(browser: &Browser, text: &str) {
    start(browser, text);
    browser.wait_text("#status", |status| status == "The program ran.");
    browser.wait_gone("#result .error");
}

#[test]
fn a_pasted_program_runs_steps_breaks_and_stays() {
    let browser = Browser::start();
    open(&browser);
    run_program(&browser, PROGRAM);
    browser.wait("what the program printed", || printed(&browser).starts_with(PRINTED).then_some(()));
    wait_kinds(&browser, &["PYTHON"]);
    browser.wait_for("#timeline");
    browser.screenshots("python");

    // Two columns joined by `and` is the slip that everyone makes once.
    let slip = "t = spark.table('members')\nt.filter((F.col('member_id') > 1) and (F.col('plan') == 'pro')).show()\n";
    start(&browser, slip);
    browser.wait_text("#result .error", |text| {
        text.contains("CANNOT_CONVERT_COLUMN_INTO_BOOL") && text.contains("(…) & (…)")
    });
    browser.screenshots("python-error");
    wait_kinds(&browser, &["PYTHON"]);
    run_program(&browser, &slip.replace(" and ", " & "));
    browser.wait("the row that is left", || printed(&browser).contains("|        3| pro|").then_some(()));
    wait_kinds(&browser, &["PYTHON", "PYTHON"]);

    // Both languages work on the same tables.
    run(&browser, "DELETE FROM members WHERE member_id = 1;");
    run(&browser, "SELECT count(*) AS n FROM members;");
    assert_eq!(browser.text("#result td"), "2");
    start(&browser, "print(t.count())");
    browser.wait("the count by a name of an earlier program", || (printed(&browser) == "2\n").then_some(()));

    browser.reload();
    browser.wait_text("#tables", |text| text.contains("members") && text.contains("2 rows"));
    wait_kinds(&browser, &["PYTHON", "PYTHON", "DELETE", "PYTHON"]);
    assert_eq!(browser.text_of_editor(), "print(t.count())");
    browser.wait_text("#status", |status| status.ends_with("what is here."));
    start(&browser, "print(t.count() + 1)");
    browser.wait("the count after a reload", || (printed(&browser) == "3\n").then_some(()));
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

/// The task of the first lesson.
const ANSWER: &str = "from delta.tables import DeltaTable
t = DeltaTable.forName(spark, 'stock').alias('t')
(t.merge(spark.table('parcel').alias('s'), 't.sku = s.sku')
 .whenMatchedUpdateAll()
 .whenNotMatchedInsertAll()
 .execute())
";

#[test]
fn an_exercise_is_solved_in_python() {
    let browser = full_editor("#/lesson/first-upsert");
    browser.wait_for("#engine-status[data-state=ready]");
    browser.click("#open-exercise-a");
    for (text, status) in
        [(ANSWER.replace(" .whenNotMatchedInsertAll()\n", ""), "failed"), (ANSWER.to_owned(), "passed")]
    {
        browser.replace_text("#editor", &text);
        browser.press(&[key::CONTROL, key::SHIFT], &[key::ENTER]);
        browser.wait_for(&format!("#verdict[data-status={status}]"));
        browser.screenshot(&format!("python-{status}"));
    }
    browser.wait_for("#timeline");
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

/// The lesson's MERGE is shown with the builder while it is SQL, runs as a program, and is then shown in SQL; the choice is
/// remembered.
#[test]
fn a_merge_is_shown_in_both_languages() {
    let browser = full_editor("#/lesson/first-upsert");
    browser.wait_for("#engine-status[data-state=ready]");
    browser.click("#both-languages");
    browser.wait_text("#other-language pre", |text| text.contains(".whenNotMatchedInsertAll()"));
    browser.screenshot("both-languages");
    browser.click("#use-other");
    browser.click("#run");
    browser.wait_for("#timeline");
    browser.wait_text("#result .statement h4", |text| text.contains("MERGE"));
    browser.click("#result .mirror summary");
    browser.wait_text("#result .mirror pre", |text| text.starts_with("MERGE INTO stock AS t\nUSING delivery AS s"));
    browser.screenshot("python-told-in-sql");
    browser.click("#undo");
    browser.wait_text("#other-language pre", |text| text.contains(".whenNotMatchedInsertAll()"));
    browser.reload();
    browser.wait_text("#other-language pre", |text| text.contains(".whenNotMatchedInsertAll()"));
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

/// Runs a text without an error, which is one step more of the playground.
fn pasted(browser: &Browser, text: &str) {
    let before = kinds(browser).len();
    start(browser, text);
    browser.wait(&format!("a step more after {text}"), || (kinds(browser).len() > before).then_some(()));
    browser.wait_text("#status", |status| status.ends_with("ran."));
    browser.wait_gone("#result .error");
}

/// The code blocks of a text that others wrote, where a checkout has it beside it: pasted one after the other as they stand.
#[test]
fn the_blocks_of_a_text_run_as_they_are_pasted() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let Ok(recorded) = fs::read_to_string(shared.join("conformance/seed_blocks.jsonl")) else {
        println!("skipped: there are no code blocks of texts at {}", shared.display());
        return;
    };
    let entries: Vec<Value> = recorded.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_first = |entry: &&Value| entry["id"].as_str().is_some_and(|id| id.starts_with("S0:") && id.ends_with("/a"));
    let blocks: Vec<&Value> = entries.iter().filter(of_first).collect();
    let text = fs::read_to_string(shared.join("seeds").join(blocks[0]["seed_file"].as_str().unwrap())).unwrap();
    let code = |block: &Value| {
        let (first, last) =
            block["lines"].as_str().map(|lines| lines.split_once('-').unwrap_or((lines, lines))).unwrap();
        let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
        let lines: Vec<&str> = text.lines().skip(first - 1).take(last + 1 - first).collect();
        // Fewer rows, as they were recorded: the flow is about the page.
        lines.join("\n").replace("20_000_000", "200_000")
    };

    let browser = Browser::start();
    open(&browser);
    let mut steps = 0;
    for block in &blocks {
        // What the text takes for granted: tables, and names of frames.
        let tables = block["setup"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let tables: Vec<&str> = tables.collect();
        if !tables.is_empty() {
            pasted(&browser, &format!("{};", tables.join(";\n").replace("CREATE TABLE", "CREATE OR REPLACE TABLE")));
        }
        let given = block["dataframes"].as_object().into_iter().flatten();
        let frames = given.map(|(name, query)| format!("{name} = spark.sql({query})\n"));
        let given = block["delta_tables"].as_object().into_iter().flatten();
        let tables = given.map(|(name, table)| format!("{name} = DeltaTable.forName(spark, {table})\n"));
        let given: String = frames.chain(tables).collect();
        if !given.is_empty() {
            pasted(&browser, &given);
        }
        if block["lang"] == "sql" {
            pasted(&browser, &code(block));
        } else if block["error"].is_null() && block["outcome"]["error"].is_null() {
            pasted(&browser, &code(block));
        }
        steps += 1;
    }
    assert!(steps > 15, "{steps} blocks");
    let last = browser.text_of_editor();
    browser.screenshot("python-blocks");

    // One is broken, read and mended; the tables and the text outlive a reload.
    start(&browser, "orders.filter((F.col('customer_id') == 42) and (F.col('amount') > 99.99)).show()\n");
    browser.wait_text("#result .error", |text| text.contains("(…) & (…)"));
    pasted(&browser, "orders.filter((F.col('customer_id') == 42) & (F.col('amount') > 99.99)).show()\n");
    run(&browser, "SELECT count(*) AS n FROM orders_demo;");
    start(&browser, &last);
    browser.reload();
    browser.wait_text("#tables", |text| text.contains("orders_demo"));
    assert_eq!(browser.text_of_editor().trim_end(), last.trim_end());
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

#[test]
fn methods_columns_and_tables_are_completed() {
    let browser = full_editor("#/playground");
    run(&browser, "CREATE TABLE members (member_id BIGINT, plan STRING) USING DELTA;");
    let after = |text: &str| {
        browser.replace_text("#editor", text);
        browser.wait_for("sql-editor[words*='\"member_id\"']");
        browser.press(&[key::CONTROL], &[" "]);
        let names = offered(&browser);
        browser.press(&[], &[key::ESCAPE]);
        names
    };
    let members = after("df = spark.table('members')\ndf.filter('plan IS NULL').with");
    assert!(members.iter().any(|name| name == "withColumn"), "{members:?}");
    let merge = after("t = DeltaTable.forName(spark, 'members')\nt.merge(df, 'a = b').whenMatchedUpdateAll().when");
    assert!(merge.iter().any(|name| name == "whenNotMatchedBySourceDelete"), "{merge:?}");
    assert_eq!(merge.len(), 8, "what a MERGE goes on with, and nothing else: {merge:?}");
    let functions = after("df = spark.range(3)\ndf.select(F.row_n");
    assert_eq!(functions.first().map(String::as_str), Some("row_number"));
    let columns = after("spark.table('members').select('member_");
    assert_eq!(columns.first().map(String::as_str), Some("member_id"));
    let tables = after("spark.table('mem");
    assert!(tables.iter().any(|name| name == "members"), "{tables:?}");
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

#[test]
fn programs_without_an_end_are_bounded() {
    let browser = Browser::start();
    open(&browser);
    run(&browser, "CREATE TABLE t (k INT) USING DELTA; INSERT INTO t VALUES (1);");
    start(&browser, "def f(n):\n    return f(n + 1)\nf(0)\n");
    browser.wait_text("#result .error", |text| text.contains("RecursionError") && text.contains("without an end"));
    start(&browser, "for i in range(1_000_000):\n    print(i)\n");
    browser.wait_text("#result .error, #result .printed", |text| !text.contains("RecursionError"));
    start(&browser, "x = [1\nprint(x)\n");
    browser.wait_text("#result .error", |text| text.contains("SyntaxError"));
    run(&browser, "SELECT count(*) AS n FROM t;");
    assert_eq!(browser.text("#result td"), "1", "the tables are kept");
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

/// What is kept of the interpreter for a visit without a network.
fn kept(browser: &Browser) -> u64 {
    let script = "const [done] = arguments; (async () => {
        const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
        done(requests.flat().filter(({ url }) => /\\/python[^/]*$/.test(url)).length); })();";
    browser.evaluate_later(script, &[]).as_u64().unwrap_or_default()
}

#[test]
fn python_comes_when_it_is_used_and_stays_without_a_network() {
    let browser = Browser::start();
    open(&browser);
    wait_offline(&browser);
    // The worker of this visit is the service worker's too, as everything after the first visit is.
    browser.reload();
    wait_offline(&browser);
    run(&browser, "SELECT 1 AS one;");
    assert_eq!(kept(&browser), 0, "who stays with SQL does not fetch it");
    start(&browser, "print(3)");
    browser.wait("the first program", || (printed(&browser) == "3\n").then_some(()));
    assert_eq!(kept(&browser), 2, "its glue and its module");
    browser.cut_network();
    browser.reload();
    browser.wait_for("#engine-status[data-state=ready]");
    browser.wait_text("#status", |status| status == "1 statement makes what is here.");
    start(&browser, "print(4)");
    browser.wait("a program without a network", || (printed(&browser) == "4\n").then_some(()));
}
