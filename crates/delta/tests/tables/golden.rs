//! Delta's public golden tables, where a checkout has them beside it: each is read with the reference's schema
//! and number of rows, or refused. They are not part of this repository.

use crate::rows::{recorded_rows, rows};
use crate::store::load;
use delta::error::Error;
use delta::schema::{DataType, StructType};
use delta::snapshot::Snapshot;
use futures::executor::block_on;
use std::path::Path;

#[test]
#[allow(clippy::disallowed_methods, reason = "the tables lie beside the checkout")]
fn golden_tables_are_read_as_the_reference_reads_them_or_refused() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures");
    let Ok(text) = std::fs::read(shared.join("golden-expected.json")) else {
        println!("skipped: there are no golden tables at {}", shared.display());
        return;
    };
    let expected: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(&text).unwrap();
    let (mut n_read, mut n_compared, mut refused, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for (name, expected) in &expected {
        let folder = shared.join("golden").join(name);
        if !folder.is_dir() {
            continue;
        }
        let store = load(&folder);
        let snapshot = match block_on(Snapshot::load(&store, "t", None)) {
            Ok(Some(snapshot)) => snapshot,
            Ok(None) => {
                if expected.get("count").is_some() {
                    wrong.push(format!("{name}: no table"));
                }
                continue;
            }
            Err(error) => {
                refused.push(format!("{name}: {error}"));
                continue;
            }
        };
        let Some(count) = expected.get("count").and_then(serde_json::Value::as_u64) else { continue };
        if let Some(schema) = expected.get("schema")
            && types(&StructType::from_json(&schema.to_string()).unwrap()) != types(snapshot.schema())
        {
            wrong.push(format!("{name}: another schema: {}", snapshot.schema().to_json()));
        }
        match rows(&store, &snapshot) {
            Ok(found) if found.len() as u64 == count => {
                n_read += 1;
                let is_flat = snapshot.schema().fields.iter().all(|field| is_flat(&field.data_type));
                let Some(recorded) = expected.get("rows").filter(|_| is_flat && count <= 400) else { continue };
                n_compared += 1;
                if found != recorded_rows(snapshot.schema(), recorded) {
                    wrong.push(format!("{name}: other rows: {found:?}"));
                }
            }
            Ok(found) => wrong.push(format!("{name}: {} rows instead of {count}", found.len())),
            Err(error @ (Error::Unsupported { .. } | Error::Storage(_))) => {
                refused.push(format!("{name}, its rows: {error}"))
            }
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    println!(
        "{n_read} tables read, {n_compared} of them row by row, {} refused:\n{}",
        refused.len(),
        refused.join("\n")
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_read > 40 && n_compared > 20, "{n_read}, {n_compared}");
}

fn is_flat(data_type: &DataType) -> bool {
    let is_nested = matches!(data_type, DataType::Array { .. } | DataType::Map { .. } | DataType::Struct(_));
    !is_nested && *data_type != DataType::Binary
}

// Without nullability and metadata, which a query's result does not carry over.
fn types(schema: &StructType) -> String {
    DataType::Struct(schema.clone()).spark_name()
}
