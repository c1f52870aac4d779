//! Random numbers: Spark's own sequence for a seed, as one task draws it. A seed that is not given is taken from the
//! session's instant, so that a run can be repeated to the byte.

use super::call::{Bound, Call};
use super::udf::{self, Gives};
use crate::error::Complaint;
use crate::typed::{SqlType, Typed};
use arrow::array::{ArrayRef, Float64Array};
use datafusion::common::{Result as DfResult, ScalarValue};
use delta::schema::DataType;
use std::sync::{Arc, Mutex, PoisonError};

pub(super) const NAMES: &[&str] = &["rand", "random", "randn", "uuid"];

pub(super) fn bind(call: Call) -> Bound {
    let call = call.arity(0, 1)?;
    let seed = seed(&call)?;
    let source = Mutex::new(XorShift::new(seed));
    let drawn = move |rows: usize, draw: fn(&mut XorShift) -> f64| {
        let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
        (0..rows).map(|_| draw(&mut source)).collect::<Float64Array>()
    };
    match call.name {
        "uuid" => {
            let source = Mutex::new(XorShift::new(seed));
            volatile("uuid", DataType::String, seed, move |rows| {
                let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
                let texts = (0..rows).map(|_| Some(uuid(source.bits(), source.bits())));
                Arc::new(texts.collect::<arrow::array::StringArray>())
            })
        }
        "randn" => volatile("randn", DataType::Double, seed, move |rows| Arc::new(drawn(rows, XorShift::gaussian))),
        _ => volatile("rand", DataType::Double, seed, move |rows| Arc::new(drawn(rows, XorShift::unit))),
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

/// Spark's generator: an xorshift whose seed is hashed first, with the doubles and Gaussians of `java.util.Random`.
struct XorShift {
    seed: i64,
    spare: Option<f64>,
}

impl XorShift {
    fn new(seed: u64) -> Self {
        let bytes = seed.to_be_bytes();
        let low = murmur(&bytes, 0x3c07_4a61);
        let high = murmur(&bytes, low);
        Self { seed: (i64::from(high) << 32) | (i64::from(low) & 0xffff_ffff), spare: None }
    }

    fn next(&mut self, bits: u32) -> i64 {
        let mut seed = self.seed ^ (self.seed << 21);
        seed ^= (seed.cast_unsigned() >> 35).cast_signed();
        seed ^= seed << 4;
        self.seed = seed;
        i64::from((seed & ((1_i64 << bits) - 1)) as i32)
    }

    /// From 0 up to 1.
    fn unit(&mut self) -> f64 {
        let (high, low) = (self.next(26), self.next(27));
        ((high << 27) + low) as f64 / (1_u64 << 53) as f64
    }

    /// With mean 0 and deviation 1; they are drawn in pairs.
    fn gaussian(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (x, y) = (2.0 * self.unit() - 1.0, 2.0 * self.unit() - 1.0);
            let square = x * x + y * y;
            if square < 1.0 && square != 0.0 {
                let factor = (-2.0 * square.ln() / square).sqrt();
                self.spare = Some(y * factor);
                return x * factor;
            }
        }
    }

    fn bits(&mut self) -> u64 {
        (self.next(32).cast_unsigned() << 32) | (self.next(32).cast_unsigned() & 0xffff_ffff)
    }
}

/// MurmurHash3 of eight bytes, 32 bits.
fn murmur(bytes: &[u8; 8], seed: i32) -> i32 {
    let mut hash = seed.cast_unsigned();
    for block in bytes.chunks_exact(4) {
        let block = block.iter().rev().fold(0_u32, |block, byte| (block << 8) | u32::from(*byte));
        let mixed = block.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
        hash = (hash ^ mixed).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    hash ^= 8;
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    (hash ^ (hash >> 16)).cast_signed()
}

/// A version 4 identifier.
fn uuid(high: u64, low: u64) -> String {
    let (high, low) = ((high & !0xf000) | 0x4000, (low & !(0b11 << 62)) | (0b10 << 62));
    let (a, b, c) = (high >> 32, (high >> 16) & 0xffff, high & 0xffff);
    format!("{a:08x}-{b:04x}-{c:04x}-{:04x}-{:012x}", low >> 48, low & 0xffff_ffff_ffff)
}
