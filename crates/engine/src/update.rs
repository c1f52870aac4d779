//! UPDATE: find the rows, write them anew, with their files or alone, commit.

use crate::batch::gather;
use crate::change_files::{cdc_actions, change_bytes, write_changes};
use crate::changes::{self, Effect};
use crate::commit::{Metrics, Operation, commit_where, metric, predicate_list, removes};
use crate::constraints::{Rules, defaults, refuse_changes};
use crate::filter::{self, Columns, Hits, decides_by_partition, scope_of};
use crate::insert::Done;
use crate::marks::{self, Marked, VectorCounts};
use crate::merge::changed;
use crate::names::{Left, in_collection, left_of};
use crate::observe::{ActionKind, ClauseInfo, ClauseKind, Event, Observer, TargetInfo};
use crate::products::{ChangeFile, FileActions, From, NO_CLAUSE, Piece, ScannedFile, WrittenFile};
use crate::read::rows_at;
use crate::rewrite::{by_task, copied, old_rows};
use crate::row::{Assigned, Row, refused_in_row};
use crate::sandbox::Context;
use crate::settings::UPDATE_MARKS;
use crate::target::{self, Target};
use crate::write::{Destination, adds, total_size, write_files};
use arrow::record_batch::RecordBatch;
use delta::change_feed;
use query::{AssignKind, Bound, bind, usage};
use serde_json::Map;
use spec::{Diagnostic, Expr, ExprKind, Update};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Changes the rows on which WHERE is true; no hit, no commit.
///
/// # Errors
/// Unknown names, values that do not fit their columns, the store failed.
pub(crate) async fn run(
    context: &Context<'_>,
    update: &Update,
    observer: &mut dyn Observer,
) -> Result<Done, Diagnostic> {
    let target = target::resolve(context.env, context.catalog, &update.table, "UPDATE").await?;
    refuse_changes(&target.snapshot, update.table.span)?;
    let values = values(context, &target, update).await?;
    let rules = Rules::load(context, target.snapshot.metadata(), target.schema(), update.table.span).await?;
    let condition = match &update.filter {
        Some(filter) => Some(filter::condition(context, &target, filter, "UPDATE").await?),
        None => None,
    };
    let snapshot = &target.snapshot;
    observer.on(Event::Begin {
        target: &TargetInfo {
            name: target.name(),
            operation: "UPDATE",
            columns: target.columns.clone(),
            snapshot: snapshot.clone(),
        },
        clauses: &[ClauseInfo { kind: ClauseKind::Statement, action: ActionKind::Update, span: update.table.span }],
        condition: update.filter.as_ref().map(|filter| filter.span),
    });
    let marks = marks::are_made(snapshot, context.settings, UPDATE_MARKS);
    // The change feed tells of whole rows, before and after.
    let columns =
        if marks && !change_feed::is_enabled(snapshot.metadata()) { Columns::Condition } else { Columns::All };
    let hits = filter::hits(context, &target, condition.as_ref(), columns, observer).await?;
    observer.on(Event::Classified(&hits.actions));
    let change = Change::of(&values, &rules);
    let mut tasks = Vec::new();
    for files in by_task(snapshot, &hits.scanned, &hits.actions.files, context.session.settings().tasks.parallelism) {
        tasks.push(match marks {
            true => changed_rows(context, &target, &hits, &files, &change).await?,
            false => pieces(&target, &hits, &files, &change)?,
        });
    }
    rules.check(tasks.iter().flatten())?;
    let recorded = changes::are_recorded(snapshot.metadata(), Effect::RowsRewritten);
    let changed = if recorded {
        let touched = || hits.scanned.iter().map(Arc::as_ref);
        changes::of_tasks(&tasks, &[], |rows| old_rows(touched(), rows))?
    } else {
        Vec::new()
    };
    let destination = Destination::of(snapshot).with_changes(recorded);
    let destination = destination.keeping(context.env.storage.as_ref(), snapshot, &hits.scanned).await?;
    let written = write_files(context.env, &destination, tasks).await?;
    let by_data = condition.as_ref().is_some_and(|condition| !decides_by_partition(&target, condition));
    let marked = if marks && by_data {
        marks::mark(context.env, snapshot, &hits.scanned, &hits.actions).await?
    } else {
        Marked::whole(hits.scanned.iter().map(|file| file.file).collect())
    };
    if marks {
        observer.on(Event::Hidden { files: &marked.hidden });
    }
    observer.on(Event::Written { files: &written, removed: &marked.removed });
    let change_files = write_changes(context.env, &destination, changed).await?;
    observer.on(Event::Recorded { files: &change_files });

    let vectors = if marks && by_data { marked.vectors(snapshot) } else { VectorCounts::default() };
    let metrics = metrics(context, &hits, &written, &change_files, marks, vectors);
    let table = target.name();
    if hits.scanned.is_empty() {
        observer.on(Event::Nothing { metrics: &metrics });
        return Ok(Done { n_rows: 0, version: None, table });
    }
    let text = condition.as_ref().map(Bound::catalyst);
    let parameters = Map::from_iter([("predicate".to_owned(), predicate_list(text.as_deref()))]);
    let operation = Operation { name: "UPDATE", parameters, metrics, reads_table: true };
    let recorded = cdc_actions(&change_files);
    let log = if marks {
        marked.log(context.env, snapshot).into_iter().chain(adds(&written)).chain(recorded).collect()
    } else {
        adds(&written).chain(recorded).chain(removes(context.env, snapshot, &marked.removed)).collect()
    };
    let committed =
        commit_where(context.env, snapshot, operation, log, (&hits.conjuncts, hits.read.iter().copied()), observer)
            .await?;
    Ok(Done { n_rows: hits.n_rows, version: Some(committed.version), table })
}

/// The metrics in the order of the log. Where rows are marked, a file counts as removed that only got a deletion
/// vector, and no bytes are counted.
fn metrics(
    context: &Context<'_>,
    hits: &Hits,
    written: &[WrittenFile],
    change_files: &[ChangeFile],
    marks: bool,
    vectors: VectorCounts,
) -> Metrics {
    let elapsed_ms = context.elapsed_ms();
    let removed_bytes: i64 = if marks { 0 } else { hits.scanned.iter().map(|file| file.add.size).sum() };
    vec![
        metric("numRemovedFiles", hits.scanned.len()),
        // The reference counts everything that is no data file among the removed bytes.
        metric("numRemovedBytes", removed_bytes + change_bytes(change_files)),
        metric("numCopiedRows", if marks { 0 } else { copied_rows(hits) }),
        metric("numDeletionVectorsAdded", vectors.added),
        metric("executionTimeMs", elapsed_ms),
        metric("numDeletionVectorsUpdated", vectors.updated),
        metric("scanTimeMs", elapsed_ms),
        metric("numAddedFiles", written.len()),
        metric("numUpdatedRows", hits.n_rows),
        metric("numDeletionVectorsRemoved", vectors.removed),
        metric("numAddedChangeFiles", change_files.len()),
        metric("numAddedBytes", total_size(written)),
        metric("rewriteTimeMs", elapsed_ms),
    ]
}

/// Rows of touched files that are no hits.
pub(crate) fn copied_rows(hits: &Hits) -> usize {
    hits.actions.files.iter().flat_map(|file| &file.clause).filter(|by| **by == NO_CLAUSE).count()
}

/// The SET list as one entry per column.
async fn values(context: &Context<'_>, target: &Target, update: &Update) -> Result<Vec<Option<Bound>>, Diagnostic> {
    let scope = scope_of(target);
    let (session, resolver) = (&context.session, context.resolver());
    let mut assigned = Vec::with_capacity(update.assignments.len());
    for assignment in &update.assignments {
        let name = &assignment.column;
        let path = match left_of(&target.qualifier, &target.columns, name) {
            Left::Path(path) => path,
            Left::InCollection => return Err(in_collection(name)),
            Left::Unknown => {
                // The binder knows how to say which names there are.
                let column = Expr::new(ExprKind::Column(name.clone()), name.span());
                let bound = bind(session, &resolver, &scope, &column).await;
                return Err(bound.map_or_else(Diagnostic::from, |_| in_collection(name)));
            }
        };
        let value = &assignment.value;
        if let Some(problem) = refused_in_row(&usage(value), "SET of UPDATE") {
            return Err(problem);
        }
        let field = path.first().and_then(|column| target.schema().field(column));
        let field = field.ok_or_else(|| Diagnostic::internal("no such column"))?;
        let default = defaults::expression(field, value.span)?;
        let value = if value.kind == ExprKind::Default { &default } else { value };
        let value = bind(session, &resolver, &scope, value).await.map_err(Diagnostic::from)?;
        assigned.push(Assigned { path, value, keeps_fields: false, span: name.span() });
    }
    Row { context, scope: &scope, target, kind: AssignKind::Update }.updated(&assigned)
}

/// How old rows become new ones.
struct Change<'a> {
    values: &'a [Option<Bound>],
    rules: &'a Rules,
    /// The generated columns that depend on an assigned one.
    compute: Vec<usize>,
}

impl<'a> Change<'a> {
    fn of(values: &'a [Option<Bound>], rules: &'a Rules) -> Self {
        let assigned = values.iter().enumerate().filter(|(_, value)| value.is_some()).map(|(idx, _)| idx).collect();
        Self { values, rules, compute: rules.to_recompute(&assigned) }
    }

    fn apply(
        &self,
        target: &Target,
        scanned: &ScannedFile,
        rows: &[u64],
        old: &RecordBatch,
    ) -> Result<Piece, Diagnostic> {
        let new = changed(self.values, old, target.columns.len())?;
        let numbers = rows.iter().map(|row| row + scanned.first_row).collect();
        let from = From::Updated { clause: 0, target: numbers, source: None };
        Ok(Piece { rows: self.rules.complete(&new, &self.compute)?, from })
    }
}

/// Copied rows file by file, then the updated rows.
fn pieces(target: &Target, hits: &Hits, files: &[&FileActions], change: &Change<'_>) -> Result<Vec<Piece>, Diagnostic> {
    let mut pieces = copied(&hits.scanned, files)?;
    for file in files {
        let scanned = &hits.scanned[file.scanned];
        let rows = hit_rows(&file.clause);
        let batches: Vec<&RecordBatch> = scanned.batches.iter().collect();
        pieces.push(change.apply(target, scanned, &rows, &gather(&batches, &rows)?)?);
    }
    Ok(pieces)
}

/// The updated rows alone. Of their old values no more is read than what the new rows take over.
async fn changed_rows(
    context: &Context<'_>,
    target: &Target,
    hits: &Hits,
    files: &[&FileActions],
    change: &Change<'_>,
) -> Result<Vec<Piece>, Diagnostic> {
    let chosen: Vec<(&ScannedFile, Vec<u64>)> =
        files.iter().map(|file| (hits.scanned[file.scanned].as_ref(), hit_rows(&file.clause))).collect();
    let storage = context.env.storage.as_ref();
    let old = rows_at(storage, &target.snapshot, &chosen, &columns_taken(change.values)).await?;
    chosen.iter().zip(&old).map(|((file, rows), old)| change.apply(target, file, rows, old)).collect()
}

/// The target columns that new values read, and those that stay as they are.
pub(crate) fn columns_taken(values: &[Option<Bound>]) -> BTreeSet<usize> {
    let of_column = |(idx, value): (usize, &Option<Bound>)| match value {
        Some(value) => value.columns(),
        None => BTreeSet::from([idx]),
    };
    values.iter().enumerate().flat_map(of_column).collect()
}

fn hit_rows(clause: &[u16]) -> Vec<u64> {
    clause.iter().enumerate().filter(|(_, by)| **by != NO_CLAUSE).map(|(row, _)| row as u64).collect()
}
