//! From file actions to a new version.

use crate::ENGINE_INFO;
use crate::env::Env;
use crate::failure;
use crate::observe::{Event, Observer};
use delta::actions::{Action, Remove};
use delta::commit_info::CommitInfo;
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

/// Writes one log entry for `actions`.
///
/// # Errors
/// The store failed, or another writer took the version (the statement can be run again).
pub(crate) async fn commit(
    env: &Env,
    root: &str,
    read: Option<&Snapshot>,
    operation: Operation,
    actions: Vec<Action>,
    observer: &mut dyn Observer,
) -> Result<Committed, Diagnostic> {
    let appends_only = actions.iter().all(|action| !matches!(action, Action::Remove(_) | Action::AddCdcFile(_)));
    let info = CommitInfo {
        timestamp: env.clock.now_ms(),
        operation: operation.name.to_owned(),
        operation_parameters: operation.parameters,
        read_version: read.map(Snapshot::version),
        isolation_level: Some("Serializable".into()),
        is_blind_append: Some(appends_only && !operation.reads_table),
        operation_metrics: operation.metrics.iter().cloned().collect(),
        engine_info: Some(ENGINE_INFO.into()),
        txn_id: Some(env.names.uuid()),
        ..CommitInfo::default()
    };
    let transaction = Transaction::new(root, read.cloned());
    match transaction.commit(env.storage.as_ref(), actions, info).await.map_err(failure::of_store)? {
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
            let message = format!("Another writer committed version {} first.", conflict.version);
            Err(Diagnostic::new("DELTA_CONCURRENT_WRITE", "2D521", message, None)
                .with_hint("Nothing was committed; run the statement again on the new version."))
        }
    }
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
