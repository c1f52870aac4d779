//! Date and time patterns: `date_format`, and reading text by a pattern.
//!
//! The letters are those of Java's `DateTimeFormatter` that Spark allows and lessons use; others are refused.

use super::call::{Bound, Call};
use super::text::build;
use crate::cast::{DAY_MICROS, days, parse_date, parse_timestamp, wall_clock};
use crate::error::Complaint;
use crate::session::Session;
use crate::typed::{SqlType, Typed};
use arrow::array::ArrayRef;
use arrow::compute;
use arrow::datatypes as types;
use chrono::{Datelike, NaiveDateTime, Timelike};
use datafusion::common::Result as DfResult;
use delta::schema::DataType;
use std::fmt::Write;

pub(super) const NAMES: &[&str] = &[
    "date_format",
    "to_date",
    "try_to_date",
    "to_timestamp",
    "try_to_timestamp",
    "to_timestamp_ntz",
    "from_unixtime",
    "unix_timestamp",
    "to_unix_timestamp",
];

const DEFAULT: &str = "yyyy-MM-dd HH:mm:ss";

pub(super) fn bind(call: Call) -> Bound {
    match call.name {
        "date_format" => format(call.arity(2, 2)?.implicit(0, DataType::Timestamp)?.text(1)?),
        "from_unixtime" => {
            let mut call = call.arity(1, 2)?.implicit(0, DataType::Long)?.text(1)?;
            let session = call.session;
            if let Some(slot) = call.args.first_mut() {
                let value = slot.clone();
                *slot = crate::cast::cast(session, value, &DataType::Timestamp.into(), crate::cast::Mode::Ansi)?;
            }
            format(with_default_pattern(call))
        }
        "to_date" | "try_to_date" => parse(call.arity(1, 2)?, DataType::Date),
        "to_timestamp" | "try_to_timestamp" => parse(call.arity(1, 2)?, DataType::Timestamp),
        "to_timestamp_ntz" => parse(call.arity(1, 2)?, DataType::TimestampNtz),
        _ => unix_timestamp(call),
    }
}

fn text_literal(text: &str) -> Typed {
    Typed::literal(datafusion::common::ScalarValue::Utf8(Some(text.to_owned())), DataType::String)
}

fn with_default_pattern(mut call: Call<'_>) -> Call<'_> {
    if call.args.len() == 1 {
        call.args.push(text_literal(DEFAULT));
    }
    call
}

fn unix_timestamp(call: Call) -> Bound {
    let session: &Session = call.session;
    let mut call = call.arity(0, 2)?;
    if call.args.is_empty() {
        let now = datafusion::common::ScalarValue::Int64(Some(session.now_micros().div_euclid(1_000_000)));
        return Ok(Typed::literal(now, DataType::Long));
    }
    let instant = match call.type_of(0).is_string() {
        true => parse(Call { name: "to_timestamp", ..with_default_pattern(call) }, DataType::Timestamp)?,
        false => {
            call.args.truncate(1);
            let [value] = call.implicit(0, DataType::Timestamp)?.take()?;
            value
        }
    };
    super::scalar(session, "unix_seconds", vec![instant])
}

/// Values read from text by a pattern, or by the rules of CAST without one.
fn parse(call: Call, to: DataType) -> Bound {
    let tries = call.name.starts_with("try_");
    let is_date = to == DataType::Date;
    let to_type = SqlType::from(to);
    if call.args.len() == 1 || !call.type_of(0).is_string() {
        let mode = if tries { crate::cast::Mode::Try } else { crate::cast::Mode::Ansi };
        let session = call.session;
        let Some(value) = call.args.into_iter().next() else {
            return Err(Complaint::internal("the arguments were not counted"));
        };
        return crate::cast::cast(session, value, &to_type, mode);
    }
    let nullable = tries || call.args.iter().any(|arg| arg.nullable);
    let arrow = to_type.arrow();
    call.text(0)?.text(1)?.gives_nullable(to_type, nullable, move |args| {
        let (texts, patterns) = (args.str(0)?, args.str(1)?);
        let parsed = |row: usize| -> DfResult<Option<i64>> {
            let Some((text, pattern)) = texts.get(row).zip(patterns.get(row)) else { return Ok(None) };
            match read(text, &items(pattern)?) {
                Some(micros) => Ok(Some(micros)),
                None if tries => Ok(None),
                None => Err(cannot_parse(text, pattern).into()),
            }
        };
        let array: ArrayRef = match is_date {
            true => super::date::rows::<types::Int32Type>(args, |row| {
                Ok(parsed(row)?.and_then(|micros| i32::try_from(micros.div_euclid(DAY_MICROS)).ok()))
            })?,
            false => super::date::rows::<types::Int64Type>(args, parsed)?,
        };
        Ok(compute::cast(&array, &arrow)?)
    })
}

fn cannot_parse(text: &str, pattern: &str) -> Complaint {
    let message = format!("The text '{text}' does not follow the pattern '{pattern}'.");
    let complaint = Complaint::new("CANNOT_PARSE_TIMESTAMP", "22007", message);
    let plain = parse_date(text).is_some() || parse_timestamp(text).is_some();
    complaint.with_hint(match plain {
        true => "Without a pattern this text would be read.",
        false => "`try_to_timestamp` gives NULL for such values.",
    })
}

/// The call prints its first argument by the pattern in its second.
fn format(call: Call) -> Bound {
    call.gives(DataType::String, |args| {
        let instants = args.primitive::<types::TimestampMicrosecondType>(0)?;
        let patterns = args.str(1)?;
        build(args, |row, out| {
            let (Some(micros), Some(pattern)) = (instants.get(row), patterns.get(row)) else { return Ok(false) };
            let Some(wall) = wall_clock(micros) else { return Ok(false) };
            for item in items(pattern)? {
                write_item(&item, &wall, out);
            }
            Ok(true)
        })
    })
}

#[derive(Debug, Clone, PartialEq)]
enum Item {
    Text(String),
    Field { letter: char, width: usize },
}

fn items(pattern: &str) -> Result<Vec<Item>, Complaint> {
    let mut items = Vec::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\'' {
            items.push(Item::Text(quoted(&mut chars)));
        } else if c.is_ascii_alphabetic() {
            let mut width = 1;
            while chars.next_if_eq(&c).is_some() {
                width += 1;
            }
            if !"yuMLdDHhKkmsSEaQq".contains(c) {
                let message = format!("The pattern '{pattern}' has the letter {c}, which is not supported.");
                return Err(Complaint::new("INVALID_DATETIME_PATTERN.ILLEGAL_CHARACTER", "22007", message));
            }
            items.push(Item::Field { letter: c, width });
        } else {
            items.push(Item::Text(c.to_string()));
        }
    }
    Ok(items)
}

/// Two quotes stand for one.
fn quoted(chars: &mut std::iter::Peekable<std::str::Chars>) -> String {
    let mut text = String::new();
    if chars.next_if_eq(&'\'').is_some() {
        return "'".to_owned();
    }
    while let Some(c) = chars.next() {
        if c != '\'' {
            text.push(c);
        } else if chars.next_if_eq(&'\'').is_some() {
            text.push('\'');
        } else {
            break;
        }
    }
    text
}

fn write_item(item: &Item, wall: &NaiveDateTime, out: &mut String) {
    let (letter, width) = match item {
        Item::Text(text) => return out.push_str(text),
        Item::Field { letter, width } => (*letter, *width),
    };
    let twelve = |hour: u32| if hour.is_multiple_of(12) { 12 } else { hour % 12 };
    let text = match (letter, width) {
        ('y' | 'u', 2) => format!("{:02}", wall.year().rem_euclid(100)),
        ('y' | 'u', _) => format!("{:0width$}", wall.year()),
        ('M' | 'L', 3) => wall.format("%b").to_string(),
        ('M' | 'L', 4..) => wall.format("%B").to_string(),
        ('E', 1..=3) => wall.format("%a").to_string(),
        ('E', _) => wall.format("%A").to_string(),
        ('a', _) => if wall.hour() < 12 { "AM" } else { "PM" }.to_owned(),
        ('S', _) => {
            let digits = format!("{:09}", wall.nanosecond() % 1_000_000_000);
            digits.chars().chain(std::iter::repeat('0')).take(width).collect()
        }
        ('Q' | 'q', 3) => format!("Q{}", wall.month0() / 3 + 1),
        _ => {
            let number = match letter {
                'M' | 'L' => wall.month(),
                'd' => wall.day(),
                'D' => wall.ordinal(),
                'H' => wall.hour(),
                'h' => twelve(wall.hour()),
                'K' => wall.hour() % 12,
                'k' => {
                    if wall.hour() == 0 {
                        24
                    } else {
                        wall.hour()
                    }
                }
                'm' => wall.minute(),
                's' => wall.second(),
                _ => wall.month0() / 3 + 1,
            };
            format!("{number:0width$}")
        }
    };
    // Writing to a String cannot fail.
    let _ = write!(out, "{text}");
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The instant that the text means by the pattern.
fn read(text: &str, items: &[Item]) -> Option<i64> {
    let (mut year, mut month, mut day) = (1970, 1, 1);
    let (mut hour, mut minute, mut second, mut micros) = (0_i64, 0_i64, 0_i64, 0_i64);
    let mut afternoon = None;
    let mut rest = text;
    for (idx, item) in items.iter().enumerate() {
        let (letter, width) = match item {
            Item::Text(text) => {
                rest = rest.strip_prefix(text.as_str())?;
                continue;
            }
            Item::Field { letter, width } => (*letter, *width),
        };
        match (letter, width) {
            ('M' | 'L', 3..) => {
                let name =
                    |name: &str| if width == 3 { name.get(..3).unwrap_or(name).to_owned() } else { name.to_owned() };
                let found = MONTHS.iter().position(|month| rest.starts_with(&name(month)))?;
                rest = rest.get(name(MONTHS.get(found)?).len()..)?;
                month = u32::try_from(found + 1).ok()?;
                continue;
            }
            ('a', _) => {
                afternoon = Some(rest.get(..2)?.eq_ignore_ascii_case("PM"));
                rest = rest.get(2..)?;
                continue;
            }
            ('E', _) => {
                let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
                rest = rest.get(end..)?;
                continue;
            }
            _ => {}
        }
        // A number ends at its width where another number follows at once or its width is fixed.
        let touches = matches!(items.get(idx + 1), Some(Item::Field { .. }));
        let most = match (letter, width) {
            ('y' | 'u', 1 | 3..) if !touches => 7,
            (_, 1) if !touches => 2,
            ('S', _) => 9,
            _ => width,
        };
        let end = rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
        if end == 0 || (end < width && letter != 'S') {
            return None;
        }
        let (digits, tail) = rest.split_at(end);
        rest = tail;
        let number: i64 = digits.parse().ok()?;
        match letter {
            'y' | 'u' if width == 2 => year = i32::try_from(2000 + number).ok()?,
            'y' | 'u' => year = i32::try_from(number).ok()?,
            'M' | 'L' => month = u32::try_from(number).ok()?,
            'd' => day = u32::try_from(number).ok()?,
            'H' | 'h' | 'K' | 'k' => hour = number,
            'm' => minute = number,
            's' => second = number,
            'S' => micros = format!("{digits:0<6}").get(..6)?.parse().ok()?,
            _ => {}
        }
    }
    hour = match afternoon {
        Some(true) if hour < 12 => hour + 12,
        Some(false) if hour == 12 => 0,
        _ => hour,
    };
    let valid = rest.is_empty() && hour < 24 && minute < 60 && second < 60;
    let day = i64::from(days(year, month, day).filter(|_| valid)?);
    Some(day * DAY_MICROS + ((hour * 60 + minute) * 60 + second) * 1_000_000 + micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(micros: i64, pattern: &str) -> String {
        let mut text = String::new();
        for item in items(pattern).unwrap() {
            write_item(&item, &wall_clock(micros).unwrap(), &mut text);
        }
        text
    }

    #[test]
    fn patterns_print() {
        let instant = 1_704_279_845_120_000; // 2024-01-03 11:04:05.12
        assert_eq!(shown(instant, "yyyy/M/d H:mm:ss.SSS"), "2024/1/3 11:04:05.120");
        assert_eq!(shown(instant, "E, dd MMM yy 'at' hh a"), "Wed, 03 Jan 24 at 11 AM");
        assert_eq!(items("b").unwrap_err().condition, "INVALID_DATETIME_PATTERN.ILLEGAL_CHARACTER");
    }

    #[test]
    fn patterns_read() {
        let read = |text: &str, pattern: &str| read(text, &items(pattern).unwrap());
        assert_eq!(read("01.02.1970", "dd.MM.yyyy"), Some(31 * DAY_MICROS));
        assert_eq!(read("19700102", "yyyyMMdd"), Some(DAY_MICROS));
        assert_eq!(read("1970-01-01 01:30 PM", "yyyy-MM-dd hh:mm a"), Some(13 * 3_600_000_000 + 30 * 60_000_000));
        assert_eq!(read("1970-1-2", "yyyy-MM-dd"), None);
        assert_eq!(read("1970-01-02x", "yyyy-MM-dd"), None);
        assert_eq!(read("2 Jan 1970", "d MMM yyyy"), Some(DAY_MICROS));
    }
}
