//! Constants.

use crate::typed::{SqlType, Typed};
use arrow::datatypes::IntervalMonthDayNano;
use datafusion::common::ScalarValue;
use delta::schema::DataType;
use spec::{Interval, Literal};

/// The constant with its Spark type.
pub(crate) fn literal(value: &Literal) -> Typed {
    let (value, data_type): (ScalarValue, SqlType) = match value {
        Literal::Null => (ScalarValue::Null, DataType::Void.into()),
        Literal::Boolean(value) => (ScalarValue::Boolean(Some(*value)), DataType::Boolean.into()),
        Literal::Byte(value) => (ScalarValue::Int8(Some(*value)), DataType::Byte.into()),
        Literal::Short(value) => (ScalarValue::Int16(Some(*value)), DataType::Short.into()),
        Literal::Int(value) => (ScalarValue::Int32(Some(*value)), DataType::Int.into()),
        Literal::Long(value) => (ScalarValue::Int64(Some(*value)), DataType::Long.into()),
        Literal::Float(value) => (ScalarValue::Float32(Some(*value)), DataType::Float.into()),
        Literal::Double(value) => (ScalarValue::Float64(Some(*value)), DataType::Double.into()),
        Literal::Decimal { unscaled, precision, scale } => (
            ScalarValue::Decimal128(Some(*unscaled), *precision, *scale),
            DataType::Decimal { precision: *precision, scale: *scale }.into(),
        ),
        Literal::String(value) => (ScalarValue::Utf8(Some(value.clone())), DataType::String.into()),
        Literal::Binary(value) => (ScalarValue::Binary(Some(value.clone())), DataType::Binary.into()),
        Literal::Date(days) => (ScalarValue::Date32(Some(*days)), DataType::Date.into()),
        Literal::Timestamp(micros) => {
            (ScalarValue::TimestampMicrosecond(Some(*micros), Some("UTC".into())), DataType::Timestamp.into())
        }
        Literal::TimestampNtz(micros) => {
            (ScalarValue::TimestampMicrosecond(Some(*micros), None), DataType::TimestampNtz.into())
        }
        Literal::Interval(interval) => constant_interval(*interval),
    };
    Typed::literal(value, data_type)
}

fn constant_interval(interval: Interval) -> (ScalarValue, SqlType) {
    match interval {
        Interval::YearMonth { months } => (ScalarValue::IntervalYearMonth(Some(months)), SqlType::YearMonthInterval),
        Interval::DayTime { micros, days_only } => {
            (ScalarValue::DurationMicrosecond(Some(micros)), SqlType::DayTimeInterval { days_only })
        }
        Interval::Calendar { months, days, micros } => {
            let value = IntervalMonthDayNano::new(months, days, micros.saturating_mul(1000));
            (ScalarValue::IntervalMonthDayNano(Some(value)), SqlType::CalendarInterval)
        }
    }
}
