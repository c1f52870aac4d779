//! Arithmetic that gives NULL where the operator would fail.

use super::call::{Bound, Call};
use crate::ops::{Checks, arithmetic};
use spec::BinaryOp;

pub(super) const NAMES: &[&str] = &["try_add", "try_subtract", "try_multiply", "try_divide", "try_mod"];

pub(super) fn bind(call: Call) -> Bound {
    let op = match call.name {
        "try_add" => BinaryOp::Plus,
        "try_subtract" => BinaryOp::Minus,
        "try_multiply" => BinaryOp::Multiply,
        "try_divide" => BinaryOp::Divide,
        _ => BinaryOp::Modulo,
    };
    let session = call.session;
    let [left, right] = call.arity(2, 2)?.take()?;
    let numbers = [&left, &right].iter().all(|value| value.data_type.column().is_some());
    if numbers && (left.data_type.is_numeric() || right.data_type.is_numeric()) {
        return arithmetic(session, op, left, right, Checks::Try);
    }
    crate::ops::binary(session, op, left, right)
}
