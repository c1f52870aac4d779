use crate::harness::check;

#[test]
fn set_operations_widen_and_count() {
    check(&[
        ("SELECT 1 AS a UNION ALL SELECT 1", "a int\n1\n1"),
        ("SELECT 1 AS a UNION SELECT 1", "a int\n1"),
        ("SELECT 1 AS a UNION ALL SELECT 2.5", "a decimal(11,1)\n1.0\n2.5"),
        ("SELECT NULL AS a UNION ALL SELECT 'x'", "a string\nNULL\nx"),
        ("SELECT 1 AS a, 2 AS b UNION ALL BY NAME SELECT 3 AS b, 4 AS a", "a int, b int\n1|2\n4|3"),
        ("SELECT k FROM t INTERSECT SELECT NULL", "k string\nNULL"),
        ("SELECT k FROM t EXCEPT SELECT 'a'", "k string\nb\nNULL"),
        ("SELECT k FROM t EXCEPT ALL SELECT 'a'", "k string\na\nb\nNULL"),
        ("VALUES (1), (1), (1), (2) INTERSECT ALL VALUES (1), (1), (3)", "col1 int\n1\n1"),
        ("SELECT id FROM t UNION ALL SELECT id FROM s ORDER BY id DESC LIMIT 2", "id int\n5\n4"),
        (
            "(SELECT id FROM t ORDER BY id LIMIT 1) UNION ALL (SELECT id FROM t ORDER BY id DESC LIMIT 1)",
            "id int\n1\n4",
        ),
        ("TABLE empty", "id int, k string"),
    ]);
}
