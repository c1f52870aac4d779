//! Aggregate functions: DataFusion's, with Spark's result types and NULL rules.

use super::call::{Bound, Call};
use super::udf::{self, Gives};
use crate::error::Complaint;
use crate::ops::{divide_decimals, is_orderable, overflow};
use crate::session::Session;
use crate::typed::{SqlType, Typed};
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::kernels::nullif::nullif;
use arrow::datatypes as types;
use datafusion::common::{DataFusionError, ScalarValue};
use datafusion::functions_aggregate as df;
use datafusion::logical_expr::expr::{AggregateFunction, Case, Cast, NullTreatment};
use datafusion::logical_expr::{AggregateUDF, Expr, lit};
use delta::schema::DataType;
use std::sync::Arc;

pub(super) const NAMES: &[&str] = &[
    "count",
    "count_if",
    "sum",
    "try_sum",
    "avg",
    "mean",
    "try_avg",
    "min",
    "max",
    "first",
    "first_value",
    "last",
    "last_value",
    "any_value",
    "collect_list",
    "array_agg",
    "collect_set",
    "stddev",
    "stddev_samp",
    "std",
    "stddev_pop",
    "variance",
    "var_samp",
    "var_pop",
    "bool_and",
    "every",
    "bool_or",
    "some",
    "any",
    "approx_count_distinct",
    "max_by",
    "min_by",
    "median",
    "percentile",
    "percentile_approx",
    "approx_percentile",
    "corr",
    "covar_pop",
    "covar_samp",
    "bit_and",
    "bit_or",
    "bit_xor",
];

/// Whether the name is an aggregate function.
pub(crate) fn is_aggregate(name: &str) -> bool {
    super::is_among(NAMES, name)
}

/// What every aggregate needs besides its argument.
pub(super) struct Group {
    distinct: bool,
    filter: Option<Expr>,
}

impl Group {
    pub(super) fn call(&self, function: Arc<AggregateUDF>, args: Vec<Expr>) -> Expr {
        let filter = self.filter.clone().map(Box::new);
        Expr::AggregateFunction(AggregateFunction::new_udf(function, args, self.distinct, filter, Vec::new(), None))
    }

    fn without_nulls(&self, function: Arc<AggregateUDF>, args: Vec<Expr>) -> Expr {
        match self.call(function, args) {
            Expr::AggregateFunction(mut call) => {
                call.params.null_treatment = Some(NullTreatment::IgnoreNulls);
                Expr::AggregateFunction(call)
            }
            other => other,
        }
    }
}

/// A call of an aggregate function; `None` where the name is none.
///
/// # Errors
/// As for scalar functions.
pub(crate) fn aggregate(
    session: &Session,
    name: &str,
    args: Vec<Typed>,
    distinct: bool,
    filter: Option<Typed>,
) -> Result<Option<Typed>, Complaint> {
    if !is_aggregate(name) {
        return Ok(None);
    }
    let lower = name.to_ascii_lowercase();
    let group = Group { distinct, filter: filter.map(|filter| filter.expr) };
    bind(Call { session, name: &lower, args }, &group).map(Some)
}

fn bind(call: Call, group: &Group) -> Bound {
    match call.name {
        "count" => count(call, group),
        "count_if" => {
            let [condition] = call.arity(1, 1)?.implicit(0, DataType::Boolean)?.take()?;
            let hit = Expr::Case(Case::new(None, vec![(Box::new(condition.expr), Box::new(lit(1_i32)))], None));
            Ok(Typed::new(group.call(df::count::count_udaf(), vec![hit]), DataType::Long, false))
        }
        "sum" | "try_sum" => sum(call, group),
        "avg" | "mean" | "try_avg" => average(call, group),
        "min" => extreme(call, group, df::min_max::min_udaf()),
        "max" => extreme(call, group, df::min_max::max_udaf()),
        "first" | "first_value" | "any_value" => edge(call, group, df::first_last::first_value_udaf()),
        "last" | "last_value" => edge(call, group, df::first_last::last_value_udaf()),
        "collect_list" | "array_agg" => collect(call, group, false),
        "collect_set" => collect(call, group, true),
        "stddev" | "stddev_samp" | "std" => real(call, group, df::stddev::stddev_udaf(), 1),
        "stddev_pop" => real(call, group, df::stddev::stddev_pop_udaf(), 1),
        "variance" | "var_samp" => real(call, group, df::variance::var_samp_udaf(), 1),
        "var_pop" => real(call, group, df::variance::var_pop_udaf(), 1),
        "corr" => real(call, group, df::correlation::corr_udaf(), 2),
        "covar_pop" => real(call, group, df::covariance::covar_pop_udaf(), 2),
        "covar_samp" => real(call, group, df::covariance::covar_samp_udaf(), 2),
        "median" => real(call, group, df::median::median_udaf(), 1),
        "percentile" => real(call, group, df::percentile_cont::percentile_cont_udaf(), 2),
        "percentile_approx" | "approx_percentile" => super::percentile_approx::bind(call, group),
        "bool_and" | "every" => truth(call, group, df::bool_and_or::bool_and_udaf()),
        "bool_or" | "some" | "any" => truth(call, group, df::bool_and_or::bool_or_udaf()),
        "approx_count_distinct" => {
            let [value] = call.arity(1, 1)?.take()?;
            let estimate = group.call(df::approx_distinct::approx_distinct_udaf(), vec![value.expr]);
            Ok(Typed::new(cast_expr(estimate, &DataType::Long.into()), DataType::Long, false))
        }
        "max_by" => by(call, group, df::min_max::max_udaf()),
        "min_by" => by(call, group, df::min_max::min_udaf()),
        "bit_and" => bits(call, group, df::bit_and_or_xor::bit_and_udaf()),
        "bit_or" => bits(call, group, df::bit_and_or_xor::bit_or_udaf()),
        _ => bits(call, group, df::bit_and_or_xor::bit_xor_udaf()),
    }
}

fn cast_expr(expr: Expr, to: &SqlType) -> Expr {
    Expr::Cast(Cast::new(Box::new(expr), to.arrow()))
}

/// Rows where every argument has a value.
fn count(call: Call, group: &Group) -> Bound {
    let args = call.arity(1, usize::MAX)?.args;
    let exprs: Vec<Expr> = args.iter().map(|arg| arg.expr.clone()).collect();
    let counted = match exprs.as_slice() {
        [only] => only.clone(),
        _ => {
            let present = exprs.iter().map(|expr| Expr::IsNotNull(Box::new(expr.clone())));
            let all = present.reduce(Expr::and).unwrap_or_else(|| lit(true));
            let row = super::maps::structure(
                args.into_iter().enumerate().map(|(idx, arg)| (format!("c{idx}"), arg)).collect(),
            );
            Expr::Case(Case::new(None, vec![(Box::new(all), Box::new(row.expr))], None))
        }
    };
    Ok(Typed::new(group.call(df::count::count_udaf(), vec![counted]), DataType::Long, false))
}

/// BIGINT for whole numbers, ten digits more for decimals, DOUBLE otherwise.
fn sum(call: Call, group: &Group) -> Bound {
    let call = call.arity(1, 1)?;
    match call.type_of(0).column() {
        Some(DataType::Byte | DataType::Short | DataType::Int | DataType::Long) => whole_sum(call, group),
        Some(DataType::Decimal { precision, scale }) => {
            let to = DataType::Decimal { precision: precision.saturating_add(10).min(38), scale: *scale };
            let [value] = call.take()?;
            Ok(Typed::new(group.call(df::sum::sum_udaf(), vec![value.expr]), to, true))
        }
        Some(DataType::Float | DataType::Double | DataType::String | DataType::Void) => {
            let [value] = call.double(0)?.take()?;
            Ok(Typed::new(group.call(df::sum::sum_udaf(), vec![value.expr]), DataType::Double, true))
        }
        _ => call.wrong(0, "NUMERIC"),
    }
}

/// Summed as decimals, for DataFusion's sum of BIGINT wraps around in silence.
fn whole_sum(call: Call, group: &Group) -> Bound {
    let tries = call.name == "try_sum";
    let digits = SqlType::from(DataType::Decimal { precision: 20, scale: 0 });
    let [value] = call.take()?;
    let total = group.call(df::sum::sum_udaf(), vec![cast_expr(value.expr, &digits)]);
    let to = SqlType::from(DataType::Long);
    let gives = Gives { data_type: to.arrow(), nullable: true };
    let expr = udf::call("sum_of", format!("{tries}"), gives, vec![total], move |args| {
        let totals = args.primitive::<types::Decimal128Type>(0)?;
        super::date::rows::<types::Int64Type>(args, |row| {
            let Some(total) = totals.get(row) else { return Ok(None) };
            match i64::try_from(total) {
                Ok(total) => Ok(Some(total)),
                Err(_) if tries => Ok(None),
                Err(_) => Err(overflow(&format!("The sum {total}"), &DataType::Long.into()).into()),
            }
        })
    });
    Ok(Typed::new(expr, to, true))
}

fn average(call: Call, group: &Group) -> Bound {
    let call = call.arity(1, 1)?;
    match call.type_of(0).column() {
        Some(DataType::Decimal { precision, scale }) => {
            let (precision, scale) = (*precision, *scale);
            decimal_average(call, group, precision, scale)
        }
        Some(DataType::String | DataType::Void) => real(call, group, df::average::avg_udaf(), 1),
        _ if call.type_of(0).is_numeric() => real(call, group, df::average::avg_udaf(), 1),
        _ => call.wrong(0, "NUMERIC"),
    }
}

/// The sum by the count, rounded half up to four more digits: DataFusion's average cuts them off.
fn decimal_average(call: Call, group: &Group, precision: u8, scale: i8) -> Bound {
    let [value] = call.take()?;
    let wide = scale.saturating_add(4).min(38);
    let to = SqlType::from(DataType::Decimal { precision: precision.saturating_add(4).min(38), scale: wide });
    let total = group.call(df::sum::sum_udaf(), vec![value.expr.clone()]);
    let count = group.call(df::count::count_udaf(), vec![value.expr]);
    let gives = Gives { data_type: to.arrow(), nullable: true };
    let arrow = to.arrow();
    let expr = udf::call("average_of", format!("{scale} {wide}"), gives, vec![total, count], move |args| {
        let totals = args.primitive::<types::Decimal128Type>(0)?;
        let counts = args.primitive::<types::Int64Type>(1)?;
        let averages = super::date::rows::<types::Decimal128Type>(args, |row| {
            let both = totals.get(row).zip(counts.get(row).filter(|count| *count > 0));
            Ok(both.and_then(|(total, count)| divide_decimals((total, scale), (i128::from(count), 0), wide)))
        })?;
        let averages = averages.as_primitive::<types::Decimal128Type>().clone();
        Ok(Arc::new(averages.with_data_type(arrow.clone())) as ArrayRef)
    });
    Ok(Typed::new(expr, to, true))
}

fn extreme(call: Call, group: &Group, function: Arc<AggregateUDF>) -> Bound {
    let call = call.arity(1, 1)?;
    if !is_orderable(&call.type_of(0)) {
        return call.wrong(0, "a type with an order");
    }
    let [value] = call.take()?;
    Ok(Typed::new(group.call(function, vec![value.expr]), value.data_type, true))
}

/// The second argument, a constant, says whether NULLs are skipped.
fn edge(call: Call, group: &Group, function: Arc<AggregateUDF>) -> Bound {
    let call = call.arity(1, 2)?.implicit(1, DataType::Boolean)?;
    let skips = call.args.get(1).and_then(Typed::as_literal) == Some(&ScalarValue::Boolean(Some(true)));
    let Some(value) = call.args.into_iter().next() else {
        return Err(Complaint::internal("the arguments were not counted"));
    };
    let expr = match skips {
        true => group.without_nulls(function, vec![value.expr]),
        false => group.call(function, vec![value.expr]),
    };
    Ok(Typed::new(expr, value.data_type, true))
}

/// NULLs are left out; a group without values gives an empty array.
fn collect(call: Call, group: &Group, set: bool) -> Bound {
    let [value] = call.arity(1, 1)?.take()?;
    let Some(element) = value.data_type.column().cloned() else {
        return Err(Complaint::unsupported("An array of intervals"));
    };
    let group = Group { distinct: group.distinct || set, filter: group.filter.clone() };
    let list = group.without_nulls(df::array_agg::array_agg_udaf(), vec![value.expr]);
    let to = SqlType::from(DataType::Array { element: Box::new(element), contains_null: false });
    let gives = Gives { data_type: to.arrow(), nullable: false };
    let target = to.arrow();
    let expr = udf::call("collected", to.spark_name(), gives, vec![list], move |args| {
        super::array::renamed_list(&args.array(0)?, &target)
    });
    Ok(Typed::new(expr, to, false))
}

fn real(call: Call, group: &Group, function: Arc<AggregateUDF>, n_args: usize) -> Bound {
    let mut call = call.arity(n_args, n_args)?;
    for idx in 0..n_args {
        call = call.double(idx)?;
    }
    let args = call.args.into_iter().map(|arg| arg.expr).collect();
    Ok(Typed::new(group.call(function, args), DataType::Double, true))
}

fn truth(call: Call, group: &Group, function: Arc<AggregateUDF>) -> Bound {
    let [value] = call.arity(1, 1)?.implicit(0, DataType::Boolean)?.take()?;
    Ok(Typed::new(group.call(function, vec![value.expr]), DataType::Boolean, true))
}

fn bits(call: Call, group: &Group, function: Arc<AggregateUDF>) -> Bound {
    let call = call.arity(1, 1)?;
    if !call.type_of(0).is_integral() {
        return call.wrong(0, "INTEGRAL");
    }
    let [value] = call.take()?;
    Ok(Typed::new(group.call(function, vec![value.expr]), value.data_type, true))
}

/// The value beside the extreme key, as the extreme of (key, value) rows; rows without a key do not count.
fn by(call: Call, group: &Group, function: Arc<AggregateUDF>) -> Bound {
    let [value, key] = call.arity(2, 2)?.take()?;
    if !is_orderable(&key.data_type) || !is_orderable(&value.data_type) {
        return Err(Complaint::unsupported("`max_by` or `min_by` of values without an order"));
    }
    if key.data_type.is_interval() || value.data_type.is_interval() {
        return Err(Complaint::unsupported("`max_by` or `min_by` of intervals"));
    }
    let has_key = Expr::IsNotNull(Box::new(key.expr.clone()));
    let filter = match &group.filter {
        Some(filter) => filter.clone().and(has_key),
        None => has_key,
    };
    let group = Group { distinct: false, filter: Some(filter) };
    let to = value.data_type.clone();
    let pair = super::maps::structure(vec![("key".to_owned(), key), ("value".to_owned(), value)]);
    let best = group.call(function, vec![pair.expr]);
    let gives = Gives { data_type: to.arrow(), nullable: true };
    let expr = udf::call("value_of", "", gives, vec![best], |args| {
        let array = args.array(0)?;
        let pairs = array
            .as_struct_opt()
            .ok_or_else(|| DataFusionError::Internal("max_by is computed on structs".to_owned()))?;
        let values: &ArrayRef = pairs.column(1);
        Ok(match pairs.nulls() {
            Some(nulls) => nullif(values, &arrow::array::BooleanArray::new(!nulls.inner(), None))?,
            None => Arc::clone(values),
        })
    });
    Ok(Typed::new(expr, to, true))
}
