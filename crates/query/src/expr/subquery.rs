//! Subqueries inside expressions.
//!
//! EXISTS and IN become joins where DataFusion does that correctly: as conjuncts of a filter, unnegated. Everywhere
//! else, and for NOT IN with its three-valued logic, they are spelled with scalar subqueries over an aggregate,
//! which work in any place.

use super::single_row;
use super::{Binder, Result, at, boolean, coerce};
use crate::error::Complaint;
use crate::ops;
use crate::scope::Field;
use crate::typed::Typed;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{Column, ExprSchema, ScalarValue, Spans};
use datafusion::functions_aggregate::expr_fn::max;
use datafusion::logical_expr::expr::{Exists, InSubquery};
use datafusion::logical_expr::{Case, Expr as PlanExpr, LogicalPlan, LogicalPlanBuilder, Subquery, lit};
use spec::{Diagnostic, Expr, ExprKind, FrameBound, Query, Span, WindowSpec};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A planned subquery.
#[derive(Debug, Clone)]
pub(crate) struct Subplan {
    pub(crate) plan: LogicalPlan,
    pub(crate) fields: Vec<Field>,
    /// Set where it runs before the expression: its value.
    pub(crate) constant: Option<Typed>,
    pub(crate) span: Span,
}

/// The subqueries of the expressions that are being bound, by their place in memory.
#[derive(Debug, Default)]
pub(crate) struct Subqueries {
    plans: BTreeMap<usize, Subplan>,
}

impl Subqueries {
    pub(crate) fn insert(&mut self, query: &Query, plan: Subplan) {
        self.plans.insert(address(query), plan);
    }

    pub(super) fn get(&self, query: &Query) -> std::result::Result<&Subplan, Diagnostic> {
        self.plans.get(&address(query)).ok_or_else(|| Diagnostic::unsupported("A subquery in this place", query.span))
    }
}

fn address(query: &Query) -> usize {
    std::ptr::from_ref(query).addr()
}

/// The subqueries directly inside an expression.
pub(crate) fn subqueries_of<'e>(expr: &'e Expr, found: &mut Vec<&'e Query>) {
    match &expr.kind {
        ExprKind::InQuery { expr, query, .. } => {
            subqueries_of(expr, found);
            found.push(query);
        }
        ExprKind::Exists { query } | ExprKind::Subquery(query) => found.push(query),
        ExprKind::Function(call) => {
            for part in call.args.iter().chain(&call.filter) {
                subqueries_of(part, found);
            }
            if let Some(window) = &call.over {
                in_window(window, found);
            }
        }
        _ => children(expr, &mut |child| subqueries_of(child, found)),
    }
}

fn in_window<'e>(window: &'e WindowSpec, found: &mut Vec<&'e Query>) {
    for expr in &window.partition_by {
        subqueries_of(expr, found);
    }
    for item in &window.order_by {
        subqueries_of(&item.expr, found);
    }
    if let Some(frame) = &window.frame {
        for bound in [&frame.start, &frame.end] {
            if let FrameBound::Preceding(offset) | FrameBound::Following(offset) = bound {
                subqueries_of(offset, found);
            }
        }
    }
}

/// Visits the operands of an expression: neither the arguments of a call nor the inside of a subquery.
pub(super) fn children<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    match &expr.kind {
        ExprKind::Literal(_)
        | ExprKind::Column(_)
        | ExprKind::FrameColumn { .. }
        | ExprKind::Star
        | ExprKind::Default
        | ExprKind::Exists { .. }
        | ExprKind::Subquery(_)
        | ExprKind::Function(_) => {}
        ExprKind::Unary { expr, .. }
        | ExprKind::IsNull { expr, .. }
        | ExprKind::IsTruth { expr, .. }
        | ExprKind::InQuery { expr, .. }
        | ExprKind::Cast { expr, .. }
        | ExprKind::Field { expr, .. }
        | ExprKind::Lambda { body: expr, .. } => visit(expr),
        ExprKind::Binary { left, right, .. } => {
            visit(left);
            visit(right);
        }
        ExprKind::Between { expr, low, high, .. } => {
            visit(expr);
            visit(low);
            visit(high);
        }
        ExprKind::InList { expr, list, .. } => {
            visit(expr);
            list.iter().for_each(visit);
        }
        ExprKind::Like { expr, pattern, .. } => {
            visit(expr);
            visit(pattern);
        }
        ExprKind::Index { expr, index } => {
            visit(expr);
            visit(index);
        }
        ExprKind::Case { operand, branches, otherwise } => {
            for part in [operand, otherwise].into_iter().flatten() {
                visit(part);
            }
            for (when, then) in branches {
                visit(when);
                visit(then);
            }
        }
    }
}

/// `(SELECT …)` as a value. More than one row is an error when it runs.
pub(super) fn scalar(subplan: &Subplan, span: Span) -> Result<Typed> {
    if let Some(constant) = &subplan.constant {
        return Ok(constant.clone());
    }
    let field = only_field(subplan)?;
    if hidden_aggregates(&subplan.plan) > 1 {
        return Err(unsupported_shape(span).into());
    }
    if subplan.plan.max_rows().is_some_and(|n_rows| n_rows <= 1) {
        return Ok(Typed::new(scalar_subquery(subplan.plan.clone()), field.data_type.clone(), true));
    }
    let (aggregate, unwrap) = single_row::checked(field.expr(), &field.data_type);
    let plan = LogicalPlanBuilder::from(subplan.plan.clone())
        .aggregate(Vec::<PlanExpr>::new(), vec![aggregate.alias("#single")])
        .and_then(LogicalPlanBuilder::build)
        .map_err(|error| crate::error::diagnose(&error).or_at(span))?;
    Ok(Typed::new(unwrap(scalar_subquery(plan)), field.data_type.clone(), true))
}

/// `EXISTS (…)`.
pub(super) fn exists(subplan: &Subplan) -> std::result::Result<Typed, Diagnostic> {
    if let Some(constant) = &subplan.constant {
        return Ok(constant.clone());
    }
    if is_global_aggregate(&subplan.plan) {
        // It has a row even where it aggregates none.
        return Ok(boolean(lit(true), false));
    }
    if hidden_aggregates(&subplan.plan) > 0 {
        return Err(unsupported_shape(subplan.span));
    }
    let subquery = subquery(subplan.plan.clone());
    Ok(boolean(PlanExpr::Exists(Exists { subquery, negated: false }), false))
}

/// `operand [NOT] IN (SELECT …)`.
pub(super) fn in_query(
    binder: &Binder<'_>,
    operand: Typed,
    subplan: &Subplan,
    negated: bool,
    span: Span,
) -> Result<Typed> {
    let field = only_field(subplan)?;
    let types = [operand.data_type.clone(), field.data_type.clone()];
    let Some(common) = ops::common_type(&types) else {
        let message = format!("{} cannot be compared with {}.", types[0].spark_name(), types[1].spark_name());
        return Err(Diagnostic::new("DATATYPE_MISMATCH.IN_SUBQUERY_DATA_TYPE_MISMATCH", "42K09", message, span).into());
    };
    let operand = at(coerce(binder.session, operand, &common), span)?;
    let value = at(coerce(binder.session, field.typed(), &common), span)?;
    let nullable = operand.nullable || value.nullable;
    let planned = if value.expr == field.expr() {
        Ok(subplan.plan.clone())
    } else {
        LogicalPlanBuilder::from(subplan.plan.clone())
            .project(vec![value.expr.alias(format!("{}:cast", field.id))])
            .and_then(LogicalPlanBuilder::build)
    };
    let plan = planned.map_err(|error| crate::error::diagnose(&error).or_at(span))?;
    match hidden_aggregates(&subplan.plan) {
        0 => {}
        1 if is_global_aggregate(&subplan.plan) => {
            // Exactly one row, which a join would lose where there is nothing to aggregate.
            let value = scalar_subquery(plan);
            let equal = if negated { operand.expr.not_eq(value) } else { operand.expr.eq(value) };
            return Ok(boolean(equal, true));
        }
        _ => return Err(unsupported_shape(span).into()),
    }
    let subquery = subquery(plan);
    Ok(boolean(PlanExpr::InSubquery(InSubquery { expr: Box::new(operand.expr), subquery, negated }), nullable))
}

/// Whether the plan is an aggregate without groups, so that it gives one row whatever it reads.
fn is_global_aggregate(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Projection(projection) => is_global_aggregate(&projection.input),
        LogicalPlan::Aggregate(aggregate) => aggregate.group_expr.is_empty(),
        _ => false,
    }
}

/// How many aggregates without groups stand above a reference to the outer query. Decorrelation groups them by the
/// outer columns, and then the row that they give for no input is missing.
fn hidden_aggregates(plan: &LogicalPlan) -> usize {
    let below: usize = plan.inputs().into_iter().map(hidden_aggregates).sum();
    match plan {
        LogicalPlan::Aggregate(aggregate)
            if aggregate.group_expr.is_empty() && !aggregate.input.all_out_ref_exprs().is_empty() =>
        {
            below + 1
        }
        _ => below,
    }
}

/// The answer to a correlated subquery that cannot be turned into a join.
pub(crate) fn unsupported_shape(span: Span) -> Diagnostic {
    Diagnostic::unsupported("A correlated subquery of this shape", span)
        .with_hint("Write it as a join with a grouped query.")
}

fn only_field(subplan: &Subplan) -> std::result::Result<&Field, Diagnostic> {
    let visible: Vec<&Field> = subplan.fields.iter().filter(|field| field.visible).collect();
    match visible.as_slice() {
        [field] => Ok(field),
        fields => {
            let message =
                format!("A subquery used as a value must give one column, but this one gives {}.", fields.len());
            Err(Diagnostic::new(
                "INVALID_SUBQUERY_EXPRESSION.SCALAR_SUBQUERY_RETURN_MORE_THAN_ONE_OUTPUT_COLUMN",
                "42823",
                message,
                subplan.span,
            ))
        }
    }
}

fn scalar_subquery(plan: LogicalPlan) -> PlanExpr {
    PlanExpr::ScalarSubquery(subquery(plan))
}

fn subquery(plan: LogicalPlan) -> Subquery {
    let outer_ref_columns = plan.all_out_ref_exprs();
    Subquery { subquery: Arc::new(plan), outer_ref_columns, spans: Spans::new() }
}

/// Rewrites EXISTS and IN for a place where no join can stand in for them: all of them where `keep_joins` is false,
/// else those that are no plain conjunct.
///
/// # Errors
/// A correlated operand inside a correlated subquery.
pub(crate) fn without_joins(expr: PlanExpr, keep_joins: bool) -> std::result::Result<PlanExpr, Complaint> {
    if keep_joins {
        match expr {
            PlanExpr::BinaryExpr(mut both) if both.op == datafusion::logical_expr::Operator::And => {
                both.left = Box::new(without_joins(*both.left, true)?);
                both.right = Box::new(without_joins(*both.right, true)?);
                return Ok(PlanExpr::BinaryExpr(both));
            }
            PlanExpr::Exists(_) => return Ok(expr),
            PlanExpr::Not(ref inner) if matches!(**inner, PlanExpr::Exists(_)) => return Ok(expr),
            PlanExpr::InSubquery(InSubquery { negated: false, .. }) => return Ok(expr),
            _ => {}
        }
    }
    let rewritten = expr.transform_up(|node| match node {
        PlanExpr::Exists(Exists { subquery, negated }) => {
            let found = found(subquery.subquery.as_ref().clone())?;
            Ok(Transformed::yes(if negated { found.is_null() } else { found.is_not_null() }))
        }
        PlanExpr::InSubquery(InSubquery { expr, subquery, negated }) => {
            Ok(Transformed::yes(spelled_in(*expr, subquery.subquery.as_ref().clone(), negated)?))
        }
        other => Ok(Transformed::no(other)),
    });
    match rewritten {
        Ok(transformed) => Ok(transformed.data),
        Err(error) => {
            let diagnostic = crate::error::diagnose(&error);
            Err(Complaint::new(diagnostic.condition, diagnostic.sqlstate, diagnostic.message))
        }
    }
}

/// A scalar subquery that is 1 where `plan` has a row, else NULL.
fn found(plan: LogicalPlan) -> datafusion::common::Result<PlanExpr> {
    let plan = LogicalPlanBuilder::from(plan)
        .project(vec![lit(1_i32).alias("#one")])?
        .aggregate(
            Vec::<PlanExpr>::new(),
            vec![max(PlanExpr::Column(Column::new_unqualified("#one"))).alias("#found")],
        )?
        .build()?;
    Ok(scalar_subquery(plan))
}

/// `IN` by its definition: TRUE where an equal value exists; else NULL where a NULL stands on either side of a
/// comparison; else FALSE.
fn spelled_in(operand: PlanExpr, plan: LogicalPlan, negated: bool) -> datafusion::common::Result<PlanExpr> {
    let (field, value) = match plan.schema().columns().as_slice() {
        [column] => (Arc::clone(plan.schema().as_ref().field_from_column(column)?), PlanExpr::Column(column.clone())),
        _ => return Err(Complaint::internal("IN over a subquery with several columns").into()),
    };
    if operand.exists(|node| Ok(matches!(node, PlanExpr::OuterReferenceColumn(..))))? {
        return Err(Complaint::unsupported("NOT IN whose left side comes from two queries further out").into());
    }
    let outer_operand = operand
        .clone()
        .transform_up(|node| match node {
            PlanExpr::Column(column) => {
                let outer = arrow::datatypes::Field::new(&column.name, field.data_type().clone(), true);
                Ok(Transformed::yes(PlanExpr::OuterReferenceColumn(Arc::new(outer), column)))
            }
            other => Ok(Transformed::no(other)),
        })?
        .data;
    let equal = LogicalPlanBuilder::from(plan.clone()).filter(value.clone().eq(outer_operand))?.build()?;
    let null_value = LogicalPlanBuilder::from(plan.clone()).filter(value.is_null())?.build()?;
    let unknown = found(null_value)?.is_not_null().or(operand.is_null().and(found(plan)?.is_not_null()));
    let when_then = vec![
        (Box::new(found(equal)?.is_not_null()), Box::new(lit(!negated))),
        (Box::new(unknown), Box::new(PlanExpr::Literal(ScalarValue::Boolean(None), None))),
    ];
    Ok(PlanExpr::Case(Case::new(None, when_then, Some(Box::new(lit(negated))))))
}
