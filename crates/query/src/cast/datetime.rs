//! Dates and timestamps read from text, in the formats that Spark's `CAST` takes; the session zone is UTC.

use super::number::trim;
use arrow::array::timezone::Tz;
use chrono::{NaiveDate, NaiveDateTime, Offset, TimeZone};

/// Microseconds of a day.
pub(crate) const DAY_MICROS: i64 = 86_400_000_000;

/// A timestamp read from text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Parsed {
    /// Wall-clock microseconds.
    pub(crate) local: i64,
    /// The same instant in UTC, by the zone in the text.
    pub(crate) utc: i64,
}

/// Days since 1970-01-01 of a proleptic Gregorian date.
pub(crate) fn days(year: i32, month: u32, day: u32) -> Option<i32> {
    let date = NaiveDate::from_ymd_opt(year, month, day)?;
    i32::try_from(date.signed_duration_since(NaiveDate::default()).num_days()).ok()
}

/// `yyyy`, `yyyy-[m]m` or `yyyy-[m]m-[d]d`; anything may follow a full date after a blank or `T`.
pub(crate) fn date(text: &str) -> Option<i32> {
    let text = trim(text);
    let (date, rest) = split_date(text);
    if rest.is_some() && date.matches('-').count() < 2 {
        return None;
    }
    date_only(date)
}

/// A date, or a date and a time `[h]h:[m]m[:[s]s[.ffffff]]`, then possibly a zone.
pub(crate) fn timestamp(text: &str) -> Option<Parsed> {
    let text = trim(text);
    let (date, rest) = split_date(text);
    let day = i64::from(date_only(date)?).checked_mul(DAY_MICROS)?;
    let Some(rest) = rest.filter(|rest| !rest.is_empty()) else {
        return Some(Parsed { local: day, utc: day });
    };
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.')).unwrap_or(rest.len());
    let local = day.checked_add(time(&rest[..end])?)?;
    let zone = rest[end..].trim();
    let utc = if zone.is_empty() { local } else { local.checked_sub(offset(zone, local)?)? };
    Some(Parsed { local, utc })
}

fn split_date(text: &str) -> (&str, Option<&str>) {
    match text.find([' ', 'T']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

fn date_only(text: &str) -> Option<i32> {
    let negative = text.starts_with('-');
    let body = text.strip_prefix(['+', '-']).unwrap_or(text);
    let mut parts = body.split('-');
    let year: i32 = digits(parts.next()?, 4, 7)?;
    let month = parts.next().map_or(Some(1), |part| digits(part, 1, 2))?;
    let day = parts.next().map_or(Some(1), |part| digits(part, 1, 2))?;
    if parts.next().is_some() {
        return None;
    }
    days(if negative { -year } else { year }, month, day)
}

fn time(text: &str) -> Option<i64> {
    let (clock, fraction) = match text.split_once('.') {
        Some((clock, fraction)) => (clock, fraction),
        None => (text, ""),
    };
    let mut parts = clock.split(':');
    let hour: i64 = digits(parts.next()?, 1, 2)?;
    let minute: i64 = parts.next().map_or(Some(0), |part| digits(part, 1, 2))?;
    let second: i64 = parts.next().map_or(Some(0), |part| digits(part, 1, 2))?;
    if parts.next().is_some() || !clock.contains(':') || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let micros = if fraction.is_empty() { 0 } else { micros(fraction)? };
    Some(((hour * 60 + minute) * 60 + second) * 1_000_000 + micros)
}

/// Digits beyond the sixth are dropped.
fn micros(fraction: &str) -> Option<i64> {
    let kept = fraction.get(..fraction.len().min(6))?;
    let scale = 10_i64.checked_pow(6 - u32::try_from(kept.len()).ok()?)?;
    Some(digits::<i64>(kept, 1, 6)? * scale)
}

fn digits<T: std::str::FromStr>(text: &str, least: usize, most: usize) -> Option<T> {
    let right = (least..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    right.then(|| text.parse().ok()).flatten()
}

/// Microseconds east of UTC of a zone at a wall-clock time.
fn offset(zone: &str, local: i64) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let bare = zone.strip_prefix("UTC").or_else(|| zone.strip_prefix("GMT")).unwrap_or(zone);
    if bare.is_empty() {
        return Some(0);
    }
    if bare.starts_with(['+', '-']) {
        let mut parts = bare[1..].split(':');
        let hour: i64 = digits(parts.next()?, 1, 2)?;
        let minute: i64 = parts.next().map_or(Some(0), |part| digits(part, 1, 2))?;
        let second: i64 = parts.next().map_or(Some(0), |part| digits(part, 2, 2))?;
        if parts.next().is_some() || hour > 18 || minute > 59 || second > 59 {
            return None;
        }
        let micros = ((hour * 60 + minute) * 60 + second) * 1_000_000;
        return Some(if bare.starts_with('-') { -micros } else { micros });
    }
    let zone: Tz = zone.parse().ok()?;
    let wall = wall_clock(local)?;
    let offset = zone.offset_from_local_datetime(&wall).earliest()?;
    Some(i64::from(offset.fix().local_minus_utc()) * 1_000_000)
}

/// The calendar form of microseconds since the epoch.
pub(crate) fn wall_clock(micros: i64) -> Option<NaiveDateTime> {
    chrono::DateTime::from_timestamp_micros(micros).map(|instant| instant.naive_utc())
}

/// The calendar form of days since the epoch.
pub(crate) fn calendar(days: i32) -> Option<NaiveDate> {
    NaiveDate::default().checked_add_signed(chrono::TimeDelta::days(i64::from(days)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_take_short_forms() {
        let cases = [
            ("2024", Some(19723)),
            ("2024-1-2", Some(19724)),
            (" 2024-01-01 ", Some(19723)),
            ("2024-01-01T10:00:00", Some(19723)),
            ("2024-01-01 junk", Some(19723)),
            ("2024-02-30", None),
            ("24-01-01", None),
            ("2024-13-01", None),
            ("20240101", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(date(text), expected, "{text:?}");
        }
    }

    #[test]
    fn timestamps_know_zones() {
        let utc = |text: &str| timestamp(text).map(|parsed| parsed.utc);
        assert_eq!(utc("1970-01-01 00:00:01"), Some(1_000_000));
        assert_eq!(utc("1970-01-01T00:00:00.5"), Some(500_000));
        assert_eq!(utc("1970-01-01 01:00:00+01:00"), Some(0));
        assert_eq!(utc("1970-01-01 00:00:00Z"), Some(0));
        assert_eq!(utc("1970-01-02"), Some(DAY_MICROS));
        assert_eq!(utc("1970-01-01 25:00:00"), None);
        assert_eq!(utc("1970-01-01 01:00:00 Europe/Paris"), Some(0));
    }
}
