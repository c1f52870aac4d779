use crate::values::{fails, values};

#[test]
fn null_logic() {
    values(&[
        ("NULL <=> NULL", "true", "boolean"),
        ("1 <=> NULL", "false", "boolean"),
        ("1 = NULL", "NULL", "boolean"),
        ("NULL AND false", "false", "boolean"),
        ("NULL OR true", "true", "boolean"),
        ("NULL AND true", "NULL", "boolean"),
        ("2 IN (1, NULL)", "NULL", "boolean"),
        ("1 IN (1, NULL)", "true", "boolean"),
        ("2 NOT IN (1, NULL)", "NULL", "boolean"),
        ("NOT CAST(NULL AS BOOLEAN)", "NULL", "boolean"),
        ("IF(NULL, 1, 2)", "2", "int"),
        ("greatest(1, NULL, 3)", "3", "int"),
        ("least(NULL, 2, 1.5)", "1.5", "decimal(11,1)"),
        ("coalesce(NULL, 1, 2L)", "1", "bigint"),
        ("nvl2(NULL, 1, 2)", "2", "int"),
        ("nullif(1, 1)", "NULL", "int"),
        ("nullif(1, 2)", "1", "int"),
    ]);
}

#[test]
fn comparisons_and_order() {
    values(&[
        ("'a' < 'B'", "false", "boolean"),
        ("double('NaN') = double('NaN')", "true", "boolean"),
        ("double('NaN') > 1e300", "true", "boolean"),
        ("-0.0D = 0.0D", "true", "boolean"),
        ("1 = '1'", "true", "boolean"),
        ("1.5 = '1.50'", "true", "boolean"),
        ("DATE'2024-01-01' = '2024-01-01'", "true", "boolean"),
        ("DATE'2024-01-01' < TIMESTAMP'2024-01-01 00:00:01'", "true", "boolean"),
        ("1 = 1.0", "true", "boolean"),
        ("2 BETWEEN 1 AND 3", "true", "boolean"),
        ("2 NOT BETWEEN 1 AND 3", "false", "boolean"),
        ("'ab' LIKE 'A%'", "false", "boolean"),
        ("'ab' ILIKE 'A%'", "true", "boolean"),
        ("'a%' LIKE 'a#%' ESCAPE '#'", "true", "boolean"),
        ("'ab' LIKE 'a#%' ESCAPE '#'", "false", "boolean"),
        ("'a1' RLIKE '[0-9]'", "true", "boolean"),
        ("array(1, 2) = array(1, 2)", "true", "boolean"),
        ("named_struct('x', 1) = named_struct('x', 2)", "false", "boolean"),
    ]);
    fails(&[
        ("1 = DATE'2024-01-01'", "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES"),
        ("1 AND true", "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES"),
        ("1 OR 2", "DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE"),
        ("NOT 1", "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE"),
        ("1 = 'x'", "CAST_INVALID_INPUT"),
        ("map('a', 1) = map('a', 1)", "DATATYPE_MISMATCH.INVALID_ORDERING_TYPE"),
    ]);
}

#[test]
fn whole_numbers() {
    values(&[
        ("5 / 2", "2.5", "double"),
        ("-7 / 2", "-3.5", "double"),
        ("-7 div 2", "-3", "bigint"),
        ("-7 % 3", "-1", "int"),
        ("pmod(-7, 3)", "2", "int"),
        ("7 % -3", "1", "int"),
        ("1Y + 1Y", "2", "tinyint"),
        ("1 + 1L", "2", "bigint"),
        ("1S + 1", "2", "int"),
        ("1 + 1F", "2.0", "double"),
        ("-(5)", "-5", "int"),
        ("5 & 3", "1", "int"),
        ("5 | 3", "7", "int"),
        ("5 ^ 3", "6", "int"),
        ("~5", "-6", "int"),
        ("'1' + 2", "3", "bigint"),
        ("'1.5' * 2.0", "3.0", "double"),
        ("3000000000", "3000000000", "bigint"),
        ("1e3", "1000.0", "double"),
        ("try_add(2147483647, 1)", "NULL", "int"),
        ("try_divide(1, 0)", "NULL", "double"),
        ("try_subtract(3, 1)", "2", "int"),
        ("try_multiply(9223372036854775807L, 2)", "NULL", "bigint"),
        ("NULL / 0", "NULL", "double"),
    ]);
    fails(&[
        ("2147483647 + 1", "ARITHMETIC_OVERFLOW"),
        ("-2147483648 - id FROM t", "ARITHMETIC_OVERFLOW"),
        ("127Y + 1Y", "ARITHMETIC_OVERFLOW"),
        ("9223372036854775807 * 2", "ARITHMETIC_OVERFLOW"),
        ("abs(-2147483648)", "ARITHMETIC_OVERFLOW"),
        ("1 / 0", "DIVIDE_BY_ZERO"),
        ("1 div 0", "DIVIDE_BY_ZERO"),
        ("1 % 0", "DIVIDE_BY_ZERO"),
        ("1.0D / 0", "DIVIDE_BY_ZERO"),
        ("1.0 / 0", "DIVIDE_BY_ZERO"),
        ("1 + true", "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES"),
    ]);
}

#[test]
fn decimals() {
    values(&[
        ("1 + 1.0", "2.0", "decimal(3,1)"),
        ("1.0 / 3", "0.333333", "decimal(7,6)"),
        ("10 / 4.0", "2.500000", "decimal(9,6)"),
        ("0.1 + 0.2", "0.3", "decimal(2,1)"),
        ("0.1D + 0.2D", "0.30000000000000004", "double"),
        ("1.5 * 1.5", "2.25", "decimal(5,2)"),
        ("7.5 % 2", "1.5", "decimal(2,1)"),
        ("7.5 div 2", "3", "bigint"),
        ("1.5 + 1D", "2.5", "double"),
        ("round(2.345, 2)", "2.35", "decimal(4,2)"),
        ("round(-2.5)", "-3", "decimal(2,0)"),
        ("bround(2.5)", "2", "decimal(2,0)"),
        ("floor(-2.5)", "-3", "decimal(2,0)"),
        ("ceil(2.1)", "3", "decimal(2,0)"),
        ("ceil(2.1D)", "3", "bigint"),
        ("round(2.345D, 2)", "2.35", "double"),
        ("round(25, -1)", "30", "int"),
        ("abs(-1.5)", "1.5", "decimal(2,1)"),
        ("-(1.5)", "-1.5", "decimal(2,1)"),
        (
            "CAST(99999999999999999999999999999998 AS DECIMAL(38,0)) / 3",
            "33333333333333333333333333333332.666667",
            "decimal(38,6)",
        ),
    ]);
    fails(&[(
        "CAST(99999999999999999999999999999999999999 AS DECIMAL(38,0)) + 1",
        "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION",
    )]);
}

#[test]
fn a_guard_keeps_the_failure_away() {
    values(&[
        ("(SELECT count(*) FROM t WHERE id <> 1 AND 1 / (id - 1) > 0.4)", "2", "bigint"),
        ("(SELECT count(*) FROM t WHERE id = 1 OR 1 / (id - 1) > 0.4)", "3", "bigint"),
        ("(SELECT max(CASE WHEN id <> 1 THEN 1 / (id - 1) END) FROM t)", "1.0", "double"),
        ("(SELECT min(if(id = 1, 0, 1 / (id - 1))) FROM t)", "0.0", "double"),
        ("(SELECT sum(coalesce(id, 1 / 0)) FROM t)", "10.0", "double"),
    ]);
}

#[test]
fn a_boolean_case_guards_too() {
    values(&[
        ("(SELECT count(*) FROM t WHERE CASE WHEN id <> 1 THEN 1 / (id - 1) > 0.4 ELSE false END)", "2", "bigint"),
        ("(SELECT count(*) FROM t WHERE if(id = 1, NULL, 1 / (id - 1) > 0.4))", "2", "bigint"),
        ("(SELECT count(*) FROM t WHERE NOT (id = 1 OR 1 / (id - 1) > 0.4))", "1", "bigint"),
    ]);
}
