//! Numbers and booleans read from text, as `CAST` reads them.

/// The text without the white space and control characters around it.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c <= ' ' || c == '\u{7f}' || c.is_whitespace())
}

/// A whole number. With `truncate`, digits after a point are read and dropped (the LEGACY rule).
pub(crate) fn integer(text: &str, truncate: bool) -> Option<i64> {
    let text = trim(text);
    let whole = match text.split_once('.') {
        Some((whole, rest)) if truncate && rest.bytes().all(|b| b.is_ascii_digit()) => whole,
        Some(_) => return None,
        None => text,
    };
    let digits = whole.strip_prefix(['+', '-']).unwrap_or(whole);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    whole.parse().ok()
}

/// A floating-point number, with the names of infinity and NaN and Java's type suffixes.
pub(crate) fn double(text: &str) -> Option<f64> {
    let text = trim(text);
    let sign = text.strip_prefix(['+', '-']);
    let body = sign.unwrap_or(text);
    if !body.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        let value = if ["inf", "infinity"].iter().any(|name| body.eq_ignore_ascii_case(name)) {
            f64::INFINITY
        } else if sign.is_none() && body.eq_ignore_ascii_case("nan") {
            f64::NAN
        } else {
            return None;
        };
        return Some(if text.starts_with('-') { -value } else { value });
    }
    let digits = text.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(text);
    digits.parse().ok()
}

/// A decimal number as unscaled value and scale, rounded half up to at most `scale` digits after the point.
///
/// `Err(())` where the text is a number that no 38 digits can hold.
pub(crate) fn decimal(text: &str, scale: i8) -> Option<Result<i128, ()>> {
    let text = trim(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let negative = mantissa.starts_with('-');
    let body = mantissa.strip_prefix(['+', '-']).unwrap_or(mantissa);
    let (whole, fraction) = body.split_once('.').unwrap_or((body, ""));
    let all_digits = whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit());
    if !all_digits || whole.len() + fraction.len() == 0 {
        return None;
    }
    Some(scaled(whole, fraction, exponent, scale).map(|value| if negative { -value } else { value }).ok_or(()))
}

fn scaled(whole: &str, fraction: &str, exponent: i32, scale: i8) -> Option<i128> {
    let digits = whole.bytes().chain(fraction.bytes()).map(|b| i128::from(b - b'0'));
    // The position of the first digit that is dropped.
    let keep = i64::try_from(whole.len()).ok()? + i64::from(exponent) + i64::from(scale);
    let n_digits = i64::try_from(whole.len() + fraction.len()).ok()?;
    let mut value: i128 = 0;
    for (position, digit) in (0_i64..).zip(digits) {
        if position == keep {
            return if digit >= 5 { value.checked_add(1) } else { Some(value) };
        }
        if position > keep {
            return Some(value);
        }
        value = value.checked_mul(10)?.checked_add(digit)?;
    }
    if value != 0 {
        for _ in n_digits..keep {
            value = value.checked_mul(10)?;
        }
    }
    Some(value)
}

/// `true`, `t`, `yes`, `y`, `1` and their opposites.
pub(crate) fn boolean(text: &str) -> Option<bool> {
    let text = trim(text);
    let is = |names: [&str; 5]| names.iter().any(|name| text.eq_ignore_ascii_case(name));
    match () {
        () if is(["t", "true", "y", "yes", "1"]) => Some(true),
        () if is(["f", "false", "n", "no", "0"]) => Some(false),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_trimmed_and_strict() {
        let cases = [
            ("12", Some(12)),
            (" 12 ", Some(12)),
            ("+7", Some(7)),
            ("-9223372036854775808", Some(i64::MIN)),
            ("12.7", None),
            ("x", None),
            ("", None),
            ("-", None),
            ("9223372036854775808", None),
        ];
        for (text, expected) in cases {
            assert_eq!(integer(text, false), expected, "{text:?}");
        }
        assert_eq!(integer("12.7", true), Some(12));
    }

    #[test]
    fn decimals_round_half_up() {
        let cases = [
            ("1.005", 2, Some(Ok(101))),
            ("-1.005", 2, Some(Ok(-101))),
            ("1e2", 1, Some(Ok(1000))),
            ("1.25e-1", 2, Some(Ok(13))),
            ("0.004", 2, Some(Ok(0))),
            ("5e-3", 2, Some(Ok(1))),
            ("5e-4", 2, Some(Ok(0))),
            (".5", 0, Some(Ok(1))),
            ("1.2.3", 1, None),
            ("1e99", 0, Some(Err(()))),
        ];
        for (text, scale, expected) in cases {
            assert_eq!(decimal(text, scale), expected, "{text:?}");
        }
    }

    #[test]
    fn doubles_know_java_names() {
        assert_eq!(double(" 1.5 "), Some(1.5));
        assert_eq!(double("1d"), Some(1.0));
        assert_eq!(double("-Infinity"), Some(f64::NEG_INFINITY));
        assert!(double("NaN").is_some_and(f64::is_nan));
        assert_eq!(double("1x"), None);
    }
}
