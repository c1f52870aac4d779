//! Keeping one row per key: with the wrong function, or with an order that leaves ties.

use super::{text, warning};
use crate::walk::conjuncts;
use spec::{BinaryOp, Cte, Diagnostic, Expr, ExprKind, FunctionCall, Literal, Query, QueryBody, Relation, Select};
use spec::{SelectItem, WindowSpec};

/// Looks at the numbers that `select` filters down to the first.
pub(super) fn check(script: &str, select: &Select, ctes: &[&Cte], warnings: &mut Vec<Diagnostic>) {
    for name in select.filter.iter().flat_map(conjuncts).filter_map(kept_first) {
        for inner in select.from.iter().flat_map(|relation| queries(relation, ctes)) {
            if let Some((call, over)) = numbering(inner, name, &select_windows(inner)) {
                warnings.extend(complaint(script, call, over));
            }
        }
    }
}

fn complaint(script: &str, call: &FunctionCall, over: &WindowSpec) -> Option<Diagnostic> {
    let name = call.name.last().to_lowercase();
    if matches!(name.as_str(), "rank" | "dense_rank") {
        let warning = warning(
            "RANK_KEEPS_TIES",
            call.name.span(),
            format!("{name}() gives every row of a tie number 1, so more than one row per key can be left."),
            "row_number() gives number 1 to exactly one row of each key.",
        );
        return Some(warning.with_edit("row_number()", call.name.span(), "row_number"));
    }
    if name != "row_number" || over.order_by.len() > 1 {
        return None;
    }
    let span = over.order_by.first().map_or(call.name.span(), |item| item.expr.span);
    let message = match over.order_by.first() {
        Some(item) => format!(
            "Two rows of one key with the same `{}` tie, and which of them is kept is not defined.",
            text(script, &item.expr)
        ),
        None => "Without ORDER BY it is not defined which row of a key is kept.".to_owned(),
    };
    Some(warning(
        "NO_TIEBREAKER",
        span,
        message,
        "Add a last sort column that never ties, for example a running number.",
    ))
}

/// The name in `name = 1`, `name <= 1` or `name < 2`.
fn kept_first(conjunct: &Expr) -> Option<&str> {
    let ExprKind::Binary { op, left, right } = &conjunct.kind else { return None };
    let (name, literal) = match (&left.kind, &right.kind) {
        (ExprKind::Column(name), ExprKind::Literal(literal)) => (name, literal),
        (ExprKind::Literal(literal), ExprKind::Column(name)) if *op == BinaryOp::Eq => (name, literal),
        _ => return None,
    };
    let is_first =
        matches!((op, literal), (BinaryOp::Eq | BinaryOp::LtEq, Literal::Int(1)) | (BinaryOp::Lt, Literal::Int(2)));
    is_first.then(|| name.last())
}

/// The queries that a relation of a FROM reads: a subquery's, or a common table expression's.
fn queries<'a>(relation: &'a Relation, ctes: &[&'a Cte]) -> Vec<&'a Query> {
    match relation {
        Relation::Subquery { query, .. } => vec![query],
        Relation::Table { name, .. } => {
            let cte = ctes.iter().rev().find(|cte| name.parts.len() == 1 && cte.name.is(name.last()));
            cte.map(|cte| &cte.query).into_iter().collect()
        }
        Relation::Join { left, right, .. } => {
            let mut all = queries(left, ctes);
            all.extend(queries(right, ctes));
            all
        }
        Relation::Function { .. } => Vec::new(),
    }
}

fn select_windows(query: &Query) -> Vec<(&str, &WindowSpec)> {
    match &query.body {
        QueryBody::Select(select) => select.windows.iter().map(|(name, spec)| (name.value.as_str(), spec)).collect(),
        _ => Vec::new(),
    }
}

/// The window function that a query calls `name`, with its window.
fn numbering<'a>(
    query: &'a Query,
    name: &str,
    windows: &[(&str, &'a WindowSpec)],
) -> Option<(&'a FunctionCall, &'a WindowSpec)> {
    let QueryBody::Select(select) = &query.body else { return None };
    select.items.iter().find_map(|item| match item {
        SelectItem::Expr { expr, alias } if alias.first().is_some_and(|alias| alias.is(name)) => {
            let ExprKind::Function(call) = &expr.kind else { return None };
            let over = call.over.as_ref()?;
            let named = over.named.as_ref().filter(|_| over.order_by.is_empty());
            let of_name = named.and_then(|named| windows.iter().find(|(name, _)| named.is(name)));
            Some((call.as_ref(), of_name.map_or(over, |(_, spec)| *spec)))
        }
        _ => None,
    })
}
