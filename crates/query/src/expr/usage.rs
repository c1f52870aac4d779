//! What an expression uses, found without binding it.

use super::subquery::children;
use crate::functions;
use spec::{Expr, ExprKind, FunctionCall, Name, Span};

/// The kinds of sub-expression that statements restrict: the first of each kind, with its name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Usage {
    pub aggregates: Option<(Span, String)>,
    pub windows: Option<(Span, String)>,
    pub generators: Option<(Span, String)>,
    pub subqueries: Option<Span>,
    /// Those behind IN and EXISTS only.
    pub predicate_subqueries: Option<Span>,
    pub nondeterministic: Option<(Span, String)>,
}

/// What `expr` uses. The inside of a subquery does not count.
pub fn usage(expr: &Expr) -> Usage {
    let mut usage = Usage::default();
    visit(expr, &mut usage);
    usage
}

/// The columns that `expr` names, as written, in the order of the text. The inside of a subquery does not count.
pub fn columns_named(expr: &Expr) -> Vec<&Name> {
    let mut names = Vec::new();
    collect_names(expr, &mut names);
    names
}

fn collect_names<'a>(expr: &'a Expr, names: &mut Vec<&'a Name>) {
    match &expr.kind {
        ExprKind::Column(name) => names.push(name),
        ExprKind::Function(call) => call.args.iter().chain(&call.filter).for_each(|part| collect_names(part, names)),
        _ => children(expr, &mut |child| collect_names(child, names)),
    }
}

fn visit(expr: &Expr, usage: &mut Usage) {
    if let ExprKind::InQuery { .. } | ExprKind::Exists { .. } = &expr.kind {
        usage.predicate_subqueries.get_or_insert(expr.span);
    }
    match &expr.kind {
        ExprKind::InQuery { .. } | ExprKind::Exists { .. } | ExprKind::Subquery(_) => {
            usage.subqueries.get_or_insert(expr.span);
        }
        ExprKind::Function(call) => {
            visit_call(call, expr.span, usage);
            return;
        }
        _ => {}
    }
    children(expr, &mut |child| visit(child, usage));
}

fn visit_call(call: &FunctionCall, span: Span, usage: &mut Usage) {
    let name = call.name.last();
    let found = || (span, name.to_ascii_lowercase());
    if call.over.is_some() || functions::is_window(name) {
        usage.windows.get_or_insert_with(found);
    } else if functions::is_aggregate(name) {
        usage.aggregates.get_or_insert_with(found);
    } else if functions::is_generator(name) {
        usage.generators.get_or_insert_with(found);
    }
    if !functions::is_deterministic(name) {
        usage.nondeterministic.get_or_insert_with(found);
    }
    for part in call.args.iter().chain(&call.filter) {
        visit(part, usage);
    }
    if let Some(window) = &call.over {
        let keys = window.order_by.iter().map(|item| &item.expr);
        for part in window.partition_by.iter().chain(keys) {
            visit(part, usage);
        }
    }
}
