//! What stands in FROM: tables, time travel, subqueries, table functions, joins, LATERAL VIEW.

use crate::cursor::{Cursor, Parse};
use crate::errors::{condition, expected, unsupported};
use crate::lexer::Kind;
use crate::{call, expr, literal, query, refused};
use spec::{
    Expr, Ident, JoinConstraint, JoinKind, LateralView, Name, Query, QueryBody, Relation, Span, TableAlias, TimeTravel,
};

/// Reads a relation with its joins.
pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Parse<Relation> {
    cursor.nested(|cursor| {
        let start = cursor.here();
        let mut left = primary(cursor)?;
        while let Some((kind, natural)) = join_kind(cursor)? {
            let right = primary(cursor)?;
            let constraint = if natural { JoinConstraint::Natural } else { constraint(cursor)? };
            let (left_box, right_box) = (Box::new(left), Box::new(right));
            left = Relation::Join { left: left_box, right: right_box, kind, constraint, span: cursor.since(start) };
            cursor.grow()?;
        }
        Ok(left)
    })
}

/// Reads up to and including JOIN, if a join stands here.
fn join_kind(cursor: &mut Cursor<'_>) -> Parse<Option<(JoinKind, bool)>> {
    let natural = cursor.eat("NATURAL");
    let kind = if cursor.eat("INNER") {
        JoinKind::Inner
    } else if cursor.eat("CROSS") {
        JoinKind::Cross
    } else if cursor.eat("LEFT SEMI") || cursor.eat("SEMI") {
        JoinKind::LeftSemi
    } else if cursor.eat("LEFT ANTI") || cursor.eat("ANTI") {
        JoinKind::LeftAnti
    } else if cursor.eat("LEFT") {
        cursor.eat("OUTER");
        JoinKind::Left
    } else if cursor.eat("RIGHT") {
        cursor.eat("OUTER");
        JoinKind::Right
    } else if cursor.eat("FULL") {
        cursor.eat("OUTER");
        JoinKind::Full
    } else if cursor.at("JOIN") || natural {
        JoinKind::Inner
    } else {
        return Ok(None);
    };
    cursor.expect("JOIN")?;
    Ok(Some((kind, natural)))
}

fn constraint(cursor: &mut Cursor<'_>) -> Parse<JoinConstraint> {
    if cursor.eat("ON") {
        return Ok(JoinConstraint::On(expr::parse(cursor)?));
    }
    if cursor.eat("USING") {
        return Ok(JoinConstraint::Using(cursor.ident_list("a column")?));
    }
    Ok(JoinConstraint::None)
}

fn primary(cursor: &mut Cursor<'_>) -> Parse<Relation> {
    let start = cursor.here();
    let lateral = cursor.at("LATERAL") && !cursor.at("LATERAL VIEW") && cursor.eat("LATERAL");
    if cursor.at_op("(") {
        return in_parens(cursor, lateral, start);
    }
    if lateral {
        return Err(unsupported("LATERAL without a subquery in parentheses", start));
    }
    if cursor.at("VALUES") && !cursor.at_op_ahead(1, ".") {
        cursor.advance();
        let (rows, alias) = inline_table(cursor)?;
        let span = cursor.since(start);
        let body = QueryBody::Values { rows, alias: None };
        let query =
            Query { ctes: Vec::new(), body, order_by: Vec::new(), limit: None, offset: None, seen: Vec::new(), span };
        return Ok(Relation::Subquery { query: Box::new(query), lateral: false, alias, frame: None, span });
    }
    if cursor.at_any(&["TABLE", "STREAM"]) && cursor.at_op_ahead(1, "(") {
        return Err(refused::table_argument(cursor));
    }
    let keyword = cursor.word().is_some_and(|word| !crate::keywords::may_be_alias(word));
    if keyword && !cursor.at_op_ahead(1, ".") && !cursor.at_op_ahead(1, "(") {
        return Err(expected(cursor, &["a table"]));
    }
    let name = table_name(cursor)?;
    if cursor.at_op("(") {
        return function(cursor, name, start);
    }
    let time_travel = time_travel(cursor)?;
    refused::after_table(cursor)?;
    let alias = alias(cursor)?;
    Ok(Relation::Table { name, time_travel, alias, span: cursor.since(start) })
}

fn in_parens(cursor: &mut Cursor<'_>, lateral: bool, start: Span) -> Parse<Relation> {
    if query::starts_in_parens(cursor, 0) {
        let query = Box::new(query::in_parens(cursor)?);
        refused::after_table(cursor)?;
        let alias = alias(cursor)?;
        return Ok(Relation::Subquery { query, lateral, alias, frame: None, span: cursor.since(start) });
    }
    cursor.expect_op("(")?;
    let relation = parse(cursor)?;
    if !cursor.eat_op(")") {
        return Err(expected(cursor, &["')'"]));
    }
    match alias(cursor)? {
        Some(alias) => Err(unsupported("An alias for a join in parentheses", alias.name.span)),
        None => Ok(relation),
    }
}

fn function(cursor: &mut Cursor<'_>, name: Name, start: Span) -> Parse<Relation> {
    cursor.expect_op("(")?;
    let mut args: Vec<Expr> = Vec::new();
    if !cursor.at_op(")") {
        args = cursor.list(|cursor| {
            if cursor.at_any(&["TABLE", "STREAM"]) && cursor.at_op_ahead(1, "(") {
                return Err(refused::table_argument(cursor));
            }
            expr::parse(cursor)
        })?;
    }
    if !cursor.eat_op(")") {
        return Err(expected(cursor, &["','", "')'"]));
    }
    let alias = alias(cursor)?;
    Ok(Relation::Function { name, args, alias, span: cursor.since(start) })
}

/// Reads the name of a table. A dash in it is the commonest slip, so it is explained.
pub(crate) fn table_name(cursor: &mut Cursor<'_>) -> Parse<Name> {
    let name = cursor.name("a table")?;
    refused::live_schema(&name)?;
    let touching = cursor.peek().is_some_and(|dash| dash.span.start == name.span().end);
    if touching && cursor.at_op("-") && matches!(cursor.kind_at(1), Some(Kind::Word | Kind::Number)) {
        let start = name.parts.last().map_or(name.span(), |part| part.span);
        while cursor.at_op("-") || matches!(cursor.kind_at(0), Some(Kind::Word | Kind::Number)) {
            let attached = cursor.peek().is_some_and(|next| next.span.start == cursor.since(start).end);
            if !attached {
                break;
            }
            cursor.advance();
        }
        let span = cursor.since(start);
        let text = span.of(cursor.text());
        let message = format!("The name {text} needs backquotes, because it holds a dash.");
        let mut failure = condition("INVALID_IDENTIFIER", "42602", message, span);
        *failure = failure.with_edit("Add backquotes", span, format!("`{text}`"));
        return Err(failure);
    }
    Ok(name)
}

/// Reads `[FOR] VERSION AS OF n` or `[FOR] TIMESTAMP AS OF expr`, or nothing.
pub(crate) fn time_travel(cursor: &mut Cursor<'_>) -> Parse<Option<TimeTravel>> {
    let versions = ["VERSION AS OF", "FOR VERSION AS OF", "SYSTEM_VERSION AS OF", "FOR SYSTEM_VERSION AS OF"];
    if versions.iter().any(|words| cursor.eat(words)) {
        let span = cursor.here();
        let version = if cursor.kind_at(0) == Some(Kind::String) {
            let text = literal::string(cursor, "a version number")?;
            text.trim().parse().map_err(|_| {
                let message = format!("'{text}' is no version number.");
                condition("DELTA_TIME_TRAVEL_INVALID_BEGIN_VALUE", "42604", message, span)
            })?
        } else {
            literal::unsigned(cursor, "a version number")?
        };
        return Ok(Some(TimeTravel::Version(version, cursor.since(span))));
    }
    let timestamps = ["TIMESTAMP AS OF", "FOR TIMESTAMP AS OF", "SYSTEM_TIME AS OF", "FOR SYSTEM_TIME AS OF"];
    if timestamps.iter().any(|words| cursor.eat(words)) {
        return Ok(Some(TimeTravel::Timestamp(Box::new(expr::value(cursor)?))));
    }
    Ok(None)
}

/// Reads `[AS] alias [(c1, c2)]`, or nothing.
pub(crate) fn alias(cursor: &mut Cursor<'_>) -> Parse<Option<TableAlias>> {
    let name = if cursor.eat("AS") {
        cursor.ident("an alias")?
    } else {
        match cursor.bare_alias() {
            Some(name) => name,
            None => return Ok(None),
        }
    };
    let columns = if cursor.at_op("(") { cursor.ident_list("a column")? } else { Vec::new() };
    Ok(Some(TableAlias { name, columns }))
}

/// Reads the rows of VALUES and the alias behind them.
pub(crate) fn inline_table(cursor: &mut Cursor<'_>) -> Parse<(Vec<Vec<Expr>>, Option<TableAlias>)> {
    let rows = cursor.list(|cursor| {
        if cursor.at_op("(") && !query::starts_in_parens(cursor, 0) {
            let row = cursor.nested(|cursor| cursor.parens(call::aliased))?;
            return Ok(row.into_iter().map(|(value, _)| value).collect());
        }
        Ok(vec![expr::parse(cursor)?])
    })?;
    Ok((rows, alias(cursor)?))
}

/// Reads `LATERAL VIEW [OUTER] generator(…) table [AS] columns`.
pub(crate) fn lateral_view(cursor: &mut Cursor<'_>) -> Parse<LateralView> {
    cursor.expect("LATERAL VIEW")?;
    let outer = cursor.eat("OUTER");
    let name = cursor.name("a generator function")?;
    if !cursor.at_op("(") {
        return Err(expected(cursor, &["'('"]));
    }
    let generator = call::parse(cursor, name)?;
    let table = cursor.ident("an alias")?;
    let named = cursor.eat("AS");
    let columns: Vec<Ident> = if named {
        cursor.list(|cursor| cursor.ident("a column"))?
    } else {
        match cursor.bare_alias() {
            Some(first) => {
                let mut columns = vec![first];
                while cursor.eat_op(",") {
                    columns.push(cursor.ident("a column")?);
                }
                columns
            }
            None => Vec::new(),
        }
    };
    Ok(LateralView { outer, generator, table, columns })
}
