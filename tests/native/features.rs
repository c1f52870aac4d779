//! Writing to tables that ask more of writers: mapped columns, row ids, times in commits.

use crate::fixtures::{ROOT, load, run, sandbox};
use arrow::array::{Array, AsArray};
use arrow::datatypes::{Int32Type, Int64Type};
use delta::mapping::MappingMode;
use delta::parquet_io::read_mapped_file;
use delta::paths::data_path;
use delta::row_tracking::{ROW_ID_COLUMN, ROW_VERSION_COLUMN};
use delta::schema::{DataType, StructField, StructType};
use delta::snapshot::{Snapshot, history};
use delta::storage::{InMemory, Storage};
use host::block_on;
use std::collections::BTreeMap;
use std::path::Path;

fn recorded(name: &str) -> InMemory {
    load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/delta/tests/data").join(name).join("table"))
}

fn latest(store: &InMemory) -> Snapshot {
    block_on(Snapshot::load(store, ROOT, None)).unwrap().unwrap()
}

fn execute(store: &InMemory, text: &str) -> Snapshot {
    run(&mut sandbox(store), text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
    latest(store)
}

#[test]
fn a_mapped_table_hides_its_columns_in_paths_statistics_and_partition_values() {
    let store = recorded("column-mapping-name");
    for text in [
        "INSERT INTO t VALUES (10, 1.25, 'west', 3)",
        "UPDATE t SET note = 4 WHERE order_no = 10",
        "MERGE INTO t USING (SELECT 11 AS n) s ON t.order_no = s.n WHEN NOT MATCHED THEN INSERT (order_no) VALUES (n)",
    ] {
        let snapshot = execute(&store, text);
        let add = snapshot.files().last().unwrap();
        let (folder, name) = add.path.split_once('/').unwrap();
        assert!(folder.len() == 2 && folder.chars().all(|c| c.is_ascii_alphanumeric()), "{}", add.path);
        assert!(name.starts_with("part-00000-") && name.ends_with(".c000.snappy.parquet"), "{}", add.path);
        assert!(add.partition_values.keys().all(|key| key.starts_with("col-")), "{:?}", add.partition_values);
        let stats = add.stats.clone().unwrap();
        assert!(stats.contains(r#""nullCount":{"col-"#) && !stats.contains("order_no"), "{stats}");
    }
}

/// By the column `id`: the row's id and the version of its last change.
fn row_ids(store: &InMemory) -> BTreeMap<i32, (i64, i64)> {
    let snapshot = latest(store);
    let property = |name: &str| snapshot.metadata().configuration[name].clone();
    let long = |name: String| StructField::new(name, DataType::Long);
    let schema = StructType::new(vec![
        StructField::new("id", DataType::Int),
        long(property(ROW_ID_COLUMN)),
        long(property(ROW_VERSION_COLUMN)),
    ]);
    let mut found = BTreeMap::new();
    for add in snapshot.files() {
        let bytes = block_on(store.get(&data_path(ROOT, &add.path))).unwrap();
        let mut position = 0;
        for batch in read_mapped_file(bytes, &schema, MappingMode::None, 100).unwrap() {
            let ids = batch.column(0).as_primitive::<Int32Type>();
            let kept = |column: usize, row: usize, default: i64| {
                let values = batch.column(column).as_primitive::<Int64Type>();
                if values.is_valid(row) { values.value(row) } else { default }
            };
            for row in 0..batch.num_rows() {
                let id = kept(1, row, add.base_row_id.unwrap() + position);
                let version = kept(2, row, add.default_row_commit_version.unwrap());
                assert!(found.insert(ids.value(row), (id, version)).is_none());
                position += 1;
            }
        }
    }
    let mut ids: Vec<i64> = found.values().map(|(id, _)| *id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), found.len(), "ids are unique: {found:?}");
    found
}

#[test]
fn a_row_keeps_its_id_wherever_a_statement_moves_it() {
    let store = recorded("clustered-row-tracking");
    let mut known = row_ids(&store);
    for (text, updated) in [
        ("INSERT INTO t VALUES (30, 'west'), (31, 'north')", vec![]),
        ("UPDATE t SET region = 'far' WHERE id IN (1, 30)", vec![1, 30]),
        ("DELETE FROM t WHERE id = 31", vec![]),
        ("UPDATE t SET region = 'farther' WHERE id = 30", vec![30]),
        (
            "MERGE INTO t USING (SELECT * FROM VALUES (3, 'm'), (40, 'n') AS v(id, region)) s ON t.id = s.id \
             WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
            vec![3],
        ),
    ] {
        let snapshot = execute(&store, text);
        let version = i64::try_from(snapshot.version()).unwrap();
        let now = row_ids(&store);
        for (id, (row_id, changed)) in &now {
            let Some((old_id, old_version)) = known.get(id) else {
                assert_eq!(*changed, version, "{text}: the new row {id}");
                continue;
            };
            let expected = if updated.contains(id) { version } else { *old_version };
            assert_eq!((row_id, *changed), (old_id, expected), "{text}: the row {id}");
        }
        let info = block_on(history(&store, ROOT, Some(1))).unwrap().remove(0).1;
        assert_eq!(info.tags.is_some(), !text.starts_with("INSERT"), "{text}");
        known = now;
    }
    assert_eq!(known.len(), 5);
}

#[test]
fn a_commit_of_a_table_with_times_carries_one_that_is_later_than_the_last() {
    let store = recorded("clustered-row-tracking");
    let before = latest(&store).commit_timestamp();
    let after = execute(&store, "INSERT INTO t VALUES (30, 'west')");
    // The clock of the sandbox stands before the time of the recorded commits.
    assert_eq!(after.commit_timestamp(), before + 1);
}

const MAPPED: [&str; 9] = [
    "CREATE TABLE t (id INT, `the name` STRING, s STRUCT<a: INT, b: STRING>, p STRING) USING delta PARTITIONED BY (p) \
     TBLPROPERTIES ('delta.columnMapping.mode' = 'name')",
    "INSERT INTO t VALUES (1, 'x', named_struct('a', 1, 'b', 'q'), 'n'), (2, NULL, NULL, NULL)",
    "ALTER TABLE t RENAME COLUMN `the name` TO label",
    "ALTER TABLE t RENAME COLUMN p TO area",
    "ALTER TABLE t DROP COLUMN s",
    "ALTER TABLE t ADD COLUMN s INT",
    "UPDATE t SET s = 7, area = 'm' WHERE label = 'x'",
    "INSERT INTO t (id, label) VALUES (3, 'y')",
    "DELETE FROM t WHERE id = 2",
];

fn all_rows(store: &InMemory) -> Vec<serde_json::Value> {
    let outcome = run(&mut sandbox(store), "SELECT * FROM t ORDER BY id").unwrap();
    cli::value::rows(&outcome.rows.unwrap().batches).unwrap()
}

#[test]
fn columns_are_renamed_dropped_and_added_without_touching_files_and_the_mapping_can_go() {
    let store = InMemory::new();
    for text in MAPPED {
        execute(&store, text);
    }
    let expected = serde_json::json!([[1, "x", "m", 7], [3, "y", null, null]]);
    assert_eq!(serde_json::Value::Array(all_rows(&store)), expected);
    let snapshot = execute(&store, "ALTER TABLE t SET TBLPROPERTIES ('delta.columnMapping.mode' = 'none')");
    assert_eq!(serde_json::Value::Array(all_rows(&store)), expected);
    assert_eq!(snapshot.mapping(), MappingMode::None);
    assert!(!snapshot.metadata().schema_string.contains("columnMapping"), "{}", snapshot.metadata().schema_string);
    for add in snapshot.files() {
        assert!(add.path.starts_with("area=") && !add.data_change, "{add:?}");
        assert!(add.partition_values.contains_key("area"), "{add:?}");
    }
}

#[test]
fn a_table_that_begins_to_track_rows_numbers_those_it_has() {
    let store = InMemory::new();
    for text in [
        "CREATE TABLE t (id INT) USING delta",
        "INSERT INTO t VALUES (1), (2)",
        "INSERT INTO t VALUES (3)",
        "ALTER TABLE t SET TBLPROPERTIES ('delta.enableRowTracking' = 'true')",
        "INSERT INTO t VALUES (4)",
        "UPDATE t SET id = 20 WHERE id = 2",
    ] {
        execute(&store, text);
    }
    assert_eq!(latest(&store).version(), 7);
    let ids: Vec<i64> = row_ids(&store).values().map(|(id, _)| *id).collect();
    assert_eq!(ids, [0, 2, 3, 1]);
}

#[test]
fn a_table_that_replaces_another_keeps_the_labels_of_columns_that_stay_and_the_tracking_of_rows() {
    let store = InMemory::new();
    execute(&store, "CREATE TABLE t (id INT, v INT) USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'name')");
    let before = latest(&store);
    let text =
        "CREATE OR REPLACE TABLE t (id INT, z INT) USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'name')";
    let after = execute(&store, text);
    let label = |snapshot: &Snapshot, idx: usize| {
        let field = &snapshot.schema().fields[idx];
        (field.physical_name().to_owned(), field.column_id().unwrap())
    };
    assert_eq!(label(&after, 0), label(&before, 0));
    assert_eq!(label(&after, 1).1, 3);

    let store = InMemory::new();
    execute(&store, "CREATE TABLE t (id INT) USING delta TBLPROPERTIES ('delta.enableRowTracking' = 'true')");
    execute(&store, "INSERT INTO t VALUES (1), (2)");
    execute(&store, "CREATE OR REPLACE TABLE t (id INT) USING delta");
    let after = execute(&store, "INSERT INTO t VALUES (1)");
    assert_eq!(after.files()[0].base_row_id, Some(2));
    assert_eq!(row_ids(&store).len(), 1);
}

#[test]
fn columns_that_cannot_have_statistics_are_refused() {
    let store = InMemory::new();
    let create = |columns: &str| {
        let text = format!(
            "CREATE OR REPLACE TABLE t (a INT, s STRUCT<x: INT, y: STRING>, arr ARRAY<INT>, p STRING) USING delta \
             PARTITIONED BY (p) TBLPROPERTIES ('delta.dataSkippingStatsColumns' = '{columns}')"
        );
        run(&mut sandbox(&store), &text).err().map(|problem| problem.condition)
    };
    for (columns, condition) in [
        ("p", "DELTA_COLUMN_DATA_SKIPPING_NOT_SUPPORTED_PARTITIONED_COLUMN"),
        ("nope", "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA"),
        ("arr", "DELTA_COLUMN_DATA_SKIPPING_NOT_SUPPORTED_TYPE"),
        ("a,A", "DELTA_DUPLICATE_DATA_SKIPPING_COLUMNS"),
    ] {
        assert_eq!(create(columns).as_deref(), Some(condition), "{columns}");
    }
    assert_eq!(create("S.x, a"), None);
    let snapshot = execute(&store, "INSERT INTO t VALUES (1, named_struct('x', 2, 'y', 'q'), array(1), 'p')");
    let expected = r#"{"numRecords":1,"minValues":{"a":1,"s":{"x":2}},"maxValues":{"a":1,"s":{"x":2}},"nullCount":{"a":0,"s":{"x":0}}}"#;
    assert_eq!(snapshot.files()[0].stats.as_deref(), Some(expected));
}
