//! The playground: steps that add up, and tables that are made from use.

use host::{Host, block_on};
use protocol::{Envelope, MAKE_SAMPLES, PlayStep, ReplyBody, Request, RunReport};

const MERGES: &[&str] = &[
    "MERGE INTO shop.orders t USING staging.new_orders s ON t.order_id = s.order_id
     WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;",
    "MERGE INTO members m USING changes c ON m.member_id = c.member_id
     WHEN MATCHED AND c.op = 'DELETE' THEN DELETE
     WHEN MATCHED THEN UPDATE SET m.mail = c.mail, m.plan = c.plan, m.changed_at = c.ts
     WHEN NOT MATCHED AND c.op != 'DELETE' THEN INSERT (member_id, mail, plan, changed_at)
       VALUES (c.member_id, c.mail, c.plan, c.ts)
     WHEN NOT MATCHED BY SOURCE AND m.plan = 'trial' THEN DELETE",
    "MERGE INTO dim_item t USING (
       SELECT id AS merge_key, * FROM item_changes
       UNION ALL
       SELECT NULL AS merge_key, u.* FROM item_changes u JOIN dim_item d ON u.id = d.id AND d.is_current = true
       WHERE u.tier <> d.tier
     ) s ON t.id = s.merge_key AND t.is_current = true
     WHEN MATCHED AND t.tier <> s.tier THEN UPDATE SET is_current = false, end_date = current_date()
     WHEN NOT MATCHED THEN INSERT (id, tier, is_current, start_date, end_date)
       VALUES (s.id, s.tier, true, current_date(), NULL);",
    "MERGE INTO orders t USING daily s ON t.id = s.id AND t.order_date >= current_date() - INTERVAL 7 DAYS
     WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
    "WITH latest AS (
       SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY k ORDER BY seen_at DESC) AS rn FROM feed) WHERE rn = 1)
     MERGE INTO target t USING latest s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
    "MERGE INTO a t USING b s ON t.k = s.k AND t.region = 'EU'
     WHEN MATCHED AND s.version > t.version AND s.amount > 100 THEN UPDATE SET amount = s.amount, version = s.version
     WHEN NOT MATCHED THEN INSERT (k, region, amount, version) VALUES (s.k, 'EU', s.amount, s.version)",
];

fn play(host: &mut Host, steps: &[PlayStep], text: &str) -> RunReport {
    let request = Request::Play { steps: steps.to_vec(), text: text.to_owned() };
    match block_on(host.handle(request, &mut |_| ())) {
        ReplyBody::Ran(report) => *report,
        other => panic!("{other:?}"),
    }
}

fn sql(text: &str) -> PlayStep {
    PlayStep::Sql(text.to_owned())
}

fn count(host: &mut Host, steps: &[PlayStep]) -> String {
    let report = play(host, steps, "SELECT count(*) FROM t");
    report.statements[0].grid.as_ref().unwrap().rows[0][0].clone().unwrap()
}

fn problems(report: &RunReport) -> Vec<String> {
    let of_statements = report.statements.iter().filter_map(|statement| statement.error.as_ref());
    report.errors.iter().chain(of_statements).map(|error| format!("{}: {}", error.condition, error.message)).collect()
}

/// Runs a text in an empty playground, makes the sample tables that are offered, runs it again.
fn in_two_presses(text: &str) -> RunReport {
    let mut host = Host::new("t");
    let first = play(&mut host, &[], text);
    let error = first.statements.last().and_then(|statement| statement.error.as_ref());
    let edit = error.and_then(|error| error.edits.iter().find(|edit| edit.label == MAKE_SAMPLES));
    let edit = edit.unwrap_or_else(|| panic!("nothing is offered for\n{text}\n{:?}", problems(&first)));
    let report = play(&mut host, &[sql(&edit.replacement)], text);
    assert_eq!(problems(&report), Vec::<String>::new(), "{}\n{text}", edit.replacement);
    report
}

#[test]
fn a_merge_over_unknown_tables_runs_in_two_presses_and_has_something_to_show() {
    for text in MERGES {
        let report = in_two_presses(text);
        let trace = report.statements[0].trace.as_ref().unwrap();
        assert!(report.statements[0].version.is_some() && trace.steps.len() > 4, "{text}");
        let rows = &report.statements[0].grid.as_ref().unwrap().rows[0];
        assert_ne!(rows[0].as_deref(), Some("0"), "no row changes: {text}");
    }
}

#[allow(clippy::disallowed_methods, reason = "a test reads texts of the machine that it runs on")]
/// Texts that others wrote: every MERGE in the files of the folder that this variable names.
#[test]
fn merges_of_texts_from_elsewhere_run_in_two_presses() {
    let Some(folder) = std::env::var_os("MERGELAB_TEXTS") else {
        println!("MERGELAB_TEXTS names no folder: only our own cases were run");
        return;
    };
    let mut n_merges = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let text = String::from_utf8_lossy(&std::fs::read(file.unwrap().path()).unwrap()).into_owned();
        for merge in merges_in(&text) {
            println!("{merge}\n");
            in_two_presses(&merge);
            n_merges += 1;
        }
    }
    println!("{n_merges} statements");
    assert!(n_merges > 0);
}

/// Paragraphs with a MERGE, from its first line or that of its WITH, up to a semicolon or an empty line.
fn merges_in(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n");
    let is_start = |line: &&str| line.starts_with("MERGE INTO ") || line.starts_with("WITH ");
    let mut found = Vec::new();
    for paragraph in text.split("\n\n") {
        let lines: Vec<&str> = paragraph.lines().collect();
        let Some(start) = lines.iter().position(is_start) else { continue };
        let statement = lines[start..].join("\n");
        if statement.contains("\nON ") || statement.contains(" ON ") {
            found.push(statement.split(";\n").next().unwrap_or(&statement).to_owned());
        }
    }
    found
}

#[test]
fn steps_add_up_and_are_not_taken_twice() {
    let mut host = Host::new("t");
    let (create, insert) = ("CREATE TABLE t (k INT) USING DELTA", "INSERT INTO t VALUES (1)");
    let report = play(&mut host, &[], &format!("{create};\n{insert};"));
    assert_eq!(problems(&report), Vec::<String>::new());
    let steps = [sql(create), sql(insert)];
    assert_eq!(count(&mut host, &steps), "1");
    // Without the last statement: the page took it back.
    assert_eq!(count(&mut host, &steps[..1]), "0");
    assert_eq!(count(&mut Host::new("t"), &[steps[0].clone(), steps[1].clone(), steps[1].clone()]), "2");
}

#[test]
fn a_replay_gives_the_same_bytes_and_a_failed_run_leaves_nothing() {
    let objects = |host: &mut Host| match block_on(host.handle(Request::Fingerprints, &mut |_| ())) {
        ReplyBody::Fingerprints { objects } => objects,
        other => panic!("{other:?}"),
    };
    let (create, insert) = ("CREATE TABLE t (k INT) USING DELTA", "INSERT INTO t VALUES (1)");
    let mut host = Host::new("t");
    play(&mut host, &[], create);
    let failed = play(&mut host, &[sql(create)], "INSERT INTO t VALUES (7); SELECT nowhere");
    assert_eq!(problems(&failed).len(), 1);
    play(&mut host, &[sql(create)], insert);
    let replayed = &mut Host::new("t");
    play(replayed, &[sql(create), sql(insert)], "");
    assert_eq!(objects(&mut host), objects(replayed));
    assert_eq!(count(&mut host, &[sql(create), sql(insert)]), "1");
}

#[test]
fn an_earlier_step_that_fails_is_told_as_such() {
    let report = play(&mut Host::new("t"), &[sql("SELECT 1"), sql("DROP TABLE gone")], "SELECT 2");
    assert_eq!((report.statements.len(), report.errors.len()), (0, 1));
    assert!(report.errors[0].message.starts_with("An earlier step failed"), "{:?}", report.errors);
}

#[test]
fn nothing_is_offered_where_a_table_is_there() {
    let report = play(&mut Host::new("t"), &[sql("CREATE TABLE t (k INT) USING DELTA")], "SELECT gone FROM t");
    assert!(report.statements[0].error.as_ref().unwrap().edits.iter().all(|edit| edit.label != MAKE_SAMPLES));
}

#[test]
fn steps_travel_as_json() {
    let text = r#"{"id":1,"body":{"request":"play","steps":[{"sql":"SELECT 1"}],"text":"SELECT 2"}}"#;
    let request: Envelope<Request> = serde_json::from_str(text).unwrap();
    assert_eq!(request.body, Request::Play { steps: vec![sql("SELECT 1")], text: "SELECT 2".into() });
}

fn file(key: &str, table: &str) -> PlayStep {
    PlayStep::File { key: key.to_owned(), table: table.to_owned() }
}

fn cells(host: &mut Host, steps: &[PlayStep], query: &str) -> Vec<Vec<Option<String>>> {
    let report = play(host, steps, query);
    assert_eq!(problems(&report), Vec::<String>::new(), "{query}");
    report.statements[0].grid.as_ref().unwrap().rows.clone()
}

fn texts(rows: &[Vec<Option<String>>]) -> Vec<String> {
    rows.iter()
        .map(|row| row.iter().map(|cell| cell.as_deref().unwrap_or("NULL")).collect::<Vec<_>>().join(","))
        .collect()
}

#[test]
fn csv_and_json_become_tables_with_types() {
    let mut host = Host::new("t");
    let csv = "id,name,when,price,odd name\n1,mug,2026-01-01,9.5,x\n2,,2026-01-02,,\"<b>\"\n";
    host.put_file("a", "prices.csv", csv.into()).unwrap();
    host.put_file("b", "rows.json", r#"[{"id": 1, "tags": ["x"]}, {"id": 2}]"#.into()).unwrap();
    let steps = [file("a", "prices"), file("b", "tagged")];
    let rows = cells(&mut host, &steps, "SELECT * FROM prices ORDER BY id");
    assert_eq!(texts(&rows), ["1,mug,2026-01-01,9.5,x", "2,NULL,2026-01-02,NULL,<b>"]);
    let rows = cells(&mut host, &steps, "SELECT p.id, p.price * 2, t.tags FROM prices p JOIN tagged t ON p.id = t.id");
    assert_eq!(texts(&rows), ["1,19.0,[\"x\"]", "2,NULL,NULL"]);
    let rows = cells(&mut host, &steps, "DESCRIBE TABLE prices");
    let types: Vec<String> = rows.iter().take(5).map(|row| row[1].clone().unwrap()).collect();
    assert_eq!(types, ["bigint", "string", "date", "double", "string"]);
}

#[test]
fn a_downloaded_table_comes_back_with_its_history() {
    let mut host = Host::new("t");
    let steps = [
        "CREATE TABLE t (k INT, p STRING) USING DELTA PARTITIONED BY (p)",
        "INSERT INTO t VALUES (1, 'a b'), (2, 'c')",
    ];
    let steps: Vec<PlayStep> = steps.iter().map(|text| sql(text)).collect();
    play(&mut host, &steps, "DELETE FROM t WHERE k = 2");
    let zip = block_on(host.zip("t")).unwrap();
    let entries = host::unpack(&zip).unwrap();
    assert!(entries.iter().any(|entry| entry.path == "README.md"));
    assert!(entries.iter().any(|entry| entry.path == "t/_delta_log/00000000000000000002.json"));

    let mut other = Host::new("t");
    other.put_file("z", "t.zip", zip).unwrap();
    let steps = [file("z", "back")];
    assert_eq!(texts(&cells(&mut other, &steps, "SELECT * FROM back")), ["1,a b"]);
    assert_eq!(texts(&cells(&mut other, &steps, "SELECT count(*) FROM back VERSION AS OF 1")), ["2"]);
    // The same as a folder, as a browser gives it.
    for entry in entries {
        other.put_file("f", &entry.path, entry.bytes).unwrap();
    }
    assert_eq!(texts(&cells(&mut other, &[file("f", "folder")], "SELECT * FROM folder")), ["1,a b"]);
    assert!(block_on(host.zip("nowhere")).unwrap_err().contains("nowhere"));
}

#[test]
fn parquet_becomes_a_table() {
    let mut host = Host::new("t");
    play(&mut host, &[sql("CREATE TABLE t (k INT, v DECIMAL(5,2)) USING DELTA")], "INSERT INTO t VALUES (1, 2.50)");
    let zip = block_on(host.zip("t")).unwrap();
    let data = host::unpack(&zip).unwrap().into_iter().find(|entry| entry.path.ends_with(".parquet")).unwrap();
    host.put_file("p", "part.parquet", data.bytes).unwrap();
    assert_eq!(texts(&cells(&mut host, &[file("p", "u")], "SELECT * FROM u")), ["1,2.50"]);
}

#[test]
fn files_that_do_not_fit_are_refused_with_a_sentence() {
    let mut host = Host::new("t");
    for path in ["../x.csv", "/x.csv", "a\\b.csv", ""] {
        assert!(host.put_file("k", path, b"a\n1".to_vec()).is_err(), "{path:?}");
    }
    assert!(host.put_file("k", "big.bin", vec![0; 100_000_001]).unwrap_err().contains("more than this tab"));
    let cases: [(&str, &[u8], &str); 6] = [
        ("x.zip", b"PK no zip", "no zip file"),
        ("x.csv", b"\xff\xfe\x00", "no UTF-8 text"),
        ("x.csv", b"a,b\n1,2,3\n", "Line 2 has 3 fields"),
        ("x.json", b"{\"a\": ", "no JSON"),
        ("x.parquet", b"PAR1", "x.parquet"),
        ("dir/x.csv", b"", "no line"),
    ];
    for (idx, (path, bytes, expected)) in cases.into_iter().enumerate() {
        let key = format!("k{idx}");
        host.put_file(&key, path, bytes.to_vec()).unwrap();
        let report = play(&mut host, &[file(&key, "t")], "");
        let told = problems(&report);
        assert!(told.len() == 1 && told[0].contains(expected), "{path}: {told:?}");
        assert!(report.tables.is_empty(), "nothing of it stays");
    }
    for (key, table, expected) in [("gone", "t", "drop it again"), ("k1", "x; DROP TABLE y", "no name for a table")] {
        let told = problems(&play(&mut host, &[file(key, table)], ""));
        assert!(told[0].contains(expected), "{told:?}");
    }
}

#[allow(clippy::disallowed_methods, reason = "a test reads the page's own files")]
#[test]
fn ready_statements_run() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/ready");
    let mut n_files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let report = play(&mut Host::new("t"), &[], &text);
        assert_eq!(problems(&report), Vec::<String>::new(), "{}", path.display());
        n_files += 1;
    }
    assert!(n_files >= 5);
}
