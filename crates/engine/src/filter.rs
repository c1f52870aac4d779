//! Finding the rows of a table on which a WHERE is true: the first half of UPDATE and DELETE.

use crate::observe::{Event, Observer};
use crate::products::{Actions, FileActions, MatchSet, NO_CLAUSE, ScannedFile};
use crate::prune::{self, Conjunct};
use crate::read::{complete, scan};
use crate::row::refused_in_row;
use crate::sandbox::Context;
use crate::target::Target;
use arrow::array::{Array, AsArray};
use delta::schema::DataType;
use query::{Bound, Column, Scope, bind, usage};
use spec::{Diagnostic, Expr};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The files with hits, and per row whether it is one.
#[derive(Debug, Clone)]
pub(crate) struct Hits {
    /// Files that have at least one hit; all of their columns are read if that was asked for.
    pub(crate) scanned: Vec<Arc<ScannedFile>>,
    /// Files that were looked at, and what for: indices into the snapshot's files.
    pub(crate) read: Vec<usize>,
    pub(crate) conjuncts: Vec<Conjunct>,
    /// Clause 0 for a hit; `scanned` indices count the files above.
    pub(crate) actions: Actions,
    pub(crate) n_rows: u64,
}

/// The scope in which a table's own columns are seen.
pub(crate) fn scope_of(target: &Target) -> Scope {
    scope_in(&target.qualifier, &target.columns)
}

/// The scope of these columns.
pub(crate) fn scope_in(qualifier: &[String], columns: &[Column]) -> Scope {
    let mut scope = Scope::new();
    scope.add(qualifier, columns);
    scope
}

/// Binds a WHERE of UPDATE or DELETE.
///
/// # Errors
/// Unknown names; subqueries, aggregates or non-deterministic functions; a type that is not boolean.
pub(crate) async fn condition(
    context: &Context<'_>,
    target: &Target,
    filter: &Expr,
    operation: &str,
) -> Result<Bound, Diagnostic> {
    let used = usage(filter);
    if let Some(span) = used.subqueries {
        let message = format!("Subqueries are not supported in the {operation} (condition = …).");
        return Err(Diagnostic::new("DELTA_UNSUPPORTED_SUBQUERY", "0AKDC", message, span)
            .with_hint("Use MERGE with the subquery as its source."));
    }
    if let Some((span, name)) = used.nondeterministic {
        let message = format!("{operation} needs a condition that gives the same answer each time; {name}() does not.");
        return Err(Diagnostic::new("INVALID_NON_DETERMINISTIC_EXPRESSIONS", "42K0E", message, span));
    }
    if let Some(problem) = refused_in_row(&used, &format!("WHERE of {operation}")) {
        return Err(problem);
    }
    let bound =
        bind(&context.session, &context.resolver(), &scope_of(target), filter).await.map_err(Diagnostic::from)?;
    if bound.data_type() != DataType::Boolean {
        let message =
            format!("WHERE must be true or false, but `{}` is of type {}.", bound.catalyst(), bound.type_name());
        return Err(Diagnostic::new("DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", "42K09", message, bound.span()));
    }
    Ok(bound)
}

/// Whether a condition looks at partition columns only, so that it holds for all rows of a file or for none.
pub(crate) fn decides_by_partition(target: &Target, condition: &Bound) -> bool {
    let is_partition = |column: &usize| {
        target.columns.get(*column).is_some_and(|column| target.snapshot.partition_columns().contains(&column.name))
    };
    condition.columns().iter().all(is_partition)
}

/// Which columns of files with hits a statement goes on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Columns {
    /// All of them, because other rows of the file are written again.
    All,
    /// Those of the condition: nothing is written again, or little that is read later.
    Condition,
}

/// Prunes, scans and evaluates; without a condition every row is a hit.
pub(crate) async fn hits(
    context: &Context<'_>,
    target: &Target,
    condition: Option<&Bound>,
    columns: Columns,
    observer: &mut dyn Observer,
) -> Result<Hits, Diagnostic> {
    let snapshot = &target.snapshot;
    let parts = condition.map(Bound::conjuncts).unwrap_or_default();
    let conjuncts: Vec<Conjunct> = parts.iter().map(|part| Conjunct::of(part, context.script)).collect();
    let decisions = prune::decide(snapshot, &conjuncts);
    observer.on(Event::Pruned(&decisions));

    let wanted: BTreeSet<usize> = condition.map(Bound::columns).unwrap_or_default();
    let candidates = decisions.iter().filter(|decision| decision.kept).map(|decision| decision.file);
    let storage = context.env.storage.as_ref();
    let opened = scan(storage, snapshot, candidates, &wanted).await?;
    let mut touched = Vec::new();
    let read = opened.iter().map(|file| file.file).collect();
    let mut found = Hits { scanned: Vec::new(), read, conjuncts, actions: Actions::default(), n_rows: 0 };
    for (idx, file) in opened.iter().enumerate() {
        let clause = match condition {
            None => vec![0; file.n_rows as usize],
            Some(condition) => truth(condition, file)?,
        };
        let n_hits = clause.iter().filter(|by| **by != NO_CLAUSE).count();
        if n_hits == 0 {
            continue;
        }
        touched.push(idx);
        found.n_rows += n_hits as u64;
        found.actions.files.push(FileActions { scanned: found.scanned.len(), clause });
        found.scanned.push(Arc::clone(file));
    }
    if columns == Columns::All {
        let all: Vec<usize> = (0..found.scanned.len()).collect();
        complete(storage, snapshot, &mut found.scanned, &all).await?;
    }
    observer.on(Event::Matched { scanned: &opened, matches: &MatchSet::default(), touched: &touched });
    Ok(found)
}

/// Per row of the file: clause 0 where the condition is true.
fn truth(condition: &Bound, file: &ScannedFile) -> Result<Vec<u16>, Diagnostic> {
    let mut clause = Vec::with_capacity(file.n_rows as usize);
    for batch in &file.batches {
        let truth = condition.evaluate(batch)?;
        let truth = truth.as_boolean_opt().ok_or_else(|| Diagnostic::internal("a condition is not boolean"))?;
        clause.extend((0..truth.len()).map(|row| if truth.is_valid(row) && truth.value(row) { 0 } else { NO_CLAUSE }));
    }
    Ok(clause)
}
