//! Operators with Spark's typing: which operand types go together, what the result is, what fails.

mod arithmetic;
mod boolean;
mod common_type;
mod comparison;
mod datetime;
mod decimal;
mod like;

pub(crate) use arithmetic::{Checks, arithmetic, divide_by_zero, overflow};
pub(crate) use boolean::{case, not, unguarded};
pub(crate) use common_type::{adjusted_decimal, can_up_cast, common_type, decimal_of};
pub(crate) use comparison::{between, in_list, is_orderable};
pub(crate) use datetime::{add_months_to, shift_micros};
pub(crate) use decimal::divide_decimals;
pub(crate) use like::like;

use crate::error::Complaint;
use crate::functions;
use crate::session::Session;
use crate::typed::{SqlType, Typed};
use datafusion::logical_expr::{Operator, binary_expr};
use spec::{BinaryOp, UnaryOp};

/// The value of a binary operator.
///
/// # Errors
/// `DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES` where the operands have no common type, `….BINARY_OP_WRONG_TYPE` where
/// the operator does not take their type.
pub(crate) fn binary(session: &Session, op: BinaryOp, left: Typed, right: Typed) -> Result<Typed, Complaint> {
    match op {
        BinaryOp::And | BinaryOp::Or => boolean::logical(session, op, left, right),
        BinaryOp::Eq
        | BinaryOp::NullSafeEq
        | BinaryOp::NotEq
        | BinaryOp::Lt
        | BinaryOp::LtEq
        | BinaryOp::Gt
        | BinaryOp::GtEq => comparison::compare(session, op, left, right),
        BinaryOp::Concat => functions::scalar(session, "concat", vec![left, right]),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => bitwise(session, op, left, right),
        BinaryOp::Plus
        | BinaryOp::Minus
        | BinaryOp::Multiply
        | BinaryOp::Divide
        | BinaryOp::IntDivide
        | BinaryOp::Modulo => {
            if datetime::concerns(&left.data_type) || datetime::concerns(&right.data_type) {
                return datetime::arithmetic(session, op, left, right);
            }
            arithmetic(session, op, left, right, Checks::of(session))
        }
    }
}

/// The value of a unary operator.
///
/// # Errors
/// `DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE`.
pub(crate) fn unary(session: &Session, op: UnaryOp, value: Typed) -> Result<Typed, Complaint> {
    match op {
        UnaryOp::Not => not(session, value),
        UnaryOp::Minus => arithmetic::negative(session, value),
        UnaryOp::Plus if value.data_type.is_numeric() || value.data_type.is_interval() => Ok(value),
        UnaryOp::Plus => Err(wrong_input("+", 1, "NUMERIC or INTERVAL", &value.data_type)),
        UnaryOp::BitNot if value.data_type.is_integral() => {
            let minus_one = functions::int_literal(-1, &value.data_type);
            bitwise(session, BinaryOp::BitXor, value, minus_one)
        }
        UnaryOp::BitNot => Err(wrong_input("~", 1, "INTEGRAL", &value.data_type)),
    }
}

fn bitwise(session: &Session, op: BinaryOp, left: Typed, right: Typed) -> Result<Typed, Complaint> {
    let common = common_type::wider(&left.data_type, &right.data_type)
        .filter(SqlType::is_integral)
        .ok_or_else(|| mismatch(op, &left.data_type, &right.data_type))?;
    let operator = match op {
        BinaryOp::BitAnd => Operator::BitwiseAnd,
        BinaryOp::BitOr => Operator::BitwiseOr,
        _ => Operator::BitwiseXor,
    };
    let nullable = left.nullable || right.nullable;
    let left = crate::cast::cast(session, left, &common, crate::cast::Mode::Ansi)?;
    let right = crate::cast::cast(session, right, &common, crate::cast::Mode::Ansi)?;
    Ok(Typed::new(binary_expr(left.expr, operator, right.expr), common, nullable))
}

/// The operator as written.
pub(crate) fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "OR",
        BinaryOp::And => "AND",
        BinaryOp::Eq => "=",
        BinaryOp::NullSafeEq => "<=>",
        BinaryOp::NotEq => "<>",
        BinaryOp::Lt => "<",
        BinaryOp::LtEq => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::GtEq => ">=",
        BinaryOp::Plus => "+",
        BinaryOp::Minus => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::IntDivide => "div",
        BinaryOp::Modulo => "%",
        BinaryOp::Concat => "||",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
    }
}

/// Operands that an operator does not take.
pub(crate) fn mismatch(op: BinaryOp, left: &SqlType, right: &SqlType) -> Complaint {
    let symbol = symbol(op);
    if left == right {
        let message = format!("`{symbol}` does not work on values of type {}.", left.spark_name());
        return Complaint::new("DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE", "42K09", message);
    }
    let (left, right) = (left.spark_name(), right.spark_name());
    let message = format!("The operands of `{symbol}` have types that do not go together: {left} and {right}.");
    Complaint::new("DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES", "42K09", message)
}

/// An argument of the wrong type; `position` counts from 1.
pub(crate) fn wrong_input(function: &str, position: usize, wanted: &str, found: &SqlType) -> Complaint {
    let found = found.spark_name();
    let message = format!("Argument {position} of `{function}` must be {wanted}, but it is {found}.");
    Complaint::new("DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "42K09", message)
}
