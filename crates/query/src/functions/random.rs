//! Random numbers: Spark's own sequence for a seed, which each task draws anew with its number added to the seed. A seed
//! that is not given is taken from the session's instant, so that a run can be repeated to the byte. And what else depends
//! on the task: its number, and numbers of rows that no other task gives.

use super::call::{Bound, Call};
use super::udf::{self, Gives};
use super::xorshift::XorShift;
use crate::error::Complaint;
use crate::tasks;
use crate::typed::{SqlType, Typed};
use arrow::array::{ArrayRef, Float64Array, Int32Array, Int64Array, StringArray};
use datafusion::common::{Result as DfResult, ScalarValue};
use delta::schema::DataType;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

pub(super) const NAMES: &[&str] =
    &["rand", "random", "randn", "uuid", "spark_partition_id", "monotonically_increasing_id"];

pub(super) fn bind(call: Call) -> Bound {
    match call.name {
        "spark_partition_id" => {
            call.arity(0, 0)?;
            volatile("spark_partition_id", DataType::Int, 0, |rows| {
                Arc::new(Int32Array::from_value(i32::try_from(tasks::current()).unwrap_or(i32::MAX), rows))
            })
        }
        "monotonically_increasing_id" => {
            call.arity(0, 0)?;
            let next = OfTasks::new(|task| i64::try_from(task).unwrap_or_default() << 33);
            volatile("monotonically_increasing_id", DataType::Long, 0, move |rows| {
                next.with(|next| {
                    let first = *next;
                    *next += i64::try_from(rows).unwrap_or_default();
                    Arc::new((first..*next).collect::<Int64Array>())
                })
            })
        }
        _ => random(call),
    }
}

fn random(call: Call) -> Bound {
    let call = call.arity(0, 1)?;
    let seed = seed(&call)?;
    let source = OfTasks::new(move |task| XorShift::new(seed.wrapping_add(task as u64)));
    if call.name == "uuid" {
        return volatile("uuid", DataType::String, seed, move |rows| {
            source.with(|source| {
                let texts = (0..rows).map(|_| Some(uuid(source.bits(), source.bits())));
                Arc::new(texts.collect::<StringArray>())
            })
        });
    }
    let (name, draw): (_, fn(&mut XorShift) -> f64) = match call.name {
        "randn" => ("randn", XorShift::gaussian),
        _ => ("rand", XorShift::unit),
    };
    volatile(name, DataType::Double, seed, move |rows| {
        source.with(|source| Arc::new((0..rows).map(|_| draw(source)).collect::<Float64Array>()))
    })
}

/// A state for each task, made when the task first asks.
struct OfTasks<T> {
    states: Mutex<HashMap<usize, T>>,
    start: Box<dyn Fn(usize) -> T + Send + Sync>,
}

impl<T> OfTasks<T> {
    fn new(start: impl Fn(usize) -> T + Send + Sync + 'static) -> Self {
        Self { states: Mutex::default(), start: Box::new(start) }
    }

    /// Lends the state of the task that runs.
    fn with<R>(&self, use_it: impl FnOnce(&mut T) -> R) -> R {
        let task = tasks::current();
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        use_it(states.entry(task).or_insert_with(|| (self.start)(task)))
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

/// A version 4 identifier.
fn uuid(high: u64, low: u64) -> String {
    let (high, low) = ((high & !0xf000) | 0x4000, (low & !(0b11 << 62)) | (0b10 << 62));
    let (a, b, c) = (high >> 32, (high >> 16) & 0xffff, high & 0xffff);
    format!("{a:08x}-{b:04x}-{c:04x}-{:04x}-{:012x}", low >> 48, low & 0xffff_ffff_ffff)
}
