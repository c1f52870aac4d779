//! Operators and predicates.
//!
//! Spark's levels from loose to tight: OR, AND, NOT, then one optional predicate (BETWEEN, IN,
//! LIKE, IS …) whose operands are *value* expressions, that is comparisons and all below. So the
//! right side of `IS DISTINCT FROM` ends before an AND, and `NOT a <=> b` is `NOT (a <=> b)`.

use crate::cursor::{Cursor, Parse};
use crate::errors::{self, expected};
use crate::lexer::Kind;
use crate::literal;
use crate::{call, primary, query};
use spec::{BinaryOp, Expr, ExprKind, LikeKind, Span, UnaryOp};

/// Reads an expression of any kind.
pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    cursor.nested(|cursor| chain(cursor, "OR", BinaryOp::Or, |cursor| chain(cursor, "AND", BinaryOp::And, negation)))
}

/// Reads an expression without AND, OR, NOT or a predicate at its top.
pub(crate) fn value(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    cursor.nested(|cursor| binary(cursor, LOOSEST))
}

/// Reads `a AND b AND …` as a balanced tree, as Spark does, so that long conditions stay shallow.
fn chain(
    cursor: &mut Cursor<'_>,
    keyword: &str,
    op: BinaryOp,
    operand: impl Fn(&mut Cursor<'_>) -> Parse<Expr>,
) -> Parse<Expr> {
    let mut operands = vec![cursor.beside(&operand)?];
    while cursor.eat(keyword) {
        operands.push(cursor.beside(&operand)?);
    }
    while operands.len() > 1 {
        cursor.grow()?;
        let mut halves = Vec::with_capacity(operands.len().div_ceil(2));
        let mut rest = operands.into_iter();
        while let Some(left) = rest.next() {
            halves.push(match rest.next() {
                Some(right) => join(op, left, right),
                None => left,
            });
        }
        operands = halves;
    }
    operands.pop().ok_or_else(|| expected(cursor, &["an expression"]))
}

/// The operands under one operator, balanced; for forms that stand for a chain.
fn fold(cursor: &mut Cursor<'_>, op: BinaryOp, operands: Vec<Expr>) -> Parse<Expr> {
    let mut folded: Option<Expr> = None;
    for operand in operands {
        cursor.grow()?;
        folded = Some(match folded {
            Some(left) => join(op, left, operand),
            None => operand,
        });
    }
    folded.ok_or_else(|| expected(cursor, &["an expression"]))
}

pub(crate) fn join(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr::new(ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) }, span)
}

fn negation(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    let start = cursor.here();
    if cursor.eat("NOT") || cursor.eat_op("!") {
        let operand = cursor.nested(negation)?;
        return Ok(not(operand, start));
    }
    if cursor.at("EXISTS") && cursor.at_op_ahead(1, "(") && query::starts_in_parens(cursor, 1) {
        cursor.advance();
        let query = Box::new(query::in_parens(cursor)?);
        return Ok(Expr::new(ExprKind::Exists { query }, cursor.since(start)));
    }
    let operand = binary(cursor, LOOSEST)?;
    predicate(cursor, operand)
}

fn not(operand: Expr, start: Span) -> Expr {
    let span = start.to(operand.span);
    Expr::new(ExprKind::Unary { op: UnaryOp::Not, expr: Box::new(operand) }, span)
}

const PREDICATES: [&str; 6] = ["BETWEEN", "IN", "LIKE", "ILIKE", "RLIKE", "REGEXP"];

fn predicate(cursor: &mut Cursor<'_>, operand: Expr) -> Parse<Expr> {
    if cursor.eat("IS") {
        return is(cursor, operand);
    }
    let negated = cursor.at("NOT") && PREDICATES.iter().any(|keyword| cursor.at_ahead(1, keyword));
    if negated {
        cursor.advance();
    }
    let start = operand.span;
    let expr = Box::new(operand);
    let kind = if cursor.eat("BETWEEN") {
        let low = Box::new(value(cursor)?);
        cursor.expect("AND")?;
        ExprKind::Between { expr, low, high: Box::new(value(cursor)?), negated }
    } else if cursor.eat("IN") {
        if cursor.at_op("(") && query::starts_in_parens(cursor, 0) {
            ExprKind::InQuery { expr, query: Box::new(query::in_parens(cursor)?), negated }
        } else {
            ExprKind::InList { expr, list: cursor.parens(parse)?, negated }
        }
    } else if cursor.eat("LIKE") {
        return like(cursor, *expr, LikeKind::Like, negated);
    } else if cursor.eat("ILIKE") {
        return like(cursor, *expr, LikeKind::ILike, negated);
    } else if cursor.eat("RLIKE") || cursor.eat("REGEXP") {
        let pattern = Box::new(value(cursor)?);
        ExprKind::Like { kind: LikeKind::RLike, expr, pattern, escape: None, negated }
    } else {
        return Ok(*expr);
    };
    Ok(Expr::new(kind, cursor.since(start)))
}

fn is(cursor: &mut Cursor<'_>, operand: Expr) -> Parse<Expr> {
    let start = operand.span;
    let negated = cursor.eat("NOT");
    if cursor.eat("DISTINCT FROM") {
        let right = value(cursor)?;
        let same = join(BinaryOp::NullSafeEq, operand, right);
        return Ok(if negated { same } else { not(same, start) });
    }
    let expr = Box::new(operand);
    let truth = [("TRUE", Some(true)), ("FALSE", Some(false)), ("UNKNOWN", None)];
    let kind = if cursor.eat("NULL") {
        ExprKind::IsNull { expr, negated }
    } else if let Some((_, value)) = truth.into_iter().find(|(keyword, _)| cursor.eat(keyword)) {
        ExprKind::IsTruth { expr, value, negated }
    } else {
        return Err(expected(cursor, &["NULL", "TRUE", "FALSE", "UNKNOWN", "DISTINCT FROM"]));
    };
    Ok(Expr::new(kind, cursor.since(start)))
}

/// `x LIKE p [ESCAPE c]`; `LIKE ANY (…)` and `LIKE ALL (…)` become a chain of OR or AND.
fn like(cursor: &mut Cursor<'_>, operand: Expr, kind: LikeKind, negated: bool) -> Parse<Expr> {
    let start = operand.span;
    let quantified = cursor.at_any(&["ANY", "SOME", "ALL"]) && cursor.at_op_ahead(1, "(");
    if !quantified {
        let pattern = Box::new(value(cursor)?);
        let escape = if cursor.eat("ESCAPE") { Some(escape_char(cursor)?) } else { None };
        let kind = ExprKind::Like { kind, expr: Box::new(operand), pattern, escape, negated };
        return Ok(Expr::new(kind, cursor.since(start)));
    }
    let op = if cursor.at("ALL") { BinaryOp::And } else { BinaryOp::Or };
    cursor.advance();
    let patterns = cursor.parens(parse)?;
    let span = cursor.since(start);
    let one = |pattern: Expr| {
        let (expr, pattern) = (Box::new(operand.clone()), Box::new(pattern));
        Expr::new(ExprKind::Like { kind, expr, pattern, escape: None, negated }, span)
    };
    fold(cursor, op, patterns.into_iter().map(one).collect())
}

fn escape_char(cursor: &mut Cursor<'_>) -> Parse<char> {
    let span = cursor.here();
    let text = literal::string(cursor, "a one-character string")?;
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(escape), None) => Ok(escape),
        _ => {
            let message = format!("ESCAPE takes a string of exactly one character, not '{text}'.");
            Err(errors::condition("INVALID_ESCAPE_CHAR", "42604", message, span))
        }
    }
}

/// Comparisons; higher levels bind tighter.
const LOOSEST: u8 = 1;
const SHIFT: u8 = 5;
const UNARY: u8 = 8;

/// A binary operator, its level and how many lexemes it takes.
enum Infix {
    Op(BinaryOp),
    /// Shifts have no operator of their own in `spec`.
    Shift(&'static str),
}

fn infix(cursor: &Cursor<'_>) -> Option<(Infix, u8, usize)> {
    let lexeme = cursor.peek()?;
    let text = lexeme.span.of(cursor.text());
    if lexeme.kind == Kind::Word {
        return text.eq_ignore_ascii_case("DIV").then_some((Infix::Op(BinaryOp::IntDivide), 7, 1));
    }
    if lexeme.kind != Kind::Operator {
        return None;
    }
    if text == ">" {
        let touching = |ahead: usize| {
            let next = cursor.peek_at(ahead).filter(|_| cursor.at_op_ahead(ahead, ">"));
            next.is_some_and(|next| next.span.start == lexeme.span.end + ahead - 1)
        };
        return Some(match (touching(1), touching(2)) {
            (true, true) => (Infix::Shift("shiftrightunsigned"), SHIFT, 3),
            (true, false) => (Infix::Shift("shiftright"), SHIFT, 2),
            _ => (Infix::Op(BinaryOp::Gt), 1, 1),
        });
    }
    let (op, level) = match text {
        "=" | "==" => (BinaryOp::Eq, 1),
        "<=>" => (BinaryOp::NullSafeEq, 1),
        "<>" | "!=" => (BinaryOp::NotEq, 1),
        "<" => (BinaryOp::Lt, 1),
        "<=" => (BinaryOp::LtEq, 1),
        ">=" => (BinaryOp::GtEq, 1),
        "|" => (BinaryOp::BitOr, 2),
        "^" => (BinaryOp::BitXor, 3),
        "&" => (BinaryOp::BitAnd, 4),
        "<<" => return Some((Infix::Shift("shiftleft"), SHIFT, 1)),
        "+" => (BinaryOp::Plus, 6),
        "-" => (BinaryOp::Minus, 6),
        "||" => (BinaryOp::Concat, 6),
        "*" => (BinaryOp::Multiply, 7),
        "/" => (BinaryOp::Divide, 7),
        "%" => (BinaryOp::Modulo, 7),
        _ => return None,
    };
    Some((Infix::Op(op), level, 1))
}

fn binary(cursor: &mut Cursor<'_>, loosest: u8) -> Parse<Expr> {
    let mut left = unary(cursor)?;
    while let Some((infix, level, n_lexemes)) = infix(cursor).filter(|(_, level, _)| *level >= loosest) {
        let sign = cursor.here();
        for _ in 0..n_lexemes {
            cursor.advance();
        }
        let sign = cursor.since(sign);
        let right = cursor.beside(|cursor| binary(cursor, level + 1))?;
        cursor.grow()?;
        left = match infix {
            Infix::Op(op) => join(op, left, right),
            Infix::Shift(name) => {
                let span = left.span.to(right.span);
                call::plain(name, sign, vec![left, right], span)
            }
        };
    }
    Ok(left)
}

fn unary(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    let start = cursor.here();
    // A minus right before a number belongs to the literal: only so is -2147483648 an INT.
    let negative_number = cursor.at_op("-") && cursor.kind_at(1) == Some(Kind::Number);
    let ops = [("-", UnaryOp::Minus), ("+", UnaryOp::Plus), ("~", UnaryOp::BitNot)];
    let op = ops.into_iter().find(|(sign, _)| cursor.at_op(sign)).filter(|_| !negative_number);
    let Some((_, op)) = op else { return primary::parse(cursor) };
    cursor.advance();
    let operand = cursor.nested(|cursor| binary(cursor, UNARY))?;
    let span = start.to(operand.span);
    Ok(Expr::new(ExprKind::Unary { op, expr: Box::new(operand) }, span))
}
