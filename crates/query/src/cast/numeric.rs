//! Conversions whose result is a number or a boolean.

use super::display::{write_double, write_float};
use super::{Mode, invalid_input, number, out_of_range, overflow, power_of_ten};
use crate::typed::SqlType;
use arrow::array::{Array, ArrayRef, ArrowPrimitiveType, AsArray, BooleanArray, PrimitiveArray, PrimitiveBuilder};
use arrow::compute;
use arrow::datatypes as types;
use arrow::datatypes::DataType as ArrowType;
use datafusion::common::Result;
use delta::schema::DataType;
use std::sync::Arc;

const MICROS: i64 = 1_000_000;

/// Values one by one; the closure decides about NULL and failure.
pub(crate) fn each<I, O>(
    array: &PrimitiveArray<I>,
    f: impl Fn(I::Native) -> Result<Option<O::Native>>,
) -> Result<PrimitiveArray<O>>
where
    I: ArrowPrimitiveType,
    O: ArrowPrimitiveType,
{
    let mut builder = PrimitiveBuilder::<O>::with_capacity(array.len());
    for value in array {
        builder.append_option(value.map(&f).transpose()?.flatten());
    }
    Ok(builder.finish())
}

/// The same over text.
pub(crate) fn each_text<O: ArrowPrimitiveType>(
    array: &ArrayRef,
    f: impl Fn(&str) -> Result<Option<O::Native>>,
) -> Result<PrimitiveArray<O>> {
    let mut builder = PrimitiveBuilder::<O>::with_capacity(array.len());
    for value in array.as_string::<i32>() {
        builder.append_option(value.map(&f).transpose()?.flatten());
    }
    Ok(builder.finish())
}

/// The kinds of number that a conversion starts from, widened.
enum Source {
    Whole(PrimitiveArray<types::Int64Type>),
    Real(PrimitiveArray<types::Float64Type>),
    Single(PrimitiveArray<types::Float32Type>),
    Decimal(PrimitiveArray<types::Decimal128Type>, i8),
    /// Microseconds since the epoch.
    Micros(PrimitiveArray<types::Int64Type>),
    Text,
}

fn source(array: &ArrayRef, from: &SqlType) -> Result<Option<Source>> {
    let SqlType::Column(data_type) = from else { return Ok(None) };
    let whole = |array: &ArrayRef| -> Result<_> {
        Ok(compute::cast(array, &ArrowType::Int64)?.as_primitive::<types::Int64Type>().clone())
    };
    Ok(Some(match data_type {
        DataType::Boolean | DataType::Byte | DataType::Short | DataType::Int | DataType::Long => {
            Source::Whole(whole(array)?)
        }
        DataType::Float => Source::Single(array.as_primitive::<types::Float32Type>().clone()),
        DataType::Double => Source::Real(array.as_primitive::<types::Float64Type>().clone()),
        DataType::Decimal { scale, .. } => {
            Source::Decimal(array.as_primitive::<types::Decimal128Type>().clone(), *scale)
        }
        DataType::Timestamp => Source::Micros(whole(array)?),
        DataType::String => Source::Text,
        _ => return Ok(None),
    }))
}

/// To TINYINT, SMALLINT, INT or BIGINT; `None` where the pair is not convertible.
pub(crate) fn to_integral(array: &ArrayRef, from: &SqlType, to: &SqlType, mode: Mode) -> Result<Option<ArrayRef>> {
    let (low, high) = match to.column() {
        Some(DataType::Byte) => (i64::from(i8::MIN), i64::from(i8::MAX)),
        Some(DataType::Short) => (i64::from(i16::MIN), i64::from(i16::MAX)),
        Some(DataType::Int) => (i64::from(i32::MIN), i64::from(i32::MAX)),
        _ => (i64::MIN, i64::MAX),
    };
    let fit = |value: i128, shown: &dyn Fn() -> String| -> Result<Option<i64>> {
        match i64::try_from(value) {
            Ok(value) if (low..=high).contains(&value) => Ok(Some(value)),
            _ if mode == Mode::Legacy => Ok(Some(wrap(value, low))),
            _ => mode.fail(|| overflow(&shown(), from, to)),
        }
    };
    let real = |value: f64, shown: &dyn Fn() -> String| -> Result<Option<i64>> {
        if mode == Mode::Legacy {
            return Ok(Some(saturate(value, low)));
        }
        // The bounds are compared as doubles, as Java does: 2^63 itself passes and saturates.
        let truncated = value.trunc();
        if value.is_nan() || truncated < low as f64 || truncated > high as f64 {
            return mode.fail(|| overflow(&shown(), from, to));
        }
        Ok(Some(truncated as i64))
    };
    let Some(source) = source(array, from)? else { return Ok(None) };
    let whole: PrimitiveArray<types::Int64Type> = match source {
        Source::Whole(values) => each(&values, |value| fit(i128::from(value), &|| value.to_string()))?,
        Source::Micros(values) => {
            each(&values, |value| fit(i128::from(value.div_euclid(MICROS)), &|| value.to_string()))?
        }
        Source::Decimal(values, scale) => {
            let unit = power_of_ten(scale);
            each(&values, |value| fit(value / unit, &|| shown_decimal(value, scale)))?
        }
        Source::Real(values) => each(&values, |value| real(value, &|| shown_double(value)))?,
        Source::Single(values) => each(&values, |value| real(f64::from(value), &|| shown_double(f64::from(value))))?,
        Source::Text => each_text(array, |text| match number::integer(text, mode == Mode::Legacy) {
            Some(value) if (low..=high).contains(&value) => Ok(Some(value)),
            _ => mode.fail(|| invalid_input(text, from, to)),
        })?,
    };
    Ok(Some(compute::cast(&whole, &to.arrow())?))
}

/// The low bits, as Java's narrowing keeps them.
fn wrap(value: i128, low: i64) -> i64 {
    match -low.wrapping_add(1) {
        127 => i64::from(value as i8),
        32_767 => i64::from(value as i16),
        2_147_483_647 => i64::from(value as i32),
        _ => value as i64,
    }
}

/// Java's conversion: bounded to INT or BIGINT, then narrowed.
fn saturate(value: f64, low: i64) -> i64 {
    if low == i64::MIN { value as i64 } else { wrap(i128::from(value as i32), low) }
}

/// To FLOAT or DOUBLE.
pub(crate) fn to_floating(array: &ArrayRef, from: &SqlType, to: &SqlType, mode: Mode) -> Result<Option<ArrayRef>> {
    let Some(source) = source(array, from)? else { return Ok(None) };
    let real: ArrayRef = match source {
        Source::Whole(values) => compute::cast(&values, &ArrowType::Float64)?,
        Source::Real(_) | Source::Single(_) => Arc::clone(array),
        Source::Micros(values) => Arc::new(values.unary::<_, types::Float64Type>(|value| value as f64 / MICROS as f64)),
        // Through text, so that the nearest double is found.
        Source::Decimal(values, scale) => Arc::new(each::<_, types::Float64Type>(&values, |value| {
            Ok(shown_decimal(value, scale).parse::<f64>().ok())
        })?),
        Source::Text => Arc::new(each_text::<types::Float64Type>(array, |text| match number::double(text) {
            Some(value) => Ok(Some(value)),
            None => mode.fail(|| invalid_input(text, from, to)),
        })?),
    };
    if matches!(to.column(), Some(DataType::Float)) && real.data_type() == &ArrowType::Float64 {
        // Too large becomes infinity, without an error.
        let values = real.as_primitive::<types::Float64Type>();
        return Ok(Some(Arc::new(values.unary::<_, types::Float32Type>(|value| value as f32))));
    }
    Ok(Some(compute::cast(&real, &to.arrow())?))
}

/// To DECIMAL, rounded half up.
pub(crate) fn to_decimal(array: &ArrayRef, from: &SqlType, to: &SqlType, mode: Mode) -> Result<Option<ArrayRef>> {
    let ArrowType::Decimal128(precision, scale) = to.arrow() else { return Ok(None) };
    let limit = power_of_ten(i8::try_from(precision).unwrap_or(38));
    let fit = |value: Option<i128>, shown: &dyn Fn() -> String| -> Result<Option<i128>> {
        match value {
            Some(value) if value.abs() < limit => Ok(Some(value)),
            _ => mode.fail(|| out_of_range(&shown(), to)),
        }
    };
    let unit = power_of_ten(scale);
    let parsed = |text: &str| -> Result<Option<i128>> {
        match number::decimal(text, scale) {
            Some(value) => fit(value.ok(), &|| text.to_owned()),
            None => mode.fail(|| invalid_input(text, from, to)),
        }
    };
    let Some(source) = source(array, from)? else { return Ok(None) };
    let values: PrimitiveArray<types::Decimal128Type> = match source {
        Source::Whole(values) => {
            each(&values, |value| fit(i128::from(value).checked_mul(unit), &|| value.to_string()))?
        }
        Source::Micros(values) => {
            each(&values, |value| fit(rescale(i128::from(value), 6, scale), &|| value.to_string()))?
        }
        Source::Decimal(values, old) => {
            each(&values, |value| fit(rescale(value, old, scale), &|| shown_decimal(value, old)))?
        }
        // NaN and the infinities are no decimals, and no errors either.
        Source::Real(values) => {
            each(&values, |value| if value.is_finite() { parsed(&shown_double(value)) } else { Ok(None) })?
        }
        Source::Single(values) => each(&values, |value| {
            if !value.is_finite() {
                return Ok(None);
            }
            let mut text = String::new();
            write_float(value, &mut text);
            parsed(&text)
        })?,
        Source::Text => each_text(array, parsed)?,
    };
    Ok(Some(Arc::new(values.with_precision_and_scale(precision, scale)?)))
}

/// The unscaled value at another scale, rounded half away from zero.
pub(crate) fn rescale(value: i128, from: i8, to: i8) -> Option<i128> {
    if to >= from {
        return value.checked_mul(power_of_ten(to - from));
    }
    let unit = power_of_ten(from - to);
    let (whole, rest) = (value / unit, value % unit);
    let up = rest.unsigned_abs() * 2 >= unit.unsigned_abs();
    Some(if up { whole + value.signum() } else { whole })
}

/// To BOOLEAN: numbers by whether they are zero, text by its words.
pub(crate) fn to_boolean(array: &ArrayRef, from: &SqlType, to: &SqlType, mode: Mode) -> Result<Option<ArrayRef>> {
    let Some(source) = source(array, from)? else { return Ok(None) };
    let values: BooleanArray = match source {
        Source::Whole(values) | Source::Micros(values) => values.iter().map(|value| value.map(|v| v != 0)).collect(),
        Source::Real(values) => values.iter().map(|value| value.map(|v| v != 0.0)).collect(),
        Source::Single(values) => values.iter().map(|value| value.map(|v| v != 0.0)).collect(),
        Source::Decimal(values, _) => values.iter().map(|value| value.map(|v| v != 0)).collect(),
        Source::Text => {
            let parse = |text: &str| match number::boolean(text) {
                Some(value) => Ok(Some(value)),
                None => mode.fail(|| invalid_input(text, from, to)),
            };
            let texts = array.as_string::<i32>().iter();
            texts.map(|text| text.map(parse).transpose().map(Option::flatten)).collect::<Result<_>>()?
        }
    };
    Ok(Some(Arc::new(values)))
}

fn shown_decimal(value: i128, scale: i8) -> String {
    let mut text = String::new();
    super::display::write_decimal(value, scale, &mut text);
    text
}

fn shown_double(value: f64) -> String {
    let mut text = String::new();
    write_double(value, &mut text);
    text
}
