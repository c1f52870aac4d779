//! Access to elements: `array[i]`, `map[k]`, `element_at`, `get`.

use super::array::lists;
use super::call::{Bound, Call};
use super::udf::{Args, View};
use crate::cast::{self, Mode};
use crate::error::Complaint;
use crate::ops::wrong_input;
use crate::session::Session;
use crate::typed::{SqlType, Typed};
use arrow::array::{Array, ArrayRef, AsArray, MapArray, UInt32Array, make_comparator};
use arrow::compute::{SortOptions, take};
use arrow::datatypes as types;
use datafusion::common::Result as DfResult;
use delta::schema::DataType;
use std::cmp::Ordering;

pub(super) const NAMES: &[&str] = &["element_at", "try_element_at", "get"];

/// What an index beyond the array gives, and where counting starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beyond {
    /// `array[i]` from 0: `INVALID_ARRAY_INDEX`.
    Subscript,
    /// `element_at(array, i)` from 1 or -1: `INVALID_ARRAY_INDEX_IN_ELEMENT_AT`.
    ElementAt,
    /// `get(array, i)` from 0: NULL.
    Get,
    /// `try_element_at(array, i)`: NULL.
    Try,
}

pub(super) fn bind(call: Call) -> Bound {
    let beyond = match call.name {
        "get" => Beyond::Get,
        "try_element_at" => Beyond::Try,
        _ => Beyond::ElementAt,
    };
    let call = call.arity(2, 2)?;
    match call.type_of(0).column() {
        Some(DataType::Map { .. }) if beyond != Beyond::Get => of_map(call),
        Some(DataType::Array { .. }) => of_array(call, beyond),
        _ => call.wrong(0, "ARRAY or MAP"),
    }
}

/// `value[index]`: an array element counted from 0, or the value of a map's key.
///
/// # Errors
/// `INVALID_EXTRACT_BASE_FIELD_TYPE` where the value is neither; an index beyond the array fails when it is computed.
pub(crate) fn index(session: &Session, args: Vec<Typed>) -> Result<Typed, Complaint> {
    let call = Call { session, name: "element", args }.arity(2, 2)?;
    match call.type_of(0).column() {
        Some(DataType::Map { .. }) => of_map(call),
        Some(DataType::Array { .. }) => of_array(call, Beyond::Subscript),
        _ => {
            let message = format!("`[…]` needs an array or a map, but the value is {}.", call.type_of(0).spark_name());
            Err(Complaint::new("INVALID_EXTRACT_BASE_FIELD_TYPE", "42000", message))
        }
    }
}

/// The value of a key that has the map's key type already, as in `map.key`; NULL where there is none.
///
/// # Errors
/// A key of another type.
pub(crate) fn map_value(map: Typed, key: Typed) -> Result<Typed, Complaint> {
    let SqlType::Column(DataType::Map { key: key_type, value, .. }) = &map.data_type else {
        return Err(wrong_input("element", 1, "MAP", &map.data_type));
    };
    if !key.data_type.is(key_type) {
        return Err(wrong_input("element", 2, &SqlType::from(key_type.as_ref().clone()).spark_name(), &key.data_type));
    }
    let to = SqlType::from(value.as_ref().clone());
    let gives = super::udf::Gives { data_type: to.arrow(), nullable: true };
    Ok(Typed::new(super::udf::call("map_value", "", gives, vec![map.expr, key.expr], look_up), to, true))
}

fn of_map(call: Call) -> Bound {
    let session = call.session;
    let [map, key] = call.take()?;
    let SqlType::Column(DataType::Map { key: key_type, .. }) = &map.data_type else {
        return Err(Complaint::internal("the map was checked"));
    };
    let key_type = SqlType::from(key_type.as_ref().clone());
    if !super::call::casts_implicitly(&key.data_type, &key_type) {
        return Err(wrong_input("element_at", 2, &key_type.spark_name(), &key.data_type));
    }
    let key = cast::cast(session, key, &key_type, Mode::Ansi)?;
    map_value(map, key)
}

fn look_up(args: &Args) -> DfResult<ArrayRef> {
    let maps: View<'_, MapArray> = args.view(0, |array| array.as_map_opt())?;
    let keys = args.array(1)?;
    let map = maps.inner();
    let compare = make_comparator(map.keys(), &keys, SortOptions::default())?;
    let offsets = map.value_offsets();
    let bound = |at: usize| offsets.get(at).and_then(|offset| usize::try_from(*offset).ok()).unwrap_or(0);
    let find = |row: usize| -> Option<u32> {
        let at = maps.at(row);
        if map.is_null(at) || keys.is_null(row) {
            return None;
        }
        let found = (bound(at)..bound(at + 1)).find(|entry| compare(*entry, row) == Ordering::Equal);
        found.and_then(|entry| u32::try_from(entry).ok())
    };
    Ok(take(map.values(), &(0..args.rows()).map(find).collect::<UInt32Array>(), None)?)
}

fn of_array(call: Call, beyond: Beyond) -> Bound {
    if !call.type_of(1).is_integral() && !call.type_of(1).is_string() && !call.type_of(1).is_void() {
        return call.wrong(1, "INTEGRAL");
    }
    let to = super::array::element(&call, 0);
    let call = call.implicit(1, DataType::Long)?;
    call.gives_with(to, true, format!("{beyond:?}"), move |args| {
        let lists = lists(args, 0)?;
        let indexes = args.primitive::<types::Int64Type>(1)?;
        let pick = |row: usize| -> DfResult<Option<u32>> {
            let Some((range, index)) = lists.range(row).zip(indexes.get(row)) else { return Ok(None) };
            let size = i64::try_from(range.len()).unwrap_or(i64::MAX);
            let at = match beyond {
                Beyond::Subscript | Beyond::Get => index,
                Beyond::ElementAt | Beyond::Try => match index {
                    0 => return Err(index_of_zero().into()),
                    1.. => index - 1,
                    _ => size + index,
                },
            };
            if (0..size).contains(&at) {
                let at = usize::try_from(at).ok().map(|at| range.start + at);
                return Ok(at.and_then(|at| u32::try_from(at).ok()));
            }
            match beyond {
                Beyond::Get | Beyond::Try => Ok(None),
                Beyond::Subscript => Err(beyond_array("INVALID_ARRAY_INDEX", index, size, "`get`").into()),
                Beyond::ElementAt => {
                    Err(beyond_array("INVALID_ARRAY_INDEX_IN_ELEMENT_AT", index, size, "`try_element_at`").into())
                }
            }
        };
        let picks = (0..args.rows()).map(pick).collect::<DfResult<UInt32Array>>()?;
        Ok(take(lists.items(), &picks, None)?)
    })
}

fn beyond_array(condition: &str, index: i64, size: i64, instead: &str) -> Complaint {
    let message = format!("The index {index} is out of bounds: the array has {size} elements.");
    Complaint::new(condition, "22003", message).with_hint(format!("{instead} gives NULL instead."))
}

/// An index that counts from 1 is 0.
pub(super) fn index_of_zero() -> Complaint {
    Complaint::new("INVALID_INDEX_OF_ZERO", "22003", "The index is 0, but it counts from 1 (or from -1 at the end).")
}
