//! Statements and the warnings that they earn: `RULE: the marked text`.

#![allow(clippy::expect_used, reason = "helpers of tests")]

use lint::{Column, Known, Table, lint};

fn column(name: &str, nullable: bool) -> Column {
    Column { name: name.to_owned(), data_type: "int".to_owned(), nullable }
}

fn table(name: &str, columns: &[(&str, bool)]) -> Table {
    let columns = columns.iter().map(|(name, nullable)| column(name, *nullable)).collect();
    Table { name: name.to_owned(), is_view: false, columns }
}

fn known() -> Known {
    Known::new(vec![
        table("tgt", &[("k", false), ("v", true), ("w", false), ("day", true)]),
        table("src", &[("k", false), ("v", true), ("w", false), ("day", true), ("at", true), ("no", true)]),
    ])
}

fn warnings(script: &str) -> Vec<String> {
    let parsed = sql::parse(script);
    assert_eq!(parsed.diagnostics, [], "{script}");
    let found = lint(script, &parsed.statements, &mut known());
    let shown = found.iter().map(|warning| {
        let rule = warning.condition.strip_prefix("MERGELAB_WARNING.").expect("a condition of ours");
        assert!(warning.hint.is_some() && warning.message.ends_with('.'), "{warning:?}");
        format!("{rule}: {}", warning.span.expect("a place").of(script))
    });
    shown.collect()
}

#[track_caller]
fn check(script: &str, expected: &[&str]) {
    assert_eq!(warnings(script), expected, "{script}");
}

fn merge(on: &str, clauses: &str) -> String {
    format!("MERGE INTO tgt AS t USING src AS s ON {on} {clauses}")
}

const UPSERT: &str = "WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (k, v) VALUES (s.k, s.v)";

#[test]
fn a_usual_upsert_earns_none() {
    check(&merge("t.k = s.k", UPSERT), &[]);
    check("SELECT 1; UPDATE tgt SET v = 1 WHERE v <> 2; DELETE FROM tgt", &[]);
}

#[test]
fn a_delete_of_all_that_the_source_does_not_name() {
    let clause = "WHEN NOT MATCHED BY SOURCE THEN DELETE";
    check(&merge("t.k = s.k", clause), &[&format!("UNCONDITIONAL_DELETE: {clause}")]);
    check(&merge("t.k = s.k", "WHEN NOT MATCHED BY SOURCE AND t.day > 1 THEN DELETE"), &[]);
    check(&merge("t.k = s.k", "WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = 0"), &[]);
}

#[test]
fn an_on_without_a_key() {
    for on in ["true", "t.k > s.k", "t.k = 1", "t.k = t.w", "s.k = s.no AND t.v = 3", "t.k = s.k OR t.v = s.v"] {
        check(&merge(on, UPSERT), &[&format!("NO_KEY_EQUALITY: {on}")]);
    }
    for on in ["t.k <=> s.k", "t.v = 1 AND s.k = t.k", "false", "upper(t.k) = s.k", "k_of(a.k) = b.k"] {
        check(&merge(on, UPSERT), &[]);
    }
}

#[test]
fn a_window_that_only_on_knows() {
    let insert = "WHEN NOT MATCHED THEN INSERT *";
    check(&merge("t.k = s.k AND t.day >= 7", insert), &["WINDOW_ONLY_IN_ON: t.day >= 7"]);
    check(&merge("t.k = s.k AND s.day BETWEEN 1 AND 7", insert), &["WINDOW_ONLY_IN_ON: s.day BETWEEN 1 AND 7"]);
    check(&merge("t.k = s.k AND t.day >= 7", "WHEN NOT MATCHED AND s.day >= 7 THEN INSERT *"), &[]);
    check(&merge("t.k = s.k AND t.day >= 7", "WHEN MATCHED THEN UPDATE SET v = s.v"), &[]);
    check(&merge("t.k = s.k AND t.day = 7", insert), &[]);
    check(&merge("t.k = s.k AND t.day >= s.day", insert), &[]);
    let absent = "WHEN NOT MATCHED BY SOURCE THEN UPDATE SET v = 0";
    check(&merge("t.k = s.k AND t.day >= 7", absent), &["WINDOW_ONLY_IN_ON: t.day >= 7"]);
    let absent = "WHEN NOT MATCHED BY SOURCE AND t.day >= 7 THEN DELETE";
    check(&merge("t.k = s.k AND t.day >= 7", absent), &[]);
    let filtered = "MERGE INTO tgt t USING (SELECT * FROM src WHERE day >= 7) s ON t.k = s.k AND t.day >= 7";
    check(&format!("{filtered} {insert}"), &[]);
}

#[test]
fn unequal_where_null_is_possible() {
    let clause = |condition: &str| format!("WHEN MATCHED AND {condition} THEN UPDATE SET *");
    check(&merge("t.k = s.k", &clause("t.v <> s.v")), &["NULL_UNSAFE_COMPARISON: t.v <> s.v"]);
    check(&merge("t.k = s.k", &clause("(t.w <> s.w OR t.v != s.v)")), &["NULL_UNSAFE_COMPARISON: t.v != s.v"]);
    check(
        &merge("t.k = s.k", &clause("cast(t.v AS INT) <> s.w")),
        &["NULL_UNSAFE_COMPARISON: cast(t.v AS INT) <> s.w"],
    );
    for fine in [
        "t.w <> s.w",
        "t.v IS DISTINCT FROM s.v",
        "NOT (t.v <=> s.v)",
        "coalesce(t.v, 0) <> coalesce(s.v, 0)",
        "t.v <> 3",
        "(t.v <> s.v OR t.v IS NULL OR s.v IS NULL)",
        "t.other <> s.another",
    ] {
        check(&merge("t.k = s.k", &clause(fine)), &[]);
    }
    let source = "MERGE INTO tgt t USING (SELECT k, w, v + 1 AS w2 FROM src) s ON t.k = s.k";
    check(&format!("{source} {}", clause("t.w <> s.w2")), &["NULL_UNSAFE_COMPARISON: t.w <> s.w2"]);
    check(&format!("{source} {}", clause("t.w <> s.w")), &[]);
}

#[test]
fn the_quick_fix_of_unequal_is_sql_that_earns_nothing() {
    let script = merge("t.k = s.k", "WHEN MATCHED AND t.v <> s.v THEN UPDATE SET *");
    let found = lint(&script, &sql::parse(&script).statements, &mut known());
    assert_eq!(found[0].edits.len(), 2);
    for edit in &found[0].edits {
        let fixed = format!("{}{}{}", &script[..edit.span.start], edit.replacement, &script[edit.span.end..]);
        check(&fixed, &[]);
    }
}

#[test]
fn numbers_that_leave_ties() {
    let source = |number: &str, order: &str| {
        format!(
            "MERGE INTO tgt t USING (SELECT * FROM (SELECT *, {number}() OVER (PARTITION BY k ORDER BY {order}) AS n \
             FROM src) WHERE n = 1) s ON t.k = s.k {UPSERT}"
        )
    };
    check(&source("rank", "at DESC, no DESC"), &["RANK_KEEPS_TIES: rank"]);
    check(&source("DENSE_RANK", "at DESC"), &["RANK_KEEPS_TIES: DENSE_RANK"]);
    check(&source("row_number", "at DESC"), &["NO_TIEBREAKER: at"]);
    check(&source("row_number", "at DESC, no DESC"), &[]);
    check("SELECT * FROM (SELECT k, rank() OVER (ORDER BY v) AS r FROM src) WHERE r <= 3", &[]);
    check("SELECT k, rank() OVER (ORDER BY v) AS r FROM src", &[]);
    let cte = "WITH d AS (SELECT *, row_number() OVER (PARTITION BY k ORDER BY at) AS n FROM src)";
    check(&format!("{cte} SELECT * FROM d WHERE n < 2"), &["NO_TIEBREAKER: at"]);
    check(&format!("CREATE TEMP VIEW e AS {cte} SELECT * FROM d WHERE 1 = n"), &["NO_TIEBREAKER: at"]);
    check(
        "INSERT INTO tgt SELECT k FROM (SELECT k, row_number() OVER w AS n FROM src WINDOW w AS (PARTITION BY k)) WHERE n = 1",
        &["NO_TIEBREAKER: row_number"],
    );
}

#[test]
fn what_a_text_creates_is_known_behind_it() {
    let merge = "MERGE INTO a USING b ON a.k = b.k WHEN MATCHED AND a.v <> b.v THEN UPDATE SET v = b.v";
    let tables = "CREATE TABLE a (k INT NOT NULL, v INT NOT NULL) USING DELTA;";
    check(&format!("{tables} CREATE TEMP VIEW b AS SELECT k, w AS v FROM src; {merge}"), &[]);
    check(
        &format!("{tables} CREATE TEMP VIEW b AS SELECT k, v FROM src; {merge}"),
        &["NULL_UNSAFE_COMPARISON: a.v <> b.v"],
    );
    let values = "CREATE TEMP VIEW b AS SELECT * FROM VALUES (1, 2), (2, NULL) AS r(k, v);";
    check(&format!("{tables} {values} {merge}"), &["NULL_UNSAFE_COMPARISON: a.v <> b.v"]);
    check(&format!("{merge}; {tables}"), &[]);
}

#[test]
fn the_catalog_follows_a_text() {
    let script = "CREATE TABLE default.New (a INT, b DECIMAL(8,2) NOT NULL) USING DELTA;
        ALTER TABLE new ADD COLUMNS (c ARRAY<STRING>); ALTER TABLE new DROP COLUMN a; ALTER TABLE new RENAME COLUMN b TO d;
        CREATE TABLE copied AS SELECT s.*, t.w AS other, 1 AS one FROM src s LEFT JOIN tgt t ON s.k = t.k;
        CREATE TABLE alike LIKE tgt; DROP TABLE tgt; CREATE TEMP VIEW r(x) AS SELECT k FROM src; ALTER TABLE alike RENAME TO b";
    let parsed = sql::parse(script);
    assert_eq!(parsed.diagnostics, []);
    let mut known = known();
    lint(script, &parsed.statements, &mut known);
    let shown: Vec<String> = known
        .into_tables()
        .iter()
        .map(|table| {
            let columns = table.columns.iter().map(|column| {
                format!("{} {}{}", column.name, column.data_type, if column.nullable { "" } else { "!" })
            });
            format!(
                "{}{}: {}",
                table.name,
                if table.is_view { "*" } else { "" },
                columns.collect::<Vec<_>>().join(", ")
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "b: k int!, v int, w int!, day int",
            "copied: k int!, v int, w int!, day int, at int, no int, other int, one !",
            "new: d decimal(8,2)!, c array<string>",
            "r*: x int!",
            "src: k int!, v int, w int!, day int, at int, no int",
        ]
    );
}
