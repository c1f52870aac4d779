//! Which commits may follow which: the reference's observed matrix, and the order of its checks.

use crate::commits::{add, commit, info, load, metadata, protocol};
use delta::actions::{Action, DomainMetadata, Metadata, PartitionValues, Remove, Txn};
use delta::conflict::{Loser, ReadRows, Reads, Refusal, Winner, changes_no_data, check};
use delta::storage::InMemory;
use delta::transaction::{CommitOutcome, Transaction};
use futures::executor::block_on;

fn table(partitioned: bool, properties: &[(&str, &str)]) -> Metadata {
    let Action::Metadata(metadata) = metadata(properties) else { panic!("no metadata") };
    let partition_columns = if partitioned { metadata.partition_columns.clone() } else { Vec::new() };
    Metadata { partition_columns, ..metadata }
}

fn added(name: &str, value: &str) -> Action {
    Action::Add(add(name, Some(value)))
}

fn removed(name: &str, value: &str) -> Action {
    Action::Remove(Remove::of(&add(name, Some(value)), 9, true))
}

fn rearranged(action: Action) -> Action {
    match action {
        Action::Add(add) => Action::Add(delta::actions::Add { data_change: false, ..add }),
        Action::Remove(remove) => Action::Remove(Remove { data_change: false, ..remove }),
        other => other,
    }
}

fn is_x(values: &PartitionValues) -> bool {
    values.get("p").and_then(Option::as_deref) == Some("x")
}

/// The condition of the refusal, or `ok`.
fn verdict(partitioned: bool, reads: &Reads<'_>, own: &[Action], winner: &[Action]) -> String {
    let metadata = table(partitioned, &[]);
    let loser = Loser { actions: own, reads, metadata: &metadata };
    let refusal = check(&loser, &Winner { info: None, actions: winner });
    refusal.map_or_else(|| "ok".to_owned(), |refusal| refusal.condition())
}

/// An UPDATE that rewrote `old` of the partition `x`.
fn update(reads: ReadRows<'_>) -> (Reads<'_>, Vec<Action>) {
    let reads = Reads { rows: reads, files: ["old".to_owned()].into(), ..Reads::default() };
    (reads, vec![added("new", "x"), removed("old", "x")])
}

#[test]
fn a_blind_append_follows_whatever_leaves_the_metadata_alone() {
    let reads = Reads::default();
    let own = [added("mine", "x")];
    let rewrite = [added("theirs", "x"), removed("old", "x")];
    for winner in
        [vec![added("theirs", "x")], rewrite.to_vec(), rewrite.map(rearranged).to_vec(), vec![removed("old", "x")]]
    {
        assert_eq!(verdict(false, &reads, &own, &winner), "ok", "{winner:?}");
    }
    let changed = Action::Metadata(table(false, &[("delta.logRetentionDuration", "interval 1 day")]));
    assert_eq!(verdict(false, &reads, &own, &[changed]), "DELTA_METADATA_CHANGED");
    let vectors = Action::Metadata(table(false, &[("delta.enableDeletionVectors", "true")]));
    assert_eq!(verdict(false, &reads, &own, &[vectors, protocol()]), "ok");
}

#[test]
fn without_partitions_any_added_file_conflicts_with_a_reader() {
    let everything = |_: &PartitionValues| true;
    let (reads, own) = update(ReadRows::Partitions(&everything));
    let conflict = "DELTA_CONCURRENT_APPEND.WITHOUT_HINT";
    assert_eq!(verdict(false, &reads, &own, &[added("theirs", "y")]), conflict);
    assert_eq!(verdict(false, &reads, &own, &[added("theirs", "x"), removed("old", "x")]), conflict);
    assert_eq!(verdict(false, &reads, &own, &[added("theirs", "y"), removed("far", "y")].map(rearranged)), conflict);
    assert_eq!(verdict(false, &reads, &own, &[removed("old", "x")]), "DELTA_CONCURRENT_DELETE_READ.WITHOUT_HINT");
    assert_eq!(verdict(false, &reads, &own, &[removed("far", "y")]), "ok");
}

#[test]
fn with_partitions_only_those_read_matter() {
    let (reads, own) = update(ReadRows::Partitions(&is_x));
    assert_eq!(verdict(true, &reads, &own, &[added("theirs", "y"), removed("far", "y")]), "ok");
    assert_eq!(verdict(true, &reads, &own, &[added("theirs", "x")]), "DELTA_CONCURRENT_APPEND.WITH_PARTITION_HINT");
    let deleted = [removed("old", "x")];
    assert_eq!(verdict(true, &reads, &own, &deleted), "DELTA_CONCURRENT_DELETE_READ.WITH_PARTITION_HINT");
}

#[test]
fn a_rearrangement_minds_only_its_own_files() {
    let reads = Reads { rows: ReadRows::Partitions(&is_x), files: ["old".to_owned()].into(), ..Reads::default() };
    let own = [added("new", "x"), removed("old", "x")].map(rearranged);
    assert!(changes_no_data(&own) && changes_no_data(&[]) && !changes_no_data(&[added("new", "x")]));
    assert!(!changes_no_data(&[metadata(&[])]));
    assert_eq!(verdict(false, &reads, &own, &[added("theirs", "x")]), "ok");
    assert_eq!(verdict(false, &reads, &own, &[removed("old", "x")]), "DELTA_CONCURRENT_DELETE_READ.WITHOUT_HINT");
    let unread = Reads::default();
    assert_eq!(verdict(false, &unread, &own, &[removed("old", "x")]), "DELTA_CONCURRENT_DELETE_DELETE.WITHOUT_HINT");
}

#[test]
fn protocols_domains_and_progress_come_before_files() {
    let progress = |version| Action::Txn(Txn { app_id: "app".to_owned(), version, last_updated: None });
    let domain = |domain: &str| {
        let configuration = "{}".to_owned();
        Action::DomainMetadata(DomainMetadata { domain: domain.to_owned(), configuration, removed: false })
    };
    let reads = Reads { rows: ReadRows::WholeTable, app_ids: ["app".to_owned()].into(), ..Reads::default() };
    let file = added("theirs", "x");
    assert_eq!(verdict(false, &reads, &[protocol()], &[protocol(), file.clone()]), "DELTA_PROTOCOL_CHANGED");
    assert_eq!(verdict(false, &reads, &[added("a", "x")], &[progress(3), file]), "DELTA_CONCURRENT_TRANSACTION");
    assert_eq!(verdict(false, &Reads::default(), &[domain("d")], &[domain("d")]), "DELTA_CONCURRENT_TRANSACTION");
    assert_eq!(verdict(false, &Reads::default(), &[domain("d")], &[domain("e")]), "ok");
    assert_eq!(verdict(false, &Reads::default(), &[progress(1)], &[progress(2)]), "ok");
}

#[test]
fn a_commit_follows_the_winner_and_still_says_what_it_has_read() {
    let store = InMemory::new();
    let first = commit(&store, None, vec![metadata(&[]), protocol()], 1000);
    commit(&store, Some(first.snapshot.clone()), vec![added("p=x/theirs.parquet", "x")], 2000);
    commit(&store, Some(load(&store)), vec![added("p=x/more.parquet", "x")], 2500);
    let second = |reads: Reads<'static>, store: &InMemory, base| {
        let own = vec![added("p=x/mine.parquet", "x")];
        block_on(Transaction::new("t", Some(base)).commit_or_follow(store, own, info("WRITE", 3000), &reads)).unwrap()
    };
    let CommitOutcome::Committed(committed) = second(Reads::default(), &store, first.snapshot.clone()) else {
        panic!("a blind append conflicts with nothing")
    };
    assert_eq!((committed.version, committed.snapshot.files().len()), (3, 3));
    assert!(committed.log_text.contains(r#""readVersion":0"#), "{}", committed.log_text);
    let whole = Reads { rows: ReadRows::WholeTable, ..Reads::default() };
    let CommitOutcome::Conflict(conflict) = second(whole, &store, first.snapshot) else {
        panic!("a reader of the whole table cannot follow an append")
    };
    let partition = Some(PartitionValues::from([("p".to_owned(), Some("x".to_owned()))]));
    assert_eq!((conflict.version, conflict.refusal), (1, Some(Refusal::Append { partition })));
}
