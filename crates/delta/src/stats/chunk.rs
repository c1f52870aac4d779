//! NULLs and bounds of one column in one row group: looked at once, told twice, in the footer of the Parquet file and in
//! the statistics of the add action.

use super::bounds::{bounds, numbers};
use super::collect::{stored_max, stored_min};
use crate::scalar::Scalar;
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType as Arrow, Float32Type, Float64Type, TimeUnit};
use parquet::data_type::ByteArray;
use parquet::file::statistics::{Statistics, ValueStatistics};

// A footer is read whole before anything else, so it holds no long texts.
const FOOTER_TEXT: usize = 64;

/// What is known of a column in a row group.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChunkStats {
    pub(crate) nulls: u64,
    /// In Spark's order, where NaN is the largest number; absent if all values are NULL.
    pub(crate) bounds: Option<(Scalar, Scalar)>,
    /// Bounds of floats without NaN, as a footer has them.
    numbers: Option<(f64, f64)>,
}

/// Whether [`ChunkStats::of`] knows the type. The writer itself looks at the others.
pub(crate) fn is_known(data_type: &Arrow) -> bool {
    matches!(
        data_type,
        Arrow::Int8
            | Arrow::Int16
            | Arrow::Int32
            | Arrow::Int64
            | Arrow::Float32
            | Arrow::Float64
            | Arrow::Date32
            | Arrow::Timestamp(TimeUnit::Microsecond, _)
            | Arrow::Utf8
    )
}

impl ChunkStats {
    /// Of arrays of one known type that follow each other.
    pub(crate) fn of(arrays: &[ArrayRef]) -> Self {
        arrays.iter().map(of_array).fold(Self { nulls: 0, bounds: None, numbers: None }, Self::and)
    }

    /// Of both together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            nulls: self.nulls + other.nulls,
            bounds: wider(self.bounds, other.bounds),
            numbers: wider(self.numbers, other.numbers),
        }
    }

    /// As the footer has them (parquet.thrift, Statistics): no NaN, and a zero bound includes both zeros.
    pub(crate) fn to_parquet(&self, data_type: &Arrow) -> Statistics {
        let nulls = Some(self.nulls);
        let (low, high) = self.bounds.clone().unzip();
        let numbers = self.numbers.map(|(low, high)| {
            let low = if low == 0.0 { -0.0 } else { low };
            (low, if high == 0.0 { 0.0 } else { high })
        });
        match data_type {
            Arrow::Utf8 => {
                let (low, low_is_exact) = footer_text(low, stored_min);
                let (high, high_is_exact) = footer_text(high, stored_max);
                let bounds = ValueStatistics::new(low, high, None, nulls, false);
                Statistics::ByteArray(bounds.with_min_is_exact(low_is_exact).with_max_is_exact(high_is_exact))
            }
            Arrow::Float32 => {
                let (low, high) = numbers.map(|(low, high)| (low as f32, high as f32)).unzip();
                Statistics::float(low, high, None, nulls, false)
            }
            Arrow::Float64 => {
                let (low, high) = numbers.unzip();
                Statistics::double(low, high, None, nulls, false)
            }
            Arrow::Int64 | Arrow::Timestamp(..) => {
                Statistics::int64(low.and_then(integer), high.and_then(integer), None, nulls, false)
            }
            _ => {
                let narrow =
                    |bound: Option<Scalar>| bound.and_then(integer).and_then(|value| i32::try_from(value).ok());
                Statistics::int32(narrow(low), narrow(high), None, nulls, false)
            }
        }
    }
}

fn of_array(array: &ArrayRef) -> ChunkStats {
    let nulls = array.null_count() as u64;
    // Both pairs of bounds of a float column come from one look at it.
    let found = match array.data_type() {
        Arrow::Float32 => numbers(array.as_primitive::<Float32Type>()),
        Arrow::Float64 => numbers(array.as_primitive::<Float64Type>()),
        _ => return ChunkStats { nulls, bounds: bounds(array), numbers: None },
    };
    let is_wide = array.data_type() == &Arrow::Float64;
    let scalar = |value: f64| if is_wide { Scalar::Double(value) } else { Scalar::Float(value as f32) };
    let bounds = found.in_spark_order().map(|(low, high)| (scalar(low), scalar(high)));
    ChunkStats { nulls, bounds, numbers: found.range }
}

fn wider<T: PartialOrd>(one: Option<(T, T)>, other: Option<(T, T)>) -> Option<(T, T)> {
    match (one, other) {
        (Some((low, high)), Some((other_low, other_high))) => {
            Some((if other_low < low { other_low } else { low }, if other_high > high { other_high } else { high }))
        }
        (one, other) => one.or(other),
    }
}

fn integer(bound: Scalar) -> Option<i64> {
    match bound {
        Scalar::Int(value) | Scalar::Timestamp(value) | Scalar::TimestampNtz(value) => Some(value),
        Scalar::Date(days) => Some(i64::from(days)),
        _ => None,
    }
}

fn footer_text(bound: Option<Scalar>, cut: impl Fn(Scalar) -> Scalar) -> (Option<ByteArray>, bool) {
    let text = |bound: Scalar| match bound {
        Scalar::String(text) => Some(ByteArray::from(text.into_bytes())),
        _ => None,
    };
    match bound {
        Some(Scalar::String(long)) if long.len() > FOOTER_TEXT => (text(cut(Scalar::String(long))), false),
        bound => (bound.and_then(text), true),
    }
}
