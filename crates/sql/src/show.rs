//! DESCRIBE, SHOW TABLES, SET and USE.

use crate::cursor::{Cursor, Parse};
use crate::errors::{databricks_only, expected, unsupported};
use crate::lexer::Kind;
use crate::{literal, relation};
use spec::{Ident, Name, Span, StatementKind};

/// Reads a statement that starts with DESCRIBE or DESC.
pub(crate) fn describe(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    let start = cursor.here();
    cursor.advance();
    let names_itself = cursor.at_op_ahead(1, ".") || cursor.peek_at(1).is_none();
    if !names_itself {
        for other in ["FUNCTION", "DATABASE", "SCHEMA", "NAMESPACE", "CATALOG", "QUERY", "SELECT", "WITH", "VALUES"] {
            if cursor.at(other) {
                let what = format!("DESCRIBE {other}");
                return Err(unsupported(what, Span::new(start.start, cursor.here().end)));
            }
        }
        if cursor.eat("HISTORY") {
            let table = table_or_path(cursor)?;
            let limit = if cursor.eat("LIMIT") { Some(literal::unsigned(cursor, "a number of rows")?) } else { None };
            return Ok(StatementKind::DescribeHistory { table, limit });
        }
        if cursor.eat("DETAIL") {
            return Ok(StatementKind::DescribeDetail { table: table_or_path(cursor)? });
        }
        cursor.eat("TABLE");
        if cursor.peek_at(1).is_some() && !cursor.at_op_ahead(1, ".") && !cursor.eat("EXTENDED") {
            cursor.eat("FORMATTED");
        }
    }
    let table = relation::table_name(cursor)?;
    if cursor.at("AS JSON") {
        return Err(unsupported("DESCRIBE … AS JSON", cursor.here()));
    }
    if cursor.at_ident() {
        return Err(unsupported("DESCRIBE of a single column or partition", cursor.here()));
    }
    Ok(StatementKind::DescribeTable { table })
}

/// A table name, or a path in quotes, which is the same as ``delta.`path` ``.
fn table_or_path(cursor: &mut Cursor<'_>) -> Parse<Name> {
    if cursor.kind_at(0) != Some(Kind::String) {
        return relation::table_name(cursor);
    }
    let span = cursor.here();
    let path = literal::string(cursor, "a path")?;
    Ok(Name { parts: vec![Ident::new("delta", span), Ident::new(path, span)] })
}

/// Reads SHOW TABLES; the other SHOW statements are not run yet.
pub(crate) fn show(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    let start = cursor.here();
    cursor.expect("SHOW")?;
    if !cursor.at("TABLES") {
        let Some(word) = cursor.word() else { return Err(expected(cursor, &["TABLES"])) };
        let what = match cursor.word_at(1) {
            Some(next) if word.eq_ignore_ascii_case("CREATE") => format!("SHOW CREATE {}", next.to_ascii_uppercase()),
            _ => format!("SHOW {}", word.to_ascii_uppercase()),
        };
        return Err(unsupported(what, Span::new(start.start, cursor.here().end)));
    }
    cursor.expect("TABLES")?;
    let scoped = cursor.eat("IN") || cursor.eat("FROM");
    let schema = if scoped { Some(cursor.name("the name of a schema")?) } else { None };
    if cursor.at("LIKE") || cursor.kind_at(0) == Some(Kind::String) {
        return Err(unsupported("SHOW TABLES with a pattern", cursor.here()));
    }
    Ok(StatementKind::ShowTables { schema })
}

/// Reads `SET key = value`. Key and value are plain text up to the end of the statement.
pub(crate) fn set(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    let start = cursor.here();
    cursor.expect("SET")?;
    for other in ["TIME ZONE", "VARIABLE", "VAR", "CATALOG"] {
        if cursor.at(other) && !cursor.at_op_ahead(1, ".") {
            let span = Span::new(start.start, cursor.here().end);
            return Err(unsupported(format!("SET {other}"), span));
        }
    }
    let key_span = cursor.here();
    while !cursor.at_end() && !cursor.at_op("=") {
        cursor.advance();
    }
    if cursor.at_end() {
        return Err(unsupported("SET without a value", cursor.since(start)));
    }
    let key = Span::new(key_span.start, cursor.since(start).end).of(cursor.text()).trim().replace('`', "");
    if key.is_empty() || key.eq_ignore_ascii_case("SET") {
        return Err(expected(cursor, &["the name of a setting"]));
    }
    cursor.expect_op("=")?;
    if cursor.at_end() {
        return Err(expected(cursor, &["a value"]));
    }
    let value_span = cursor.here();
    while cursor.advance().is_some() {}
    let value = cursor.since(value_span).of(cursor.text()).to_owned();
    Ok(StatementKind::Set { key, value })
}

/// Reads `USE [SCHEMA] name`.
pub(crate) fn use_schema(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    cursor.expect("USE")?;
    if cursor.at("CATALOG") && cursor.peek_at(1).is_some() && !cursor.at_op_ahead(1, ".") {
        let portable = "Write USE catalog.schema, or name tables with all their parts.";
        return Err(databricks_only("USE CATALOG", cursor.here(), portable));
    }
    let prefixed = cursor.at_any(&["SCHEMA", "DATABASE", "NAMESPACE"]);
    if prefixed && cursor.peek_at(1).is_some() && !cursor.at_op_ahead(1, ".") {
        cursor.advance();
    }
    Ok(StatementKind::Use { name: cursor.name("the name of a schema")? })
}
