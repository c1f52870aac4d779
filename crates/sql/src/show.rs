//! DESCRIBE, SHOW, SET and USE.

use crate::cursor::{Cursor, Parse};
use crate::errors::{databricks_only, expected, unsupported};
use crate::lexer::Kind;
use crate::{literal, relation};
use spec::{Command, Ident, Name, Span, StatementKind};

/// Reads a statement that starts with DESCRIBE or DESC.
pub(crate) fn describe(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    let start = cursor.here();
    cursor.advance();
    let mut extended = false;
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
        if cursor.peek_at(1).is_some() && !cursor.at_op_ahead(1, ".") {
            extended = cursor.eat("EXTENDED") || cursor.eat("FORMATTED");
        }
    }
    let table = relation::table_name(cursor)?;
    if cursor.at("AS JSON") {
        return Err(unsupported("DESCRIBE … AS JSON", cursor.here()));
    }
    if cursor.at_ident() {
        return Err(unsupported("DESCRIBE of a single column or partition", cursor.here()));
    }
    Ok(StatementKind::DescribeTable { table, extended })
}

/// A table name, or a path in quotes, which is the same as ``delta.`path` ``.
pub(crate) fn table_or_path(cursor: &mut Cursor<'_>) -> Parse<Name> {
    if cursor.kind_at(0) != Some(Kind::String) {
        return relation::table_name(cursor);
    }
    let span = cursor.here();
    let path = literal::string(cursor, "a path")?;
    Ok(Name { parts: vec![Ident::new("delta", span), Ident::new(path, span)] })
}

/// Reads a SHOW statement.
pub(crate) fn show(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    let start = cursor.here();
    cursor.expect("SHOW")?;
    if cursor.eat("TABLES") {
        let (schema, pattern) = (schema(cursor)?, pattern(cursor)?);
        return Ok(StatementKind::ShowTables { schema, pattern });
    }
    if cursor.eat("VIEWS") {
        let (schema, pattern) = (schema(cursor)?, pattern(cursor)?);
        return Ok(StatementKind::Command(Command::ShowViews { schema, pattern }));
    }
    if cursor.eat("SCHEMAS") || cursor.eat("DATABASES") || cursor.eat("NAMESPACES") {
        return Ok(StatementKind::Command(Command::ShowSchemas { pattern: pattern(cursor)? }));
    }
    if cursor.eat("COLUMNS") {
        if !cursor.eat("IN") && !cursor.eat("FROM") {
            return Err(expected(cursor, &["IN", "FROM"]));
        }
        let table = in_schema(relation::table_name(cursor)?, schema(cursor)?);
        return Ok(StatementKind::Command(Command::ShowColumns { table }));
    }
    if cursor.eat("TBLPROPERTIES") {
        let table = relation::table_name(cursor)?;
        let key = if cursor.at_op("(") { Some(property_key(cursor)?) } else { None };
        return Ok(StatementKind::Command(Command::ShowProperties { table, key }));
    }
    if cursor.eat("PARTITIONS") {
        let table = relation::table_name(cursor)?;
        if cursor.at("PARTITION") {
            return Err(unsupported("SHOW PARTITIONS of one partition", cursor.here()));
        }
        return Ok(StatementKind::Command(Command::ShowPartitions { table }));
    }
    if cursor.eat("CREATE TABLE") {
        let table = relation::table_name(cursor)?;
        cursor.eat("AS SERDE");
        return Ok(StatementKind::Command(Command::ShowCreateTable { table }));
    }
    let Some(word) = cursor.word() else { return Err(expected(cursor, &["TABLES"])) };
    let what = format!("SHOW {}", word.to_ascii_uppercase());
    Err(unsupported(what, Span::new(start.start, cursor.here().end)))
}

/// Reads `IN schema`, or nothing.
fn schema(cursor: &mut Cursor<'_>) -> Parse<Option<Name>> {
    let scoped = cursor.eat("IN") || cursor.eat("FROM");
    if scoped { cursor.name("the name of a schema").map(Some) } else { Ok(None) }
}

/// Reads `[LIKE] 'pattern'`, or nothing.
fn pattern(cursor: &mut Cursor<'_>) -> Parse<Option<String>> {
    if cursor.eat("LIKE") || cursor.kind_at(0) == Some(Kind::String) {
        return literal::string(cursor, "a pattern").map(Some);
    }
    Ok(None)
}

/// A table whose schema is written behind it.
fn in_schema(table: Name, schema: Option<Name>) -> Name {
    match schema {
        Some(mut schema) => {
            schema.parts.extend(table.parts.into_iter().next_back());
            schema
        }
        None => table,
    }
}

/// Reads `('key')` or `(key.with.dots)`.
fn property_key(cursor: &mut Cursor<'_>) -> Parse<String> {
    cursor.expect_op("(")?;
    let key = match cursor.kind_at(0) {
        Some(Kind::String) => literal::string(cursor, "the name of a property")?,
        _ => cursor.name("the name of a property")?.to_string(),
    };
    if cursor.eat_op(")") { Ok(key) } else { Err(expected(cursor, &["')'"])) }
}

/// Reads `SET key = value`, `SET key` or `SET`. Key and value are plain text up to the end of the statement.
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
        let key = Span::new(key_span.start, cursor.since(start).end).of(cursor.text()).trim().replace('`', "");
        let key = (key_span.start > start.start).then_some(key);
        if key.as_deref() == Some("-v") {
            return Err(unsupported("SET -v", cursor.since(start)));
        }
        return Ok(StatementKind::Command(Command::ShowSettings { key }));
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
