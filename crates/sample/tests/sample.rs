//! Statements and the tables that are made for them.

#![allow(clippy::unwrap_used, reason = "every function here is part of a test")]

/// Statement, and the CREATE statements without their keywords.
const CASES: &[(&str, &[&str])] = &[
    // Nothing but a key: a column that can change comes with it.
    (
        "MERGE INTO shop.orders t USING staging.new_orders s ON t.order_id = s.order_id
         WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        &["staging.new_orders (order_id INT, value STRING)", "shop.orders (order_id INT, value STRING)"],
    ),
    // Constants tell types, and a source may have columns of its own.
    (
        "MERGE INTO members m USING changes c ON m.member_id = c.member_id
         WHEN MATCHED AND c.op = 'DELETE' THEN DELETE
         WHEN MATCHED THEN UPDATE SET m.mail = c.mail, m.plan = c.plan, m.changed_at = c.ts
         WHEN NOT MATCHED AND c.op != 'DELETE' THEN INSERT (member_id, mail, plan, changed_at)
           VALUES (c.member_id, c.mail, c.plan, c.ts)
         WHEN NOT MATCHED BY SOURCE AND m.plan = 'trial' THEN DELETE",
        &[
            "changes (member_id INT, op STRING, mail STRING, plan STRING, ts TIMESTAMP)",
            "members (member_id INT, mail STRING, plan STRING, changed_at TIMESTAMP)",
        ],
    ),
    // Two passes of a slowly changing dimension: stars of a UNION, a key that is NULL in one branch.
    (
        "MERGE INTO dim_item t USING (
           SELECT id AS merge_key, * FROM item_changes
           UNION ALL
           SELECT NULL AS merge_key, u.* FROM item_changes u JOIN dim_item d ON u.id = d.id AND d.is_current = true
           WHERE u.tier <> d.tier
         ) s ON t.id = s.merge_key AND t.is_current = true
         WHEN MATCHED AND t.tier <> s.tier THEN UPDATE SET is_current = false, end_date = current_date()
         WHEN NOT MATCHED THEN INSERT (id, tier, is_current, start_date, end_date)
           VALUES (s.id, s.tier, true, current_date(), NULL)",
        &[
            "item_changes (id INT, tier STRING)",
            "dim_item (id INT, is_current BOOLEAN, tier STRING, end_date DATE, start_date DATE)",
        ],
    ),
    // A date by its arithmetic, on one side only.
    (
        "MERGE INTO orders t USING daily s ON t.id = s.id AND t.order_date >= current_date() - INTERVAL 7 DAYS
         WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        &["daily (id INT, order_date DATE)", "orders (id INT, order_date DATE)"],
    ),
    // The newest row per key, by a window in a CTE.
    (
        "WITH latest AS (
           SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY k ORDER BY seen_at DESC) AS rn FROM feed) WHERE rn = 1
         )
         MERGE INTO target t USING latest s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        &["feed (k STRING, seen_at TIMESTAMP)", "target (k STRING, seen_at TIMESTAMP)"],
    ),
    // Arithmetic and functions.
    (
        "UPDATE stock SET n = n + 1, label = upper(label), price = price * 1.10 WHERE seen >= '2025-03-01' AND ok",
        &["stock (n INT, label STRING, price DECIMAL(12,2), seen DATE, ok BOOLEAN)"],
    ),
    (
        "DELETE FROM `odd name` WHERE `a b` IN (1, 2) AND note LIKE 'x%'",
        &["`odd name` (`a b` INT, note STRING)"],
    ),
    ("INSERT INTO t VALUES (1, 'a', DATE'2026-01-01')", &["t (c1 INT, c2 STRING, c3 DATE)"]),
    ("INSERT INTO t (a, b) SELECT x, y + 0.5 FROM u", &["u (x STRING, y DECIMAL(12,2))", "t (a STRING, b DECIMAL(12,2))"]),
    ("SELECT a.x, b.y FROM a JOIN b USING (k)", &["a (k STRING, x STRING)", "b (k STRING, y STRING)"]),
    ("SELECT count(*) FROM t", &["t (id INT)"]),
    // What the statements make themselves is not made.
    ("CREATE TABLE t (a INT) USING DELTA; INSERT INTO t VALUES (1); SELECT b FROM u, t", &["u (id INT)"]),
    ("CREATE TEMP VIEW v AS SELECT id, v FROM raw; SELECT id FROM v WHERE v > 5", &["raw (id INT, v INT)"]),
    ("SELECT * FROM known", &[]),
    ("SELECT * FROM delta.`/some/path`", &[]),
    ("OPTIMIZE t", &[]),
];

fn script(text: &str) -> Option<String> {
    let parsed = sql::parse(text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    sample::script(&parsed.statements, &|name| name.last() == "known")
}

#[test]
fn tables_are_made_from_how_their_columns_are_used() {
    for (text, expected) in CASES {
        let script = script(text).unwrap_or_default();
        let made: Vec<&str> = script
            .lines()
            .filter_map(|line| line.strip_prefix("CREATE TABLE ")?.strip_suffix(" USING DELTA;"))
            .collect();
        assert_eq!(made, *expected, "{text}\n{script}");
    }
}

#[test]
fn schemas_come_first_and_once() {
    let script = script("SELECT a.x FROM s.a AS a JOIN main.s.b AS b ON a.k = b.k").unwrap();
    assert!(script.starts_with("CREATE SCHEMA IF NOT EXISTS s;\nCREATE TABLE s.a"), "{script}");
    assert_eq!(script.matches("CREATE SCHEMA").count(), 1);
}

#[test]
fn rows_can_be_read_and_keys_overlap() {
    for (text, _) in CASES {
        let Some(script) = script(text) else { continue };
        assert_eq!(sql::parse(&script).diagnostics, [], "{script}");
    }
    let script = script("SELECT 1 FROM t JOIN s ON t.k = s.k WHERE s.op IN ('I', 'D')").unwrap();
    assert!(script.contains("('k-4', 'I')") || script.contains("('k-4', 'D')"), "{script}");
    assert!(script.matches("('k-4'").count() == 2, "{script}");
}

#[test]
fn a_hostile_name_stays_a_name() {
    let script = script("SELECT `x``; DROP TABLE t; --` FROM `a``b; SELECT 1`").unwrap();
    let parsed = sql::parse(&script);
    assert_eq!((parsed.diagnostics.len(), parsed.statements.len()), (0, 3), "{script}");
}
