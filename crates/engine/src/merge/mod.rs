//! MERGE INTO, in phases that are values.
//!
//! Read [`run`] first: it calls the phases in order and lends each product to the observer. The
//! reference's rules are cited where they are decided: which files are touched (`find`), the
//! duplicate-match rule (`duplicates`), who acts on a row (`classify`), what is counted (`metrics`).

mod actions;
mod bind;
mod classify;
mod clause;
mod duplicates;
mod evolve;
mod find;
mod metrics;
mod parameters;
mod plan;
mod remedy;
mod rows;
mod sides;
mod tasks;
mod written_rows;

pub(crate) use evolve::repeated;
pub(crate) use rows::changed;

use crate::change_files::{cdc_actions, write_changes};
use crate::changes::{self, Effect};
use crate::commit::{Operation, commit_where, removes};
use crate::constraints::identity::Counter;
use crate::insert::marked;
use crate::marks::{self, Marked};
use crate::observe::{Event, Observer, TargetInfo};
use crate::products::{Actions, ChangedRows, Piece};
use crate::sandbox::Context;
use crate::write::{Destination, adds, brought_together, total_rows, write_files};
use bind::BoundMerge;
use delta::actions::Action;
use find::Found;
use metrics::MergeMetrics;
use plan::{MergePlan, Strategy};
use sides::Sent;
use spec::{Diagnostic, MergeInto};

/// What a MERGE did.
#[derive(Debug, Clone)]
pub(crate) struct Merged {
    pub(crate) counts: MergeMetrics,
    /// Absent when there was nothing to commit.
    pub(crate) version: Option<u64>,
    pub(crate) table: String,
}

/// Runs a MERGE: bind, plan, find touched files, classify rows, write files, commit.
///
/// # Errors
/// Anything that the statement's text, its rows or the store make impossible; nothing is
/// committed then.
pub(crate) async fn run(
    context: &Context<'_>,
    merge: &MergeInto,
    observer: &mut dyn Observer,
) -> Result<Merged, Diagnostic> {
    let bound = bind::merge(context, merge).await?;
    observer.on(Event::Begin {
        target: &TargetInfo {
            name: bound.target.name(),
            operation: "MERGE",
            columns: bound.target.columns.clone(),
            snapshot: bound.target.snapshot.clone(),
        },
        clauses: &bound.clause_infos(),
        condition: Some(merge.on.span),
    });
    if let Some(before) = &bound.columns_before {
        let (added, changed) = bound.target.columns_since(before);
        observer.on(Event::Evolves { added: &added, changed: &changed });
    }
    let plan = plan::merge(&bound, context.settings, context.script);
    let (source, branches) = find::read_source(context, &bound).await?;
    observer.on(Event::Source { name: &bound.source_name, columns: &bound.source_columns, rows: &source });

    let found = find::touched_files(context, &bound, &plan, &source, observer).await;
    let mut found = found.map_err(|problem| remedy::offered(problem, context.script, merge, &bound))?;
    let actions = classify::rows(&bound, &plan, &found, &source)?;
    observer.on(Event::Classified(&actions));
    if !plan.completes_files {
        found.old = Some(find::old_rows(context, &bound, &found, &actions).await?);
    }

    let snapshot = &bound.target.snapshot;
    let mut counter = Counter::new(snapshot.schema());
    let pieces = rows::to_write(&bound, &plan, &found, &source, &actions, &mut counter)?;
    let sent = sides::sent(&bound, &plan, source.num_rows(), found.touched_bytes(&bound.target.snapshot));
    let rewrite = rewrite(&bound, &found, &actions, split(&bound, &plan, &found, pieces, sent, &branches)?)?;
    bound.rules.check(rewrite.tasks.iter().flatten())?;
    let touched: Vec<_> = found.touched.iter().filter_map(|idx| found.scanned.get(*idx).cloned()).collect();
    let destination = Destination::of(snapshot).with_changes(rewrite.recorded);
    let destination = destination.keeping(context.env.storage.as_ref(), snapshot, &touched).await?;
    let tasks = brought_together(&destination, rewrite.tasks);
    let written = write_files(context.env, &destination, tasks).await?;
    let old_files = match plan.strategy {
        Strategy::MarkRows => marks::mark(context.env, snapshot, &found.scanned, &actions).await?,
        Strategy::InsertOnly | Strategy::CopyOnWrite => Marked::whole(found.removed_files(&plan)),
    };
    if plan.strategy == Strategy::MarkRows {
        observer.on(Event::Hidden { files: &old_files.hidden });
    }
    observer.on(Event::Written { files: &written, removed: &old_files.removed });
    let change_files = write_changes(context.env, &destination, rewrite.changed).await?;
    observer.on(Event::Recorded { files: &change_files });

    let elapsed_ms = context.elapsed_ms();
    if !actions.copied_again.is_empty() {
        let repeated = (actions.copied_again.as_slice(), total_rows(&written));
        duplicates::check_counts(context, &bound, &found, &source, repeated).await?;
    }
    let n_source = source.num_rows() as u64;
    let n_source = sides::counted(&plan, n_source, sent, found.scanned.len(), found.touched.len());
    let mut counts = MergeMetrics::count(&bound, &plan, n_source, &actions, &written, &old_files, elapsed_ms);
    counts.change_files = change_files.len();
    let metrics = counts.entries();
    let table = bound.target.name();
    if written.is_empty() && old_files.is_empty() && bound.columns_before.is_none() {
        observer.on(Event::Nothing { metrics: &metrics });
        return Ok(Merged { counts, version: None, table });
    }
    let operation = Operation { name: "MERGE", parameters: parameters::of(&bound), metrics, reads_table: true };
    let metadata = marked(snapshot.metadata(), counter.into_schema());
    let metadata = metadata.or_else(|| bound.columns_before.as_ref().map(|_| snapshot.metadata().clone()));
    let mut log: Vec<Action> = metadata.map(Action::Metadata).into_iter().chain(adds(&written)).collect();
    log.extend(cdc_actions(&change_files));
    log.extend(match plan.strategy {
        Strategy::MarkRows => old_files.log(context.env, snapshot),
        Strategy::InsertOnly | Strategy::CopyOnWrite => removes(context.env, snapshot, &old_files.removed),
    });
    let read = found.scanned.iter().map(|file| file.file);
    let committed = commit_where(context.env, snapshot, operation, log, (&plan.conjuncts, read), observer).await?;
    Ok(Merged { counts, version: Some(committed.version), table })
}

/// What a MERGE writes, before it is written.
struct Rewrite {
    /// New data files, by output task.
    tasks: Vec<Vec<Piece>>,
    /// New change files, by output task.
    changed: Vec<Vec<ChangedRows>>,
    /// Whether the commit records its changes.
    recorded: bool,
}

/// Splits the new rows into the reference's output tasks.
fn split(
    bound: &BoundMerge,
    plan: &MergePlan,
    found: &Found,
    pieces: Vec<Piece>,
    sent: Option<Sent>,
    branches: &[usize],
) -> Result<Vec<Vec<Piece>>, Diagnostic> {
    let streams_source =
        plan.streams_source && found.joined_bytes(plan, &bound.target.snapshot) < sides::BROADCAST_BYTES;
    match sent {
        Some(sent) if !found.scanned.is_empty() => tasks::by_side(pieces, sent, found, branches),
        _ if branches.len() > 1 && (found.scanned.is_empty() || streams_source) => {
            tasks::by_branch(&pieces, branches, &found.matches)
        }
        _ => Ok(vec![pieces]),
    }
}

/// Derives what the change feed is told of the new rows.
fn rewrite(
    bound: &BoundMerge,
    found: &Found,
    actions: &Actions,
    mut tasks: Vec<Vec<Piece>>,
) -> Result<Rewrite, Diagnostic> {
    let effect = if found.touched.is_empty() { Effect::ToldByFiles } else { Effect::RowsRewritten };
    if !changes::are_recorded(bound.target.snapshot.metadata(), effect) {
        return Ok(Rewrite { tasks, changed: Vec::new(), recorded: false });
    }
    if duplicates::first(&found.matches).is_some() {
        // To record a deleted row once, the reference brings all rows together.
        tasks = vec![tasks.into_iter().flatten().collect()];
    }
    let deleted = changes::rows_where(&actions.files, &found.scanned, |clause| bound.deletes(clause));
    let changed = changes::of_tasks(&tasks, &deleted, |rows| rows::touched_rows(found, rows))?;
    Ok(Rewrite { tasks, changed, recorded: true })
}
