//! `percentile_approx`, as an aggregate function of DataFusion.

use super::aggregate::Group;
use super::call::{Bound, Call};
use super::quantiles::{Sample, Summary};
use crate::cast::{self, Mode};
use crate::error::Complaint;
use crate::expr::constant;
use crate::typed::{SqlType, Typed};
use arrow::array::{Array, ArrayRef, AsArray, Float64Array, Int64Array, ListArray};
use arrow::datatypes::{DataType as ArrowType, Field, FieldRef, Float64Type, Int64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::expr::Cast;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Expr, Signature, Volatility};
use delta::schema::DataType;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

const DEFAULT_ACCURACY: i64 = 10_000;

/// `percentile_approx(value, percentage [, accuracy])`; several percentages give an array.
pub(super) fn bind(call: Call, group: &Group) -> Bound {
    let mut call = call.arity(2, 3)?;
    let kind = match call.type_of(0).column() {
        Some(DataType::String | DataType::Void) => {
            call = call.double(0)?;
            DataType::Double
        }
        Some(kind) if SqlType::from(kind.clone()).is_numeric() => kind.clone(),
        Some(kind @ (DataType::Date | DataType::Timestamp | DataType::TimestampNtz)) => kind.clone(),
        _ => return call.wrong(0, "NUMERIC, DATE or TIMESTAMP"),
    };
    let is_array = matches!(call.type_of(1).column(), Some(DataType::Array { .. }));
    let parts = percentages(&call, is_array)?;
    let accuracy = accuracy(&call)?;
    let Some(value) = call.args.into_iter().next() else {
        return Err(Complaint::internal("the arguments were not counted"));
    };
    let number = Expr::Cast(Cast::new(Box::new(as_number(value.expr, &kind)), ArrowType::Float64));
    let function = PercentileApprox {
        parts,
        is_array,
        relative_error: 1.0 / accuracy as f64,
        signature: Signature::any(1, Volatility::Immutable),
    };
    let found = group.call(Arc::new(AggregateUDF::new_from_impl(function)), vec![number]);
    let to = match is_array {
        true => DataType::Array { element: Box::new(kind.clone()), contains_null: false },
        false => kind.clone(),
    };
    Ok(Typed::new(as_kind(found, &kind, is_array), to, true))
}

/// What arrow makes a number of.
fn as_number(expr: Expr, kind: &DataType) -> Expr {
    match between(kind) {
        Some(between) => Expr::Cast(Cast::new(Box::new(expr), between)),
        None => expr,
    }
}

fn as_kind(expr: Expr, kind: &DataType, is_array: bool) -> Expr {
    let wrapped = |kind: ArrowType| match is_array {
        true => ArrowType::List(Arc::new(Field::new("element", kind, false))),
        false => kind,
    };
    let to = |expr: Expr, kind: ArrowType| Expr::Cast(Cast::new(Box::new(expr), wrapped(kind)));
    match between(kind) {
        Some(between) => to(to(expr, between), kind.to_arrow()),
        None => to(expr, kind.to_arrow()),
    }
}

/// Instants become numbers by way of whole ones.
fn between(kind: &DataType) -> Option<ArrowType> {
    match kind {
        DataType::Date => Some(ArrowType::Int32),
        DataType::Timestamp | DataType::TimestampNtz => Some(ArrowType::Int64),
        _ => None,
    }
}

fn percentages(call: &Call, is_array: bool) -> std::result::Result<Vec<f64>, Complaint> {
    let double = DataType::Double;
    let to = match is_array {
        true => DataType::Array { element: Box::new(double), contains_null: true },
        false => double,
    };
    let Some(given) = call.args.get(1) else { return Err(Complaint::internal("the arguments were not counted")) };
    let given = cast::cast(call.session, given.clone(), &to.into(), Mode::Ansi)?;
    let Some(value) = constant(call.session, &given) else {
        let message = "The percentage of percentile_approx must be a constant DOUBLE or array of them.";
        return Err(Complaint::new("DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "42K09", message));
    };
    let parts: Option<Vec<f64>> = match &value {
        ScalarValue::Float64(part) => part.map(|part| vec![part]),
        ScalarValue::List(list) if list.is_valid(0) => {
            list.value(0).as_primitive::<Float64Type>().iter().collect::<Option<Vec<f64>>>()
        }
        _ => None,
    };
    let Some(parts) = parts else {
        let message = "The percentage of percentile_approx must not be NULL.";
        return Err(Complaint::new("DATATYPE_MISMATCH.UNEXPECTED_NULL", "42K09", message));
    };
    if let Some(part) = parts.iter().find(|part| !(0.0..=1.0).contains(*part)) {
        let message = format!("The percentage of percentile_approx must be between 0.0 and 1.0, not {part}.");
        return Err(Complaint::new("DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "42K09", message));
    }
    Ok(parts)
}

fn accuracy(call: &Call) -> std::result::Result<i64, Complaint> {
    let accuracy = match call.args.get(2).map(Typed::as_literal) {
        None => return Ok(DEFAULT_ACCURACY),
        Some(Some(ScalarValue::Int32(Some(accuracy)))) => i64::from(*accuracy),
        Some(Some(ScalarValue::Int64(Some(accuracy)))) => *accuracy,
        Some(_) => {
            let message = "The accuracy of percentile_approx must be a constant whole number.";
            return Err(Complaint::new("DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "42K09", message));
        }
    };
    if !(1..=i64::from(i32::MAX)).contains(&accuracy) {
        let message = format!("The accuracy of percentile_approx must be between 1 and {}, not {accuracy}.", i32::MAX);
        return Err(Complaint::new("DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "42K09", message));
    }
    Ok(accuracy)
}

#[derive(Debug, Clone)]
struct PercentileApprox {
    parts: Vec<f64>,
    is_array: bool,
    relative_error: f64,
    signature: Signature,
}

impl PercentileApprox {
    /// What makes it another function than one with other percentages.
    fn key(&self) -> (Vec<u64>, bool, u64) {
        (self.parts.iter().map(|part| part.to_bits()).collect(), self.is_array, self.relative_error.to_bits())
    }
}

impl PartialEq for PercentileApprox {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for PercentileApprox {}

impl Hash for PercentileApprox {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

fn list_of(kind: ArrowType) -> ArrowType {
    ArrowType::List(Arc::new(Field::new("element", kind, false)))
}

impl AggregateUDFImpl for PercentileApprox {
    fn name(&self) -> &'static str {
        "percentile_approx"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[ArrowType]) -> Result<ArrowType> {
        Ok(if self.is_array { list_of(ArrowType::Float64) } else { ArrowType::Float64 })
    }

    fn state_fields(&self, _: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let field = |name: &str, kind: ArrowType| Arc::new(Field::new(name, kind, true));
        Ok(vec![
            field("values", list_of(ArrowType::Float64)),
            field("weights", list_of(ArrowType::Int64)),
            field("slacks", list_of(ArrowType::Int64)),
            field("count", ArrowType::Int64),
        ])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let seen = args.is_distinct.then(std::collections::HashSet::new);
        let summary = Summary::new(self.relative_error);
        Ok(Box::new(Summing { summary, parts: self.parts.clone(), is_array: self.is_array, seen }))
    }
}

/// The summary of a group.
#[derive(Debug)]
struct Summing {
    summary: Summary,
    parts: Vec<f64>,
    is_array: bool,
    /// The values so far, where each counts once.
    seen: Option<std::collections::HashSet<u64>>,
}

fn list<T>(values: T, kind: ArrowType) -> ScalarValue
where
    T: Array + 'static,
{
    let field = Arc::new(Field::new("element", kind, false));
    let offsets = arrow::buffer::OffsetBuffer::from_lengths([values.len()]);
    ScalarValue::List(Arc::new(ListArray::new(field, offsets, Arc::new(values), None)))
}

impl Accumulator for Summing {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        for value in values.iter().flat_map(|array| array.as_primitive::<Float64Type>().iter().flatten()) {
            if self.seen.as_mut().is_none_or(|seen| seen.insert(value.to_bits())) {
                self.summary.add(value);
            }
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let found = self.summary.at(&self.parts).filter(|found| !found.is_empty());
        Ok(match found {
            Some(found) if self.is_array => list(Float64Array::from(found), ArrowType::Float64),
            Some(found) => ScalarValue::Float64(found.first().copied()),
            None if self.is_array => ScalarValue::try_new_null(&list_of(ArrowType::Float64))?,
            None => ScalarValue::Float64(None),
        })
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.summary.n_bytes()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let (samples, count) = self.summary.parts();
        let values: Float64Array = samples.iter().map(|sample| sample.value).collect::<Vec<_>>().into();
        let whole = |of: fn(&Sample) -> i64| list(samples.iter().map(of).collect::<Int64Array>(), ArrowType::Int64);
        let (weights, slacks) = (whole(|sample| sample.weight), whole(|sample| sample.slack));
        Ok(vec![list(values, ArrowType::Float64), weights, slacks, ScalarValue::Int64(Some(count))])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let [values, weights, slacks, counts] = states else { return Ok(()) };
        let counts = counts.as_primitive::<Int64Type>();
        for row in 0..counts.len() {
            let (values, weights, slacks) = (
                values.as_list::<i32>().value(row),
                weights.as_list::<i32>().value(row),
                slacks.as_list::<i32>().value(row),
            );
            let whole = |array: &ArrayRef| array.as_primitive::<Int64Type>().values().to_vec();
            let samples = values.as_primitive::<Float64Type>().values().iter().zip(whole(&weights)).zip(whole(&slacks));
            let samples = samples.map(|((value, weight), slack)| Sample { value: *value, weight, slack });
            let other = Summary::of(self.summary.error(), samples.collect(), counts.value(row));
            self.summary.merge(other);
        }
        Ok(())
    }
}
