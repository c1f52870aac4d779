//! Switching row tracking on for a table that exists: the protocol first, then ids for the rows that are there, each in
//! a commit of its own, before the property is set.

use super::{Altering, Draft, json_text};
use crate::commit::{Operation, commit};
use crate::definition;
use crate::observe::Silent;
use delta::actions::{Action, Add, Metadata};
use delta::row_tracking::is_enabled;
use delta::snapshot::Snapshot;
use serde_json::{Map, Value, json};
use spec::Diagnostic;

/// Whether the new definition tracks rows where the old one did not.
pub(super) fn is_asked(before: &Metadata, after: &Metadata) -> bool {
    is_enabled(after) && !is_enabled(before)
}

/// The table after the commits that must come first.
///
/// # Errors
/// The store failed, or a file has no statistics to count its rows by.
pub(super) async fn begin<'a>(mut table: Altering<'a>, draft: &Draft) -> Result<Altering<'a>, Diagnostic> {
    let old = Some(table.snapshot.protocol());
    if let Some(protocol) = definition::protocol(old, &draft.metadata, &draft.schema, &draft.requested, table.span)? {
        // As the reference lists them: what is new, then what was there.
        let had = delta::features::supported(table.snapshot.protocol());
        let listed = protocol.writer_features.clone().unwrap_or_default();
        let (kept, mut features): (Vec<String>, Vec<String>) = listed.into_iter().partition(|name| had.contains(name));
        features.extend(kept.into_iter().rev());
        let shown = json!({
            "minReaderVersion": protocol.min_reader_version,
            "minWriterVersion": protocol.min_writer_version,
            "readerFeatures": protocol.reader_features,
            "writerFeatures": features,
        });
        let parameters = Map::from_iter([("newProtocol".to_owned(), json_text(shown))]);
        table.snapshot = step(&table, "UPGRADE PROTOCOL", parameters, vec![Action::Protocol(protocol)]).await?;
    }
    let without = table.snapshot.files().iter().filter(|add| add.base_row_id.is_none());
    let again: Vec<Action> = without.map(|add| Action::Add(Add { data_change: false, ..Add::clone(add) })).collect();
    if !again.is_empty() {
        let parameters = Map::from_iter([("batchId".to_owned(), Value::String("0".into()))]);
        table.snapshot = step(&table, "ROW TRACKING BACKFILL", parameters, again).await?;
    }
    Ok(table)
}

async fn step(
    table: &Altering<'_>,
    name: &'static str,
    parameters: Map<String, Value>,
    log: Vec<Action>,
) -> Result<Snapshot, Diagnostic> {
    let reads_table = log.iter().any(|action| matches!(action, Action::Add(_)));
    let operation = Operation { name, parameters, metrics: Vec::new(), reads_table };
    let root = &table.entry.root;
    let committed = commit(table.context.env, root, Some(&table.snapshot), operation, log, &mut Silent).await?;
    Ok(committed.snapshot)
}
