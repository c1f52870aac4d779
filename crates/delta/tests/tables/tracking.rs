//! What a table may ask of every commit: row ids and a time of its own.

use crate::commits::{add, commit, info, load, metadata};
use delta::actions::{Action, Protocol, Remove};
use delta::error::Error;
use delta::paths::commit_path;
use delta::snapshot::{Snapshot, history};
use delta::storage::{InMemory, Storage};
use delta::transaction::Transaction;
use futures::executor::block_on;

fn protocol(features: &[&str]) -> Action {
    Action::Protocol(Protocol {
        min_reader_version: 1,
        min_writer_version: 7,
        reader_features: None,
        writer_features: Some(features.iter().map(|name| (*name).to_owned()).collect()),
    })
}

fn ids(snapshot: &Snapshot) -> Vec<(Option<i64>, Option<i64>)> {
    snapshot.files().iter().map(|add| (add.base_row_id, add.default_row_commit_version)).collect()
}

#[test]
fn rows_are_numbered_on_from_the_high_water_mark() {
    let store = InMemory::new();
    let features = protocol(&["rowTracking", "domainMetadata"]);
    let mut files = ["a", "b", "c"].map(|name| add(name, None));
    files[1].stats = Some(r#"{"numRecords":4}"#.to_owned());
    let [a, b, c] = files;
    let first = commit(&store, None, vec![metadata(&[]), features, Action::Add(a), Action::Add(b)], 0);
    assert_eq!(ids(&first.snapshot), [(Some(0), Some(0)), (Some(1), Some(0))]);
    let mark = r#"{"domainMetadata":{"domain":"delta.rowTracking","configuration":"{\"rowIdHighWaterMark\":4,\"domainName\":\"delta.rowTracking\"}","removed":false}}"#;
    assert_eq!(first.log_text.lines().last(), Some(mark));
    // A file that is added again keeps its ids; its removal says them too.
    let again = (*first.snapshot.files()[0]).clone();
    let removed = Remove::of(&again, 1, true);
    assert_eq!(removed.base_row_id, Some(0));
    let actions = vec![Action::Remove(removed), Action::Add(again), Action::Add(c)];
    let second = commit(&store, Some(first.snapshot), actions, 0).snapshot;
    assert_eq!(ids(&second), [(Some(1), Some(0)), (Some(0), Some(0)), (Some(5), Some(1))]);
    assert_eq!(ids(&load(&store)), ids(&second));
    // Nothing new, no new mark.
    let third = commit(&store, Some(second), vec![], 0);
    assert_eq!(third.log_text.lines().count(), 1);
}

#[test]
fn a_file_of_unknown_length_cannot_be_numbered() {
    let store = InMemory::new();
    let mut file = add("a", None);
    file.stats = None;
    let actions = vec![metadata(&[]), protocol(&["rowTracking", "domainMetadata"]), Action::Add(file)];
    let error = block_on(Transaction::new("t", None).commit(&store, actions, info("WRITE", 0))).unwrap_err();
    assert_eq!(error, Error::RowIdWithoutStats { path: "a".to_owned() });
    assert_eq!(store.files().len(), 0);
}

const TIMES: (&str, &str) = ("delta.enableInCommitTimestamps", "true");

#[test]
fn a_commit_carries_a_time_that_only_grows() {
    let store = InMemory::new();
    let first = commit(&store, None, vec![metadata(&[TIMES]), protocol(&["inCommitTimestamp"])], 5000);
    assert!(first.log_text.starts_with(r#"{"commitInfo":{"inCommitTimestamp":5000,"timestamp":5000,"#));
    assert!(!first.log_text.contains("EnablementVersion"));
    let second = commit(&store, Some(first.snapshot), vec![], 4000);
    assert_eq!(second.snapshot.commit_timestamp(), 5001);
    assert_eq!(load(&store).commit_timestamp(), 5001);
    let times: Vec<_> = block_on(history(&store, "t", None)).unwrap().iter().map(|(_, info)| info.time_ms()).collect();
    assert_eq!(times, [5001, 5000]);
}

#[test]
fn a_table_that_begins_with_times_later_remembers_when() {
    let store = InMemory::new();
    let first = commit(&store, None, vec![metadata(&[]), protocol(&["inCommitTimestamp"])], 1000).snapshot;
    let second = commit(&store, Some(first), vec![metadata(&[TIMES])], 2000).snapshot;
    let property = |name: &str| second.metadata().configuration.get(name).cloned();
    assert_eq!(property("delta.inCommitTimestampEnablementVersion").as_deref(), Some("1"));
    assert_eq!(property("delta.inCommitTimestampEnablementTimestamp").as_deref(), Some("2000"));
}

#[test]
fn the_time_of_a_checkpointed_version_is_still_that_of_its_commit() {
    let store = InMemory::new();
    let properties = [TIMES, ("delta.checkpointInterval", "1")];
    let first = commit(&store, None, vec![metadata(&properties), protocol(&["inCommitTimestamp"])], 5000).snapshot;
    commit(&store, Some(first), vec![], 6000);
    let path = commit_path("t", 1);
    let bytes = block_on(store.get(&path)).unwrap();
    block_on(store.put(&path, bytes, 9_999_999)).unwrap();
    assert_eq!(load(&store).commit_timestamp(), 6000);
}
