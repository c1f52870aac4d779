//! The rule that a scalar subquery gives at most one row.
//!
//! The aggregate only counts; the complaint is raised by a function around the subquery. So a group that no outer row
//! asks for never fails a query.

use crate::error::Complaint;
use crate::functions::udf;
use crate::typed::SqlType;
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType as ArrowType, Field, FieldRef, Fields, Int64Type};
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Expr, Signature, Volatility};
use std::sync::Arc;

/// The aggregate over the subquery's only column, and what takes the value out of the subquery's result.
pub(super) fn checked(value: Expr, data_type: &SqlType) -> (Expr, impl Fn(Expr) -> Expr) {
    let arrow = data_type.arrow();
    let aggregate = AggregateUDF::new_from_impl(SingleRow { signature: Signature::any(1, Volatility::Immutable) });
    let gives = udf::Gives { data_type: arrow, nullable: true };
    let unwrap = move |subquery: Expr| {
        udf::call("single_row", "", gives.clone(), vec![subquery], |args| take_out(&args.array(0)?))
    };
    (aggregate.call(vec![value]), unwrap)
}

fn take_out(array: &ArrayRef) -> Result<ArrayRef> {
    let Some(structs) = array.as_struct_opt() else { return internal("is no struct") };
    let Some(counts) = structs.column(0).as_primitive_opt::<Int64Type>() else { return internal("has no count") };
    for row in 0..structs.len() {
        if structs.is_valid(row) && counts.value(row) > 1 {
            let message = "A subquery used as a value gives more than one row.";
            let complaint = Complaint::new("SCALAR_SUBQUERY_TOO_MANY_ROWS", "21000", message)
                .with_hint("Make it one row: an aggregate such as max(), or a condition that picks one.");
            return Err(complaint.into());
        }
    }
    let values = structs.column(1);
    match structs.nulls() {
        Some(nulls) => {
            let absent = arrow::array::BooleanArray::new(!nulls.inner(), None);
            Ok(arrow::compute::nullif(values, &absent)?)
        }
        None => Ok(Arc::clone(values)),
    }
}

fn internal(what: &str) -> Result<ArrayRef> {
    Err(DataFusionError::Internal(format!("the state of a scalar subquery {what}")))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct SingleRow {
    signature: Signature,
}

fn state_fields(value: &ArrowType) -> Fields {
    Fields::from(vec![Field::new("n", ArrowType::Int64, true), Field::new("value", value.clone(), true)])
}

impl AggregateUDFImpl for SingleRow {
    fn name(&self) -> &str {
        "single_row"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arg_types: &[ArrowType]) -> Result<ArrowType> {
        match arg_types {
            [value] => Ok(ArrowType::Struct(state_fields(value))),
            _ => Err(DataFusionError::Internal("single_row takes one argument".into())),
        }
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let Some(input) = args.input_fields.first() else {
            return Err(DataFusionError::Internal("single_row takes one argument".into()));
        };
        Ok(vec![
            Arc::new(Field::new("n", ArrowType::Int64, true)),
            Arc::new(Field::new("value", input.data_type().clone(), true)),
        ])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let Some(input) = args.expr_fields.first() else {
            return Err(DataFusionError::Internal("single_row takes one argument".into()));
        };
        let value = ScalarValue::try_from(input.data_type())?;
        Ok(Box::new(Count { n_rows: 0, value, data_type: input.data_type().clone() }))
    }
}

/// How many rows there were, and the value of the first.
#[derive(Debug)]
struct Count {
    n_rows: i64,
    value: ScalarValue,
    data_type: ArrowType,
}

impl Count {
    fn add(&mut self, n_rows: i64, first: impl FnOnce() -> Result<ScalarValue>) -> Result<()> {
        if self.n_rows == 0 && n_rows > 0 {
            self.value = first()?;
        }
        self.n_rows = self.n_rows.saturating_add(n_rows);
        Ok(())
    }
}

impl Accumulator for Count {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let Some(values) = values.first() else { return Ok(()) };
        self.add(i64::try_from(values.len()).unwrap_or(i64::MAX), || ScalarValue::try_from_array(values, 0))
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let [counts, values] = states else { return Ok(()) };
        let Some(counts) = counts.as_primitive_opt::<Int64Type>() else { return Ok(()) };
        for row in 0..counts.len() {
            self.add(counts.value(row), || ScalarValue::try_from_array(values, row))?;
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![ScalarValue::Int64(Some(self.n_rows)), self.value.clone()])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let columns = vec![ScalarValue::Int64(Some(self.n_rows)).to_array()?, self.value.to_array()?];
        let row = arrow::array::StructArray::try_new(state_fields(&self.data_type), columns, None)?;
        Ok(ScalarValue::Struct(Arc::new(row)))
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.value.size()
    }
}
