//! Wrong expectations, made from right ones: the self-test of the comparison.

use serde_json::{Map, Value, json};

/// A value for the key that no correct run can show.
pub fn corrupted(key: &str, value: &Value) -> Value {
    match (key, value) {
        // Either level of a wrapped error may be shown, so only the absence of a failure can be wrong.
        ("volatile_metrics", _) => json!(["numOfNothing"]),
        ("operationParameters", Value::Object(map)) => {
            let mut map = map.clone();
            map.insert("nothing".into(), Value::Null);
            Value::Object(map)
        }
        (_, Value::Object(map)) => {
            Value::Object(map.iter().map(|(key, value)| (key.clone(), twisted(value))).collect::<Map<_, _>>())
        }
        (_, other) => twisted(other),
    }
}

fn twisted(value: &Value) -> Value {
    match value {
        Value::Null => json!("twisted"),
        Value::Bool(value) => json!(!value),
        Value::Number(number) => json!(number.as_i64().unwrap_or(0) + 1),
        Value::String(text) => json!(format!("{text}?")),
        Value::Array(items) => {
            let mut items = items.clone();
            items.push(json!(["one row too many"]));
            Value::Array(items)
        }
        Value::Object(map) => {
            let mut map = map.clone();
            map.insert("twisted".into(), Value::Bool(true));
            Value::Object(map)
        }
    }
}
