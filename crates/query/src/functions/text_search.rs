//! Lengths, positions and tests of text, and concatenation.

use super::call::{Bound, Call};
use super::text::build;
use super::udf::Args;
use arrow::array::{ArrayRef, BinaryBuilder, BooleanArray, Int32Array};
use arrow::datatypes as types;
use datafusion::common::Result as DfResult;
use delta::schema::DataType;
use std::sync::Arc;

pub(super) const NAMES: &[&str] = &[
    "length",
    "len",
    "char_length",
    "character_length",
    "octet_length",
    "bit_length",
    "ascii",
    "instr",
    "locate",
    "position",
    "charindex",
    "startswith",
    "endswith",
    "contains",
    "concat",
    "substring_index",
    "split_part",
    "find_in_set",
    "levenshtein",
];

pub(super) fn bind(call: Call) -> Bound {
    match call.name {
        "length" | "len" | "char_length" | "character_length" => length(call),
        "octet_length" | "bit_length" => {
            let factor = if call.name == "bit_length" { 8 } else { 1 };
            size(call.arity(1, 1)?.text_or_binary(0)?, factor)
        }
        "ascii" => int_of(call.arity(1, 1)?.text(0)?, |args, row| {
            let first = args.str(0)?.get(row).map(|text| text.chars().next().map_or(0, u32::from));
            Ok(first.and_then(|code| i32::try_from(code).ok()))
        }),
        "instr" => int_of(call.arity(2, 2)?.text(0)?.text(1)?, |args, row| {
            let both = args.str(0)?.get(row).zip(args.str(1)?.get(row));
            Ok(both.map(|(text, part)| position(text, part, 1)))
        }),
        "locate" | "position" | "charindex" => int_of(call.arity(2, 3)?.text(0)?.text(1)?.int(2)?, |args, row| {
            let both = args.str(0)?.get(row).zip(args.str(1)?.get(row));
            let start = match args.len() {
                3 => args.primitive::<types::Int32Type>(2)?.get(row),
                _ => Some(1),
            };
            Ok(both.map(|(part, text)| start.map_or(0, |start| position(text, part, start))))
        }),
        "startswith" => test(call, |text, part| text.starts_with(part)),
        "endswith" => test(call, |text, part| text.ends_with(part)),
        "contains" => test(call, |text, part| text.contains(part)),
        "substring_index" => substring_index(call),
        "split_part" => split_part(call),
        "find_in_set" => int_of(call.arity(2, 2)?.text(0)?.text(1)?, |args, row| {
            let both = args.str(0)?.get(row).zip(args.str(1)?.get(row));
            Ok(both.map(|(word, set)| {
                let at = set.split(',').position(|item| item == word);
                at.and_then(|at| i32::try_from(at + 1).ok()).unwrap_or(0)
            }))
        }),
        "levenshtein" => int_of(call.arity(2, 2)?.text(0)?.text(1)?, |args, row| {
            let both = args.str(0)?.get(row).zip(args.str(1)?.get(row));
            Ok(both.and_then(|(left, right)| i32::try_from(levenshtein(left, right)).ok()))
        }),
        _ => concat(call),
    }
}

fn int_of(call: Call, f: impl Fn(&Args, usize) -> DfResult<Option<i32>> + Send + Sync + 'static) -> Bound {
    call.gives(DataType::Int, move |args| {
        let values = (0..args.rows()).map(|row| f(args, row));
        Ok(Arc::new(values.collect::<DfResult<Int32Array>>()?))
    })
}

/// Characters of text, bytes of a binary value.
fn length(call: Call) -> Bound {
    let call = call.arity(1, 1)?.text_or_binary(0)?;
    if call.type_of(0).is(&DataType::Binary) {
        return size(call, 1);
    }
    int_of(call, |args, row| Ok(args.str(0)?.get(row).and_then(|text| i32::try_from(text.chars().count()).ok())))
}

fn size(call: Call, factor: usize) -> Bound {
    let binary = call.type_of(0).is(&DataType::Binary);
    call.gives_with(DataType::Int, true, factor.to_string(), move |args| {
        let size = |row: usize| -> DfResult<Option<i32>> {
            let bytes = match binary {
                true => args.binary(0)?.get(row).map(<[u8]>::len),
                false => args.str(0)?.get(row).map(str::len),
            };
            Ok(bytes.and_then(|bytes| i32::try_from(bytes * factor).ok()))
        };
        Ok(Arc::new((0..args.rows()).map(size).collect::<DfResult<Int32Array>>()?))
    })
}

fn test(call: Call, f: impl Fn(&str, &str) -> bool + Send + Sync + 'static) -> Bound {
    call.arity(2, 2)?.text(0)?.text(1)?.gives(DataType::Boolean, move |args| {
        let (texts, parts) = (args.str(0)?, args.str(1)?);
        let values = (0..args.rows()).map(|row| texts.get(row).zip(parts.get(row)).map(|(text, part)| f(text, part)));
        Ok(Arc::new(values.collect::<BooleanArray>()))
    })
}

/// Where `part` begins at or after character `start`, from 1; 0 where it does not occur.
fn position(text: &str, part: &str, start: i32) -> i32 {
    let Some(skip) = usize::try_from(start).ok().and_then(|start| start.checked_sub(1)) else { return 0 };
    let Some(from) = text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(skip) else { return 0 };
    let found = text.get(from..).and_then(|rest| Some((rest.find(part)?, rest)));
    let characters = found.and_then(|(at, rest)| rest.get(..at)).map(|before| before.chars().count());
    characters.and_then(|n| i32::try_from(skip + n + 1).ok()).unwrap_or(0)
}

fn substring_index(call: Call) -> Bound {
    call.arity(3, 3)?.text(0)?.text(1)?.int(2)?.gives(DataType::String, |args| {
        let (texts, separators) = (args.str(0)?, args.str(1)?);
        let counts = args.primitive::<types::Int32Type>(2)?;
        build(args, |row, out| {
            let (Some(text), Some(separator), Some(count)) = (texts.get(row), separators.get(row), counts.get(row))
            else {
                return Ok(false);
            };
            let nth = usize::try_from(count.unsigned_abs()).unwrap_or(0);
            if separator.is_empty() || nth == 0 {
                return Ok(true);
            }
            let part = match count > 0 {
                true => text.match_indices(separator).nth(nth - 1).and_then(|(at, _)| text.get(..at)),
                false => {
                    text.rmatch_indices(separator).nth(nth - 1).and_then(|(at, _)| text.get(at + separator.len()..))
                }
            };
            out.push_str(part.unwrap_or(text));
            Ok(true)
        })
    })
}

fn split_part(call: Call) -> Bound {
    call.arity(3, 3)?.text(0)?.text(1)?.int(2)?.gives(DataType::String, |args| {
        let (texts, separators) = (args.str(0)?, args.str(1)?);
        let indexes = args.primitive::<types::Int32Type>(2)?;
        build(args, |row, out| {
            let (Some(text), Some(separator), Some(index)) = (texts.get(row), separators.get(row), indexes.get(row))
            else {
                return Ok(false);
            };
            let nth = usize::try_from(index.unsigned_abs()).unwrap_or(0);
            if nth == 0 {
                return Err(super::elements::index_of_zero().into());
            }
            if separator.is_empty() {
                out.push_str(if nth == 1 { text } else { "" });
            } else if index > 0 {
                out.push_str(text.split(separator).nth(nth - 1).unwrap_or(""));
            } else {
                out.push_str(text.rsplit(separator).nth(nth - 1).unwrap_or(""));
            }
            Ok(true)
        })
    })
}

fn levenshtein(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (idx, a) in left.chars().enumerate() {
        let mut diagonal = idx;
        let mut before = idx + 1;
        if let Some(first) = row.first_mut() {
            *first = before;
        }
        for (cell, b) in row.iter_mut().skip(1).zip(&right) {
            let cost = diagonal + usize::from(a != *b);
            diagonal = *cell;
            before = cost.min(before + 1).min(*cell + 1);
            *cell = before;
        }
    }
    row.last().copied().unwrap_or(0)
}

/// Text, binary values or arrays; NULL where any part is.
fn concat(call: Call) -> Bound {
    let n_args = call.args.len();
    if (0..n_args).any(|idx| matches!(call.type_of(idx).column(), Some(DataType::Array { .. }))) {
        return super::array_make::concat(call);
    }
    if n_args > 0 && (0..n_args).all(|idx| call.type_of(idx).is(&DataType::Binary)) {
        return call.gives(DataType::Binary, |args| {
            let views = (0..args.len()).map(|idx| args.binary(idx)).collect::<DfResult<Vec<_>>>()?;
            let mut builder = BinaryBuilder::new();
            for row in 0..args.rows() {
                let parts: Option<Vec<&[u8]>> = views.iter().map(|view| view.get(row)).collect();
                builder.append_option(parts.map(|parts| parts.concat()));
            }
            Ok(Arc::new(builder.finish()) as ArrayRef)
        });
    }
    let mut call = call;
    for idx in 0..n_args {
        call = call.text(idx)?;
    }
    call.gives(DataType::String, |args| {
        let views = (0..args.len()).map(|idx| args.str(idx)).collect::<DfResult<Vec<_>>>()?;
        build(args, |row, out| {
            for view in &views {
                let Some(part) = view.get(row) else { return Ok(false) };
                out.push_str(part);
            }
            Ok(true)
        })
    })
}
