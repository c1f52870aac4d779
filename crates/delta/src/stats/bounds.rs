//! Smallest and largest value of one array, in Spark's order, one tight loop per type.

use crate::scalar::{Scalar, compare_doubles};
use arrow::array::{Array, ArrayRef, ArrowNativeTypeOp, ArrowPrimitiveType, AsArray, PrimitiveArray};
use arrow::compute::{max, max_string, min, min_string};
use arrow::datatypes::{
    DataType as Arrow, Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType,
};
use std::cmp::Ordering;

/// The bounds of the array; `None` if all of it is NULL or its type has no bounds.
pub(super) fn bounds(array: &ArrayRef) -> Option<(Scalar, Scalar)> {
    Some(match array.data_type() {
        Arrow::Int8 => integers::<Int8Type>(array)?,
        Arrow::Int16 => integers::<Int16Type>(array)?,
        Arrow::Int32 => integers::<Int32Type>(array)?,
        Arrow::Int64 => integers::<Int64Type>(array)?,
        Arrow::Float32 => {
            let values = array.as_primitive::<Float32Type>();
            let (low, high) = floats(values, |left, right| compare_doubles(left.into(), right.into()))?;
            (Scalar::Float(low), Scalar::Float(high))
        }
        Arrow::Float64 => {
            let (low, high) = floats(array.as_primitive::<Float64Type>(), compare_doubles)?;
            (Scalar::Double(low), Scalar::Double(high))
        }
        Arrow::Decimal128(_, scale) => {
            let (low, high) = primitive::<Decimal128Type>(array)?;
            (Scalar::Decimal(low, *scale), Scalar::Decimal(high, *scale))
        }
        Arrow::Utf8 => {
            let values = array.as_string::<i32>();
            (Scalar::String(min_string(values)?.to_owned()), Scalar::String(max_string(values)?.to_owned()))
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

// The arrow kernels order floats by their bits, where a NaN with a sign bit is the smallest. On a tie the
// first value stays, as with Spark's least and greatest; that decides which zero is written.
fn floats<T: ArrowPrimitiveType>(
    array: &PrimitiveArray<T>,
    compare: impl Fn(T::Native, T::Native) -> Ordering,
) -> Option<(T::Native, T::Native)> {
    let mut found: Option<(T::Native, T::Native)> = None;
    for value in array.iter().flatten() {
        found = Some(match found {
            None => (value, value),
            Some((low, high)) => {
                let low = if compare(value, low) == Ordering::Less { value } else { low };
                let high = if compare(value, high) == Ordering::Greater { value } else { high };
                (low, high)
            }
        });
    }
    found
}
