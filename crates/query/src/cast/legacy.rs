//! Conversions that exist outside of ANSI mode only.

use crate::typed::SqlType;
use arrow::array::{ArrayRef, AsArray, BinaryArray, new_null_array};
use arrow::compute;
use arrow::datatypes as types;
use arrow::datatypes::DataType as ArrowType;
use datafusion::common::Result;
use delta::schema::DataType;
use std::sync::Arc;

/// The converted array; `None` for a pair that ANSI mode converts too.
pub(crate) fn convert(array: &ArrayRef, from: &SqlType, to: &SqlType) -> Result<Option<ArrayRef>> {
    let (Some(source), Some(target)) = (from.column(), to.column()) else { return Ok(None) };
    Ok(match (source, target) {
        // A date is no number and no truth value.
        (DataType::Date, DataType::Boolean) => Some(new_null_array(&to.arrow(), array.len())),
        (DataType::Date, _) if to.is_numeric() => Some(new_null_array(&to.arrow(), array.len())),
        // True is the first microsecond after the epoch.
        (DataType::Boolean, DataType::Timestamp) => {
            let micros = compute::cast(array, &ArrowType::Int64)?;
            Some(compute::cast(&micros, &to.arrow())?)
        }
        (DataType::Byte | DataType::Short | DataType::Int | DataType::Long, DataType::Binary) => {
            let width = match source {
                DataType::Byte => 1,
                DataType::Short => 2,
                DataType::Int => 4,
                _ => 8,
            };
            let wide = compute::cast(array, &ArrowType::Int64)?;
            let bytes = wide
                .as_primitive::<types::Int64Type>()
                .iter()
                .map(|value| value.map(|value| value.to_be_bytes().into_iter().skip(8 - width).collect::<Vec<u8>>()));
            Some(Arc::new(bytes.collect::<BinaryArray>()))
        }
        _ => None,
    })
}
