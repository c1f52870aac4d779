//! Functions that make, move and measure timestamps.

use super::call::{Bound, Call};
use super::date::{made_date, rows, truncate};
use crate::cast::DAY_MICROS;
use crate::error::Complaint;
use crate::ops::{overflow, shift_micros};
use crate::typed::{SqlType, Typed};
use arrow::array::ArrayRef;
use arrow::compute;
use arrow::datatypes as types;
use datafusion::common::{Result as DfResult, ScalarValue};
use delta::schema::DataType;

pub(super) const NAMES: &[&str] = &[
    "current_timestamp",
    "now",
    "localtimestamp",
    "date_trunc",
    "make_timestamp",
    "unix_micros",
    "unix_millis",
    "unix_seconds",
    "timestamp_micros",
    "timestamp_millis",
    "timestamp_seconds",
    "timestampadd",
    "timestampdiff",
    "current_timezone",
    "current_user",
    "user",
    "session_user",
    "current_catalog",
    "current_database",
    "current_schema",
    "make_dt_interval",
    "make_ym_interval",
];

type Micros = types::TimestampMicrosecondType;

pub(super) fn bind(call: Call) -> Bound {
    let now = call.session.now_micros();
    let text = |call: Call, text: &str| -> Bound {
        call.arity(0, 0)?;
        Ok(Typed::literal(ScalarValue::Utf8(Some(text.to_owned())), DataType::String))
    };
    match call.name {
        "current_timestamp" | "now" => {
            call.arity(0, 0)?;
            let value = ScalarValue::TimestampMicrosecond(Some(now), Some("UTC".into()));
            Ok(Typed::literal(value, DataType::Timestamp))
        }
        "localtimestamp" => {
            call.arity(0, 0)?;
            Ok(Typed::literal(ScalarValue::TimestampMicrosecond(Some(now), None), DataType::TimestampNtz))
        }
        "current_timezone" => text(call, "UTC"),
        "current_user" | "user" | "session_user" => text(call, "mergelab"),
        "current_catalog" => text(call, "spark_catalog"),
        "current_database" | "current_schema" => text(call, "default"),
        "date_trunc" => date_trunc(call),
        "make_timestamp" => make_timestamp(call),
        "unix_micros" => unix(call, 1),
        "unix_millis" => unix(call, 1_000),
        "unix_seconds" => unix(call, 1_000_000),
        "timestamp_micros" => from_unix(call, 1),
        "timestamp_millis" => from_unix(call, 1_000),
        "timestamp_seconds" => {
            let [value] = call_numeric(call.arity(1, 1)?)?;
            Ok(value)
        }
        "timestampadd" => add(call),
        "timestampdiff" => diff(call),
        "make_dt_interval" => make_interval(call),
        _ => {
            let n_args = call.args.len();
            call.arity(0, 2)?.int(0)?.int(1)?.gives(SqlType::YearMonthInterval, move |args| {
                rows::<types::IntervalYearMonthType>(args, |row| {
                    let part = |idx: usize| match idx < n_args {
                        true => Ok::<_, datafusion::error::DataFusionError>(
                            args.primitive::<types::Int32Type>(idx)?.get(row),
                        ),
                        false => Ok(Some(0)),
                    };
                    let (years, months) = (part(0)?, part(1)?);
                    Ok(years.zip(months).and_then(|(years, months)| years.checked_mul(12)?.checked_add(months)))
                })
            })
        }
    }
}

fn call_numeric(call: Call) -> Result<[Typed; 1], Complaint> {
    if !call.type_of(0).is_numeric() && !call.type_of(0).is_void() {
        return call.wrong(0, "NUMERIC");
    }
    let session = call.session;
    let [value] = call.take()?;
    Ok([crate::cast::cast(session, value, &DataType::Timestamp.into(), crate::cast::Mode::Ansi)?])
}

fn out_of_range() -> Complaint {
    overflow("The timestamp", &DataType::Timestamp.into())
}

/// Microseconds as a TIMESTAMP array.
fn instants(micros: &ArrayRef) -> DfResult<ArrayRef> {
    Ok(compute::cast(micros, &SqlType::from(DataType::Timestamp).arrow())?)
}

/// The start of the unit; NULL for a unit that does not exist.
fn date_trunc(call: Call) -> Bound {
    let call = call.arity(2, 2)?.text(0)?.implicit(1, DataType::Timestamp)?;
    call.gives_nullable(DataType::Timestamp, true, |args| {
        let (units, values) = (args.str(0)?, args.primitive::<Micros>(1)?);
        let truncated = rows::<types::Int64Type>(args, |row| {
            Ok(units.get(row).zip(values.get(row)).and_then(|(unit, micros)| truncated(micros, unit)))
        })?;
        instants(&truncated)
    })
}

fn truncated(micros: i64, unit: &str) -> Option<i64> {
    let size = match unit.to_ascii_uppercase().as_str() {
        "MICROSECOND" => 1,
        "MILLISECOND" => 1_000,
        "SECOND" => 1_000_000,
        "MINUTE" => 60_000_000,
        "HOUR" => 3_600_000_000,
        "DAY" | "DD" => DAY_MICROS,
        _ => {
            let day = i32::try_from(micros.div_euclid(DAY_MICROS)).ok()?;
            return Some(i64::from(truncate(day, unit)?) * DAY_MICROS);
        }
    };
    Some(micros.div_euclid(size) * size)
}

fn make_timestamp(call: Call) -> Bound {
    let mut call = call.arity(6, 6)?;
    for idx in 0..5 {
        call = call.int(idx)?;
    }
    let seconds = DataType::Decimal { precision: 16, scale: 6 };
    let call = if call.type_of(5).is_numeric() { call } else { call.double(5)? };
    let session = call.session;
    let mut call = call;
    if let Some(slot) = call.args.get_mut(5) {
        let value = slot.clone();
        *slot = crate::cast::cast(session, value, &seconds.into(), crate::cast::Mode::Ansi)?;
    }
    call.gives(DataType::Timestamp, |args| {
        let ints = (0..5).map(|idx| args.primitive::<types::Int32Type>(idx)).collect::<DfResult<Vec<_>>>()?;
        let seconds = args.primitive::<types::Decimal128Type>(5)?;
        let micros = rows::<types::Int64Type>(args, |row| {
            let parts: Option<Vec<i32>> = ints.iter().map(|view| view.get(row)).collect();
            let (Some(parts), Some(seconds)) = (parts, seconds.get(row)) else { return Ok(None) };
            let [year, month, day, hour, minute] = parts[..] else { return Ok(None) };
            let day = i64::from(made_date(year, month, day)?) * DAY_MICROS;
            let seconds = i64::try_from(seconds).unwrap_or(-1);
            if !(0..24).contains(&hour) || !(0..60).contains(&minute) || !(0..=60_000_000).contains(&seconds) {
                let message =
                    format!("There is no time with hour {hour} and minute {minute}, or its seconds are wrong.");
                return Err(Complaint::new("DATETIME_FIELD_OUT_OF_BOUNDS.WITH_SUGGESTION", "22023", message).into());
            }
            Ok(Some(day + (i64::from(hour) * 60 + i64::from(minute)) * 60_000_000 + seconds))
        })?;
        instants(&micros)
    })
}

fn unix(call: Call, unit: i64) -> Bound {
    call.arity(1, 1)?.implicit(0, DataType::Timestamp)?.gives_with(
        DataType::Long,
        true,
        unit.to_string(),
        move |args| {
            let values = args.primitive::<Micros>(0)?;
            rows::<types::Int64Type>(args, |row| Ok(values.get(row).map(|micros| micros.div_euclid(unit))))
        },
    )
}

fn from_unix(call: Call, unit: i64) -> Bound {
    call.arity(1, 1)?.implicit(0, DataType::Long)?.gives(DataType::Timestamp, move |args| {
        let values = args.primitive::<types::Int64Type>(0)?;
        let micros = rows::<types::Int64Type>(args, |row| {
            let Some(value) = values.get(row) else { return Ok(None) };
            value.checked_mul(unit).map(Some).ok_or_else(|| out_of_range().into())
        })?;
        instants(&micros)
    })
}

/// Months or microseconds of a unit of `timestampadd` and `timestampdiff`.
fn unit_size(unit: &str) -> Option<(i64, i64)> {
    Some(match unit {
        "YEAR" => (12, 0),
        "QUARTER" => (3, 0),
        "MONTH" => (1, 0),
        "WEEK" => (0, 7 * DAY_MICROS),
        "DAY" | "DAYOFYEAR" => (0, DAY_MICROS),
        "HOUR" => (0, 3_600_000_000),
        "MINUTE" => (0, 60_000_000),
        "SECOND" => (0, 1_000_000),
        "MILLISECOND" => (0, 1_000),
        "MICROSECOND" => (0, 1),
        _ => return None,
    })
}

/// The call without its unit, which comes as a text constant.
fn with_unit(call: Call<'_>) -> Result<(Call<'_>, (i64, i64)), Complaint> {
    let mut call = call.arity(3, 3)?;
    let unit = call.constant_text(0).map(|unit| unit.to_ascii_uppercase()).unwrap_or_default();
    let Some(size) = unit_size(&unit) else {
        let message = format!("`{unit}` is no unit of time that `{}` knows.", call.name);
        return Err(Complaint::new("INVALID_PARAMETER_VALUE.DATETIME_UNIT", "22023", message));
    };
    call.args.remove(0);
    Ok((call, size))
}

fn add(call: Call) -> Bound {
    let (call, (months, micros)) = with_unit(call)?;
    let call = call.implicit(0, DataType::Long)?.implicit(1, DataType::Timestamp)?;
    let nullable = call.args.iter().any(|arg| arg.nullable);
    call.gives_with(DataType::Timestamp, nullable, format!("{months} {micros}"), move |args| {
        let (counts, values) = (args.primitive::<types::Int64Type>(0)?, args.primitive::<Micros>(1)?);
        let moved = rows::<types::Int64Type>(args, |row| {
            let Some((count, value)) = counts.get(row).zip(values.get(row)) else { return Ok(None) };
            let amount = months.checked_mul(count).zip(micros.checked_mul(count));
            let moved = amount.and_then(|(months, micros)| shift_micros(value, months, micros));
            moved.map(Some).ok_or_else(|| out_of_range().into())
        })?;
        instants(&moved)
    })
}

fn diff(call: Call) -> Bound {
    let (call, (months, micros)) = with_unit(call)?;
    let call = call.implicit(0, DataType::Timestamp)?.implicit(1, DataType::Timestamp)?;
    let nullable = call.args.iter().any(|arg| arg.nullable);
    call.gives_with(DataType::Long, nullable, format!("{months} {micros}"), move |args| {
        let (starts, ends) = (args.primitive::<Micros>(0)?, args.primitive::<Micros>(1)?);
        rows::<types::Int64Type>(args, |row| {
            let Some((start, end)) = starts.get(row).zip(ends.get(row)) else { return Ok(None) };
            Ok(match months {
                0 => end.checked_sub(start).map(|distance| distance / micros),
                _ => whole_months(start, end).map(|distance| distance / months),
            })
        })
    })
}

/// Complete months from `start` to `end`.
fn whole_months(start: i64, end: i64) -> Option<i64> {
    if end < start {
        return whole_months(end, start).map(|months| -months);
    }
    let guess = (end - start) / (28 * DAY_MICROS);
    (0..=guess).rev().find(|months| shift_micros(start, *months, 0).is_some_and(|moved| moved <= end))
}

/// `make_dt_interval(days, hours, minutes, seconds)`.
fn make_interval(call: Call) -> Bound {
    let mut call = call.arity(0, 4)?.int(0)?.int(1)?.int(2)?;
    let n_args = call.args.len();
    let session = call.session;
    if let Some(slot) = call.args.get_mut(3) {
        let value = slot.clone();
        let seconds = DataType::Decimal { precision: 18, scale: 6 };
        *slot = crate::cast::cast(session, value, &seconds.into(), crate::cast::Mode::Ansi)?;
    }
    call.gives(SqlType::DayTimeInterval { days_only: false }, move |args| {
        rows::<types::DurationMicrosecondType>(args, |row| {
            let mut total = 0_i64;
            for (idx, unit) in [DAY_MICROS, 3_600_000_000, 60_000_000].into_iter().enumerate().take(n_args) {
                let Some(value) = args.primitive::<types::Int32Type>(idx)?.get(row) else { return Ok(None) };
                total = total.saturating_add(i64::from(value).saturating_mul(unit));
            }
            if n_args == 4 {
                let Some(value) = args.primitive::<types::Decimal128Type>(3)?.get(row) else { return Ok(None) };
                total = total.saturating_add(i64::try_from(value).unwrap_or(0));
            }
            Ok(Some(total))
        })
    })
}
