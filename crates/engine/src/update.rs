//! UPDATE: find the rows, write their files anew, commit.

use crate::batch::gather;
use crate::commit::{Operation, commit_where, metric, predicate_list, removes};
use crate::constraints::{Rules, defaults, identity, refuse_changes};
use crate::filter::{self, Hits, scope_of};
use crate::insert::Done;
use crate::merge::{Assigned, changed, target_column};
use crate::observe::{ActionKind, ClauseInfo, ClauseKind, Event, Observer, TargetInfo};
use crate::products::{From, NO_CLAUSE, Piece};
use crate::rewrite::copied;
use crate::sandbox::Context;
use crate::target::{self, Target};
use crate::write::{Destination, adds, total_size, write_files};
use arrow::record_batch::RecordBatch;
use query::{AssignKind, Bound, bind, usage};
use serde_json::Map;
use spec::{Diagnostic, Expr, ExprKind, Update};

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
    let hits = filter::hits(context, &target, condition.as_ref(), observer).await?;
    observer.on(Event::Classified(&hits.actions));
    let pieces = pieces(&target, &hits, &values, &rules)?;
    rules.check(&pieces)?;
    let to = Destination::of(snapshot).keeping(context.env.storage.as_ref(), snapshot, &hits.scanned).await?;
    let written = write_files(context.env, &to, vec![pieces]).await?;
    let removed: Vec<usize> = hits.scanned.iter().map(|file| file.file).collect();
    observer.on(Event::Written { files: &written, removed: &removed });

    let n_copied = copied_rows(&hits);
    let elapsed_ms = context.elapsed_ms();
    let removed_bytes: i64 = hits.scanned.iter().map(|file| file.add.size).sum();
    let metrics = vec![
        metric("numRemovedFiles", removed.len()),
        metric("numRemovedBytes", removed_bytes),
        metric("numCopiedRows", n_copied),
        metric("numDeletionVectorsAdded", 0),
        metric("executionTimeMs", elapsed_ms),
        metric("numDeletionVectorsUpdated", 0),
        metric("scanTimeMs", elapsed_ms),
        metric("numAddedFiles", written.len()),
        metric("numUpdatedRows", hits.n_rows),
        metric("numDeletionVectorsRemoved", 0),
        metric("numAddedChangeFiles", 0),
        metric("numAddedBytes", total_size(&written)),
        metric("rewriteTimeMs", elapsed_ms),
    ];
    let table = target.name();
    if hits.scanned.is_empty() {
        observer.on(Event::Nothing { metrics: &metrics });
        return Ok(Done { n_rows: 0, version: None, table });
    }
    let text = condition.as_ref().map(Bound::catalyst);
    let parameters = Map::from_iter([("predicate".to_owned(), predicate_list(text.as_deref()))]);
    let operation = Operation { name: "UPDATE", parameters, metrics, reads_table: true };
    let mut log: Vec<_> = adds(&written).collect();
    log.extend(removes(context.env, snapshot, &removed));
    let committed =
        commit_where(context.env, snapshot, operation, log, (&hits.conjuncts, hits.read.iter().copied()), observer)
            .await?;
    Ok(Done { n_rows: hits.n_rows, version: Some(committed.version), table })
}

/// Rows of touched files that are no hits.
pub(crate) fn copied_rows(hits: &Hits) -> usize {
    hits.actions.files.iter().flat_map(|file| &file.clause).filter(|by| **by == NO_CLAUSE).count()
}

/// The SET list as one entry per column.
async fn values(context: &Context<'_>, target: &Target, update: &Update) -> Result<Vec<Option<Bound>>, Diagnostic> {
    let mut values: Vec<Option<Bound>> = vec![None; target.columns.len()];
    let scope = scope_of(target);
    for assignment in &update.assignments {
        let name = &assignment.column;
        let idx = match target_column(&target.qualifier, &target.columns, name) {
            Assigned::Column(idx) => idx,
            Assigned::Field => {
                return Err(Diagnostic::unsupported(format!("Assigning the nested field `{name}`"), name.span()));
            }
            Assigned::Unknown => {
                // The binder knows how to say which names there are.
                let column = Expr::new(ExprKind::Column(name.clone()), name.span());
                let bound = bind(&context.session, &context.resolver(), &scope, &column).await;
                return Err(
                    bound.map_or_else(Diagnostic::from, |_| Diagnostic::internal("an unknown column was found"))
                );
            }
        };
        if values[idx].is_some() {
            let message = format!("There is a conflict from these SET columns: `{name}` is assigned more than once.");
            return Err(Diagnostic::new("DELTA_CONFLICT_SET_COLUMN", "42701", message, name.span()));
        }
        let value = &assignment.value;
        let used = usage(value);
        if let Some((span, name)) = used.aggregates.or(used.windows) {
            let message = format!("{name}() cannot be used in the SET of UPDATE: it needs more than one row.");
            return Err(Diagnostic::new("UNSUPPORTED_EXPR_FOR_OPERATOR", "42K0E", message, span));
        }
        let field = target.schema().fields.get(idx).ok_or_else(|| Diagnostic::internal("no such column"))?;
        identity::refuse_update(field, name.span())?;
        let default = defaults::expression(field, value.span)?;
        let value = if value.kind == ExprKind::Default { &default } else { value };
        let bound = bind(&context.session, &context.resolver(), &scope, value).await.map_err(Diagnostic::from)?;
        values[idx] = Some(bound.assign(&context.session, &target.columns[idx].data_type, AssignKind::Update)?);
    }
    Ok(values)
}

/// Copied rows file by file, then the updated rows.
fn pieces(target: &Target, hits: &Hits, values: &[Option<Bound>], rules: &Rules) -> Result<Vec<Piece>, Diagnostic> {
    let assigned = values.iter().enumerate().filter(|(_, value)| value.is_some()).map(|(idx, _)| idx).collect();
    let compute = rules.to_recompute(&assigned);
    let mut pieces = copied(&hits.scanned, &hits.actions.files)?;
    for file in &hits.actions.files {
        let scanned = &hits.scanned[file.scanned];
        let rows: Vec<u64> = (0..scanned.n_rows).filter(|row| file.clause[*row as usize] != NO_CLAUSE).collect();
        let batches: Vec<&RecordBatch> = scanned.batches.iter().collect();
        let new = changed(values, &gather(&batches, &rows)?, target.columns.len())?;
        let new = rules.complete(&new, &compute)?;
        let numbers = rows.iter().map(|row| row + scanned.first_row).collect();
        pieces.push(Piece { rows: new, from: From::Updated { clause: 0, target: numbers, source: None } });
    }
    Ok(pieces)
}
