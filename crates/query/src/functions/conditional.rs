//! Choices between values, assertions, and what is known about a value's type.

use super::call::{Bound, Call};
use crate::error::Complaint;
use crate::ops;
use crate::typed::Typed;
use arrow::array::{Array, ArrayRef, make_comparator, new_null_array};
use arrow::compute::{SortOptions, interleave};
use datafusion::common::{Result as DfResult, ScalarValue};
use datafusion::logical_expr::Expr;
use datafusion::logical_expr::expr::Case;
use delta::schema::DataType;
use spec::BinaryOp;
use std::cmp::Ordering;
use std::sync::Arc;

pub(super) const NAMES: &[&str] = &[
    "coalesce",
    "nvl",
    "ifnull",
    "nvl2",
    "nullif",
    "if",
    "iff",
    "isnull",
    "isnotnull",
    "nullifzero",
    "zeroifnull",
    "greatest",
    "least",
    "assert_true",
    "raise_error",
    "typeof",
    "version",
    "not",
    "equal_null",
];

pub(super) fn bind(call: Call) -> Bound {
    match call.name {
        "coalesce" => coalesce(call.arity(1, usize::MAX)?),
        "nvl" | "ifnull" => coalesce(call.arity(2, 2)?),
        "nvl2" => {
            let [value, present, absent] = call.arity(3, 3)?.branches(1)?;
            Ok(choice(Expr::IsNotNull(Box::new(value.expr)), present, absent))
        }
        "if" | "iff" => choose(call.arity(3, 3)?),
        "nullif" => nullif(call.arity(2, 2)?),
        "zeroifnull" => {
            let mut call = call.arity(1, 1)?;
            call.args.push(Typed::literal(ScalarValue::Int32(Some(0)), DataType::Int));
            coalesce(call)
        }
        "nullifzero" => {
            let mut call = call.arity(1, 1)?;
            call.args.push(Typed::literal(ScalarValue::Int32(Some(0)), DataType::Int));
            nullif(call)
        }
        "isnull" => {
            let [value] = call.arity(1, 1)?.take()?;
            Ok(Typed::new(Expr::IsNull(Box::new(value.expr)), DataType::Boolean, false))
        }
        "isnotnull" => {
            let [value] = call.arity(1, 1)?.take()?;
            Ok(Typed::new(Expr::IsNotNull(Box::new(value.expr)), DataType::Boolean, false))
        }
        "not" => {
            let session = call.session;
            let [value] = call.arity(1, 1)?.take()?;
            ops::not(session, value)
        }
        "equal_null" => {
            let session = call.session;
            let [left, right] = call.arity(2, 2)?.take()?;
            ops::binary(session, BinaryOp::NullSafeEq, left, right)
        }
        "greatest" => extreme(call, Ordering::Greater),
        "least" => extreme(call, Ordering::Less),
        "assert_true" => assert_true(call),
        "raise_error" => raise_error(call),
        "typeof" => {
            let [value] = call.arity(1, 1)?.take()?;
            let name = match value.data_type.column() {
                Some(data_type) => data_type.spark_name(),
                None => value.data_type.spark_name().to_lowercase(),
            };
            Ok(Typed::literal(ScalarValue::Utf8(Some(name)), DataType::String))
        }
        _ => {
            call.arity(0, 0)?;
            let version = "4.0.1 (MergeLab)".to_owned();
            Ok(Typed::literal(ScalarValue::Utf8(Some(version)), DataType::String))
        }
    }
}

impl Call<'_> {
    /// The arguments, those from `from` on in their common type.
    fn branches<const N: usize>(self, from: usize) -> Result<[Typed; N], Complaint> {
        self.common(from)?.0.take()
    }
}

fn choice(condition: Expr, then: Typed, otherwise: Typed) -> Typed {
    let nullable = then.nullable || otherwise.nullable;
    let branch = (Box::new(condition), Box::new(then.expr));
    let case = Case::new(None, vec![branch], Some(Box::new(otherwise.expr)));
    Typed::new(ops::case(case, &then.data_type), then.data_type, nullable)
}

/// As a CASE, so that later arguments are computed only where earlier ones are NULL.
fn coalesce(call: Call) -> Bound {
    let (call, common) = call.common(0)?;
    let nullable = call.args.iter().all(|arg| arg.nullable);
    let mut values = call.args.into_iter().filter(|arg| !arg.as_literal().is_some_and(ScalarValue::is_null)).rev();
    let Some(last) = values.next() else {
        let null = ScalarValue::try_from(&common.arrow()).unwrap_or(ScalarValue::Null);
        return Ok(Typed::literal(null, common));
    };
    let mut branches: Vec<(Box<Expr>, Box<Expr>)> =
        values.map(|value| (Box::new(Expr::IsNotNull(Box::new(value.expr.clone()))), Box::new(value.expr))).collect();
    branches.reverse();
    if branches.is_empty() {
        return Ok(Typed::new(last.expr, common, nullable));
    }
    // A CASE of equal branches is taken for the branch where Spark simplifies one (`crate::empty`), but a coalesce of equal
    // arguments is not: it goes without ELSE.
    let case = match branches.iter().all(|(_, value)| **value == last.expr) {
        true => Case::new(None, branches, None),
        false => Case::new(None, branches, Some(Box::new(last.expr))),
    };
    Ok(Typed::new(ops::case(case, &common), common, nullable))
}

fn choose(call: Call) -> Bound {
    let [condition, then, otherwise] = call.implicit(0, DataType::Boolean)?.branches(1)?;
    Ok(choice(condition.expr, then, otherwise))
}

fn nullif(call: Call) -> Bound {
    let session = call.session;
    let [value, other] = call.take()?;
    let same = ops::binary(session, BinaryOp::Eq, value.clone(), other)?;
    let null = ScalarValue::try_from(&value.data_type.arrow()).unwrap_or(ScalarValue::Null);
    let null = Typed::literal(null, value.data_type.clone());
    Ok(choice(same.expr, null, value))
}

/// NULLs are skipped.
fn extreme(call: Call, wanted: Ordering) -> Bound {
    let (call, common) = call.arity(2, usize::MAX)?.common(0)?;
    if !ops::is_orderable(&common) {
        return call.wrong(0, "a type with an order");
    }
    let nullable = call.args.iter().all(|arg| arg.nullable);
    call.gives_nullable(common, nullable, move |args| {
        let arrays = (0..args.len()).map(|idx| args.array(idx)).collect::<DfResult<Vec<_>>>()?;
        let Some(first) = arrays.first() else { return Ok(new_null_array(&arrow::datatypes::DataType::Null, 0)) };
        // Which argument is ahead in each row, then one more argument at a time.
        let mut best: ArrayRef = Arc::clone(first);
        for other in arrays.iter().skip(1) {
            let compare = make_comparator(&best, other, SortOptions::default())?;
            let pick = |row: usize| {
                let other_wins = best.is_null(row) || (!other.is_null(row) && compare(row, row) == wanted.reverse());
                (usize::from(other_wins), row)
            };
            let picks: Vec<(usize, usize)> = (0..args.rows()).map(pick).collect();
            best = interleave(&[best.as_ref(), other.as_ref()], &picks)?;
        }
        Ok(best)
    })
}

fn assert_true(call: Call) -> Bound {
    let call = call.arity(1, 2)?.implicit(0, DataType::Boolean)?.text(1)?;
    call.gives_nullable(DataType::Void, true, |args| {
        let conditions = args.boolean(0)?;
        for row in 0..args.rows() {
            if conditions.get(row) != Some(true) {
                let given = if args.len() > 1 { args.str(1)?.get(row) } else { None };
                return Err(user_raised(given.unwrap_or("The condition of assert_true is not true.")).into());
            }
        }
        Ok(new_null_array(&arrow::datatypes::DataType::Null, args.rows()))
    })
}

fn raise_error(call: Call) -> Bound {
    call.arity(1, 1)?.text(0)?.gives_nullable(DataType::Void, true, |args| match args.rows() {
        0 => Ok(new_null_array(&arrow::datatypes::DataType::Null, 0)),
        _ => Err(user_raised(args.str(0)?.get(0).unwrap_or("null")).into()),
    })
}

fn user_raised(message: &str) -> Complaint {
    Complaint::new("USER_RAISED_EXCEPTION", "P0001", message)
}
