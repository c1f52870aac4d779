use crate::harness::check;

#[test]
fn windows_have_sparks_types_and_frames() {
    check(&[
        (
            "SELECT id, row_number() OVER (PARTITION BY k ORDER BY id DESC) AS rn FROM t",
            "id int, rn int\n1|2\n2|1\n3|1\n4|1",
        ),
        (
            "SELECT x, rank() OVER (ORDER BY x) AS r, dense_rank() OVER (ORDER BY x) AS d FROM VALUES (1), (1), (2) AS a(x)",
            "x int, r int, d int\n1|1|1\n1|1|1\n2|3|2",
        ),
        ("SELECT x, sum(x) OVER (ORDER BY x) AS s FROM VALUES (1), (1), (2) AS a(x)", "x int, s bigint\n1|2\n1|2\n2|4"),
        ("SELECT id, sum(id) OVER () AS s FROM t WHERE id < 3", "id int, s bigint\n1|3\n2|3"),
        (
            "SELECT id, lag(id) OVER (ORDER BY id) AS p, lead(id, 1, 0) OVER (ORDER BY id) AS n FROM t WHERE id < 4",
            "id int, p int, n int\n1|NULL|2\n2|1|3\n3|2|0",
        ),
        (
            "SELECT id, sum(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM t",
            "id int, s bigint\n1|1\n2|3\n3|5\n4|7",
        ),
        (
            "SELECT id, count(*) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS c FROM t",
            "id int, c bigint\n1|2\n2|3\n3|3\n4|2",
        ),
        (
            "SELECT id, max(v) OVER w AS m, count(*) OVER w AS c FROM t WINDOW w AS (PARTITION BY k)",
            "id int, m int, c bigint\n1|20|2\n2|20|2\n3|NULL|1\n4|40|1",
        ),
        ("SELECT k, rank() OVER (ORDER BY sum(id) DESC) AS r FROM t GROUP BY k", "k string, r int\na|2\nb|2\nNULL|1"),
        (
            "SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY k ORDER BY v DESC, id) AS rn FROM t) WHERE rn = 1",
            "id int\n2\n3\n4",
        ),
        (
            "SELECT row_number() OVER (ORDER BY v) FROM t WHERE id = 1",
            "row_number() OVER (ORDER BY v ASC NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) int\n1",
        ),
        (
            "SELECT lag(v) OVER (ORDER BY id) FROM t WHERE id = 1",
            "lag(v, 1, NULL) OVER (ORDER BY id ASC NULLS FIRST ROWS BETWEEN -1 FOLLOWING AND -1 FOLLOWING) int\nNULL",
        ),
        ("SELECT id, lag(v) IGNORE NULLS OVER (ORDER BY id) AS p FROM t", "id int, p int\n1|NULL\n2|10\n3|20\n4|20"),
        ("SELECT id FROM t ORDER BY row_number() OVER (ORDER BY id DESC)", "id int\n4\n3\n2\n1"),
    ]);
}
