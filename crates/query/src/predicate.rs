//! Conditions a table can test against statistics, without an engine behind them.

use crate::expr::FIELD;
use crate::ops::unguarded;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator};
use delta::scalar::Scalar;

/// A condition over columns by position. Whatever it cannot say is [`Predicate::Opaque`]: then nothing is known, as if
/// it could be TRUE for every row.
#[derive(Debug, Clone, PartialEq)]
pub enum Predicate {
    And(Vec<Predicate>),
    Or(Vec<Predicate>),
    Not(Box<Predicate>),
    /// `column op value`; `path` holds the fields inside a struct.
    Compare {
        column: usize,
        path: Vec<String>,
        op: CompareOp,
        value: Scalar,
    },
    /// `column IN (values)`; `has_null` where the list also holds NULL.
    In {
        column: usize,
        path: Vec<String>,
        values: Vec<Scalar>,
        has_null: bool,
    },
    IsNull {
        column: usize,
        path: Vec<String>,
    },
    IsNotNull {
        column: usize,
        path: Vec<String>,
    },
    StartsWith {
        column: usize,
        path: Vec<String>,
        prefix: String,
    },
    /// Never TRUE for a row in which one of these columns is NULL.
    NullRejecting {
        columns: Vec<usize>,
    },
    /// Always TRUE.
    True,
    /// Never TRUE: FALSE or NULL.
    False,
    Opaque,
}

/// How a column is compared with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompareOp {
    Eq,
    /// `<=>`
    NullSafeEq,
    NotEq,
    Lt,
    LtEq,
    Gt,
    GtEq,
}

impl CompareOp {
    /// The operator with its sides exchanged.
    fn flipped(self) -> Self {
        match self {
            Self::Lt => Self::Gt,
            Self::LtEq => Self::GtEq,
            Self::Gt => Self::Lt,
            Self::GtEq => Self::LtEq,
            same => same,
        }
    }
}

/// The predicate of a bound and folded expression. `position` tells where a plan's column stands in the table.
pub(crate) fn predicate(expr: &Expr, position: &dyn Fn(&str) -> Option<usize>) -> Predicate {
    match expr {
        Expr::Alias(alias) => predicate(&alias.expr, position),
        Expr::Literal(ScalarValue::Boolean(Some(true)), _) => Predicate::True,
        Expr::Literal(ScalarValue::Boolean(_) | ScalarValue::Null, _) => Predicate::False,
        Expr::Column(_) => match target(expr, position) {
            Some((column, path)) => {
                Predicate::Compare { column, path, op: CompareOp::Eq, value: Scalar::Boolean(true) }
            }
            None => Predicate::Opaque,
        },
        Expr::Not(inner) => match (inner.as_ref(), target(inner, position)) {
            (Expr::Column(_), Some((column, path))) => {
                Predicate::Compare { column, path, op: CompareOp::Eq, value: Scalar::Boolean(false) }
            }
            _ => Predicate::Not(Box::new(predicate(inner, position))),
        },
        Expr::IsNull(inner) => match target(inner, position) {
            Some((column, path)) => Predicate::IsNull { column, path },
            None => Predicate::Opaque,
        },
        Expr::IsNotNull(inner) => match target(inner, position) {
            Some((column, path)) => Predicate::IsNotNull { column, path },
            None => Predicate::Opaque,
        },
        Expr::BinaryExpr(binary) => of_binary(binary, position),
        Expr::Between(between) => {
            let compare = |op, bound: &Expr| {
                of_binary(&BinaryExpr::new(between.expr.clone(), op, Box::new(bound.clone())), position)
            };
            let both =
                Predicate::And(vec![compare(Operator::GtEq, &between.low), compare(Operator::LtEq, &between.high)]);
            if between.negated { Predicate::Not(Box::new(both)) } else { both }
        }
        Expr::InList(list) => of_list(list, position),
        Expr::Like(like) if !like.negated && !like.case_insensitive && like.escape_char.is_none() => {
            starts_with(&like.expr, &like.pattern, position).unwrap_or(Predicate::Opaque)
        }
        Expr::ScalarFunction(call) => match (call.name(), call.args.as_slice()) {
            ("starts_with" | "startswith", [column, Expr::Literal(ScalarValue::Utf8(Some(prefix)), _)]) => {
                match target(column, position) {
                    Some((column, path)) => Predicate::StartsWith { column, path, prefix: prefix.clone() },
                    None => Predicate::Opaque,
                }
            }
            _ => Predicate::Opaque,
        },
        _ => Predicate::Opaque,
    }
}

fn of_binary(binary: &BinaryExpr, position: &dyn Fn(&str) -> Option<usize>) -> Predicate {
    let op = match binary.op {
        Operator::And | Operator::Or => {
            let mut parts = Vec::new();
            flatten(binary, binary.op, position, &mut parts);
            return if binary.op == Operator::And { Predicate::And(parts) } else { Predicate::Or(parts) };
        }
        Operator::Eq => CompareOp::Eq,
        Operator::IsNotDistinctFrom => CompareOp::NullSafeEq,
        Operator::NotEq => CompareOp::NotEq,
        Operator::Lt => CompareOp::Lt,
        Operator::LtEq => CompareOp::LtEq,
        Operator::Gt => CompareOp::Gt,
        Operator::GtEq => CompareOp::GtEq,
        _ => return Predicate::Opaque,
    };
    let (found, op) = match (target(&binary.left, position), target(&binary.right, position)) {
        (Some(left), None) => (constant(&binary.right).map(|value| (left, value)), op),
        (None, Some(right)) => (constant(&binary.left).map(|value| (right, value)), op.flipped()),
        _ => (None, op),
    };
    match found {
        Some(((column, path), Some(value))) => Predicate::Compare { column, path, op, value },
        // A comparison with NULL is NULL, `<=>` is IS NULL.
        Some(((column, path), None)) if op == CompareOp::NullSafeEq => Predicate::IsNull { column, path },
        Some((_, None)) => Predicate::False,
        None if op == CompareOp::NullSafeEq => Predicate::Opaque,
        None => null_rejecting(binary, position),
    }
}

fn flatten(binary: &BinaryExpr, op: Operator, position: &dyn Fn(&str) -> Option<usize>, parts: &mut Vec<Predicate>) {
    for side in [&binary.left, &binary.right] {
        match unguarded(side) {
            Expr::BinaryExpr(inner) if inner.op == op => flatten(inner, op, position, parts),
            other => parts.push(predicate(other, position)),
        }
    }
}

/// A comparison of anything with a bare column is NULL where that column is.
fn null_rejecting(binary: &BinaryExpr, position: &dyn Fn(&str) -> Option<usize>) -> Predicate {
    let mut columns: Vec<usize> = Vec::new();
    for side in [&binary.left, &binary.right] {
        if let Some((column, path)) = target(side, position)
            && path.is_empty()
        {
            columns.push(column);
        }
    }
    columns.sort_unstable();
    columns.dedup();
    if columns.is_empty() { Predicate::Opaque } else { Predicate::NullRejecting { columns } }
}

fn of_list(list: &InList, position: &dyn Fn(&str) -> Option<usize>) -> Predicate {
    let Some((column, path)) = target(&list.expr, position) else { return Predicate::Opaque };
    let mut values = Vec::with_capacity(list.list.len());
    let mut has_null = false;
    for item in &list.list {
        match constant(item) {
            Some(Some(value)) => values.push(value),
            Some(None) => has_null = true,
            None => return Predicate::Opaque,
        }
    }
    let found = Predicate::In { column, path, values, has_null };
    if list.negated { Predicate::Not(Box::new(found)) } else { found }
}

fn starts_with(column: &Expr, pattern: &Expr, position: &dyn Fn(&str) -> Option<usize>) -> Option<Predicate> {
    let Expr::Literal(ScalarValue::Utf8(Some(pattern)), _) = pattern else { return None };
    let prefix = pattern.strip_suffix('%')?;
    if prefix.contains(['%', '_', '\\']) {
        return None;
    }
    let (column, path) = target(column, position)?;
    Some(Predicate::StartsWith { column, path, prefix: prefix.to_owned() })
}

/// The column, or field of a column, that an expression is.
fn target(expr: &Expr, position: &dyn Fn(&str) -> Option<usize>) -> Option<(usize, Vec<String>)> {
    match expr {
        Expr::Column(column) => Some((position(&column.name)?, Vec::new())),
        Expr::Alias(alias) => target(&alias.expr, position),
        Expr::ScalarFunction(call) if call.name() == FIELD => {
            let [parent, Expr::Literal(ScalarValue::Utf8(Some(name)), _)] = call.args.as_slice() else { return None };
            let (column, mut path) = target(parent, position)?;
            path.push(name.clone());
            Some((column, path))
        }
        _ => None,
    }
}

/// The constant that an expression is, `Some(None)` for NULL.
fn constant(expr: &Expr) -> Option<Option<Scalar>> {
    let Expr::Literal(value, _) = expr else { return None };
    if value.is_null() {
        return Some(None);
    }
    scalar(value).map(Some)
}

/// The value as statistics hold it.
pub(crate) fn scalar(value: &ScalarValue) -> Option<Scalar> {
    Some(match value {
        ScalarValue::Boolean(Some(value)) => Scalar::Boolean(*value),
        ScalarValue::Int8(Some(value)) => Scalar::Int(i64::from(*value)),
        ScalarValue::Int16(Some(value)) => Scalar::Int(i64::from(*value)),
        ScalarValue::Int32(Some(value)) => Scalar::Int(i64::from(*value)),
        ScalarValue::Int64(Some(value)) => Scalar::Int(*value),
        ScalarValue::Float32(Some(value)) => Scalar::Float(*value),
        ScalarValue::Float64(Some(value)) => Scalar::Double(*value),
        ScalarValue::Decimal128(Some(value), _, scale) => Scalar::Decimal(*value, *scale),
        ScalarValue::Utf8(Some(value)) => Scalar::String(value.clone()),
        ScalarValue::Binary(Some(value)) => Scalar::Binary(value.clone()),
        ScalarValue::Date32(Some(days)) => Scalar::Date(*days),
        ScalarValue::TimestampMicrosecond(Some(micros), Some(_)) => Scalar::Timestamp(*micros),
        ScalarValue::TimestampMicrosecond(Some(micros), None) => Scalar::TimestampNtz(*micros),
        _ => return None,
    })
}
