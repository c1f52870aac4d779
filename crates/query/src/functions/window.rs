//! Functions that only make sense over a window. Ranks are INT, as in Spark.

use super::call::{Bound, Call};
use crate::cast::{self, Mode};
use crate::error::Complaint;
use crate::session::Session;
use crate::typed::{SqlType, Typed};
use datafusion::common::ScalarValue;
use datafusion::functions_window as df;
use datafusion::logical_expr::expr::{Cast, WindowFunction};
use datafusion::logical_expr::{Expr, WindowFunctionDefinition, WindowUDF, lit};
use delta::schema::DataType;
use std::sync::Arc;

pub(super) const NAMES: &[&str] =
    &["row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead", "nth_value"];

/// Whether the name is a function that needs OVER and is no aggregate.
pub(crate) fn is_window(name: &str) -> bool {
    super::is_among(NAMES, name)
}

/// Whether the name is an aggregate that takes the first or last row of a window.
pub(crate) fn is_window_end(name: &str) -> bool {
    super::is_among(&["first", "first_value", "any_value", "last", "last_value"], name)
}

/// A call of a window function, without its window: a [`Expr::WindowFunction`], possibly inside a cast.
///
/// # Errors
/// As for scalar functions.
pub(crate) fn window(session: &Session, name: &str, args: Vec<Typed>) -> Result<Typed, Complaint> {
    let lower = name.to_ascii_lowercase();
    let call = Call { session, name: &lower, args };
    match call.name {
        "row_number" => rank(call.arity(0, 0)?, df::row_number::row_number_udwf()),
        "rank" => rank(call.arity(0, 0)?, df::rank::rank_udwf()),
        "dense_rank" => rank(call.arity(0, 0)?, df::rank::dense_rank_udwf()),
        "percent_rank" => share(call, df::rank::percent_rank_udwf()),
        "cume_dist" => share(call, df::cume_dist::cume_dist_udwf()),
        "ntile" => ntile(call),
        "lag" => offset(call, df::lead_lag::lag_udwf()),
        "lead" => offset(call, df::lead_lag::lead_udwf()),
        "nth_value" => nth_value(call),
        "first" | "first_value" | "any_value" => end(call, df::nth_value::first_value_udwf()),
        "last" | "last_value" => end(call, df::nth_value::last_value_udwf()),
        _ => Err(Complaint::internal(format!("{name} is no window function after all"))),
    }
}

fn over(function: Arc<WindowUDF>, args: Vec<Expr>) -> Expr {
    Expr::WindowFunction(Box::new(WindowFunction::new(WindowFunctionDefinition::WindowUDF(function), args)))
}

fn rank(call: Call, function: Arc<WindowUDF>) -> Bound {
    let args = call.args.into_iter().map(|arg| arg.expr).collect();
    let number = Expr::Cast(Cast::new(Box::new(over(function, args)), SqlType::from(DataType::Int).arrow()));
    Ok(Typed::new(number, DataType::Int, false))
}

fn share(call: Call, function: Arc<WindowUDF>) -> Bound {
    call.arity(0, 0)?;
    Ok(Typed::new(over(function, Vec::new()), DataType::Double, false))
}

fn ntile(call: Call) -> Bound {
    let call = call.arity(0, 1)?;
    let buckets = call.constant_int(0, 1)?;
    if buckets < 1 {
        return call.wrong(0, "a positive INT");
    }
    let number = over(df::ntile::ntile_udwf(), vec![lit(i64::from(buckets))]);
    let number = Expr::Cast(Cast::new(Box::new(number), SqlType::from(DataType::Int).arrow()));
    Ok(Typed::new(number, DataType::Int, false))
}

/// `lag(value, offset, default)`: a row before, NULL beyond the partition.
fn offset(call: Call, function: Arc<WindowUDF>) -> Bound {
    let call = call.arity(1, 3)?;
    let rows = call.constant_int(1, 1)?;
    let session = call.session;
    let mut args = call.args.into_iter();
    let Some(value) = args.next() else {
        return Err(Complaint::internal("the arguments were not counted"));
    };
    let default = match args.nth(1) {
        Some(default) => {
            let cast = cast::cast(session, default, &value.data_type, Mode::Ansi)?;
            match crate::expr::constant(session, &cast) {
                Some(constant) => Expr::Literal(constant, None),
                None => cast.expr,
            }
        }
        None => Expr::Literal(ScalarValue::try_from(&value.data_type.arrow()).unwrap_or(ScalarValue::Null), None),
    };
    if !matches!(default, Expr::Literal(..)) {
        return Err(Complaint::unsupported("A default of `lag` or `lead` that is not a constant"));
    }
    let expr = over(function, vec![value.expr, lit(i64::from(rows)), default]);
    Ok(Typed::new(expr, value.data_type, true))
}

fn end(call: Call, function: Arc<WindowUDF>) -> Bound {
    let [value] = call.arity(1, 1)?.take()?;
    Ok(Typed::new(over(function, vec![value.expr]), value.data_type, true))
}

fn nth_value(call: Call) -> Bound {
    let call = call.arity(2, 2)?;
    let nth = call.constant_int(1, 1)?;
    if nth < 1 {
        return call.wrong(1, "a positive INT");
    }
    let [value, _] = call.take()?;
    let expr = over(df::nth_value::nth_value_udwf(), vec![value.expr, lit(i64::from(nth))]);
    Ok(Typed::new(expr, value.data_type, true))
}
