//! Tables that Delta on Spark has written, every one at every version: columns, rows and live files as recorded, or a
//! refusal by name. They are read where the shared folder is; copies of them are part of this repository.

use cli::conform::difference;
use cli::value::rows;
use delta::scalar::Scalar;
use delta::snapshot::Snapshot;
use delta::storage::{InMemory, Storage};
use delta::text::parse_decimal;
use engine::env::{CountedNames, Env, START_MS};
use engine::observe::Silent;
use engine::sandbox::{Outcome, Sandbox};
use host::block_on;
use serde_json::{Map, Value, json};
use spec::Diagnostic;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a table of a folder stands in the store.
pub(crate) const ROOT: &str = "warehouse/t";

/// A store that holds the table of a folder at [`ROOT`].
pub(crate) fn load(folder: &Path) -> InMemory {
    let store = InMemory::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(dir) = pending.pop() {
        for entry in fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
                continue;
            }
            let relative = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            let bytes = fs::read(&path).unwrap().into();
            block_on(store.put(&format!("{ROOT}/{relative}"), bytes, START_MS)).unwrap();
        }
    }
    store
}

/// A sandbox over that store. It gives no name that an earlier one over the same store has given.
pub(crate) fn sandbox(store: &InMemory) -> Sandbox {
    let mut env = Env::over(Arc::new(store.clone()), START_MS);
    env.names = Arc::new(CountedNames::from_count(1_000 * store.files().len() as u64));
    block_on(Sandbox::open(env)).unwrap()
}

/// Runs one statement.
pub(crate) fn run(sandbox: &mut Sandbox, text: &str) -> Result<Outcome, Diagnostic> {
    let parsed = sql::parse(text);
    assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
    block_on(sandbox.execute(text, &parsed.statements[0], &mut Silent))
}

fn copies() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/delta/tests/data")
}

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/fixtures/spark-written")
}

fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn copied_tables_are_read_at_every_version() {
    let n_tables = check(&copies());
    assert!(n_tables >= 19, "{n_tables}");
}

#[test]
fn shared_tables_are_read_at_every_version() {
    if !shared().is_dir() {
        println!("0 tables: there is no folder {}", shared().display());
        return;
    }
    let n_tables = check(&shared());
    assert!(n_tables >= 21, "{n_tables}");
}

/// How many tables of the folder were read; nothing else may happen but a refusal by name.
fn check(folder: &Path) -> usize {
    let (mut n_tables, mut n_versions, mut refused, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for name in names(folder) {
        n_tables += 1;
        let expected: Value =
            serde_json::from_slice(&fs::read(folder.join(&name).join("expected.json")).unwrap()).unwrap();
        let store = load(&folder.join(&name).join("table"));
        for version in expected["versions"].as_array().unwrap() {
            let number = version["version"].as_u64().unwrap();
            match seen(&store, number) {
                Ok(seen) => {
                    n_versions += 1;
                    let mut version = version.clone();
                    rescale(&mut version);
                    // Rows and files are bags, columns are not.
                    let keys = [("columns", "columns"), ("rows", "rows"), ("active_files", "rows")];
                    let differs = keys.iter().filter_map(|(key, like)| {
                        let text = difference(like, &version[key], &seen[key], &Map::new())?;
                        Some(format!("{key}: {text}"))
                    });
                    wrong.extend(differs.map(|text| format!("{name} version {number}: {text}")));
                }
                Err(problem) if problem.condition == "MERGELAB_NOT_SUPPORTED_YET" => {
                    refused.push(format!("{name} version {number}: {problem}"));
                }
                Err(problem) => wrong.push(format!("{name} version {number}: {problem}")),
            }
        }
    }
    println!("{n_versions} versions of {n_tables} tables read, {} refused:\n{}", refused.len(), refused.join("\n"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    n_tables
}

/// Recorded decimals may show more digits than their scale has.
fn rescale(version: &mut Value) {
    let columns: Vec<(String, String)> = serde_json::from_value(version["columns"].clone()).unwrap();
    for row in version["rows"].as_array_mut().unwrap() {
        for (value, (_, data_type)) in row.as_array_mut().unwrap().iter_mut().zip(&columns) {
            let scale = data_type.strip_prefix("decimal(").and_then(|rest| rest.trim_end_matches(')').split_once(','));
            let (Some((_, scale)), Some(text)) = (scale, value.as_str()) else { continue };
            let scale = scale.parse().unwrap();
            let unscaled = parse_decimal(text, scale).unwrap_or_else(|| panic!("{text} is not a {data_type}"));
            *value = Scalar::Decimal(unscaled, scale).to_string().into();
        }
    }
}

fn seen(store: &InMemory, version: u64) -> Result<Value, Diagnostic> {
    let mut sandbox = sandbox(store);
    let outcome = run(&mut sandbox, &format!("SELECT * FROM t VERSION AS OF {version}"))?;
    let read = outcome.rows.unwrap();
    let columns: Value =
        read.columns.iter().map(|column| json!([column.name, column.data_type.spark_name()])).collect();
    let snapshot = block_on(Snapshot::load(store, ROOT, Some(version))).unwrap().unwrap();
    let files: Value = snapshot
        .files()
        .iter()
        .map(|add| {
            let deleted = add.deletion_vector.as_ref().map_or(0, |vector| vector.cardinality);
            json!({
                "path": add.path,
                "partitionValues": add.partition_values,
                "size": add.size,
                "deleted_rows": deleted,
            })
        })
        .collect();
    Ok(json!({ "columns": columns, "rows": rows(&read.batches).unwrap(), "active_files": files }))
}
