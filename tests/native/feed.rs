//! The change feed of tables that Delta on Spark has written, and of our own as the log tells it.

use crate::fixtures::{load, run, sandbox};
use cli::conform::difference;
use cli::value::rows;
use delta::actions::Action;
use delta::paths::commit_path;
use engine::env::{Env, START_MS};
use engine::sandbox::Sandbox;
use host::block_on;
use serde_json::{Map, Value, json};
use std::path::Path;

const FEED: &str = "TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')";

#[test]
fn a_table_of_the_reference_has_the_recorded_changes_at_every_version() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/delta/tests/data/change-data-feed");
    let expected: Value = serde_json::from_slice(&std::fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let mut sandbox = sandbox(&load(&folder.join("table")));
    let mut n_versions = 0;
    for version in expected["versions"].as_array().unwrap() {
        let Some(changes) = version.get("changes") else { continue };
        let number = &version["version"];
        let text = format!("SELECT * EXCEPT (_commit_timestamp) FROM table_changes('t', {number}, {number})");
        let read = run(&mut sandbox, &text).unwrap().rows.unwrap();
        let names: Vec<&str> = read.columns.iter().map(|column| column.name.as_str()).collect();
        let seen = json!({ "columns": names, "rows": rows(&read.batches).unwrap() });
        assert_eq!(difference("changes", changes, &seen, &Map::new()), None, "version {number}");
        n_versions += 1;
    }
    assert_eq!(n_versions, 6);
}

/// The actions of the last commit of `t` after these statements.
fn log_of(statements: &[&str]) -> Vec<Action> {
    let mut sandbox = Sandbox::new(Env::deterministic(START_MS));
    let mut last = None;
    for statement in statements {
        last = run(&mut sandbox, statement).unwrap().version.or(last);
    }
    let bytes = block_on(sandbox.env().storage.get(&commit_path("warehouse/t", last.unwrap()))).unwrap();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    text.lines().filter_map(|line| Action::parse(line).unwrap()).collect()
}

/// What the actions do, in order: their kind, folder and the ends of the file's name, between which the uuid stands.
fn shape(actions: &[Action]) -> Vec<String> {
    let masked = |kind: &str, path: &str| {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let (start, end) = (name.find('-').unwrap(), name.find("c000").unwrap());
        Some(format!("{kind} {folder}/{}…{}", &name[..start + 6], &name[end - 1..]))
    };
    let one = |action: &Action| match action {
        Action::Add(add) => masked("add", &add.path),
        Action::Remove(remove) => masked("remove", &remove.path),
        Action::AddCdcFile(cdc) => masked("cdc", &cdc.path),
        _ => None,
    };
    actions.iter().filter_map(one).collect()
}

#[test]
fn change_files_stand_where_the_reference_puts_them() {
    let create = format!("CREATE TABLE t (id INT, v STRING) USING delta {FEED}");
    let insert = "INSERT INTO t VALUES (1, 'a'), (2, 'b')";
    let (old, new) = ("remove /part-00000…-c000.snappy.parquet", "add /part-00000….c000.snappy.parquet");
    let changes = "cdc _change_data/cdc-00000….c000.snappy.parquet";
    let update = log_of(&[&create, insert, "UPDATE t SET v = 'c' WHERE id = 1"]);
    assert_eq!(shape(&update), [new, changes, old]);
    let delete = log_of(&[&create, insert, "DELETE FROM t WHERE id = 1"]);
    assert_eq!(shape(&delete), [old, new, changes]);
    let merge = "MERGE INTO t USING (SELECT 1 AS id) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = 'm'";
    let merge = log_of(&[&create, insert, merge]);
    assert_eq!(shape(&merge), [new, changes, old]);
}

#[test]
fn images_of_a_row_that_moves_lie_in_both_partitions() {
    let create = format!("CREATE TABLE t (p STRING, id INT) USING delta PARTITIONED BY (p) {FEED}");
    let insert = "INSERT INTO t VALUES ('x y', 1), ('x y', 2)";
    let delete = log_of(&[&create, insert, "UPDATE t SET p = 'z' WHERE id = 1", "DELETE FROM t WHERE id = 2"]);
    let folders: Vec<String> = shape(&delete).iter().map(|line| line.rsplit_once('/').unwrap().0.to_owned()).collect();
    assert_eq!(folders, ["remove p=x%20y", "cdc _change_data/p=x%20y"]);
    let update = log_of(&[&create, insert, "UPDATE t SET p = 'z' WHERE id = 1"]);
    let folders: Vec<String> = shape(&update).iter().map(|line| line.rsplit_once('/').unwrap().0.to_owned()).collect();
    assert_eq!(
        folders,
        ["add p=x%20y", "add p=z", "cdc _change_data/p=x%20y", "cdc _change_data/p=z", "remove p=x%20y"]
    );
}
