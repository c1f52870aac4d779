//! Every place where an expression or a query can stand inside of another.

use spec::{
    Expr, ExprKind, FrameBound, GroupBy, JoinConstraint, Query, QueryBody, Relation, Select, SelectItem, TimeTravel,
    WindowSpec,
};

/// What is called with the children of a node.
pub(super) trait Visit {
    fn expr(&mut self, expr: &mut Expr);
    fn query(&mut self, query: &mut Query);
}

/// What stands directly in an expression.
pub(super) fn children(expr: &mut Expr, visit: &mut dyn Visit) {
    match &mut expr.kind {
        ExprKind::Literal(_)
        | ExprKind::Column(_)
        | ExprKind::FrameColumn { .. }
        | ExprKind::Star
        | ExprKind::Default => {}
        ExprKind::Unary { expr, .. }
        | ExprKind::IsNull { expr, .. }
        | ExprKind::IsTruth { expr, .. }
        | ExprKind::Cast { expr, .. }
        | ExprKind::Field { expr, .. }
        | ExprKind::Lambda { body: expr, .. } => visit.expr(expr),
        ExprKind::Binary { left, right, .. } => all(visit, [left.as_mut(), right.as_mut()]),
        ExprKind::Between { expr, low, high, .. } => all(visit, [expr.as_mut(), low.as_mut(), high.as_mut()]),
        ExprKind::InList { expr, list, .. } => all(visit, std::iter::once(expr.as_mut()).chain(list)),
        ExprKind::InQuery { expr, query, .. } => {
            visit.expr(expr);
            visit.query(query);
        }
        ExprKind::Exists { query } | ExprKind::Subquery(query) => visit.query(query),
        ExprKind::Like { expr, pattern, .. } => all(visit, [expr.as_mut(), pattern.as_mut()]),
        ExprKind::Index { expr, index } => all(visit, [expr.as_mut(), index.as_mut()]),
        ExprKind::Case { operand, branches, otherwise } => {
            all(visit, operand.as_deref_mut());
            all(visit, branches.iter_mut().flat_map(|(when, then)| [when, then]));
            all(visit, otherwise.as_deref_mut());
        }
        ExprKind::Function(call) => {
            all(visit, &mut call.args);
            all(visit, &mut call.filter);
            call.over.iter_mut().for_each(|window| in_window(window, visit));
        }
    }
}

fn all<'e>(visit: &mut dyn Visit, exprs: impl IntoIterator<Item = &'e mut Expr>) {
    for expr in exprs {
        visit.expr(expr);
    }
}

fn in_window(window: &mut WindowSpec, visit: &mut dyn Visit) {
    all(visit, &mut window.partition_by);
    all(visit, window.order_by.iter_mut().map(|key| &mut key.expr));
    let bounds = window.frame.iter_mut().flat_map(|frame| [&mut frame.start, &mut frame.end]);
    for bound in bounds {
        match bound {
            FrameBound::Preceding(distance) | FrameBound::Following(distance) => visit.expr(distance),
            FrameBound::UnboundedPreceding | FrameBound::CurrentRow | FrameBound::UnboundedFollowing => {}
        }
    }
}

/// The expressions of a SELECT, FROM left out.
pub(super) fn in_select(select: &mut Select, visit: &mut dyn Visit) {
    for item in &mut select.items {
        match item {
            SelectItem::Expr { expr, .. } => visit.expr(expr),
            SelectItem::Star { .. } => {}
        }
    }
    all(visit, select.lateral_views.iter_mut().map(|view| &mut view.generator));
    all(visit, &mut select.filter);
    match &mut select.group_by {
        GroupBy::None | GroupBy::All(_) => {}
        GroupBy::Exprs(keys) | GroupBy::Rollup(keys) | GroupBy::Cube(keys) => all(visit, keys),
        GroupBy::GroupingSets { exprs, sets } => all(visit, exprs.iter_mut().chain(sets.iter_mut().flatten())),
    }
    all(visit, &mut select.having);
    select.windows.iter_mut().for_each(|(_, window)| in_window(window, visit));
    all(visit, select.exchanges.iter_mut().flat_map(|exchange| &mut exchange.by).map(|key| &mut key.expr));
}

/// The expressions of ORDER BY, LIMIT and OFFSET.
pub(super) fn in_tail(query: &mut Query, visit: &mut dyn Visit) {
    all(visit, query.order_by.iter_mut().map(|key| &mut key.expr));
    all(visit, query.limit.iter_mut().chain(&mut query.offset));
}

/// Everything in a query.
pub(super) fn in_query(query: &mut Query, visit: &mut dyn Visit) {
    query.ctes.iter_mut().for_each(|cte| visit.query(&mut cte.query));
    in_body(&mut query.body, visit);
    in_tail(query, visit);
}

fn in_body(body: &mut QueryBody, visit: &mut dyn Visit) {
    match body {
        QueryBody::Select(select) => {
            select.from.iter_mut().for_each(|relation| in_relation(relation, visit));
            in_select(select, visit);
        }
        QueryBody::Values { rows, .. } => all(visit, rows.iter_mut().flatten()),
        QueryBody::Table(_) => {}
        QueryBody::SetOp { left, right, .. } => {
            in_body(left, visit);
            in_body(right, visit);
        }
        QueryBody::Query(query) => visit.query(query),
    }
}

/// Everything in a relation.
pub(super) fn in_relation(relation: &mut Relation, visit: &mut dyn Visit) {
    match relation {
        Relation::Table { time_travel: Some(TimeTravel::Timestamp(time)), .. } => visit.expr(time),
        Relation::Table { time_travel: Some(TimeTravel::Version(..)) | None, .. } => {}
        Relation::Subquery { query, .. } => visit.query(query),
        Relation::Function { args, .. } => all(visit, args),
        Relation::Join { left, right, constraint, .. } => {
            in_relation(left, visit);
            in_relation(right, visit);
            match constraint {
                JoinConstraint::On(condition) => visit.expr(condition),
                JoinConstraint::None | JoinConstraint::Using(_) | JoinConstraint::Natural => {}
            }
        }
    }
}
