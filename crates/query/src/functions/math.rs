//! Mathematics on doubles, and `abs`, `mod`, `pmod` and the bit functions on every number type.

use super::call::{Bound, Call};
use super::udf::Args;
use crate::ops::{self, divide_by_zero, overflow};
use crate::typed::{SqlType, Typed};
use arrow::array::{
    ArrayRef, ArrowNativeTypeOp, ArrowPrimitiveType, AsArray, BooleanArray, Float64Array, Int32Array, Int64Array,
    PrimitiveBuilder,
};
use arrow::compute;
use arrow::datatypes as types;
use arrow::datatypes::DataType as ArrowType;
use datafusion::common::{Result as DfResult, ScalarValue};
use delta::schema::DataType;
use spec::BinaryOp;
use std::sync::Arc;

pub(super) const NAMES: &[&str] = &[
    "abs",
    "sqrt",
    "cbrt",
    "exp",
    "expm1",
    "ln",
    "log",
    "log10",
    "log2",
    "log1p",
    "pow",
    "power",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "degrees",
    "radians",
    "sign",
    "signum",
    "rint",
    "hypot",
    "pi",
    "e",
    "mod",
    "pmod",
    "isnan",
    "nanvl",
    "factorial",
    "shiftleft",
    "shiftright",
    "shiftrightunsigned",
    "bit_count",
    "negative",
    "positive",
    "width_bucket",
];

pub(super) fn bind(call: Call) -> Bound {
    match call.name {
        "abs" => abs(call),
        "negative" => {
            let session = call.session;
            let [value] = call.arity(1, 1)?.take()?;
            ops::unary(session, spec::UnaryOp::Minus, value)
        }
        "positive" => {
            let session = call.session;
            let [value] = call.arity(1, 1)?.take()?;
            ops::unary(session, spec::UnaryOp::Plus, value)
        }
        "mod" => {
            let session = call.session;
            let [left, right] = call.arity(2, 2)?.take()?;
            ops::binary(session, BinaryOp::Modulo, left, right)
        }
        "pmod" => pmod(call),
        "pi" => constant(call, std::f64::consts::PI),
        "e" => constant(call, std::f64::consts::E),
        "sqrt" => real(call, f64::sqrt),
        "cbrt" => real(call, f64::cbrt),
        "exp" => real(call, f64::exp),
        "expm1" => real(call, f64::exp_m1),
        "sin" => real(call, f64::sin),
        "cos" => real(call, f64::cos),
        "tan" => real(call, f64::tan),
        "asin" => real(call, f64::asin),
        "acos" => real(call, f64::acos),
        "atan" => real(call, f64::atan),
        "sinh" => real(call, f64::sinh),
        "cosh" => real(call, f64::cosh),
        "tanh" => real(call, f64::tanh),
        "degrees" => real(call, f64::to_degrees),
        "radians" => real(call, f64::to_radians),
        "rint" => real(call, f64::round_ties_even),
        "sign" | "signum" => real(call, |x| if x == 0.0 || x.is_nan() { x } else { x.signum() }),
        "ln" => logarithm(call, 0.0, f64::ln),
        "log10" => logarithm(call, 0.0, f64::log10),
        "log2" => logarithm(call, 0.0, f64::log2),
        "log1p" => logarithm(call, -1.0, f64::ln_1p),
        "log" if call.args.len() == 1 => logarithm(call, 0.0, f64::ln),
        "log" => two_reals(call, |base, x| (base > 0.0 && x > 0.0).then(|| x.ln() / base.ln())),
        "pow" | "power" => two_reals(call, |x, y| Some(x.powf(y))),
        "atan2" => two_reals(call, |y, x| Some(y.atan2(x))),
        "hypot" => two_reals(call, |x, y| Some(x.hypot(y))),
        "nanvl" => two_reals(call, |x, y| Some(if x.is_nan() { y } else { x })),
        "isnan" => call.arity(1, 1)?.double(0)?.gives_nullable(DataType::Boolean, false, |args| {
            let values = args.primitive::<types::Float64Type>(0)?;
            let is_nan = (0..args.rows()).map(|row| Some(values.get(row).is_some_and(f64::is_nan)));
            Ok(Arc::new(is_nan.collect::<BooleanArray>()))
        }),
        "factorial" => call.arity(1, 1)?.int(0)?.gives_nullable(DataType::Long, true, |args| {
            let values = args.primitive::<types::Int32Type>(0)?;
            let factorial = |n: i32| (0..=20).contains(&n).then(|| (1..=i64::from(n)).product::<i64>());
            Ok(Arc::new((0..args.rows()).map(|row| values.get(row).and_then(factorial)).collect::<Int64Array>()))
        }),
        "shiftleft" => shift(call, i32::wrapping_shl, i64::wrapping_shl),
        "shiftright" => shift(call, i32::wrapping_shr, i64::wrapping_shr),
        "shiftrightunsigned" => shift(
            call,
            |value, by| value.cast_unsigned().wrapping_shr(by).cast_signed(),
            |value, by| value.cast_unsigned().wrapping_shr(by).cast_signed(),
        ),
        "width_bucket" => width_bucket(call),
        _ => bit_count(call),
    }
}

fn constant(call: Call, value: f64) -> Bound {
    call.arity(0, 0)?;
    Ok(Typed::literal(ScalarValue::Float64(Some(value)), DataType::Double))
}

fn real(call: Call, f: fn(f64) -> f64) -> Bound {
    call.arity(1, 1)?.double(0)?.gives(DataType::Double, move |args| {
        let values = args.array(0)?;
        Ok(Arc::new(values.as_primitive::<types::Float64Type>().unary::<_, types::Float64Type>(f)) as ArrayRef)
    })
}

/// NULL at and below `bound`.
fn logarithm(call: Call, bound: f64, f: fn(f64) -> f64) -> Bound {
    call.arity(1, 1)?.double(0)?.gives_nullable(DataType::Double, true, move |args| {
        let values = args.primitive::<types::Float64Type>(0)?;
        let logs = (0..args.rows()).map(|row| values.get(row).filter(|x| x.is_nan() || *x > bound).map(f));
        Ok(Arc::new(logs.collect::<Float64Array>()))
    })
}

fn two_reals(call: Call, f: fn(f64, f64) -> Option<f64>) -> Bound {
    call.arity(2, 2)?.double(0)?.double(1)?.gives_nullable(DataType::Double, true, move |args| {
        let (left, right) = (args.primitive::<types::Float64Type>(0)?, args.primitive::<types::Float64Type>(1)?);
        let values = (0..args.rows()).map(|row| left.get(row).zip(right.get(row)).and_then(|(x, y)| f(x, y)));
        Ok(Arc::new(values.collect::<Float64Array>()))
    })
}

/// The call with its argument as a number; text becomes DOUBLE.
fn numeric(call: Call<'_>, idx: usize) -> Result<Call<'_>, crate::error::Complaint> {
    match call.type_of(idx) {
        found if found.is_numeric() => Ok(call),
        found if found.is_string() || found.is_void() => call.double(idx),
        _ => call.wrong(idx, "NUMERIC"),
    }
}

fn abs(call: Call) -> Bound {
    let call = numeric(call.arity(1, 1)?, 0)?;
    let to = call.type_of(0);
    let data_type = to.clone();
    call.gives(to, move |args| match data_type.column() {
        Some(DataType::Byte) => absolute::<types::Int8Type>(args, &data_type),
        Some(DataType::Short) => absolute::<types::Int16Type>(args, &data_type),
        Some(DataType::Int) => absolute::<types::Int32Type>(args, &data_type),
        Some(DataType::Long) => absolute::<types::Int64Type>(args, &data_type),
        Some(DataType::Float) => absolute::<types::Float32Type>(args, &data_type),
        Some(DataType::Double) => absolute::<types::Float64Type>(args, &data_type),
        _ => absolute::<types::Decimal128Type>(args, &data_type),
    })
}

fn absolute<T: ArrowPrimitiveType>(args: &Args, to: &SqlType) -> DfResult<ArrayRef>
where
    T::Native: ArrowNativeTypeOp,
{
    let values = args.primitive::<T>(0)?;
    let mut builder = PrimitiveBuilder::<T>::with_capacity(args.rows());
    for row in 0..args.rows() {
        let value = values.get(row).map(|value| match value.is_lt(T::Native::ZERO) {
            true => value.neg_checked().map_err(|_| overflow(&format!("abs({value:?})"), to)),
            false => Ok(value),
        });
        builder.append_option(value.transpose()?);
    }
    Ok(Arc::new(builder.finish().with_data_type(to.arrow())))
}

/// The remainder that is never negative for a positive divisor.
fn pmod(call: Call) -> Bound {
    let call = numeric(numeric(call.arity(2, 2)?, 0)?, 1)?;
    let has_decimal = (0..2).any(|idx| matches!(call.type_of(idx).column(), Some(DataType::Decimal { .. })));
    let has_real = (0..2).any(|idx| matches!(call.type_of(idx).column(), Some(DataType::Float | DataType::Double)));
    if has_decimal && !has_real {
        return decimal_pmod(call);
    }
    let (call, common) = call.common(0)?;
    let data_type = common.clone();
    call.gives(common, move |args| match data_type.column() {
        Some(DataType::Byte) => remainders::<types::Int8Type>(args, &data_type),
        Some(DataType::Short) => remainders::<types::Int16Type>(args, &data_type),
        Some(DataType::Int) => remainders::<types::Int32Type>(args, &data_type),
        Some(DataType::Long) => remainders::<types::Int64Type>(args, &data_type),
        Some(DataType::Float) => remainders::<types::Float32Type>(args, &data_type),
        Some(DataType::Double) => remainders::<types::Float64Type>(args, &data_type),
        _ => remainders::<types::Decimal128Type>(args, &data_type),
    })
}

/// On decimals as `((a % n) + n) % n`.
fn decimal_pmod(call: Call) -> Bound {
    let session = call.session;
    let [value, divisor] = call.take()?;
    let rest = ops::binary(session, BinaryOp::Modulo, value, divisor.clone())?;
    let to = rest.data_type.clone();
    let raised = ops::binary(session, BinaryOp::Plus, rest, divisor.clone())?;
    let rest = ops::binary(session, BinaryOp::Modulo, raised, divisor)?;
    crate::cast::cast(session, rest, &to, crate::cast::Mode::Ansi)
}

fn remainders<T: ArrowPrimitiveType>(args: &Args, to: &SqlType) -> DfResult<ArrayRef>
where
    T::Native: ArrowNativeTypeOp,
{
    let (values, divisors) = (args.primitive::<T>(0)?, args.primitive::<T>(1)?);
    let mut builder = PrimitiveBuilder::<T>::with_capacity(args.rows());
    for row in 0..args.rows() {
        let (Some(value), Some(divisor)) = (values.get(row), divisors.get(row)) else {
            builder.append_null();
            continue;
        };
        if divisor.is_zero() {
            return Err(divide_by_zero().into());
        }
        let rest = value.mod_wrapping(divisor);
        let rest = match rest.is_lt(T::Native::ZERO) {
            true => rest.add_wrapping(divisor).mod_wrapping(divisor),
            false => rest,
        };
        builder.append_value(rest);
    }
    Ok(Arc::new(builder.finish().with_data_type(to.arrow())))
}

fn shift(call: Call, narrow: fn(i32, u32) -> i32, wide: fn(i64, u32) -> i64) -> Bound {
    let call = call.arity(2, 2)?.int(1)?;
    if call.type_of(0).is(&DataType::Long) {
        return call.gives(DataType::Long, move |args| {
            let (values, counts) = (args.primitive::<types::Int64Type>(0)?, args.primitive::<types::Int32Type>(1)?);
            let both = |row: usize| values.get(row).zip(counts.get(row));
            let shifted = (0..args.rows()).map(|row| both(row).map(|(value, by)| wide(value, by.cast_unsigned())));
            Ok(Arc::new(shifted.collect::<Int64Array>()))
        });
    }
    call.int(0)?.gives(DataType::Int, move |args| {
        let (values, counts) = (args.primitive::<types::Int32Type>(0)?, args.primitive::<types::Int32Type>(1)?);
        let both = |row: usize| values.get(row).zip(counts.get(row));
        let shifted = (0..args.rows()).map(|row| both(row).map(|(value, by)| narrow(value, by.cast_unsigned())));
        Ok(Arc::new(shifted.collect::<Int32Array>()))
    })
}

fn bit_count(call: Call) -> Bound {
    let call = call.arity(1, 1)?;
    if !call.type_of(0).is_integral() && !call.type_of(0).is_boolean() {
        return call.wrong(0, "INTEGRAL or BOOLEAN");
    }
    let narrow = !call.type_of(0).is(&DataType::Long);
    call.gives(DataType::Int, move |args| {
        let values = compute::cast(&args.array(0)?, &ArrowType::Int64)?;
        let values = values.as_primitive::<types::Int64Type>();
        let count = |value: i64| if narrow { (value as i32).count_ones() } else { value.count_ones() };
        Ok(Arc::new(values.unary::<_, types::Int32Type>(|value| count(value).cast_signed())) as ArrayRef)
    })
}

fn width_bucket(call: Call) -> Bound {
    let call = call.arity(4, 4)?.double(0)?.double(1)?.double(2)?.implicit(3, DataType::Long)?;
    call.gives_nullable(DataType::Long, true, |args| {
        let [x, low, high] = [0, 1, 2].map(|idx| args.primitive::<types::Float64Type>(idx));
        let (x, low, high, counts) = (x?, low?, high?, args.primitive::<types::Int64Type>(3)?);
        let bucket = |row: usize| -> Option<i64> {
            let (x, low, high, n) = (x.get(row)?, low.get(row)?, high.get(row)?, counts.get(row)?);
            if n <= 0 || low == high || ![x, low, high].iter().all(|value| value.is_finite()) {
                return None;
            }
            let share = (x - low) / (high - low);
            Some(match () {
                () if share < 0.0 => 0,
                () if share >= 1.0 => n + 1,
                () => (share * n as f64) as i64 + 1,
            })
        };
        Ok(Arc::new((0..args.rows()).map(bucket).collect::<Int64Array>()))
    })
}
