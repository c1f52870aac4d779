//! Expressions and their three-valued evaluation.

use super::value::{Row, Type, Value, compare};
use std::cmp::Ordering;

/// Which of the two rows a column is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Target,
    Source,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// `<=>`: NULL equals NULL, and the answer is never unknown.
    NullSafeEqual,
}

/// An expression over a target row, a source row, or both. The generator makes only well-typed ones.
#[derive(Debug, Clone)]
pub enum Expr {
    Column(Side, usize),
    Literal(Value, Type),
    Compare(Comparison, Box<Expr>, Box<Expr>),
    IsNull(Box<Expr>),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    In(Box<Expr>, Vec<Expr>),
    Between(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Of whole numbers that stay far from any overflow.
    Add(Box<Expr>, Box<Expr>),
    /// Of texts.
    Concat(Box<Expr>, Box<Expr>),
    Coalesce(Vec<Expr>),
    /// `CASE WHEN … THEN … ELSE … END`.
    Case(Box<Expr>, Box<Expr>, Box<Expr>),
}

impl Expr {
    /// The value on these rows; a side that the expression does not use may be absent.
    pub fn eval(&self, target: Option<&Row>, source: Option<&Row>) -> Value {
        let of = |expr: &Expr| expr.eval(target, source);
        match self {
            Expr::Column(Side::Target, idx) => target.map_or(Value::Null, |row| row[*idx].clone()),
            Expr::Column(Side::Source, idx) => source.map_or(Value::Null, |row| row[*idx].clone()),
            Expr::Literal(value, _) => value.clone(),
            Expr::Compare(comparison, left, right) => compared(*comparison, &of(left), &of(right)),
            Expr::IsNull(inner) => Value::Bool(of(inner).is_null()),
            Expr::Not(inner) => not(&of(inner)),
            Expr::And(left, right) => and(&of(left), &of(right)),
            Expr::Or(left, right) => not(&and(&not(&of(left)), &not(&of(right)))),
            Expr::In(needle, list) => {
                let needle = of(needle);
                let equals = |item: &Expr| compared(Comparison::Equal, &needle, &of(item));
                list.iter().map(equals).fold(Value::Bool(false), |any, one| not(&and(&not(&any), &not(&one))))
            }
            Expr::Between(value, low, high) => {
                let value = of(value);
                let above = compared(Comparison::GreaterOrEqual, &value, &of(low));
                and(&above, &compared(Comparison::LessOrEqual, &value, &of(high)))
            }
            Expr::Add(left, right) => match (of(left), of(right)) {
                (Value::Int(left), Value::Int(right)) => Value::Int(left + right),
                _ => Value::Null,
            },
            Expr::Concat(left, right) => match (of(left), of(right)) {
                (Value::Text(left), Value::Text(right)) => Value::Text(left + &right),
                _ => Value::Null,
            },
            Expr::Coalesce(items) => items.iter().map(of).find(|value| !value.is_null()).unwrap_or(Value::Null),
            Expr::Case(condition, then, otherwise) => {
                if of(condition).is_true() {
                    of(then)
                } else {
                    of(otherwise)
                }
            }
        }
    }

    /// The parts of a condition that are joined by AND.
    pub fn conjuncts(&self) -> Vec<&Expr> {
        match self {
            Expr::And(left, right) => [left.conjuncts(), right.conjuncts()].concat(),
            other => vec![other],
        }
    }

    /// Whether it reads a column of that side.
    pub fn uses(&self, side: Side) -> bool {
        matches!(self, Expr::Column(used, _) if *used == side) || self.parts().iter().any(|part| part.uses(side))
    }

    /// The expressions directly below.
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Expr::Column(..) | Expr::Literal(..) => Vec::new(),
            Expr::IsNull(inner) | Expr::Not(inner) => vec![inner],
            Expr::Compare(_, left, right)
            | Expr::And(left, right)
            | Expr::Or(left, right)
            | Expr::Add(left, right)
            | Expr::Concat(left, right) => vec![left, right],
            Expr::In(needle, list) => std::iter::once(needle.as_ref()).chain(list).collect(),
            Expr::Between(first, second, third) | Expr::Case(first, second, third) => vec![first, second, third],
            Expr::Coalesce(items) => items.iter().collect(),
        }
    }
}

fn compared(comparison: Comparison, left: &Value, right: &Value) -> Value {
    let order = compare(left, right);
    if comparison == Comparison::NullSafeEqual {
        return Value::Bool(order == Some(Ordering::Equal) || (left.is_null() && right.is_null()));
    }
    let Some(order) = order else { return Value::Null };
    Value::Bool(match comparison {
        Comparison::Equal | Comparison::NullSafeEqual => order == Ordering::Equal,
        Comparison::NotEqual => order != Ordering::Equal,
        Comparison::Less => order == Ordering::Less,
        Comparison::LessOrEqual => order != Ordering::Greater,
        Comparison::Greater => order == Ordering::Greater,
        Comparison::GreaterOrEqual => order != Ordering::Less,
    })
}

fn not(value: &Value) -> Value {
    match value {
        Value::Bool(value) => Value::Bool(!value),
        _ => Value::Null,
    }
}

/// False if either is false, else unknown if either is unknown.
fn and(left: &Value, right: &Value) -> Value {
    match (left, right) {
        (Value::Bool(false), _) | (_, Value::Bool(false)) => Value::Bool(false),
        (Value::Bool(true), Value::Bool(true)) => Value::Bool(true),
        _ => Value::Null,
    }
}
