//! Conditions a table can test against statistics, without an engine behind them.

use crate::expr::FIELD;
use crate::functions::udf;
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
        Expr::Like(like) => {
            let is_plain = !like.negated && !like.case_insensitive && like.escape_char.is_none();
            let prefix = if is_plain { starts_with(&like.expr, &like.pattern, position) } else { None };
            prefix.unwrap_or_else(|| null_rejecting([like.expr.as_ref()], position))
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
        None => match by_day(binary, position) {
            Some(found) => found,
            None if op == CompareOp::NullSafeEq => Predicate::Opaque,
            None => null_rejecting([binary.left.as_ref(), binary.right.as_ref()], position),
        },
    }
}

const MICROS_PER_DAY: i64 = 86_400_000_000;

/// `CAST(timestamp AS DATE) op day` as a condition on the timestamp; the session is in UTC.
fn by_day(binary: &BinaryExpr, position: &dyn Fn(&str) -> Option<usize>) -> Option<Predicate> {
    let (cast, day, flipped) = match (binary.left.as_ref(), binary.right.as_ref()) {
        (cast, Expr::Literal(ScalarValue::Date32(Some(day)), _)) => (cast, *day, false),
        (Expr::Literal(ScalarValue::Date32(Some(day)), _), cast) => (cast, *day, true),
        _ => return None,
    };
    let has_zone = match udf::key(cast)? {
        key if key.starts_with("TIMESTAMP>DATE:") => true,
        key if key.starts_with("TIMESTAMP_NTZ>DATE:") => false,
        _ => return None,
    };
    let Expr::ScalarFunction(call) = cast else { return None };
    let (column, path) = target(call.args.first()?, position)?;
    let compare = |op: CompareOp, day: i64| {
        let micros = day.checked_mul(MICROS_PER_DAY)?;
        let value = if has_zone { Scalar::Timestamp(micros) } else { Scalar::TimestampNtz(micros) };
        Some(Predicate::Compare { column, path: path.clone(), op, value })
    };
    let (this, next) = (i64::from(day), i64::from(day) + 1);
    Some(match (binary.op, flipped) {
        (Operator::Eq | Operator::IsNotDistinctFrom, _) => {
            Predicate::And(vec![compare(CompareOp::GtEq, this)?, compare(CompareOp::Lt, next)?])
        }
        (Operator::NotEq, _) => Predicate::Or(vec![compare(CompareOp::Lt, this)?, compare(CompareOp::GtEq, next)?]),
        (Operator::Lt, false) | (Operator::Gt, true) => compare(CompareOp::Lt, this)?,
        (Operator::LtEq, false) | (Operator::GtEq, true) => compare(CompareOp::Lt, next)?,
        (Operator::Gt, false) | (Operator::Lt, true) => compare(CompareOp::GtEq, next)?,
        (Operator::GtEq, false) | (Operator::LtEq, true) => compare(CompareOp::GtEq, this)?,
        _ => return None,
    })
}

fn flatten(binary: &BinaryExpr, op: Operator, position: &dyn Fn(&str) -> Option<usize>, parts: &mut Vec<Predicate>) {
    for side in [&binary.left, &binary.right] {
        match unguarded(side) {
            Expr::BinaryExpr(inner) if inner.op == op => flatten(inner, op, position, parts),
            other => parts.push(predicate(other, position)),
        }
    }
}

/// A condition that is NULL where one of these operands is.
fn null_rejecting<'a>(
    operands: impl IntoIterator<Item = &'a Expr>,
    position: &dyn Fn(&str) -> Option<usize>,
) -> Predicate {
    let mut columns: Vec<usize> = Vec::new();
    for operand in operands {
        strict_columns(operand, position, &mut columns);
    }
    columns.sort_unstable();
    columns.dedup();
    if columns.is_empty() { Predicate::Opaque } else { Predicate::NullRejecting { columns } }
}

/// Our functions that give NULL for a NULL in any argument.
const STRICT: [&str; 24] = [
    "cast",
    "+",
    "-",
    "*",
    "/",
    "%",
    "div",
    "pmod",
    "negative",
    "abs",
    "round",
    "bround",
    "ceil",
    "floor",
    "upper",
    "lower",
    "trim",
    "length",
    "substring",
    "year",
    "month",
    "day",
    "date_add",
    "date_sub",
];

/// Columns that make the expression NULL where they are.
fn strict_columns(expr: &Expr, position: &dyn Fn(&str) -> Option<usize>, found: &mut Vec<usize>) {
    match expr {
        Expr::Column(column) => found.extend(position(&column.name)),
        Expr::Alias(alias) => strict_columns(&alias.expr, position, found),
        Expr::Cast(cast) => strict_columns(&cast.expr, position, found),
        Expr::Negative(inner) => strict_columns(inner, position, found),
        Expr::ScalarFunction(call) if STRICT.contains(&call.name()) => {
            call.args.iter().for_each(|argument| strict_columns(argument, position, found));
        }
        _ => {}
    }
}

fn of_list(list: &InList, position: &dyn Fn(&str) -> Option<usize>) -> Predicate {
    let Some((column, path)) = target(&list.expr, position) else {
        return null_rejecting([list.expr.as_ref()], position);
    };
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
