//! What is refused by name: statements of Spark that do not run here yet, and forms that only
//! Databricks or another SQL has.
//!
//! A learner who meets such a form elsewhere gets its name and the portable way to write it
//! instead of a bare syntax error.

use crate::cursor::{Cursor, Parse};
use crate::errors::{Failure, at, databricks_only, unsupported};
use crate::lexer::Kind;
use spec::{Name, Span};

/// Statements of Spark and Delta that are not run yet; the longest form first.
const NOT_YET: &[&str] = &[
    "EXPLAIN",
    "CACHE TABLE",
    "CACHE",
    "UNCACHE TABLE",
    "UNCACHE",
    "CLEAR CACHE",
    "REFRESH TABLE",
    "REFRESH",
    "ANALYZE TABLE",
    "ANALYZE",
    "CONVERT TO DELTA",
    "GENERATE",
    "MSCK REPAIR TABLE",
    "REPAIR TABLE",
    "DECLARE",
    "EXECUTE IMMEDIATE",
    "CALL",
    "BEGIN",
    "LOAD DATA",
    "EXPORT",
    "IMPORT",
    "ADD JAR",
    "ADD FILE",
    "LIST JAR",
    "LIST FILE",
    "LOCK",
    "UNLOCK",
];

/// Statements that open-source Spark does not have.
const DATABRICKS: &[(&str, &str)] = &[
    ("COPY INTO", "Write INSERT INTO … SELECT * FROM parquet.`path`."),
    ("APPLY CHANGES INTO", "Write a MERGE INTO over the latest change of each key."),
    ("AUTO CDC INTO", "Write a MERGE INTO over the latest change of each key."),
    ("UNDROP", "Create the table again, or RESTORE an earlier version of it."),
    ("GRANT", "Leave it out: there are no privileges here."),
    ("REVOKE", "Leave it out: there are no privileges here."),
    ("FSCK REPAIR TABLE", "Leave it out: no file goes missing here."),
];

/// Refuses a statement by its first words.
pub(crate) fn statement(cursor: &Cursor<'_>) -> Parse<()> {
    if cursor.at_op_ahead(1, ".") || cursor.at_op_ahead(1, "=") {
        return Ok(());
    }
    if let Some(words) = NOT_YET.iter().find(|words| cursor.at(words)) {
        return Err(unsupported(words, words_span(cursor, words)));
    }
    match DATABRICKS.iter().find(|(words, _)| cursor.at(words)) {
        Some((words, portable)) => Err(databricks_only(words, words_span(cursor, words), portable)),
        None => Ok(()),
    }
}

fn words_span(cursor: &Cursor<'_>, words: &str) -> Span {
    let last = words.split(' ').count() - 1;
    let end = cursor.peek_at(last).map_or(cursor.here(), |lexeme| lexeme.span);
    cursor.here().to(end)
}

/// Refuses kinds of CREATE that do not run here.
pub(crate) fn create(cursor: &Cursor<'_>) -> Parse<()> {
    let skipped = match () {
        () if cursor.at("CREATE OR REPLACE") || cursor.at("CREATE OR REFRESH") => 3,
        () => 1,
    };
    let refresh = cursor.at("CREATE OR REFRESH");
    let object = cursor.word_at(skipped).unwrap_or("").to_ascii_uppercase();
    let span = || cursor.here().to(cursor.peek_at(skipped).map_or(cursor.here(), |lexeme| lexeme.span));
    let portable = match object.as_str() {
        "FUNCTION" | "TEMPORARY" | "TEMP" if cursor.at_ahead(skipped + 1, "FUNCTION") || object == "FUNCTION" => {
            return Err(unsupported("CREATE FUNCTION", span()));
        }
        "VARIABLE" | "PROCEDURE" | "INDEX" => return Err(unsupported(format!("CREATE {object}"), span())),
        "STREAMING" | "LIVE" => "Write CREATE TABLE, and fill it with INSERT or MERGE.",
        "MATERIALIZED" => "Write CREATE TABLE … AS SELECT, and run it again to refresh.",
        "FLOW" | "CATALOG" | "VOLUME" | "CONNECTION" => "Leave it out: tables need none here.",
        _ if refresh => "Write CREATE OR REPLACE TABLE.",
        _ => return Ok(()),
    };
    let create = if refresh { "CREATE OR REFRESH" } else { "CREATE" };
    let kind =
        cursor.word_at(skipped + 1).map(str::to_ascii_uppercase).filter(|kind| kind == "TABLE" || kind == "VIEW");
    let what = format!("{create} {object} {}", kind.unwrap_or_default());
    Err(databricks_only(what.trim_end(), span(), portable))
}

/// Refuses table constraints inside the column list of CREATE TABLE.
pub(crate) fn constraint(cursor: &Cursor<'_>) -> Parse<()> {
    let words = ["CONSTRAINT", "PRIMARY KEY", "FOREIGN KEY", "UNIQUE", "CHECK"];
    let is_column =
        matches!(cursor.kind_at(1), Some(Kind::Word)) && !cursor.at_ahead(1, "KEY") && !cursor.at("CONSTRAINT");
    match words.iter().find(|words| cursor.at(words)) {
        Some(words) if !is_column => Err(constraint_failure(words, words_span(cursor, words))),
        _ => Ok(()),
    }
}

/// Refuses constraints behind the type of a column.
pub(crate) fn column_constraint(cursor: &Cursor<'_>) -> Parse<()> {
    let words = ["PRIMARY KEY", "REFERENCES", "UNIQUE", "CHECK", "CONSTRAINT"];
    match words.iter().find(|words| cursor.at(words)) {
        Some(words) => Err(constraint_failure(words, words_span(cursor, words))),
        None => Ok(()),
    }
}

fn constraint_failure(words: &str, span: Span) -> Failure {
    let portable = "Delta has CHECK constraints, added by ALTER TABLE … ADD CONSTRAINT name CHECK (condition); \
                    keys are not enforced anywhere.";
    databricks_only(&format!("{words} in CREATE TABLE"), span, portable)
}

/// Refuses `SELECT TOP n`.
pub(crate) fn select_start(cursor: &Cursor<'_>) -> Parse<()> {
    if cursor.at("TOP") && cursor.kind_at(1) == Some(Kind::Number) {
        let mut failure = at(cursor.text(), cursor.here(), "Spark has no TOP.");
        failure.hint = Some("Write LIMIT n at the end of the query.".to_owned());
        return Err(failure);
    }
    Ok(())
}

/// Refuses what may stand between a table and its alias.
pub(crate) fn after_table(cursor: &Cursor<'_>) -> Parse<()> {
    let here = cursor.here();
    if cursor.at("TABLESAMPLE") {
        return Err(unsupported("TABLESAMPLE", here));
    }
    if cursor.at("WITH") && cursor.at_op_ahead(1, "(") {
        return Err(unsupported("WITH options behind a table", here));
    }
    let is_at_sign = here.of(cursor.text()) == "@";
    if is_at_sign && cursor.word_at(1).is_some() {
        let end = cursor.peek_at(1).map_or(here, |lexeme| lexeme.span);
        let what = "Time travel with '@' in SQL";
        return Err(databricks_only(what, here.to(end), "Write VERSION AS OF n or TIMESTAMP AS OF 'time'."));
    }
    Ok(())
}

/// Refuses what may stand between FROM and WHERE.
pub(crate) fn after_from(cursor: &Cursor<'_>) -> Parse<()> {
    match ["PIVOT", "UNPIVOT"].into_iter().find(|word| cursor.at(word)) {
        Some(word) => Err(unsupported(word, cursor.here())),
        None => qualify(cursor),
    }
}

/// Refuses QUALIFY.
pub(crate) fn qualify(cursor: &Cursor<'_>) -> Parse<()> {
    if !cursor.at("QUALIFY") {
        return Ok(());
    }
    let portable = "Compute the window function in a subquery and filter outside: \
                    SELECT * FROM (SELECT *, row_number() OVER (…) AS rn FROM t) WHERE rn = 1.";
    Err(databricks_only("QUALIFY", cursor.here(), portable))
}

/// Refuses the pipe operator behind a query, and a QUALIFY that came late.
pub(crate) fn after_query(cursor: &Cursor<'_>) -> Parse<()> {
    if cursor.at_op("|>") {
        return Err(unsupported("The pipe operator |>", cursor.here()));
    }
    if cursor.at_any(&["FETCH FIRST", "FETCH NEXT"]) {
        let mut failure = at(cursor.text(), cursor.here(), "Spark has no FETCH.");
        failure.hint = Some("Write LIMIT n.".to_owned());
        return Err(failure);
    }
    qualify(cursor)
}

/// `LIMIT offset, n` of MySQL.
pub(crate) fn limit_with_comma(cursor: &Cursor<'_>) -> Failure {
    let mut failure = at(cursor.text(), cursor.here(), "LIMIT takes one number.");
    failure.hint = Some("Write LIMIT n OFFSET m.".to_owned());
    failure
}

/// A query that begins with FROM.
pub(crate) fn from_first(cursor: &Cursor<'_>) -> Failure {
    let mut failure = unsupported("A query that begins with FROM", cursor.here());
    failure.hint = Some("Put SELECT … in front of FROM.".to_owned());
    failure
}

/// `TABLE(…)` and `STREAM(…)` as something to read from.
pub(crate) fn table_argument(cursor: &Cursor<'_>) -> Failure {
    if cursor.at("STREAM") {
        return databricks_only("STREAM(…)", cursor.here(), "Read the table itself.");
    }
    unsupported("TABLE(…) as an argument", cursor.here())
}

/// The schema LIVE of a declarative pipeline.
pub(crate) fn live_schema(name: &Name) -> Parse<()> {
    match &name.parts[..] {
        [schema, _] if schema.is("LIVE") => {
            Err(databricks_only("The schema LIVE", name.span(), "Name the table without LIVE."))
        }
        _ => Ok(()),
    }
}
