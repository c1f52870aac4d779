//! Typed constants: `DATE'…'`, `TIMESTAMP'…'`, `TIMESTAMP_NTZ'…'`, `X'…'`.
//!
//! The session time zone is UTC. Zones by region name would need a time zone database, which the
//! engine does not carry.

use crate::cursor::{Cursor, Parse};
use crate::errors::{Failure, condition, unsupported};
use crate::literal;
use spec::{Expr, ExprKind, Literal, Span};

const MICROS_PER_SECOND: i64 = 1_000_000;
pub(crate) const MICROS_PER_DAY: i64 = 86_400 * MICROS_PER_SECOND;

/// Reads a word followed by a string.
pub(crate) fn typed_literal(cursor: &mut Cursor<'_>) -> Parse<Expr> {
    let start = cursor.here();
    let type_name = cursor.ident("a type")?.value.to_ascii_uppercase();
    let text = literal::string(cursor, "a string")?;
    let span = cursor.since(start);
    let literal = match type_name.as_str() {
        "DATE" => special(&text, span)?.or_else(|| date(&text)).map(Literal::Date),
        "TIMESTAMP" | "TIMESTAMP_LTZ" => match special(&text, span)? {
            Some(days) => Some(Literal::Timestamp(i64::from(days) * MICROS_PER_DAY)),
            None => zoned(&text, span)?.map(Literal::Timestamp),
        },
        "TIMESTAMP_NTZ" => match special(&text, span)? {
            Some(days) => Some(Literal::TimestampNtz(i64::from(days) * MICROS_PER_DAY)),
            None => timestamp(&text).map(|(micros, _)| Literal::TimestampNtz(micros)),
        },
        "X" => hex(&text).map(Literal::Binary),
        _ => {
            let message = format!("There are no constants of type {type_name} written with a string behind the type.");
            return Err(condition("UNSUPPORTED_TYPED_LITERAL", "0A000", message, span));
        }
    };
    match literal {
        Some(literal) => Ok(Expr::new(ExprKind::Literal(literal), span)),
        None => Err(invalid(&type_name, &text, span)),
    }
}

fn invalid(type_name: &str, text: &str, span: Span) -> Failure {
    let message = format!("'{text}' is not a valid {type_name} constant.");
    condition("INVALID_TYPED_LITERAL", "42604", message, span)
}

/// `epoch`, and the words that depend on the clock.
fn special(text: &str, span: Span) -> Parse<Option<i32>> {
    match text.trim().to_ascii_lowercase().as_str() {
        "epoch" => Ok(Some(0)),
        word @ ("today" | "yesterday" | "tomorrow" | "now") => {
            Err(unsupported(format!("The date constant '{word}'"), span))
        }
        _ => Ok(None),
    }
}

/// `yyyy[-m[-d]]`, with anything behind a space or `T` ignored once the day is there.
fn date(text: &str) -> Option<i32> {
    let (date, rest) = leading_date(text.trim())?;
    let complete = date.n_parts == 3 && rest.starts_with([' ', 'T']);
    (rest.is_empty() || complete).then_some(date.days)
}

struct LeadingDate {
    days: i32,
    n_parts: usize,
}

fn leading_date(text: &str) -> Option<(LeadingDate, &str)> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (year, mut rest) = digits(text, 4, 7)?;
    let (mut month, mut day, mut n_parts) = (1, 1, 1);
    for part in [&mut month, &mut day] {
        let Some(tail) = rest.strip_prefix('-') else { break };
        (*part, rest) = digits(tail, 1, 2)?;
        n_parts += 1;
    }
    let days = days_from_civil(if negative { -year } else { year }, month, day)?;
    Some((LeadingDate { days, n_parts }, rest))
}

/// Reads between `min` and `max` digits.
fn digits(text: &str, min: usize, max: usize) -> Option<(i64, &str)> {
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(len)?;
    if (min..=max).contains(&len) { Some((number.parse().ok()?, rest)) } else { None }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar; `None` if there is no such day.
fn days_from_civil(year: i64, month: i64, day: i64) -> Option<i32> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => return None,
    };
    if !(1..=last).contains(&day) {
        return None;
    }
    // Years start in March here, so that the leap day is the last day of a year.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    i32::try_from(era * 146_097 + day_of_era - 719_468).ok()
}

fn zoned(text: &str, span: Span) -> Parse<Option<i64>> {
    let Some((micros, zone)) = timestamp(text) else { return Ok(None) };
    match offset(zone) {
        Some(seconds) => Ok(Some(micros - seconds * MICROS_PER_SECOND)),
        None if zone.contains('/') => Err(unsupported(format!("The time zone {zone} in a constant"), span)),
        None => Ok(None),
    }
}

/// Wall-clock microseconds and the text of the zone.
fn timestamp(text: &str) -> Option<(i64, &str)> {
    let text = text.trim();
    let (date, rest) = leading_date(text)?;
    let midnight = i64::from(date.days) * MICROS_PER_DAY;
    let Some(time) = rest.strip_prefix([' ', 'T']).filter(|_| date.n_parts == 3) else {
        return rest.is_empty().then_some((midnight, ""));
    };
    let (hour, mut rest) = digits(time, 1, 2)?;
    let (mut minute, mut second, mut micros) = (0, 0, 0);
    if let Some(tail) = rest.strip_prefix(':') {
        (minute, rest) = digits(tail, 1, 2)?;
        if let Some(tail) = rest.strip_prefix(':') {
            (second, rest) = digits(tail, 1, 2)?;
            if let Some(tail) = rest.strip_prefix('.') {
                let len = tail.bytes().take_while(u8::is_ascii_digit).count();
                let (fraction, tail) = tail.split_at_checked(len)?;
                micros = fraction_micros(fraction)?;
                rest = tail;
            }
        }
    }
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let seconds = (hour * 60 + minute) * 60 + second;
    Some((midnight + seconds * MICROS_PER_SECOND + micros, rest.trim()))
}

/// Microseconds of the digits behind the point of a second; further digits are cut off.
pub(crate) fn fraction_micros(fraction: &str) -> Option<i64> {
    let kept = fraction.get(..fraction.len().min(6))?;
    format!("{kept:0<6}").parse().ok()
}

/// Seconds east of UTC of `Z`, `UTC`, `+2`, `GMT-03:30`, …
fn offset(zone: &str) -> Option<i64> {
    let zone = zone.trim();
    let sign_at = zone.find(['+', '-']).unwrap_or(zone.len());
    let (name, offset) = zone.split_at_checked(sign_at)?;
    if !["", "Z", "UTC", "GMT", "UT"].iter().any(|known| known.eq_ignore_ascii_case(name)) {
        return None;
    }
    if offset.is_empty() {
        return Some(0);
    }
    let sign = if offset.starts_with('-') { -1 } else { 1 };
    let (hours, mut rest) = digits(offset.get(1..)?, 1, 2)?;
    let (mut minutes, mut seconds) = (0, 0);
    for part in [&mut minutes, &mut seconds] {
        let Some(tail) = rest.strip_prefix(':') else { break };
        (*part, rest) = digits(tail, 1, 2)?;
    }
    let total = (hours * 60 + minutes) * 60 + seconds;
    let valid = rest.is_empty() && minutes < 60 && seconds < 60 && total <= 18 * 3600;
    valid.then_some(sign * total)
}

/// Pairs of hexadecimal digits; an odd first digit stands alone, as in Spark.
fn hex(text: &str) -> Option<Vec<u8>> {
    let padded = if text.len() % 2 == 1 { format!("0{text}") } else { text.to_owned() };
    if !padded.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    (0..padded.len()).step_by(2).map(|at| u8::from_str_radix(padded.get(at..at + 2)?, 16).ok()).collect()
}
