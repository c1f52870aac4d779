//! `format_number`.

use super::call::{Bound, Call};
use super::rounding::half_even;
use super::text::build;
use crate::cast::{write_decimal, write_double};
use arrow::array::{Array, AsArray};
use arrow::datatypes as types;
use arrow::datatypes::DataType as ArrowType;
use delta::schema::DataType;

pub(super) const NAMES: &[&str] = &["format_number"];

/// `1,234.50`: rounded half even to so many places, with a comma every three digits.
pub(super) fn bind(call: Call) -> Bound {
    let call = call.arity(2, 2)?.int(1)?;
    if !call.type_of(0).is_numeric() {
        return call.wrong(0, "NUMERIC");
    }
    let exact = matches!(call.type_of(0).column(), Some(DataType::Decimal { .. }));
    let call = if exact { call } else { call.double(0)? };
    call.gives_nullable(DataType::String, true, |args| {
        let places = args.primitive::<types::Int32Type>(1)?;
        let values = args.array(0)?;
        build(args, |row, out| {
            let (Some(places), false) = (places.get(row), values.is_null(row)) else { return Ok(false) };
            let Ok(places) = usize::try_from(places) else { return Ok(false) };
            let text = match values.data_type() {
                ArrowType::Decimal128(_, scale) => {
                    let value = values.as_primitive::<types::Decimal128Type>().value(row);
                    let (value, scale) = half_even(value, *scale, places);
                    let mut text = String::new();
                    write_decimal(value, scale, &mut text);
                    text
                }
                _ => {
                    let value = values.as_primitive::<types::Float64Type>().value(row);
                    if !value.is_finite() {
                        write_double(value, out);
                        return Ok(true);
                    }
                    format!("{value:.places$}")
                }
            };
            grouped(&text, places, out);
            Ok(true)
        })
    })
}

fn grouped(text: &str, places: usize, out: &mut String) {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if text.starts_with('-') {
        out.push('-');
    }
    for (idx, digit) in whole.chars().enumerate() {
        if idx > 0 && (whole.len() - idx).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if places > 0 {
        out.push('.');
        out.extend(fraction.chars().chain(std::iter::repeat('0')).take(places));
    }
}
