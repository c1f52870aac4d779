//! ORDER BY, DISTINCT, LIMIT: the end of a query.

use super::exchange;
use super::planner::{Env, Planned, Planner, Result, built};
use super::select::Item;
use crate::expr::{Binder, Place, Subqueries, at, literal_i64, sort_key, without_joins};
use crate::scope::{Field, Scope};
use crate::typed::Typed;
use datafusion::logical_expr::{Expr as PlanExpr, LogicalPlan, LogicalPlanBuilder};
use futures::future::BoxFuture;
use spec::{Diagnostic, Expr, ExprKind, Literal, OrderItem, Query, QueryBody, Span};

/// One sort key.
pub(super) struct Key<'q> {
    pub(super) expr: PlanExpr,
    pub(super) item: &'q OrderItem,
    pub(super) span: Span,
    pub(super) text: Option<&'q Expr>,
}

/// The keys over the columns of FROM; ordinals and aliases stand for the items they name.
pub(super) fn keys<'q>(binder: &Binder<'_>, order_by: &'q [OrderItem], items: &[Item<'_>]) -> Result<Vec<Key<'q>>> {
    if let [only] = order_by
        && let ExprKind::Column(name) = &only.expr.kind
        && name.parts.len() == 1
        && name.last().eq_ignore_ascii_case("all")
        && binder.bind(&only.expr).is_err()
    {
        let key = |item: &Item<'_>| Key { expr: item.typed.expr.clone(), item: only, span: only.expr.span, text: None };
        return Ok(items.iter().map(key).collect());
    }
    let mut keys = Vec::with_capacity(order_by.len());
    for item in order_by {
        let typed = match ordinal(&item.expr) {
            Some(position) => position_of(position, items.len(), "ORDER_BY_POS_OUT_OF_RANGE", item.expr.span)
                .and_then(|idx| {
                    items.get(idx).map(|item| item.typed.clone()).ok_or_else(|| Diagnostic::internal("ordinal"))
                })?,
            None => binder.bind(&item.expr)?,
        };
        keys.push(Key { expr: typed.expr, item, span: item.expr.span, text: Some(&item.expr) });
    }
    Ok(keys)
}

/// The number, where an expression is a plain INT.
pub(super) fn ordinal(expr: &Expr) -> Option<i64> {
    match expr.kind {
        ExprKind::Literal(Literal::Int(position)) => Some(i64::from(position)),
        _ => None,
    }
}

/// The index of the select item at an ordinal.
pub(super) fn position_of(position: i64, n_items: usize, condition: &str, span: Span) -> Result<usize> {
    let idx = usize::try_from(position).ok().and_then(|position| position.checked_sub(1));
    idx.filter(|idx| *idx < n_items).ok_or_else(|| {
        let message = format!("Position {position} is not in the select list, which has {n_items} items.");
        Diagnostic::new(condition, "42805", message, span)
    })
}

/// Projects the output columns, then removes duplicates and sorts. A key that is no output column travels along; no
/// scope names it, so it is gone where the plan is next projected.
pub(super) fn output(
    planner: &Planner<'_>,
    plan: LogicalPlan,
    exprs: &[PlanExpr],
    fields: &[Field],
    keys: Vec<Key<'_>>,
    distinct: bool,
    span: Span,
) -> Result<LogicalPlan> {
    let mut projected: Vec<PlanExpr> =
        exprs.iter().zip(fields).map(|(expr, field)| expr.clone().alias(field.id.clone())).collect();
    let mut sort = Vec::with_capacity(keys.len());
    for key in keys {
        let column = match exprs.iter().position(|expr| *expr == key.expr).and_then(|idx| fields.get(idx)) {
            Some(field) => field.expr(),
            None if distinct => {
                let message = "With SELECT DISTINCT, ORDER BY can only name what is selected.";
                return Err(Diagnostic::new("UNRESOLVED_COLUMN.WITH_SUGGESTION", "42703", message, key.span));
            }
            None => {
                let id = planner.fresh_id();
                projected.push(key.expr.alias(id.clone()));
                PlanExpr::Column(datafusion::common::Column::new_unqualified(id))
            }
        };
        sort.push(sort_key(column, key.item));
    }
    let projected = built(LogicalPlanBuilder::from(plan).project(projected), span)?;
    let mut builder = Ok(LogicalPlanBuilder::from(exchange::fixed(projected, span)?));
    if distinct {
        builder = builder.and_then(LogicalPlanBuilder::distinct);
    }
    if !sort.is_empty() {
        builder = builder.and_then(|builder| builder.sort(sort));
    }
    built(builder, span)
}

impl Planner<'_> {
    /// The query's body with its ORDER BY, LIMIT and OFFSET.
    pub(super) async fn ordered_body(&self, env: &Env, query: &Query) -> Result<Planned> {
        let mut planned = match &query.body {
            QueryBody::Select(select) => self.select(env, select, &query.order_by).await?,
            body => {
                let planned = self.body(env, body, query.span).await?;
                self.ordered(env, planned, &query.order_by, query.span)?
            }
        };
        let skip = query.offset.as_ref().map(|offset| self.row_count(offset)).transpose()?.unwrap_or(0);
        let fetch = match &query.limit {
            // The grammar gives LIMIT ALL as a bare name.
            Some(Expr { kind: ExprKind::Column(name), .. }) if name.last().eq_ignore_ascii_case("all") => None,
            Some(limit) => Some(self.row_count(limit)?),
            None => None,
        };
        if skip > 0 || fetch.is_some() {
            planned.plan = built(LogicalPlanBuilder::from(planned.plan).limit(skip, fetch), query.span)?;
        }
        Ok(planned)
    }

    fn body<'f>(&'f self, env: &'f Env, body: &'f QueryBody, span: Span) -> BoxFuture<'f, Result<Planned>> {
        Box::pin(async move {
            match body {
                QueryBody::Select(select) => self.select(env, select, &[]).await,
                QueryBody::Values { rows, alias } => {
                    super::from::with_alias(self.values(env, rows, span)?, alias.as_ref(), span)
                }
                QueryBody::Table(name) => self.table(env, name, None).await,
                QueryBody::Query(query) => self.query(env, query).await,
                QueryBody::SetOp { op, all, by_name, left, right } => {
                    let spans = (span_of(left, span), span_of(right, span));
                    let left = self.body(env, left, span).await?;
                    let right = self.body(env, right, span).await?;
                    self.set_op(*op, *all, *by_name, (left, right), spans)
                }
            }
        })
    }

    /// ORDER BY over anything but a SELECT sees the output columns only.
    fn ordered(&self, env: &Env, planned: Planned, order_by: &[OrderItem], span: Span) -> Result<Planned> {
        if order_by.is_empty() {
            return Ok(planned);
        }
        let subqueries = Subqueries::default();
        let fields: Vec<Field> = planned.scope.fields.iter().filter(|field| field.visible).cloned().collect();
        let items: Vec<Item<'_>> = fields
            .iter()
            .map(|field| Item { name: field.name.clone(), typed: field.typed(), span, expr: None, renamed: false })
            .collect();
        let binder = self.binder(env, &planned.scope, &subqueries, Place::Statement);
        let keys = keys(&binder, order_by, &items)?;
        let mut sort = Vec::with_capacity(keys.len());
        for key in keys {
            sort.push(sort_key(at(without_joins(key.expr, false), key.span)?, key.item));
        }
        let plan = built(LogicalPlanBuilder::from(planned.plan).sort(sort), span)?;
        Ok(Planned { plan, ..planned })
    }

    fn row_count(&self, expr: &Expr) -> Result<usize> {
        let (scope, subqueries) = (Scope::new(), Subqueries::default());
        let typed: Typed = Binder::new(self.session, &scope, &subqueries, Place::Values).bind(expr)?;
        let count = literal_i64(self.session, typed);
        count.and_then(|count| usize::try_from(count).ok()).ok_or_else(|| {
            let message = "LIMIT and OFFSET need a constant whole number of 0 or more.";
            Diagnostic::new("INVALID_LIMIT_LIKE_EXPRESSION.DATA_TYPE", "42K0E", message, expr.span)
        })
    }
}

fn span_of(body: &QueryBody, otherwise: Span) -> Span {
    match body {
        QueryBody::Select(select) => select.span,
        QueryBody::Query(query) => query.span,
        QueryBody::Table(name) => name.span(),
        QueryBody::SetOp { left, right, .. } => span_of(left, otherwise).to(span_of(right, otherwise)),
        QueryBody::Values { .. } => otherwise,
    }
}
