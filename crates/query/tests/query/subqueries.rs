use crate::harness::check;

#[test]
fn subqueries_in_conditions() {
    check(&[
        ("SELECT id FROM t WHERE id IN (SELECT id FROM s)", "id int\n1\n2"),
        ("SELECT id FROM t WHERE id NOT IN (SELECT id FROM s)", "id int\n3\n4"),
        ("SELECT id FROM t WHERE id NOT IN (SELECT w FROM s)", "id int"),
        ("SELECT id FROM t WHERE v NOT IN (SELECT 10)", "id int\n2\n4"),
        ("SELECT id FROM t WHERE v NOT IN (SELECT id FROM empty)", "id int\n1\n2\n3\n4"),
        ("SELECT id FROM t WHERE EXISTS (SELECT 1 FROM s WHERE s.id = t.id)", "id int\n1\n2"),
        ("SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM s WHERE s.id = t.id)", "id int\n3\n4"),
        ("SELECT id FROM t WHERE id = 4 OR EXISTS (SELECT 1 FROM s WHERE s.id = t.id)", "id int\n1\n2\n4"),
        ("SELECT id FROM t WHERE id = 4 OR id IN (SELECT id FROM s)", "id int\n1\n2\n4"),
        ("SELECT id FROM t WHERE id IN (SELECT id FROM s WHERE s.w > t.v * 10)", "id int\n2"),
        ("SELECT id FROM t WHERE EXISTS (SELECT max(w) FROM s WHERE s.id = t.id)", "id int\n1\n2\n3\n4"),
        (
            "SELECT id FROM t WHERE EXISTS (SELECT s.id FROM s WHERE s.id = t.id GROUP BY s.id HAVING max(w) > 150)",
            "id int\n2",
        ),
        ("SELECT id FROM t WHERE 0 IN (SELECT count(*) FROM s WHERE s.id = t.id)", "id int\n3\n4"),
        ("SELECT id FROM t WHERE 0 NOT IN (SELECT count(*) FROM s WHERE s.id = t.id)", "id int\n1\n2"),
        ("SELECT id FROM t WHERE EXISTS (SELECT 1 FROM s WHERE s.id < t.id)", "id int\n2\n3\n4"),
        ("SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM s WHERE s.id = t.id AND s.w > t.v)", "id int\n3\n4"),
        ("SELECT id FROM t WHERE (SELECT count(*) FROM s WHERE s.id = t.id) = 0", "id int\n3\n4"),
        ("SELECT id FROM t WHERE v = (SELECT max(v) FROM t)", "id int\n4"),
        ("SELECT id FROM t WHERE v > (SELECT avg(v) FROM t x WHERE x.k = t.k)", "id int\n2"),
    ]);
}

#[test]
fn subqueries_as_values() {
    check(&[
        (
            "SELECT id, (SELECT max(w) FROM s WHERE s.id = t.id) AS m FROM t",
            "id int, m int\n1|100\n2|201\n3|NULL\n4|NULL",
        ),
        ("SELECT id, (SELECT count(*) FROM s WHERE s.id = t.id) AS n FROM t", "id int, n bigint\n1|1\n2|2\n3|0\n4|0"),
        (
            "SELECT id, (SELECT name FROM s WHERE s.id = t.id) AS n FROM t WHERE id <> 2",
            "id int, n string\n1|one\n3|NULL\n4|NULL",
        ),
        ("SELECT (SELECT 1) + (SELECT id FROM t WHERE id = 2) AS x", "x int\n3"),
        ("SELECT (SELECT id FROM empty) AS x", "x int\nNULL"),
        (
            "SELECT id, EXISTS (SELECT 1 FROM s WHERE s.id = t.id) AS e FROM t",
            "id int, e boolean\n1|true\n2|true\n3|false\n4|false",
        ),
        ("SELECT id, id IN (SELECT id FROM s) AS e FROM t", "id int, e boolean\n1|true\n2|true\n3|false\n4|false"),
        ("SELECT v, v IN (SELECT w / 10 FROM s) AS e FROM t", "v int, e boolean\n10|true\n20|true\nNULL|NULL\n40|NULL"),
    ]);
}
