//! DELETE: drop whole files where that is enough; mark rows of the others as deleted, or write those files anew.

use crate::change_files::{cdc_actions, write_changes};
use crate::changes::{self, Effect};
use crate::commit::{Metrics, Operation, commit_where, metric, predicate_list, removes};
use crate::constraints::refuse_changes;
use crate::filter::{self, Columns, Hits, decides_by_partition};
use crate::insert::Done;
use crate::marks::{self, Marked, VectorCounts};
use crate::observe::{ActionKind, ClauseInfo, ClauseKind, Event, Observer, TargetInfo};
use crate::products::{ChangeFile, WrittenFile};
use crate::rewrite::{by_task, copied};
use crate::sandbox::Context;
use crate::settings::DELETE_MARKS;
use crate::target::{self, Target};
use crate::update::copied_rows;
use crate::write::{Destination, adds, total_size, write_files};
use delta::actions::Action;
use query::Bound;
use serde_json::Map;
use spec::{Delete, Diagnostic};

/// Removes the rows on which WHERE is true; rows where it is false or NULL stay. No hit, no commit.
///
/// # Errors
/// Unknown names, a condition that is not allowed, the store failed.
pub(crate) async fn run(
    context: &Context<'_>,
    delete: &Delete,
    observer: &mut dyn Observer,
) -> Result<Done, Diagnostic> {
    let target = target::resolve(context.env, context.catalog, &delete.table, "DELETE").await?;
    refuse_changes(&target.snapshot, delete.table.span)?;
    let condition = match &delete.filter {
        Some(filter) => Some(filter::condition(context, &target, filter, "DELETE").await?),
        None => None,
    };
    let snapshot = &target.snapshot;
    observer.on(Event::Begin {
        target: &TargetInfo {
            name: target.name(),
            operation: "DELETE",
            columns: target.columns.clone(),
            snapshot: snapshot.clone(),
        },
        clauses: &[ClauseInfo { kind: ClauseKind::Statement, action: ActionKind::Delete, span: delete.table.span }],
        condition: delete.filter.as_ref().map(|filter| filter.span),
    });
    let means = Means::of(context, &target, condition.as_ref());
    let columns = if means == Means::Rewrite { Columns::All } else { Columns::Condition };
    let hits = filter::hits(context, &target, condition.as_ref(), columns, observer).await?;
    observer.on(Event::Classified(&hits.actions));
    let recorded = changes::are_recorded(snapshot.metadata(), means.effect());
    let tasks = match means {
        Means::Rewrite => {
            let parallelism = context.session.settings().tasks.parallelism;
            let files = by_task(snapshot, &hits.scanned, &hits.actions.files, parallelism);
            files.iter().map(|files| copied(&hits.scanned, files)).collect::<Result<Vec<_>, _>>()?
        }
        _ => Vec::new(),
    };
    let changed = if recorded { changes::deleted(&tasks, &hits)? } else { Vec::new() };
    let mut destination = Destination::of(snapshot).with_changes(recorded);
    if means == Means::Rewrite {
        destination = destination.keeping(context.env.storage.as_ref(), snapshot, &hits.scanned).await?;
    }
    let written = write_files(context.env, &destination, tasks).await?;
    let marked = match means {
        Means::Mark => marks::mark(context.env, snapshot, &hits.scanned, &hits.actions).await?,
        Means::Drop | Means::Rewrite => Marked::whole(hits.scanned.iter().map(|file| file.file).collect()),
    };
    if means == Means::Mark {
        observer.on(Event::Hidden { files: &marked.hidden });
    }
    observer.on(Event::Written { files: &written, removed: &marked.removed });
    let change_files = write_changes(context.env, &destination, changed).await?;
    observer.on(Event::Recorded { files: &change_files });

    let metrics = metrics(context, means, &hits, &written, &change_files, (&marked, marked.vectors(snapshot)));
    let table = target.name();
    if hits.scanned.is_empty() {
        observer.on(Event::Nothing { metrics: &metrics });
        return Ok(Done { n_rows: 0, version: None, table });
    }
    let text = condition.as_ref().map_or_else(|| "true".to_owned(), Bound::catalyst);
    let parameters = Map::from_iter([("predicate".to_owned(), predicate_list(Some(&text)))]);
    let operation = Operation { name: "DELETE", parameters, metrics, reads_table: true };
    let mut log: Vec<Action> = match means {
        Means::Mark => marked.log(context.env, snapshot),
        Means::Drop | Means::Rewrite => removes(context.env, snapshot, &marked.removed),
    };
    log.extend(adds(&written).chain(cdc_actions(&change_files)));
    let committed =
        commit_where(context.env, snapshot, operation, log, (&hits.conjuncts, hits.read.iter().copied()), observer)
            .await?;
    Ok(Done { n_rows: hits.n_rows, version: Some(committed.version), table })
}

/// How rows go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Means {
    /// The condition decides about whole files: they are removed without a look at their rows.
    Drop,
    /// Deletion vectors hide the rows.
    Mark,
    /// Files with hits are written anew without them.
    Rewrite,
}

impl Means {
    fn of(context: &Context<'_>, target: &Target, condition: Option<&Bound>) -> Self {
        match condition {
            None => Self::Drop,
            Some(condition) if decides_by_partition(target, condition) => Self::Drop,
            Some(_) if marks::are_made(&target.snapshot, context.settings, DELETE_MARKS) => Self::Mark,
            Some(_) => Self::Rewrite,
        }
    }

    /// What readers of the change feed can tell by the files.
    fn effect(self) -> Effect {
        match self {
            Self::Drop | Self::Mark => Effect::ToldByFiles,
            Self::Rewrite => Effect::RowsRewritten,
        }
    }
}

/// The metrics in the order of the log. Where rows are marked, the reference counts neither removed bytes nor times.
fn metrics(
    context: &Context<'_>,
    means: Means,
    hits: &Hits,
    written: &[WrittenFile],
    change_files: &[ChangeFile],
    (marked, vectors): (&Marked, VectorCounts),
) -> Metrics {
    let elapsed_ms = context.elapsed_ms();
    let removed_bytes: i64 = if means == Means::Mark { 0 } else { hits.scanned.iter().map(|file| file.add.size).sum() };
    vec![
        metric("numRemovedFiles", marked.removed.len()),
        metric("numRemovedBytes", removed_bytes),
        metric("numCopiedRows", if means == Means::Rewrite { copied_rows(hits) } else { 0 }),
        metric("numDeletionVectorsAdded", vectors.added),
        metric("executionTimeMs", elapsed_ms),
        metric("numDeletionVectorsUpdated", vectors.updated),
        metric("numAddedFiles", written.len()),
        metric("numDeletionVectorsRemoved", vectors.removed),
        metric("numAddedChangeFiles", change_files.len()),
        metric("numDeletedRows", hits.n_rows),
        metric("scanTimeMs", if means == Means::Mark { 0 } else { elapsed_ms }),
        metric("numAddedBytes", total_size(written)),
        metric("rewriteTimeMs", if means == Means::Rewrite { elapsed_ms } else { 0 }),
    ]
}
