//! Values as text, as Spark's `CAST(… AS STRING)` and its result grids print them.

use super::datetime::{DAY_MICROS, calendar, wall_clock};
use crate::error::Complaint;
use arrow::array::{Array, ArrayRef, AsArray, StringBuilder};
use arrow::datatypes as types;
use arrow::datatypes::{DataType, IntervalUnit, TimeUnit};
use chrono::{Datelike, Timelike};
use datafusion::common::Result;
use std::fmt::Write;
use std::sync::Arc;

/// Every value of the array as text.
///
/// # Errors
/// A type that has no text form.
pub(crate) fn to_text(array: &ArrayRef) -> Result<ArrayRef> {
    texts(array, Style::Cast)
}

/// The same as `show()` prints it: a NULL inside a value in upper case, binary as bytes.
///
/// # Errors
/// A type that has no text form.
pub(crate) fn to_shown(array: &ArrayRef) -> Result<ArrayRef> {
    texts(array, Style::Show)
}

/// For whom a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Cast,
    Show,
}

fn texts(array: &ArrayRef, style: Style) -> Result<ArrayRef> {
    let mut builder = StringBuilder::with_capacity(array.len(), array.len() * 8);
    let mut text = String::new();
    for row in 0..array.len() {
        if is_null(array, row) {
            builder.append_null();
            continue;
        }
        text.clear();
        write_as(array, row, &mut text, style)?;
        builder.append_value(&text);
    }
    Ok(Arc::new(builder.finish()))
}

/// Whether the value is NULL: an array of bare NULLs has no validity bits to say so.
pub(crate) fn is_null(array: &dyn Array, row: usize) -> bool {
    array.is_null(row) || array.data_type() == &DataType::Null
}

/// Appends one value; a NULL as `null`.
///
/// # Errors
/// A type that has no text form.
pub(crate) fn write_value(array: &dyn Array, row: usize, out: &mut String) -> Result<()> {
    write_as(array, row, out, Style::Cast)
}

fn write_as(array: &dyn Array, row: usize, out: &mut String, style: Style) -> Result<()> {
    if is_null(array, row) {
        out.push_str(if style == Style::Show { "NULL" } else { "null" });
        return Ok(());
    }
    match array.data_type() {
        DataType::Utf8 => out.push_str(array.as_string::<i32>().value(row)),
        DataType::Boolean => put(out, array.as_boolean().value(row)),
        DataType::Int8 => put(out, array.as_primitive::<types::Int8Type>().value(row)),
        DataType::Int16 => put(out, array.as_primitive::<types::Int16Type>().value(row)),
        DataType::Int32 => put(out, array.as_primitive::<types::Int32Type>().value(row)),
        DataType::Int64 => put(out, array.as_primitive::<types::Int64Type>().value(row)),
        DataType::Float32 => write_float(array.as_primitive::<types::Float32Type>().value(row), out),
        DataType::Float64 => write_double(array.as_primitive::<types::Float64Type>().value(row), out),
        DataType::Decimal128(_, scale) => {
            write_decimal(array.as_primitive::<types::Decimal128Type>().value(row), *scale, out);
        }
        DataType::Binary if style == Style::Show => {
            let bytes = array.as_binary::<i32>().value(row).iter().map(|byte| format!("{byte:02X}"));
            put(out, format_args!("[{}]", bytes.collect::<Vec<_>>().join(" ")));
        }
        DataType::Binary => out.push_str(&String::from_utf8_lossy(array.as_binary::<i32>().value(row))),
        DataType::Date32 => write_date(array.as_primitive::<types::Date32Type>().value(row), out),
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            write_timestamp(array.as_primitive::<types::TimestampMicrosecondType>().value(row), out);
        }
        DataType::Duration(TimeUnit::Microsecond) => {
            write_day_time(array.as_primitive::<types::DurationMicrosecondType>().value(row), out);
        }
        DataType::Interval(IntervalUnit::YearMonth) => {
            write_year_month(array.as_primitive::<types::IntervalYearMonthType>().value(row), out);
        }
        DataType::List(_) => write_list(&array.as_list::<i32>().value(row), out, style)?,
        DataType::Map(_, _) => {
            let entries = array.as_map().value(row);
            out.push('{');
            for entry in 0..entries.len() {
                separate(entry, out);
                write_as(entries.column(0), entry, out, style)?;
                out.push_str(" -> ");
                write_as(entries.column(1), entry, out, style)?;
            }
            out.push('}');
        }
        DataType::Struct(_) => {
            out.push('{');
            for (idx, column) in array.as_struct().columns().iter().enumerate() {
                separate(idx, out);
                write_as(column, row, out, style)?;
            }
            out.push('}');
        }
        other => return Err(Complaint::unsupported(format!("Printing a value of type {other}")).into()),
    }
    Ok(())
}

fn write_list(items: &ArrayRef, out: &mut String, style: Style) -> Result<()> {
    out.push('[');
    for item in 0..items.len() {
        separate(item, out);
        write_as(items, item, out, style)?;
    }
    out.push(']');
    Ok(())
}

fn separate(idx: usize, out: &mut String) {
    if idx > 0 {
        out.push_str(", ");
    }
}

fn put(out: &mut String, value: impl std::fmt::Display) {
    // Writing to a String cannot fail.
    let _ = write!(out, "{value}");
}

/// A double as Java prints it: `1.0`, `1.0E7`, `1.0E-5`, `NaN`, `Infinity`.
pub(crate) fn write_double(value: f64, out: &mut String) {
    if value.is_finite() {
        write_java(&format!("{value:e}"), out);
    } else {
        write_not_finite(value, out);
    }
}

/// A float as Java prints it.
pub(crate) fn write_float(value: f32, out: &mut String) {
    if value.is_finite() {
        write_java(&format!("{value:e}"), out);
    } else {
        write_not_finite(f64::from(value), out);
    }
}

fn write_not_finite(value: f64, out: &mut String) {
    out.push_str(match () {
        () if value.is_nan() => "NaN",
        () if value > 0.0 => "Infinity",
        () => "-Infinity",
    });
}

/// Lays out the shortest digits, given as `d.ddde±x`, by Java's rule: plain from 1E-3 up to 1E7.
fn write_java(scientific: &str, out: &mut String) {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let body = mantissa.strip_prefix('-').unwrap_or(mantissa);
    if mantissa.starts_with('-') {
        out.push('-');
    }
    let (first, rest) = body.split_once('.').unwrap_or((body, ""));
    if body == "0" {
        out.push_str("0.0");
    } else if (-3..7).contains(&exponent) {
        write_plain(first, rest, exponent, out);
    } else {
        let rest = if rest.is_empty() { "0" } else { rest };
        put(out, format_args!("{first}.{rest}E{exponent}"));
    }
}

fn write_plain(first: &str, rest: &str, exponent: i32, out: &mut String) {
    if exponent < 0 {
        out.push_str("0.");
        out.extend((1..-exponent).map(|_| '0'));
        out.push_str(first);
        out.push_str(rest);
        return;
    }
    let whole = usize::try_from(exponent).unwrap_or(0);
    out.push_str(first);
    out.extend((0..whole).map(|at| rest.as_bytes().get(at).map_or('0', |b| char::from(*b))));
    out.push('.');
    out.push_str(rest.get(whole..).filter(|tail| !tail.is_empty()).unwrap_or("0"));
}

/// A decimal with all the digits of its scale.
pub(crate) fn write_decimal(unscaled: i128, scale: i8, out: &mut String) {
    if unscaled < 0 {
        out.push('-');
    }
    let digits = unscaled.unsigned_abs().to_string();
    let scale = usize::try_from(scale).unwrap_or(0);
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    out.push_str(whole);
    if scale > 0 {
        out.push('.');
        out.push_str(fraction);
    }
}

/// `yyyy-mm-dd`.
pub(crate) fn write_date(days: i32, out: &mut String) {
    match calendar(days) {
        Some(date) => put(out, format_args!("{}-{:02}-{:02}", year(date.year()), date.month(), date.day())),
        None => put(out, days),
    }
}

fn year(year: i32) -> String {
    match year {
        0..=9999 => format!("{year:04}"),
        10_000.. => format!("+{year}"),
        _ => format!("-{:04}", -i64::from(year)),
    }
}

/// `yyyy-mm-dd hh:mm:ss[.ffffff]`, without the zeros at the end of the fraction.
pub(crate) fn write_timestamp(micros: i64, out: &mut String) {
    let Some(wall) = wall_clock(micros) else {
        return put(out, micros);
    };
    let date = wall.date();
    put(out, format_args!("{}-{:02}-{:02} ", year(date.year()), date.month(), date.day()));
    put(out, format_args!("{:02}:{:02}:{:02}", wall.hour(), wall.minute(), wall.second()));
    write_fraction(micros.rem_euclid(1_000_000), out);
}

fn write_fraction(micros: i64, out: &mut String) {
    if micros != 0 {
        let digits = format!("{micros:06}");
        out.push('.');
        out.push_str(digits.trim_end_matches('0'));
    }
}

fn write_day_time(micros: i64, out: &mut String) {
    let sign = if micros < 0 { "-" } else { "" };
    let (days, rest) =
        (micros.unsigned_abs() / DAY_MICROS.unsigned_abs(), micros.unsigned_abs() % DAY_MICROS.unsigned_abs());
    let seconds = rest / 1_000_000;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    put(out, format_args!("INTERVAL '{sign}{days} {hour:02}:{minute:02}:{second:02}"));
    write_fraction(i64::try_from(rest % 1_000_000).unwrap_or(0), out);
    out.push_str("' DAY TO SECOND");
}

fn write_year_month(months: i32, out: &mut String) {
    let sign = if months < 0 { "-" } else { "" };
    let months = months.unsigned_abs();
    put(out, format_args!("INTERVAL '{sign}{}-{}' YEAR TO MONTH", months / 12, months % 12));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_print_as_in_java() {
        let cases = [
            (1.0, "1.0"),
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1e7, "1.0E7"),
            (9_999_999.0, "9999999.0"),
            (1e-5, "1.0E-5"),
            (0.001, "0.001"),
            (123.456, "123.456"),
            (-2.5, "-2.5"),
            (1.5e300, "1.5E300"),
            (0.1 + 0.2, "0.30000000000000004"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (value, expected) in cases {
            let mut text = String::new();
            write_double(value, &mut text);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn decimals_keep_their_scale() {
        for (unscaled, scale, expected) in [(150, 2, "1.50"), (-5, 3, "-0.005"), (7, 0, "7"), (0, 2, "0.00")] {
            let mut text = String::new();
            write_decimal(unscaled, scale, &mut text);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn timestamps_drop_trailing_zeros() {
        let mut text = String::new();
        write_timestamp(1_704_067_200_500_000, &mut text);
        assert_eq!(text, "2024-01-01 00:00:00.5");
    }
}
