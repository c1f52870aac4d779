//! The window step: window functions become columns of a Window node.

use super::planner::{Planner, Result, built};
use datafusion::common::Column;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::expr::WindowFunction;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder};
use spec::{Diagnostic, Span};

pub(super) fn has_window(expr: &Expr) -> bool {
    expr.exists(|node| Ok(matches!(node, Expr::WindowFunction(_)))).unwrap_or(false)
}

/// Computes the window functions inside `exprs` and puts columns in their place.
pub(super) fn plan(planner: &Planner<'_>, plan: LogicalPlan, exprs: &mut [Expr], span: Span) -> Result<LogicalPlan> {
    let mut functions: Vec<(Box<WindowFunction>, String)> = Vec::new();
    for expr in exprs.iter_mut() {
        let replaced = std::mem::take(expr).transform_down(|node| match node {
            Expr::WindowFunction(function) => {
                let known = functions.iter().find(|(other, _)| *other == function).map(|(_, id)| id.clone());
                let id = known.unwrap_or_else(|| {
                    let id = planner.fresh_id();
                    functions.push((function, id.clone()));
                    id
                });
                Ok(Transformed::new(Expr::Column(Column::new_unqualified(id)), true, TreeNodeRecursion::Jump))
            }
            other => Ok(Transformed::no(other)),
        });
        *expr = replaced.map_err(Diagnostic::internal)?.data;
    }
    let mut plan = plan;
    while let Some((first, _)) = functions.first() {
        let (partition_by, order_by) = (first.params.partition_by.clone(), first.params.order_by.clone());
        let (same, rest): (Vec<_>, Vec<_>) = functions.into_iter().partition(|(function, _)| {
            function.params.partition_by == partition_by && function.params.order_by == order_by
        });
        functions = rest;
        let columns: Vec<Expr> =
            same.into_iter().map(|(function, id)| Expr::WindowFunction(function).alias(id)).collect();
        plan = built(LogicalPlanBuilder::from(plan).window(columns), span)?;
    }
    Ok(plan)
}
