//! DELETE: drop whole files where that is enough, write the others anew.

use crate::commit::{Operation, commit_where, metric, predicate_list, removes};
use crate::constraints::refuse_changes;
use crate::filter::{self, decides_by_partition};
use crate::insert::Done;
use crate::observe::{ActionKind, ClauseInfo, ClauseKind, Event, Observer, TargetInfo};
use crate::rewrite::copied;
use crate::sandbox::Context;
use crate::target;
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
    let hits = filter::hits(context, &target, condition.as_ref(), observer).await?;
    observer.on(Event::Classified(&hits.actions));
    let pieces = copied(&hits.scanned, &hits.actions.files)?;
    let to = Destination::of(snapshot).keeping(context.env.storage.as_ref(), snapshot, &hits.scanned).await?;
    let written = write_files(context.env, &to, vec![pieces]).await?;
    let removed: Vec<usize> = hits.scanned.iter().map(|file| file.file).collect();
    observer.on(Event::Written { files: &written, removed: &removed });

    let elapsed_ms = context.elapsed_ms();
    let by_data = condition.as_ref().is_some_and(|condition| !decides_by_partition(&target, condition));
    let removed_bytes: i64 = hits.scanned.iter().map(|file| file.add.size).sum();
    let metrics = vec![
        metric("numRemovedFiles", removed.len()),
        metric("numRemovedBytes", removed_bytes),
        metric("numCopiedRows", copied_rows(&hits)),
        metric("numDeletionVectorsAdded", 0),
        metric("executionTimeMs", elapsed_ms),
        metric("numDeletionVectorsUpdated", 0),
        metric("numAddedFiles", written.len()),
        metric("numDeletionVectorsRemoved", 0),
        metric("numAddedChangeFiles", 0),
        metric("numDeletedRows", hits.n_rows),
        metric("scanTimeMs", elapsed_ms),
        metric("numAddedBytes", total_size(&written)),
        metric("rewriteTimeMs", if by_data { elapsed_ms } else { 0 }),
    ];
    let table = target.name();
    if hits.scanned.is_empty() {
        observer.on(Event::Nothing { metrics: &metrics });
        return Ok(Done { n_rows: 0, version: None, table });
    }
    let text = condition.as_ref().map_or_else(|| "true".to_owned(), Bound::catalyst);
    let parameters = Map::from_iter([("predicate".to_owned(), predicate_list(Some(&text)))]);
    let operation = Operation { name: "DELETE", parameters, metrics, reads_table: true };
    let mut log: Vec<Action> = removes(context.env, snapshot, &removed);
    log.extend(adds(&written));
    let committed =
        commit_where(context.env, snapshot, operation, log, (&hits.conjuncts, hits.read.iter().copied()), observer)
            .await?;
    Ok(Done { n_rows: hits.n_rows, version: Some(committed.version), table })
}
