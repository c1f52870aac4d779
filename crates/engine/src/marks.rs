//! Marking rows of old files as deleted instead of writing the files again (PROTOCOL.md, Deletion Vectors).
//!
//! Which rows change is known before this module is asked; it turns them into deletion vectors, and the vectors into
//! actions. A file that loses its last live row is removed and needs no vector, if the log says how many rows it has.

use crate::env::Env;
use crate::failure;
use crate::products::{Actions, FileActions, HiddenRows, NO_CLAUSE, ScannedFile};
use crate::settings::Settings;
use delta::actions::{Action, Add, Remove};
use delta::deletion_vector::{self, DeletionVector, DeletionVectorFile};
use delta::paths::{deletion_vector_file_name, join};
use delta::snapshot::Snapshot;
use delta::stats::with_wide_bounds;
use spec::Diagnostic;
use std::sync::Arc;

/// The reference starts another file of vectors when one has this many bytes.
const FILE_BYTES: usize = 2 * 1024 * 1024;

/// What a statement does to old files without writing them again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marked {
    /// Files without a live row left, as indices into `Snapshot::files`.
    pub(crate) removed: Vec<usize>,
    /// Files that stay with fewer live rows.
    pub(crate) hidden: Vec<HiddenRows>,
}

/// How many deletion vectors came and went.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct VectorCounts {
    /// New ones, those that replace a smaller one included.
    pub(crate) added: usize,
    /// Old ones, those that are replaced by a larger one included.
    pub(crate) removed: usize,
    pub(crate) updated: usize,
}

/// Whether a statement marks rows of this table; `switch` is the setting that can forbid it.
pub(crate) fn are_made(snapshot: &Snapshot, settings: &Settings, switch: &str) -> bool {
    settings.is_on(switch) && deletion_vector::are_written(snapshot)
}

/// Marks the rows of scanned files that have a clause. The vectors are in the store afterwards, in as few files as
/// possible; no reader sees them yet.
///
/// # Errors
/// The store failed.
pub(crate) async fn mark(
    env: &Env,
    snapshot: &Snapshot,
    scanned: &[Arc<ScannedFile>],
    actions: &Actions,
) -> Result<Marked, Diagnostic> {
    let mut marked = Marked::default();
    let mut pages = Pages::default();
    for FileActions { scanned: idx, clause } in &actions.files {
        let file = &scanned[*idx];
        let n_rows = clause.iter().filter(|by| **by != NO_CLAUSE).count() as u64;
        if n_rows == 0 {
            continue;
        }
        // The reference goes by the statistics: without them it never sees that a file has lost its last row.
        if file.add.n_live_rows() == Some(n_rows) {
            marked.removed.push(file.file);
            continue;
        }
        let descriptor = pages.push(env, snapshot, &grown(file, clause)).await?;
        let add = Add {
            data_change: true,
            stats: Some(wide_stats(file)),
            deletion_vector: Some(descriptor),
            ..Add::clone(&file.add)
        };
        marked.hidden.push(HiddenRows { file: file.file, add: Arc::new(add), n_rows });
    }
    pages.flush(env, snapshot).await?;
    Ok(marked)
}

/// The rows that were deleted before and those that have a clause now.
fn grown(file: &ScannedFile, clause: &[u16]) -> DeletionVector {
    let rows = clause.iter().enumerate().filter(|(_, by)| **by != NO_CLAUSE).map(|(row, _)| row as u64);
    match &file.deleted {
        None => rows.collect(),
        Some(before) => before.union(&before.positions(rows).collect()),
    }
}

fn wide_stats(file: &ScannedFile) -> String {
    let known = file.add.stats.as_deref().and_then(with_wide_bounds);
    // A file with a deletion vector must say how many rows it has (PROTOCOL.md, Writer Requirement for Deletion Vectors).
    known.unwrap_or_else(|| {
        let n_rows = file.n_rows + file.deleted.as_ref().map_or(0, |deleted| deleted.len());
        format!("{{\"numRecords\":{n_rows},\"tightBounds\":false}}")
    })
}

/// The file of vectors that is being filled.
#[derive(Debug, Default)]
struct Pages {
    open: Option<(String, DeletionVectorFile)>,
}

impl Pages {
    async fn push(
        &mut self,
        env: &Env,
        snapshot: &Snapshot,
        vector: &DeletionVector,
    ) -> Result<delta::actions::DeletionVectorDescriptor, Diagnostic> {
        let (uuid, file) = self.open.get_or_insert_with(|| (env.names.uuid(), DeletionVectorFile::default()));
        let descriptor = file.push(vector, uuid).map_err(failure::of_store)?;
        if file.len() >= FILE_BYTES {
            self.flush(env, snapshot).await?;
        }
        Ok(descriptor)
    }

    async fn flush(&mut self, env: &Env, snapshot: &Snapshot) -> Result<(), Diagnostic> {
        let Some((uuid, file)) = self.open.take() else { return Ok(()) };
        let path = join(snapshot.root(), &deletion_vector_file_name(&uuid));
        let now = env.clock.now_ms();
        env.storage.put(&path, file.finish(), now).await.map_err(|error| failure::of_store(error.into()))
    }
}

impl Marked {
    /// Files that are removed whole because the condition decides about whole files.
    pub(crate) fn whole(files: Vec<usize>) -> Self {
        Self { removed: files, hidden: Vec::new() }
    }

    /// Whether no old file changes.
    pub(crate) fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.hidden.is_empty()
    }

    /// The actions, in the order of the reference: removed files, files with their new vector, and the same files as
    /// they were.
    pub(crate) fn log(&self, env: &Env, snapshot: &Snapshot) -> Vec<Action> {
        let now = env.clock.now_ms();
        let remove = |file: &usize| {
            let add = snapshot.files().get(*file)?;
            let stats = add.n_physical_rows().map(|n_rows| format!("{{\"numRecords\":{n_rows}}}"));
            Some(Action::Remove(Remove { stats, ..Remove::of(add, now, true) }))
        };
        let mut log: Vec<Action> = self.removed.iter().filter_map(remove).collect();
        log.extend(self.hidden.iter().map(|hidden| Action::Add(Add::clone(&hidden.add))));
        log.extend(self.hidden.iter().filter_map(|hidden| remove(&hidden.file)));
        log
    }

    /// The metrics of deletion vectors.
    pub(crate) fn vectors(&self, snapshot: &Snapshot) -> VectorCounts {
        let had_vector = |file: &usize| snapshot.files().get(*file).is_some_and(|add| add.deletion_vector.is_some());
        let updated = self.hidden.iter().filter(|hidden| had_vector(&hidden.file)).count();
        let dropped = self.removed.iter().filter(|file| had_vector(file)).count();
        VectorCounts { added: self.hidden.len(), removed: updated + dropped, updated }
    }
}
