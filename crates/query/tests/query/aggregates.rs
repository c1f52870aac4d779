use crate::harness::check;

#[test]
fn aggregates_group_and_filter() {
    check(&[
        (
            "SELECT count(*), count(v), sum(v), max(v), min(k) FROM t",
            "count(1) bigint, count(v) bigint, sum(v) bigint, max(v) int, min(k) string\n4|3|70|40|a",
        ),
        ("SELECT count(*), sum(id), max(k) FROM empty", "count(1) bigint, sum(id) bigint, max(k) string\n0|NULL|NULL"),
        ("SELECT k, count(*) AS n FROM t GROUP BY k", "k string, n bigint\na|2\nb|1\nNULL|1"),
        ("SELECT K, sum(V) FROM t GROUP BY k HAVING sum(v) > 20", "K string, sum(V) bigint\na|30\nNULL|40"),
        ("SELECT id % 2 AS odd, sum(id) FROM t GROUP BY odd", "odd int, sum(id) bigint\n1|4\n0|6"),
        ("SELECT id % 2, (id % 2) + 1 FROM t GROUP BY id % 2", "(id % 2) int, ((id % 2) + 1) int\n1|2\n0|1"),
        ("SELECT k, max(id) FROM t GROUP BY 1 ORDER BY 2", "k string, max(id) int\na|2\nb|3\nNULL|4"),
        ("SELECT k, max(id) FROM t GROUP BY ALL ORDER BY max(id) DESC", "k string, max(id) int\nNULL|4\nb|3\na|2"),
        ("SELECT k FROM t GROUP BY k ORDER BY sum(v) DESC", "k string\nNULL\na\nb"),
        ("SELECT count(DISTINCT k) FROM t", "count(DISTINCT k) bigint\n2"),
        ("SELECT sum(v) FILTER (WHERE id > 1) FROM t", "sum(v) FILTER (WHERE (id > 1)) bigint\n60"),
        ("SELECT sum(id) + count(*) AS x FROM t", "x bigint\n14"),
        ("SELECT k, n FROM (SELECT k, count(*) n FROM t GROUP BY k) WHERE n > 1", "k string, n bigint\na|2"),
        ("SELECT 1 AS one FROM t HAVING count(*) > 3", "one int\n1"),
        ("SELECT k AS kk, count(*) c FROM t GROUP BY kk HAVING c > 1", "kk string, c bigint\na|2"),
        ("SELECT sum(v) AS v FROM t HAVING sum(v) > 10", "v bigint\n70"),
    ]);
}

#[test]
fn grouping_sets_add_totals() {
    check(&[
        ("SELECT k, sum(id) FROM t GROUP BY ROLLUP(k)", "k string, sum(id) bigint\na|3\nb|3\nNULL|4\nNULL|10"),
        (
            "SELECT k, id % 2 AS o, count(*) FROM t GROUP BY CUBE(k, id % 2)",
            "k string, o int, count(1) bigint
             a|1|1\na|0|1\nb|1|1\nNULL|0|1\na|NULL|2\nb|NULL|1\nNULL|NULL|1\nNULL|1|2\nNULL|0|2\nNULL|NULL|4",
        ),
        (
            "SELECT k, v, count(*) FROM t GROUP BY GROUPING SETS ((k), (v))",
            "k string, v int, count(1) bigint\na|NULL|2\nb|NULL|1\nNULL|NULL|1\nNULL|10|1\nNULL|20|1\nNULL|NULL|1\nNULL|40|1",
        ),
    ]);
}
