//! Commits: the text written, the snapshot derived, and the race for a version.

use crate::store::bytes;
use delta::actions::{Action, Add, Format, Metadata, PartitionValues, Protocol, Remove, Txn};
use delta::commit_info::CommitInfo;
use delta::error::Error;
use delta::paths::commit_path;
use delta::schema::{DataType, StructField, StructType};
use delta::snapshot::Snapshot;
use delta::storage::{InMemory, Storage};
use delta::transaction::{Checkpointed, CommitOutcome, Committed, Transaction};
use futures::executor::block_on;
use indexmap::IndexMap;

pub(crate) fn protocol() -> Action {
    let (reader_features, writer_features) = (None, None);
    Action::Protocol(Protocol { min_reader_version: 1, min_writer_version: 2, reader_features, writer_features })
}

pub(crate) fn metadata(configuration: &[(&str, &str)]) -> Action {
    let columns = vec![StructField::new("id", DataType::Int), StructField::new("p", DataType::String)];
    Action::Metadata(Metadata {
        id: "0".to_owned(),
        name: None,
        description: None,
        format: Format::default(),
        schema_string: StructType::new(columns).to_json(),
        partition_columns: vec!["p".to_owned()],
        configuration: configuration.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
        created_time: Some(7),
    })
}

pub(crate) fn add(name: &str, value: Option<&str>) -> Add {
    Add {
        path: name.to_owned(),
        partition_values: PartitionValues::from([("p".to_owned(), value.map(str::to_owned))]),
        size: 10,
        modification_time: 8,
        data_change: true,
        stats: Some(r#"{"numRecords":1}"#.to_owned()),
        tags: None,
        deletion_vector: None,
        base_row_id: None,
        default_row_commit_version: None,
        clustering_provider: None,
    }
}

pub(crate) fn info(operation: &str, timestamp: i64) -> CommitInfo {
    CommitInfo {
        timestamp,
        operation: operation.to_owned(),
        isolation_level: Some("Serializable".to_owned()),
        is_blind_append: Some(true),
        operation_metrics: IndexMap::from([("numFiles".to_owned(), "1".to_owned())]),
        engine_info: Some("MergeLab/0".to_owned()),
        ..CommitInfo::default()
    }
}

pub(crate) fn commit(store: &InMemory, read: Option<Snapshot>, actions: Vec<Action>, timestamp: i64) -> Committed {
    match block_on(Transaction::new("t", read).commit(store, actions, info("WRITE", timestamp))).unwrap() {
        CommitOutcome::Committed(committed) => committed,
        CommitOutcome::Conflict(conflict) => panic!("{conflict:?}"),
    }
}

pub(crate) fn load(store: &InMemory) -> Snapshot {
    block_on(Snapshot::load(store, "t", None)).unwrap().unwrap()
}

#[test]
fn the_first_line_is_commit_info_and_the_rest_keeps_its_order() {
    let store = InMemory::new();
    let first = commit(&store, None, vec![metadata(&[]), protocol()], 1000);
    let second = commit(&store, Some(first.snapshot), vec![Action::Add(add("p=x/a.parquet", Some("x")))], 2000);
    let text = concat!(
        r#"{"commitInfo":{"timestamp":2000,"operation":"WRITE","operationParameters":{},"readVersion":0,"#,
        r#""isolationLevel":"Serializable","isBlindAppend":true,"operationMetrics":{"numFiles":"1"},"engineInfo":"MergeLab/0"}}"#,
        "\n",
        r#"{"add":{"path":"p=x/a.parquet","partitionValues":{"p":"x"},"size":10,"modificationTime":8,"dataChange":true,"stats":"{\"numRecords\":1}"}}"#,
        "\n",
    );
    assert_eq!(second.log_text, text);
    assert_eq!(bytes(&store, &second.log_path), text);
    assert_eq!((second.version, second.log_path.as_str()), (1, "t/_delta_log/00000000000000000001.json"));
    assert_eq!(second.checkpoint, Checkpointed::NotDue);
}

#[test]
fn the_derived_snapshot_is_the_one_that_is_read_back() {
    let store = InMemory::new();
    let mut last = commit(&store, None, vec![metadata(&[]), protocol()], 1000).snapshot;
    for version in 1..=12_i64 {
        let file = add(&format!("{version}.parquet"), (version % 3 != 0).then_some("x"));
        let mut actions = vec![Action::Add(file)];
        if version % 4 == 0 {
            actions.push(Action::Remove(Remove::of(&last.files()[0], 1000 + version, true)));
            actions.push(Action::Txn(Txn { app_id: "app".to_owned(), version, last_updated: None }));
        }
        last = commit(&store, Some(last), actions, 1000 + version).snapshot;
        let read = load(&store);
        assert_eq!((read.version(), read.commit_timestamp()), (last.version(), last.commit_timestamp()));
        assert_eq!((read.txns(), read.metadata()), (last.txns(), last.metadata()));
        let paths =
            |s: &Snapshot| s.files().iter().map(|a| (a.path.clone(), a.partition_values.clone())).collect::<Vec<_>>();
        assert_eq!(paths(&read), paths(&last), "version {version}");
    }
}

#[test]
fn a_taken_version_is_an_outcome_that_shows_the_winner() {
    let store = InMemory::new();
    let base = commit(&store, None, vec![metadata(&[]), protocol()], 1000).snapshot;
    let winner = vec![Action::Add(add("winner", None))];
    commit(&store, Some(base.clone()), winner.clone(), 2000);
    let before = store.files();
    let loser =
        Transaction::new("t", Some(base)).commit(&store, vec![Action::Add(add("loser", None))], info("MERGE", 3000));
    let CommitOutcome::Conflict(conflict) = block_on(loser).unwrap() else { panic!("both won") };
    assert_eq!((conflict.version, conflict.actions), (1, winner));
    assert_eq!(conflict.winner.unwrap().timestamp, 2000);
    assert_eq!(store.files(), before);
}

#[test]
fn a_fork_goes_its_own_way() {
    let store = InMemory::new();
    let base = commit(&store, None, vec![metadata(&[]), protocol()], 1000).snapshot;
    let fork = store.fork();
    commit(&fork, Some(base), vec![Action::Add(add("a", None))], 2000);
    assert_eq!((load(&store).version(), load(&fork).version()), (0, 1));
}

#[test]
fn put_if_absent_leaves_the_first_file() {
    let store = InMemory::new();
    assert_eq!(block_on(store.put_if_absent("a", "1".into(), 0)), Ok(true));
    assert_eq!(block_on(store.put_if_absent("a", "2".into(), 0)), Ok(false));
    assert_eq!(bytes(&store, "a"), "1");
}

#[test]
fn a_removed_file_added_again_is_live_and_at_the_end() {
    let store = InMemory::new();
    let [a, b] = ["a", "b"].map(|name| add(name, Some("x")));
    let adds = vec![metadata(&[]), protocol(), Action::Add(a.clone()), Action::Add(b)];
    let first = commit(&store, None, adds, 1000).snapshot;
    let second = commit(&store, Some(first), vec![Action::Remove(Remove::of(&a, 1, true))], 1001).snapshot;
    assert_eq!((second.files().len(), second.tombstones().len()), (1, 1));
    let third = commit(&store, Some(second), vec![Action::Add(a)], 1002).snapshot;
    assert_eq!(third.files().iter().map(|add| add.path.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!(third.tombstones().len(), 0);
}

#[test]
fn nothing_is_written_by_a_commit_that_is_refused() {
    let store = InMemory::new();
    let refused = |read: Option<Snapshot>, actions: Vec<Action>| {
        let before = store.files();
        let error = block_on(Transaction::new("t", read).commit(&store, actions, info("WRITE", 0))).unwrap_err();
        assert_eq!(store.files(), before);
        error
    };
    assert_eq!(refused(None, vec![metadata(&[])]).condition(), Some("DELTA_STATE_RECOVER_ERROR"));
    assert!(matches!(refused(None, vec![protocol()]), Error::MissingMetadata { .. }));
    let protected = vec![metadata(&[]), needs(1, 7, Some("checkpointProtection"))];
    assert_eq!(refused(None, protected).condition(), Some("DELTA_UNSUPPORTED_FEATURES_FOR_WRITE"));
    let unknown = vec![metadata(&[]), needs(3, 7, Some("timeMachine"))];
    assert_eq!(refused(None, unknown).condition(), Some("DELTA_UNSUPPORTED_FEATURES_FOR_READ"));
    let future = vec![metadata(&[]), needs(4, 8, None)];
    assert_eq!(refused(None, future).condition(), Some("DELTA_INVALID_PROTOCOL_VERSION"));

    let file = add("a", None);
    let create = vec![metadata(&[("delta.appendOnly", "true")]), protocol(), Action::Add(file.clone())];
    let base = commit(&store, None, create, 0).snapshot;
    let error = refused(Some(base), vec![Action::Remove(Remove::of(&file, 0, true))]);
    assert_eq!(error.condition(), Some("DELTA_CANNOT_MODIFY_APPEND_ONLY"));
}

fn needs(reader: i32, writer: i32, feature: Option<&str>) -> Action {
    let features = feature.map(|name| vec![name.to_owned()]);
    Action::Protocol(Protocol {
        min_reader_version: reader,
        min_writer_version: writer,
        reader_features: features.clone().filter(|_| reader >= 3),
        writer_features: features,
    })
}

#[test]
fn a_gap_in_the_log_and_a_cut_off_start_are_told_apart() {
    let store = InMemory::new();
    let mut last = commit(&store, None, vec![metadata(&[]), protocol()], 0).snapshot;
    for name in ["a", "b", "c"] {
        last = commit(&store, Some(last), vec![Action::Add(add(name, None))], 0).snapshot;
    }
    let gap = store.fork();
    block_on(gap.delete(&commit_path("t", 2))).unwrap();
    let read = |store: &InMemory, version| block_on(Snapshot::load(store, "t", version));
    assert_eq!(read(&gap, None).unwrap_err().condition(), Some("DELTA_VERSIONS_NOT_CONTIGUOUS"));
    assert_eq!(read(&gap, Some(1)).unwrap().unwrap().version(), 1);
    block_on(store.delete(&commit_path("t", 0))).unwrap();
    assert_eq!(read(&store, None).unwrap_err().condition(), Some("DELTA_TRUNCATED_TRANSACTION_LOG"));
}

#[test]
fn a_damaged_line_is_named_by_file_and_line() {
    let store = InMemory::new();
    let text = "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}\n\n{\"add\":{\"path\":7}}\n";
    block_on(store.put(&commit_path("t", 0), text.into(), 0)).unwrap();
    match block_on(Snapshot::load(&store, "t", None)) {
        Err(Error::CorruptLog { file, line, .. }) => assert_eq!((file, line), (commit_path("t", 0), 3)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn unknown_actions_and_fields_are_passed_over() {
    assert_eq!(Action::parse(r#"{"futureAction":{"a":1}}"#).unwrap(), None);
    let line = r#"{"txn":{"appId":"a","version":1,"future":[]}}"#;
    let txn = Txn { app_id: "a".to_owned(), version: 1, last_updated: None };
    assert_eq!(Action::parse(line).unwrap(), Some(Action::Txn(txn)));
}
