//! Casts: which pairs of types are convertible, and the conversion itself.
//!
//! `CAST` follows ANSI mode: what does not fit or does not parse is an error. `try_cast` gives NULL instead, and
//! LEGACY (a store assignment policy) gives NULL or Java's narrowing.

mod assign;
mod datetime;
mod display;
mod legacy;
mod nested;
mod number;
mod numeric;

pub use assign::AssignKind;
pub(crate) use assign::{assign, assign_over};
pub(crate) use datetime::{DAY_MICROS, calendar, date as parse_date, days, timestamp as parse_timestamp, wall_clock};
pub(crate) use display::{is_null, to_shown, to_text, write_decimal, write_double, write_value};
pub(crate) use nested::structure;
pub(crate) use numeric::each;

use crate::error::Complaint;
use crate::functions::udf::{self, Gives};
use crate::session::Session;
use crate::typed::{SqlType, Typed};
use arrow::array::{ArrayRef, AsArray, BinaryArray, StringArray, new_null_array};
use arrow::compute;
use arrow::datatypes as types;
use arrow::datatypes::DataType as ArrowType;
use datafusion::common::{Result as DfResult, ScalarValue};
use datafusion::logical_expr::Expr;
use datafusion::logical_expr::expr::Cast;
use delta::schema::DataType;
use std::sync::Arc;

/// What happens with a value that cannot be converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The statement fails.
    Ansi,
    /// The value becomes NULL.
    Try,
    /// NULL for text, Java's narrowing for integers.
    Legacy,
}

impl Mode {
    /// NULL, or the failure in ANSI mode.
    pub(crate) fn fail<T>(self, complaint: impl FnOnce() -> Complaint) -> DfResult<Option<T>> {
        match self {
            Mode::Ansi => Err(complaint().into()),
            Mode::Try | Mode::Legacy => Ok(None),
        }
    }
}

/// How a value is converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rules {
    pub(crate) mode: Mode,
    pub(crate) structs: Structs,
}

/// How the fields of structs find each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Structs {
    Positional,
    Named,
    /// A field that the value lacks is NULL.
    NamedOrNull,
}

/// The value as `to`. A cast to the type it already has adds nothing; a NULL literal becomes a typed NULL.
///
/// # Errors
/// `DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION` or `….CAST_WITH_FUNC_SUGGESTION` where no cast exists.
pub(crate) fn cast(session: &Session, value: Typed, to: &SqlType, mode: Mode) -> Result<Typed, Complaint> {
    let mode = if mode == Mode::Ansi && !session.settings().ansi { Mode::Legacy } else { mode };
    if !castable(&value.data_type, to, mode) {
        return Err(uncastable(&value.data_type, to, mode));
    }
    Ok(converted(value, to, Rules { mode, structs: Structs::Positional }))
}

/// The cast of a pair that is known to be castable.
pub(crate) fn converted(value: Typed, to: &SqlType, rules: Rules) -> Typed {
    let from = value.data_type.clone();
    if &from == to {
        return value;
    }
    let arrow = to.arrow();
    if value.as_literal().is_some_and(ScalarValue::is_null) {
        // Every type has a NULL; the fallback keeps the function total.
        let null = ScalarValue::try_from(&arrow).unwrap_or(ScalarValue::Null);
        return Typed::literal(null, to.clone());
    }
    if from.arrow() == arrow && same_but_nullability(&from, to) {
        return Typed::new(value.expr, to.clone(), value.nullable);
    }
    let loses_nan = matches!(from.column(), Some(DataType::Float | DataType::Double))
        && matches!(to.column(), Some(DataType::Decimal { .. }));
    let nullable = value.nullable || rules.mode != Mode::Ansi || loses_nan;
    if is_widening(&from, to) {
        return Typed::new(Expr::Cast(Cast::new(Box::new(value.expr), arrow)), to.clone(), value.nullable);
    }
    let key = format!("{}>{}:{rules:?}", from.spark_name(), to.spark_name());
    let gives = Gives { data_type: arrow, nullable };
    let target = to.clone();
    let kernel = move |args: &udf::Args| convert(&args.array(0)?, &from, &target, rules);
    Typed::new(udf::call("cast", key, gives, vec![value.expr], kernel), to.clone(), nullable)
}

fn castable(from: &SqlType, to: &SqlType, mode: Mode) -> bool {
    if from == to || from.is_void() {
        return true;
    }
    match (from, to) {
        (SqlType::Column(from), SqlType::Column(to)) => castable_columns(from, to, mode),
        (SqlType::Column(_), _) => false,
        (_, SqlType::Column(DataType::String)) => true,
        (SqlType::DayTimeInterval { .. }, SqlType::DayTimeInterval { .. }) => true,
        _ => false,
    }
}

fn castable_columns(from: &DataType, to: &DataType, mode: Mode) -> bool {
    use DataType as T;
    let numeric = |data_type: &T| SqlType::from(data_type.clone()).is_numeric();
    match (from, to) {
        _ if from == to => true,
        (T::Void, _) | (_, T::String) => true,
        (T::String, T::Binary | T::Boolean | T::Date | T::Timestamp | T::TimestampNtz) => true,
        (T::String | T::Boolean | T::Timestamp, to) if numeric(to) => true,
        (from, T::Boolean | T::Timestamp) if numeric(from) => true,
        (from, to) if numeric(from) && numeric(to) => true,
        (T::Timestamp | T::Date, T::Boolean) | (T::Boolean, T::Timestamp) => mode == Mode::Legacy,
        (T::Date, to) if numeric(to) => mode == Mode::Legacy,
        (T::Byte | T::Short | T::Int | T::Long, T::Binary) => mode == Mode::Legacy,
        (T::Date | T::TimestampNtz, T::Timestamp) | (T::Date | T::Timestamp, T::TimestampNtz) => true,
        (T::Timestamp | T::TimestampNtz, T::Date) => true,
        (T::Array { element: from, .. }, T::Array { element: to, .. }) => castable_columns(from, to, mode),
        (T::Map { key: from_key, value: from, .. }, T::Map { key, value, .. }) => {
            castable_columns(from_key, key, mode) && castable_columns(from, value, mode)
        }
        (T::Struct(from), T::Struct(to)) => {
            let mut pairs = from.fields.iter().zip(&to.fields);
            from.fields.len() == to.fields.len()
                && pairs.all(|(from, to)| castable_columns(&from.data_type, &to.data_type, mode))
        }
        _ => false,
    }
}

/// Never fails, never rounds badly: DataFusion's own cast is right and its optimiser knows it.
fn is_widening(from: &SqlType, to: &SqlType) -> bool {
    let (Some(from), Some(to)) = (from.column(), to.column()) else { return false };
    let rank = |data_type: &DataType| match data_type {
        DataType::Byte => Some(1),
        DataType::Short => Some(2),
        DataType::Int => Some(3),
        DataType::Long => Some(4),
        DataType::Float => Some(5),
        DataType::Double => Some(6),
        _ => None,
    };
    matches!((rank(from), rank(to)), (Some(from), Some(to)) if from < to)
}

/// Equal types apart from which parts may be NULL, which Arrow does not check on values.
fn same_but_nullability(from: &SqlType, to: &SqlType) -> bool {
    matches!((from, to), (SqlType::DayTimeInterval { .. }, SqlType::DayTimeInterval { .. }))
        || from.spark_name() == to.spark_name()
}

/// The converted array.
///
/// # Errors
/// A value that does not fit, in ANSI mode; a pair of types without a conversion (a bug: binding checks it).
pub(crate) fn convert(array: &ArrayRef, from: &SqlType, to: &SqlType, rules: Rules) -> DfResult<ArrayRef> {
    let mode = rules.mode;
    if from == to {
        return Ok(Arc::clone(array));
    }
    if from.is_void() {
        return Ok(new_null_array(&to.arrow(), array.len()));
    }
    let Some(target) = to.column() else { return Err(no_conversion(from, to)) };
    if mode == Mode::Legacy
        && let Some(converted) = legacy::convert(array, from, to)?
    {
        return Ok(converted);
    }
    let converted = match target {
        DataType::String => Some(to_string(array, from)?),
        DataType::Boolean => numeric::to_boolean(array, from, to, mode)?,
        DataType::Byte | DataType::Short | DataType::Int | DataType::Long => {
            numeric::to_integral(array, from, to, mode)?
        }
        DataType::Float | DataType::Double => numeric::to_floating(array, from, to, mode)?,
        DataType::Decimal { .. } => numeric::to_decimal(array, from, to, mode)?,
        DataType::Binary => {
            let texts = array.as_string_opt::<i32>();
            texts.map(|texts| Arc::new(BinaryArray::from(texts.clone())) as ArrayRef)
        }
        DataType::Date | DataType::Timestamp | DataType::TimestampNtz => to_instant(array, from, to, mode)?,
        DataType::Array { .. } | DataType::Map { .. } | DataType::Struct(_) => match from.column() {
            Some(from) => nested::to_nested(array, from, target, rules)?,
            None => None,
        },
        DataType::Void => None,
    };
    converted.ok_or_else(|| no_conversion(from, to))
}

fn to_string(array: &ArrayRef, from: &SqlType) -> DfResult<ArrayRef> {
    let exact = [DataType::Byte, DataType::Short, DataType::Int, DataType::Long, DataType::Boolean];
    if exact.iter().any(|data_type| from.is(data_type)) {
        return Ok(compute::cast(array, &ArrowType::Utf8)?);
    }
    if let (SqlType::DayTimeInterval { days_only: true }, ArrowType::Duration(_)) = (from, array.data_type()) {
        let micros = array.as_primitive::<types::DurationMicrosecondType>();
        let days = micros.iter().map(|value| value.map(|value| format!("INTERVAL '{}' DAY", value / DAY_MICROS)));
        return Ok(Arc::new(days.collect::<StringArray>()));
    }
    display::to_text(array)
}

fn to_instant(array: &ArrayRef, from: &SqlType, to: &SqlType, mode: Mode) -> DfResult<Option<ArrayRef>> {
    use DataType as T;
    let (Some(source), Some(target)) = (from.column(), to.column()) else { return Ok(None) };
    let micros = |array: &ArrayRef| -> DfResult<ArrayRef> { Ok(compute::cast(array, &ArrowType::Int64)?) };
    let days_to_micros = |days: i32| i64::from(days).saturating_mul(DAY_MICROS);
    let whole: ArrayRef = match (source, target) {
        (T::String, T::Date) => {
            let parse = |text: &str| {
                datetime::date(text).map(Some).map_or_else(|| mode.fail(|| invalid_input(text, from, to)), Ok)
            };
            Arc::new(numeric::each_text::<types::Int32Type>(array, parse)?)
        }
        (T::String, _) => {
            let instant = matches!(target, T::Timestamp);
            Arc::new(numeric::each_text::<types::Int64Type>(array, |text| match datetime::timestamp(text) {
                Some(parsed) => Ok(Some(if instant { parsed.utc } else { parsed.local })),
                None => mode.fail(|| invalid_input(text, from, to)),
            })?)
        }
        (T::Timestamp | T::TimestampNtz, T::Date) => {
            let micros = micros(array)?;
            let to_days = |value: i64| Ok(i32::try_from(value.div_euclid(DAY_MICROS)).ok());
            Arc::new(numeric::each::<_, types::Int32Type>(micros.as_primitive::<types::Int64Type>(), to_days)?)
        }
        (T::Timestamp | T::TimestampNtz, _) => micros(array)?,
        (T::Date, _) => {
            let days = array.as_primitive::<types::Date32Type>();
            Arc::new(days.unary::<_, types::Int64Type>(days_to_micros))
        }
        (T::Byte | T::Short | T::Int | T::Long, T::Timestamp) => {
            let seconds = compute::cast(array, &ArrowType::Int64)?;
            let seconds = seconds.as_primitive::<types::Int64Type>();
            Arc::new(seconds.unary::<_, types::Int64Type>(|value| value.saturating_mul(1_000_000)))
        }
        (T::Float | T::Double, T::Timestamp) => {
            let seconds = compute::cast(array, &ArrowType::Float64)?;
            Arc::new(numeric::each::<_, types::Int64Type>(seconds.as_primitive::<types::Float64Type>(), |value| {
                match value.is_finite() {
                    true => Ok(Some((value * 1e6) as i64)),
                    false => mode.fail(|| overflow(&value.to_string(), from, to)),
                }
            })?)
        }
        (T::Decimal { scale, .. }, T::Timestamp) => {
            let unit = power_of_ten(*scale);
            let values = array.as_primitive::<types::Decimal128Type>();
            let to_micros = |value: i128| Ok(value.checked_mul(1_000_000).and_then(|v| i64::try_from(v / unit).ok()));
            Arc::new(numeric::each::<_, types::Int64Type>(values, to_micros)?)
        }
        _ => return Ok(None),
    };
    Ok(Some(compute::cast(&whole, &to.arrow())?))
}

/// 10 to the power of a scale between 0 and 38.
pub(crate) fn power_of_ten(exponent: i8) -> i128 {
    10_i128.saturating_pow(u32::try_from(exponent.max(0)).unwrap_or(0))
}

fn no_conversion(from: &SqlType, to: &SqlType) -> datafusion::error::DataFusionError {
    Complaint::internal(format!("no conversion from {} to {}", from.spark_name(), to.spark_name())).into()
}

/// Types without a cast.
pub(crate) fn uncastable(from: &SqlType, to: &SqlType, mode: Mode) -> Complaint {
    let function = match (from.column(), to.column()) {
        _ if mode == Mode::Legacy => None,
        (Some(DataType::Date), Some(_)) if to.is_numeric() => Some("UNIX_DATE"),
        (Some(_), Some(DataType::Date)) if from.is_numeric() => Some("DATE_FROM_UNIX_DATE"),
        _ => None,
    };
    let message = format!("A value of type {} cannot be cast to {}.", from.spark_name(), to.spark_name());
    let without_ansi = mode == Mode::Ansi && castable(from, to, Mode::Legacy);
    match function {
        None if without_ansi => Complaint::new("DATATYPE_MISMATCH.CAST_WITH_CONF_SUGGESTION", "42K09", message)
            .with_hint("Only with spark.sql.ansi.enabled = false there is such a cast."),
        Some(function) => Complaint::new("DATATYPE_MISMATCH.CAST_WITH_FUNC_SUGGESTION", "42K09", message)
            .with_hint(format!("The function {function} does this conversion.")),
        None => Complaint::new("DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION", "42K09", message),
    }
}

/// Text that is no value of the type.
pub(crate) fn invalid_input(text: &str, from: &SqlType, to: &SqlType) -> Complaint {
    let message = format!("The value '{text}' of type {} cannot be read as {}.", from.spark_name(), to.spark_name());
    Complaint::new("CAST_INVALID_INPUT", "22018", message).with_hint("`try_cast` gives NULL for such values.")
}

fn overflow(value: &str, from: &SqlType, to: &SqlType) -> Complaint {
    let message = format!("The value {value} of type {} does not fit into {}.", from.spark_name(), to.spark_name());
    Complaint::new("CAST_OVERFLOW", "22003", message).with_hint("`try_cast` gives NULL for such values.")
}

/// A number with more digits than the decimal type has.
pub(crate) fn out_of_range(value: &str, to: &SqlType) -> Complaint {
    let message = format!("The value {value} does not fit into {}.", to.spark_name());
    Complaint::new("NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION", "22003", message)
        .with_hint("`try_cast` gives NULL for such values.")
}
