//! Walking expressions and queries.

use spec::{Expr, ExprKind, FunctionCall, Query, QueryBody, Relation, Select, SelectItem, WindowSpec};

/// The parts of a condition that AND joins.
pub(crate) fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary { op: spec::BinaryOp::And, left, right } => {
            let mut parts = conjuncts(left);
            parts.extend(conjuncts(right));
            parts
        }
        _ => vec![expr],
    }
}

/// Calls `see` with an expression and everything inside of it, subqueries left out.
pub(crate) fn each<'a>(expr: &'a Expr, see: &mut dyn FnMut(&'a Expr)) {
    see(expr);
    for child in children(expr) {
        each(child, see);
    }
}

/// The names of columns in an expression.
pub(crate) fn columns(expr: &Expr) -> Vec<&spec::Name> {
    let mut names = Vec::new();
    each(expr, &mut |inner| {
        if let ExprKind::Column(name) = &inner.kind {
            names.push(name);
        }
    });
    names
}

fn children(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Literal(_)
        | ExprKind::Column(_)
        | ExprKind::FrameColumn { .. }
        | ExprKind::Star
        | ExprKind::Default => Vec::new(),
        ExprKind::Exists { .. } | ExprKind::Subquery(_) => Vec::new(),
        ExprKind::Unary { expr, .. }
        | ExprKind::IsNull { expr, .. }
        | ExprKind::IsTruth { expr, .. }
        | ExprKind::Cast { expr, .. }
        | ExprKind::Field { expr, .. }
        | ExprKind::InQuery { expr, .. }
        | ExprKind::Lambda { body: expr, .. } => vec![expr],
        ExprKind::Binary { left, right, .. } => vec![left, right],
        ExprKind::Between { expr, low, high, .. } => vec![expr, low, high],
        ExprKind::InList { expr, list, .. } => std::iter::once(expr.as_ref()).chain(list).collect(),
        ExprKind::Like { expr, pattern, .. } => vec![expr, pattern],
        ExprKind::Index { expr, index } => vec![expr, index],
        ExprKind::Case { operand, branches, otherwise } => {
            let branches = branches.iter().flat_map(|(when, then)| [when, then]);
            operand.as_deref().into_iter().chain(branches).chain(otherwise.as_deref()).collect()
        }
        ExprKind::Function(call) => of_call(call),
    }
}

fn of_call(call: &FunctionCall) -> Vec<&Expr> {
    let over = call.over.iter().flat_map(|WindowSpec { partition_by, order_by, .. }| {
        partition_by.iter().chain(order_by.iter().map(|item| &item.expr))
    });
    call.args.iter().chain(&call.filter).chain(over).collect()
}

/// Calls `see` with every SELECT of a query, and the common table expressions that it can read.
pub(crate) fn selects<'a>(
    query: &'a Query,
    outer: &[&'a spec::Cte],
    see: &mut dyn FnMut(&'a Select, &[&'a spec::Cte]),
) {
    let mut ctes = outer.to_vec();
    for cte in &query.ctes {
        selects(&cte.query, &ctes, see);
        ctes.push(cte);
    }
    body(&query.body, &ctes, see);
}

fn body<'a>(query: &'a QueryBody, ctes: &[&'a spec::Cte], see: &mut dyn FnMut(&'a Select, &[&'a spec::Cte])) {
    match query {
        QueryBody::Select(select) => {
            see(select, ctes);
            select.from.iter().for_each(|from| relation(from, ctes, see));
            let items = select.items.iter().filter_map(|item| match item {
                SelectItem::Expr { expr, .. } => Some(expr),
                SelectItem::Star { .. } => None,
            });
            items.chain(&select.filter).for_each(|expr| subqueries(expr, ctes, see));
        }
        QueryBody::SetOp { left, right, .. } => {
            body(left, ctes, see);
            body(right, ctes, see);
        }
        QueryBody::Query(query) => selects(query, ctes, see),
        QueryBody::Values { .. } | QueryBody::Table(_) => {}
    }
}

/// The same for a relation.
pub(crate) fn relation<'a>(
    from: &'a Relation,
    ctes: &[&'a spec::Cte],
    see: &mut dyn FnMut(&'a Select, &[&'a spec::Cte]),
) {
    match from {
        Relation::Subquery { query, .. } => selects(query, ctes, see),
        Relation::Join { left, right, .. } => {
            relation(left, ctes, see);
            relation(right, ctes, see);
        }
        Relation::Table { .. } | Relation::Function { .. } => {}
    }
}

fn subqueries<'a>(expr: &'a Expr, ctes: &[&'a spec::Cte], see: &mut dyn FnMut(&'a Select, &[&'a spec::Cte])) {
    let mut found = Vec::new();
    each(expr, &mut |inner| match &inner.kind {
        ExprKind::Subquery(query) | ExprKind::Exists { query } | ExprKind::InQuery { query, .. } => found.push(query),
        _ => {}
    });
    found.into_iter().for_each(|query| selects(query, ctes, see));
}
