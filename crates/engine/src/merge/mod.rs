//! MERGE INTO, in phases that are values.
//!
//! Read [`run`] first: it calls the phases in order and lends each product to the observer. The
//! reference's rules are cited where they are decided: which files are touched (`find`), the
//! duplicate-match rule (`duplicates`), who acts on a row (`classify`), what is counted (`metrics`).

mod bind;
mod classify;
mod clause;
mod duplicates;
mod find;
mod metrics;
mod parameters;
mod plan;
mod rows;

pub(crate) use bind::{Assigned, target_column};
pub(crate) use rows::changed;

use crate::commit::{Operation, commit_where, removes};
use crate::constraints::identity::Counter;
use crate::insert::marked;
use crate::observe::{Event, Observer, TargetInfo};
use crate::sandbox::Context;
use crate::write::{Destination, adds, write_files};
use delta::actions::Action;
use metrics::MergeMetrics;
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
    let plan = plan::merge(&bound, context.settings, context.script);
    let source = find::read_source(context, &bound).await?;
    observer.on(Event::Source { name: &bound.source_name, columns: &bound.source_columns, rows: &source });

    let found = find::touched_files(context, &bound, &plan, &source, observer).await?;
    let actions = classify::rows(&bound, &plan, &found, &source)?;
    observer.on(Event::Classified(&actions));

    let snapshot = &bound.target.snapshot;
    let mut counter = Counter::new(snapshot.schema());
    let tasks = rows::to_write(&bound, &plan, &found, &source, &actions, &mut counter)?;
    bound.rules.check(tasks.iter().flatten())?;
    let touched: Vec<_> = found.touched.iter().filter_map(|idx| found.scanned.get(*idx).cloned()).collect();
    let destination = Destination::of(snapshot).keeping(context.env.storage.as_ref(), snapshot, &touched).await?;
    let written = write_files(context.env, &destination, tasks).await?;
    let removed = found.removed_files(&plan);
    observer.on(Event::Written { files: &written, removed: &removed });

    let elapsed_ms = context.elapsed_ms();
    let counts = MergeMetrics::count(&bound, &plan, &source, &actions, &written, &removed, elapsed_ms);
    let metrics = counts.entries();
    let table = bound.target.name();
    if written.is_empty() && removed.is_empty() {
        observer.on(Event::Nothing { metrics: &metrics });
        return Ok(Merged { counts, version: None, table });
    }
    let parameters = parameters::of(&bound);
    let operation = Operation { name: "MERGE", parameters, metrics, reads_table: true };
    let metadata = marked(snapshot.metadata(), counter.into_schema());
    let mut log: Vec<Action> = metadata.map(Action::Metadata).into_iter().chain(adds(&written)).collect();
    log.extend(removes(context.env, snapshot, &removed));
    let read = found.scanned.iter().map(|file| file.file);
    let committed = commit_where(context.env, snapshot, operation, log, (&plan.conjuncts, read), observer).await?;
    Ok(Merged { counts, version: Some(committed.version), table })
}
