//! Looking closer at a statement that ran: what its conditions are for every pair of rows, and what would have pruned.
//!
//! The parts of a condition are bound and evaluated like the whole; nothing here decides what a statement does.

use crate::batch::{beside, gather, positional, take_rows};
use crate::observe::TargetInfo;
use crate::products::FileDecision;
use crate::prune::alone;
use crate::read::read_columns;
use crate::sandbox::Context;
use arrow::array::{Array, BooleanArray};
use arrow::record_batch::RecordBatch;
use query::{Bound, Column, Scope, bind, usage};
use spec::{
    BinaryOp, Diagnostic, Expr, ExprKind, MergeInto, Relation, Span, Statement, StatementKind, TableTarget, UnaryOp,
};
use std::collections::BTreeSet;

/// A condition of the statement with the values of its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// Index of the clause in the order of the events; `None` for ON and WHERE.
    pub clause: Option<usize>,
    pub over: Over,
    /// Parents before their children; the first is the whole.
    pub parts: Vec<Part>,
}

/// Which rows a condition sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// Every target row with every source row: by target row, then source row.
    Pair,
    Source,
    Target,
}

/// A part of a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub parent: Option<usize>,
    pub op: PartOp,
    pub span: Span,
    /// The columns it reads: whether of the source, and the position on that side.
    pub columns: Vec<(bool, usize)>,
    pub values: Vec<Truth>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartOp {
    And,
    Or,
    Not,
    /// Anything else that is TRUE, FALSE or NULL.
    Leaf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    True,
    False,
    Null,
    /// Its evaluation fails for this pair.
    Failed,
}

/// What a statement looked at.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    pub target: &'a TargetInfo,
    /// The source's columns and rows; absent for statements without one.
    pub source: Option<(&'a [Column], &'a RecordBatch)>,
}

/// The conditions of MERGE, UPDATE and DELETE, evaluated for all rows of the target as the statement read it and all rows
/// of its source. The number of pairs is the caller's to bound.
///
/// # Errors
/// A name that is no longer what it was; a file that cannot be read.
pub(crate) async fn conditions(
    context: &Context<'_>,
    statement: &Statement,
    seen: Seen<'_>,
) -> Result<Vec<Condition>, Diagnostic> {
    let Some(written) = written(context, statement) else { return Ok(Vec::new()) };
    let snapshot = &seen.target.snapshot;
    let wanted: BTreeSet<usize> = (0..seen.target.columns.len()).collect();
    let files = read_columns(context.env.storage.as_ref(), snapshot, snapshot.files(), &wanted).await?;
    let batches: Vec<&RecordBatch> = files.iter().flatten().collect();
    let n_target: usize = batches.iter().map(|batch| batch.num_rows()).sum();
    let target = gather(&batches, &(0..n_target as u64).collect::<Vec<_>>())?;
    let empty = positional(Vec::new(), 0)?;
    let (columns, source) = seen.source.unwrap_or((&[], &empty));
    let mut conditions = Vec::new();
    for (clause, over, condition) in &written.conditions {
        let mut scope = Scope::new();
        if *over != Over::Source {
            scope.add(&written.target, &seen.target.columns);
        }
        if *over != Over::Target {
            scope.add(&written.source, columns);
        }
        let rows = match over {
            Over::Target => target.clone(),
            Over::Source => source.clone(),
            Over::Pair => every_pair(&target, source)?,
        };
        let n_before = if *over == Over::Source { 0 } else { seen.target.columns.len() };
        let mut parts = Vec::new();
        take_apart(condition, None, &mut parts);
        let mut evaluated = Vec::with_capacity(parts.len());
        for (parent, op, expr) in parts {
            let bound = bind(&context.session, &context.resolver(), &scope, expr).await.map_err(Diagnostic::from)?;
            let side =
                |column: usize| (column >= n_before, if column >= n_before { column - n_before } else { column });
            let columns = bound.columns().into_iter().map(side).collect();
            evaluated.push(Part { parent, op, span: expr.span, columns, values: values(&bound, &rows) });
        }
        conditions.push(Condition { clause: *clause, over: *over, parts: evaluated });
    }
    Ok(conditions)
}

/// Per decision: a conjunct that would have skipped this file and no other that was read.
pub(crate) async fn would_skip(
    context: &Context<'_>,
    statement: &Statement,
    target: &TargetInfo,
    decisions: &[FileDecision],
) -> Vec<Option<String>> {
    let has_condition =
        written(context, statement).is_some_and(|written| written.conditions.iter().any(|one| one.0.is_none()));
    let named = match &statement.kind {
        // NOT MATCHED BY SOURCE reads everything, whatever ON says.
        StatementKind::Merge(merge) if merge.not_matched_by_source.is_empty() => &merge.target,
        StatementKind::Update(update) => &update.table,
        StatementKind::Delete(delete) => &delete.table,
        _ => return vec![None; decisions.len()],
    };
    if !has_condition {
        return vec![None; decisions.len()];
    }
    let mut scope = Scope::new();
    scope.add(&qualifier(context, named), &target.columns);
    let prefix = match (&named.alias, &statement.kind) {
        (Some(alias), _) => format!("{}.", alias.value),
        (None, StatementKind::Merge(_)) => format!("{}.", named.name.last()),
        (None, _) => String::new(),
    };
    alone::would_skip(context, &target.snapshot, decisions, &scope, &prefix).await
}

/// The conditions of a statement, and what may stand before the columns of its sides.
struct Written<'a> {
    target: Vec<String>,
    source: Vec<String>,
    conditions: Vec<(Option<usize>, Over, &'a Expr)>,
}

fn written<'a>(context: &Context<'_>, statement: &'a Statement) -> Option<Written<'a>> {
    let one = |table: &TableTarget, filter: &'a Option<Expr>| {
        let conditions = filter.iter().map(|filter| (None, Over::Target, filter)).collect();
        Written { target: qualifier(context, table), source: Vec::new(), conditions }
    };
    let written = match &statement.kind {
        StatementKind::Merge(merge) => of_merge(context, merge),
        StatementKind::Update(update) => one(&update.table, &update.filter),
        StatementKind::Delete(delete) => one(&delete.table, &delete.filter),
        _ => return None,
    };
    // A subquery would be asked about tables as they are now.
    let is_plain = written.conditions.iter().all(|(_, _, condition)| usage(condition).subqueries.is_none());
    is_plain.then_some(written)
}

fn of_merge<'a>(context: &Context<'_>, merge: &'a MergeInto) -> Written<'a> {
    let matched = merge.matched.iter().map(|clause| (Over::Pair, &clause.condition));
    let not_matched = merge.not_matched.iter().map(|clause| (Over::Source, &clause.condition));
    let by_source = merge.not_matched_by_source.iter().map(|clause| (Over::Target, &clause.condition));
    let clauses = matched.chain(not_matched).chain(by_source).enumerate();
    let of_clauses = clauses.filter_map(|(idx, (over, condition))| Some((Some(idx), over, condition.as_ref()?)));
    Written {
        target: qualifier(context, &merge.target),
        source: match &merge.source {
            Relation::Table { alias: Some(alias), .. }
            | Relation::Subquery { alias: Some(alias), .. }
            | Relation::Function { alias: Some(alias), .. } => vec![alias.name.value.clone()],
            Relation::Table { name, alias: None, .. } => context.qualifier_of(name),
            _ => Vec::new(),
        },
        conditions: std::iter::once((None, Over::Pair, &merge.on)).chain(of_clauses).collect(),
    }
}

fn qualifier(context: &Context<'_>, table: &TableTarget) -> Vec<String> {
    table.alias.as_ref().map_or_else(|| context.qualifier_of(&table.name), |alias| vec![alias.value.clone()])
}

/// AND, OR and NOT with their operands, in the order of the text; everything else is a leaf.
fn take_apart<'a>(expr: &'a Expr, parent: Option<usize>, parts: &mut Vec<(Option<usize>, PartOp, &'a Expr)>) {
    let at = parts.len();
    let (op, children): (PartOp, Vec<&Expr>) = match &expr.kind {
        ExprKind::Binary { op: BinaryOp::And, left, right } => (PartOp::And, vec![left.as_ref(), right.as_ref()]),
        ExprKind::Binary { op: BinaryOp::Or, left, right } => (PartOp::Or, vec![left.as_ref(), right.as_ref()]),
        ExprKind::Unary { op: UnaryOp::Not, expr } => (PartOp::Not, vec![expr.as_ref()]),
        _ => (PartOp::Leaf, Vec::new()),
    };
    parts.push((parent, op, expr));
    for child in children {
        // a AND b AND c is one AND of three.
        let is_same = matches!(
            (&child.kind, op),
            (ExprKind::Binary { op: BinaryOp::And, .. }, PartOp::And)
                | (ExprKind::Binary { op: BinaryOp::Or, .. }, PartOp::Or)
        );
        if is_same { flatten(child, at, op, parts) } else { take_apart(child, Some(at), parts) }
    }
}

fn flatten<'a>(expr: &'a Expr, at: usize, op: PartOp, parts: &mut Vec<(Option<usize>, PartOp, &'a Expr)>) {
    let same = if op == PartOp::And { BinaryOp::And } else { BinaryOp::Or };
    match &expr.kind {
        ExprKind::Binary { op: own, left, right } if *own == same => {
            flatten(left, at, op, parts);
            flatten(right, at, op, parts);
        }
        _ => take_apart(expr, Some(at), parts),
    }
}

fn every_pair(target: &RecordBatch, source: &RecordBatch) -> Result<RecordBatch, Diagnostic> {
    let (n_target, n_source) = (target.num_rows() as u64, source.num_rows() as u64);
    let of_target: Vec<u64> = (0..n_target).flat_map(|row| std::iter::repeat_n(row, n_source as usize)).collect();
    let of_source: Vec<u64> = (0..n_target).flat_map(|_| 0..n_source).collect();
    beside(&take_rows(target, &of_target)?, &take_rows(source, &of_source)?)
}

/// One value per row. What fails for one row is asked row by row, so that the others keep their values.
fn values(bound: &Bound, rows: &RecordBatch) -> Vec<Truth> {
    match evaluated(bound, rows) {
        Some(values) => values,
        None => (0..rows.num_rows())
            .map(|row| {
                evaluated(bound, &rows.slice(row, 1)).and_then(|one| one.first().copied()).unwrap_or(Truth::Failed)
            })
            .collect(),
    }
}

fn evaluated(bound: &Bound, rows: &RecordBatch) -> Option<Vec<Truth>> {
    let array = bound.evaluate(rows).ok()?;
    if array.data_type() == &arrow::datatypes::DataType::Null {
        return Some(vec![Truth::Null; array.len()]);
    }
    let booleans = array.as_any().downcast_ref::<BooleanArray>()?;
    let truth = |value: Option<bool>| match value {
        Some(true) => Truth::True,
        Some(false) => Truth::False,
        None => Truth::Null,
    };
    Some(booleans.iter().map(truth).collect())
}
