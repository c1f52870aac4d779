//! Recorded tables: the log's text, every version, history, and what is refused.

use crate::rows::{recorded_rows, rows};
use crate::store::{READABLE, bytes, commit_paths, expected, recorded};
use delta::actions::Action;
use delta::error::Error;
use delta::schema::StructType;
use delta::snapshot::{Snapshot, history};
use futures::executor::block_on;

fn snapshot(name: &str, version: Option<u64>) -> Result<Snapshot, Error> {
    Ok(block_on(Snapshot::load(&recorded(name), "t", version))?.unwrap())
}

#[test]
fn every_line_is_written_back_byte_for_byte() {
    let mut n_lines = 0;
    for name in READABLE {
        let store = recorded(name);
        for path in commit_paths(&store) {
            for line in std::str::from_utf8(&bytes(&store, &path)).unwrap().lines() {
                let action = Action::parse(line).unwrap().unwrap();
                assert_eq!(serde_json::to_string(&action).unwrap(), line, "{name} {path}");
                n_lines += 1;
            }
        }
    }
    assert!(n_lines > 200, "{n_lines}");
}

#[test]
fn every_schema_is_written_back_byte_for_byte() {
    for name in READABLE {
        let snapshot = snapshot(name, None).unwrap();
        let text = &snapshot.metadata().schema_string;
        assert_eq!(&StructType::from_json(text).unwrap().to_json(), text, "{name}");
    }
}

#[test]
fn every_version_has_the_recorded_rows_schema_and_files() {
    for name in READABLE {
        let (store, expected) = (recorded(name), expected(name));
        for version in expected["versions"].as_array().unwrap() {
            let number = version["version"].as_u64().unwrap();
            let snapshot = block_on(Snapshot::load(&store, "t", Some(number))).unwrap().unwrap();
            assert_eq!(snapshot.version(), number);
            let columns: Vec<_> =
                snapshot.schema().fields.iter().map(|f| (f.name.clone(), f.data_type.spark_name())).collect();
            let recorded_columns: Vec<(String, String)> = serde_json::from_value(version["columns"].clone()).unwrap();
            assert_eq!(columns, recorded_columns, "{name} version {number}");
            let mut files: Vec<_> =
                snapshot.files().iter().map(|add| (add.path.as_str(), add.n_deleted_rows())).collect();
            let of_recorded = |file| {
                (str_at(file, "path"), file.get("deleted_rows").and_then(serde_json::Value::as_u64).unwrap_or(0))
            };
            let mut recorded_files: Vec<_> =
                version["active_files"].as_array().unwrap().iter().map(of_recorded).collect();
            files.sort_unstable();
            recorded_files.sort_unstable();
            assert_eq!(files, recorded_files, "{name} version {number}");
            let found = rows(&store, &snapshot).unwrap();
            if ["nested", "numbers", "timestamps", "column-mapping-upgraded"].contains(name) {
                assert_eq!(found.len(), version["rows"].as_array().unwrap().len(), "{name} version {number}");
            } else {
                assert_eq!(found, recorded_rows(snapshot.schema(), &version["rows"]), "{name} version {number}");
            }
        }
    }
}

fn str_at<'a>(value: &'a serde_json::Value, name: &str) -> &'a str {
    value[name].as_str().unwrap()
}

#[test]
fn refresh_reads_on_from_any_version() {
    for name in READABLE {
        let store = recorded(name);
        let latest = snapshot(name, None).unwrap();
        for version in 0..=latest.version() {
            let old = block_on(Snapshot::load(&store, "t", Some(version))).unwrap().unwrap();
            let new = block_on(old.refresh(&store)).unwrap();
            assert_eq!(new.version(), latest.version());
            let paths = |snapshot: &Snapshot| {
                let mut paths: Vec<_> = snapshot.files().iter().map(|add| add.path.clone()).collect();
                paths.sort_unstable();
                paths
            };
            assert_eq!(paths(&new), paths(&latest), "{name} from {version}");
        }
    }
}

#[test]
fn files_stand_in_the_order_of_the_commits_that_added_them() {
    let store = recorded("partition-odd-values");
    let snapshot = block_on(Snapshot::load(&store, "t", Some(2))).unwrap().unwrap();
    let mut added = Vec::new();
    for path in commit_paths(&store).into_iter().take(3) {
        for action in delta::log::parse_commit(&path, &bytes(&store, &path)).unwrap() {
            if let Action::Add(add) = action {
                added.push(add.path);
            }
        }
    }
    assert_eq!(snapshot.files().iter().map(|add| add.path.clone()).collect::<Vec<_>>(), added);
}

#[test]
fn history_is_newest_first() {
    let store = recorded("merge-scd2");
    let all = block_on(history(&store, "t", None)).unwrap();
    let recorded = expected("merge-scd2");
    let mut operations: Vec<_> =
        recorded["versions"].as_array().unwrap().iter().map(|v| v["operation"].as_str().unwrap()).collect();
    operations.reverse();
    assert_eq!(all.iter().map(|(_, info)| info.operation.as_str()).collect::<Vec<_>>(), operations);
    let newest = block_on(history(&store, "t", Some(1))).unwrap();
    assert_eq!(newest, all[..1]);
}

#[test]
fn a_version_that_does_not_exist_names_the_range() {
    let error = snapshot("merge-scd2", Some(99)).unwrap_err();
    let latest = expected("merge-scd2")["latest_version"].as_u64().unwrap();
    assert_eq!(error, Error::VersionNotFound { version: 99, earliest: 0, latest });
    assert_eq!((error.condition(), error.sqlstate()), (Some("DELTA_VERSION_NOT_FOUND"), Some("22003")));
}

#[test]
fn no_log_is_no_table() {
    assert_eq!(block_on(Snapshot::load(&recorded("merge-scd2"), "elsewhere", None)), Ok(None));
    let error = block_on(history(&recorded("merge-scd2"), "elsewhere", None)).unwrap_err();
    assert_eq!(error.condition(), Some("DELTA_TABLE_NOT_FOUND"));
}
