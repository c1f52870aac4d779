//! What operators stand between: constants, columns, calls, CASE, subqueries, and what may follow
//! them (`.field`, `[index]`, `::type`).

use crate::cursor::{Cursor, Parse};
use crate::errors::{self, expected};
use crate::lexer::Kind;
use crate::{call, datetime, expr, interval, keywords, literal, query, types};
use spec::{CastMode, Expr, ExprKind, Ident, Literal, Name, Span};

/// Reads an operand with everything that is attached to it.
pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    let mut operand = simple(cursor)?;
    let start = operand.span;
    loop {
        let kind = if cursor.eat_op("::") {
            let data_type = types::parse(cursor)?;
            ExprKind::Cast { expr: Box::new(operand), data_type, mode: CastMode::Ansi }
        } else if cursor.eat_op("[") {
            let index = Box::new(expr::value(cursor)?);
            cursor.expect_op("]")?;
            ExprKind::Index { expr: Box::new(operand), index }
        } else if cursor.eat_op(".") {
            let field = cursor.ident("a field name")?;
            ExprKind::Field { expr: Box::new(operand), field }
        } else {
            refuse_suffix(cursor)?;
            return Ok(operand);
        };
        operand = Expr::new(kind, cursor.since(start));
        cursor.grow()?;
    }
}

/// Suffixes that Spark has and we do not, or that only Databricks has.
fn refuse_suffix(cursor: &Cursor<'_>) -> Parse<()> {
    if cursor.at("COLLATE") {
        return Err(errors::unsupported("COLLATE", cursor.here()));
    }
    if cursor.at_op(":") {
        let portable = "Read JSON text with get_json_object(column, '$.path') or from_json(column, 'schema').";
        return Err(errors::databricks_only("The JSON path operator ':'", cursor.here(), portable));
    }
    if cursor.at_op("?") && cursor.at_op_ahead(1, "::") {
        let portable = "Write TRY_CAST(expression AS type).";
        return Err(errors::databricks_only("The operator '?::'", cursor.here(), portable));
    }
    Ok(())
}

fn simple(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    let start = cursor.here();
    match cursor.kind_at(0) {
        Some(Kind::Number) => literal::number(cursor, false),
        Some(Kind::String) => {
            let text = literal::string(cursor, "a string")?;
            Ok(Expr::new(ExprKind::Literal(Literal::String(text)), cursor.since(start)))
        }
        Some(Kind::Quoted) => column_or_call(cursor),
        Some(Kind::Word) => word(cursor),
        Some(Kind::Operator) if cursor.at_op("(") => parenthesised(cursor),
        Some(Kind::Operator) if cursor.at_op("-") => {
            cursor.advance();
            literal::number(cursor, true).map(|number| Expr::new(number.kind, start.to(number.span)))
        }
        Some(Kind::Operator) if cursor.at_op("?") || (cursor.at_op(":") && cursor.word_at(1).is_some()) => {
            Err(errors::unsupported("A parameter marker", start))
        }
        _ => Err(expected(cursor, &["an expression"])),
    }
}

fn word(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    let start = cursor.here();
    let word = cursor.word().unwrap_or("").to_ascii_uppercase();
    let next_is_string = cursor.kind_at(1) == Some(Kind::String);
    let constant = match word.as_str() {
        _ if cursor.at_op_ahead(1, ".") => None,
        "NULL" => Some(Literal::Null),
        "TRUE" => Some(Literal::Boolean(true)),
        "FALSE" => Some(Literal::Boolean(false)),
        _ => None,
    };
    if let Some(constant) = constant {
        cursor.advance();
        return Ok(Expr::new(ExprKind::Literal(constant), start));
    }
    match word.as_str() {
        "CASE" if !ends_operand(cursor) => return cursor.nested(case),
        "INTERVAL" if interval::starts(cursor) => return interval::parse(cursor),
        "CURRENT_DATE" | "CURRENT_TIMESTAMP" | "CURRENT_USER" | "SESSION_USER" | "LOCALTIMESTAMP"
            if !cursor.at_op_ahead(1, "(") && !cursor.at_op_ahead(1, ".") =>
        {
            cursor.advance();
            return Ok(call::plain(&word.to_ascii_lowercase(), start, Vec::new(), start));
        }
        "END" if cursor.in_case && !ends_operand(cursor) => return Err(expected(cursor, &["an expression"])),
        _ if keywords::unlikely_column(&word) && !ends_operand(cursor) => {
            return Err(expected(cursor, &["an expression"]));
        }
        _ if next_is_string => return datetime::typed_literal(cursor),
        _ => {}
    }
    column_or_call(cursor)
}

/// Whether what follows the next word shows that the word is a column after all.
fn ends_operand(cursor: &Cursor<'_>) -> bool {
    [".", ",", "=", "==", "<", ">", "<=", ">=", "<>", "!=", "<=>", "->"].iter().any(|op| cursor.at_op_ahead(1, op))
}

fn column_or_call(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    let start = cursor.here();
    if cursor.at_op_ahead(1, "->") {
        let param = cursor.ident("a parameter")?;
        cursor.advance();
        return lambda(cursor, vec![param], start);
    }
    let mut parts = vec![cursor.ident("a column")?];
    while cursor.at_op(".") && matches!(cursor.kind_at(1), Some(Kind::Word | Kind::Quoted)) {
        cursor.advance();
        parts.push(cursor.ident("a name after the dot")?);
    }
    let name = Name { parts };
    if cursor.at_op("(") {
        return call::parse(cursor, name);
    }
    if cursor.at_op(".") {
        cursor.advance();
        if cursor.eat_op("*") {
            return Err(errors::unsupported("A star with a qualifier inside an expression", cursor.since(start)));
        }
        return Err(expected(cursor, &["a name after the dot"]));
    }
    Ok(Expr::new(ExprKind::Column(name), cursor.since(start)))
}

fn lambda(cursor: &mut Cursor<'_>, params: Vec<Ident>, start: Span) -> Parse<Expr> {
    let body = Box::new(expr::parse(cursor)?);
    Ok(Expr::new(ExprKind::Lambda { params, body }, cursor.since(start)))
}

/// `(query)`, `(a, b) -> body`, `(expr)` or a row `(a, b)`. The range takes the parentheses in.
fn parenthesised(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    let start = cursor.here();
    if query::starts_in_parens(cursor, 0) {
        let query = query::in_parens(cursor)?;
        return Ok(Expr::new(ExprKind::Subquery(Box::new(query)), cursor.since(start)));
    }
    if starts_lambda(cursor) {
        let params = cursor.ident_list("a parameter")?;
        cursor.advance();
        return lambda(cursor, params, start);
    }
    let mut items = cursor.parens(call::aliased)?;
    let span = cursor.since(start);
    if items.len() == 1 && items.iter().all(|(_, alias)| alias.is_none()) {
        return match items.pop() {
            Some((inner, _)) => Ok(Expr::new(inner.kind, span)),
            None => Err(expected(cursor, &["an expression"])),
        };
    }
    Ok(call::structure(items, start, span))
}

fn starts_lambda(cursor: &Cursor<'_>) -> bool {
    let mut ahead = 1;
    while matches!(cursor.kind_at(ahead), Some(Kind::Word | Kind::Quoted)) {
        if cursor.at_op_ahead(ahead + 1, ")") {
            return cursor.at_op_ahead(ahead + 2, "->");
        }
        if !cursor.at_op_ahead(ahead + 1, ",") {
            return false;
        }
        ahead += 2;
    }
    false
}

fn case(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    let outer = std::mem::replace(&mut cursor.in_case, true);
    let parsed = case_body(cursor);
    cursor.in_case = outer;
    parsed
}

fn case_body(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    let start = cursor.here();
    cursor.expect("CASE")?;
    let operand = if cursor.at("WHEN") { None } else { Some(Box::new(expr::parse(cursor)?)) };
    let mut branches = Vec::new();
    while cursor.eat("WHEN") {
        let condition = expr::parse(cursor)?;
        cursor.expect("THEN")?;
        branches.push((condition, expr::parse(cursor)?));
    }
    if branches.is_empty() {
        return Err(expected(cursor, &["WHEN"]));
    }
    let otherwise = if cursor.eat("ELSE") { Some(Box::new(expr::parse(cursor)?)) } else { None };
    if !cursor.eat("END") {
        let wanted: &[&str] = if otherwise.is_some() { &["END"] } else { &["WHEN", "ELSE", "END"] };
        return Err(expected(cursor, wanted));
    }
    Ok(Expr::new(ExprKind::Case { operand, branches, otherwise }, cursor.since(start)))
}
