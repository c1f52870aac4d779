//! Comparing one key of `expect` with what was seen, by the rules of the recorded cases.

use super::masks;
use crate::value::sorted;
use serde_json::{Map, Value};

/// What differs, as text; `None` where the key agrees. `whole` is all of `expect`, for keys that complete each other.
pub fn difference(key: &str, expected: &Value, seen: &Value, whole: &Map<String, Value>) -> Option<String> {
    match key {
        "rows" | "rows_after" => bags(expected, seen),
        // Sizes and times are listed by name only: present is enough.
        "volatile_metrics" => missing_names(expected, seen),
        "metrics" => metrics(expected, seen, whole),
        "operationParameters" => parameters(expected, seen),
        "layout" => listed_keys(expected, seen),
        "live_files" => bags(expected, seen),
        "result" if expected.get("rows").is_some() => result(expected, seen),
        "wrapped_in" => wrapped(expected, seen),
        "check" => all_of(expected, seen, result),
        "all_commits" => all_of(expected, seen, commit),
        "changes" => result(expected, seen),
        // The reference raises an exception without a condition; that it fails is all there is to agree on.
        "error_class" if expected.is_null() => seen.is_null().then(|| "the reference fails here".to_owned()),
        "exception" | "message_start" => (seen != &Value::Bool(true)).then(|| "the reference fails here".to_owned()),
        "printed" => printed(expected, seen),
        _ => plain(expected, seen),
    }
}

/// Printed text to the character, told by its first line that differs.
fn printed(expected: &Value, seen: &Value) -> Option<String> {
    let (Some(expected), Some(seen)) = (expected.as_str(), seen.as_str()) else { return plain(expected, seen) };
    if expected == seen {
        return None;
    }
    let mut lines = expected.lines().zip(seen.lines()).enumerate();
    Some(match lines.find(|(_, (expected, seen))| expected != seen) {
        Some((idx, (expected, seen))) => format!("line {}: expected {expected:?}, got {seen:?}", idx + 1),
        None => format!("expected {} lines, got {}", expected.lines().count(), seen.lines().count()),
    })
}

fn plain(expected: &Value, seen: &Value) -> Option<String> {
    (!equal(expected, seen)).then(|| format!("expected {expected}, got {seen}"))
}

/// Equal, with the masks of values that differ from run to run and a tolerance for sums of doubles.
fn equal(expected: &Value, seen: &Value) -> bool {
    match (expected, seen) {
        (Value::String(mask), _) if masks::is_anything(mask) => true,
        (Value::String(pattern), Value::String(text)) => masks::matches(pattern, text) || is_same_time(pattern, text),
        (Value::Number(left), Value::Number(right)) if left.is_f64() || right.is_f64() => {
            let (left, right) = (left.as_f64().unwrap_or(f64::NAN), right.as_f64().unwrap_or(f64::NAN));
            left == right || ((left - right) / left.abs().max(right.abs())).abs() < 1e-9
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| equal(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            // How many bytes a file has is the writer's own affair.
            let is_size = |key: &str| key == "size" && (left.contains_key("num") || left.contains_key("numFiles"));
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(key, value)| right.get(key).is_some_and(|other| is_size(key) || equal(value, other)))
        }
        _ => expected == seen,
    }
}

/// Some recorded cases write a timestamp with a space, all others with a `T`.
fn is_same_time(expected: &str, seen: &str) -> bool {
    let is_time =
        expected.len() >= 19 && expected.as_bytes().get(10) == Some(&b' ') && seen.as_bytes().get(10) == Some(&b'T');
    is_time && expected.get(..10) == seen.get(..10) && expected.get(11..) == seen.get(11..)
}

fn bags(expected: &Value, seen: &Value) -> Option<String> {
    let (Some(expected), Some(seen)) = (expected.as_array(), seen.as_array()) else { return plain(expected, seen) };
    let (left, right) = (sorted(expected), sorted(seen));
    if left.len() == right.len() && left.iter().zip(&right).all(|(left, right)| equal(left, right)) {
        return None;
    }
    let only = |these: &[Value], others: &[Value]| -> Vec<String> {
        let mut rest = others.to_vec();
        let mut only = Vec::new();
        for value in these {
            match rest.iter().position(|other| equal(value, other) || equal(other, value)) {
                Some(at) => drop(rest.swap_remove(at)),
                None => only.push(value.to_string()),
            }
        }
        only
    };
    let (lacking, extra) = (only(&left, &right), only(&right, &left));
    (!lacking.is_empty() || !extra.is_empty())
        .then(|| format!("missing [{}], unexpected [{}]", lacking.join(" "), extra.join(" ")))
}

fn missing_names(expected: &Value, seen: &Value) -> Option<String> {
    let names = expected.as_array().into_iter().flatten().filter_map(Value::as_str);
    let missing: Vec<&str> = names.filter(|name| seen.get(name).is_none()).collect();
    (!missing.is_empty()).then(|| format!("not reported: {}", missing.join(", ")))
}

/// The listed metrics exactly, and none that the reference does not report.
fn metrics(expected: &Value, seen: &Value, whole: &Map<String, Value>) -> Option<String> {
    let (Some(expected), Some(seen)) = (expected.as_object(), seen.as_object()) else { return plain(expected, seen) };
    let mut wrong: Vec<String> = expected
        .iter()
        .filter(|(name, value)| seen.get(*name) != Some(value))
        .map(|(name, value)| format!("{name}: expected {value}, got {}", seen.get(name).unwrap_or(&Value::Null)))
        .collect();
    if let Some(volatile) = whole.get("volatile_metrics").and_then(Value::as_array) {
        let known =
            |name: &String| expected.contains_key(name) || volatile.iter().any(|other| other.as_str() == Some(name));
        wrong.extend(
            seen.keys().filter(|name| !known(name)).map(|name| format!("{name} is not reported by the reference")),
        );
    }
    (!wrong.is_empty()).then(|| wrong.join("; "))
}

/// Predicate texts are not compared, only whether there is one; of clause lists the number, order, action and whether
/// there is a predicate.
fn parameters(expected: &Value, seen: &Value) -> Option<String> {
    let (Some(expected), Some(seen)) = (expected.as_object(), seen.as_object()) else { return plain(expected, seen) };
    let keys_differ = expected.len() != seen.len() || expected.keys().any(|key| !seen.contains_key(key));
    if keys_differ {
        return Some(format!("expected the parameters {:?}, got {:?}", names(expected), names(seen)));
    }
    let wrong = expected.iter().filter(|(key, value)| !equal(&normal(key, value), &normal(key, &seen[*key])));
    let wrong: Vec<String> = wrong.map(|(key, value)| format!("{key}: expected {value}, got {}", seen[key])).collect();
    (!wrong.is_empty()).then(|| wrong.join("; "))
}

fn names(map: &Map<String, Value>) -> Vec<&String> {
    map.keys().collect()
}

fn normal(key: &str, value: &Value) -> Value {
    let parsed: Option<Value> = value.as_str().and_then(|text| serde_json::from_str(text).ok());
    let hidden = |present: bool| if present { Value::String("…".into()) } else { Value::Null };
    match (key, parsed) {
        (
            "matchedPredicates" | "notMatchedPredicates" | "notMatchedBySourcePredicates",
            Some(Value::Array(clauses)),
        ) => clauses
            .iter()
            .map(|clause| serde_json::json!([clause["actionType"], hidden(clause.get("predicate").is_some())]))
            .collect(),
        // The reference lists features in the order of a hash set.
        ("newProtocol", Some(Value::Object(mut protocol))) => {
            for features in protocol.values_mut().filter_map(Value::as_array_mut) {
                features.sort_by_key(Value::to_string);
            }
            Value::Object(protocol)
        }
        ("predicate", Some(Value::Array(list))) => list.len().into(),
        ("predicate", _) => hidden(!value.is_null()),
        (_, Some(parsed)) => parsed,
        (_, None) => value.clone(),
    }
}

/// Only the listed keys; lists in them are bags.
fn listed_keys(expected: &Value, seen: &Value) -> Option<String> {
    let (Some(expected), Some(seen)) = (expected.as_object(), seen.as_object()) else { return plain(expected, seen) };
    let differs = |key: &String, value: &Value| match seen.get(key) {
        Some(other) if value.is_array() => bags(value, other),
        Some(other) => plain(value, other),
        None => Some("not shown".to_owned()),
    };
    let wrong = expected.iter().filter_map(|(key, value)| differs(key, value).map(|text| format!("{key}: {text}")));
    let wrong: Vec<String> = wrong.collect();
    (!wrong.is_empty()).then(|| wrong.join("; "))
}

fn result(expected: &Value, seen: &Value) -> Option<String> {
    if expected.get("rows").is_none() {
        let same = |key: &str| expected.get(key).is_none_or(|value| equal(value, &seen[key]));
        return (!same("error_class")).then(|| format!("expected {expected}, got {seen}"));
    }
    if !equal(&expected["columns"], &seen["columns"]) {
        return Some(format!("columns: expected {}, got {}", expected["columns"], seen["columns"]));
    }
    let names = expected["columns"].as_array().into_iter().flatten();
    let place = names.map(|column| &column[0]).position(|name| name == "operationMetrics");
    match place {
        Some(place) => bags(&expected["rows"], &Value::Array(without_volatile(&seen["rows"], place))),
        None => bags(&expected["rows"], &seen["rows"]),
    }
}

/// A history is recorded without sizes and times, and with its metrics as numbers.
fn without_volatile(rows: &Value, place: usize) -> Vec<Value> {
    let shown = |row: &Value| {
        let mut row = row.clone();
        if let Some(metrics) = row.get_mut(place).and_then(Value::as_object_mut) {
            metrics.retain(|name, _| !is_volatile(name));
            for value in metrics.values_mut() {
                if let Some(number) = value.as_str().and_then(|text| text.parse::<i64>().ok()) {
                    *value = number.into();
                }
            }
        }
        row
    };
    rows.as_array().into_iter().flatten().map(shown).collect()
}

/// Whether a metric is a size or a time.
fn is_volatile(name: &str) -> bool {
    name.contains("Bytes")
        || name.ends_with("FileSize")
        || name.starts_with("sizeOf")
        || ["Time", "Ms", "Size", "SizeAfterRestore"].iter().any(|end| name.ends_with(end))
}

/// As many entries, each of which agrees.
fn all_of(expected: &Value, seen: &Value, differs: impl Fn(&Value, &Value) -> Option<String>) -> Option<String> {
    let (Some(expected), Some(seen)) = (expected.as_array(), seen.as_array()) else { return plain(expected, seen) };
    if expected.len() != seen.len() {
        return Some(format!("expected {} entries, got {}", expected.len(), seen.len()));
    }
    let wrong = expected.iter().zip(seen).enumerate();
    let wrong =
        wrong.filter_map(|(idx, (expected, seen))| differs(expected, seen).map(|text| format!("{idx}: {text}")));
    let wrong: Vec<String> = wrong.collect();
    (!wrong.is_empty()).then(|| wrong.join("; "))
}

/// One of several commits, key by key.
fn commit(expected: &Value, seen: &Value) -> Option<String> {
    let Some(whole) = expected.as_object() else { return plain(expected, seen) };
    let differs = |(key, value): (&String, &Value)| {
        let other = match key.as_str() {
            "volatile_metrics" => &seen["metrics"],
            key => &seen[key],
        };
        difference(key, value, other, whole).map(|text| format!("{key}: {text}"))
    };
    let wrong: Vec<String> = whole.iter().filter_map(differs).collect();
    (!wrong.is_empty()).then(|| wrong.join("; "))
}

/// Either level of a wrapped error may be shown.
fn wrapped(expected: &Value, seen: &Value) -> Option<String> {
    if seen.is_null() { None } else { plain(expected, seen) }
}
