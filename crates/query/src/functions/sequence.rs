//! `sequence`: whole numbers, dates or timestamps from a start to an end.

use super::array::assemble;
use super::call::{Bound, Call};
use super::udf::Args;
use crate::cast::{self, DAY_MICROS, Mode};
use crate::error::Complaint;
use crate::ops::{common_type, shift_micros};
use crate::typed::SqlType;
use arrow::array::{ArrayRef, AsArray, Int64Array, PrimitiveArray};
use arrow::buffer::NullBuffer;
use arrow::compute;
use arrow::datatypes as types;
use arrow::datatypes::DataType as ArrowType;
use datafusion::common::Result as DfResult;
use delta::schema::DataType;

pub(super) const NAMES: &[&str] = &["sequence"];

/// Far below what a page can show, far above what a lesson needs.
const MOST: usize = 10_000_000;

pub(super) fn bind(call: Call) -> Bound {
    let call = call.arity(2, 3)?;
    let common = common_type(&[call.type_of(0), call.type_of(1)]);
    let Some(SqlType::Column(element)) = common else {
        return call.wrong(1, &call.type_of(0).spark_name());
    };
    let is_time = matches!(element, DataType::Date | DataType::Timestamp | DataType::TimestampNtz);
    if !is_time && !SqlType::from(element.clone()).is_integral() {
        return call.wrong(0, "INTEGRAL, DATE or TIMESTAMP");
    }
    let mut call = call;
    let session = call.session;
    for (idx, slot) in call.args.iter_mut().enumerate() {
        let to = match idx {
            2 if is_time && slot.data_type.is_interval() => continue,
            2 if is_time => return Err(crate::ops::wrong_input("sequence", 3, "INTERVAL", &slot.data_type)),
            _ => SqlType::from(element.clone()),
        };
        let value = slot.clone();
        *slot = cast::cast(session, value, &to, Mode::Ansi)?;
    }
    let unit = if element == DataType::Date { DAY_MICROS } else { 1 };
    let default_step = if is_time { DAY_MICROS } else { 1 };
    let item = SqlType::from(element.clone()).arrow();
    let to = SqlType::from(DataType::Array { element: Box::new(element), contains_null: false });
    let arrow = to.arrow();
    call.gives(to, move |args| {
        let (starts, ends) = (widened(&args.array(0)?)?, widened(&args.array(1)?)?);
        let (mut values, mut lengths, mut valid) = (Vec::new(), Vec::new(), Vec::new());
        for ((start, end), step) in starts.iter().zip(&ends).zip(steps(args, default_step)?) {
            let before = values.len();
            let bounds = start.zip(end).zip(step);
            valid.push(bounds.is_some());
            if let Some(((start, end), step)) = bounds {
                fill(start * unit, end * unit, step, args.len() == 3, &mut values)?;
            }
            lengths.push(values.len() - before);
        }
        let whole = Int64Array::from_iter_values(values.into_iter().map(|value| value / unit));
        assemble(&arrow, from_long(&whole, &item)?, lengths, Some(NullBuffer::from(valid)))
    })
}

fn widened(array: &ArrayRef) -> DfResult<PrimitiveArray<types::Int64Type>> {
    let array = match array.data_type() {
        ArrowType::Date32 => compute::cast(array, &ArrowType::Int32)?,
        _ => array.clone(),
    };
    Ok(compute::cast(&array, &ArrowType::Int64)?.as_primitive::<types::Int64Type>().clone())
}

fn from_long(values: &Int64Array, to: &ArrowType) -> DfResult<ArrayRef> {
    Ok(match to {
        ArrowType::Date32 => compute::cast(&compute::cast(values, &ArrowType::Int32)?, to)?,
        _ => compute::cast(values, to)?,
    })
}

/// The step of each row: months and microseconds, or the number in the place of the latter.
fn steps(args: &Args, default: i64) -> DfResult<Vec<Option<(i64, i64)>>> {
    let rows = 0..args.rows();
    if args.len() < 3 {
        return Ok(vec![Some((0, default)); args.rows()]);
    }
    if let Ok(months) = args.primitive::<types::IntervalYearMonthType>(2) {
        return Ok(rows.map(|row| months.get(row).map(|months| (i64::from(months), 0))).collect());
    }
    if let Ok(micros) = args.primitive::<types::DurationMicrosecondType>(2) {
        return Ok(rows.map(|row| micros.get(row).map(|micros| (0, micros))).collect());
    }
    if let Ok(calendar) = args.primitive::<types::IntervalMonthDayNanoType>(2) {
        let step = |parts: types::IntervalMonthDayNano| {
            (i64::from(parts.months), i64::from(parts.days) * DAY_MICROS + parts.nanoseconds / 1000)
        };
        return Ok(rows.map(|row| calendar.get(row).map(step)).collect());
    }
    Ok(widened(&args.array(2)?)?.iter().map(|step| step.map(|step| (0, step))).collect())
}

/// Without an explicit step the direction follows the bounds.
fn fill(start: i64, end: i64, (months, step): (i64, i64), explicit: bool, values: &mut Vec<i64>) -> DfResult<()> {
    let (months, step) = if !explicit && end < start { (-months, -step) } else { (months, step) };
    let up = months > 0 || (months == 0 && step > 0);
    let down = months < 0 || (months == 0 && step < 0);
    if (start < end && !up) || (start > end && !down) {
        let message = "The step of `sequence` leads away from its end.";
        return Err(Complaint::new("ILLEGAL_SEQUENCE_BOUNDARIES", "22003", message).into());
    }
    let mut next = Some(start);
    let mut n_steps = 0_i64;
    while let Some(value) = next.filter(|value| if down { *value >= end } else { *value <= end }) {
        if values.len() >= MOST {
            return Err(Complaint::unsupported(format!("A sequence of more than {MOST} elements")).into());
        }
        values.push(value);
        if !up && !down {
            break;
        }
        n_steps += 1;
        next = match months {
            0 => value.checked_add(step),
            // From the start each time, so that month ends do not creep.
            _ => shift_micros(start, months.saturating_mul(n_steps), step.saturating_mul(n_steps)),
        };
    }
    Ok(())
}
