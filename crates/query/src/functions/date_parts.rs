//! Parts of dates and timestamps.

use super::call::{Bound, Call};
use super::date::rows;
use crate::cast::{DAY_MICROS, calendar};
use crate::error::Complaint;
use crate::typed::SqlType;
use arrow::array::{ArrayRef, AsArray, PrimitiveArray, StringArray};
use arrow::datatypes as types;
use chrono::{Datelike, NaiveDate};
use delta::schema::DataType;
use std::sync::Arc;

pub(super) const NAMES: &[&str] = &[
    "year",
    "quarter",
    "month",
    "day",
    "dayofmonth",
    "dayofweek",
    "weekday",
    "dayofyear",
    "weekofyear",
    "hour",
    "minute",
    "second",
    "extract",
    "date_part",
    "datepart",
    "dayname",
    "monthname",
];

pub(super) fn bind(call: Call) -> Bound {
    match call.name {
        "extract" | "date_part" | "datepart" => extract(call),
        "dayname" => named(call, |date| date.format("%a").to_string()),
        "monthname" => named(call, |date| date.format("%b").to_string()),
        "hour" => time(call, 3600, 24),
        "minute" => time(call, 60, 60),
        "second" => time(call, 1, 60),
        _ => date_part(call),
    }
}

fn part(name: &str) -> fn(NaiveDate) -> u32 {
    match name {
        "quarter" => |date| date.month0() / 3 + 1,
        "month" => |date| date.month(),
        "dayofweek" => |date| date.weekday().number_from_sunday(),
        "weekday" => |date| date.weekday().num_days_from_monday(),
        "dayofyear" => |date| date.ordinal(),
        "weekofyear" => |date| date.iso_week().week(),
        _ => |date| date.day(),
    }
}

fn date_part(call: Call) -> Bound {
    let call = call.arity(1, 1)?.implicit(0, DataType::Date)?;
    let year = call.name == "year";
    let part = part(call.name);
    call.gives(DataType::Int, move |args| {
        let dates = args.primitive::<types::Date32Type>(0)?;
        rows::<types::Int32Type>(args, |row| {
            let date = dates.get(row).and_then(calendar);
            Ok(date.and_then(|date| if year { Some(date.year()) } else { i32::try_from(part(date)).ok() }))
        })
    })
}

fn time(call: Call, unit: i64, size: i64) -> Bound {
    let call = call.arity(1, 1)?.implicit(0, DataType::Timestamp)?;
    call.gives(DataType::Int, move |args| {
        let instants = args.primitive::<types::TimestampMicrosecondType>(0)?;
        rows::<types::Int32Type>(args, |row| {
            let seconds = instants.get(row).map(|micros| micros.rem_euclid(DAY_MICROS) / 1_000_000);
            Ok(seconds.and_then(|seconds| i32::try_from(seconds / unit % size).ok()))
        })
    })
}

fn named(call: Call, f: fn(NaiveDate) -> String) -> Bound {
    call.arity(1, 1)?.implicit(0, DataType::Date)?.gives(DataType::String, move |args| {
        let dates = args.primitive::<types::Date32Type>(0)?;
        let names = (0..args.rows()).map(|row| dates.get(row).and_then(calendar).map(f));
        Ok(Arc::new(names.collect::<StringArray>()))
    })
}

/// `extract(unit FROM value)`; the unit comes as a text constant.
fn extract(call: Call) -> Bound {
    let call = call.arity(2, 2)?;
    let Some(unit) = call.constant_text(0).map(|unit| unit.to_ascii_uppercase()) else {
        return call.wrong(0, "the name of a part");
    };
    let mut call = call;
    let value = call.args.remove(1);
    call.args.clear();
    call.args.push(value);
    if call.type_of(0).is_interval() {
        return interval_part(call, &unit);
    }
    let name = match unit.as_str() {
        "YEAR" | "Y" | "YEARS" | "YR" | "YRS" => "year",
        "QUARTER" | "QTR" => "quarter",
        "MONTH" | "MON" | "MONS" | "MONTHS" => "month",
        "WEEK" | "W" | "WEEKS" => "weekofyear",
        "DAY" | "D" | "DAYS" => "day",
        "DAYOFWEEK" | "DOW" => "dayofweek",
        "DAYOFWEEK_ISO" | "DOW_ISO" => return iso_weekday(call),
        "DOY" => "dayofyear",
        "YEAROFWEEK" => return iso_year(call),
        "HOUR" | "H" | "HOURS" | "HR" | "HRS" => "hour",
        "MINUTE" | "M" | "MIN" | "MINS" | "MINUTES" => "minute",
        "SECOND" | "S" | "SEC" | "SECONDS" | "SECS" => return seconds(call),
        _ => return Err(unknown_unit(&unit)),
    };
    bind(Call { name, ..call })
}

fn unknown_unit(unit: &str) -> Complaint {
    Complaint::new(
        "INVALID_EXTRACT_FIELD",
        "42601",
        format!("`{unit}` is no part that can be taken out of this value."),
    )
}

fn iso_weekday(call: Call) -> Bound {
    call.implicit(0, DataType::Date)?.gives(DataType::Int, |args| {
        let dates = args.primitive::<types::Date32Type>(0)?;
        rows::<types::Int32Type>(args, |row| {
            let date = dates.get(row).and_then(calendar);
            Ok(date.and_then(|date| i32::try_from(date.weekday().number_from_monday()).ok()))
        })
    })
}

fn iso_year(call: Call) -> Bound {
    call.implicit(0, DataType::Date)?.gives(DataType::Int, |args| {
        let dates = args.primitive::<types::Date32Type>(0)?;
        rows::<types::Int32Type>(args, |row| Ok(dates.get(row).and_then(calendar).map(|date| date.iso_week().year())))
    })
}

/// Seconds with their fraction.
fn seconds(call: Call) -> Bound {
    let to = SqlType::from(DataType::Decimal { precision: 8, scale: 6 });
    let arrow = to.arrow();
    call.implicit(0, DataType::Timestamp)?.gives(to, move |args| {
        let array = args.array(0)?;
        let instants = array.as_primitive::<types::TimestampMicrosecondType>();
        let seconds: PrimitiveArray<types::Decimal128Type> =
            instants.unary(|micros| i128::from(micros.rem_euclid(60_000_000)));
        Ok(Arc::new(seconds.with_data_type(arrow.clone())) as ArrayRef)
    })
}

fn interval_part(call: Call, unit: &str) -> Bound {
    let months = matches!(call.type_of(0), SqlType::YearMonthInterval);
    let micros = matches!(call.type_of(0), SqlType::DayTimeInterval { .. });
    let (unit, size): (i64, i64) = match unit {
        "YEAR" | "YEARS" if months => (12, i64::MAX),
        "MONTH" | "MONTHS" if months => (1, 12),
        "DAY" | "DAYS" if micros => (DAY_MICROS, i64::MAX),
        "HOUR" | "HOURS" if micros => (3_600_000_000, 24),
        "MINUTE" | "MINUTES" if micros => (60_000_000, 60),
        "SECOND" | "SECONDS" if micros => (1_000_000, 60),
        _ => return Err(unknown_unit(unit)),
    };
    call.gives_with(DataType::Int, true, format!("{unit} {size}"), move |args| {
        rows::<types::Int32Type>(args, |row| {
            let value = match months {
                true => args.primitive::<types::IntervalYearMonthType>(0)?.get(row).map(i64::from),
                false => args.primitive::<types::DurationMicrosecondType>(0)?.get(row),
            };
            Ok(value.and_then(|value| i32::try_from(value / unit % size).ok()))
        })
    })
}
