//! From file actions to a new version.

use crate::ENGINE_INFO;
use crate::env::Env;
use crate::failure;
use crate::observe::{Event, Observer};
use crate::prune::Conjunct;
use delta::actions::{Action, PartitionValues, Remove};
use delta::commit_info::CommitInfo;
use delta::conflict::{self, ReadRows, Reads};
use delta::row_tracking::is_enabled;
use delta::snapshot::Snapshot;
use delta::transaction::{CommitOutcome, Committed, Transaction};
use serde_json::{Map, Value};
use spec::Diagnostic;

/// Names and values in the order of the log.
pub(crate) type Metrics = Vec<(String, String)>;

/// What the commit says about itself.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    pub(crate) name: &'static str,
    pub(crate) parameters: Map<String, Value>,
    pub(crate) metrics: Metrics,
    /// Whether the statement read the table that it writes to.
    pub(crate) reads_table: bool,
}

/// Writes one log entry for `actions`. A statement that reads its table depends on every row of it; see
/// [`commit_reading`] for one that can say more.
///
/// # Errors
/// The store failed, or another writer was first and rules the commit out (the statement can be run again).
pub(crate) async fn commit(
    env: &Env,
    root: &str,
    read: Option<&Snapshot>,
    operation: Operation,
    actions: Vec<Action>,
    observer: &mut dyn Observer,
) -> Result<Committed, Diagnostic> {
    let rows = if operation.reads_table { ReadRows::WholeTable } else { ReadRows::Nothing };
    let reads = Reads { rows, ..Reads::default() };
    commit_reading(env, root, read, operation, actions, &reads, observer).await
}

/// Writes one log entry for `actions` of a statement that looked at the files at `files` of the snapshot, for rows that
/// meet all `conjuncts`: what others add elsewhere does not matter to it.
///
/// # Errors
/// As [`commit`].
pub(crate) async fn commit_where(
    env: &Env,
    snapshot: &Snapshot,
    operation: Operation,
    actions: Vec<Action>,
    (conjuncts, files): (&[Conjunct], impl IntoIterator<Item = usize>),
    observer: &mut dyn Observer,
) -> Result<Committed, Diagnostic> {
    let holds = |values: &PartitionValues| conjuncts.iter().all(|conjunct| conjunct.may_hold_in(snapshot, values));
    let paths = files.into_iter().filter_map(|file| snapshot.files().get(file)).map(|add| add.path.clone());
    let reads = Reads { rows: ReadRows::Partitions(&holds), files: paths.collect(), ..Reads::default() };
    commit_reading(env, snapshot.root(), Some(snapshot), operation, actions, &reads, observer).await
}

/// Writes one log entry for `actions`, after those of other writers where these leave alone what was read.
///
/// # Errors
/// As [`commit`].
pub(crate) async fn commit_reading(
    env: &Env,
    root: &str,
    read: Option<&Snapshot>,
    operation: Operation,
    actions: Vec<Action>,
    reads: &Reads<'_>,
    observer: &mut dyn Observer,
) -> Result<Committed, Diagnostic> {
    let appends_only = actions.iter().all(|action| !matches!(action, Action::Remove(_) | Action::AddCdcFile(_)));
    let info = CommitInfo {
        timestamp: env.clock.now_ms(),
        operation: operation.name.to_owned(),
        operation_parameters: operation.parameters,
        read_version: read.map(Snapshot::version),
        isolation_level: Some(isolation_level(&actions).into()),
        is_blind_append: Some(appends_only && !operation.reads_table),
        operation_metrics: operation.metrics.iter().cloned().collect(),
        tags: read.and_then(|read| row_ids_kept(read, operation.name)),
        engine_info: Some(ENGINE_INFO.into()),
        txn_id: Some(env.names.uuid()),
        user_metadata: env.note.clone(),
        ..CommitInfo::default()
    };
    let transaction = Transaction::new(root, read.cloned());
    let outcome = transaction.commit_or_follow(env.storage.as_ref(), actions, info, reads).await;
    match outcome.map_err(failure::of_store)? {
        CommitOutcome::Committed(committed) => {
            observer.on(Event::Committed {
                version: committed.version,
                log_path: &committed.log_path,
                log_text: &committed.log_text,
                metrics: &operation.metrics,
            });
            Ok(committed)
        }
        CommitOutcome::Conflict(conflict) => {
            let condition = conflict.refusal.as_ref().map(conflict::Refusal::condition);
            let why =
                conflict.refusal.as_ref().map_or_else(|| "another commit came first".to_owned(), ToString::to_string);
            let message = format!("Version {} was committed first: {why}.", conflict.version);
            let condition = condition.unwrap_or_else(|| "DELTA_CONCURRENT_WRITE".to_owned());
            Err(Diagnostic::new(condition, conflict::SQLSTATE, message, None)
                .with_hint("Nothing was committed; run the statement again on the new version."))
        }
    }
}

/// The level that the commit ran under: one that changes no data need not fear the changes of others.
fn isolation_level(actions: &[Action]) -> &'static str {
    if conflict::changes_no_data(actions) { "SnapshotIsolation" } else { "Serializable" }
}

/// What a commit that moves rows of a tracked table says: that their ids are as before.
fn row_ids_kept(read: &Snapshot, operation: &str) -> Option<Map<String, Value>> {
    let moves_rows = matches!(operation, "MERGE" | "UPDATE" | "DELETE" | "OPTIMIZE" | "REORG");
    let tag = ("delta.rowTracking.preserved".to_owned(), Value::String("true".into()));
    (moves_rows && is_enabled(read.metadata())).then(|| Map::from_iter([tag]))
}

/// The remove actions for the files at `files` of the snapshot.
pub(crate) fn removes(env: &Env, snapshot: &Snapshot, files: &[usize]) -> Vec<Action> {
    let now = env.clock.now_ms();
    files
        .iter()
        .filter_map(|file| snapshot.files().get(*file))
        .map(|add| Action::Remove(Remove::of(add, now, true)))
        .collect()
}

/// `"["<text>"]"`: how UPDATE, DELETE and MERGE log a predicate.
pub(crate) fn predicate_list(predicate: Option<&str>) -> Value {
    let list: Vec<Value> = predicate.into_iter().map(|text| Value::String(text.to_owned())).collect();
    Value::String(Value::Array(list).to_string())
}

/// Shorthand for a metric.
pub(crate) fn metric(name: &str, value: impl ToString) -> (String, String) {
    (name.to_owned(), value.to_string())
}
