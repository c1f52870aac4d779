//! Functions that take a regular expression.
//!
//! Patterns are Java's as far as the `regex` crate has them; look-around and back references are refused.

use super::call::{Bound, Call};
use super::text::build;
use crate::error::Complaint;
use arrow::array::{ArrayRef, BooleanArray, Int32Array, ListBuilder, StringBuilder};
use arrow::datatypes as types;
use arrow::datatypes::{DataType as ArrowType, Field};
use datafusion::common::Result as DfResult;
use delta::schema::DataType;
use regex::Regex;
use std::sync::Arc;

pub(super) const NAMES: &[&str] = &[
    "rlike",
    "regexp",
    "regexp_like",
    "regexp_replace",
    "regexp_extract",
    "regexp_extract_all",
    "regexp_count",
    "regexp_substr",
    "regexp_instr",
    "split",
];

pub(super) fn bind(call: Call) -> Bound {
    match call.name {
        "regexp_replace" => replace(call),
        "regexp_extract" => extract(call),
        "regexp_extract_all" => extract_all(call),
        "regexp_count" => call.arity(2, 2)?.text(0)?.text(1)?.gives(DataType::Int, |args| {
            let (texts, patterns) = (args.str(0)?, args.str(1)?);
            let mut cache = Cache::default();
            let values = (0..args.rows()).map(|row| {
                let Some((text, pattern)) = texts.get(row).zip(patterns.get(row)) else { return Ok(None) };
                Ok(i32::try_from(cache.get(pattern)?.find_iter(text).count()).ok())
            });
            Ok(Arc::new(values.collect::<DfResult<Int32Array>>()?))
        }),
        "regexp_instr" => call.arity(2, 2)?.text(0)?.text(1)?.gives(DataType::Int, |args| {
            let (texts, patterns) = (args.str(0)?, args.str(1)?);
            let mut cache = Cache::default();
            let values = (0..args.rows()).map(|row| {
                let Some((text, pattern)) = texts.get(row).zip(patterns.get(row)) else { return Ok(None) };
                let found = cache.get(pattern)?.find(text);
                let at =
                    found.and_then(|found| text.get(..found.start())).map_or(0, |before| before.chars().count() + 1);
                Ok(i32::try_from(at).ok())
            });
            Ok(Arc::new(values.collect::<DfResult<Int32Array>>()?))
        }),
        "regexp_substr" => call.arity(2, 2)?.text(0)?.text(1)?.gives_nullable(DataType::String, true, |args| {
            let (texts, patterns) = (args.str(0)?, args.str(1)?);
            let mut cache = Cache::default();
            build(args, |row, out| {
                let Some((text, pattern)) = texts.get(row).zip(patterns.get(row)) else { return Ok(false) };
                let found = cache.get(pattern)?.find(text);
                out.push_str(found.map_or("", |found| found.as_str()));
                Ok(found.is_some())
            })
        }),
        "split" => split(call),
        _ => call.arity(2, 2)?.text(0)?.text(1)?.gives(DataType::Boolean, |args| {
            let (texts, patterns) = (args.str(0)?, args.str(1)?);
            let mut cache = Cache::default();
            let values = (0..args.rows()).map(|row| {
                let Some((text, pattern)) = texts.get(row).zip(patterns.get(row)) else { return Ok(None) };
                Ok(Some(cache.get(pattern)?.is_match(text)))
            });
            Ok(Arc::new(values.collect::<DfResult<BooleanArray>>()?))
        }),
    }
}

/// The last pattern, compiled: it is nearly always a constant.
#[derive(Default)]
struct Cache {
    last: Option<(String, Regex)>,
}

impl Cache {
    fn get(&mut self, pattern: &str) -> DfResult<&Regex> {
        let known = self.last.as_ref().is_some_and(|(last, _)| last == pattern);
        if !known {
            self.last = Some((pattern.to_owned(), compile(pattern)?));
        }
        match &self.last {
            Some((_, regex)) => Ok(regex),
            None => Err(Complaint::internal("the pattern was just compiled").into()),
        }
    }
}

fn compile(pattern: &str) -> Result<Regex, Complaint> {
    Regex::new(pattern).map_err(|_| {
        let message = format!("`{pattern}` is no regular expression that can be used here.");
        Complaint::new("INVALID_PARAMETER_VALUE.PATTERN", "22023", message)
            .with_hint("Look-around and back references are not supported.")
    })
}

/// Java's replacement text (`$1`, `\$`) in the form of the `regex` crate.
fn replacement(java: &str) -> String {
    let mut result = String::with_capacity(java.len());
    let mut chars = java.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('$') => result.push_str("$$"),
                Some(other) => result.push(other),
                None => {}
            },
            '$' => {
                let mut group = String::new();
                while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                    group.push(digit);
                }
                result.push_str(&if group.is_empty() { "$$".to_owned() } else { format!("${{{group}}}") });
            }
            other => result.push(other),
        }
    }
    result
}

fn replace(call: Call) -> Bound {
    call.arity(3, 4)?.text(0)?.text(1)?.text(2)?.int(3)?.gives(DataType::String, |args| {
        let (texts, patterns, replacements) = (args.str(0)?, args.str(1)?, args.str(2)?);
        let positions = (args.len() == 4).then(|| args.primitive::<types::Int32Type>(3)).transpose()?;
        let mut cache = Cache::default();
        build(args, |row, out| {
            let (Some(text), Some(pattern), Some(java)) = (texts.get(row), patterns.get(row), replacements.get(row))
            else {
                return Ok(false);
            };
            let start = match &positions {
                Some(positions) => positions.get(row),
                None => Some(1),
            };
            let Some(start) = start else { return Ok(false) };
            let skip = usize::try_from(start - 1).unwrap_or(0);
            let from = text.char_indices().nth(skip).map_or(text.len(), |(at, _)| at);
            let (kept, rest) = text.split_at(from);
            out.push_str(kept);
            out.push_str(&cache.get(pattern)?.replace_all(rest, replacement(java).as_str()));
            Ok(true)
        })
    })
}

/// The group that a call asks for; the first by default.
fn group_index(group: Option<i32>, regex: &Regex) -> Result<usize, Complaint> {
    let n_groups = regex.captures_len() - 1;
    let wanted = group.and_then(|group| usize::try_from(group).ok()).filter(|group| *group <= n_groups);
    wanted.ok_or_else(|| {
        let message = format!("The pattern has {n_groups} groups, so there is no group {}.", group.unwrap_or(-1));
        Complaint::new("INVALID_PARAMETER_VALUE.REGEX_GROUP_INDEX", "22023", message)
    })
}

fn extract(call: Call) -> Bound {
    call.arity(2, 3)?.text(0)?.text(1)?.int(2)?.gives(DataType::String, |args| {
        let (texts, patterns) = (args.str(0)?, args.str(1)?);
        let groups = (args.len() == 3).then(|| args.primitive::<types::Int32Type>(2)).transpose()?;
        let mut cache = Cache::default();
        build(args, |row, out| {
            let Some((text, pattern)) = texts.get(row).zip(patterns.get(row)) else { return Ok(false) };
            let regex = cache.get(pattern)?;
            let group = group_index(groups.as_ref().map_or(Some(1), |groups| groups.get(row)), regex)?;
            let found = regex.captures(text).and_then(|captures| captures.get(group));
            out.push_str(found.map_or("", |found| found.as_str()));
            Ok(true)
        })
    })
}

fn text_list(non_null: bool) -> ListBuilder<StringBuilder> {
    ListBuilder::new(StringBuilder::new()).with_field(Field::new("element", ArrowType::Utf8, !non_null))
}

fn text_array(contains_null: bool) -> DataType {
    DataType::Array { element: Box::new(DataType::String), contains_null }
}

fn extract_all(call: Call) -> Bound {
    call.arity(2, 3)?.text(0)?.text(1)?.int(2)?.gives(text_array(true), |args| {
        let (texts, patterns) = (args.str(0)?, args.str(1)?);
        let groups = (args.len() == 3).then(|| args.primitive::<types::Int32Type>(2)).transpose()?;
        let mut cache = Cache::default();
        let mut builder = text_list(false);
        for row in 0..args.rows() {
            let Some((text, pattern)) = texts.get(row).zip(patterns.get(row)) else {
                builder.append_null();
                continue;
            };
            let regex = cache.get(pattern)?;
            let group = group_index(groups.as_ref().map_or(Some(1), |groups| groups.get(row)), regex)?;
            for captures in regex.captures_iter(text) {
                builder.values().append_value(captures.get(group).map_or("", |found| found.as_str()));
            }
            builder.append(true);
        }
        Ok(Arc::new(builder.finish()) as ArrayRef)
    })
}

/// Empty parts are kept, also at the end; a positive limit bounds the number of parts.
fn split(call: Call) -> Bound {
    call.arity(2, 3)?.text(0)?.text(1)?.int(2)?.gives(text_array(false), |args| {
        let (texts, patterns) = (args.str(0)?, args.str(1)?);
        let limits = (args.len() == 3).then(|| args.primitive::<types::Int32Type>(2)).transpose()?;
        let mut cache = Cache::default();
        let mut builder = text_list(true);
        for row in 0..args.rows() {
            let limit = limits.as_ref().map_or(Some(-1), |limits| limits.get(row));
            let (Some((text, pattern)), Some(limit)) = (texts.get(row).zip(patterns.get(row)), limit) else {
                builder.append_null();
                continue;
            };
            let limit = usize::try_from(limit).ok().filter(|limit| *limit > 0).unwrap_or(usize::MAX);
            for part in parts(cache.get(pattern)?, text, limit) {
                builder.values().append_value(part);
            }
            builder.append(true);
        }
        Ok(Arc::new(builder.finish()) as ArrayRef)
    })
}

/// As Java splits: a match of no width at the very beginning makes no empty part.
fn parts<'a>(regex: &Regex, text: &'a str, limit: usize) -> Vec<&'a str> {
    if regex.as_str().is_empty() && !text.is_empty() {
        let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).take(limit).chain([text.len()]).collect();
        return cuts.windows(2).filter_map(|cut| text.get(*cut.first()?..*cut.get(1)?)).collect();
    }
    let mut parts = Vec::new();
    let mut from = 0;
    for found in regex.find_iter(text) {
        if parts.len() + 1 >= limit {
            break;
        }
        if found.end() == 0 {
            continue;
        }
        parts.extend(text.get(from..found.start()));
        from = found.end();
    }
    parts.extend(text.get(from..));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_keeps_empty_parts() {
        let split = |text, pattern| parts(&Regex::new(pattern).unwrap(), text, usize::MAX);
        assert_eq!(split("a1b2", "[0-9]"), ["a", "b", ""]);
        assert_eq!(split("", ","), [""]);
        assert_eq!(split(",a,", ","), ["", "a", ""]);
        assert_eq!(split("abc", ""), ["a", "b", "c"]);
        assert_eq!(parts(&Regex::new(",").unwrap(), "a,b,c", 2), ["a", "b,c"]);
    }

    #[test]
    fn replacements_are_read_as_in_java() {
        assert_eq!(replacement("$1-\\$2"), "${1}-$$2");
        assert_eq!(replacement("a$b"), "a$$b");
    }
}
