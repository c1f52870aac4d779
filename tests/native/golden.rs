//! Delta's public golden tables, where a checkout has them beside it: each is read with the reference's schema and
//! rows, fails where the reference fails, or is refused by name. They are not part of this repository.

use crate::fixtures::{load, run, sandbox};
use cli::conform::difference;
use cli::value::rows;
use delta::schema::{DataType, StructType};
use delta::text::parse_decimal;
use serde_json::{Map, Value};
use spec::Diagnostic;
use std::fs;
use std::path::Path;

/// Conditions with which a table may be refused that the reference reads, each with the tables.
const REFUSED: [(&str, &[&str]); 2] = [
    (
        "MERGELAB_NOT_SUPPORTED_YET",
        &[
            "spark-variant-checkpoint",
            "dv-partitioned-with-checkpoint",
            "dv-with-columnmapping",
            "log-replay-dv-key-cases",
        ],
    ),
    // The reference counts from statistics; the file itself is not there.
    ("FAILED_READ_FILE.FILE_NOT_EXIST", &["parquet-decimal-dictionaries-v1"]),
];

#[derive(Debug, Default)]
struct Tally {
    row_by_row: usize,
    counted: usize,
    failed_like_the_reference: Vec<String>,
    read_though_the_reference_fails: Vec<String>,
    refused: Vec<String>,
    wrong: Vec<String>,
}

#[test]
fn golden_tables_are_read_as_the_reference_reads_them_or_refused() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/fixtures");
    let Ok(text) = fs::read(shared.join("golden-expected.json")) else {
        println!("skipped: there are no golden tables at {}", shared.display());
        return;
    };
    let expected: Map<String, Value> = serde_json::from_slice(&text).unwrap();
    let mut tally = Tally::default();
    for (name, expected) in &expected {
        let folder = shared.join("golden").join(name);
        assert!(folder.is_dir(), "{name} is not there");
        look(name, &folder, expected, &mut tally);
    }
    let list = |names: &[String]| names.join("\n  ");
    println!(
        "{} golden tables: {} read row by row, {} counted, {} fail as on the reference:\n  {}\n\
         {} read though the reference fails:\n  {}\n{} refused:\n  {}",
        expected.len(),
        tally.row_by_row,
        tally.counted,
        tally.failed_like_the_reference.len(),
        list(&tally.failed_like_the_reference),
        tally.read_though_the_reference_fails.len(),
        list(&tally.read_though_the_reference_fails),
        tally.refused.len(),
        list(&tally.refused)
    );
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}

fn look(name: &str, folder: &Path, expected: &Value, tally: &mut Tally) {
    let has_rows = expected.get("rows").or(expected.get("rows_json")).is_some();
    let query = if has_rows || expected.get("count").is_none() { "SELECT * FROM" } else { "SELECT count(*) FROM" };
    let found = run(&mut sandbox(&load(folder)), &format!("{query} delta.`/warehouse/t`"));
    match (found, expected.get("error")) {
        (Err(problem), Some(error)) => fails(name, &problem, error, tally),
        // A table of the reference's that fails for lack of a file must not show other rows.
        (Ok(outcome), Some(_)) => {
            let n_rows: usize = outcome.rows.unwrap().batches.iter().map(|batch| batch.num_rows()).sum();
            tally.read_though_the_reference_fails.push(format!("{name}: {n_rows} rows"));
        }
        (Err(problem), None) => {
            let known =
                REFUSED.iter().any(|(condition, names)| problem.condition == *condition && names.contains(&name));
            let list = if known { &mut tally.refused } else { &mut tally.wrong };
            list.push(format!("{name}: {problem}"));
        }
        (Ok(outcome), None) => {
            let batches = outcome.rows.unwrap().batches;
            let seen = rows(&batches).unwrap();
            if !has_rows {
                tally.counted += 1;
                if seen != [Value::Array(vec![expected["count"].clone()])] {
                    tally.wrong.push(format!("{name}: {seen:?} rows instead of {}", expected["count"]));
                }
                return;
            }
            tally.row_by_row += 1;
            let schema = StructType::from_json(&expected["schema"].to_string()).unwrap();
            let recorded = recorded_rows(expected, &schema);
            let seen: Value = seen.iter().map(|row| comparable(row, &schema)).collect();
            if let Some(text) = difference("rows", &recorded, &seen, &Map::new()) {
                tally.wrong.push(format!("{name}: {text}"));
            }
        }
    }
}

fn fails(name: &str, problem: &Diagnostic, error: &Value, tally: &mut Tally) {
    let condition = error["condition"].as_str();
    let line = format!("{name}: {problem}");
    // Without a recorded condition agreeing that it fails is enough.
    if condition.is_none_or(|condition| condition == problem.condition) {
        tally.failed_like_the_reference.push(line);
    } else {
        tally.wrong.push(format!("{line}, but the reference says {}", error["condition"]));
    }
}

/// The recorded rows in the form of our own.
fn recorded_rows(expected: &Value, schema: &StructType) -> Value {
    if let Some(rows) = expected.get("rows") {
        let row = |row: &Value| row.as_array().unwrap().iter().zip(&schema.fields).map(member).collect::<Value>();
        return rows.as_array().unwrap().iter().map(row).collect();
    }
    let row = |row: &Value| {
        let value = |field: &delta::schema::StructField| {
            recorded(row.get(&field.name).unwrap_or(&Value::Null), &field.data_type)
        };
        schema.fields.iter().map(value).collect::<Value>()
    };
    expected["rows_json"].as_array().unwrap().iter().map(row).collect()
}

fn member((value, field): (&Value, &delta::schema::StructField)) -> Value {
    recorded(value, &field.data_type)
}

/// Decimals and FLOATs as plain numbers of their type, timestamps as ISO text, maps as objects.
fn recorded(value: &Value, data_type: &DataType) -> Value {
    match (value, data_type) {
        (Value::Null, _) => Value::Null,
        (Value::String(text), DataType::Timestamp | DataType::TimestampNtz) => instant(text),
        (value, DataType::Decimal { scale, .. }) => {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let value = parse_decimal(&text, *scale).unwrap_or_else(|| panic!("{text} is not a decimal"));
            delta::scalar::Scalar::Decimal(value, *scale).to_string().into()
        }
        (Value::Number(number), DataType::Float) => float(number.as_f64().unwrap()),
        (Value::String(text), DataType::Binary) if !text.starts_with("X:") => base64(text),
        (Value::Array(items), DataType::Array { element, .. }) => {
            items.iter().map(|item| recorded(item, element)).collect()
        }
        (Value::Array(pairs), DataType::Map { key, value, .. }) => {
            let pair = |pair: &Value| (key_text(&recorded(&pair[0], key)), recorded(&pair[1], value));
            Value::Object(pairs.iter().map(pair).collect())
        }
        (Value::Object(pairs), DataType::Map { key, value, .. }) if is_plain(key) => {
            Value::Object(pairs.iter().map(|(key, inner)| (key.clone(), recorded(inner, value))).collect())
        }
        // The text of a key that is no scalar says nothing: only the values are compared.
        (Value::Object(pairs), DataType::Map { value, .. }) => {
            pairs.values().map(|inner| recorded(inner, value)).collect()
        }
        (Value::Object(members), DataType::Struct(inner)) => {
            let of = |field: &delta::schema::StructField| {
                let value = members.get(&field.name).unwrap_or(&Value::Null);
                (field.name.clone(), recorded(value, &field.data_type))
            };
            Value::Object(inner.fields.iter().map(of).collect())
        }
        (other, _) => other.clone(),
    }
}

/// Our own row in the form of the recorded ones.
fn comparable(row: &Value, schema: &StructType) -> Value {
    row.as_array().unwrap().iter().zip(&schema.fields).map(|(value, field)| own(value, &field.data_type)).collect()
}

fn own(value: &Value, data_type: &DataType) -> Value {
    match (value, data_type) {
        (Value::Array(items), DataType::Array { element, .. }) => items.iter().map(|item| own(item, element)).collect(),
        (Value::Object(pairs), DataType::Map { key, value, .. }) if !is_plain(key) => {
            pairs.values().map(|inner| own(inner, value)).collect()
        }
        (Value::Object(pairs), DataType::Map { value, .. }) => {
            Value::Object(pairs.iter().map(|(key, inner)| (key.clone(), own(inner, value))).collect())
        }
        (Value::Object(members), DataType::Struct(inner)) => {
            let of = |field: &delta::schema::StructField| {
                (field.name.clone(), own(members.get(&field.name).unwrap_or(&Value::Null), &field.data_type))
            };
            Value::Object(inner.fields.iter().map(of).collect())
        }
        (other, _) => other.clone(),
    }
}

fn is_plain(data_type: &DataType) -> bool {
    !matches!(data_type, DataType::Array { .. } | DataType::Map { .. } | DataType::Struct(_))
}

fn key_text(key: &Value) -> String {
    key.as_str().map_or_else(|| key.to_string(), str::to_owned)
}

fn instant(text: &str) -> Value {
    let text = text.trim_end_matches('Z').replacen(' ', "T", 1);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text };
    text.into()
}

fn float(value: f64) -> Value {
    let shortest: f64 = (value as f32).to_string().parse().unwrap();
    serde_json::Number::from_f64(shortest).map_or(Value::Null, Value::Number)
}

fn base64(text: &str) -> Value {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut n_bits, mut hex) = (0_u32, 0, String::from("X:"));
    for character in text.trim_end_matches('=').chars() {
        bits = (bits << 6) | alphabet.find(character).unwrap() as u32;
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            hex.push_str(&format!("{:02X}", (bits >> n_bits) & 0xFF));
        }
    }
    hex.into()
}
