use crate::harness::check;
use crate::values::{fails, values};

#[test]
fn text() {
    values(&[
        ("concat('a', NULL)", "NULL", "string"),
        ("concat('a', 1, true)", "a1true", "string"),
        ("'a' || 'b'", "ab", "string"),
        ("concat_ws('-', 'a', NULL, 'b', array('c', NULL, 'd'))", "a-b-c-d", "string"),
        ("concat_ws(NULL, 'a')", "NULL", "string"),
        ("concat_ws('-')", "", "string"),
        ("substring('hello', 2, 3)", "ell", "string"),
        ("substring('hello', 0, 2)", "he", "string"),
        ("substring('hello', -3)", "llo", "string"),
        ("left('hello', 2)", "he", "string"),
        ("right('hello', 2)", "lo", "string"),
        ("split('a1b2', '[0-9]')", "[a, b, ]", "array<string>"),
        ("upper('ß')", "SS", "string"),
        ("initcap('hello wORLD')", "Hello World", "string"),
        ("trim('  a ')", "a", "string"),
        ("trim(BOTH 'x' FROM 'xxaxx')", "a", "string"),
        ("ltrim('x', 'xxa')", "a", "string"),
        ("lpad('7', 3, '0')", "007", "string"),
        ("rpad('abc', 2, '0')", "ab", "string"),
        ("repeat('ab', 2)", "abab", "string"),
        ("replace('abcabc', 'b', 'x')", "axcaxc", "string"),
        ("translate('abc', 'ac', 'x')", "xb", "string"),
        ("reverse('abc')", "cba", "string"),
        ("length('Straße')", "6", "int"),
        ("octet_length('Straße')", "7", "int"),
        ("instr('hello', 'l')", "3", "int"),
        ("locate('l', 'hello', 4)", "4", "int"),
        ("position('l' IN 'hello')", "3", "int"),
        ("ascii('a')", "97", "int"),
        ("chr(97)", "a", "string"),
        ("startswith('abc', 'ab')", "true", "boolean"),
        ("contains('abc', 'x')", "false", "boolean"),
        ("regexp_replace('a1b22', '[0-9]+', '#')", "a#b#", "string"),
        ("regexp_extract('a-17', '([a-z])-([0-9]+)', 2)", "17", "string"),
        ("regexp_like('abc', '^a')", "true", "boolean"),
        ("substring_index('a.b.c', '.', 2)", "a.b", "string"),
        ("format_number(12345.678, 2)", "12,345.68", "string"),
        ("levenshtein('kitten', 'sitting')", "3", "int"),
    ]);
    fails(&[
        ("upper(array(1))", "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE"),
        ("upper()", "WRONG_NUM_ARGS.WITHOUT_SUGGESTION"),
        ("uper('a')", "UNRESOLVED_ROUTINE"),
    ]);
}

#[test]
fn hashes_and_digests() {
    values(&[
        ("hash(1)", "-559580957", "int"),
        ("hash(1Y)", "-559580957", "int"),
        ("hash(true)", "-559580957", "int"),
        ("hash(1L)", "-1712319331", "int"),
        ("hash('abc')", "1322437556", "int"),
        ("hash(NULL)", "42", "int"),
        ("hash(1.5D)", "1290763749", "int"),
        ("hash(-0.0D)", "-1670924195", "int"),
        ("hash(DATE'2024-01-01')", "-456589419", "int"),
        ("hash(TIMESTAMP'2024-01-01 00:00:00')", "1545358984", "int"),
        ("hash(CAST(1.50 AS DECIMAL(10,2)))", "-2056712946", "int"),
        ("hash(CAST(12345678901234567890 AS DECIMAL(20,0)))", "-493604283", "int"),
        ("hash(X'0102')", "1964783052", "int"),
        ("hash(1, 'a')", "-936062819", "int"),
        ("hash(array(1, 2))", "-222940379", "int"),
        ("hash(named_struct('a', 1, 'b', 'x'))", "-1305545736", "int"),
        ("hash(NULL, 5)", "1023896466", "int"),
        ("xxhash64(1)", "-6698625589789238999", "bigint"),
        ("xxhash64('a')", "-8582455328737087284", "bigint"),
        ("pmod(hash('a'), 8)", "2", "int"),
        ("md5('a')", "0cc175b9c0f1b6a831c399e269772661", "string"),
        ("sha2('a', 256)", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb", "string"),
        ("sha2('a', 1)", "NULL", "string"),
        ("sha2('a', 0) = sha2('a', 256)", "true", "boolean"),
        ("sha1('a')", "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8", "string"),
        ("crc32('a')", "3904355907", "bigint"),
        ("base64('abc')", "YWJj", "string"),
        ("CAST(unbase64('YWJj') AS STRING)", "abc", "string"),
        ("hex(255)", "FF", "string"),
        ("hex('abc')", "616263", "string"),
        ("CAST(unhex('616263') AS STRING)", "abc", "string"),
    ]);
    fails(&[("hash(map('a', 1))", "DATATYPE_MISMATCH.HASH_MAP_TYPE")]);
}

#[test]
fn numbers() {
    values(&[
        ("sqrt(9)", "3.0", "double"),
        ("pow(2, 10)", "1024.0", "double"),
        ("ln(0)", "NULL", "double"),
        ("log(2, 8)", "3.0", "double"),
        ("sign(-3)", "-1.0", "double"),
        ("floor(-1.5D)", "-2", "bigint"),
        ("factorial(5)", "120", "bigint"),
        ("shiftleft(1, 3)", "8", "int"),
        ("greatest('a', 'b')", "b", "string"),
        ("typeof(rand(1))", "double", "string"),
        ("length(uuid())", "36", "int"),
    ]);
}

#[test]
fn arrays_and_maps() {
    values(&[
        ("array_contains(array(1, NULL), 2)", "NULL", "boolean"),
        ("array_contains(array(1, NULL), 1)", "true", "boolean"),
        ("array_sort(array(2, NULL, 1))", "[1, 2, null]", "array<int>"),
        ("sort_array(array(2, NULL, 1))", "[null, 1, 2]", "array<int>"),
        ("sort_array(array(2, NULL, 1), false)", "[2, 1, null]", "array<int>"),
        ("array_distinct(array(1, 2, 1, NULL, NULL))", "[1, 2, null]", "array<int>"),
        ("array_union(array(1, 2), array(2, 3))", "[1, 2, 3]", "array<int>"),
        ("array_intersect(array(1, 2), array(2, 3))", "[2]", "array<int>"),
        ("array_except(array(1, 2), array(2, 3))", "[1]", "array<int>"),
        ("size(array(1, 2))", "2", "int"),
        ("size(CAST(NULL AS ARRAY<INT>))", "NULL", "int"),
        ("size(map('a', 1))", "1", "int"),
        ("element_at(array(1, 2), -1)", "2", "int"),
        ("try_element_at(array(1, 2), 5)", "NULL", "int"),
        ("element_at(map('a', 1), 'b')", "NULL", "int"),
        ("map('a', 1)['a']", "1", "int"),
        ("array(1, 2)[1]", "2", "int"),
        ("array(1, 2L)", "[1, 2]", "array<bigint>"),
        ("sequence(1, 3)", "[1, 2, 3]", "array<int>"),
        ("sequence(3, 1)", "[3, 2, 1]", "array<int>"),
        ("sequence(1, 10, 4)", "[1, 5, 9]", "array<int>"),
        ("sequence(DATE'2024-01-30', DATE'2024-02-01')", "[2024-01-30, 2024-01-31, 2024-02-01]", "array<date>"),
        (
            "sequence(DATE'2024-01-31', DATE'2024-03-31', INTERVAL 1 MONTH)",
            "[2024-01-31, 2024-02-29, 2024-03-31]",
            "array<date>",
        ),
        ("slice(array(1, 2, 3), 2, 2)", "[2, 3]", "array<int>"),
        ("slice(array(1, 2, 3), -2, 1)", "[2]", "array<int>"),
        ("flatten(array(array(1), array(2, 3)))", "[1, 2, 3]", "array<int>"),
        ("array_join(array('a', NULL, 'b'), ',')", "a,b", "string"),
        ("array_join(array('a', NULL), ',', '?')", "a,?", "string"),
        ("array_min(array(2, NULL, 1))", "1", "int"),
        ("array_max(array(2, NULL, 1))", "2", "int"),
        ("reverse(array(1, 2))", "[2, 1]", "array<int>"),
        ("concat(array(1), array(2, 3))", "[1, 2, 3]", "array<int>"),
        ("array_repeat('a', 2)", "[a, a]", "array<string>"),
        ("array_append(array(1), 2)", "[1, 2]", "array<int>"),
        ("array_position(array(3, 4), 4)", "2", "bigint"),
        ("arrays_overlap(array(1, 2), array(2))", "true", "boolean"),
        ("map_keys(map('a', 1, 'b', 2))", "[a, b]", "array<string>"),
        ("map_values(map('a', 1, 'b', NULL))", "[1, null]", "array<int>"),
        ("map_from_arrays(array('a'), array(1))", "{a -> 1}", "map<string,int>"),
        ("named_struct('a', 1).a", "1", "int"),
        ("to_json(named_struct('a', 1, 'b', NULL, 'c', array('x', NULL)))", r#"{"a":1,"c":["x",null]}"#, "string"),
        ("to_json(map('a', TIMESTAMP'2024-01-01 00:00:00'))", r#"{"a":"2024-01-01T00:00:00.000Z"}"#, "string"),
    ]);
    fails(&[
        ("array(1)[5]", "INVALID_ARRAY_INDEX"),
        ("element_at(array(1), 5)", "INVALID_ARRAY_INDEX_IN_ELEMENT_AT"),
        ("element_at(array(1), 0)", "INVALID_INDEX_OF_ZERO"),
        ("map('a', 1, 'a', 2)", "DUPLICATED_MAP_KEY"),
        ("array(1, true)", "DATATYPE_MISMATCH.DATA_DIFF_TYPES"),
        ("raise_error('no')", "USER_RAISED_EXCEPTION"),
        ("assert_true(1 = 2)", "USER_RAISED_EXCEPTION"),
        ("input_file_name()", "MERGELAB_NOT_SUPPORTED_YET"),
    ]);
}

#[test]
fn functions_work_on_columns() {
    check(&[
        ("SELECT id, arr[0] AS a FROM nested WHERE size(arr) > 0", "id int, a int\n1|10"),
        ("SELECT id, m['b'] AS b FROM nested", "id int, b int\n1|2\n2|NULL\n3|NULL"),
        (
            "SELECT id, upper(k) AS k, concat(k, '-', v) AS c FROM t",
            "id int, k string, c string\n1|A|a-10\n2|A|a-20\n3|B|NULL\n4|NULL|NULL",
        ),
        ("SELECT id, coalesce(v, id * 100) AS v FROM t", "id int, v int\n1|10\n2|20\n3|300\n4|40"),
        ("SELECT greatest(id, v) AS g FROM t", "g int\n10\n20\n3\n40"),
        ("SELECT id FROM t WHERE array_contains(array(1, id), 3)", "id int\n3"),
    ]);
}

#[test]
fn aggregates_have_sparks_types() {
    check(&[
        (
            "SELECT sum(id) AS s, avg(v) AS a, count(v) AS n, min(k) AS lo, max(d) AS hi FROM t",
            "s bigint, a double, n bigint, lo string, hi double\n10|23.333333333333332|3|a|2.5",
        ),
        (
            "SELECT sum(CAST(id AS DECIMAL(5,1))) AS s, avg(CAST(id AS DECIMAL(5,1))) AS a FROM t",
            "s decimal(15,1), a decimal(9,5)\n10.0|2.50000",
        ),
        ("SELECT avg(CAST(v AS DECIMAL(4,1))) AS a FROM t", "a decimal(8,5)\n23.33333"),
        ("SELECT avg(CAST(x AS DECIMAL(4,1))) AS a FROM VALUES (1), (2), (2) AS y(x)", "a decimal(8,5)\n1.66667"),
        ("SELECT try_sum(x) AS a FROM VALUES (9223372036854775807L), (1L) AS y(x)", "a bigint\nNULL"),
        ("SELECT sum(id) AS s, count(*) AS n, max(id) AS m FROM empty", "s bigint, n bigint, m int\nNULL|0|NULL"),
        ("SELECT count(DISTINCT k) AS n, count_if(v > 10) AS big FROM t", "n bigint, big bigint\n2|2"),
        ("SELECT collect_list(v) AS l, size(collect_set(k)) AS n FROM t", "l array<int>, n int\n[10, 20, 40]|2"),
        ("SELECT collect_list(id) AS l FROM empty", "l array<int>\n[]"),
        ("SELECT max_by(k, v) AS a, min_by(id, v) AS b FROM t", "a string, b int\nNULL|1"),
        ("SELECT bool_and(id > 0) AS a, bool_or(v > 100) AS b FROM t", "a boolean, b boolean\ntrue|false"),
        ("SELECT approx_count_distinct(id) AS n, median(id) AS m FROM t", "n bigint, m double\n4|2.5"),
        (
            "SELECT stddev_pop(id) AS s, var_samp(id) AS v FROM t",
            "s double, v double\n1.118033988749895|1.6666666666666667",
        ),
    ]);
}

#[test]
fn a_sum_beyond_bigint_fails() {
    fails(&[("sum(x) FROM VALUES (9223372036854775807L), (1L) AS y(x), (SELECT 1)", "ARITHMETIC_OVERFLOW")]);
}

#[test]
fn window_functions_have_sparks_types() {
    check(&[
        (
            "SELECT id, row_number() OVER (ORDER BY id DESC) AS n, rank() OVER (ORDER BY k) AS r,
                    dense_rank() OVER (ORDER BY k) AS d, ntile(2) OVER (ORDER BY id) AS b FROM t",
            "id int, n int, r int, d int, b int\n1|4|2|2|1\n2|3|2|2|1\n3|2|4|3|2\n4|1|1|1|2",
        ),
        (
            "SELECT id, lag(v) OVER (ORDER BY id) AS p, lead(v, 2, -1) OVER (ORDER BY id) AS n FROM t",
            "id int, p int, n int\n1|NULL|NULL\n2|10|40\n3|20|-1\n4|NULL|-1",
        ),
        (
            "SELECT id, sum(v) OVER (PARTITION BY k) AS s, last_value(id) OVER (ORDER BY k) AS l FROM t",
            "id int, s bigint, l int\n1|30|2\n2|30|2\n3|NULL|3\n4|40|4",
        ),
    ]);
}

#[test]
fn types_are_functions_too() {
    values(&[
        ("int('12')", "12", "int"),
        ("date('2024-01-02')", "2024-01-02", "date"),
        ("timestamp(DATE'2024-01-02')", "2024-01-02 00:00:00", "timestamp"),
        ("string(1.50)", "1.50", "string"),
        ("decimal('12.7')", "13", "decimal(10,0)"),
    ]);
}
