//! Which exception of PySpark a complaint is.

use serde_json::{Value, json};
use spec::Diagnostic;

/// The exception as a program gets it: its class, its text, and the number of the complaint.
pub(super) fn of(problem: &Diagnostic, number: usize) -> Value {
    json!({
        "kind": class(problem),
        "text": problem.to_string(),
        "condition": problem.condition,
        "sqlstate": problem.sqlstate,
        "id": number,
    })
}

/// The class is Spark's: what the analyser refuses, what the parser cannot read, what fails as rows go through.
fn class(problem: &Diagnostic) -> &'static str {
    match problem.condition.as_str() {
        "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE" => "UnsupportedOperationException",
        "DIVIDE_BY_ZERO"
        | "ARITHMETIC_OVERFLOW"
        | "BINARY_ARITHMETIC_OVERFLOW"
        | "NUMERIC_VALUE_OUT_OF_RANGE"
        | "CAST_OVERFLOW"
        | "INTERVAL_ARITHMETIC_OVERFLOW" => "ArithmeticException",
        "CAST_INVALID_INPUT" if problem.message.contains("DATE") || problem.message.contains("TIMESTAMP") => {
            "DateTimeException"
        }
        "CAST_INVALID_INPUT" => "NumberFormatException",
        "INVALID_ARRAY_INDEX" | "INVALID_ARRAY_INDEX_IN_ELEMENT_AT" => "ArrayIndexOutOfBoundsException",
        "USER_RAISED_EXCEPTION" | "SCALAR_SUBQUERY_TOO_MANY_ROWS" => "SparkRuntimeException",
        condition if condition.starts_with("PARSE_") => "ParseException",
        "MERGE_WITHOUT_WHEN" | "UNSUPPORTED_DATATYPE" | "DATATYPE_MISSING_SIZE" | "INVALID_STATEMENT_OR_CLAUSE" => {
            "ParseException"
        }
        condition if condition.starts_with("DELTA_CONCURRENT") => "UnknownException",
        _ => "AnalysisException",
    }
}
