//! Calls: ordinary ones with their clauses, and the forms that SQL writes with words inside.

use crate::cursor::{Cursor, Parse};
use crate::errors::{self, expected};
use crate::{expr, types, window};
use spec::{CastMode, Expr, ExprKind, FunctionCall, Ident, Literal, Name, Span};

/// A call without clauses; `at` is where its name, or the sign that stands for it, is written.
pub(crate) fn plain(name: &str, at: Span, args: Vec<Expr>, span: Span) -> Expr {
    let call = FunctionCall {
        name: Name::bare(Ident::new(name, at)),
        args,
        distinct: false,
        filter: None,
        ignore_nulls: false,
        over: None,
    };
    Expr::new(ExprKind::Function(Box::new(call)), span)
}

/// Reads from the opening parenthesis of a call on.
pub(crate) fn parse(cursor: &mut Cursor<'_>, name: Name) -> Parse<Expr> {
    cursor.nested(|cursor| match &name.parts[..] {
        [only] if only.span.end - only.span.start == only.value.len() => special(cursor, only, &name),
        _ => ordinary(cursor, name.clone()),
    })
}

fn special(cursor: &mut Cursor<'_>, word: &Ident, name: &Name) -> Parse<Expr> {
    let at = word.span;
    match word.value.to_ascii_lowercase().as_str() {
        "cast" => cast(cursor, at, CastMode::Ansi),
        "try_cast" => cast(cursor, at, CastMode::Try),
        "struct" => {
            let empty = cursor.at_op_ahead(1, ")");
            let items = if empty { skip_empty(cursor) } else { cursor.parens(aliased)? };
            Ok(structure(items, at, cursor.since(at)))
        }
        "extract" => extract(cursor, at),
        "trim" => trim(cursor, name),
        "position" => position(cursor, name),
        "substring" | "substr" => pieces(cursor, name, &["FROM", "FOR"]),
        "overlay" => pieces(cursor, name, &["PLACING", "FROM", "FOR"]),
        _ => ordinary(cursor, name.clone()),
    }
}

fn skip_empty<T>(cursor: &mut Cursor<'_>) -> Vec<T> {
    cursor.advance();
    cursor.advance();
    Vec::new()
}

fn cast(cursor: &mut Cursor<'_>, at: Span, mode: CastMode) -> Parse<Expr> {
    cursor.expect_op("(")?;
    let expr = Box::new(expr::parse(cursor)?);
    cursor.expect("AS")?;
    let data_type = types::parse(cursor)?;
    cursor.expect_op(")")?;
    Ok(Expr::new(ExprKind::Cast { expr, data_type, mode }, cursor.since(at)))
}

/// An expression with an optional alias, as STRUCT and rows take them.
pub(crate) fn aliased(cursor: &mut Cursor<'_>) -> Parse<(Expr, Option<Ident>)> {
    let item = expr::parse(cursor)?;
    let alias = if cursor.eat("AS") { Some(cursor.ident("an alias")?) } else { cursor.bare_alias() };
    Ok((item, alias))
}

/// `struct(…)`, or `named_struct(…)` with Spark's names for the fields where one has an alias.
pub(crate) fn structure(items: Vec<(Expr, Option<Ident>)>, at: Span, span: Span) -> Expr {
    if items.iter().all(|(_, alias)| alias.is_none()) {
        return plain("struct", at, items.into_iter().map(|(item, _)| item).collect(), span);
    }
    let mut args = Vec::with_capacity(items.len() * 2);
    for (idx, (item, alias)) in items.into_iter().enumerate() {
        let name = match (&alias, &item.kind) {
            (Some(alias), _) => alias.value.clone(),
            (None, ExprKind::Column(name)) => name.last().to_owned(),
            _ => format!("col{}", idx + 1),
        };
        let name_span = alias.map_or(item.span, |alias| alias.span);
        args.push(Expr::new(ExprKind::Literal(Literal::String(name)), name_span));
        args.push(item);
    }
    plain("named_struct", at, args, span)
}

fn extract(cursor: &mut Cursor<'_>, at: Span) -> Parse<Expr> {
    cursor.expect_op("(")?;
    let field = cursor.ident("a field such as YEAR")?;
    cursor.expect("FROM")?;
    let source = expr::value(cursor)?;
    cursor.expect_op(")")?;
    let field = Expr::new(ExprKind::Literal(Literal::String(field.value)), field.span);
    Ok(plain("extract", at, vec![field, source], cursor.since(at)))
}

fn trim(cursor: &mut Cursor<'_>, name: &Name) -> Parse<Expr> {
    let at = name.span();
    cursor.expect_op("(")?;
    let sides = [("BOTH", "btrim"), ("LEADING", "ltrim"), ("TRAILING", "rtrim")];
    let side = sides.into_iter().find(|(word, _)| cursor.at(word) && !cursor.at_op_ahead(1, ")"));
    let side = side.filter(|_| !cursor.at_op_ahead(1, ",") && !cursor.at_op_ahead(1, "."));
    if side.is_some() {
        cursor.advance();
    }
    let trimmed = if cursor.at("FROM") { None } else { Some(expr::value(cursor)?) };
    if side.is_none() && !cursor.at("FROM") {
        let mut args: Vec<Expr> = trimmed.into_iter().collect();
        while cursor.eat_op(",") {
            args.push(expr::parse(cursor)?);
        }
        close(cursor)?;
        return Ok(call_of(name, args, cursor.since(at)));
    }
    cursor.expect("FROM")?;
    let source = expr::value(cursor)?;
    close(cursor)?;
    let function = side.map_or("btrim", |(_, function)| function);
    let args = match trimmed {
        None => vec![source],
        Some(trimmed) if function == "btrim" => vec![source, trimmed],
        Some(trimmed) => vec![trimmed, source],
    };
    Ok(plain(function, at, args, cursor.since(at)))
}

fn position(cursor: &mut Cursor<'_>, name: &Name) -> Parse<Expr> {
    let at = name.span();
    cursor.expect_op("(")?;
    let mut args = vec![expr::value(cursor)?];
    if cursor.eat("IN") {
        args.push(expr::value(cursor)?);
    } else {
        while cursor.eat_op(",") {
            args.push(expr::parse(cursor)?);
        }
    }
    close(cursor)?;
    Ok(call_of(name, args, cursor.since(at)))
}

/// Arguments separated by commas, or by these words in this order.
fn pieces(cursor: &mut Cursor<'_>, name: &Name, separators: &[&str]) -> Parse<Expr> {
    let at = name.span();
    cursor.expect_op("(")?;
    let mut args = vec![expr::value(cursor)?];
    let mut separators = separators.iter().peekable();
    loop {
        let worded = separators.next().is_some_and(|separator| cursor.eat(separator));
        if !worded && !cursor.eat_op(",") {
            break;
        }
        args.push(expr::value(cursor)?);
    }
    close(cursor)?;
    Ok(call_of(name, args, cursor.since(at)))
}

fn call_of(name: &Name, args: Vec<Expr>, span: Span) -> Expr {
    plain(name.last(), name.span(), args, span)
}

fn close(cursor: &mut Cursor<'_>) -> Parse<()> {
    if cursor.eat_op(")") { Ok(()) } else { Err(expected(cursor, &["','", "')'"])) }
}

fn ordinary(cursor: &mut Cursor<'_>, name: Name) -> Parse<Expr> {
    let at = name.span();
    cursor.expect_op("(")?;
    let quantified = !cursor.at_op_ahead(1, ")") && !cursor.at_op_ahead(1, ",") && !cursor.at_op_ahead(1, ".");
    let distinct = quantified && cursor.eat("DISTINCT");
    if quantified && !distinct {
        cursor.eat("ALL");
    }
    let mut args = Vec::new();
    let mut ignore_nulls = false;
    if !cursor.at_op(")") {
        args = cursor.list(argument)?;
        ignore_nulls = nulls_option(cursor);
    }
    close(cursor)?;
    if cursor.at("WITHIN GROUP") {
        return Err(errors::unsupported("WITHIN GROUP", cursor.here()));
    }
    let filter = if cursor.at("FILTER") && cursor.at_op_ahead(1, "(") { Some(filter(cursor)?) } else { None };
    ignore_nulls |= nulls_option(cursor);
    let over = if cursor.eat("OVER") { Some(window::parse(cursor)?) } else { None };
    let (name, args) = with_unit(name, args);
    let call = FunctionCall { name, args, distinct, filter, ignore_nulls, over };
    Ok(Expr::new(ExprKind::Function(Box::new(call)), cursor.since(at)))
}

fn argument(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    if cursor.at_op("*") && (cursor.at_op_ahead(1, ")") || cursor.at_op_ahead(1, ",")) {
        let span = cursor.here();
        cursor.advance();
        return Ok(Expr::new(ExprKind::Star, span));
    }
    if cursor.at_op_ahead(1, "=>") {
        return Err(errors::unsupported("A named argument", cursor.here()));
    }
    expr::parse(cursor)
}

fn filter(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    cursor.expect("FILTER")?;
    cursor.expect_op("(")?;
    cursor.expect("WHERE")?;
    let condition = expr::parse(cursor)?;
    cursor.expect_op(")")?;
    Ok(condition)
}

fn nulls_option(cursor: &mut Cursor<'_>) -> bool {
    let ignore = cursor.eat("IGNORE NULLS");
    if !ignore {
        cursor.eat("RESPECT NULLS");
    }
    ignore
}

const UNITS: [&str; 11] =
    ["YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DAYOFYEAR", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND"];

/// `DATEDIFF(day, a, b)`: with three arguments the first is a unit, not a column.
fn with_unit(name: Name, mut args: Vec<Expr>) -> (Name, Vec<Expr>) {
    let function = match name.to_string().to_ascii_lowercase().as_str() {
        "timestampadd" | "dateadd" | "date_add" => "timestampadd",
        "timestampdiff" | "datediff" | "date_diff" | "timediff" => "timestampdiff",
        _ => return (name, args),
    };
    let n_args = args.len();
    let Some(Expr { kind, .. }) = args.first_mut().filter(|_| n_args == 3) else { return (name, args) };
    let ExprKind::Column(column) = &*kind else { return (name, args) };
    let unit = column.to_string().to_ascii_uppercase();
    if !UNITS.contains(&unit.as_str()) {
        return (name, args);
    }
    *kind = ExprKind::Literal(Literal::String(unit));
    (Name::bare(Ident::new(function, name.span())), args)
}
