//! Structs and maps.

use super::array::{assemble, element, list, lists};
use super::call::{Bound, Call};
use super::udf::{self, Args, Gives};
use crate::cast::{self, Mode};
use crate::error::Complaint;
use crate::ops::common_type;
use crate::typed::{SqlType, Typed};
use arrow::array::{Array, ArrayRef, AsArray, MapArray, StructArray, make_comparator, new_empty_array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::{SortOptions, interleave};
use arrow::datatypes::DataType as ArrowType;
use datafusion::common::{DataFusionError, Result as DfResult};
use datafusion::logical_expr::Expr;
use delta::schema::{DataType, StructField, StructType};
use std::cmp::Ordering;
use std::sync::Arc;

pub(super) const NAMES: &[&str] =
    &["struct", "named_struct", "map", "map_from_arrays", "map_keys", "map_values", "map_contains_key"];

pub(super) fn bind(call: Call) -> Bound {
    match call.name {
        "struct" => {
            let named = call.args.into_iter().enumerate();
            columns_only(structure(named.map(|(idx, arg)| (field_name(&arg, idx), arg)).collect()))
        }
        "named_struct" => named_struct(call),
        "map" => map(call),
        "map_from_arrays" => from_arrays(call),
        "map_keys" => half(call, true),
        "map_values" => half(call, false),
        _ => {
            let session = call.session;
            let [map, key] = call.arity(2, 2)?.take()?;
            let keys = super::scalar(session, "map_keys", vec![map])?;
            super::scalar(session, "array_contains", vec![keys, key])
        }
    }
}

/// The name that a column gives to its field; others are called `col1`, `col2`, …
fn field_name(arg: &Typed, idx: usize) -> String {
    match &arg.expr {
        Expr::ScalarFunction(call) if call.func.name() == "struct_field" => match call.args.last() {
            Some(Expr::Literal(datafusion::common::ScalarValue::Utf8(Some(name)), _)) => name.clone(),
            _ => format!("col{}", idx + 1),
        },
        _ => format!("col{}", idx + 1),
    }
}

fn columns_only(value: Typed) -> Bound {
    match value.data_type.column() {
        Some(_) => Ok(value),
        None => Err(Complaint::unsupported("An interval inside a struct")),
    }
}

/// A struct of named values.
pub(super) fn structure(named: Vec<(String, Typed)>) -> Typed {
    let mut fields = Vec::with_capacity(named.len());
    let mut args = Vec::with_capacity(named.len());
    for (name, value) in named {
        let Some(data_type) = value.data_type.column().cloned() else {
            // The caller refuses a result that is no column type.
            return value;
        };
        fields.push(StructField { nullable: value.nullable, ..StructField::new(name.as_str(), data_type) });
        args.push(value.expr);
    }
    let to = SqlType::from(DataType::Struct(StructType { fields }));
    let arrow = to.arrow();
    let gives = Gives { data_type: arrow.clone(), nullable: false };
    let kernel = move |args: &Args| -> DfResult<ArrayRef> {
        let ArrowType::Struct(fields) = &arrow else {
            return Err(DataFusionError::Internal(format!("{arrow} is no struct")));
        };
        let columns = (0..args.len()).map(|idx| args.array(idx)).collect::<DfResult<Vec<_>>>()?;
        Ok(Arc::new(StructArray::try_new_with_length(fields.clone(), columns, None, args.rows())?))
    };
    Typed::new(udf::call("named_struct", to.spark_name(), gives, args, kernel), to, false)
}

fn named_struct(call: Call) -> Bound {
    if call.args.is_empty() || !call.args.len().is_multiple_of(2) {
        let message = "`named_struct` takes pairs of a name and a value.";
        return Err(Complaint::new("WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "42605", message));
    }
    let mut named = Vec::with_capacity(call.args.len() / 2);
    for idx in (0..call.args.len()).step_by(2) {
        let Some(name) = call.constant_text(idx) else { return call.wrong(idx, "a STRING constant") };
        named.extend(call.args.get(idx + 1).map(|value| (name, value.clone())));
    }
    columns_only(structure(named))
}

/// A map value of the arrow type `to`.
fn map_array(
    to: &ArrowType,
    keys: ArrayRef,
    values: ArrayRef,
    lengths: Vec<usize>,
    nulls: Option<NullBuffer>,
) -> DfResult<ArrayRef> {
    let ArrowType::Map(field, sorted) = to else {
        return Err(DataFusionError::Internal(format!("{to} is no map")));
    };
    let ArrowType::Struct(fields) = field.data_type() else {
        return Err(DataFusionError::Internal(format!("{to} has no entries")));
    };
    if keys.null_count() > 0 {
        return Err(Complaint::new("NULL_MAP_KEY", "2200E", "The key of a map entry is NULL.").into());
    }
    refuse_duplicates(&keys, &lengths)?;
    let entries = StructArray::try_new(fields.clone(), vec![keys, values], None)?;
    Ok(Arc::new(MapArray::try_new(Arc::clone(field), OffsetBuffer::from_lengths(lengths), entries, nulls, *sorted)?))
}

fn refuse_duplicates(keys: &ArrayRef, lengths: &[usize]) -> DfResult<()> {
    let compare = make_comparator(keys, keys, SortOptions::default())?;
    let mut start = 0;
    for length in lengths {
        let mut order: Vec<usize> = (start..start + length).collect();
        order.sort_by(|left, right| compare(*left, *right));
        let twice =
            order.windows(2).find(|pair| matches!(pair, [left, right] if compare(*left, *right) == Ordering::Equal));
        if let Some([at, ..]) = twice {
            let mut key = String::new();
            cast::write_value(keys, *at, &mut key)?;
            let message = format!("The key {key} occurs twice in one map.");
            return Err(Complaint::new("DUPLICATED_MAP_KEY", "23505", message).into());
        }
        start += length;
    }
    Ok(())
}

/// `map(k1, v1, k2, v2, …)`
fn map(call: Call) -> Bound {
    if !call.args.len().is_multiple_of(2) {
        let message = "`map` takes pairs of a key and a value.";
        return Err(Complaint::new("WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "42605", message));
    }
    let session = call.session;
    let types = |parity: usize| -> Vec<SqlType> {
        call.args.iter().skip(parity).step_by(2).map(|arg| arg.data_type.clone()).collect()
    };
    let void = || Some(SqlType::from(DataType::Void));
    let of = |types: Vec<SqlType>| if types.is_empty() { void() } else { common_type(&types) };
    let (Some(SqlType::Column(key)), Some(SqlType::Column(value))) = (of(types(0)), of(types(1))) else {
        let message = "The keys or the values of `map` have types that do not go together.";
        return Err(Complaint::new("DATATYPE_MISMATCH.CREATE_MAP_KEY_DIFF_TYPES", "42K09", message));
    };
    let value_contains_null = call.args.iter().skip(1).step_by(2).any(|arg| arg.nullable);
    let mut args = Vec::with_capacity(call.args.len());
    for (idx, arg) in call.args.iter().enumerate() {
        let to = if idx % 2 == 0 { key.clone() } else { value.clone() };
        args.push(cast::cast(session, arg.clone(), &to.into(), Mode::Ansi)?);
    }
    let to = SqlType::from(DataType::Map { key: Box::new(key), value: Box::new(value), value_contains_null });
    let arrow = to.arrow();
    Call { session, name: "map", args }.gives_nullable(to, false, move |args| {
        let arrays = (0..args.len()).map(|idx| args.array(idx)).collect::<DfResult<Vec<_>>>()?;
        let half = |parity: usize| -> DfResult<ArrayRef> {
            let refs: Vec<&dyn Array> = arrays.iter().skip(parity).step_by(2).map(AsRef::as_ref).collect();
            if refs.is_empty() {
                return Ok(new_empty_array(&ArrowType::Null));
            }
            let picks: Vec<_> = (0..args.rows()).flat_map(|row| (0..refs.len()).map(move |idx| (idx, row))).collect();
            Ok(interleave(&refs, &picks)?)
        };
        let lengths = vec![args.len() / 2; args.rows()];
        map_array(&arrow, half(0)?, half(1)?, lengths, None)
    })
}

fn from_arrays(call: Call) -> Bound {
    let call = list(list(call.arity(2, 2)?, 0)?, 1)?;
    let (key, value) = (element(&call, 0), element(&call, 1));
    let to = SqlType::from(DataType::Map { key: Box::new(key), value: Box::new(value), value_contains_null: true });
    let arrow = to.arrow();
    call.gives(to, move |args| {
        let (keys, values) = (lists(args, 0)?, lists(args, 1)?);
        let (mut key_picks, mut value_picks, mut lengths, mut valid) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for row in 0..args.rows() {
            let both = keys.range(row).zip(values.range(row));
            valid.push(both.is_some());
            let (left, right) = both.unwrap_or((0..0, 0..0));
            if left.len() != right.len() {
                let message = format!("{} keys but {} values are given.", left.len(), right.len());
                return Err(Complaint::new("INVALID_PARAMETER_VALUE.LENGTH", "22023", message).into());
            }
            lengths.push(left.len());
            key_picks.extend(left.map(|at| (0, at)));
            value_picks.extend(right.map(|at| (0, at)));
        }
        let keys = interleave(&[keys.items().as_ref()], &key_picks)?;
        let values = interleave(&[values.items().as_ref()], &value_picks)?;
        map_array(&arrow, keys, values, lengths, Some(NullBuffer::from(valid)))
    })
}

fn half(call: Call, keys: bool) -> Bound {
    let call = call.arity(1, 1)?;
    let to = match call.type_of(0).column() {
        Some(DataType::Map { key, .. }) if keys => DataType::Array { element: key.clone(), contains_null: false },
        Some(DataType::Map { value, value_contains_null, .. }) => {
            DataType::Array { element: value.clone(), contains_null: *value_contains_null }
        }
        _ => return call.wrong(0, "MAP"),
    };
    let to = SqlType::from(to);
    let arrow = to.arrow();
    call.gives(to, move |args| {
        let array = args.array(0)?;
        let map = array.as_map();
        let offsets = map.value_offsets();
        let bounds = offsets.windows(2).filter_map(|pair| match pair {
            [from, to] => usize::try_from(to - from).ok(),
            _ => None,
        });
        let (first, last) = (offsets.first().copied().unwrap_or(0), offsets.last().copied().unwrap_or(0));
        let (first, size) = (usize::try_from(first).unwrap_or(0), usize::try_from(last - first).unwrap_or(0));
        let values = if keys { map.keys() } else { map.values() };
        assemble(&arrow, values.slice(first, size), bounds, map.nulls().cloned())
    })
}
