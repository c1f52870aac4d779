//! Functions that make arrays from elements or from other arrays, and `array_join`.

use super::array::{assemble, list, lists};
use super::call::{Bound, Call};
use super::text::build;
use crate::error::Complaint;
use crate::typed::SqlType;
use arrow::array::{Array, AsArray, UInt32Array, new_empty_array};
use arrow::buffer::NullBuffer;
use arrow::compute::{interleave, take};
use arrow::datatypes as types;
use arrow::datatypes::DataType as ArrowType;
use datafusion::common::Result as DfResult;
use delta::schema::DataType;

pub(super) const NAMES: &[&str] = &["array", "array_join", "array_repeat", "array_append", "array_prepend"];

pub(super) fn bind(call: Call) -> Bound {
    match call.name {
        "array_join" => join(call),
        "array_repeat" => repeat(call),
        "array_append" => extend(call, false),
        "array_prepend" => extend(call, true),
        _ => make(call),
    }
}

/// Elements one after the other, in their common type.
fn make(call: Call) -> Bound {
    let (call, common) = match call.args.is_empty() {
        true => (call, SqlType::Column(DataType::Void)),
        false => call.common(0)?,
    };
    let Some(element) = common.column().cloned() else {
        return Err(Complaint::unsupported("An array of intervals"));
    };
    let contains_null = call.args.iter().any(|arg| arg.nullable);
    let to = SqlType::from(DataType::Array { element: Box::new(element), contains_null });
    let arrow = to.arrow();
    call.gives_nullable(to, false, move |args| {
        let arrays = (0..args.len()).map(|idx| args.array(idx)).collect::<DfResult<Vec<_>>>()?;
        let refs: Vec<&dyn Array> = arrays.iter().map(AsRef::as_ref).collect();
        let picks: Vec<(usize, usize)> =
            (0..args.rows()).flat_map(|row| (0..args.len()).map(move |idx| (idx, row))).collect();
        let values = if refs.is_empty() { new_empty_array(&ArrowType::Null) } else { interleave(&refs, &picks)? };
        assemble(&arrow, values, std::iter::repeat_n(args.len(), args.rows()), None)
    })
}

/// NULL elements are skipped, unless a third argument stands for them.
fn join(call: Call) -> Bound {
    let texts = DataType::Array { element: Box::new(DataType::String), contains_null: true };
    let call = list(call.arity(2, 3)?, 0)?.implicit(0, texts)?.text(1)?.text(2)?;
    call.gives(DataType::String, |args| {
        let (lists, separators) = (lists(args, 0)?, args.str(1)?);
        let items = lists.items().as_string::<i32>();
        let stand_ins = (args.len() == 3).then(|| args.str(2)).transpose()?;
        build(args, |row, out| {
            let (Some(range), Some(separator)) = (lists.range(row), separators.get(row)) else { return Ok(false) };
            let stand_in = stand_ins.as_ref().and_then(|stand_ins| stand_ins.get(row));
            let parts = range.filter_map(|at| if items.is_valid(at) { Some(items.value(at)) } else { stand_in });
            for (idx, part) in parts.enumerate() {
                if idx > 0 {
                    out.push_str(separator);
                }
                out.push_str(part);
            }
            Ok(true)
        })
    })
}

fn repeat(call: Call) -> Bound {
    let call = call.arity(2, 2)?.int(1)?;
    let Some(item) = call.type_of(0).column().cloned() else {
        return Err(Complaint::unsupported("An array of intervals"));
    };
    let contains_null = call.args.first().is_some_and(|arg| arg.nullable);
    let nullable = call.args.get(1).is_some_and(|arg| arg.nullable);
    let to = SqlType::from(DataType::Array { element: Box::new(item), contains_null });
    let arrow = to.arrow();
    call.gives_nullable(to, nullable, move |args| {
        let (items, counts) = (args.array(0)?, args.primitive::<types::Int32Type>(1)?);
        let length = |row: usize| counts.get(row).and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
        let picks = (0..args.rows()).flat_map(|row| std::iter::repeat_n(u32::try_from(row).ok(), length(row)));
        let values = take(&items, &picks.collect::<UInt32Array>(), None)?;
        let valid: Vec<bool> = (0..args.rows()).map(|row| counts.get(row).is_some()).collect();
        assemble(&arrow, values, (0..args.rows()).map(length), Some(NullBuffer::from(valid)))
    })
}

/// The array with one more element, as a concatenation.
fn extend(call: Call, front: bool) -> Bound {
    let call = list(call.arity(2, 2)?, 0)?;
    let session = call.session;
    let [array, item] = call.take()?;
    let one = make(Call { session, name: "array", args: vec![item] })?;
    let args = if front { vec![one, array] } else { vec![array, one] };
    concat(Call { session, name: "concat", args })
}

/// Arrays one after the other.
pub(super) fn concat(call: Call) -> Bound {
    let (call, common) = call.common(0)?;
    let arrow = common.arrow();
    call.gives(common, move |args| {
        let views = (0..args.len()).map(|idx| lists(args, idx)).collect::<DfResult<Vec<_>>>()?;
        let refs: Vec<&dyn Array> = views.iter().map(|view| view.items().as_ref()).collect();
        let (mut picks, mut lengths, mut valid) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..args.rows() {
            let before = picks.len();
            let ranges: Option<Vec<_>> = views.iter().map(|view| view.range(row)).collect();
            valid.push(ranges.is_some());
            for (idx, range) in ranges.into_iter().flatten().enumerate() {
                picks.extend(range.map(|at| (idx, at)));
            }
            lengths.push(picks.len() - before);
        }
        assemble(&arrow, interleave(&refs, &picks)?, lengths, Some(NullBuffer::from(valid)))
    })
}
