//! TRUNCATE TABLE: every file leaves the table, none is read.

use super::subject;
use crate::commit::{Operation, commit, metric, removes};
use crate::constraints::refuse_changes;
use crate::observe::{Event, Observer};
use crate::sandbox::{Context, Outcome};
use serde_json::Map;
use spec::{Diagnostic, Name};

/// Empties a table; an empty one is left alone.
///
/// # Errors
/// There is no such Delta table; it takes appends only.
pub(crate) async fn run(
    context: &Context<'_>,
    table: &Name,
    observer: &mut dyn Observer,
) -> Result<Outcome, Diagnostic> {
    let subject = subject(context, table, "TRUNCATE TABLE").await?;
    let snapshot = &subject.snapshot;
    refuse_changes(snapshot, table.span())?;
    let all: Vec<usize> = (0..snapshot.files().len()).collect();
    let metrics = vec![metric("numRemovedFiles", all.len()), metric("executionTimeMs", context.elapsed_ms())];
    let mut version = None;
    if all.is_empty() {
        observer.on(Event::Nothing { metrics: &metrics });
    } else {
        let operation = Operation { name: "TRUNCATE", parameters: Map::new(), metrics, reads_table: true };
        let log = removes(context.env, snapshot, &all);
        let committed = commit(context.env, snapshot.root(), Some(snapshot), operation, log, observer).await?;
        version = Some(committed.version);
    }
    Ok(Outcome { kind: "TRUNCATE TABLE", rows: None, version, table: Some(subject.entry.short_name()) })
}
