//! Queries: WITH, set operations, ORDER BY, LIMIT, OFFSET.

use crate::cursor::{Cursor, Parse};
use crate::errors::{expected, unsupported};
use crate::{expr, refused, relation, select, window};
use spec::{Cte, OrderItem, Query, QueryBody, SetOp, Span};

/// Reads a query with all its clauses.
pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Parse<Query> {
    let start = cursor.here();
    cursor.nested(|cursor| {
        let ctes = with(cursor)?;
        after_with(cursor, ctes, start)
    })
}

/// Reads the rest of a query whose WITH clause was read from `start` on.
pub(crate) fn after_with(cursor: &mut Cursor<'_>, ctes: Vec<Cte>, start: Span) -> Parse<Query> {
    let mut body = set_operations(cursor)?;
    let order_by = order_by(cursor)?;
    if cursor.at("WINDOW") {
        let QueryBody::Select(select) = &mut body else {
            return Err(unsupported("WINDOW behind a set operation", cursor.here()));
        };
        cursor.advance();
        select.windows.extend(window::definitions(cursor)?);
    }
    let mut limit = None;
    if cursor.eat("LIMIT") && !(cursor.eat("ALL")) {
        limit = Some(expr::parse(cursor)?);
        if cursor.at_op(",") {
            return Err(refused::limit_with_comma(cursor));
        }
    }
    let offset = if cursor.eat("OFFSET") { Some(expr::parse(cursor)?) } else { None };
    refused::after_query(cursor)?;
    Ok(Query { ctes, body, order_by, limit, offset, seen: Vec::new(), span: cursor.since(start) })
}

/// Reads `WITH a AS (…), …`, or nothing.
pub(crate) fn with(cursor: &mut Cursor<'_>) -> Parse<Vec<Cte>> {
    if !cursor.eat("WITH") {
        return Ok(Vec::new());
    }
    if cursor.at("RECURSIVE") {
        return Err(unsupported("WITH RECURSIVE", cursor.here()));
    }
    cursor.list(|cursor| {
        let name = cursor.ident("the name of a common table expression")?;
        let columns = if cursor.at_op("(") { cursor.ident_list("a column")? } else { Vec::new() };
        cursor.eat("AS");
        if !cursor.at_op("(") {
            return Err(expected(cursor, &["AS (query)"]));
        }
        Ok(Cte { name, columns, query: in_parens(cursor)? })
    })
}

fn order_by(cursor: &mut Cursor<'_>) -> Parse<Vec<OrderItem>> {
    for clause in ["CLUSTER BY", "DISTRIBUTE BY", "SORT BY"] {
        if cursor.at(clause) {
            return Err(unsupported(format!("{clause} in a query"), cursor.here()));
        }
    }
    if !cursor.at("ORDER") {
        return Ok(Vec::new());
    }
    cursor.expect("ORDER BY")?;
    window::order_items(cursor)
}

/// Reads `(query)`.
pub(crate) fn in_parens(cursor: &mut Cursor<'_>) -> Parse<Query> {
    cursor.expect_op("(")?;
    let query = parse(cursor)?;
    if cursor.eat_op(")") { Ok(query) } else { Err(expected(cursor, &["')'"])) }
}

/// Whether the parenthesis `ahead` of here opens a query, rather than an expression or a relation
/// that only begins with one. Looks ahead and reads nothing.
pub(crate) fn starts_in_parens(cursor: &Cursor<'_>, ahead: usize) -> bool {
    let mut depth = 0;
    while cursor.at_op_ahead(ahead + depth, "(") {
        depth += 1;
    }
    if depth == 0 || !starts(cursor, ahead + depth) {
        return false;
    }
    if depth == 1 {
        return true;
    }
    // Walk to the end of the innermost query, then outwards: anything but a set operation or a
    // closing parenthesis makes the outer parentheses an expression or a join.
    let mut open = 1_usize;
    let mut at = ahead + depth;
    while cursor.peek_at(at).is_some() && depth > 1 {
        if cursor.at_op_ahead(at, "(") {
            open += 1;
        } else if cursor.at_op_ahead(at, ")") {
            open -= 1;
        }
        at += 1;
        if open == 0 {
            const AFTER: [&str; 8] =
                ["UNION", "EXCEPT", "MINUS", "SETMINUS", "INTERSECT", "ORDER BY", "LIMIT", "OFFSET"];
            if AFTER.iter().any(|keyword| cursor.at_ahead(at, keyword)) {
                return true;
            }
            if !cursor.at_op_ahead(at, ")") {
                return false;
            }
            depth -= 1;
            open = 1;
        }
    }
    true
}

/// Whether a query starts `ahead` of here, without parentheses.
pub(crate) fn starts(cursor: &Cursor<'_>, ahead: usize) -> bool {
    let used_as_name = [")", ",", ".", "=", "->", "<", ">"].iter().any(|op| cursor.at_op_ahead(ahead + 1, op));
    if used_as_name {
        return false;
    }
    let next_is_name = matches!(cursor.kind_at(ahead + 1), Some(crate::lexer::Kind::Word | crate::lexer::Kind::Quoted));
    if cursor.at_ahead(ahead, "SELECT") || cursor.at_ahead(ahead, "VALUES") {
        return true;
    }
    next_is_name && ["WITH", "TABLE", "FROM"].iter().any(|keyword| cursor.at_ahead(ahead, keyword))
}

/// UNION, EXCEPT and MINUS from left to right; INTERSECT binds tighter.
fn set_operations(cursor: &mut Cursor<'_>) -> Parse<QueryBody> {
    let mut left = intersections(cursor)?;
    loop {
        let op = if cursor.at("UNION") {
            SetOp::Union
        } else if cursor.at_any(&["EXCEPT", "MINUS", "SETMINUS"]) {
            SetOp::Except
        } else {
            return Ok(left);
        };
        left = combine(cursor, op, left, intersections)?;
    }
}

fn intersections(cursor: &mut Cursor<'_>) -> Parse<QueryBody> {
    let mut left = operand(cursor)?;
    while cursor.at("INTERSECT") {
        left = combine(cursor, SetOp::Intersect, left, operand)?;
    }
    Ok(left)
}

fn combine(
    cursor: &mut Cursor<'_>,
    op: SetOp,
    left: QueryBody,
    operand: impl Fn(&mut Cursor<'_>) -> Parse<QueryBody>,
) -> Parse<QueryBody> {
    cursor.advance();
    let all = cursor.eat("ALL");
    if !all {
        cursor.eat("DISTINCT");
    }
    let by_name = op == SetOp::Union && cursor.eat("BY NAME");
    let right = cursor.beside(operand)?;
    cursor.grow()?;
    Ok(QueryBody::SetOp { op, all, by_name, left: Box::new(left), right: Box::new(right) })
}

fn operand(cursor: &mut Cursor<'_>) -> Parse<QueryBody> {
    if cursor.at_op("(") {
        return Ok(QueryBody::Query(Box::new(in_parens(cursor)?)));
    }
    if cursor.at("SELECT") {
        return Ok(QueryBody::Select(Box::new(select::parse(cursor)?)));
    }
    if cursor.eat("VALUES") {
        let (rows, alias) = relation::inline_table(cursor)?;
        return Ok(QueryBody::Values { rows, alias });
    }
    if cursor.eat("TABLE") {
        return Ok(QueryBody::Table(relation::table_name(cursor)?));
    }
    if cursor.at("FROM") {
        return Err(refused::from_first(cursor));
    }
    Err(expected(cursor, &["SELECT", "VALUES", "TABLE", "a query in parentheses"]))
}
