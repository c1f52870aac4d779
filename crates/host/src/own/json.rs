//! JSON: a list of objects, or an object per line. What is nested stays JSON, as text.

use super::columns::{Column, distinct};
use super::{MAX_COLUMNS, MAX_ROWS, too_large};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Reads a text. Columns stand in the order in which they first appear.
///
/// # Errors
/// Text that is no JSON, rows that are no objects, or too much.
pub(super) fn read(text: &str) -> Result<Vec<Column>, String> {
    let rows = rows(text.strip_prefix('\u{feff}').unwrap_or(text))?;
    if rows.len() > MAX_ROWS {
        return Err(too_large());
    }
    let mut columns: Vec<Column> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (idx, row) in rows.iter().enumerate() {
        for (name, value) in row {
            let place = *places.entry(name.clone()).or_insert_with(|| {
                columns.push(Column { name: name.clone(), ..Column::default() });
                columns.len() - 1
            });
            if columns.len() > MAX_COLUMNS {
                return Err(too_large());
            }
            let Some(column) = columns.get_mut(place) else { continue };
            column.values.resize(idx, None);
            column.is_text |= value.is_string();
            column.values.push(cell(value));
        }
    }
    if columns.is_empty() {
        return Err("These objects have no members: there is nothing to load.".into());
    }
    columns.iter_mut().for_each(|column| column.values.resize(rows.len(), None));
    distinct(&mut columns);
    Ok(columns)
}

fn rows(text: &str) -> Result<Vec<Map<String, Value>>, String> {
    let not_json = |error: serde_json::Error| format!("This is no JSON: {error}.");
    let values: Vec<Value> = if text.trim_start().starts_with('[') {
        serde_json::from_str(text).map_err(not_json)?
    } else {
        serde_json::Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().map_err(not_json)?
    };
    let object = |value| match value {
        Value::Object(row) => Ok(row),
        _ => Err("Every row must be an object: [{\"id\": 1}, {\"id\": 2}], or one object per line.".to_owned()),
    };
    values.into_iter().map(object).collect()
}

fn cell(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns::type_of;
    use super::read;

    #[test]
    fn lists_and_lines_give_columns_with_types() {
        for text in [
            r#"[{"id": 1, "name": "a", "at": "2026-01-15", "code": "7"}, {"id": 2, "tags": [1, {"x": null}]}]"#,
            "{\"id\": 1, \"name\": \"a\", \"at\": \"2026-01-15\", \"code\": \"7\"}\n{\"id\": 2, \"tags\": [1, {\"x\": null}]}\n",
        ] {
            let columns = read(text).unwrap();
            let told: Vec<_> = columns.iter().map(|c| (c.name.as_str(), type_of(c), c.values.len())).collect();
            assert_eq!(
                told.iter().map(|(name, kind, _)| (*name, *kind)).collect::<std::collections::BTreeSet<_>>(),
                [("id", "BIGINT"), ("name", "STRING"), ("at", "DATE"), ("code", "STRING"), ("tags", "STRING")].into()
            );
            assert!(told.iter().all(|(_, _, n)| *n == 2), "{told:?}");
        }
    }

    #[test]
    fn other_json_is_refused_with_a_sentence() {
        for text in ["", "[]", "[{}]", "[1]", "1", "{", r#"{"a":1} x"#, &"[".repeat(100_000)] {
            assert!(read(text).is_err(), "{}", &text[..text.len().min(20)]);
        }
    }
}
