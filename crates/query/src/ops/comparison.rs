//! Comparisons, BETWEEN and IN. Both sides get one type first, so that `=` on equal types stays a plain `=`.

use super::common_type::{common_type, wider};
use super::{binary, boolean, mismatch};
use crate::cast::{self, Mode};
use crate::error::Complaint;
use crate::session::Session;
use crate::typed::{SqlType, Typed};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::{Expr, Operator, binary_expr};
use delta::schema::DataType;
use spec::BinaryOp;

/// `left op right`.
pub(super) fn compare(session: &Session, op: BinaryOp, left: Typed, right: Typed) -> Result<Typed, Complaint> {
    let common =
        wider(&left.data_type, &right.data_type).ok_or_else(|| mismatch(op, &left.data_type, &right.data_type))?;
    if !is_orderable(&common) {
        return Err(not_comparable(op, &common));
    }
    let operator = match op {
        BinaryOp::Eq => Operator::Eq,
        BinaryOp::NullSafeEq => Operator::IsNotDistinctFrom,
        BinaryOp::NotEq => Operator::NotEq,
        BinaryOp::Lt => Operator::Lt,
        BinaryOp::LtEq => Operator::LtEq,
        BinaryOp::Gt => Operator::Gt,
        _ => Operator::GtEq,
    };
    let nullable = op != BinaryOp::NullSafeEq && (left.nullable || right.nullable);
    // Two bare NULLs have no type of their own to compare.
    let common = if common.is_void() { DataType::Boolean.into() } else { common };
    let left = cast::cast(session, left, &common, Mode::Ansi)?;
    let right = cast::cast(session, right, &common, Mode::Ansi)?;
    // A value that cannot be NULL, compared with itself; `<=>` does not mind.
    if !nullable && left.expr == right.expr && !left.expr.is_volatile() {
        let holds = matches!(op, BinaryOp::Eq | BinaryOp::NullSafeEq | BinaryOp::LtEq | BinaryOp::GtEq);
        return Ok(Typed::literal(ScalarValue::Boolean(Some(holds)), DataType::Boolean));
    }
    Ok(Typed::new(binary_expr(left.expr, operator, right.expr), DataType::Boolean, nullable))
}

/// Whether values of the type have an order: all but maps and what holds one.
pub(crate) fn is_orderable(data_type: &SqlType) -> bool {
    data_type.column().is_none_or(is_orderable_column)
}

fn is_orderable_column(data_type: &DataType) -> bool {
    match data_type {
        DataType::Map { .. } => false,
        DataType::Array { element, .. } => is_orderable_column(element),
        DataType::Struct(fields) => fields.fields.iter().all(|field| is_orderable_column(&field.data_type)),
        _ => true,
    }
}

fn not_comparable(op: BinaryOp, data_type: &SqlType) -> Complaint {
    let message = format!("Values of type {} cannot be compared with `{}`.", data_type.spark_name(), super::symbol(op));
    Complaint::new("DATATYPE_MISMATCH.INVALID_ORDERING_TYPE", "42K09", message)
}

/// `value [NOT] BETWEEN low AND high`, as the two comparisons it stands for.
///
/// # Errors
/// As for comparisons.
pub(crate) fn between(
    session: &Session,
    value: Typed,
    low: Typed,
    high: Typed,
    negated: bool,
) -> Result<Typed, Complaint> {
    let above = binary(session, BinaryOp::GtEq, value.clone(), low)?;
    let below = binary(session, BinaryOp::LtEq, value, high)?;
    let inside = binary(session, BinaryOp::And, above, below)?;
    if negated { boolean::not(session, inside) } else { Ok(inside) }
}

/// `value [NOT] IN (list)`, in the common type of all.
///
/// # Errors
/// `DATATYPE_MISMATCH.DATA_DIFF_TYPES` where there is none.
pub(crate) fn in_list(session: &Session, value: Typed, list: Vec<Typed>, negated: bool) -> Result<Typed, Complaint> {
    let types: Vec<SqlType> = std::iter::once(&value).chain(&list).map(|typed| typed.data_type.clone()).collect();
    let common = common_type(&types).ok_or_else(|| {
        let names: Vec<String> = types.iter().map(SqlType::spark_name).collect();
        let message = format!("The values of IN have types that do not go together: {}.", names.join(", "));
        Complaint::new("DATATYPE_MISMATCH.DATA_DIFF_TYPES", "42K09", message)
    })?;
    if !is_orderable(&common) {
        return Err(not_comparable(BinaryOp::Eq, &common));
    }
    let common = if common.is_void() { DataType::Boolean.into() } else { common };
    let nullable = value.nullable || list.iter().any(|item| item.nullable);
    let value = cast::cast(session, value, &common, Mode::Ansi)?;
    let list = list.into_iter().map(|item| Ok(cast::cast(session, item, &common, Mode::Ansi)?.expr));
    let list = list.collect::<Result<Vec<_>, Complaint>>()?;
    let expr = Expr::InList(InList::new(Box::new(value.expr), list, negated));
    Ok(Typed::new(expr, DataType::Boolean, nullable))
}
