//! OPTIMIZE, REORG, VACUUM, RESTORE, TRUNCATE and RESET.

use crate::cursor::{Cursor, Parse};
use crate::errors::{condition, expected, unsupported};
use crate::lexer::Kind;
use crate::show::table_or_path;
use crate::{expr, relation};
use spec::{Command, Expr, Name, Optimize, Retain, Span, StatementKind, TimeTravel, Vacuum};

/// Reads `OPTIMIZE t [FULL] [WHERE condition] [ZORDER BY columns]`.
pub(crate) fn optimize(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    cursor.expect("OPTIMIZE")?;
    let table = table_or_path(cursor)?;
    let full = cursor.at("FULL").then(|| cursor.here());
    cursor.eat("FULL");
    let filter = filter(cursor)?;
    let zorder_by = if cursor.eat("ZORDER BY") { columns(cursor)? } else { Vec::new() };
    Ok(StatementKind::Command(Command::Optimize(Box::new(Optimize { table, full, filter, zorder_by }))))
}

/// The columns of ZORDER BY, with or without parentheses.
fn columns(cursor: &mut Cursor<'_>) -> Parse<Vec<Name>> {
    let column = |cursor: &mut Cursor<'_>| cursor.name("a column");
    if cursor.at_op("(") { cursor.parens(column) } else { cursor.list(column) }
}

/// Reads `REORG TABLE t [WHERE condition] APPLY (PURGE)`.
pub(crate) fn reorg(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    cursor.expect("REORG TABLE")?;
    let table = relation::table_name(cursor)?;
    let filter = filter(cursor)?;
    cursor.expect("APPLY")?;
    cursor.expect_op("(")?;
    if cursor.at("UPGRADE UNIFORM") {
        return Err(unsupported("REORG … APPLY (UPGRADE UNIFORM …)", cursor.here()));
    }
    cursor.expect("PURGE")?;
    if !cursor.eat_op(")") {
        return Err(expected(cursor, &["')'"]));
    }
    Ok(StatementKind::Command(Command::Reorg { table, filter }))
}

fn filter(cursor: &mut Cursor<'_>) -> Parse<Option<Expr>> {
    if cursor.eat("WHERE") { expr::parse(cursor).map(Some) } else { Ok(None) }
}

/// Reads `VACUUM t` and what may follow, in any order.
pub(crate) fn vacuum(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    cursor.expect("VACUUM")?;
    let table = table_or_path(cursor)?;
    let mut vacuum = Vacuum { table, lite: false, retain: None, dry_run: false };
    let mut typed = false;
    while !cursor.at_end() {
        let here = cursor.here();
        let twice = if cursor.eat("DRY RUN") {
            std::mem::replace(&mut vacuum.dry_run, true)
        } else if cursor.at("RETAIN") {
            vacuum.retain.replace(retain(cursor)?).is_some()
        } else if cursor.at("LITE") || cursor.at("FULL") {
            vacuum.lite |= cursor.eat("LITE");
            cursor.eat("FULL");
            std::mem::replace(&mut typed, true)
        } else if cursor.at("USING INVENTORY") {
            return Err(unsupported("VACUUM USING INVENTORY", here));
        } else {
            return Err(expected(cursor, &["RETAIN", "DRY RUN", "LITE", "FULL"]));
        };
        if twice {
            let message = "A clause of VACUUM is written twice.";
            return Err(condition("DUPLICATE_CLAUSES", "42614", message, cursor.since(here)));
        }
    }
    Ok(StatementKind::Command(Command::Vacuum(vacuum)))
}

fn retain(cursor: &mut Cursor<'_>) -> Parse<Retain> {
    let start = cursor.here();
    cursor.expect("RETAIN")?;
    let number = cursor.here();
    cursor.eat_op("-");
    if cursor.kind_at(0) != Some(Kind::Number) {
        return Err(expected(cursor, &["a number of hours"]));
    }
    cursor.advance();
    let text = cursor.since(number);
    let text: String = text.of(cursor.text()).chars().filter(|c| !c.is_whitespace()).collect();
    let Ok(hours) = text.parse() else { return Err(expected(cursor, &["a number of hours"])) };
    cursor.expect("HOURS")?;
    Ok(Retain { hours, span: cursor.since(start) })
}

/// Reads `RESTORE [TABLE] t [TO] VERSION AS OF n` or `… TIMESTAMP AS OF 'time'`.
pub(crate) fn restore(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    cursor.expect("RESTORE")?;
    if cursor.at("TABLE") && !cursor.at_op_ahead(1, ".") {
        cursor.advance();
    }
    let table = relation::table_name(cursor)?;
    cursor.eat("TO");
    let here = cursor.here();
    match relation::time_travel(cursor)? {
        Some(TimeTravel::Timestamp(time)) if !is_text(&time.span, cursor) => {
            Err(expected(cursor, &["a time between quotes"]))
        }
        Some(to) => Ok(StatementKind::Command(Command::Restore { table, to })),
        None if cursor.at_end() => Err(expected(cursor, &["VERSION AS OF", "TIMESTAMP AS OF"])),
        None => Err(condition("PARSE_SYNTAX_ERROR", "42601", "RESTORE needs VERSION AS OF or TIMESTAMP AS OF.", here)),
    }
}

fn is_text(span: &Span, cursor: &Cursor<'_>) -> bool {
    span.of(cursor.text()).starts_with(['\'', '"'])
}

/// Reads `TRUNCATE TABLE t`.
pub(crate) fn truncate(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    cursor.expect("TRUNCATE TABLE")?;
    let table = relation::table_name(cursor)?;
    if cursor.at("PARTITION") {
        return Err(unsupported("TRUNCATE of one partition", cursor.here()));
    }
    Ok(StatementKind::Command(Command::Truncate { table }))
}

/// Reads `RESET` or `RESET key`; the key is plain text up to the end of the statement.
pub(crate) fn reset(cursor: &mut Cursor<'_>) -> Parse<StatementKind> {
    cursor.expect("RESET")?;
    let start = cursor.here();
    let mut key = None;
    if !cursor.at_end() {
        while cursor.advance().is_some() {}
        key = Some(cursor.since(start).of(cursor.text()).replace('`', ""));
    }
    Ok(StatementKind::Command(Command::Reset { key }))
}
