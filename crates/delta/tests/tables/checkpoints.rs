//! Checkpoints: when they are written, what they keep, and that they stand in for the log before them.

use crate::commits::{add, commit, load, metadata, protocol};
use crate::store::{READABLE, bytes, recorded};
use delta::actions::{Action, DomainMetadata, Remove, Txn};
use delta::checkpoint::write_checkpoint;
use delta::error::Error;
use delta::log::LastCheckpoint;
use delta::paths::{checkpoint_path, commit_path, last_checkpoint_path};
use delta::snapshot::Snapshot;
use delta::storage::{InMemory, Storage};
use delta::transaction::Checkpointed;
use futures::executor::block_on;

fn drop_commits(store: &InMemory, versions: std::ops::RangeInclusive<u64>) {
    for version in versions {
        block_on(store.delete(&commit_path("t", version))).unwrap();
    }
}

#[test]
fn every_tenth_commit_writes_one_that_replaces_the_log() {
    let store = InMemory::new();
    let mut last = commit(&store, None, vec![metadata(&[]), protocol()], 0).snapshot;
    for version in 1..=10_i64 {
        let mut actions = vec![Action::Add(add(&version.to_string(), (version != 3).then_some("x")))];
        if version == 5 {
            actions.push(Action::Remove(Remove::of(&last.files()[1], version, true)));
            actions.push(Action::Txn(Txn { app_id: "app".to_owned(), version, last_updated: Some(1) }));
            let [domain, configuration] = ["d", "{}"].map(str::to_owned);
            actions.push(Action::DomainMetadata(DomainMetadata { domain, configuration, removed: false }));
        }
        let committed = commit(&store, Some(last), actions, version);
        let is_due = version == 10;
        let expected =
            if is_due { Checkpointed::Written { path: checkpoint_path("t", 10) } } else { Checkpointed::NotDue };
        assert_eq!(committed.checkpoint, expected);
        last = committed.snapshot;
    }
    drop_commits(&store, 0..=9);
    let read = load(&store);
    assert_eq!((read.version(), read.txns(), read.domain_metadata()), (10, last.txns(), last.domain_metadata()));
    assert_eq!((read.metadata(), read.protocol()), (last.metadata(), last.protocol()));
    let files = |s: &Snapshot| {
        let parts =
            |a: &std::sync::Arc<delta::actions::Add>| (a.path.clone(), a.partition_values.clone(), a.stats.clone());
        s.files().iter().map(parts).collect::<Vec<_>>()
    };
    assert_eq!(files(&read), files(&last));
    assert_eq!(read.tombstones().len(), 1);

    let hint: LastCheckpoint = serde_json::from_slice(&bytes(&store, &last_checkpoint_path("t"))).unwrap();
    assert_eq!((hint.version, hint.size, hint.num_of_add_files), (10, 14, Some(9)));
    assert_eq!(hint.size_in_bytes, Some(bytes(&store, &checkpoint_path("t", 10)).len() as i64));
}

#[test]
fn the_interval_is_a_table_property() {
    let store = InMemory::new();
    let first = commit(&store, None, vec![metadata(&[("delta.checkpointInterval", "2")]), protocol()], 0).snapshot;
    let second = commit(&store, Some(first), vec![], 0);
    assert_eq!(second.checkpoint, Checkpointed::NotDue);
    let third = commit(&store, Some(second.snapshot), vec![], 0);
    assert_eq!(third.checkpoint, Checkpointed::Written { path: checkpoint_path("t", 2) });
}

#[test]
fn a_checkpoint_that_fails_leaves_the_commit() {
    let store = InMemory::new();
    let properties = &[("delta.checkpointInterval", "1"), ("delta.deletedFileRetentionDuration", "interval 1 month")];
    let first = commit(&store, None, vec![metadata(properties), protocol()], 0).snapshot;
    let second = commit(&store, Some(first), vec![], 0);
    assert!(matches!(second.checkpoint, Checkpointed::Failed(Error::InvalidProperty { .. })));
    assert_eq!(load(&store).version(), 1);
}

#[test]
fn old_tombstones_are_left_out() {
    let store = InMemory::new();
    let file = add("a", None);
    let properties = &[("delta.deletedFileRetentionDuration", "interval 2 hours")];
    let create = vec![metadata(properties), protocol(), Action::Add(file.clone())];
    let first = commit(&store, None, create, 0).snapshot;
    let second = commit(&store, Some(first), vec![Action::Remove(Remove::of(&file, 1000, true))], 1000).snapshot;
    for (now_ms, kept) in [(2_000, 1), (3 * 3_600_000, 0)] {
        let store = store.fork();
        block_on(write_checkpoint(&store, &second, now_ms)).unwrap();
        assert_eq!(load(&store).tombstones().len(), kept);
    }
}

#[test]
fn recorded_checkpoints_stand_in_for_the_commits_before_them() {
    for (name, at) in [("checkpoint-v1-classic", 6), ("checkpoint-v1-multipart", 6), ("checkpoint-v2-json", 4)] {
        let store = recorded(name);
        let whole = load(&store);
        let by_log = store.fork();
        for file in store.files().iter().filter(|file| file.path.contains("checkpoint")) {
            block_on(by_log.delete(&file.path)).unwrap();
        }
        let by_checkpoint = store.fork();
        drop_commits(&by_checkpoint, 0..=at);
        for other in [load(&by_log), load(&by_checkpoint)] {
            let paths = |snapshot: &Snapshot| {
                let mut found: Vec<_> = snapshot.files().iter().map(|a| (a.path.clone(), a.stats.clone())).collect();
                found.sort();
                found
            };
            assert_eq!(paths(&other), paths(&whole), "{name}");
            assert_eq!((other.metadata(), other.protocol()), (whole.metadata(), whole.protocol()), "{name}");
        }
        let error = block_on(Snapshot::load(&by_checkpoint, "t", Some(at - 1))).unwrap_err();
        assert_eq!(error, Error::VersionNotFound { version: at - 1, earliest: at, latest: whole.version() });
    }
}

#[test]
fn a_checkpoint_of_any_recorded_table_reads_back_the_same() {
    for name in READABLE {
        let store = recorded(name);
        let whole = load(&store);
        block_on(write_checkpoint(&store, &whole, 0)).unwrap();
        drop_commits(&store, 0..=whole.version());
        let read = load(&store);
        assert_eq!((read.metadata(), read.protocol()), (whole.metadata(), whole.protocol()), "{name}");
        let files = |s: &Snapshot| {
            s.files().iter().map(|a| delta::actions::Add { data_change: false, ..(**a).clone() }).collect::<Vec<_>>()
        };
        assert_eq!(files(&read), files(&whole), "{name}");
        assert_eq!(read.domain_metadata(), whole.domain_metadata(), "{name}");
    }
}

#[test]
fn a_damaged_hint_costs_nothing_but_time() {
    for hint in ["", "{", "{\"version\":77,\"size\":1}", "{\"version\":2,\"size\":1}"] {
        let store = recorded("checkpoint-v1-classic");
        block_on(store.put(&last_checkpoint_path("t"), hint.to_owned().into(), 0)).unwrap();
        assert_eq!(load(&store).version(), 8, "{hint}");
    }
}
