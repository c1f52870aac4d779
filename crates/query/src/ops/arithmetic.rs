//! `+ - * / % div` and unary minus on numbers: operand types, result types, checked kernels.

use super::common_type::{decimal_of, rank, wider};
use super::decimal;
use super::mismatch;
use crate::cast::{self, Mode, out_of_range, power_of_ten};
use crate::error::Complaint;
use crate::functions::udf::{self, Args, Gives};
use crate::session::Session;
use crate::typed::{SqlType, Typed};
use arrow::array::{ArrayRef, ArrowNativeTypeOp, ArrowPrimitiveType, PrimitiveBuilder};
use arrow::datatypes as types;
use datafusion::common::{Result as DfResult, ScalarValue};
use delta::schema::DataType;
use spec::BinaryOp;
use std::sync::Arc;

/// What happens on overflow and on division by zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Checks {
    /// The statement fails.
    Ansi,
    /// NULL (`try_add` and its like).
    Try,
    /// Integers wrap, division by zero is NULL (`spark.sql.ansi.enabled=false`).
    Legacy,
}

impl Checks {
    /// The checks of plain operators in this session.
    pub(crate) fn of(session: &Session) -> Self {
        if session.settings().ansi { Self::Ansi } else { Self::Legacy }
    }

    fn mode(self) -> Mode {
        match self {
            Self::Ansi => Mode::Ansi,
            Self::Try => Mode::Try,
            Self::Legacy => Mode::Legacy,
        }
    }
}

/// The result of an arithmetic operator on numbers, with text read as a number.
///
/// # Errors
/// `DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES` or `….BINARY_OP_WRONG_TYPE` where an operand is no number.
pub(crate) fn arithmetic(
    session: &Session,
    op: BinaryOp,
    left: Typed,
    right: Typed,
    checks: Checks,
) -> Result<Typed, Complaint> {
    let (left, right) = numeric_operands(session, op, left, right)?;
    let (Some(a), Some(b)) = (left.data_type.column(), right.data_type.column()) else {
        return Err(mismatch(op, &left.data_type, &right.data_type));
    };
    let has_decimal = matches!(a, DataType::Decimal { .. }) || matches!(b, DataType::Decimal { .. });
    if has_decimal && rank(a).is_none_or(|rank| rank < 5) && rank(b).is_none_or(|rank| rank < 5) {
        return decimal_call(op, left, right, checks);
    }
    let common = match op {
        BinaryOp::Divide => DataType::Double.into(),
        BinaryOp::IntDivide => DataType::Long.into(),
        _ => wider(&left.data_type, &right.data_type).ok_or_else(|| mismatch(op, &left.data_type, &right.data_type))?,
    };
    let left = cast::cast(session, left, &common, Mode::Ansi)?;
    let right = cast::cast(session, right, &common, Mode::Ansi)?;
    Ok(number_call(op, left, right, &common, checks))
}

/// Text becomes BIGINT beside whole numbers and DOUBLE beside others; a bare NULL takes the other type.
fn numeric_operands(session: &Session, op: BinaryOp, left: Typed, right: Typed) -> Result<(Typed, Typed), Complaint> {
    let target = |this: &SqlType, other: &SqlType| -> Result<Option<SqlType>, Complaint> {
        if this.is_numeric() {
            return Ok(None);
        }
        if this.is_void() && other.is_numeric() {
            return Ok(Some(other.clone()));
        }
        if (this.is_void() || this.is_string()) && (other.is_string() || other.is_void()) {
            return Ok(Some(DataType::Double.into()));
        }
        match wider(this, other) {
            Some(wide) if this.is_string() && other.is_numeric() => Ok(Some(wide)),
            _ => Err(mismatch(op, this, other)),
        }
    };
    let to_left = target(&left.data_type, &right.data_type)?;
    let to_right =
        target(&right.data_type, &left.data_type).map_err(|_| mismatch(op, &left.data_type, &right.data_type))?;
    let change = |value: Typed, to: Option<SqlType>| match to {
        Some(to) => cast::cast(session, value, &to, Mode::Ansi),
        None => Ok(value),
    };
    Ok((change(left, to_left)?, change(right, to_right)?))
}

fn symbol(op: BinaryOp) -> &'static str {
    super::symbol(op)
}

fn divides(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Divide | BinaryOp::IntDivide | BinaryOp::Modulo)
}

fn is_nullable(op: BinaryOp, left: &Typed, right: &Typed, checks: Checks) -> bool {
    left.nullable || right.nullable || checks == Checks::Try || (checks == Checks::Legacy && divides(op))
}

fn number_call(op: BinaryOp, left: Typed, right: Typed, to: &SqlType, checks: Checks) -> Typed {
    let nullable = is_nullable(op, &left, &right, checks);
    let gives = Gives { data_type: to.arrow(), nullable };
    let data_type = to.clone();
    let kernel = move |args: &Args| match data_type.column() {
        Some(DataType::Byte) => pairs::<types::Int8Type>(args, op, checks, &data_type),
        Some(DataType::Short) => pairs::<types::Int16Type>(args, op, checks, &data_type),
        Some(DataType::Int) => pairs::<types::Int32Type>(args, op, checks, &data_type),
        Some(DataType::Long) => pairs::<types::Int64Type>(args, op, checks, &data_type),
        Some(DataType::Float) => pairs::<types::Float32Type>(args, op, checks, &data_type),
        _ => pairs::<types::Float64Type>(args, op, checks, &data_type),
    };
    let key = format!("{}:{checks:?}", to.spark_name());
    Typed::new(udf::call(symbol(op), key, gives, vec![left.expr, right.expr], kernel), to.clone(), nullable)
}

fn pairs<T: ArrowPrimitiveType>(args: &Args, op: BinaryOp, checks: Checks, to: &SqlType) -> DfResult<ArrayRef>
where
    T::Native: ArrowNativeTypeOp,
{
    let (left, right) = (args.primitive::<T>(0)?, args.primitive::<T>(1)?);
    let mut builder = PrimitiveBuilder::<T>::with_capacity(args.rows());
    for row in 0..args.rows() {
        let value = match (left.get(row), right.get(row)) {
            (Some(left), Some(right)) => apply::<T>(op, left, right, checks, to)?,
            _ => None,
        };
        builder.append_option(value);
    }
    Ok(Arc::new(builder.finish()))
}

#[inline]
fn apply<T: ArrowPrimitiveType>(
    op: BinaryOp,
    left: T::Native,
    right: T::Native,
    checks: Checks,
    to: &SqlType,
) -> DfResult<Option<T::Native>>
where
    T::Native: ArrowNativeTypeOp,
{
    if divides(op) && right.is_zero() {
        return checks.mode().fail(divide_by_zero);
    }
    let value = match op {
        BinaryOp::Plus => left.add_checked(right).ok(),
        BinaryOp::Minus => left.sub_checked(right).ok(),
        BinaryOp::Multiply => left.mul_checked(right).ok(),
        BinaryOp::Modulo => Some(left.mod_wrapping(right)),
        _ => left.div_checked(right).ok(),
    };
    match value {
        Some(value) => Ok(Some(value)),
        None if checks == Checks::Legacy => Ok(Some(match op {
            BinaryOp::Plus => left.add_wrapping(right),
            BinaryOp::Minus => left.sub_wrapping(right),
            BinaryOp::Multiply => left.mul_wrapping(right),
            _ => left.div_wrapping(right),
        })),
        None => checks.mode().fail(|| overflow(&format!("{left:?} {} {right:?}", symbol(op)), to)),
    }
}

/// The operand as a decimal; a whole constant takes only the digits it needs.
fn as_decimal(value: &Typed) -> Option<(u8, i8)> {
    let digits = |number: i64| u8::try_from(number.unsigned_abs().to_string().len()).unwrap_or(20);
    let literal = match value.as_literal() {
        Some(ScalarValue::Int8(Some(number))) => Some(digits(i64::from(*number))),
        Some(ScalarValue::Int16(Some(number))) => Some(digits(i64::from(*number))),
        Some(ScalarValue::Int32(Some(number))) => Some(digits(i64::from(*number))),
        Some(ScalarValue::Int64(Some(number))) => Some(digits(*number)),
        _ => None,
    };
    literal.map(|precision| (precision, 0)).or_else(|| decimal_of(value.data_type.column()?))
}

fn decimal_call(op: BinaryOp, left: Typed, right: Typed, checks: Checks) -> Result<Typed, Complaint> {
    let digits = as_decimal(&left).zip(as_decimal(&right));
    let (a, b) = digits.ok_or_else(|| mismatch(op, &left.data_type, &right.data_type))?;
    let to: SqlType = match op {
        BinaryOp::IntDivide => DataType::Long.into(),
        _ => decimal::result_type(op, a, b).into(),
    };
    let as_type = |value: Typed, (precision, scale): (u8, i8)| {
        let to = DataType::Decimal { precision, scale }.into();
        cast::converted(value, &to, cast::Rules { mode: Mode::Ansi, structs: cast::Structs::Positional })
    };
    let (left, right) = (as_type(left, a), as_type(right, b));
    let nullable = is_nullable(op, &left, &right, checks) || checks == Checks::Legacy;
    let gives = Gives { data_type: to.arrow(), nullable };
    let result = to.clone();
    let kernel = move |args: &Args| match op {
        BinaryOp::IntDivide => decimal_pairs::<types::Int64Type>(args, op, (a.1, b.1), checks, &result, i64::try_from),
        _ => decimal_pairs::<types::Decimal128Type>(args, op, (a.1, b.1), checks, &result, Ok),
    };
    let key = format!("{}:{checks:?}", to.spark_name());
    Ok(Typed::new(udf::call(symbol(op), key, gives, vec![left.expr, right.expr], kernel), to, nullable))
}

fn decimal_pairs<O: ArrowPrimitiveType>(
    args: &Args,
    op: BinaryOp,
    (s1, s2): (i8, i8),
    checks: Checks,
    to: &SqlType,
    narrow: impl Fn(i128) -> Result<O::Native, std::num::TryFromIntError>,
) -> DfResult<ArrayRef> {
    let (left, right) = (args.primitive::<types::Decimal128Type>(0)?, args.primitive::<types::Decimal128Type>(1)?);
    let (precision, scale) = to.column().and_then(decimal_of).unwrap_or((38, 0));
    let limit = power_of_ten(i8::try_from(precision).unwrap_or(38));
    let mut builder = PrimitiveBuilder::<O>::with_capacity(args.rows());
    for row in 0..args.rows() {
        let (Some(a), Some(b)) = (left.get(row), right.get(row)) else {
            builder.append_null();
            continue;
        };
        if divides(op) && b == 0 {
            builder.append_option(checks.mode().fail(divide_by_zero)?);
            continue;
        }
        let value = decimal::compute(op, (a, s1), (b, s2), scale).filter(|value| value.abs() < limit);
        match value.and_then(|value| narrow(value).ok()) {
            Some(value) => builder.append_value(value),
            None => builder.append_option(checks.mode().fail(|| out_of_range("of the decimal operation", to))?),
        }
    }
    Ok(Arc::new(builder.finish().with_data_type(to.arrow())))
}

/// `-x` on numbers and intervals.
pub(crate) fn negative(session: &Session, value: Typed) -> Result<Typed, Complaint> {
    let value = match value.data_type.is_string() || value.data_type.is_void() {
        true => cast::cast(session, value, &DataType::Double.into(), Mode::Ansi)?,
        false => value,
    };
    if let Some(negated) = value.as_literal().and_then(|literal| literal.arithmetic_negate().ok()) {
        return Ok(Typed::literal(negated, value.data_type));
    }
    let checks = Checks::of(session);
    let data_type = value.data_type.clone();
    let gives = Gives { data_type: data_type.arrow(), nullable: value.nullable };
    let to = data_type.clone();
    let kernel = move |args: &Args| match &to {
        SqlType::Column(DataType::Byte) => negated::<types::Int8Type>(args, checks, &to),
        SqlType::Column(DataType::Short) => negated::<types::Int16Type>(args, checks, &to),
        SqlType::Column(DataType::Int) => negated::<types::Int32Type>(args, checks, &to),
        SqlType::Column(DataType::Long) => negated::<types::Int64Type>(args, checks, &to),
        SqlType::Column(DataType::Float) => negated::<types::Float32Type>(args, checks, &to),
        SqlType::Column(DataType::Double) => negated::<types::Float64Type>(args, checks, &to),
        SqlType::Column(DataType::Decimal { .. }) => negated::<types::Decimal128Type>(args, checks, &to),
        SqlType::YearMonthInterval => negated::<types::IntervalYearMonthType>(args, checks, &to),
        _ => negated::<types::DurationMicrosecondType>(args, checks, &to),
    };
    let wrong =
        !data_type.is_numeric() && !matches!(data_type, SqlType::YearMonthInterval | SqlType::DayTimeInterval { .. });
    if wrong {
        return Err(super::wrong_input("-", 1, "NUMERIC or INTERVAL", &data_type));
    }
    let key = format!("{}:{checks:?}", data_type.spark_name());
    Ok(Typed::new(udf::call("negative", key, gives, vec![value.expr], kernel), data_type, value.nullable))
}

fn negated<T: ArrowPrimitiveType>(args: &Args, checks: Checks, to: &SqlType) -> DfResult<ArrayRef>
where
    T::Native: ArrowNativeTypeOp,
{
    let values = args.primitive::<T>(0)?;
    let mut builder = PrimitiveBuilder::<T>::with_capacity(args.rows());
    for row in 0..args.rows() {
        let Some(value) = values.get(row) else {
            builder.append_null();
            continue;
        };
        match value.neg_checked() {
            Ok(value) => builder.append_value(value),
            Err(_) if checks == Checks::Legacy => builder.append_value(value.neg_wrapping()),
            Err(_) => builder.append_option(checks.mode().fail(|| overflow(&format!("-({value:?})"), to))?),
        }
    }
    Ok(Arc::new(builder.finish().with_data_type(to.arrow())))
}

/// A result outside its type.
pub(crate) fn overflow(what: &str, to: &SqlType) -> Complaint {
    let message = format!("{what} does not fit into {}.", to.spark_name());
    Complaint::new("ARITHMETIC_OVERFLOW", "22003", message)
        .with_hint("`try_add`, `try_subtract`, `try_multiply` and `try_divide` give NULL instead.")
}

/// A zero divisor.
pub(crate) fn divide_by_zero() -> Complaint {
    Complaint::new("DIVIDE_BY_ZERO", "22012", "Division by zero.").with_hint("`try_divide` gives NULL instead.")
}
