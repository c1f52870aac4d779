use crate::values::{fails, values};

#[test]
fn text_and_numbers() {
    values(&[
        ("CAST('12' AS INT)", "12", "int"),
        ("CAST(' 12 ' AS INT)", "12", "int"),
        ("try_cast('x' AS INT)", "NULL", "int"),
        ("try_cast('12.7' AS INT)", "NULL", "int"),
        ("CAST(12.7 AS INT)", "12", "int"),
        ("CAST(-12.7D AS INT)", "-12", "int"),
        ("CAST(true AS INT)", "1", "int"),
        ("CAST(0 AS BOOLEAN)", "false", "boolean"),
        ("CAST('yes' AS BOOLEAN)", "true", "boolean"),
        ("CAST(1.005 AS DECIMAL(3,2))", "1.01", "decimal(3,2)"),
        ("CAST('1.005' AS DECIMAL(3,2))", "1.01", "decimal(3,2)"),
        ("CAST(0.1D AS DECIMAL(10,5))", "0.10000", "decimal(10,5)"),
        ("CAST(1.0D AS STRING)", "1.0", "string"),
        ("CAST(1e7 AS STRING)", "1.0E7", "string"),
        ("CAST(0.00001D AS STRING)", "1.0E-5", "string"),
        ("CAST(1.5F AS DOUBLE)", "1.5", "double"),
        ("CAST(1e300 AS FLOAT)", "Infinity", "float"),
        ("CAST('NaN' AS DOUBLE)", "NaN", "double"),
        ("CAST(X'616263' AS STRING)", "abc", "string"),
        ("CAST('abc' AS BINARY)", "abc", "binary"),
        ("CAST(NULL AS INT)", "NULL", "int"),
        ("try_cast(300 AS TINYINT)", "NULL", "tinyint"),
    ]);
    fails(&[
        ("CAST('12.7' AS INT)", "CAST_INVALID_INPUT"),
        ("CAST('x' AS INT)", "CAST_INVALID_INPUT"),
        ("CAST('x' AS BOOLEAN)", "CAST_INVALID_INPUT"),
        ("CAST('x' AS DECIMAL(5,2))", "CAST_INVALID_INPUT"),
        ("CAST('2024-13-01' AS DATE)", "CAST_INVALID_INPUT"),
        ("CAST(3000000000 AS INT)", "CAST_OVERFLOW"),
        ("CAST(300 AS TINYINT)", "CAST_OVERFLOW"),
        ("CAST(1e20 AS BIGINT)", "CAST_OVERFLOW"),
        ("CAST(1000 AS DECIMAL(3,0))", "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION"),
        ("CAST(DATE'2024-01-01' AS INT)", "DATATYPE_MISMATCH.CAST_WITH_FUNC_SUGGESTION"),
        ("CAST(1 AS DATE)", "DATATYPE_MISMATCH.CAST_WITH_FUNC_SUGGESTION"),
        ("CAST(true AS DATE)", "DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION"),
        ("CAST(array(1) AS INT)", "DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION"),
    ]);
}

#[test]
fn dates_and_timestamps() {
    values(&[
        ("CAST('2024' AS DATE)", "2024-01-01", "date"),
        ("CAST('2024-1-2' AS DATE)", "2024-01-02", "date"),
        ("CAST('2024-01-02 10:00:00' AS DATE)", "2024-01-02", "date"),
        ("CAST('2024-01-02T03:04:05.678Z' AS TIMESTAMP)", "2024-01-02 03:04:05.678", "timestamp"),
        ("CAST('2024-01-02 03:04:05+01:00' AS TIMESTAMP)", "2024-01-02 02:04:05", "timestamp"),
        ("CAST(TIMESTAMP'2024-01-01 00:00:00' AS STRING)", "2024-01-01 00:00:00", "string"),
        ("CAST(TIMESTAMP'2024-01-01 23:59:59' AS DATE)", "2024-01-01", "date"),
        ("CAST(DATE'2024-01-01' AS TIMESTAMP)", "2024-01-01 00:00:00", "timestamp"),
        ("CAST(TIMESTAMP'1970-01-01 00:00:10' AS BIGINT)", "10", "bigint"),
        ("CAST(10 AS TIMESTAMP)", "1970-01-01 00:00:10", "timestamp"),
        ("CAST(1.5 AS TIMESTAMP)", "1970-01-01 00:00:01.5", "timestamp"),
        ("CAST(TIMESTAMP'2024-01-01 01:02:03' AS TIMESTAMP_NTZ)", "2024-01-01 01:02:03", "timestamp_ntz"),
    ]);
}

#[test]
fn nested_values() {
    values(&[
        ("array(1, NULL)", "[1, null]", "array<int>"),
        ("map('a', 1)", "{a -> 1}", "map<string,int>"),
        ("struct(1, 'x')", "{1, x}", "struct<col1:int,col2:string>"),
        ("CAST(array(1, 2) AS ARRAY<STRING>)", "[1, 2]", "array<string>"),
        ("CAST(named_struct('a', 1) AS STRUCT<b: BIGINT>)", "{1}", "struct<b:bigint>"),
        ("CAST(map(1, '2') AS MAP<STRING, INT>)", "{1 -> 2}", "map<string,int>"),
    ]);
}
