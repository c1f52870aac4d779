//! Conditions that Spark can hand to a data source (`DataSourceStrategy.translateFilter`): comparisons of a column with a
//! constant and what AND, OR and NOT make of them.

use crate::expr::FIELD;
use crate::functions::udf;
use crate::ops::unguarded;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{Expr, Operator};

/// Whether a folded condition is such a filter.
pub(crate) fn is_source_filter(expr: &Expr) -> bool {
    match unguarded(expr) {
        Expr::Alias(alias) => is_source_filter(&alias.expr),
        Expr::Literal(ScalarValue::Boolean(Some(_)), _) => true,
        Expr::Not(inner) => is_source_filter(inner),
        Expr::IsNull(inner) | Expr::IsNotNull(inner) => is_column(inner),
        Expr::BinaryExpr(binary) => match binary.op {
            Operator::And | Operator::Or => is_source_filter(&binary.left) && is_source_filter(&binary.right),
            _ => are_column_and_constant(&binary.left, &binary.right),
        },
        Expr::Between(between) => is_column(&between.expr) && is_constant(&between.low) && is_constant(&between.high),
        Expr::InList(list) => is_column(&list.expr) && list.list.iter().all(is_constant),
        Expr::Like(like) => is_column(&like.expr) && is_simple_pattern(&like.pattern),
        Expr::ScalarFunction(call) if TEXT_TESTS.contains(&call.name()) => match call.args.as_slice() {
            [column, part] => is_column(column) && is_constant(part),
            _ => false,
        },
        other => is_column(other),
    }
}

const TEXT_TESTS: [&str; 5] = ["starts_with", "startswith", "ends_with", "endswith", "contains"];

fn are_column_and_constant(left: &Expr, right: &Expr) -> bool {
    (is_column(left) && is_constant(right)) || (is_constant(left) && is_column(right))
}

fn is_column(expr: &Expr) -> bool {
    match expr {
        Expr::Column(_) => true,
        Expr::Alias(alias) => is_column(&alias.expr),
        // A cast that widens moves to the constant.
        Expr::Cast(cast) => is_column(&cast.expr),
        Expr::ScalarFunction(call) if call.name() == FIELD || is_number_cast(expr) => {
            call.args.first().is_some_and(is_column)
        }
        _ => false,
    }
}

/// Whether it is a cast from a number to a number.
fn is_number_cast(expr: &Expr) -> bool {
    const NUMBERS: [&str; 7] = ["TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL"];
    let types = udf::key(expr).and_then(|key| key.split_once(':')).and_then(|(types, _)| types.split_once('>'));
    let is_number = |name: &str| NUMBERS.iter().any(|number| name.starts_with(number));
    types.is_some_and(|(from, to)| is_number(from) && is_number(to))
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(..))
}

/// `x`, `x%`, `%x` and `%x%`: the optimiser makes plain tests of them.
fn is_simple_pattern(pattern: &Expr) -> bool {
    let Expr::Literal(ScalarValue::Utf8(Some(pattern)), _) = pattern else { return false };
    let inner = pattern.strip_prefix('%').unwrap_or(pattern);
    let inner = inner.strip_suffix('%').unwrap_or(inner);
    !inner.contains(['%', '_', '\\'])
}
