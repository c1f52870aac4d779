//! INSERT, UPDATE and DELETE.

use crate::cursor::{Cursor, Parse};
use crate::errors::{self, databricks_only, expected, unsupported};
use crate::{expr, query, relation};
use spec::{
    Assignment, Cte, Delete, Expr, ExprKind, Insert, InsertMode, PartitionValue, QueryBody, SelectItem, Span,
    TableTarget, Update,
};

/// Reads `column = value, …`.
pub(crate) fn assignments(cursor: &mut Cursor<'_>) -> Parse<Vec<Assignment>> {
    cursor.list(|cursor| {
        let keyword = cursor.at_any(&["WHERE", "WHEN", "FROM"]);
        if keyword && !cursor.at_op_ahead(1, "=") && !cursor.at_op_ahead(1, ".") {
            return Err(expected(cursor, &["a column to set"]));
        }
        let column = cursor.name("a column to set")?;
        if !cursor.eat_op("=") && !cursor.eat_op("==") {
            return Err(expected(cursor, &["'='"]));
        }
        Ok(Assignment { column, value: expr::parse(cursor)? })
    })
}

/// Reads an INSERT; a WITH clause in front of it belongs to the query that it inserts.
pub(crate) fn insert(cursor: &mut Cursor<'_>, ctes: Vec<Cte>) -> Parse<Insert> {
    cursor.expect("INSERT")?;
    if cursor.at("WITH SCHEMA EVOLUTION") {
        let portable = "MERGE WITH SCHEMA EVOLUTION INTO … exists, or add the column with ALTER TABLE first.";
        return Err(databricks_only("INSERT WITH SCHEMA EVOLUTION", cursor.here(), portable));
    }
    let overwrite = cursor.eat("OVERWRITE");
    if !overwrite && !cursor.eat("INTO") {
        return Err(expected(cursor, &["INTO", "OVERWRITE"]));
    }
    if overwrite && cursor.at_any(&["DIRECTORY", "LOCAL DIRECTORY"]) {
        return Err(unsupported("INSERT OVERWRITE DIRECTORY", cursor.here()));
    }
    if cursor.at("TABLE") && !cursor.at_op_ahead(1, ".") {
        cursor.advance();
    }
    let table = bare_target(cursor)?;
    let partition = if cursor.eat("PARTITION") { cursor.parens(partition_value)? } else { Vec::new() };
    if cursor.at("IF NOT EXISTS") || cursor.at("OPTIONS") {
        return Err(unsupported("This clause of INSERT", cursor.here()));
    }
    let mut columns = Vec::new();
    if cursor.at_op("(") && !query::starts_in_parens(cursor, 0) {
        columns = cursor.ident_list("a column")?;
    }
    let by_name = columns.is_empty() && cursor.eat("BY NAME");
    let mut mode = if overwrite { InsertMode::Overwrite } else { InsertMode::Append };
    if !overwrite && columns.is_empty() && !by_name && cursor.at("REPLACE") {
        mode = InsertMode::ReplaceWhere(replace_where(cursor)?);
    }
    if !query::starts(cursor, 0) && !cursor.at_op("(") {
        return Err(expected(cursor, &["VALUES", "SELECT", "TABLE", "WITH"]));
    }
    let mut source = query::parse(cursor)?;
    source.ctes.splice(0..0, ctes);
    mark_defaults(&mut source.body);
    Ok(Insert { table, mode, partition, columns, by_name, source })
}

/// Reads `column` or `column = value` of a PARTITION clause.
fn partition_value(cursor: &mut Cursor<'_>) -> Parse<PartitionValue> {
    let column = cursor.ident("a partition column")?;
    let given = cursor.eat_op("=") || cursor.eat_op("==");
    let value = if given { Some(expr::parse(cursor)?) } else { None };
    Ok(PartitionValue { column, value })
}

fn replace_where(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    cursor.expect("REPLACE")?;
    if cursor.at_any(&["USING", "ON"]) {
        let portable = "Write REPLACE WHERE with a condition on the rows to replace.";
        return Err(databricks_only("INSERT … REPLACE USING or ON", cursor.here(), portable));
    }
    cursor.expect("WHERE")?;
    expr::parse(cursor)
}

fn bare_target(cursor: &mut Cursor<'_>) -> Parse<TableTarget> {
    let name = relation::table_name(cursor)?;
    let span = name.span();
    Ok(TableTarget { name, alias: None, span })
}

fn target(cursor: &mut Cursor<'_>) -> Parse<TableTarget> {
    let start = cursor.here();
    let name = relation::table_name(cursor)?;
    let alias = relation::alias(cursor)?;
    if let Some(alias) = alias.as_ref().filter(|alias| !alias.columns.is_empty()) {
        let message = format!("Column names are not allowed after the alias {} here.", alias.name);
        let span = cursor.since(alias.name.span);
        return Err(errors::condition("COLUMN_ALIASES_NOT_ALLOWED", "42601", message, span));
    }
    Ok(TableTarget { name, alias: alias.map(|alias| alias.name), span: cursor.since(start) })
}

/// Reads an UPDATE.
pub(crate) fn update(cursor: &mut Cursor<'_>) -> Parse<Update> {
    cursor.expect("UPDATE")?;
    let table = target(cursor)?;
    cursor.expect("SET")?;
    let mut assignments = assignments(cursor)?;
    for assignment in &mut assignments {
        mark_default(&mut assignment.value);
    }
    if cursor.at("FROM") {
        let mut failure = errors::at(cursor.text(), cursor.here(), "UPDATE has no FROM in Spark.");
        failure.hint = Some("Write a MERGE INTO … USING … WHEN MATCHED THEN UPDATE SET …".to_owned());
        return Err(failure);
    }
    Ok(Update { table, assignments, filter: filter(cursor)? })
}

/// Reads a DELETE.
pub(crate) fn delete(cursor: &mut Cursor<'_>) -> Parse<Delete> {
    cursor.expect("DELETE FROM")?;
    let table = target(cursor)?;
    if cursor.at("USING") {
        let mut failure = errors::at(cursor.text(), cursor.here(), "DELETE has no USING in Spark.");
        failure.hint = Some("Write a MERGE INTO … USING … WHEN MATCHED THEN DELETE.".to_owned());
        return Err(failure);
    }
    Ok(Delete { table, filter: filter(cursor)?, using: None })
}

fn filter(cursor: &mut Cursor<'_>) -> Parse<Option<Expr>> {
    if cursor.eat("WHERE") {
        return Ok(Some(expr::parse(cursor)?));
    }
    if !cursor.at_end() {
        return Err(expected(cursor, &["WHERE", "the end of the statement"]));
    }
    Ok(None)
}

/// DEFAULT is a column default only as a whole value of VALUES, SELECT or SET.
fn mark_defaults(body: &mut QueryBody) {
    match body {
        QueryBody::Values { rows, .. } => rows.iter_mut().flatten().for_each(mark_default),
        QueryBody::Select(select) => {
            for item in &mut select.items {
                if let SelectItem::Expr { expr, alias } = item
                    && alias.is_empty()
                {
                    mark_default(expr);
                }
            }
        }
        QueryBody::Table(_) | QueryBody::SetOp { .. } | QueryBody::Query(_) => {}
    }
}

fn mark_default(value: &mut Expr) {
    let ExprKind::Column(name) = &value.kind else { return };
    let [only] = &name.parts[..] else { return };
    let quoted = span_len(only.span) != only.value.len();
    if !quoted && only.is("DEFAULT") {
        value.kind = ExprKind::Default;
    }
}

fn span_len(span: Span) -> usize {
    span.end - span.start
}
