//! Functions that make text from text.

use super::call::{Bound, Call};
use super::udf::Args;
use arrow::array::{Array, ArrayRef, AsArray, BinaryBuilder, ListArray, StringBuilder};
use arrow::datatypes as types;
use datafusion::common::Result as DfResult;
use delta::schema::DataType;
use std::sync::Arc;

pub(super) const NAMES: &[&str] = &[
    "upper",
    "ucase",
    "lower",
    "lcase",
    "trim",
    "ltrim",
    "rtrim",
    "btrim",
    "lpad",
    "rpad",
    "repeat",
    "replace",
    "translate",
    "initcap",
    "reverse",
    "substring",
    "substr",
    "left",
    "right",
    "concat_ws",
    "space",
    "chr",
    "char",
    "overlay",
];

pub(super) fn bind(call: Call) -> Bound {
    match call.name {
        "upper" | "ucase" => each(call, |text, out| out.push_str(&text.to_uppercase())),
        "lower" | "lcase" => each(call, |text, out| out.push_str(&text.to_lowercase())),
        "initcap" => each(call, initcap),
        "reverse" if matches!(call.type_of(0).column(), Some(DataType::Array { .. })) => super::array::reverse(call),
        "reverse" => each(call, |text, out| out.extend(text.chars().rev())),
        "trim" => trim(call, true, true, false),
        "ltrim" => trim(call, true, false, false),
        "rtrim" => trim(call, false, true, false),
        "btrim" => trim(call, true, true, true),
        "lpad" => pad(call, true),
        "rpad" => pad(call, false),
        "repeat" => call.arity(2, 2)?.text(0)?.int(1)?.gives(DataType::String, |args| {
            let (texts, counts) = (args.str(0)?, args.primitive::<types::Int32Type>(1)?);
            build(args, |row, out| {
                let (Some(text), Some(count)) = (texts.get(row), counts.get(row)) else { return Ok(false) };
                out.extend(std::iter::repeat_n(text, usize::try_from(count).unwrap_or(0)));
                Ok(true)
            })
        }),
        "space" => call.arity(1, 1)?.int(0)?.gives(DataType::String, |args| {
            let counts = args.primitive::<types::Int32Type>(0)?;
            build(args, |row, out| {
                let Some(count) = counts.get(row) else { return Ok(false) };
                out.extend(std::iter::repeat_n(' ', usize::try_from(count).unwrap_or(0)));
                Ok(true)
            })
        }),
        "chr" | "char" => call.arity(1, 1)?.implicit(0, DataType::Long)?.gives(DataType::String, |args| {
            let codes = args.primitive::<types::Int64Type>(0)?;
            build(args, |row, out| {
                let Some(code) = codes.get(row) else { return Ok(false) };
                if code >= 0 {
                    out.extend(u8::try_from(code % 256).ok().map(char::from));
                }
                Ok(true)
            })
        }),
        "replace" => replace(call),
        "translate" => call.arity(3, 3)?.text(0)?.text(1)?.text(2)?.gives(DataType::String, |args| {
            let (texts, from, to) = (args.str(0)?, args.str(1)?, args.str(2)?);
            build(args, |row, out| {
                let (Some(text), Some(from), Some(to)) = (texts.get(row), from.get(row), to.get(row)) else {
                    return Ok(false);
                };
                for c in text.chars() {
                    match from.chars().position(|known| known == c) {
                        Some(at) => out.extend(to.chars().nth(at)),
                        None => out.push(c),
                    }
                }
                Ok(true)
            })
        }),
        "overlay" => overlay(call),
        "concat_ws" => concat_ws(call),
        "left" => edge(call, true),
        "right" => edge(call, false),
        _ => substring(call),
    }
}

/// Builds one text per row; the closure says whether the row has one.
pub(super) fn build(args: &Args, mut f: impl FnMut(usize, &mut String) -> DfResult<bool>) -> DfResult<ArrayRef> {
    let mut builder = StringBuilder::with_capacity(args.rows(), args.rows() * 8);
    let mut text = String::new();
    for row in 0..args.rows() {
        text.clear();
        match f(row, &mut text)? {
            true => builder.append_value(&text),
            false => builder.append_null(),
        }
    }
    Ok(Arc::new(builder.finish()))
}

fn each(call: Call, f: impl Fn(&str, &mut String) + Send + Sync + 'static) -> Bound {
    call.arity(1, 1)?.text(0)?.gives(DataType::String, move |args| {
        let texts = args.str(0)?;
        build(args, |row, out| {
            let Some(text) = texts.get(row) else { return Ok(false) };
            f(text, out);
            Ok(true)
        })
    })
}

/// Words are what stands between blanks.
fn initcap(text: &str, out: &mut String) {
    let mut starts = true;
    for c in text.chars() {
        if starts {
            out.extend(c.to_uppercase());
        } else {
            out.extend(c.to_lowercase());
        }
        starts = c == ' ';
    }
}

/// With two arguments the set of characters comes first, as in `TRIM(BOTH chars FROM text)`; `btrim` has it last.
fn trim(call: Call, start: bool, end: bool, set_last: bool) -> Bound {
    let call = call.arity(1, 2)?.text(0)?.text(1)?;
    call.gives(DataType::String, move |args| {
        let two = args.len() == 2;
        let texts = args.str(usize::from(two && !set_last))?;
        let sets = two.then(|| args.str(usize::from(set_last))).transpose()?;
        build(args, |row, out| {
            let set = match &sets {
                Some(sets) => sets.get(row),
                None => Some(" "),
            };
            let (Some(mut text), Some(set)) = (texts.get(row), set) else { return Ok(false) };
            if start {
                text = text.trim_start_matches(|c| set.contains(c));
            }
            if end {
                text = text.trim_end_matches(|c| set.contains(c));
            }
            out.push_str(text);
            Ok(true)
        })
    })
}

fn pad(call: Call, start: bool) -> Bound {
    let call = call.arity(2, 3)?.text(0)?.int(1)?.text(2)?;
    call.gives(DataType::String, move |args| {
        let (texts, lengths) = (args.str(0)?, args.primitive::<types::Int32Type>(1)?);
        let pads = (args.len() == 3).then(|| args.str(2)).transpose()?;
        build(args, |row, out| {
            let pad = match &pads {
                Some(pads) => pads.get(row),
                None => Some(" "),
            };
            let (Some(text), Some(length), Some(pad)) = (texts.get(row), lengths.get(row), pad) else {
                return Ok(false);
            };
            let length = usize::try_from(length).unwrap_or(0);
            let missing = length.saturating_sub(text.chars().count());
            let filling = pad.chars().cycle().take(if pad.is_empty() { 0 } else { missing });
            if start {
                out.extend(filling.chain(text.chars()).take(length));
            } else {
                out.extend(text.chars().chain(filling).take(length));
            }
            Ok(true)
        })
    })
}

fn replace(call: Call) -> Bound {
    call.arity(2, 3)?.text(0)?.text(1)?.text(2)?.gives(DataType::String, |args| {
        let (texts, searches) = (args.str(0)?, args.str(1)?);
        let replacements = (args.len() == 3).then(|| args.str(2)).transpose()?;
        build(args, |row, out| {
            let replacement = match &replacements {
                Some(replacements) => replacements.get(row),
                None => Some(""),
            };
            let (Some(text), Some(search), Some(replacement)) = (texts.get(row), searches.get(row), replacement) else {
                return Ok(false);
            };
            if search.is_empty() {
                out.push_str(text);
            } else {
                out.push_str(&text.replace(search, replacement));
            }
            Ok(true)
        })
    })
}

fn overlay(call: Call) -> Bound {
    call.arity(3, 4)?.text(0)?.text(1)?.int(2)?.int(3)?.gives(DataType::String, |args| {
        let (texts, inserts) = (args.str(0)?, args.str(1)?);
        let starts = args.primitive::<types::Int32Type>(2)?;
        let lengths = (args.len() == 4).then(|| args.primitive::<types::Int32Type>(3)).transpose()?;
        build(args, |row, out| {
            let (Some(text), Some(insert), Some(start)) = (texts.get(row), inserts.get(row), starts.get(row)) else {
                return Ok(false);
            };
            let length = match &lengths {
                Some(lengths) => lengths.get(row),
                None => Some(-1),
            };
            let Some(length) = length else { return Ok(false) };
            let keep = usize::try_from(start.saturating_sub(1)).unwrap_or(0);
            let length = usize::try_from(length).unwrap_or_else(|_| insert.chars().count());
            out.extend(text.chars().take(keep));
            out.push_str(insert);
            out.extend(text.chars().skip(keep.saturating_add(length)));
            Ok(true)
        })
    })
}

/// Positions count from 1; 0 acts as 1 and negative ones count from the end.
fn substring(call: Call) -> Bound {
    let call = call.arity(2, 3)?.text_or_binary(0)?.int(1)?.int(2)?;
    let data_type = call.type_of(0);
    let binary = data_type.is(&DataType::Binary);
    call.gives(data_type, move |args| {
        let starts = args.primitive::<types::Int32Type>(1)?;
        let lengths = (args.len() == 3).then(|| args.primitive::<types::Int32Type>(2)).transpose()?;
        let range = |row: usize, size: usize| -> Option<(usize, usize)> {
            let length = match &lengths {
                Some(lengths) => lengths.get(row)?,
                None => i32::MAX,
            };
            Some(window(starts.get(row)?, length, size))
        };
        if binary {
            let values = args.binary(0)?;
            let mut builder = BinaryBuilder::new();
            for row in 0..args.rows() {
                let part = values.get(row).and_then(|value| {
                    let (start, end) = range(row, value.len())?;
                    value.get(start..end)
                });
                builder.append_option(part);
            }
            return Ok(Arc::new(builder.finish()) as ArrayRef);
        }
        let texts = args.str(0)?;
        build(args, |row, out| {
            let Some(text) = texts.get(row) else { return Ok(false) };
            let Some((start, end)) = range(row, text.chars().count()) else { return Ok(false) };
            out.extend(text.chars().skip(start).take(end - start));
            Ok(true)
        })
    })
}

/// The half-open range of a substring of something `size` long.
fn window(start: i32, length: i32, size: usize) -> (usize, usize) {
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    let start = match i64::from(start) {
        start if start > 0 => start - 1,
        start if start < 0 => size + start,
        _ => 0,
    };
    let end = start + i64::from(length.max(0));
    let clamp = |at: i64| usize::try_from(at.clamp(0, size)).unwrap_or(0);
    (clamp(start), clamp(end).max(clamp(start)))
}

fn edge(call: Call, start: bool) -> Bound {
    call.arity(2, 2)?.text(0)?.int(1)?.gives(DataType::String, move |args| {
        let (texts, lengths) = (args.str(0)?, args.primitive::<types::Int32Type>(1)?);
        build(args, |row, out| {
            let (Some(text), Some(length)) = (texts.get(row), lengths.get(row)) else { return Ok(false) };
            let length = usize::try_from(length).unwrap_or(0);
            let skip = if start { 0 } else { text.chars().count().saturating_sub(length) };
            out.extend(text.chars().skip(skip).take(length));
            Ok(true)
        })
    })
}

/// NULLs are skipped and arrays flattened; a NULL separator gives NULL.
fn concat_ws(call: Call) -> Bound {
    let n_args = call.args.len();
    let mut call = call.arity(1, usize::MAX)?.text(0)?;
    for idx in 1..n_args {
        call = match call.type_of(idx).column() {
            Some(DataType::Array { .. }) => {
                let texts = DataType::Array { element: Box::new(DataType::String), contains_null: true };
                call.implicit(idx, texts)?
            }
            _ => call.text(idx)?,
        };
    }
    let nullable = call.args.first().is_some_and(|separator| separator.nullable);
    call.gives_nullable(DataType::String, nullable, |args| {
        let separators = args.str(0)?;
        build(args, |row, out| {
            let Some(separator) = separators.get(row) else { return Ok(false) };
            let mut first = true;
            let mut push = |part: &str| {
                if !first {
                    out.push_str(separator);
                }
                first = false;
                out.push_str(part);
            };
            for idx in 1..args.len() {
                let list = args.view::<ListArray>(idx, |array| array.as_list_opt::<i32>());
                match list {
                    Ok(list) if list.inner().is_valid(list.at(row)) => {
                        let items = list.inner().value(list.at(row));
                        items.as_string::<i32>().iter().flatten().for_each(&mut push);
                    }
                    Ok(_) => {}
                    Err(_) => args.str(idx)?.get(row).into_iter().for_each(&mut push),
                }
            }
            Ok(true)
        })
    })
}
