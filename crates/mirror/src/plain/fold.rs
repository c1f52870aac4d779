//! Layers of data frames that fold into the one around them.

use super::scope::{By, Scope, Spoken, View};
use super::settle::Plainer;
use super::shape::{self, draws, frame_number, is_bare, only_filters};
use crate::chain;
use spec::{BinaryOp, Expr, OrderItem, Query, QueryBody, Relation, Select, SelectItem, SetOp};

/// What the columns of a query come from, and what knows them as they leave it.
#[derive(Debug, Clone, Default)]
pub(super) struct Output {
    pub(super) from: Scope,
    pub(super) views: Vec<View>,
}

impl Output {
    /// What knows the columns once the query is a subquery.
    pub(super) fn inside(self, query: &Query, spoken: &Spoken) -> Vec<View> {
        let mut views = self.from.inside(items(query), spoken);
        views.extend(self.views);
        views
    }

    /// What knows the columns while nothing is between them and their relations.
    pub(super) fn as_scope(&self) -> Scope {
        let mut scope = self.from.clone();
        self.views.iter().for_each(|view| scope.know(view.clone()));
        scope
    }
}

fn items(query: &Query) -> Option<&[SelectItem]> {
    match &query.body {
        QueryBody::Select(select) => Some(&select.items),
        QueryBody::Values { .. } | QueryBody::Table(_) | QueryBody::SetOp { .. } | QueryBody::Query(_) => None,
    }
}

impl Plainer {
    /// Makes a query plain.
    pub(super) fn query(&mut self, query: &mut Query) -> Output {
        for cte in &mut query.ctes {
            self.query(&mut cte.query);
        }
        let output = match &mut query.body {
            QueryBody::Select(select) => match shape::take_frame(select) {
                Some((frame, inner)) => return self.over_frame(query, frame, inner),
                None => self.select(select),
            },
            body => {
                self.body(body);
                Output::default()
            }
        };
        self.settle_tail(&output.from, query);
        output
    }

    fn body(&mut self, body: &mut QueryBody) {
        match body {
            QueryBody::Select(select) => {
                self.select(select);
            }
            QueryBody::Values { rows, .. } => {
                rows.iter_mut().flatten().for_each(|value| self.settle(&Scope::default(), value));
            }
            QueryBody::Table(_) => {}
            QueryBody::SetOp { op, left, right, .. } => {
                let op = *op;
                self.side(left, |inner| op != SetOp::Intersect && inner != SetOp::Intersect);
                self.side(right, |_| false);
            }
            QueryBody::Query(query) => {
                self.query(query);
            }
        }
    }

    /// One side of a set operation: `SELECT *` of a frame is that frame's own query. `chains` says which set operation may
    /// stand here without parentheses.
    fn side(&mut self, body: &mut QueryBody, chains: impl Fn(SetOp) -> bool) {
        let is_frame = matches!(body, QueryBody::Select(select)
            if is_bare(select) && matches!(select.from.as_slice(), [only] if frame_number(only).is_some()));
        if !is_frame {
            return self.body(body);
        }
        let mut query = shape::query_of(std::mem::replace(body, shape::nothing()));
        self.query(&mut query);
        let stands_alone = match &query.body {
            QueryBody::SetOp { op, .. } => chains(*op),
            QueryBody::Select(_) | QueryBody::Values { .. } | QueryBody::Table(_) | QueryBody::Query(_) => true,
        };
        let fits = stands_alone && query.ctes.is_empty() && shape::has_no_tail(&query);
        *body = if fits { query.body } else { QueryBody::Query(Box::new(query)) };
    }

    fn select(&mut self, select: &mut Select) -> Output {
        let mut scope = Scope::default();
        for relation in &mut select.from {
            let side = self.relation(relation);
            scope = scope.beside(side);
        }
        self.settle_select(&scope, select);
        Output { from: scope, views: Vec::new() }
    }

    /// A SELECT from nothing but a frame: one step of a program.
    fn over_frame(&mut self, query: &mut Query, frame: u32, mut inner: Query) -> Output {
        let mut output = self.query(&mut inner);
        let Query { ctes, body: QueryBody::Select(select), order_by, limit, offset, .. } = query else { return output };
        let limits = limit.is_some() || offset.is_some();
        if ctes.is_empty() && is_bare(select) && takes(&inner, order_by, limits) {
            output.views.push(View::new(By::Frame(frame)));
            let scope = self.scope_of_tail(&inner, &output);
            self.settle_tail(&scope, query);
            if !query.order_by.is_empty() {
                inner.order_by = std::mem::take(&mut query.order_by);
            }
            inner.limit = inner.limit.or_else(|| query.limit.take());
            inner.offset = inner.offset.or_else(|| query.offset.take());
            *query = inner;
            return output;
        }
        let scope = match take_up(&mut inner, select.filter.as_mut()) {
            Some((from, condition)) => {
                let mut scope = output.as_scope();
                scope.know(View::new(By::Frame(frame)));
                select.from = from;
                self.settle_select(&scope, select);
                select.filter = both(condition, select.filter.take());
                scope
            }
            None => {
                let (relation, scope) = super::name::subquery(inner, output, (frame, None), &self.spoken);
                select.from = vec![relation];
                self.settle_select(&scope, select);
                scope
            }
        };
        self.settle_tail(&scope, query);
        Output { from: scope, views: Vec::new() }
    }

    /// What the keys of an ORDER BY mean that came from outside: columns of what the query gives.
    fn scope_of_tail(&self, query: &Query, output: &Output) -> Scope {
        match &query.body {
            QueryBody::Select(select) if shape::is_star(&select.items) => output.as_scope(),
            _ => {
                let mut scope = Scope::default();
                output.clone().inside(query, &self.spoken).into_iter().for_each(|view| scope.know(view));
                scope
            }
        }
    }
}

/// What a query that only filters reads, and its condition, where the SELECT around it can have them for its own.
fn take_up(query: &mut Query, outer: Option<&mut Expr>) -> Option<(Vec<Relation>, Option<Expr>)> {
    if !query.ctes.is_empty() || !shape::has_no_tail(query) {
        return None;
    }
    let QueryBody::Select(select) = &mut query.body else { return None };
    if !only_filters(select) {
        return None;
    }
    // Two conditions become one only if it does not matter which is asked first.
    if let (Some(inner), Some(outer)) = (&mut select.filter, outer)
        && (draws(inner) || draws(outer))
    {
        return None;
    }
    Some((std::mem::take(&mut select.from), select.filter.take()))
}

fn both(first: Option<Expr>, second: Option<Expr>) -> Option<Expr> {
    let mut parts = Vec::new();
    let several = first.is_some() && second.is_some();
    for condition in [first, second].into_iter().flatten() {
        if !several {
            return Some(condition);
        }
        chain::leaves(BinaryOp::And, condition, &mut parts);
    }
    chain::balanced(BinaryOp::And, parts)
}

/// Whether the query can end in these clauses itself and still mean `SELECT * FROM (query)` with them behind.
fn takes(query: &Query, order_by: &[OrderItem], limits: bool) -> bool {
    let is_limited = query.limit.is_some() || query.offset.is_some();
    if order_by.is_empty() {
        return !limits || !is_limited;
    }
    let QueryBody::Select(select) = &query.body else { return false };
    !is_limited && query.order_by.is_empty() && shape::is_sortable(select)
}
