//! Decimal arithmetic: Spark's result types, and exact results rounded half up to them.

use super::common_type::adjusted_decimal;
use arrow::datatypes::i256;
use delta::schema::DataType;
use spec::BinaryOp;

/// A decimal type as precision and scale.
pub(crate) type Digits = (u8, i8);

/// The type of the result, by the rules of `spark.sql.decimalOperations.allowPrecisionLoss`.
pub(crate) fn result_type(op: BinaryOp, left: Digits, right: Digits) -> DataType {
    let (p1, s1) = (i16::from(left.0), i16::from(left.1));
    let (p2, s2) = (i16::from(right.0), i16::from(right.1));
    match op {
        BinaryOp::Multiply => adjusted_decimal(p1 + p2 + 1, s1 + s2),
        BinaryOp::Divide => {
            let scale = (s1 + p2 + 1).max(6);
            adjusted_decimal(p1 - s1 + s2 + scale, scale)
        }
        BinaryOp::Modulo => {
            let scale = s1.max(s2);
            adjusted_decimal((p1 - s1).min(p2 - s2) + scale, scale)
        }
        _ => {
            let scale = s1.max(s2);
            adjusted_decimal((p1 - s1).max(p2 - s2) + scale + 1, scale)
        }
    }
}

/// The result at scale `scale`; `None` where it has more than 38 digits. The divisor is not zero.
pub(crate) fn compute(op: BinaryOp, left: (i128, i8), right: (i128, i8), scale: i8) -> Option<i128> {
    // Up to 38 digits fit an i128; what does not is computed again with 256 bits.
    narrow(op, left, right, scale).or_else(|| wide(op, left, right, scale))
}

/// A quotient rounded half up; `None` where it has more than 38 digits. The divisor is not zero.
pub(crate) fn divide_decimals(left: (i128, i8), right: (i128, i8), scale: i8) -> Option<i128> {
    compute(BinaryOp::Divide, left, right, scale)
}

fn narrow(op: BinaryOp, (left, s1): (i128, i8), (right, s2): (i128, i8), scale: i8) -> Option<i128> {
    let common = s1.max(s2);
    match op {
        BinaryOp::Multiply => lower(left.checked_mul(right)?, i32::from(s1) + i32::from(s2), scale),
        BinaryOp::Divide => {
            let shift = i32::from(scale) - i32::from(s1) + i32::from(s2);
            if shift < 0 {
                return None;
            }
            divide(left.checked_mul(ten(shift)?)?, right)
        }
        _ => {
            let left = left.checked_mul(ten(i32::from(common) - i32::from(s1))?)?;
            let right = right.checked_mul(ten(i32::from(common) - i32::from(s2))?)?;
            let exact = match op {
                BinaryOp::Plus => left.checked_add(right)?,
                BinaryOp::Minus => left.checked_sub(right)?,
                BinaryOp::IntDivide => return left.checked_div(right),
                _ => left.checked_rem(right)?,
            };
            lower(exact, i32::from(common), scale)
        }
    }
}

fn ten(exponent: i32) -> Option<i128> {
    10_i128.checked_pow(u32::try_from(exponent).ok()?)
}

fn lower(value: i128, from: i32, to: i8) -> Option<i128> {
    let drop = from - i32::from(to);
    match drop {
        0 => Some(value),
        1.. => divide(value, ten(drop)?),
        _ => value.checked_mul(ten(-drop)?),
    }
}

/// Rounds half away from zero.
fn divide(value: i128, by: i128) -> Option<i128> {
    let (whole, rest) = (value.checked_div(by)?, value.checked_rem(by)?);
    let half = rest.unsigned_abs() >= by.unsigned_abs().div_ceil(2);
    let sign = if (value < 0) == (by < 0) { 1 } else { -1 };
    if half { whole.checked_add(sign) } else { Some(whole) }
}

fn wide(op: BinaryOp, (left, s1): (i128, i8), (right, s2): (i128, i8), scale: i8) -> Option<i128> {
    let common = s1.max(s2);
    let (left, right) = (i256::from_i128(left), i256::from_i128(right));
    let raise = |value: i256, by: i32| value.checked_mul(wide_ten(by)?);
    match op {
        BinaryOp::Multiply => wide_lower(left.checked_mul(right)?, i32::from(s1) + i32::from(s2), scale),
        BinaryOp::Divide => {
            let shift = i32::from(scale) - i32::from(s1) + i32::from(s2);
            match shift < 0 {
                true => wide_divide(left, raise(right, -shift)?),
                false => wide_divide(raise(left, shift)?, right),
            }
        }
        _ => {
            let left = raise(left, i32::from(common) - i32::from(s1))?;
            let right = raise(right, i32::from(common) - i32::from(s2))?;
            let exact = match op {
                BinaryOp::Plus => left.checked_add(right)?,
                BinaryOp::Minus => left.checked_sub(right)?,
                BinaryOp::IntDivide => return left.checked_div(right)?.to_i128(),
                _ => left.checked_rem(right)?,
            };
            wide_lower(exact, i32::from(common), scale)
        }
    }
}

fn wide_ten(exponent: i32) -> Option<i256> {
    i256::from_i128(10).checked_pow(u32::try_from(exponent).ok()?)
}

fn wide_lower(value: i256, from: i32, to: i8) -> Option<i128> {
    let drop = from - i32::from(to);
    match drop {
        1.. => wide_divide(value, wide_ten(drop)?),
        _ => value.checked_mul(wide_ten(-drop)?)?.to_i128(),
    }
}

fn wide_divide(value: i256, by: i256) -> Option<i128> {
    let (whole, rest) = (value.checked_div(by)?, value.checked_rem(by)?);
    let (rest, size) = (rest.wrapping_abs(), by.wrapping_abs());
    let half = rest >= size.checked_sub(rest)?;
    let sign = if value.is_negative() == by.is_negative() { i256::ONE } else { i256::MINUS_ONE };
    if half { whole.checked_add(sign)?.to_i128() } else { whole.to_i128() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_types_follow_spark() {
        let cases = [
            (BinaryOp::Plus, (1, 0), (2, 1), (3, 1)),
            (BinaryOp::Divide, (2, 1), (1, 0), (7, 6)),
            (BinaryOp::Multiply, (10, 2), (10, 2), (21, 4)),
            (BinaryOp::Multiply, (38, 10), (38, 10), (38, 6)),
            (BinaryOp::Divide, (38, 10), (38, 10), (38, 6)),
            (BinaryOp::Plus, (38, 10), (38, 10), (38, 9)),
            (BinaryOp::Modulo, (10, 2), (5, 4), (5, 4)),
        ];
        for (op, left, right, (precision, scale)) in cases {
            assert_eq!(
                result_type(op, left, right),
                DataType::Decimal { precision, scale },
                "{op:?} {left:?} {right:?}"
            );
        }
    }

    #[test]
    fn results_round_half_up_in_both_widths() {
        for compute in [narrow, wide] {
            assert_eq!(compute(BinaryOp::Divide, (10, 1), (3, 0), 6), Some(333_333));
            assert_eq!(compute(BinaryOp::Divide, (20, 1), (3, 0), 6), Some(666_667));
            assert_eq!(compute(BinaryOp::Divide, (-20, 1), (3, 0), 6), Some(-666_667));
            assert_eq!(compute(BinaryOp::Divide, (1, 0), (2, 0), 0), Some(1));
            assert_eq!(compute(BinaryOp::Multiply, (15, 1), (15, 1), 2), Some(225));
            assert_eq!(compute(BinaryOp::Plus, (1, 0), (10, 1), 1), Some(20));
            assert_eq!(compute(BinaryOp::Modulo, (-75, 1), (2, 0), 1), Some(-15));
        }
        let large = 10_i128.pow(37);
        assert_eq!(compute(BinaryOp::Multiply, (large, 10), (20, 1), 6), Some(2 * 10_i128.pow(33)));
    }
}
