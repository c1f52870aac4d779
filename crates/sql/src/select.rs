//! One SELECT: its items, FROM, WHERE, GROUP BY, HAVING, WINDOW.

use crate::cursor::{Cursor, Parse};
use crate::errors::{expected, unsupported};
use crate::lexer::{HINT, HINT_END, Kind};
use crate::{expr, refused, relation, window};
use spec::{Exchange, Expr, GroupBy, Ident, Name, Select, SelectItem};

/// Reads from SELECT to the end of WINDOW.
pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Parse<Select> {
    let start = cursor.here();
    cursor.expect("SELECT")?;
    let exchanges = hints(cursor)?;
    refused::select_start(cursor)?;
    let distinct = cursor.eat("DISTINCT");
    if !distinct && cursor.at("ALL") && !cursor.at_op_ahead(1, ",") && !cursor.at_op_ahead(1, ".") {
        cursor.advance();
    }
    let items = cursor.list(item)?;
    let mut from = Vec::new();
    let mut lateral_views = Vec::new();
    if cursor.eat("FROM") {
        from = cursor.list(relation::parse)?;
    }
    while cursor.at("LATERAL VIEW") {
        lateral_views.push(relation::lateral_view(cursor)?);
    }
    refused::after_from(cursor)?;
    let filter = if cursor.eat("WHERE") { Some(expr::parse(cursor)?) } else { None };
    let group_by = if cursor.at("GROUP") { group_by(cursor)? } else { GroupBy::None };
    let having = if cursor.eat("HAVING") { Some(expr::parse(cursor)?) } else { None };
    refused::qualify(cursor)?;
    let windows = if cursor.eat("WINDOW") { window::definitions(cursor)? } else { Vec::new() };
    refused::qualify(cursor)?;
    Ok(Select {
        distinct,
        items,
        from,
        lateral_views,
        filter,
        group_by,
        having,
        windows,
        exchanges,
        span: cursor.since(start),
    })
}

/// Reads `/*+ … */`. Hints that deal rows out are kept; the others choose plans, which changes no answer.
fn hints(cursor: &mut Cursor<'_>) -> Parse<Vec<Exchange>> {
    let mut exchanges = Vec::new();
    while cursor.eat_op(HINT) {
        while !cursor.eat_op(HINT_END) {
            let start = cursor.here();
            let name = cursor.ident("a hint")?;
            let mut args = Vec::new();
            if cursor.eat_op("(") && !cursor.eat_op(")") {
                args = cursor.list(expr::parse)?;
                cursor.expect_op(")")?;
            }
            cursor.eat_op(",");
            exchanges.extend(Exchange::hinted(&name.value, args, cursor.since(start)).map_err(Box::new)?);
        }
    }
    // A hint is applied to what those behind it give.
    exchanges.reverse();
    Ok(exchanges)
}

/// Reads the items of a select list.
pub(crate) fn items(cursor: &mut Cursor<'_>) -> Parse<Vec<SelectItem>> {
    cursor.list(item)
}

fn item(cursor: &mut Cursor<'_>) -> Parse<SelectItem> {
    if let Some(star) = star(cursor)? {
        return Ok(star);
    }
    let expr = expr::parse(cursor)?;
    let alias = if cursor.eat("AS") {
        if cursor.at_op("(") { cursor.ident_list("an alias")? } else { vec![cursor.ident("an alias")?] }
    } else {
        cursor.bare_alias().into_iter().collect()
    };
    Ok(SelectItem::Expr { expr, alias })
}

/// Reads `*`, `t.*` or `* EXCEPT (…)` if one stands here.
fn star(cursor: &mut Cursor<'_>) -> Parse<Option<SelectItem>> {
    let mut ahead = 0;
    while matches!(cursor.kind_at(ahead), Some(Kind::Word | Kind::Quoted)) && cursor.at_op_ahead(ahead + 1, ".") {
        ahead += 2;
    }
    if !cursor.at_op_ahead(ahead, "*") {
        return Ok(None);
    }
    let start = cursor.here();
    let mut parts: Vec<Ident> = Vec::new();
    while cursor.at_ident() {
        parts.push(cursor.ident("a table")?);
        cursor.expect_op(".")?;
    }
    cursor.expect_op("*")?;
    let qualifier = if parts.is_empty() { None } else { Some(Name { parts }) };
    let excepts = cursor.at("EXCEPT") && cursor.at_op_ahead(1, "(") && !crate::query::starts_in_parens(cursor, 1);
    let mut except = Vec::new();
    if excepts {
        cursor.advance();
        except = cursor.parens(|cursor| cursor.name("a column"))?;
    }
    Ok(Some(SelectItem::Star { qualifier, except, span: cursor.since(start) }))
}

fn group_by(cursor: &mut Cursor<'_>) -> Parse<GroupBy> {
    cursor.expect("GROUP BY")?;
    let span = cursor.here();
    if cursor.at("ALL") && !cursor.at_op_ahead(1, ".") && !cursor.at_op_ahead(1, ",") {
        cursor.advance();
        return Ok(GroupBy::All(span));
    }
    if let Some(analytic) = analytic(cursor)? {
        return if cursor.at_op(",") {
            Err(unsupported("GROUP BY with several analytics", span))
        } else {
            Ok(analytic)
        };
    }
    let exprs = cursor.list(|cursor| match analytic(cursor)? {
        Some(_) => Err(unsupported("GROUP BY that mixes columns with ROLLUP, CUBE or GROUPING SETS", span)),
        None => expr::parse(cursor),
    })?;
    if cursor.eat("WITH ROLLUP") {
        return Ok(GroupBy::Rollup(exprs));
    }
    if cursor.eat("WITH CUBE") {
        return Ok(GroupBy::Cube(exprs));
    }
    if cursor.eat("GROUPING SETS") {
        return Ok(GroupBy::GroupingSets { exprs, sets: cursor.parens(grouping_set)? });
    }
    Ok(GroupBy::Exprs(exprs))
}

/// Reads ROLLUP, CUBE or GROUPING SETS if one stands here.
fn analytic(cursor: &mut Cursor<'_>) -> Parse<Option<GroupBy>> {
    if cursor.eat("GROUPING SETS") {
        return Ok(Some(GroupBy::GroupingSets { exprs: Vec::new(), sets: cursor.parens(grouping_set)? }));
    }
    let rollup = cursor.at("ROLLUP");
    if !(rollup || cursor.at("CUBE")) || !cursor.at_op_ahead(1, "(") {
        return Ok(None);
    }
    cursor.advance();
    let start = cursor.here();
    let sets = cursor.parens(grouping_set)?;
    let mut exprs = Vec::new();
    for set in sets {
        match <[Expr; 1]>::try_from(set) {
            Ok([expr]) => exprs.push(expr),
            Err(_) => return Err(unsupported("ROLLUP or CUBE over groups of columns", cursor.since(start))),
        }
    }
    Ok(Some(if rollup { GroupBy::Rollup(exprs) } else { GroupBy::Cube(exprs) }))
}

fn grouping_set(cursor: &mut Cursor<'_>) -> Parse<Vec<Expr>> {
    if cursor.at_op("(") && cursor.at_op_ahead(1, ")") {
        cursor.advance();
        cursor.advance();
        return Ok(Vec::new());
    }
    if cursor.at_op("(") {
        return cursor.nested(|cursor| cursor.parens(expr::parse));
    }
    if cursor.at_end() {
        return Err(expected(cursor, &["a grouping set"]));
    }
    Ok(vec![expr::parse(cursor)?])
}
