//! Functions that make or move dates.

use super::call::{Bound, Call};
use super::udf::Args;
use crate::cast::{DAY_MICROS, calendar, days};
use crate::error::Complaint;
use crate::ops::{add_months_to, overflow};
use crate::typed::Typed;
use arrow::array::{ArrayRef, ArrowPrimitiveType, Float64Array, PrimitiveBuilder};
use arrow::datatypes as types;
use chrono::{Datelike, NaiveDate, Weekday};
use datafusion::common::{Result as DfResult, ScalarValue};
use delta::schema::DataType;
use std::sync::Arc;

pub(super) const NAMES: &[&str] = &[
    "current_date",
    "curdate",
    "date_add",
    "dateadd",
    "date_sub",
    "datediff",
    "date_diff",
    "add_months",
    "months_between",
    "last_day",
    "next_day",
    "trunc",
    "make_date",
    "unix_date",
    "date_from_unix_date",
];

pub(super) fn bind(call: Call) -> Bound {
    match call.name {
        "current_date" | "curdate" => {
            let today = i32::try_from(call.session.now_micros().div_euclid(DAY_MICROS)).ok();
            call.arity(0, 0)?;
            Ok(Typed::literal(ScalarValue::Date32(today), DataType::Date))
        }
        "date_add" | "dateadd" if call.args.len() == 3 => super::timestamp::bind(Call { name: "timestampadd", ..call }),
        "datediff" | "date_diff" if call.args.len() == 3 => {
            super::timestamp::bind(Call { name: "timestampdiff", ..call })
        }
        "date_add" | "dateadd" => add_days(call, 1),
        "date_sub" => add_days(call, -1),
        "datediff" | "date_diff" => {
            let call = call.arity(2, 2)?.implicit(0, DataType::Date)?.implicit(1, DataType::Date)?;
            call.gives(DataType::Int, |args| {
                let (end, start) = (args.primitive::<types::Date32Type>(0)?, args.primitive::<types::Date32Type>(1)?);
                rows::<types::Int32Type>(args, |row| {
                    Ok(end.get(row).zip(start.get(row)).map(|(end, start)| end - start))
                })
            })
        }
        "add_months" => call.arity(2, 2)?.implicit(0, DataType::Date)?.int(1)?.gives(DataType::Date, |args| {
            let (dates, months) = (args.primitive::<types::Date32Type>(0)?, args.primitive::<types::Int32Type>(1)?);
            rows::<types::Date32Type>(args, |row| {
                let Some((date, months)) = dates.get(row).zip(months.get(row)) else { return Ok(None) };
                add_months_to(date, i64::from(months)).map(Some).ok_or_else(|| out_of_range().into())
            })
        }),
        "months_between" => months_between(call),
        "last_day" => call.arity(1, 1)?.implicit(0, DataType::Date)?.gives(DataType::Date, |args| {
            let dates = args.primitive::<types::Date32Type>(0)?;
            rows::<types::Date32Type>(args, |row| Ok(dates.get(row).and_then(calendar).and_then(last_day)))
        }),
        "next_day" => next_day(call),
        "trunc" => {
            let call = call.arity(2, 2)?.implicit(0, DataType::Date)?.text(1)?;
            call.gives_nullable(DataType::Date, true, |args| {
                let (dates, units) = (args.primitive::<types::Date32Type>(0)?, args.str(1)?);
                rows::<types::Date32Type>(args, |row| {
                    Ok(dates.get(row).zip(units.get(row)).and_then(|(date, unit)| truncate(date, unit)))
                })
            })
        }
        "make_date" => call.arity(3, 3)?.int(0)?.int(1)?.int(2)?.gives(DataType::Date, |args| {
            let [y, m, d] = [0, 1, 2].map(|idx| args.primitive::<types::Int32Type>(idx));
            let (y, m, d) = (y?, m?, d?);
            rows::<types::Date32Type>(args, |row| {
                let (Some(y), Some(m), Some(d)) = (y.get(row), m.get(row), d.get(row)) else { return Ok(None) };
                made_date(y, m, d).map(Some).map_err(Into::into)
            })
        }),
        "unix_date" => call.arity(1, 1)?.implicit(0, DataType::Date)?.gives(DataType::Int, |args| {
            let dates = args.primitive::<types::Date32Type>(0)?;
            rows::<types::Int32Type>(args, |row| Ok(dates.get(row)))
        }),
        _ => call.arity(1, 1)?.int(0)?.gives(DataType::Date, |args| {
            let days = args.primitive::<types::Int32Type>(0)?;
            rows::<types::Date32Type>(args, |row| Ok(days.get(row)))
        }),
    }
}

/// One value per row.
pub(super) fn rows<O: ArrowPrimitiveType>(
    args: &Args,
    f: impl Fn(usize) -> DfResult<Option<O::Native>>,
) -> DfResult<ArrayRef> {
    let mut builder = PrimitiveBuilder::<O>::with_capacity(args.rows());
    for row in 0..args.rows() {
        builder.append_option(f(row)?);
    }
    Ok(Arc::new(builder.finish()))
}

fn out_of_range() -> Complaint {
    overflow("The date", &DataType::Date.into())
}

/// The date of these parts, or the complaint that there is none.
pub(super) fn made_date(year: i32, month: i32, day: i32) -> Result<i32, Complaint> {
    let parts = u32::try_from(month).ok().zip(u32::try_from(day).ok());
    parts.and_then(|(month, day)| days(year, month, day)).ok_or_else(|| {
        let message = format!("There is no date with year {year}, month {month} and day {day}.");
        Complaint::new("DATETIME_FIELD_OUT_OF_BOUNDS.WITH_SUGGESTION", "22023", message)
    })
}

fn add_days(call: Call, sign: i32) -> Bound {
    let call = call.arity(2, 2)?.implicit(0, DataType::Date)?;
    if !call.type_of(1).is_integral() && !call.type_of(1).is_string() && !call.type_of(1).is_void()
        || call.type_of(1).is(&DataType::Long)
    {
        return call.wrong(1, "INT, SMALLINT or TINYINT");
    }
    call.int(1)?.gives(DataType::Date, move |args| {
        let (dates, days) = (args.primitive::<types::Date32Type>(0)?, args.primitive::<types::Int32Type>(1)?);
        rows::<types::Date32Type>(args, |row| {
            let Some((date, days)) = dates.get(row).zip(days.get(row)) else { return Ok(None) };
            let moved = days.checked_mul(sign).and_then(|days| date.checked_add(days));
            moved.map(Some).ok_or_else(|| out_of_range().into())
        })
    })
}

fn last_day(date: NaiveDate) -> Option<i32> {
    (28..=31).rev().find_map(|day| days(date.year(), date.month(), day))
}

/// Whole where both are month ends or the same day of the month; else by months of 31 days, to 8 digits.
fn months_between(call: Call) -> Bound {
    let call = call.arity(2, 3)?;
    let call =
        call.implicit(0, DataType::Timestamp)?.implicit(1, DataType::Timestamp)?.implicit(2, DataType::Boolean)?;
    call.gives(DataType::Double, |args| {
        type Micros = types::TimestampMicrosecondType;
        let (ends, starts) = (args.primitive::<Micros>(0)?, args.primitive::<Micros>(1)?);
        let rounds = (args.len() == 3).then(|| args.boolean(2)).transpose()?;
        let months = |row: usize| -> Option<f64> {
            let round = match &rounds {
                Some(rounds) => rounds.get(row)?,
                None => true,
            };
            let months = between(ends.get(row)?, starts.get(row)?)?;
            Some(if round { (months * 1e8).round() / 1e8 } else { months })
        };
        Ok(Arc::new((0..args.rows()).map(months).collect::<Float64Array>()))
    })
}

fn between(end: i64, start: i64) -> Option<f64> {
    let split = |micros: i64| {
        let date = calendar(i32::try_from(micros.div_euclid(DAY_MICROS)).ok()?)?;
        Some((date, micros.rem_euclid(DAY_MICROS)))
    };
    let ((end, end_time), (start, start_time)) = (split(end)?, split(start)?);
    let months = f64::from((end.year() - start.year()) * 12) + f64::from(end.month()) - f64::from(start.month());
    let is_last = |date: NaiveDate| date.succ_opt().is_some_and(|next| next.day() == 1);
    if end.day() == start.day() || (is_last(end) && is_last(start)) {
        return Some(months);
    }
    let days = f64::from(end.day()) - f64::from(start.day());
    let seconds = days * 86_400.0 + ((end_time - start_time) / 1_000_000) as f64;
    Some(months + seconds / (31.0 * 86_400.0))
}

fn next_day(call: Call) -> Bound {
    let call = call.arity(2, 2)?.implicit(0, DataType::Date)?.text(1)?;
    call.gives(DataType::Date, |args| {
        let (dates, names) = (args.primitive::<types::Date32Type>(0)?, args.str(1)?);
        rows::<types::Date32Type>(args, |row| {
            let Some((date, name)) = dates.get(row).zip(names.get(row)) else { return Ok(None) };
            let Some(wanted) = weekday(name) else {
                let message = format!("'{name}' is no day of the week.");
                return Err(Complaint::new("ILLEGAL_DAY_OF_WEEK", "22009", message).into());
            };
            let Some(found) = calendar(date).map(|date| date.weekday()) else { return Ok(None) };
            let ahead = (wanted.num_days_from_monday() + 6 - found.num_days_from_monday()) % 7 + 1;
            Ok(i32::try_from(ahead).ok().and_then(|ahead| date.checked_add(ahead)))
        })
    })
}

fn weekday(name: &str) -> Option<Weekday> {
    Some(match name.trim().to_ascii_uppercase().as_str() {
        "MO" | "MON" | "MONDAY" => Weekday::Mon,
        "TU" | "TUE" | "TUESDAY" => Weekday::Tue,
        "WE" | "WED" | "WEDNESDAY" => Weekday::Wed,
        "TH" | "THU" | "THURSDAY" => Weekday::Thu,
        "FR" | "FRI" | "FRIDAY" => Weekday::Fri,
        "SA" | "SAT" | "SATURDAY" => Weekday::Sat,
        "SU" | "SUN" | "SUNDAY" => Weekday::Sun,
        _ => return None,
    })
}

/// The first day of the year, quarter, month or week; `None` for another unit.
pub(super) fn truncate(date: i32, unit: &str) -> Option<i32> {
    let day = calendar(date)?;
    match unit.to_ascii_uppercase().as_str() {
        "YEAR" | "YYYY" | "YY" => days(day.year(), 1, 1),
        "QUARTER" => days(day.year(), day.month0() / 3 * 3 + 1, 1),
        "MONTH" | "MON" | "MM" => days(day.year(), day.month(), 1),
        "WEEK" => date.checked_sub(i32::try_from(day.weekday().num_days_from_monday()).ok()?),
        _ => None,
    }
}
