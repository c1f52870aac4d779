//! Values as text and back, exactly as Spark and the JVM print them: doubles, decimals, dates and timestamps.
//! The calendar is the proleptic Gregorian one throughout, as in Spark 3 and later.

const MICROS_PER_SECOND: i64 = 1_000_000;
const MICROS_PER_DAY: i64 = 86_400 * MICROS_PER_SECOND;

/// A DOUBLE as `Double.toString` prints it: `1.0`, `1.0E7`, `NaN`, `Infinity`.
pub fn double(value: f64) -> String {
    if value.is_finite() { java_digits(&format!("{value:e}"), value.abs()) } else { not_finite(value).to_owned() }
}

/// A FLOAT as `Float.toString` prints it.
pub fn float(value: f32) -> String {
    let wide = f64::from(value);
    if wide.is_finite() { java_digits(&format!("{value:e}"), wide.abs()) } else { not_finite(wide).to_owned() }
}

fn not_finite(value: f64) -> &'static str {
    match (value.is_nan(), value > 0.0) {
        (true, _) => "NaN",
        (false, true) => "Infinity",
        (false, false) => "-Infinity",
    }
}

// `scientific` is the shortest text that reads back as the same number, as Rust writes it: "-1.25e-7".
fn java_digits(scientific: &str, magnitude: f64) -> String {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if magnitude != 0.0 && !(1e-3..1e7).contains(&magnitude) {
        let fraction = if fraction.is_empty() { "0" } else { fraction };
        return format!("{sign}{whole}.{fraction}E{exponent}");
    }
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits = format!("{whole}{fraction}");
    if exponent < 0 {
        let zeros = "0".repeat((-exponent - 1) as usize);
        return format!("{sign}0.{zeros}{digits}");
    }
    let point = exponent as usize + 1;
    let padded = format!("{digits:0<point$}");
    let (whole, fraction) = padded.split_at(point.min(padded.len()));
    format!("{sign}{whole}.{}", if fraction.is_empty() { "0" } else { fraction })
}

/// A DECIMAL in plain notation with all digits of its scale: `-0.001`, `1.50`.
pub fn decimal_plain(unscaled: i128, scale: i8) -> String {
    let sign = if unscaled < 0 { "-" } else { "" };
    let digits = unscaled.unsigned_abs().to_string();
    if scale <= 0 {
        let zeros = if unscaled == 0 { 0 } else { usize::from(scale.unsigned_abs()) };
        return format!("{sign}{digits}{}", "0".repeat(zeros));
    }
    let scale = usize::from(scale.unsigned_abs());
    let padded = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = padded.split_at(padded.len() - scale);
    format!("{sign}{whole}.{fraction}")
}

/// A DECIMAL as `BigDecimal.toString` prints it, which turns to an exponent for small values: `0E-10`.
pub fn decimal_java(unscaled: i128, scale: i8) -> String {
    let digits = unscaled.unsigned_abs().to_string();
    let adjusted = digits.len() as i32 - 1 - i32::from(scale);
    if scale >= 0 && adjusted >= -6 {
        return decimal_plain(unscaled, scale);
    }
    let sign = if unscaled < 0 { "-" } else { "" };
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    let plus = if adjusted >= 0 { "+" } else { "" };
    format!("{sign}{first}{point}{rest}E{plus}{adjusted}")
}

/// Reads a decimal number, plain or with an exponent, at the wanted scale. `None` if it is not a number, does
/// not fit, or has digits beyond the scale.
pub fn parse_decimal(text: &str, scale: i8) -> Option<i128> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (text.get(..at)?, text.get(at + 1..)?.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (negative, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let all_digits = format!("{whole}{fraction}");
    let digits = all_digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(0);
    }
    let shift = exponent.checked_add(i32::from(scale))?.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let magnitude = if shift >= 0 {
        let factor = 10_i128.checked_pow(shift.unsigned_abs())?;
        digits.parse::<i128>().ok()?.checked_mul(factor)?
    } else {
        let cut = digits.len().checked_sub(shift.unsigned_abs() as usize)?;
        let (kept, dropped) = (digits.get(..cut)?, digits.get(cut..)?);
        if dropped.bytes().any(|byte| byte != b'0') {
            return None;
        }
        if kept.is_empty() { 0 } else { kept.parse().ok()? }
    };
    Some(if negative { -magnitude } else { magnitude })
}

/// A DATE as `yyyy-MM-dd`; years beyond four digits carry a sign.
pub fn date(days: i32) -> String {
    let (year, month, day) = civil(i64::from(days));
    match year {
        0..=9999 => format!("{year:04}-{month:02}-{day:02}"),
        10_000.. => format!("+{year}-{month:02}-{day:02}"),
        _ => format!("-{:04}-{month:02}-{day:02}", -year),
    }
}

/// A timestamp as Spark casts it to text: `2024-01-02 03:04:05.5`, trailing zeros of the fraction left out.
pub fn timestamp(micros: i64) -> String {
    let (text, fraction) = date_and_time(micros, ' ');
    if fraction == 0 {
        return text;
    }
    let digits = format!("{fraction:06}");
    format!("{text}.{}", digits.trim_end_matches('0'))
}

/// A timestamp as the statistics hold it: floored to milliseconds, without a zone.
pub fn timestamp_millis(micros: i64) -> String {
    let (text, fraction) = date_and_time(micros, 'T');
    format!("{text}.{:03}", fraction / 1000)
}

/// A timestamp as a partition value holds it: ISO-8601 in UTC with six digits.
pub fn timestamp_iso(micros: i64) -> String {
    let (text, fraction) = date_and_time(micros, 'T');
    format!("{text}.{fraction:06}Z")
}

/// A timestamp without zone as a partition value holds it: `2024-01-02 03:04:05.500000`.
pub fn timestamp_ntz_partition(micros: i64) -> String {
    let (text, fraction) = date_and_time(micros, ' ');
    format!("{text}.{fraction:06}")
}

fn date_and_time(micros: i64, separator: char) -> (String, i64) {
    let days = micros.div_euclid(MICROS_PER_DAY);
    let of_day = micros.rem_euclid(MICROS_PER_DAY);
    let seconds = of_day / MICROS_PER_SECOND;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    // The days of any 64-bit count of microseconds fit 32 bits.
    let text = format!("{}{separator}{hour:02}:{minute:02}:{second:02}", date(days as i32));
    (text, of_day % MICROS_PER_SECOND)
}

/// Reads `yyyy-MM-dd`.
pub fn parse_date(text: &str) -> Option<i32> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1, text.get(1..)?),
        b'+' => (1, text.get(1..)?),
        _ => (1, text),
    };
    let mut parts = digits.split('-');
    let (year, month, day) = (number(parts.next()?)?, number(parts.next()?)?, number(parts.next()?)?);
    let is_calendar =
        year <= 300_000 && (1..=12).contains(&month) && (1..=days_in_month(sign * year, month)).contains(&day);
    if parts.next().is_some() || !is_calendar {
        return None;
    }
    i32::try_from(days_from_civil(sign * year, month, day)).ok()
}

/// Reads a timestamp in the forms found in logs: date and time split by `T` or a space, up to six digits of
/// fraction (more are cut), and an optional `Z` or offset. Without a zone it is taken as UTC.
pub fn parse_timestamp(text: &str) -> Option<i64> {
    let at = text.find(['T', ' ']);
    let (day, time) = match at {
        Some(at) => (text.get(..at)?, text.get(at + 1..)?),
        None => (text, "00:00:00"),
    };
    let days = i64::from(parse_date(day)?);
    let (time, offset_seconds) = split_zone(time)?;
    let (clock, fraction) = time.split_once('.').unwrap_or((time, ""));
    let mut parts = clock.split(':');
    let (hour, minute) = (number(parts.next()?)?, number(parts.next()?)?);
    let second = parts.next().map_or(Some(0), number)?;
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let digits: String = fraction.chars().take(6).collect();
    let micros = if digits.is_empty() { 0 } else { number(&format!("{digits:0<6}"))? };
    let seconds = hour * 3600 + minute * 60 + second - offset_seconds;
    days.checked_mul(MICROS_PER_DAY)?.checked_add(seconds * MICROS_PER_SECOND + micros)
}

fn split_zone(time: &str) -> Option<(&str, i64)> {
    if let Some(bare) = time.strip_suffix('Z') {
        return Some((bare, 0));
    }
    let Some(at) = time.find(['+', '-']) else { return Some((time, 0)) };
    let (bare, zone) = time.split_at_checked(at)?;
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let (hours, minutes) = zone.get(1..)?.split_once(':').unwrap_or((zone.get(1..)?, "0"));
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    (hours <= 18 && minutes <= 59).then_some((bare, sign * (hours * 3600 + minutes * 60)))
}

fn number(text: &str) -> Option<i64> {
    let is_number = (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

// Days to year, month and day and back, by counting in eras of 400 years that start on 1 March, so that the
// leap day is the last day of a year.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day)
}

fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let march_month = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * march_month + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
