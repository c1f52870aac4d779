//! The rows of a source that the statement itself writes out, so that a complaint can point at each.

use query::usage;
use spec::{Cte, Expr, GroupBy, MergeInto, Query, QueryBody, Relation, Select, SelectItem, SetOp, Span};

/// The place of each row of the source, in the order in which they are read; empty unless the source is nothing but rows
/// of VALUES, perhaps with other columns chosen from them.
pub(super) fn of(merge: &MergeInto) -> Vec<Span> {
    let ctes: Vec<&Cte> = merge.ctes.iter().collect();
    of_relation(&merge.source, &ctes).unwrap_or_default()
}

fn of_relation(relation: &Relation, ctes: &[&Cte]) -> Option<Vec<Span>> {
    match relation {
        Relation::Subquery { query, .. } => of_query(query, ctes),
        Relation::Table { name, time_travel: None, .. } if name.parts.len() == 1 => {
            let at = ctes.iter().rposition(|cte| cte.name.is(name.last()))?;
            of_query(&ctes.get(at)?.query, ctes.get(..at)?)
        }
        Relation::Table { .. } | Relation::Function { .. } | Relation::Join { .. } => None,
    }
}

fn of_query(query: &Query, ctes: &[&Cte]) -> Option<Vec<Span>> {
    let is_plain = query.order_by.is_empty() && query.limit.is_none() && query.offset.is_none();
    let ctes: Vec<&Cte> = ctes.iter().copied().chain(&query.ctes).collect();
    of_body(&query.body, &ctes).filter(|_| is_plain)
}

fn of_body(body: &QueryBody, ctes: &[&Cte]) -> Option<Vec<Span>> {
    match body {
        QueryBody::Values { rows, .. } => rows.iter().map(|row| of_row(row)).collect(),
        QueryBody::Select(select) => of_select(select, ctes),
        QueryBody::Query(query) => of_query(query, ctes),
        QueryBody::SetOp { op: SetOp::Union, all: true, left, right, .. } => {
            let mut rows = of_body(left, ctes)?;
            rows.extend(of_body(right, ctes)?);
            Some(rows)
        }
        QueryBody::SetOp { .. } | QueryBody::Table(_) => None,
    }
}

fn of_row(row: &[Expr]) -> Option<Span> {
    Some(row.first()?.span.to(row.last()?.span))
}

/// A SELECT that neither drops, joins nor moves rows; without FROM it is a row itself.
fn of_select(select: &Select, ctes: &[&Cte]) -> Option<Vec<Span>> {
    let keeps_all = !select.distinct
        && select.lateral_views.is_empty()
        && select.filter.is_none()
        && select.group_by == GroupBy::None
        && select.having.is_none();
    let keeps_rows = |item: &SelectItem| match item {
        SelectItem::Star { .. } => true,
        SelectItem::Expr { expr, .. } => {
            let used = usage(expr);
            used.aggregates.is_none() && used.windows.is_none() && used.generators.is_none()
        }
    };
    if !keeps_all || !select.items.iter().all(keeps_rows) {
        return None;
    }
    match select.from.as_slice() {
        [] => Some(vec![select.span]),
        [only] => of_relation(only, ctes),
        _ => None,
    }
}
