//! `round`, `bround`, `ceil` and `floor`: decimals stay decimals, doubles become BIGINT where the result is whole.

use super::call::{Bound, Call};
use crate::cast::power_of_ten;
use crate::ops::{adjusted_decimal, decimal_of, overflow};
use crate::typed::SqlType;
use arrow::array::{ArrayRef, AsArray, Float64Array};
use arrow::compute;
use arrow::datatypes as types;
use arrow::datatypes::DataType as ArrowType;
use datafusion::common::Result as DfResult;
use delta::schema::DataType;
use std::sync::Arc;

pub(super) const NAMES: &[&str] = &["round", "bround", "ceil", "ceiling", "floor"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    HalfUp,
    HalfEven,
    Up,
    Down,
}

pub(super) fn bind(call: Call) -> Bound {
    match call.name {
        "round" => round(call, Way::HalfUp),
        "bround" => round(call, Way::HalfEven),
        "floor" => to_whole(call, Way::Down),
        _ => to_whole(call, Way::Up),
    }
}

/// Without a scale: BIGINT, or a decimal without digits after the point.
fn to_whole(call: Call, way: Way) -> Bound {
    let call = call.arity(1, 2)?;
    if call.args.len() == 2 {
        return round(call, way);
    }
    match call.type_of(0).column() {
        Some(DataType::Decimal { .. }) => round(call, way),
        Some(DataType::Byte | DataType::Short | DataType::Int | DataType::Long) => {
            call.implicit(0, DataType::Long)?.gives(DataType::Long, |args| args.array(0))
        }
        _ => call.double(0)?.gives(DataType::Long, move |args| {
            let values = args.array(0)?;
            let whole = |value: f64| if way == Way::Up { value.ceil() as i64 } else { value.floor() as i64 };
            Ok(Arc::new(values.as_primitive::<types::Float64Type>().unary::<_, types::Int64Type>(whole)) as ArrayRef)
        }),
    }
}

fn round(call: Call, way: Way) -> Bound {
    let call = call.arity(1, 2)?;
    let scale = call.constant_int(1, 0)?;
    let mut call = match call.type_of(0) {
        found if found.is_numeric() => call,
        _ => call.double(0)?,
    };
    call.args.truncate(1);
    let from = call.type_of(0);
    let nullable = call.args.iter().any(|arg| arg.nullable);
    let key = format!("{way:?} {scale}");
    let exact_only = matches!(way, Way::Up | Way::Down);
    match from.column() {
        Some(DataType::Decimal { precision, scale: old }) => {
            let (to, keep) = decimal_result(*precision, *old, scale);
            decimal_round(call, (*old, keep), to, way, nullable, key)
        }
        Some(whole) if from.is_integral() && exact_only => {
            let (precision, old) = decimal_of(whole).unwrap_or((20, 0));
            let (to, keep) = decimal_result(precision, old, scale);
            let call = call.implicit(0, DataType::Decimal { precision, scale: old })?;
            decimal_round(call, (old, keep), to, way, nullable, key)
        }
        Some(_) if from.is_integral() => {
            call.gives_with(from.clone(), nullable, key, move |args| whole_round(&args.array(0)?, scale, way, &from))
        }
        _ if exact_only => {
            let digits = DataType::Decimal { precision: 30, scale: 15 };
            let (to, keep) = decimal_result(30, 15, scale);
            call.implicit_decimal(digits)?.decimal_round_from(15, keep, to, way, nullable, key)
        }
        _ => call.gives_with(from.clone(), nullable, key, move |args| {
            let values = compute::cast(&args.array(0)?, &ArrowType::Float64)?;
            let rounded: Float64Array =
                values.as_primitive::<types::Float64Type>().unary(|value| double_round(value, scale, way));
            Ok(compute::cast(&rounded, &from.arrow())?)
        }),
    }
}

impl Call<'_> {
    fn implicit_decimal(mut self, to: DataType) -> Result<Self, crate::error::Complaint> {
        if let Some(slot) = self.args.first_mut() {
            let value = slot.clone();
            *slot = crate::cast::cast(self.session, value, &to.into(), crate::cast::Mode::Ansi)?;
        }
        Ok(self)
    }

    fn decimal_round_from(self, old: i8, keep: i8, to: DataType, way: Way, nullable: bool, key: String) -> Bound {
        decimal_round(self, (old, keep), to, way, nullable, key)
    }
}

/// The type after rounding to `scale` places, and how many places stay (negative: zeros before the point).
fn decimal_result(precision: u8, old: i8, scale: i32) -> (DataType, i8) {
    let whole = i16::from(precision) - i16::from(old) + 1;
    let keep = i8::try_from(scale.clamp(-38, i32::from(old))).unwrap_or(old);
    let places = i16::from(keep.max(0));
    let least = if keep < 0 { whole.max(i16::from(-keep) + 1) } else { whole };
    (adjusted_decimal(least + places, places), keep)
}

fn decimal_round(call: Call, (old, keep): (i8, i8), to: DataType, way: Way, nullable: bool, key: String) -> Bound {
    let to = SqlType::from(to);
    let arrow = to.arrow();
    call.gives_with(to, nullable, key, move |args| {
        let values = args.array(0)?;
        let unit = power_of_ten(old - keep);
        let back = power_of_ten(-keep);
        let rounded = values
            .as_primitive::<types::Decimal128Type>()
            .unary::<_, types::Decimal128Type>(|value| quotient(value, unit, way).wrapping_mul(back));
        Ok(Arc::new(rounded.with_data_type(arrow.clone())))
    })
}

fn quotient(value: i128, unit: i128, way: Way) -> i128 {
    let (whole, rest) = (value.div_euclid(unit), value.rem_euclid(unit));
    let up = match way {
        Way::Down => false,
        Way::Up => rest != 0,
        // Half of a negative value goes away from zero, that is down.
        Way::HalfUp => rest * 2 > unit || (rest * 2 == unit && value > 0),
        Way::HalfEven => rest * 2 > unit || (rest * 2 == unit && whole % 2 != 0),
    };
    if up { whole + 1 } else { whole }
}

/// The decimal with at most `places` digits after the point, as unscaled value and scale.
pub(super) fn half_even(value: i128, scale: i8, places: usize) -> (i128, i8) {
    match i8::try_from(places) {
        Ok(places) if places < scale => (quotient(value, power_of_ten(scale - places), Way::HalfEven), places),
        _ => (value, scale),
    }
}

fn whole_round(array: &ArrayRef, scale: i32, way: Way, to: &SqlType) -> DfResult<ArrayRef> {
    if scale >= 0 {
        return Ok(Arc::clone(array));
    }
    let unit = power_of_ten(i8::try_from(-scale.max(-38)).unwrap_or(38));
    let values = compute::cast(array, &ArrowType::Int64)?;
    let rounded = crate::cast::each::<_, types::Int64Type>(values.as_primitive::<types::Int64Type>(), |value| {
        let rounded = quotient(i128::from(value), unit, way).checked_mul(unit);
        let fits = rounded.and_then(|value| i64::try_from(value).ok());
        fits.map(Some).ok_or_else(|| overflow("the rounded value", to).into())
    })?;
    let options = compute::CastOptions { safe: false, ..Default::default() };
    compute::cast_with_options(&rounded, &to.arrow(), &options).map_err(|_| overflow("the rounded value", to).into())
}

/// By the decimal digits that the double prints, so that 2.345 rounds to 2.35 though it is stored a bit lower.
fn double_round(value: f64, scale: i32, way: Way) -> f64 {
    if !value.is_finite() {
        return value;
    }
    let text = format!("{value}");
    let (digits, fraction) = text.split_once('.').unwrap_or((text.as_str(), ""));
    let places = i32::try_from(fraction.len()).unwrap_or(i32::MAX);
    if scale >= places {
        return value;
    }
    let Ok(unscaled) = format!("{digits}{fraction}").parse::<i128>() else { return value };
    let Ok(drop) = u32::try_from(places - scale) else { return value };
    let Some(unit) = 10_i128.checked_pow(drop) else { return 0.0 };
    let whole = quotient(unscaled, unit, way);
    format!("{whole}e{}", -scale).parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_round_by_their_digits() {
        assert_eq!(double_round(2.345, 2, Way::HalfUp), 2.35);
        assert_eq!(double_round(2.5, 0, Way::HalfUp), 3.0);
        assert_eq!(double_round(-2.5, 0, Way::HalfUp), -3.0);
        assert_eq!(double_round(2.5, 0, Way::HalfEven), 2.0);
        assert_eq!(double_round(3.5, 0, Way::HalfEven), 4.0);
        assert_eq!(double_round(1234.5, -2, Way::HalfUp), 1200.0);
        assert_eq!(double_round(1e300, 2, Way::HalfUp), 1e300);
    }

    #[test]
    fn quotients_know_their_way() {
        assert_eq!(quotient(-25, 10, Way::HalfUp), -3);
        assert_eq!(quotient(-24, 10, Way::HalfUp), -2);
        assert_eq!(quotient(-25, 10, Way::Up), -2);
        assert_eq!(quotient(-25, 10, Way::Down), -3);
        assert_eq!(quotient(25, 10, Way::HalfEven), 2);
    }
}
