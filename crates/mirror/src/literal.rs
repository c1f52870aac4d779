//! Constants, so that they parse back to the same constant: value, type, precision.

use crate::{datetime, interval};
use spec::Literal;
use std::fmt::Write;

/// The constant as SQL.
pub(crate) fn literal(literal: &Literal) -> String {
    match literal {
        Literal::Null => "NULL".to_owned(),
        Literal::Boolean(value) => value.to_string(),
        Literal::Byte(value) => format!("{value}Y"),
        Literal::Short(value) => format!("{value}S"),
        Literal::Int(value) => value.to_string(),
        Literal::Long(value) => format!("{value}L"),
        Literal::Float(value) if value.is_finite() => format!("{}F", shorter(format!("{value}"), format!("{value:e}"))),
        Literal::Float(value) => not_finite(f64::from(*value), "FLOAT"),
        Literal::Double(value) if value.is_finite() => {
            format!("{}D", shorter(format!("{value}"), format!("{value:e}")))
        }
        Literal::Double(value) => not_finite(*value, "DOUBLE"),
        Literal::Decimal { unscaled, precision, scale } => decimal(*unscaled, *precision, *scale),
        Literal::String(value) => string(value),
        Literal::Binary(bytes) => {
            let mut digits = String::with_capacity(bytes.len() * 2);
            for byte in bytes {
                let _ = write!(digits, "{byte:02X}");
            }
            format!("X'{digits}'")
        }
        Literal::Date(days) => format!("DATE'{}'", datetime::date(i64::from(*days))),
        Literal::Timestamp(micros) => format!("TIMESTAMP'{}'", datetime::timestamp(*micros)),
        Literal::TimestampNtz(micros) => format!("TIMESTAMP_NTZ'{}'", datetime::timestamp(*micros)),
        Literal::Interval(value) => interval::interval(*value),
    }
}

/// Nobody reads three hundred digits.
fn shorter(plain: String, exponent: String) -> String {
    const LONGEST: usize = 20;
    if plain.len() <= LONGEST { plain } else { exponent }
}

/// There is no constant for these, but a text that casts to them.
fn not_finite(value: f64, data_type: &str) -> String {
    let text = if value.is_nan() {
        "NaN"
    } else if value > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    };
    format!("CAST('{text}' AS {data_type})")
}

/// The digits decide precision and scale; where they would say something else, a cast says it.
fn decimal(unscaled: i128, precision: u8, scale: i8) -> String {
    let sign = if unscaled < 0 { "-" } else { "" };
    let mut digits = unscaled.unsigned_abs().to_string();
    let n_fraction = usize::from(scale.max(0).unsigned_abs());
    if scale < 0 && unscaled != 0 {
        digits.push_str(&"0".repeat(usize::from(scale.unsigned_abs())));
    }
    let n_digits = if unscaled == 0 { 0 } else { digits.len() };
    let text = if n_fraction == 0 {
        format!("{sign}{digits}BD")
    } else {
        let padded = format!("{digits:0>width$}", width = n_fraction + 1);
        let (whole, fraction) = padded.split_at(padded.len() - n_fraction);
        format!("{sign}{whole}.{fraction}")
    };
    let natural = n_digits.max(n_fraction).max(1);
    if natural == usize::from(precision) && scale >= 0 {
        return text;
    }
    format!("CAST({text} AS DECIMAL({precision}, {scale}))")
}

/// A text in quotes. A backslash before a quote is understood by every Spark, a doubled quote is not.
pub(crate) fn string(value: &str) -> String {
    let mut text = String::with_capacity(value.len() + 2);
    text.push('\'');
    for c in value.chars() {
        match c {
            '\\' => text.push_str("\\\\"),
            '\'' => text.push_str("\\'"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            // Not `\0`, which digits behind it would make another character.
            c if c.is_ascii_control() => {
                let _ = write!(text, "\\u{:04x}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text.push('\'');
    text
}
