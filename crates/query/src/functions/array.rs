//! Functions that make arrays, or reorder and cut them.

use super::call::{Bound, Call};
use super::udf::{Args, View};
use crate::error::Complaint;
use crate::ops::{is_orderable, wrong_input};
use crate::typed::SqlType;
use arrow::array::{Array, ArrayRef, AsArray, Int32Array, ListArray, UInt32Array, make_comparator, new_empty_array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::{SortOptions, concat as concat_arrays, take};
use arrow::datatypes as types;
use arrow::datatypes::DataType as ArrowType;
use datafusion::common::{DataFusionError, Result as DfResult};
use delta::schema::DataType;
use std::cmp::Ordering;
use std::sync::Arc;

pub(super) const NAMES: &[&str] = &[
    "size",
    "cardinality",
    "array_size",
    "sort_array",
    "array_sort",
    "array_min",
    "array_max",
    "slice",
    "flatten",
    "array_compact",
    "array_position",
];

pub(super) fn bind(call: Call) -> Bound {
    match call.name {
        "size" | "cardinality" | "array_size" => size(call),
        "sort_array" => sort(call.arity(1, 2)?.implicit(1, DataType::Boolean)?, true),
        "array_sort" => sort(call.arity(1, 1)?, false),
        "array_min" => extreme(call, Ordering::Less),
        "array_max" => extreme(call, Ordering::Greater),
        "slice" => slice(call),
        "flatten" => flatten(call),
        "array_position" => position(call),
        _ => {
            let call = list(call.arity(1, 1)?, 0)?;
            rebuild(call, |items, row, picks| {
                picks.extend(row.filter(|at| items.is_valid(*at)));
                Ok(())
            })
        }
    }
}

/// Checks that an argument is an array.
pub(super) fn list(call: Call<'_>, idx: usize) -> Result<Call<'_>, Complaint> {
    match call.type_of(idx) {
        SqlType::Column(DataType::Array { .. }) => Ok(call),
        SqlType::Column(DataType::Void) => {
            let empty = DataType::Array { element: Box::new(DataType::Void), contains_null: true };
            call.implicit(idx, empty)
        }
        found => Err(wrong_input(call.name, idx + 1, "ARRAY", &found)),
    }
}

/// The element type of an array argument.
pub(super) fn element(call: &Call, idx: usize) -> DataType {
    match call.type_of(idx) {
        SqlType::Column(DataType::Array { element, .. }) => *element,
        _ => DataType::Void,
    }
}

/// An array argument, row by row.
pub(super) fn lists(args: &Args, idx: usize) -> DfResult<View<'_, ListArray>> {
    args.view(idx, |array| array.as_list_opt::<i32>())
}

impl<'a> View<'a, ListArray> {
    /// Where the elements of a row stand in the values of [`View::inner`]; `None` for NULL.
    pub(super) fn range(&self, row: usize) -> Option<std::ops::Range<usize>> {
        let at = self.at(row);
        if self.inner().is_null(at) {
            return None;
        }
        let offsets = self.inner().value_offsets();
        let bound = |at: usize| offsets.get(at).and_then(|offset| usize::try_from(*offset).ok());
        Some(bound(at)?..bound(at + 1)?)
    }

    pub(super) fn items(&self) -> &'a ArrayRef {
        self.inner().values()
    }
}

/// A list array of the arrow type `to`, from elements and their number per row.
pub(super) fn assemble(
    to: &ArrowType,
    values: ArrayRef,
    lengths: impl IntoIterator<Item = usize>,
    nulls: Option<NullBuffer>,
) -> DfResult<ArrayRef> {
    let ArrowType::List(field) = to else {
        return Err(DataFusionError::Internal(format!("{to} is no list")));
    };
    let offsets = OffsetBuffer::from_lengths(lengths);
    Ok(Arc::new(ListArray::try_new(Arc::clone(field), offsets, values, nulls)?))
}

/// The same list with the element field of `to`: DataFusion names it otherwise.
pub(super) fn renamed_list(array: &ArrayRef, to: &ArrowType) -> DfResult<ArrayRef> {
    let ArrowType::List(field) = to else {
        return Err(DataFusionError::Internal(format!("{to} is no list")));
    };
    let list = array.as_list::<i32>();
    if list.null_count() == 0 {
        return Ok(Arc::new(ListArray::try_new(
            Arc::clone(field),
            list.offsets().clone(),
            Arc::clone(list.values()),
            None,
        )?));
    }
    // A group without rows comes as NULL and means an empty array.
    let parts: Vec<ArrayRef> = (0..list.len()).filter(|row| list.is_valid(*row)).map(|row| list.value(row)).collect();
    let refs: Vec<&dyn Array> = parts.iter().map(AsRef::as_ref).collect();
    let values = if refs.is_empty() { new_empty_array(field.data_type()) } else { concat_arrays(&refs)? };
    let lengths = (0..list.len()).map(|row| if list.is_valid(row) { list.value(row).len() } else { 0 });
    assemble(to, values, lengths, None)
}

/// One argument's array rebuilt from positions among its elements.
pub(super) fn rebuild(
    call: Call,
    pick: impl Fn(&ArrayRef, std::ops::Range<usize>, &mut Vec<usize>) -> DfResult<()> + Send + Sync + 'static,
) -> Bound {
    rebuild_with(call, move |_, _, items, range, picks| {
        pick(items, range, picks)?;
        Ok(true)
    })
}

/// The same for a kernel that looks at other arguments; `false` makes the row NULL.
pub(super) fn rebuild_with(
    call: Call,
    pick: impl Fn(&Args, usize, &ArrayRef, std::ops::Range<usize>, &mut Vec<usize>) -> DfResult<bool>
    + Send
    + Sync
    + 'static,
) -> Bound {
    let to = call.type_of(0);
    let arrow = to.arrow();
    call.gives(to, move |args| {
        let lists = lists(args, 0)?;
        let (mut picks, mut lengths, mut valid) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..args.rows() {
            let before = picks.len();
            let is_valid = match lists.range(row) {
                Some(range) => pick(args, row, lists.items(), range, &mut picks)?,
                None => false,
            };
            valid.push(is_valid);
            lengths.push(picks.len() - before);
        }
        let indexes: UInt32Array = picks.iter().map(|at| u32::try_from(*at).ok()).collect();
        let values = take(lists.items(), &indexes, None)?;
        assemble(&arrow, values, lengths, Some(NullBuffer::from(valid)))
    })
}

/// NULL for NULL.
fn size(call: Call) -> Bound {
    let call = call.arity(1, 1)?;
    if !matches!(call.type_of(0).column(), Some(DataType::Array { .. } | DataType::Map { .. })) {
        return call.wrong(0, "ARRAY or MAP");
    }
    call.gives(DataType::Int, |args| {
        let array = args.array(0)?;
        let offsets = match array.data_type() {
            ArrowType::Map(_, _) => array.as_map().value_offsets().to_vec(),
            _ => array.as_list::<i32>().value_offsets().to_vec(),
        };
        let lengths: Vec<i32> =
            offsets.windows(2).map(|pair| pair.iter().rev().copied().reduce(|a, b| a - b).unwrap_or(0)).collect();
        Ok(Arc::new(Int32Array::new(lengths.into(), array.logical_nulls())))
    })
}

/// `sort_array` puts NULLs first ascending and last descending, `array_sort` always last.
fn sort(call: Call, nulls_first: bool) -> Bound {
    let call = list(call, 0)?;
    if !is_orderable(&call.type_of(0)) {
        return call.wrong(0, "an ARRAY of a type with an order");
    }
    rebuild_with(call, move |args, row, items, range, picks| {
        let ascending = match args.len() {
            2 => args.boolean(1)?.get(row),
            _ => Some(true),
        };
        let Some(ascending) = ascending else { return Ok(false) };
        let options = SortOptions { descending: !ascending, nulls_first: nulls_first && ascending };
        let compare = make_comparator(items, items, options)?;
        let mut sorted: Vec<usize> = range.collect();
        sorted.sort_by(|left, right| compare(*left, *right));
        picks.append(&mut sorted);
        Ok(true)
    })
}

fn extreme(call: Call, wanted: Ordering) -> Bound {
    let call = list(call.arity(1, 1)?, 0)?;
    if !is_orderable(&call.type_of(0)) {
        return call.wrong(0, "an ARRAY of a type with an order");
    }
    let to = element(&call, 0);
    call.gives_nullable(to, true, move |args| {
        let lists = lists(args, 0)?;
        let items = lists.items();
        let compare = make_comparator(items, items, SortOptions::default())?;
        let best = |row: usize| -> Option<u32> {
            let valid = lists.range(row)?.filter(|at| items.is_valid(*at));
            let best = valid.reduce(|best, at| if compare(at, best) == wanted { at } else { best })?;
            u32::try_from(best).ok()
        };
        Ok(take(items, &(0..args.rows()).map(best).collect::<UInt32Array>(), None)?)
    })
}

/// `slice(array, start, length)`: from 1, or from the end for a negative start.
fn slice(call: Call) -> Bound {
    let call = list(call.arity(3, 3)?.int(1)?.int(2)?, 0)?;
    rebuild_with(call, |args, row, _, range, picks| {
        let (starts, lengths) = (args.primitive::<types::Int32Type>(1)?, args.primitive::<types::Int32Type>(2)?);
        let (Some(start), Some(length)) = (starts.get(row), lengths.get(row)) else { return Ok(false) };
        if start == 0 {
            let message = "The start of `slice` counts from 1 (or from -1 at the end), so it cannot be 0.";
            return Err(Complaint::new("INVALID_PARAMETER_VALUE.START", "22023", message).into());
        }
        let Ok(length) = usize::try_from(length) else {
            let message = format!("The length of `slice` is {length}, but it cannot be negative.");
            return Err(Complaint::new("INVALID_PARAMETER_VALUE.LENGTH", "22023", message).into());
        };
        let distance = usize::try_from(start.unsigned_abs()).unwrap_or(usize::MAX);
        let skip = if start > 0 { Some(distance - 1) } else { range.len().checked_sub(distance) };
        if let Some(skip) = skip {
            picks.extend(range.skip(skip).take(length));
        }
        Ok(true)
    })
}

fn flatten(call: Call) -> Bound {
    let call = list(call.arity(1, 1)?, 0)?;
    let inner = element(&call, 0);
    if !matches!(inner, DataType::Array { .. }) {
        return call.wrong(0, "an ARRAY of ARRAY");
    }
    let to = SqlType::from(inner);
    let arrow = to.arrow();
    call.gives_nullable(to, true, move |args| {
        let outer = lists(args, 0)?;
        let inner = outer.items().as_list::<i32>();
        let offsets = inner.value_offsets();
        let bound = |at: usize| offsets.get(at).and_then(|offset| usize::try_from(*offset).ok()).unwrap_or(0);
        let (mut picks, mut lengths, mut valid) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..args.rows() {
            let before = picks.len();
            let range = outer.range(row).filter(|range| range.clone().all(|at| inner.is_valid(at)));
            valid.push(range.is_some());
            for at in range.into_iter().flatten() {
                picks.extend((bound(at)..bound(at + 1)).filter_map(|at| u32::try_from(at).ok()));
            }
            lengths.push(picks.len() - before);
        }
        let values = take(inner.values(), &UInt32Array::from(picks), None)?;
        assemble(&arrow, values, lengths, Some(NullBuffer::from(valid)))
    })
}

fn position(call: Call) -> Bound {
    let call = super::array_sets::with_element(list(call.arity(2, 2)?, 0)?)?;
    call.gives(DataType::Long, |args| {
        let lists = lists(args, 0)?;
        let wanted = args.array(1)?;
        let compare = make_comparator(lists.items(), &wanted, SortOptions::default())?;
        super::date::rows::<types::Int64Type>(args, |row| {
            let Some(mut range) = lists.range(row).filter(|_| wanted.is_valid(row)) else { return Ok(None) };
            let found = range.position(|at| lists.items().is_valid(at) && compare(at, row) == Ordering::Equal);
            Ok(Some(found.and_then(|at| i64::try_from(at + 1).ok()).unwrap_or(0)))
        })
    })
}

/// `reverse` on arrays.
pub(super) fn reverse(call: Call) -> Bound {
    rebuild(call.arity(1, 1)?, |_, range, picks| {
        picks.extend(range.rev());
        Ok(())
    })
}
