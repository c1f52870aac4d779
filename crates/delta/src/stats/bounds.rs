//! Smallest and largest value of one array, in Spark's order, one tight loop per type.

use crate::scalar::Scalar;
use arrow::array::{Array, ArrayRef, ArrowNativeTypeOp, ArrowPrimitiveType, AsArray, PrimitiveArray, StringArray};
use arrow::compute::{max, min};
use arrow::datatypes::{
    DataType as Arrow, Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType,
};

/// The bounds of the array; `None` if all of it is NULL or its type has no bounds.
pub(super) fn bounds(array: &ArrayRef) -> Option<(Scalar, Scalar)> {
    Some(match array.data_type() {
        Arrow::Int8 => integers::<Int8Type>(array)?,
        Arrow::Int16 => integers::<Int16Type>(array)?,
        Arrow::Int32 => integers::<Int32Type>(array)?,
        Arrow::Int64 => integers::<Int64Type>(array)?,
        Arrow::Float32 => {
            let (low, high) = numbers(array.as_primitive::<Float32Type>()).in_spark_order()?;
            (Scalar::Float(low as f32), Scalar::Float(high as f32))
        }
        Arrow::Float64 => {
            let (low, high) = numbers(array.as_primitive::<Float64Type>()).in_spark_order()?;
            (Scalar::Double(low), Scalar::Double(high))
        }
        Arrow::Decimal128(_, scale) => {
            let (low, high) = primitive::<Decimal128Type>(array)?;
            (Scalar::Decimal(low, *scale), Scalar::Decimal(high, *scale))
        }
        Arrow::Utf8 => {
            let (low, high) = texts(array.as_string::<i32>())?;
            (Scalar::String(low.to_owned()), Scalar::String(high.to_owned()))
        }
        Arrow::Date32 => {
            let (low, high) = primitive::<Date32Type>(array)?;
            (Scalar::Date(low), Scalar::Date(high))
        }
        Arrow::Timestamp(_, zone) => {
            let (low, high) = primitive::<TimestampMicrosecondType>(array)?;
            match zone {
                Some(_) => (Scalar::Timestamp(low), Scalar::Timestamp(high)),
                None => (Scalar::TimestampNtz(low), Scalar::TimestampNtz(high)),
            }
        }
        _ => return None,
    })
}

fn integers<T>(array: &ArrayRef) -> Option<(Scalar, Scalar)>
where
    T: ArrowPrimitiveType,
    T::Native: ArrowNativeTypeOp + Into<i64>,
{
    let (low, high) = primitive::<T>(array)?;
    Some((Scalar::Int(low.into()), Scalar::Int(high.into())))
}

fn primitive<T>(array: &ArrayRef) -> Option<(T::Native, T::Native)>
where
    T: ArrowPrimitiveType,
    T::Native: ArrowNativeTypeOp,
{
    let values = array.as_primitive_opt::<T>()?;
    Some((min(values)?, max(values)?))
}

/// What an array of floats holds.
pub(super) struct Numbers {
    /// Smallest and largest number.
    pub(super) range: Option<(f64, f64)>,
    has_nan: bool,
}

impl Numbers {
    /// The bounds if NaN is larger than every number.
    pub(super) fn in_spark_order(&self) -> Option<(f64, f64)> {
        match self.range {
            None => self.has_nan.then_some((f64::NAN, f64::NAN)),
            Some((low, high)) => Some((low, if self.has_nan { f64::NAN } else { high })),
        }
    }
}

// The arrow kernels order floats by their bits, where a NaN with a sign bit is the smallest. On a tie the
// first value stays, as with Spark's least and greatest; that decides which zero is written.
pub(super) fn numbers<T>(array: &PrimitiveArray<T>) -> Numbers
where
    T: ArrowPrimitiveType,
    T::Native: Into<f64>,
{
    let mut found = Numbers { range: None, has_nan: false };
    for value in array.iter().flatten() {
        let value: f64 = value.into();
        if value.is_nan() {
            found.has_nan = true;
            continue;
        }
        found.range = Some(match found.range {
            None => (value, value),
            Some((low, high)) => (if value < low { value } else { low }, if value > high { value } else { high }),
        });
    }
    found
}

/// Smallest and largest text by bytes. Most texts differ in their first eight bytes, which compare as one number.
fn texts(array: &StringArray) -> Option<(&str, &str)> {
    match array.nulls() {
        // Without NULLs there is no bit to ask for every value.
        None => range_of((0..array.len()).map(|row| array.value(row))),
        Some(_) => range_of(array.iter().flatten()),
    }
}

fn range_of<'a>(texts: impl Iterator<Item = &'a str>) -> Option<(&'a str, &'a str)> {
    let mut texts = texts.map(|text| (head(text), text));
    let first = texts.next()?;
    let (mut low, mut high) = (first, first);
    for text in texts {
        if text.0 <= low.0 && text < low {
            low = text;
        } else if text.0 >= high.0 && text > high {
            high = text;
        }
    }
    Some((low.1, high.1))
}

/// The first eight bytes as a number of the same order; a shorter text is filled with zeros.
fn head(text: &str) -> u64 {
    match text.as_bytes().first_chunk() {
        Some(bytes) => u64::from_be_bytes(*bytes),
        None => text.bytes().enumerate().fold(0, |head, (at, byte)| head | u64::from(byte) << (56 - 8 * at)),
    }
}
