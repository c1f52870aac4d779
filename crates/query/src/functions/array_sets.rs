//! Arrays as sets: membership, distinct elements, union, intersection, difference.
//!
//! Elements are compared by their row encoding, in which NULL equals NULL.

use super::array::{assemble, element, list, lists, rebuild_with};
use super::call::{Bound, Call};
use super::udf::Args;
use crate::cast::{self, Mode};
use crate::error::Complaint;
use crate::ops::{common_type, is_orderable};
use crate::typed::SqlType;
use arrow::array::{Array, ArrayRef, BooleanArray, make_comparator};
use arrow::buffer::NullBuffer;
use arrow::compute::{SortOptions, interleave};
use arrow::row::{OwnedRow, RowConverter, Rows, SortField};
use datafusion::common::Result as DfResult;
use delta::schema::DataType;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) const NAMES: &[&str] = &[
    "array_contains",
    "array_distinct",
    "array_union",
    "array_intersect",
    "array_except",
    "array_remove",
    "arrays_overlap",
];

pub(super) fn bind(call: Call) -> Bound {
    match call.name {
        "array_contains" => contains(call),
        "array_distinct" => {
            let call = comparable(list(call.arity(1, 1)?, 0)?)?;
            rebuild_with(call, |_, _, items, range, picks| {
                let rows = encoded(&items.slice(range.start, range.len()))?;
                let mut seen = BTreeSet::new();
                picks
                    .extend(range.enumerate().filter(|(idx, _)| seen.insert(rows.row(*idx).owned())).map(|(_, at)| at));
                Ok(true)
            })
        }
        "array_remove" => {
            let call = with_element(list(call.arity(2, 2)?, 0)?)?;
            rebuild_with(call, |args, row, items, range, picks| {
                let unwanted = args.array(1)?;
                if unwanted.is_null(row) {
                    return Ok(false);
                }
                let compare = make_comparator(items, &unwanted, SortOptions::default())?;
                picks.extend(range.filter(|at| items.is_null(*at) || compare(*at, row) != Ordering::Equal));
                Ok(true)
            })
        }
        "arrays_overlap" => overlap(call),
        "array_union" => combine(call, |_, _| true, true),
        "array_intersect" => combine(call, |row, other| other.contains(row), false),
        _ => combine(call, |row, other| !other.contains(row), false),
    }
}

/// The array argument and a second one of its element type, in their common type.
pub(super) fn with_element(call: Call<'_>) -> Result<Call<'_>, Complaint> {
    let types = [SqlType::from(element(&call, 0)), call.type_of(1)];
    let Some(SqlType::Column(common)) = common_type(&types) else {
        return call.wrong(1, &types.first().map(SqlType::spark_name).unwrap_or_default());
    };
    let mut call = comparable(call)?;
    let array = SqlType::from(DataType::Array { element: Box::new(common.clone()), contains_null: true });
    for (slot, to) in call.args.iter_mut().zip([array, common.into()]) {
        let value = slot.clone();
        *slot = cast::cast(call.session, value, &to, Mode::Ansi)?;
    }
    Ok(call)
}

fn comparable(call: Call<'_>) -> Result<Call<'_>, Complaint> {
    if is_orderable(&call.type_of(0)) { Ok(call) } else { call.wrong(0, "an ARRAY of a type with an order") }
}

fn encoded(items: &ArrayRef) -> DfResult<Rows> {
    let converter = RowConverter::new(vec![SortField::new(items.data_type().clone())])?;
    Ok(converter.convert_columns(std::slice::from_ref(items))?)
}

/// NULL where the element is not found but a NULL is among the elements.
fn contains(call: Call) -> Bound {
    let call = with_element(list(call.arity(2, 2)?, 0)?)?;
    call.gives_nullable(DataType::Boolean, true, |args| {
        let lists = lists(args, 0)?;
        let items = lists.items();
        let wanted = args.array(1)?;
        let compare = make_comparator(items, &wanted, SortOptions::default())?;
        let found = |row: usize| -> Option<bool> {
            let range = lists.range(row).filter(|_| wanted.is_valid(row))?;
            let mut unknown = false;
            for at in range {
                match items.is_valid(at) {
                    true if compare(at, row) == Ordering::Equal => return Some(true),
                    valid => unknown |= !valid,
                }
            }
            (!unknown).then_some(false)
        };
        Ok(Arc::new((0..args.rows()).map(found).collect::<BooleanArray>()))
    })
}

fn overlap(call: Call) -> Bound {
    let call = comparable(list(list(call.arity(2, 2)?, 0)?, 1)?)?;
    let (call, _) = call.common(0)?;
    call.gives_nullable(DataType::Boolean, true, |args| {
        let (left, right) = (lists(args, 0)?, lists(args, 1)?);
        let compare = make_comparator(left.items(), right.items(), SortOptions::default())?;
        let overlaps = |row: usize| -> Option<bool> {
            let (a, b) = left.range(row).zip(right.range(row))?;
            let both = |at: usize, other: usize| left.items().is_valid(at) && right.items().is_valid(other);
            if a.clone().any(|at| b.clone().any(|other| both(at, other) && compare(at, other) == Ordering::Equal)) {
                return Some(true);
            }
            let has_null =
                a.clone().any(|at| left.items().is_null(at)) || b.clone().any(|at| right.items().is_null(at));
            (!has_null || a.is_empty() || b.is_empty()).then_some(false)
        };
        Ok(Arc::new((0..args.rows()).map(overlaps).collect::<BooleanArray>()))
    })
}

/// Distinct elements of the first array that `keep` wants, then with `both` those of the second.
fn combine(call: Call, keep: fn(&OwnedRow, &BTreeSet<OwnedRow>) -> bool, both: bool) -> Bound {
    let call = comparable(list(list(call.arity(2, 2)?, 0)?, 1)?)?;
    let (call, common) = call.common(0)?;
    let arrow = common.arrow();
    call.gives(common, move |args: &Args| {
        let (left, right) = (lists(args, 0)?, lists(args, 1)?);
        let converter = RowConverter::new(vec![SortField::new(left.items().data_type().clone())])?;
        let left_rows = converter.convert_columns(std::slice::from_ref(left.items()))?;
        let right_rows = converter.convert_columns(std::slice::from_ref(right.items()))?;
        let (mut picks, mut lengths, mut valid) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..args.rows() {
            let before = picks.len();
            let ranges = left.range(row).zip(right.range(row));
            valid.push(ranges.is_some());
            if let Some((a, b)) = ranges {
                let other: BTreeSet<OwnedRow> = b.clone().map(|at| right_rows.row(at).owned()).collect();
                let mut seen = BTreeSet::new();
                for at in a {
                    let item = left_rows.row(at).owned();
                    if keep(&item, &other) && seen.insert(item) {
                        picks.push((0, at));
                    }
                }
                if both {
                    picks.extend(b.filter(|at| seen.insert(right_rows.row(*at).owned())).map(|at| (1, at)));
                }
            }
            lengths.push(picks.len() - before);
        }
        let values = interleave(&[left.items().as_ref(), right.items().as_ref()], &picks)?;
        assemble(&arrow, values, lengths, Some(NullBuffer::from(valid)))
    })
}
