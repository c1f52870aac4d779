use crate::harness::check;

#[test]
fn joins_keep_the_rows_of_their_kind() {
    check(&[
        ("SELECT t.id, name FROM t JOIN s ON t.id = s.id", "id int, name string\n1|one\n2|two\n2|deux"),
        ("SELECT t.id, s.id FROM t LEFT JOIN s ON t.id = s.id", "id int, id int\n1|1\n2|2\n2|2\n3|NULL\n4|NULL"),
        ("SELECT t.id, s.id FROM t RIGHT JOIN s ON t.id = s.id", "id int, id int\n1|1\n2|2\n2|2\nNULL|5"),
        (
            "SELECT t.id, s.id FROM t FULL JOIN s ON t.id = s.id",
            "id int, id int\n1|1\n2|2\n2|2\n3|NULL\n4|NULL\nNULL|5",
        ),
        (
            "SELECT * FROM t LEFT SEMI JOIN s ON t.id = s.id",
            "id int, k string, v int, d double\n1|a|10|1.5\n2|a|20|NULL",
        ),
        ("SELECT id FROM t LEFT ANTI JOIN s ON t.id = s.id", "id int\n3\n4"),
        ("SELECT count(*) FROM t CROSS JOIN s", "count(1) bigint\n16"),
        ("SELECT t.id FROM t, s WHERE t.id = s.id AND s.w > 150", "id int\n2\n2"),
        ("SELECT a.id, b.id FROM t a JOIN t b ON a.id < b.id AND a.k = b.k", "id int, id int\n1|2"),
        ("SELECT a.id FROM t a JOIN t b ON a.k <=> b.k AND a.v <=> b.v", "id int\n1\n2\n3\n4"),
        ("SELECT a.id FROM t a JOIN t b ON a.k = b.k WHERE a.id = b.id", "id int\n1\n2\n3"),
    ]);
}

#[test]
fn using_and_natural_merge_their_columns() {
    check(&[
        (
            "SELECT * FROM t JOIN s USING (id) WHERE w = 100",
            "id int, k string, v int, d double, name string, w int\n1|a|10|1.5|one|100",
        ),
        ("SELECT id FROM t FULL JOIN s USING (id)", "id int\n1\n2\n2\n3\n4\n5"),
        ("SELECT id FROM t RIGHT JOIN s USING (id)", "id int\n1\n2\n2\n5"),
        ("SELECT t.id, s.id FROM t LEFT JOIN s USING (id) WHERE t.id > 2", "id int, id int\n3|NULL\n4|NULL"),
        (
            "SELECT t.id, s.id, id FROM t FULL JOIN s USING (id) WHERE id > 3",
            "id int, id int, id int\n4|NULL|4\nNULL|5|5",
        ),
        ("SELECT id, name FROM t NATURAL JOIN s WHERE w > 100", "id int, name string\n2|two\n2|deux"),
    ]);
}
