//! Random numbers. They are drawn from a seed, given or taken from the session's instant, so that a run can be
//! repeated to the byte; they are not Spark's own sequence.

use super::call::{Bound, Call};
use super::udf::{self, Gives};
use crate::error::Complaint;
use crate::typed::{SqlType, Typed};
use arrow::array::{ArrayRef, Float64Array};
use datafusion::common::{Result as DfResult, ScalarValue};
use delta::schema::DataType;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) const NAMES: &[&str] = &["rand", "random", "randn", "uuid"];

pub(super) fn bind(call: Call) -> Bound {
    let call = call.arity(0, 1)?;
    let seed = seed(&call)?;
    let state = AtomicU64::new(seed);
    let draw = move || next(&state);
    match call.name {
        "uuid" => volatile("uuid", DataType::String, seed, move |rows| {
            let texts = (0..rows).map(|_| Some(uuid(draw(), draw())));
            Arc::new(texts.collect::<arrow::array::StringArray>())
        }),
        "randn" => volatile("randn", DataType::Double, seed, move |rows| {
            // Box and Muller's transform.
            let normal = |_| (-2.0 * (1.0 - unit(draw())).ln()).sqrt() * (std::f64::consts::TAU * unit(draw())).cos();
            Arc::new((0..rows).map(normal).collect::<Float64Array>())
        }),
        _ => volatile("rand", DataType::Double, seed, move |rows| {
            Arc::new((0..rows).map(|_| unit(draw())).collect::<Float64Array>())
        }),
    }
}

fn seed(call: &Call) -> Result<u64, Complaint> {
    match call.args.first().map(Typed::as_literal) {
        None => Ok(call.session.now_micros().cast_unsigned()),
        Some(Some(ScalarValue::Int32(Some(seed)))) => Ok(i64::from(*seed).cast_unsigned()),
        Some(Some(ScalarValue::Int64(Some(seed)))) => Ok(seed.cast_unsigned()),
        Some(Some(value)) if value.is_null() => Ok(0),
        Some(_) => call.wrong(0, "a constant INT or BIGINT"),
    }
}

fn volatile(name: &str, to: DataType, seed: u64, draw: impl Fn(usize) -> ArrayRef + Send + Sync + 'static) -> Bound {
    let to = SqlType::from(to);
    let gives = Gives { data_type: to.arrow(), nullable: false };
    let kernel = move |args: &udf::Args| -> DfResult<ArrayRef> { Ok(draw(args.rows())) };
    Ok(Typed::new(udf::volatile(name, seed.to_string(), gives, Vec::new(), kernel), to, false))
}

/// SplitMix64.
fn next(state: &AtomicU64) -> u64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut z = state.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The 53 high bits as a number from 0 up to 1.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// A version 4 identifier.
fn uuid(high: u64, low: u64) -> String {
    let (high, low) = ((high & !0xf000) | 0x4000, (low & !(0b11 << 62)) | (0b10 << 62));
    let (a, b, c) = (high >> 32, (high >> 16) & 0xffff, high & 0xffff);
    format!("{a:08x}-{b:04x}-{c:04x}-{:04x}-{:012x}", low >> 48, low & 0xffff_ffff_ffff)
}
