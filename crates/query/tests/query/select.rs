use crate::harness::{catalog, check, run, session};
use query::{CompareOp, Predicate, plan_query};

#[test]
fn a_select_list_names_and_types_its_columns() {
    check(&[
        ("SELECT 1", "1 int\n1"),
        ("SELECT id, v + 1 FROM t WHERE v > 10", "id int, (v + 1) int\n2|21\n4|41"),
        ("SELECT t.id AS x, T.V y FROM t WHERE id = 1", "x int, y int\n1|10"),
        ("SELECT default.t.id FROM t WHERE spark_catalog.default.t.id = 2", "id int\n2"),
        ("SELECT * FROM t WHERE id = 3", "id int, k string, v int, d double\n3|b|NULL|2.5"),
        ("SELECT * EXCEPT (k, d) FROM t WHERE id = 3", "id int, v int\n3|NULL"),
        ("SELECT t.*, 1 AS one FROM t WHERE id = 3", "id int, k string, v int, d double, one int\n3|b|NULL|2.5|1"),
        ("SELECT id, id FROM t WHERE id = 1", "id int, id int\n1|1"),
        ("SELECT NULL", "NULL void\nNULL"),
        (
            "SELECT 'a', 1.5, 2L, DATE'2024-01-02'",
            "a string, 1.5 decimal(2,1), 2 bigint, DATE '2024-01-02' date\na|1.5|2|2024-01-02",
        ),
        ("SELECT a + 1 AS b, b * 2 AS c FROM VALUES (1) AS x(a)", "b int, c int\n2|4"),
        ("SELECT v AS id, id AS w FROM t WHERE id = 1", "id int, w int\n10|1"),
        ("SELECT CASE WHEN id > 1 THEN 'x' END FROM t WHERE id < 3", "CASE WHEN (id > 1) THEN x END string\nNULL\nx"),
        ("SELECT CASE id WHEN 1 THEN 1 ELSE 2.5 END AS c FROM t WHERE id < 3", "c decimal(11,1)\n1.0\n2.5"),
        ("SELECT CAST(id AS STRING), NOT (id = 1) FROM t WHERE id = 1", "id string, (NOT (id = 1)) boolean\n1|false"),
        ("SELECT current_date", "current_date() date\n2024-03-10"),
    ]);
}

#[test]
fn null_logic_is_three_valued() {
    check(&[
        (
            "SELECT NULL <=> NULL AS a, 1 <=> NULL AS b, 1 = NULL AS c",
            "a boolean, b boolean, c boolean\ntrue|false|NULL",
        ),
        (
            "SELECT NULL AND false AS a, NULL OR true AS b, NULL AND true AS c",
            "a boolean, b boolean, c boolean\nfalse|true|NULL",
        ),
        (
            "SELECT 2 IN (1, NULL) AS a, 1 IN (1, NULL) AS b, 2 NOT IN (1, NULL) AS c",
            "a boolean, b boolean, c boolean\nNULL|true|NULL",
        ),
        ("SELECT id FROM t WHERE v <> 10", "id int\n2\n4"),
        ("SELECT id FROM t WHERE NOT (v = 10)", "id int\n2\n4"),
        ("SELECT id FROM t WHERE v IS NULL OR k IS NULL", "id int\n3\n4"),
        ("SELECT id FROM t WHERE (v > 15) IS NOT TRUE", "id int\n1\n3"),
        ("SELECT id FROM t WHERE (v > 15) IS UNKNOWN", "id int\n3"),
    ]);
}

#[test]
fn nested_values_are_reached_by_name_and_index() {
    check(&[
        ("SELECT P.X AS a, ID FROM nested WHERE id = 1", "a int, ID int\n1|1"),
        ("SELECT p.x, n.p.y FROM nested n WHERE id = 1", "x int, y string\n1|u"),
        ("SELECT p.x + 1 FROM nested WHERE id = 1", "(p.x + 1) int\n2"),
        ("SELECT id FROM nested WHERE p.x IS NULL", "id int\n2\n3"),
        ("SELECT max(struct(v, id)).id FROM t", "max(struct(v, id)).id int\n4"),
        ("SELECT p.* FROM nested WHERE id = 2", "x int, y string\nNULL|v"),
        ("SELECT arr[1], m['b'] FROM nested WHERE id = 1", "arr[1] int, m[b] int\n20|2"),
        ("SELECT m.a FROM nested WHERE id = 1", "a int\n1"),
        ("SELECT p.y FROM nested ORDER BY p.y DESC", "y string\nv\nu\nNULL"),
    ]);
}

#[test]
fn order_puts_nulls_first_ascending_and_last_descending() {
    check(&[
        ("SELECT v FROM t ORDER BY v", "v int\nNULL\n10\n20\n40"),
        ("SELECT v FROM t ORDER BY v DESC", "v int\n40\n20\n10\nNULL"),
        ("SELECT v FROM t ORDER BY v NULLS LAST", "v int\n10\n20\n40\nNULL"),
        ("SELECT v FROM t ORDER BY v DESC NULLS FIRST", "v int\nNULL\n40\n20\n10"),
        ("SELECT id AS x FROM t ORDER BY x DESC LIMIT 2", "x int\n4\n3"),
        ("SELECT k FROM t ORDER BY id DESC", "k string\nNULL\nb\na\na"),
        ("SELECT -id AS id FROM t ORDER BY id", "id int\n-4\n-3\n-2\n-1"),
        ("SELECT id, v FROM t ORDER BY 2 DESC, 1", "id int, v int\n4|40\n2|20\n1|10\n3|NULL"),
        ("SELECT id FROM t ORDER BY id LIMIT 2 OFFSET 1", "id int\n2\n3"),
        ("SELECT DISTINCT k FROM t ORDER BY k", "k string\nNULL\na\nb"),
        ("SELECT x FROM VALUES ('B'), ('a'), ('A') AS s(x) ORDER BY x", "x string\nA\nB\na"),
        (
            "SELECT x FROM VALUES (CAST('NaN' AS DOUBLE)), (1D), (CAST('-Infinity' AS DOUBLE)) AS s(x) ORDER BY x",
            "x double\n-inf\n1.0\nNaN",
        ),
    ]);
}

#[test]
fn views_and_common_table_expressions_have_their_own_scope() {
    check(&[
        ("SELECT * FROM big", "id int, v int\n2|20\n4|40"),
        ("SELECT b.v FROM big b WHERE b.id = 2", "v int\n20"),
        ("WITH t AS (SELECT 7 AS id) SELECT b.id FROM big b", "id int\n2\n4"),
        ("WITH c(a, b) AS (SELECT id, v FROM t) SELECT a FROM c WHERE b = 10", "a int\n1"),
        ("WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM b, a", "y int, x int\n2|1"),
        ("WITH t AS (SELECT id FROM t WHERE id = 1) SELECT * FROM t", "id int\n1"),
        ("WITH a AS (SELECT 1 AS x) SELECT * FROM (WITH a AS (SELECT 2 AS x) SELECT x FROM a)", "x int\n2"),
        ("SELECT q.b FROM (SELECT id, v FROM t) AS q(a, b) WHERE a = 1", "b int\n10"),
        ("SELECT id FROM t VERSION AS OF 0 WHERE id = 1", "id int\n1"),
    ]);
}

#[test]
fn values_take_the_type_that_holds_all() {
    check(&[
        ("VALUES (1, 'a'), (2.5, NULL)", "col1 decimal(11,1), col2 string\n1.0|a\n2.5|NULL"),
        ("SELECT * FROM VALUES (1), (3000000000) AS v(x)", "x bigint\n1\n3000000000"),
        ("SELECT sum(id) FROM range(5)", "sum(id) bigint\n10"),
        ("SELECT id FROM range(10, 0, -4)", "id bigint\n10\n6\n2"),
    ]);
}

#[test]
fn conditions_reach_the_scan() {
    let catalog = run(catalog());
    let query = sql::parse_query("SELECT id FROM t WHERE v > 5 + 6 AND k = 'a' AND d / 2 > 1").unwrap();
    let plan = run(plan_query(&session(), &catalog, &query)).unwrap();
    run(plan.collect(&session())).unwrap();
    let value = delta::scalar::Scalar::Int(11);
    let wanted = Predicate::Compare { column: 2, path: Vec::new(), op: CompareOp::Gt, value };
    assert!(catalog.asked("t").contains(&wanted), "{:?}", catalog.asked("t"));
}

#[test]
fn a_plan_tells_what_it_reads() {
    let catalog = run(catalog());
    let plan = |text: &str| run(plan_query(&session(), &catalog, &sql::parse_query(text).unwrap())).unwrap();
    assert!(plan("SELECT * FROM t").reads_only_delta());
    assert!(!plan("SELECT * FROM t JOIN s USING (id)").reads_only_delta());
    assert!(plan("SELECT id + 1 FROM t").is_deterministic());
    assert!(!plan("SELECT rand() FROM t").is_deterministic());
    assert!(!plan("SELECT id FROM t WHERE id IN (SELECT id FROM s WHERE rand() > 0.5)").is_deterministic());
    assert_eq!(plan("SELECT 1 FROM t a, t b").tables().len(), 2);
}
