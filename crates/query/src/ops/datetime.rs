//! `+` and `-` with dates, timestamps and intervals, and intervals multiplied or divided by numbers.

use super::{mismatch, overflow, wrong_input};
use crate::cast::{self, DAY_MICROS, Mode, calendar};
use crate::error::Complaint;
use crate::functions::udf::{self, Args, Gives};
use crate::session::Session;
use crate::typed::{SqlType, Typed};
use arrow::array::{ArrayRef, ArrowPrimitiveType, PrimitiveBuilder};
use arrow::datatypes as types;
use chrono::Datelike;
use datafusion::common::Result as DfResult;
use delta::schema::DataType;
use spec::BinaryOp;
use std::sync::Arc;

/// Whether an operand makes an operator one of this module's.
pub(super) fn concerns(data_type: &SqlType) -> bool {
    data_type.is_interval()
        || matches!(data_type, SqlType::Column(DataType::Date | DataType::Timestamp | DataType::TimestampNtz))
}

/// The result, in Spark's type for the pair.
pub(super) fn arithmetic(session: &Session, op: BinaryOp, left: Typed, right: Typed) -> Result<Typed, Complaint> {
    use DataType as T;
    use SqlType as S;
    let wrong = mismatch(op, &left.data_type, &right.data_type);
    let minus = op == BinaryOp::Minus;
    match (op, &left.data_type, &right.data_type) {
        (BinaryOp::Plus, S::Column(T::Byte | T::Short | T::Int), S::Column(T::Date)) => {
            add_days(session, right, left, false)
        }
        (BinaryOp::Plus | BinaryOp::Minus, S::Column(T::Date), S::Column(T::Byte | T::Short | T::Int | T::Void)) => {
            add_days(session, left, right, minus)
        }
        (BinaryOp::Plus, S::Column(T::Date), S::Column(T::String)) => {
            Err(wrong_input("+", 2, "INT, SMALLINT or TINYINT", &right.data_type))
        }
        (BinaryOp::Minus, S::Column(T::Date | T::String), S::Column(T::Date)) => date_minus_date(session, left, right),
        (BinaryOp::Minus, S::Column(T::Date), S::Column(T::String)) => date_minus_date(session, left, right),
        (BinaryOp::Minus, S::Column(_), S::Column(_)) => instant_minus_instant(session, left, right).ok_or(wrong)?,
        (BinaryOp::Plus | BinaryOp::Minus, S::Column(T::Date | T::Timestamp | T::TimestampNtz), _)
            if right.data_type.is_interval() =>
        {
            shift(session, left, right, minus)
        }
        (BinaryOp::Plus, _, S::Column(T::Date | T::Timestamp | T::TimestampNtz)) if left.data_type.is_interval() => {
            shift(session, right, left, false)
        }
        (BinaryOp::Plus | BinaryOp::Minus, a, b) if a.is_interval() && b.is_interval() => {
            interval_sum(op, left, right).ok_or(wrong)
        }
        (BinaryOp::Multiply | BinaryOp::Divide, a, b) if a.is_interval() && b.is_numeric() => {
            scaled(session, op, left, right).ok_or(wrong)?
        }
        (BinaryOp::Multiply, a, b) if a.is_numeric() && b.is_interval() => {
            scaled(session, op, right, left).ok_or(wrong)?
        }
        _ => Err(wrong),
    }
}

fn date_out_of_range() -> Complaint {
    overflow("the date", &DataType::Date.into())
}

/// Whole days added to a date.
fn add_days(session: &Session, date: Typed, days: Typed, minus: bool) -> Result<Typed, Complaint> {
    let days = cast::cast(session, days, &DataType::Int.into(), Mode::Ansi)?;
    let kernel = move |args: &Args| {
        pairs::<types::Date32Type, types::Int32Type, types::Date32Type>(args, |date, days| {
            let sum = if minus { date.checked_sub(days) } else { date.checked_add(days) };
            sum.map(Some).ok_or_else(|| date_out_of_range().into())
        })
    };
    Ok(result(if minus { "-" } else { "+" }, "days", DataType::Date.into(), date, days, kernel))
}

fn date_minus_date(session: &Session, left: Typed, right: Typed) -> Result<Typed, Complaint> {
    let date = DataType::Date.into();
    let left = cast::cast(session, left, &date, Mode::Ansi)?;
    let right = cast::cast(session, right, &date, Mode::Ansi)?;
    let kernel = |args: &Args| {
        pairs::<types::Date32Type, types::Date32Type, types::DurationMicrosecondType>(args, |left, right| {
            Ok(Some((i64::from(left) - i64::from(right)) * DAY_MICROS))
        })
    };
    Ok(result("-", "dates", SqlType::DayTimeInterval { days_only: true }, left, right, kernel))
}

fn instant_minus_instant(session: &Session, left: Typed, right: Typed) -> Option<Result<Typed, Complaint>> {
    let instant = SqlType::from(DataType::Timestamp);
    let takes = |data_type: &SqlType| concerns(data_type) || data_type.is_string();
    if !takes(&left.data_type) || !takes(&right.data_type) {
        return None;
    }
    let both = || -> Result<Typed, Complaint> {
        let left = cast::cast(session, left, &instant, Mode::Ansi)?;
        let right = cast::cast(session, right, &instant, Mode::Ansi)?;
        let kernel = |args: &Args| {
            type Micros = types::TimestampMicrosecondType;
            pairs::<Micros, Micros, types::DurationMicrosecondType>(args, |left, right| Ok(left.checked_sub(right)))
        };
        Ok(result("-", "instants", SqlType::DayTimeInterval { days_only: false }, left, right, kernel))
    };
    Some(both())
}

/// A date or timestamp moved by an interval. A date stays a date unless the interval has a part below the day.
fn shift(session: &Session, start: Typed, interval: Typed, minus: bool) -> Result<Typed, Complaint> {
    let name = if minus { "-" } else { "+" };
    let sign = if minus { -1 } else { 1 };
    let is_date = start.data_type.is(&DataType::Date);
    if let (true, SqlType::DayTimeInterval { days_only: false }) = (is_date, &interval.data_type) {
        let start = cast::cast(session, start, &DataType::Timestamp.into(), Mode::Ansi)?;
        return shift(session, start, interval, minus);
    }
    let to = start.data_type.clone();
    let data_type = to.arrow();
    let kernel = move |args: &Args| {
        let array = if is_date { dates(args, sign)? } else { instants(args, sign)? };
        Ok(arrow::compute::cast(&array, &data_type)?)
    };
    let key = format!("{} {}", to.spark_name(), interval.data_type.spark_name());
    Ok(result(name, &key, to, start, interval, kernel))
}

/// The parts of an interval value of any of the three kinds.
fn parts(args: &Args, row: usize) -> DfResult<Option<(i32, i64)>> {
    if let Ok(months) = args.primitive::<types::IntervalYearMonthType>(1) {
        return Ok(months.get(row).map(|months| (months, 0)));
    }
    if let Ok(micros) = args.primitive::<types::DurationMicrosecondType>(1) {
        return Ok(micros.get(row).map(|micros| (0, micros)));
    }
    let calendar = args.primitive::<types::IntervalMonthDayNanoType>(1)?;
    Ok(calendar.get(row).map(|value| {
        (value.months, i64::from(value.days).saturating_mul(DAY_MICROS).saturating_add(value.nanoseconds / 1000))
    }))
}

fn dates(args: &Args, sign: i64) -> DfResult<ArrayRef> {
    let starts = args.primitive::<types::Date32Type>(0)?;
    let mut builder = PrimitiveBuilder::<types::Date32Type>::with_capacity(args.rows());
    for row in 0..args.rows() {
        let (Some(start), Some((months, micros))) = (starts.get(row), parts(args, row)?) else {
            builder.append_null();
            continue;
        };
        if micros % DAY_MICROS != 0 {
            let message = "An interval with hours or less cannot be added to a DATE; make it a TIMESTAMP first.";
            return Err(Complaint::new("INVALID_INTERVAL_WITH_MICROSECONDS_ADDITION", "22006", message).into());
        }
        let moved = add_months_to(start, i64::from(months) * sign)
            .and_then(|start| i32::try_from(i64::from(start) + sign * micros / DAY_MICROS).ok());
        builder.append_value(moved.ok_or_else(date_out_of_range)?);
    }
    Ok(Arc::new(builder.finish()))
}

fn instants(args: &Args, sign: i64) -> DfResult<ArrayRef> {
    let starts = args.primitive::<types::TimestampMicrosecondType>(0)?;
    let mut builder = PrimitiveBuilder::<types::Int64Type>::with_capacity(args.rows());
    for row in 0..args.rows() {
        let (Some(start), Some((months, micros))) = (starts.get(row), parts(args, row)?) else {
            builder.append_null();
            continue;
        };
        let moved = shift_micros(start, i64::from(months) * sign, micros.saturating_mul(sign));
        builder.append_value(moved.ok_or_else(|| overflow("the timestamp", &DataType::Timestamp.into()))?);
    }
    Ok(Arc::new(builder.finish()))
}

/// The date some months later or earlier, on the last day of the month where the day does not exist.
pub(crate) fn add_months_to(days: i32, months: i64) -> Option<i32> {
    if months == 0 {
        return Some(days);
    }
    let date = calendar(days)?;
    let count = i64::from(date.year()) * 12 + i64::from(date.month0()) + months;
    let year = i32::try_from(count.div_euclid(12)).ok()?;
    let month = u32::try_from(count.rem_euclid(12)).ok()? + 1;
    // At most three days are missing at the end of a month.
    (0..4).find_map(|missing| cast::days(year, month, date.day().saturating_sub(missing)))
}

/// The instant some months and microseconds later or earlier.
pub(crate) fn shift_micros(start: i64, months: i64, micros: i64) -> Option<i64> {
    let (day, rest) = (start.div_euclid(DAY_MICROS), start.rem_euclid(DAY_MICROS));
    let day = add_months_to(i32::try_from(day).ok()?, months)?;
    i64::from(day).checked_mul(DAY_MICROS)?.checked_add(rest)?.checked_add(micros)
}

fn interval_sum(op: BinaryOp, left: Typed, right: Typed) -> Option<Typed> {
    let minus = op == BinaryOp::Minus;
    let name = if minus { "-" } else { "+" };
    match (&left.data_type, &right.data_type) {
        (SqlType::YearMonthInterval, SqlType::YearMonthInterval) => {
            type Months = types::IntervalYearMonthType;
            let kernel = move |args: &Args| {
                pairs::<Months, Months, Months>(args, |a, b| {
                    let sum = if minus { a.checked_sub(b) } else { a.checked_add(b) };
                    sum.map(Some).ok_or_else(|| interval_overflow().into())
                })
            };
            Some(result(name, "months", SqlType::YearMonthInterval, left, right, kernel))
        }
        (SqlType::DayTimeInterval { days_only: a }, SqlType::DayTimeInterval { days_only: b }) => {
            type Micros = types::DurationMicrosecondType;
            let to = SqlType::DayTimeInterval { days_only: *a && *b };
            let kernel = move |args: &Args| {
                pairs::<Micros, Micros, Micros>(args, |a, b| {
                    let sum = if minus { a.checked_sub(b) } else { a.checked_add(b) };
                    sum.map(Some).ok_or_else(|| interval_overflow().into())
                })
            };
            Some(result(name, "micros", to, left, right, kernel))
        }
        _ => None,
    }
}

fn interval_overflow() -> Complaint {
    Complaint::new("INTERVAL_ARITHMETIC_OVERFLOW", "22015", "The interval is too large.")
}

/// An interval times or by a number, rounded half up.
fn scaled(session: &Session, op: BinaryOp, interval: Typed, number: Typed) -> Option<Result<Typed, Complaint>> {
    let divides = op == BinaryOp::Divide;
    let apply = move |value: f64, by: f64| -> DfResult<f64> {
        match divides {
            true if by == 0.0 => {
                let message = "An interval is divided by zero.";
                Err(Complaint::new("INTERVAL_DIVIDED_BY_ZERO", "22012", message).into())
            }
            true => Ok((value / by).round()),
            false => Ok((value * by).round()),
        }
    };
    let name = super::symbol(op);
    let kind = interval.data_type.clone();
    let by_number = |to: SqlType| -> Result<Typed, Complaint> {
        let number = cast::cast(session, number, &DataType::Double.into(), Mode::Ansi)?;
        Ok(match to {
            SqlType::YearMonthInterval => {
                type Months = types::IntervalYearMonthType;
                let kernel = move |args: &Args| {
                    pairs::<Months, types::Float64Type, Months>(args, |value, by| {
                        Ok(Some(apply(f64::from(value), by)? as i32))
                    })
                };
                result(name, "months", to, interval, number, kernel)
            }
            _ => {
                type Micros = types::DurationMicrosecondType;
                let kernel = move |args: &Args| {
                    pairs::<Micros, types::Float64Type, Micros>(args, |value, by| {
                        Ok(Some(apply(value as f64, by)? as i64))
                    })
                };
                result(name, "micros", to, interval, number, kernel)
            }
        })
    };
    match kind {
        SqlType::YearMonthInterval => Some(by_number(SqlType::YearMonthInterval)),
        SqlType::DayTimeInterval { .. } => Some(by_number(SqlType::DayTimeInterval { days_only: false })),
        _ => None,
    }
}

fn result(
    name: &str,
    key: &str,
    to: SqlType,
    left: Typed,
    right: Typed,
    kernel: impl Fn(&Args) -> DfResult<ArrayRef> + Send + Sync + 'static,
) -> Typed {
    let nullable = left.nullable || right.nullable;
    let gives = Gives { data_type: to.arrow(), nullable };
    Typed::new(udf::call(name, key, gives, vec![left.expr, right.expr], kernel), to, nullable)
}

fn pairs<L: ArrowPrimitiveType, R: ArrowPrimitiveType, O: ArrowPrimitiveType>(
    args: &Args,
    f: impl Fn(L::Native, R::Native) -> DfResult<Option<O::Native>>,
) -> DfResult<ArrayRef> {
    let (left, right) = (args.primitive::<L>(0)?, args.primitive::<R>(1)?);
    let mut builder = PrimitiveBuilder::<O>::with_capacity(args.rows());
    for row in 0..args.rows() {
        let value = left.get(row).zip(right.get(row)).map(|(left, right)| f(left, right)).transpose()?;
        builder.append_option(value.flatten());
    }
    Ok(Arc::new(builder.finish()))
}
