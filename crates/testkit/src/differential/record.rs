//! What was recorded of the reference, compact: a chain a line, rows as differences from the step before.

use super::seen::Seen;
use cli::value::sorted;
use serde_json::{Map, Value, json};

/// The metrics of the operations that are common, in this order in a recording.
const METRICS: [(&str, &[&str]); 4] = [
    (
        "MERGE",
        &[
            "numOutputRows",
            "numSourceRows",
            "numTargetChangeFilesAdded",
            "numTargetDeletionVectorsAdded",
            "numTargetDeletionVectorsRemoved",
            "numTargetDeletionVectorsUpdated",
            "numTargetFilesAdded",
            "numTargetFilesRemoved",
            "numTargetRowsCopied",
            "numTargetRowsDeleted",
            "numTargetRowsInserted",
            "numTargetRowsMatchedDeleted",
            "numTargetRowsMatchedUpdated",
            "numTargetRowsNotMatchedBySourceDeleted",
            "numTargetRowsNotMatchedBySourceUpdated",
            "numTargetRowsUpdated",
        ],
    ),
    ("WRITE", &["numFiles", "numOutputRows"]),
    (
        "UPDATE",
        &[
            "numAddedChangeFiles",
            "numAddedFiles",
            "numCopiedRows",
            "numDeletionVectorsAdded",
            "numDeletionVectorsRemoved",
            "numDeletionVectorsUpdated",
            "numRemovedFiles",
            "numUpdatedRows",
        ],
    ),
    (
        "DELETE",
        &[
            "numAddedChangeFiles",
            "numAddedFiles",
            "numCopiedRows",
            "numDeletedRows",
            "numDeletionVectorsAdded",
            "numDeletionVectorsRemoved",
            "numDeletionVectorsUpdated",
            "numRemovedFiles",
        ],
    ),
];

/// The rows that a step starts from, kept while packing and unpacking.
#[derive(Debug, Clone, Default)]
pub(super) struct Before {
    rows: Vec<Value>,
    columns: Value,
}

/// A step, smaller; `before` becomes what the next step starts from.
pub(super) fn pack(seen: &Seen, before: &mut Before) -> Value {
    let mut packed = Map::new();
    if let Some(condition) = seen.get("error_class").or_else(|| seen.get("exception")) {
        packed.insert("e".into(), condition.clone());
        packed.extend(seen.get("wrapped_in").map(|outer| ("in".to_owned(), outer.clone())));
        return Value::Object(packed);
    }
    packed.insert("n".into(), seen.get("commits").cloned().unwrap_or_default());
    packed.extend(seen.get("operation").map(|name| ("op".to_owned(), name.clone())));
    if let Some(metrics) = seen.get("metrics") {
        packed.insert("m".into(), pack_metrics(seen["operation"].as_str().unwrap_or_default(), metrics));
    }
    if let Some(layout) = seen.get("layout") {
        packed.insert("f".into(), pack_layout(layout));
    }
    if let Some(columns) = seen.get("columns").filter(|columns| **columns != before.columns) {
        packed.insert("c".into(), columns.clone());
        before.columns = columns.clone();
    }
    if let Some(rows) = seen.get("rows").and_then(Value::as_array) {
        let (gone, come) = (minus(&before.rows, rows), minus(rows, &before.rows));
        packed.extend((!gone.is_empty()).then(|| ("-".to_owned(), Value::Array(gone))));
        packed.extend((!come.is_empty()).then(|| ("+".to_owned(), Value::Array(come))));
        before.rows.clone_from(rows);
    }
    if let Some(changes) = seen.get("changes").and_then(Value::as_array) {
        packed.insert("ch".into(), digest(changes).into());
    }
    Value::Object(packed)
}

/// The step again; its changes are a digest.
pub(super) fn unpack(packed: &Value, before: &mut Before) -> Seen {
    let mut seen = Seen::new();
    if let Some(condition) = packed.get("e") {
        let is_class =
            condition.as_str().is_some_and(|name| name.contains('.') && name.chars().any(char::is_lowercase));
        seen.insert(if is_class { "exception" } else { "error_class" }.into(), condition.clone());
        seen.extend(packed.get("in").map(|outer| ("wrapped_in".to_owned(), outer.clone())));
        seen.insert("commits".into(), 0.into());
        return seen;
    }
    seen.insert("commits".into(), packed["n"].clone());
    let Some(operation) = packed.get("op") else { return seen };
    seen.insert("operation".into(), operation.clone());
    seen.insert("metrics".into(), unpack_metrics(operation.as_str().unwrap_or_default(), &packed["m"]));
    seen.insert("layout".into(), unpack_layout(&packed["f"]));
    if let Some(columns) = packed.get("c") {
        before.columns = columns.clone();
    }
    seen.insert("columns".into(), before.columns.clone());
    let (gone, come) = (list(&packed["-"]), list(&packed["+"]));
    before.rows = [minus(&before.rows, &gone), come].concat();
    seen.insert("rows".into(), Value::Array(before.rows.clone()));
    seen.extend(packed.get("ch").map(|digest| ("changes".to_owned(), digest.clone())));
    seen
}

/// The same digest for what was seen here, so that it compares with a recording.
pub(super) fn digested(mut seen: Seen) -> Seen {
    if let Some(changes) = seen.get("changes").and_then(Value::as_array) {
        let text = digest(changes);
        seen.insert("changes".into(), text.into());
    }
    seen
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

/// As bags.
fn minus(left: &[Value], right: &[Value]) -> Vec<Value> {
    let mut rest = sorted(right);
    let is_left = |value: &Value| match rest.iter().position(|other| other == value) {
        Some(at) => {
            rest.remove(at);
            false
        }
        None => true,
    };
    let mut left = sorted(left);
    let mut keep = is_left;
    left.retain(|value| keep(value));
    left
}

fn pack_metrics(operation: &str, metrics: &Value) -> Value {
    let known = METRICS.iter().find(|(name, _)| *name == operation).map(|(_, keys)| *keys);
    let Some((keys, object)) = known.zip(metrics.as_object()) else { return metrics.clone() };
    if object.len() != keys.len() || keys.iter().any(|key| !object.contains_key(*key)) {
        return metrics.clone();
    }
    keys.iter().map(|key| metrics[*key].clone()).collect()
}

fn unpack_metrics(operation: &str, packed: &Value) -> Value {
    let known = METRICS.iter().find(|(name, _)| *name == operation).map(|(_, keys)| *keys);
    let Some((keys, values)) = known.zip(packed.as_array()) else { return packed.clone() };
    Value::Object(keys.iter().map(|key| (*key).to_owned()).zip(values.iter().cloned()).collect())
}

/// New files, removed files, change files, then cardinalities, then which of metadata and protocol were written.
fn pack_layout(layout: &Value) -> Value {
    let of = |key: &str| layout[key].clone();
    let written = u8::from(of("metadata_action") == true) + 2 * u8::from(of("protocol_action") == true);
    let mut packed = vec![of("new_files"), of("removed_files"), of("cdc_files"), written.into()];
    packed.extend(list(&of("dv_cardinalities")));
    while packed.len() > 2 && packed.last().is_some_and(|last| *last == 0) {
        packed.pop();
    }
    Value::Array(packed)
}

fn unpack_layout(packed: &Value) -> Value {
    let at = |idx: usize| packed.get(idx).cloned().unwrap_or_else(|| json!(0));
    let written = at(3).as_u64().unwrap_or(0);
    json!({
        "new_files": at(0),
        "removed_files": at(1),
        "cdc_files": at(2),
        "dv_cardinalities": list(packed).into_iter().skip(4).collect::<Vec<_>>(),
        "metadata_action": written & 1 == 1,
        "protocol_action": written & 2 == 2,
    })
}

/// FNV-1a over the sorted rows.
fn digest(rows: &[Value]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in sorted(rows).iter().flat_map(|row| row.to_string().into_bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{} rows {hash:016x}", rows.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again() {
        let zeros: Map<String, Value> = METRICS[3].1.iter().map(|key| ((*key).to_owned(), json!(3))).collect();
        let layout = json!({
            "new_files": 1, "removed_files": 0, "cdc_files": 0, "dv_cardinalities": [2, 5],
            "metadata_action": true, "protocol_action": false,
        });
        let seen = |rows: Value| {
            let step = json!({
                "commits": 1, "operation": "DELETE", "metrics": zeros, "layout": layout,
                "columns": [["k", "int"]], "rows": rows,
            });
            step.as_object().cloned().unwrap()
        };
        let steps = [seen(json!([[1], [2], [2]])), seen(json!([[2], [3]])), seen(json!([]))];
        let (mut packing, mut unpacking) = (Before::default(), Before::default());
        for step in steps {
            let packed = pack(&step, &mut packing);
            let mut out = unpack(&packed, &mut unpacking);
            out["rows"] = Value::Array(sorted(out["rows"].as_array().unwrap()));
            assert_eq!(out, step, "{packed}");
        }
    }
}
