//! Taking column mapping off a table: every file is written again under the names that statements use.

use super::{Altered, Altering, Draft};
use crate::commit::{Operation, commit, metric};
use crate::observe::Observer;
use crate::products::{FileActions, NO_CLAUSE};
use crate::read::scan;
use crate::rewrite::copied;
use crate::write::{Destination, total_size, write_files};
use delta::actions::{Action, Add, Metadata, Remove};
use delta::mapping::{MAX_ID, MappingMode, unmapped};
use serde_json::Map;
use spec::Diagnostic;
use std::collections::BTreeSet;

/// Whether the new definition maps no columns where the old one did.
pub(super) fn is_asked(before: &Metadata, after: &Metadata) -> bool {
    let maps = |metadata: &Metadata| MappingMode::configured(metadata).is_ok_and(|mode| mode != MappingMode::None);
    maps(before) && !maps(after)
}

/// Rewrites the files, row for row, and commits them with the new definition.
///
/// # Errors
/// A file cannot be read; the store failed.
pub(super) async fn run(table: Altering<'_>, draft: Draft, observer: &mut dyn Observer) -> Result<Altered, Diagnostic> {
    let (env, snapshot) = (table.context.env, &table.snapshot);
    let storage = env.storage.as_ref();
    let schema = unmapped(&draft.schema);
    let mut metadata = draft.metadata;
    metadata.schema_string = schema.to_json();
    metadata.configuration.shift_remove(MAX_ID);

    let columns: BTreeSet<usize> = (0..schema.fields.len()).collect();
    let scanned = scan(storage, snapshot, 0..snapshot.files().len(), &columns).await?;
    let mut tasks = Vec::with_capacity(scanned.len());
    for (idx, file) in scanned.iter().enumerate() {
        let all = FileActions { scanned: idx, clause: vec![NO_CLAUSE; file.n_rows as usize] };
        tasks.push(copied(&scanned, &[&all])?);
    }
    let to = Destination { schema: &schema, metadata: &metadata, ..Destination::of(snapshot) };
    let to = to.keeping(storage, snapshot, &scanned).await?;
    let written = write_files(env, &to, tasks).await?;

    let now = env.clock.now_ms();
    let mut log = vec![Action::Metadata(metadata.clone())];
    log.extend(snapshot.files().iter().map(|add| Action::Remove(Remove::of(add, now, false))));
    log.extend(written.iter().map(|file| Action::Add(Add { data_change: false, ..Add::clone(&file.add) })));
    let operation = Operation {
        name: "REMOVE COLUMN MAPPING",
        parameters: Map::new(),
        metrics: vec![metric("numOutputBytes", total_size(&written))],
        reads_table: true,
    };
    let committed = commit(env, &table.entry.root, Some(snapshot), operation, log, observer).await?;
    Ok(Altered { version: Some(committed.version), table: table.entry.short_name(), renamed: None })
}
