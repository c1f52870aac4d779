use crate::harness::{answer, catalog, refuse, run};

#[test]
fn names_that_nothing_has() {
    refuse(&[
        ("SELECT idd FROM t", "UNRESOLVED_COLUMN.WITH_SUGGESTION", "idd"),
        ("SELECT id FROM t WHERE t.gone = 1", "UNRESOLVED_COLUMN.WITH_SUGGESTION", "t.gone"),
        ("SELECT x", "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION", "x"),
        ("SELECT id FROM t, s", "AMBIGUOUS_REFERENCE", "id"),
        ("SELECT * FROM nowhere", "TABLE_OR_VIEW_NOT_FOUND", "nowhere"),
        ("SELECT nosuch(id) FROM t", "UNRESOLVED_ROUTINE", "nosuch(id)"),
        ("SELECT p.z FROM nested", "FIELD_NOT_FOUND", "z"),
        ("SELECT id.x FROM t", "INVALID_EXTRACT_BASE_FIELD_TYPE", "x"),
        ("SELECT x.* FROM t", "CANNOT_RESOLVE_STAR_EXPAND", "x.*"),
        ("SELECT *", "CANNOT_RESOLVE_STAR_EXPAND", "*"),
        ("SELECT * EXCEPT (zz) FROM t", "UNRESOLVED_COLUMN.WITH_SUGGESTION", "zz"),
        ("SELECT * FROM t JOIN s USING (name)", "UNRESOLVED_USING_COLUMN_FOR_JOIN", "name"),
        ("SELECT count(*) OVER w FROM t", "MISSING_WINDOW_SPECIFICATION", "w"),
        ("SELECT * FROM broken", "UNRESOLVED_COLUMN.WITH_SUGGESTION", "broken"),
    ]);
}

#[test]
fn groups_without_a_single_value() {
    refuse(&[
        ("SELECT k, v, count(*) FROM t GROUP BY k", "MISSING_AGGREGATION", "v"),
        ("SELECT k, count(*) FROM t GROUP BY k HAVING id + 1 > 1", "MISSING_AGGREGATION", "id"),
        ("SELECT k, count(*) FROM t", "MISSING_GROUP_BY", "k"),
        ("SELECT k FROM t WHERE count(*) > 1", "INVALID_WHERE_CONDITION", "count(*)"),
        (
            "SELECT k FROM t WHERE row_number() OVER (ORDER BY k) = 1",
            "_LEGACY_ERROR_TEMP_1034",
            "row_number() OVER (ORDER BY k)",
        ),
        ("SELECT sum(max(id)) FROM t", "NESTED_AGGREGATE_FUNCTION", "max(id)"),
        ("SELECT k FROM t GROUP BY 3", "GROUP_BY_POS_OUT_OF_RANGE", "3"),
        ("SELECT k, max(id) FROM t GROUP BY 2", "GROUP_BY_POS_AGGREGATE", "2"),
        ("SELECT k FROM t ORDER BY 2", "ORDER_BY_POS_OUT_OF_RANGE", "2"),
        ("SELECT k FROM t GROUP BY max(id)", "GROUP_BY_AGGREGATE", "max(id)"),
    ]);
}

#[test]
fn types_and_shapes_that_do_not_fit() {
    refuse(&[
        ("SELECT id FROM t WHERE id", "DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", "id"),
        ("SELECT id FROM t WHERE NULL", "DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", "NULL"),
        ("SELECT CASE WHEN NULL THEN 1 END", "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "NULL"),
        ("SELECT * FROM t JOIN s ON t.id", "JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE", "t.id"),
        ("SELECT 1 UNION SELECT 1, 2", "NUM_COLUMNS_MISMATCH", "SELECT 1, 2"),
        (
            "SELECT (SELECT id, v FROM t)",
            "INVALID_SUBQUERY_EXPRESSION.SCALAR_SUBQUERY_RETURN_MORE_THAN_ONE_OUTPUT_COLUMN",
            "SELECT id, v FROM t",
        ),
        ("SELECT a FROM (SELECT 1) AS x(a, b)", "ASSIGNMENT_ARITY_MISMATCH", "(SELECT 1) AS x(a, b)"),
        ("SELECT 1 + explode(arr) FROM nested", "UNSUPPORTED_GENERATOR.NESTED_IN_EXPRESSIONS", "explode(arr)"),
        ("SELECT explode(arr), explode(m) FROM nested", "UNSUPPORTED_GENERATOR.MULTI_GENERATOR", "explode(m)"),
        ("SELECT id FROM nested WHERE explode(arr) = 1", "UNSUPPORTED_GENERATOR.OUTSIDE_SELECT", "explode(arr)"),
        ("SELECT rank() OVER () FROM t", "_LEGACY_ERROR_TEMP_1037", "rank() OVER ()"),
        ("SELECT row_number() FROM t", "WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE", "row_number()"),
        ("SELECT id FROM t LIMIT -1", "INVALID_LIMIT_LIKE_EXPRESSION.DATA_TYPE", "-1"),
    ]);
}

#[test]
fn what_is_missing_says_so() {
    let correlated = "SELECT (SELECT max(w) FROM s WHERE s.id < t.id) FROM t";
    let limited = "SELECT (SELECT name FROM s WHERE s.id = t.id ORDER BY w LIMIT 1) FROM t";
    let nested = "SELECT (SELECT max(c) FROM (SELECT count(*) AS c FROM s WHERE s.id = t.id)) FROM t";
    refuse(&[
        (correlated, "MERGELAB_NOT_SUPPORTED_YET", correlated),
        (limited, "MERGELAB_NOT_SUPPORTED_YET", limited),
        (nested, "MERGELAB_NOT_SUPPORTED_YET", "(SELECT max(c) FROM (SELECT count(*) AS c FROM s WHERE s.id = t.id))"),
        ("SELECT * FROM t JOIN s ON t.id IN (SELECT 1)", "MERGELAB_NOT_SUPPORTED_YET", "SELECT 1"),
        (
            "SELECT * FROM t, LATERAL (SELECT name FROM s WHERE s.id = t.id)",
            "MERGELAB_NOT_SUPPORTED_YET",
            "LATERAL (SELECT name FROM s WHERE s.id = t.id)",
        ),
        ("SELECT grouping(k) FROM t GROUP BY ROLLUP(k)", "MERGELAB_NOT_SUPPORTED_YET", "grouping(k)"),
        ("SELECT stack(1, 2)", "MERGELAB_NOT_SUPPORTED_YET", "stack(1, 2)"),
        ("SELECT transform(arr, x -> x + 1) FROM nested", "MERGELAB_NOT_SUPPORTED_YET", "x -> x + 1"),
    ]);
}

#[test]
fn failures_at_run_time_keep_their_condition() {
    let catalog = run(catalog());
    let condition = |text: &str| run(answer(&catalog, text)).unwrap_err().condition;
    assert_eq!(condition("SELECT 1 / (id - 1) FROM t"), "DIVIDE_BY_ZERO");
    assert_eq!(condition("SELECT CAST(k AS INT) FROM t"), "CAST_INVALID_INPUT");
    assert_eq!(condition("SELECT (SELECT id FROM t)"), "SCALAR_SUBQUERY_TOO_MANY_ROWS");
    assert_eq!(condition("SELECT (SELECT name FROM s WHERE s.id = t.id) FROM t"), "SCALAR_SUBQUERY_TOO_MANY_ROWS");
    assert_eq!(condition("SELECT id FROM t WHERE v = (SELECT id FROM t)"), "SCALAR_SUBQUERY_TOO_MANY_ROWS");
}

#[test]
fn a_near_name_is_offered_as_an_edit() {
    let text = "SELECT idd FROM t";
    let diagnostic = run(async { answer(&catalog().await, text).await }).unwrap_err();
    let edit = diagnostic.edits.first().unwrap();
    assert_eq!((edit.span.of(text), edit.replacement.as_str()), ("idd", "t.id"));
}
