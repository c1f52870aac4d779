//! AND, OR, NOT: typing, and the order of evaluation that keeps a guarded failure from happening.

use super::{mismatch, wrong_input};
use crate::cast::{self, Mode};
use crate::error::Complaint;
use crate::functions::udf::{self, Gives};
use crate::session::Session;
use crate::typed::{SqlType, Typed};
use arrow::compute::cast as cast_array;
use arrow::datatypes::DataType as ArrowType;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::expr::{Case, Cast};
use datafusion::logical_expr::{BinaryExpr, Expr, Operator, binary_expr, lit};
use delta::schema::DataType;
use spec::BinaryOp;

/// The name of the function around a CASE that the optimiser must not take apart.
const KEPT_CASE: &str = "kept_case";

/// `left AND right`, `left OR right`.
pub(super) fn logical(session: &Session, op: BinaryOp, left: Typed, right: Typed) -> Result<Typed, Complaint> {
    let is_truth = |data_type: &SqlType| data_type.is_boolean() || data_type.is_void();
    let takes = |this: &SqlType, other: &SqlType| is_truth(this) || (this.is_string() && is_truth(other));
    if !takes(&left.data_type, &right.data_type) || !takes(&right.data_type, &left.data_type) {
        return Err(mismatch(op, &left.data_type, &right.data_type));
    }
    let boolean = DataType::Boolean.into();
    let left = cast::cast(session, left, &boolean, Mode::Ansi)?;
    let right = cast::cast(session, right, &boolean, Mode::Ansi)?;
    let nullable = left.nullable || right.nullable;
    let operator = if op == BinaryOp::And { Operator::And } else { Operator::Or };
    let right = match udf::may_fail(&right.expr) {
        true => guarded(operator, &left.expr, right.expr),
        false => right.expr,
    };
    Ok(Typed::new(binary_expr(left.expr, operator, right), boolean, nullable))
}

/// `right`, computed only on rows where `left` does not decide alone. DataFusion evaluates both sides for a whole
/// batch, which would let `b <> 0 AND a / b > 1` fail.
fn guarded(operator: Operator, left: &Expr, right: Expr) -> Expr {
    let decided = match operator {
        Operator::And => Expr::IsFalse(Box::new(left.clone())),
        _ => Expr::IsTrue(Box::new(left.clone())),
    };
    let branch = (Box::new(decided), Box::new(lit(operator == Operator::Or)));
    case(Case::new(None, vec![branch], Some(Box::new(right))), &DataType::Boolean.into())
}

/// A CASE of the given type that stays one. DataFusion's optimiser turns a boolean CASE into AND and OR, which would
/// evaluate a branch that may fail on rows meant for another; so such a CASE computes TINYINTs on the way.
pub(crate) fn case(case: Case, data_type: &SqlType) -> Expr {
    let mut parts = case.when_then_expr.iter().map(|(_, then)| then).chain(&case.else_expr);
    if !data_type.is_boolean() || !parts.any(|part| udf::may_fail(part)) {
        return Expr::Case(case);
    }
    let number = |expr: Expr| match expr {
        Expr::Literal(ScalarValue::Boolean(value), metadata) => {
            Expr::Literal(ScalarValue::Int8(value.map(i8::from)), metadata)
        }
        other => Expr::Cast(Cast::new(Box::new(other), ArrowType::Int8)),
    };
    let boxed = |expr: Box<Expr>| Box::new(number(*expr));
    let branches = case.when_then_expr.into_iter().map(|(when, then)| (when, boxed(then))).collect();
    let numbers = Expr::Case(Case::new(case.expr, branches, case.else_expr.map(boxed)));
    let gives = Gives { data_type: ArrowType::Boolean, nullable: true };
    udf::call(KEPT_CASE, "", gives, vec![numbers], |args| Ok(cast_array(&args.array(0)?, &ArrowType::Boolean)?))
}

/// The right operand of an AND or OR without the guard that [`logical`] put around it. Right for a caller that
/// evaluates conjuncts apart anyway, as a join does with its keys.
pub(crate) fn unguarded(expr: &Expr) -> &Expr {
    let Expr::ScalarFunction(call) = expr else { return expr };
    let [Expr::Case(Case { expr: None, when_then_expr, else_expr: Some(inner) })] = call.args.as_slice() else {
        return expr;
    };
    let (true, [(condition, value)], Expr::Cast(cast)) =
        (call.func.name() == KEPT_CASE, when_then_expr.as_slice(), inner.as_ref())
    else {
        return expr;
    };
    let guards = match condition.as_ref() {
        Expr::IsFalse(_) => **value == lit(0_i8),
        Expr::IsTrue(_) => **value == lit(1_i8),
        _ => false,
    };
    if guards { &cast.expr } else { expr }
}

/// `NOT value`.
///
/// # Errors
/// `DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE` where the value is no truth value.
pub(crate) fn not(session: &Session, value: Typed) -> Result<Typed, Complaint> {
    let takes = value.data_type.is_boolean() || value.data_type.is_void() || value.data_type.is_string();
    if !takes {
        return Err(wrong_input("NOT", 1, "BOOLEAN", &value.data_type));
    }
    let value = cast::cast(session, value, &DataType::Boolean.into(), Mode::Ansi)?;
    // Conditions stay as comparisons where they can, for those can be looked up in statistics.
    let expr = match value.expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) if is_comparison(op) => match op.negate() {
            Some(op) => Expr::BinaryExpr(BinaryExpr { left, op, right }),
            None => Expr::Not(Box::new(Expr::BinaryExpr(BinaryExpr { left, op, right }))),
        },
        other => Expr::Not(Box::new(other)),
    };
    Ok(Typed::new(expr, DataType::Boolean, value.nullable))
}

fn is_comparison(op: Operator) -> bool {
    matches!(op, Operator::Eq | Operator::NotEq | Operator::Lt | Operator::LtEq | Operator::Gt | Operator::GtEq)
}
