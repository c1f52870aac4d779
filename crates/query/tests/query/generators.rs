use crate::harness::check;

#[test]
fn generators_multiply_rows() {
    check(&[
        ("SELECT id, explode(arr) AS a FROM nested", "id int, a int\n1|10\n1|20"),
        ("SELECT id, explode_outer(arr) FROM nested", "id int, col int\n1|10\n1|20\n2|NULL\n3|NULL"),
        ("SELECT posexplode(arr) FROM nested", "pos int, col int\n0|10\n1|20"),
        ("SELECT posexplode(arr) AS (i, x), id FROM nested", "i int, x int, id int\n0|10|1\n1|20|1"),
        ("SELECT explode(m) FROM nested", "key string, value int\na|1\nb|2"),
        ("SELECT explode(m) AS (a, b) FROM nested", "a string, b int\na|1\nb|2"),
        ("SELECT explode(sequence(1, 3)) AS x", "x int\n1\n2\n3"),
        ("SELECT id, x FROM nested LATERAL VIEW explode(arr) e AS x", "id int, x int\n1|10\n1|20"),
        (
            "SELECT id, e.x FROM nested LATERAL VIEW OUTER explode(arr) e AS x",
            "id int, x int\n1|10\n1|20\n2|NULL\n3|NULL",
        ),
        (
            "SELECT x, y FROM nested LATERAL VIEW explode(arr) e AS x LATERAL VIEW explode(array(x, 0)) f AS y",
            "x int, y int\n10|10\n10|0\n20|20\n20|0",
        ),
        ("SELECT i, x FROM nested LATERAL VIEW posexplode(arr) e AS i, x WHERE i = 1", "i int, x int\n1|20"),
        ("SELECT inline(array(struct(1, 'a'), struct(2, 'b')))", "col1 int, col2 string\n1|a\n2|b"),
        ("SELECT col FROM explode(array(1, 2))", "col int\n1\n2"),
        ("SELECT k, x FROM t LATERAL VIEW explode(array(id, v)) e AS x WHERE id = 3", "k string, x int\nb|3\nb|NULL"),
    ]);
}
