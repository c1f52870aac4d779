//! What the value of a generated partition column tells of the column that it is computed from.

use delta::actions::Add;
use delta::partition::parse_partition_value;
use delta::scalar::Scalar;
use delta::schema::{DataType, StructField, same_name};
use delta::snapshot::Snapshot;
use delta::stats::ColumnStats;
use serde_json::Value;
use spec::{Expr, ExprKind};

const EXPRESSION: &str = "delta.generationExpression";
const MICROS_PER_DAY: i64 = 86_400_000_000;

/// The bounds of `base` in a file, by the partition columns that are `CAST(base AS DATE)` or `base` itself; `None`
/// where there is no such column.
pub(super) fn bounds(snapshot: &Snapshot, add: &Add, base: &StructField) -> Option<ColumnStats> {
    for name in snapshot.partition_columns() {
        let Some(column) = snapshot.schema().field(name) else { continue };
        let Some(text) = column.metadata.get(EXPRESSION).and_then(Value::as_str) else { continue };
        let Ok(expression) = sql::parse_expr(text) else { continue };
        let Ok(value) = parse_partition_value(add.partition_value(column), &column.data_type) else { continue };
        if let Some(found) = of_expression(&expression, value, base) {
            return Some(found);
        }
    }
    None
}

fn of_expression(expression: &Expr, value: Option<Scalar>, base: &StructField) -> Option<ColumnStats> {
    let is_base = |expr: &Expr| match &expr.kind {
        ExprKind::Column(name) => name.parts.len() == 1 && same_name(name.last(), &base.name),
        _ => false,
    };
    match &expression.kind {
        // NULL may stand for an empty text.
        ExprKind::Column(_) if is_base(expression) => value.map(|value| within(Some(value.clone()), Some(value))),
        ExprKind::Cast { expr, data_type: spec::DataType::Date, .. } if is_base(expr) => {
            let instant: fn(i64) -> Scalar = match base.data_type {
                DataType::Timestamp => Scalar::Timestamp,
                DataType::TimestampNtz => Scalar::TimestampNtz,
                _ => return None,
            };
            let Some(value) = value else { return Some(within(None, None)) };
            let Scalar::Date(day) = value else { return None };
            let first = i64::from(day).checked_mul(MICROS_PER_DAY)?;
            Some(within(Some(instant(first)), Some(instant(first.checked_add(MICROS_PER_DAY - 1)?))))
        }
        _ => None,
    }
}

// A NULL partition value comes from a NULL in every row.
fn within(min: Option<Scalar>, max: Option<Scalar>) -> ColumnStats {
    let nulls = if min.is_none() { i64::MAX } else { 0 };
    ColumnStats { min, max, nulls: Some(nulls) }
}
