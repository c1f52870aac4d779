//! GROUP BY: what the groups are, and the step that computes aggregates.

use super::exchange;
use super::order::{ordinal, position_of};
use super::planner::{Planned, Planner, Result, built};
use super::select::Item;
use crate::expr::{Binder, column_span};
use crate::scope::Scope;
use crate::typed::Typed;
use datafusion::common::Column;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::logical_expr::expr::{AggregateFunction, Sort};
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{Expr as PlanExpr, GroupingSet, LogicalPlan, LogicalPlanBuilder, lit};
use spec::{Diagnostic, Expr, GroupBy, Span};

/// An expression that is computed after grouping.
pub(super) struct Target<'q> {
    pub(super) expr: PlanExpr,
    pub(super) span: Span,
    pub(super) text: Option<&'q Expr>,
}

impl Target<'_> {
    pub(super) fn aggregates(&self) -> bool {
        has_aggregate(&self.expr)
    }
}

pub(super) fn has_aggregate(expr: &PlanExpr) -> bool {
    expr.exists(|node| Ok(matches!(node, PlanExpr::AggregateFunction(_)))).unwrap_or(false)
}

/// The keys of GROUP BY.
pub(super) struct Grouping {
    pub(super) keys: Vec<Typed>,
    /// The grouping sets, as positions in `keys`.
    pub(super) sets: Option<Vec<Vec<usize>>>,
}

/// What GROUP BY says; `None` without one.
pub(super) fn grouping(binder: &Binder<'_>, group_by: &GroupBy, items: &[Item<'_>]) -> Result<Option<Grouping>> {
    let bind_all =
        |exprs: &[Expr]| -> Result<Vec<Typed>> { exprs.iter().map(|expr| key(binder, expr, items)).collect() };
    Ok(Some(match group_by {
        GroupBy::None => return Ok(None),
        GroupBy::Exprs(exprs) => Grouping { keys: bind_all(exprs)?, sets: None },
        GroupBy::All(_) => {
            let keys = items.iter().filter(|item| !has_aggregate(&item.typed.expr)).map(|item| item.typed.clone());
            Grouping { keys: keys.collect(), sets: None }
        }
        GroupBy::Rollup(exprs) => {
            let keys = bind_all(exprs)?;
            let sets = (0..=keys.len()).rev().map(|n_keys| (0..n_keys).collect()).collect();
            Grouping { keys, sets: Some(sets) }
        }
        GroupBy::Cube(exprs) => {
            let keys = bind_all(exprs)?;
            let Some(n_sets) =
                u32::try_from(keys.len()).ok().filter(|n_keys| *n_keys <= 12).map(|n_keys| 1_usize << n_keys)
            else {
                let span = exprs.first().map(|expr| expr.span);
                return Err(Diagnostic::unsupported("A CUBE of more than 12 columns", span));
            };
            let set = |mask: usize| (0..keys.len()).filter(|idx| mask & (1 << idx) != 0).collect();
            let sets = (0..n_sets).rev().map(set).collect();
            Grouping { keys, sets: Some(sets) }
        }
        GroupBy::GroupingSets { exprs, sets } => {
            let mut keys = bind_all(exprs)?;
            let mut positions = Vec::with_capacity(sets.len());
            for set in sets {
                let mut members = Vec::with_capacity(set.len());
                for expr in set {
                    let typed = key(binder, expr, items)?;
                    let known = keys.iter().position(|key| key.expr == typed.expr);
                    members.push(known.unwrap_or_else(|| {
                        keys.push(typed);
                        keys.len() - 1
                    }));
                }
                positions.push(members);
            }
            Grouping { keys, sets: Some(positions) }
        }
    }))
}

fn key(binder: &Binder<'_>, expr: &Expr, items: &[Item<'_>]) -> Result<Typed> {
    let typed = match ordinal(expr) {
        Some(position) => {
            let idx = position_of(position, items.len(), "GROUP_BY_POS_OUT_OF_RANGE", expr.span)?;
            let Some(item) = items.get(idx) else { return Err(Diagnostic::internal("ordinal")) };
            if has_aggregate(&item.typed.expr) {
                let message = format!("GROUP BY {position} names an aggregate of the select list.");
                return Err(Diagnostic::new("GROUP_BY_POS_AGGREGATE", "42903", message, expr.span));
            }
            item.typed.clone()
        }
        None => binder.bind(expr)?,
    };
    if has_aggregate(&typed.expr) {
        let message = "GROUP BY cannot contain an aggregate function.";
        return Err(Diagnostic::new("GROUP_BY_AGGREGATE", "42903", message, expr.span));
    }
    Ok(typed)
}

impl Planner<'_> {
    /// Groups and aggregates. In each target, keys and aggregate functions give way to columns of the result.
    ///
    /// # Errors
    /// `MISSING_AGGREGATION` or `MISSING_GROUP_BY` where a target needs a column that has no single value per group.
    pub(super) fn aggregate(
        &self,
        input: Planned,
        grouping: Option<Grouping>,
        targets: &mut [Target<'_>],
        span: Span,
    ) -> Result<LogicalPlan> {
        let has_keys = grouping.is_some();
        let scope = input.scope.clone();
        let Grouping { keys, sets } = grouping.unwrap_or(Grouping { keys: Vec::new(), sets: None });
        let mut computed = Vec::new();
        let mut columns: Vec<(PlanExpr, Column)> = Vec::with_capacity(keys.len());
        for key in &keys {
            match &key.expr {
                PlanExpr::Column(column) => columns.push((key.expr.clone(), column.clone())),
                expr => {
                    let id = self.fresh_id();
                    computed.push(expr.clone().alias(id.clone()));
                    columns.push((expr.clone(), Column::new_unqualified(id)));
                }
            }
        }
        let order = order_of(&input.plan);
        let plan = match computed.is_empty() {
            true => input.plan,
            false => exchange::fixed(input.extended(computed, span)?, span)?,
        };

        let mut replacing = Replacing { planner: self, columns: &columns, aggregates: Vec::new() };
        for target in targets.iter_mut() {
            target.expr = replacing.replaced(target, &scope, has_keys)?;
        }
        let mut aggregates: Vec<PlanExpr> = replacing
            .aggregates
            .into_iter()
            .map(|(function, id)| PlanExpr::AggregateFunction(ordered(function, &order)).alias(id))
            .collect();
        if aggregates.is_empty() && columns.is_empty() {
            // An Aggregate node must compute something, even where only its one row is wanted.
            aggregates.push(count(lit(1_i64)).alias(self.fresh_id()));
        }
        let group: Vec<PlanExpr> = match sets {
            None => {
                let mut unique: Vec<PlanExpr> = Vec::new();
                for (_, column) in &columns {
                    let expr = PlanExpr::Column(column.clone());
                    if !unique.contains(&expr) {
                        unique.push(expr);
                    }
                }
                unique
            }
            Some(sets) => {
                let member = |idx: usize| columns.get(idx).map(|(_, column)| PlanExpr::Column(column.clone()));
                let sets = sets.into_iter().map(|set| set.into_iter().filter_map(member).collect()).collect();
                vec![PlanExpr::GroupingSet(GroupingSet::GroupingSets(sets))]
            }
        };
        built(LogicalPlanBuilder::from(plan).aggregate(group, aggregates), span)
    }
}

/// The sort keys of the rows, where an ORDER BY stands below.
fn order_of(plan: &LogicalPlan) -> Vec<Sort> {
    match plan {
        LogicalPlan::Sort(sort) => sort.expr.clone(),
        LogicalPlan::Filter(filter) => order_of(&filter.input),
        LogicalPlan::Limit(limit) => order_of(&limit.input),
        LogicalPlan::Projection(projection) => {
            let order = order_of(&projection.input);
            let columns = projection.schema.columns();
            let known = |key: &Sort| matches!(&key.expr, PlanExpr::Column(column) if columns.contains(column));
            if order.iter().all(known) { order } else { Vec::new() }
        }
        _ => Vec::new(),
    }
}

/// An aggregate such as `first` sees the rows in the order of the query below, as it does in Spark on one partition.
/// DataFusion would drop a sort that nothing asks for, so the aggregate asks for it.
fn ordered(mut function: AggregateFunction, order: &[Sort]) -> AggregateFunction {
    let sensitive = function.func.order_sensitivity() != AggregateOrderSensitivity::Insensitive;
    if sensitive && !function.params.distinct && function.params.order_by.is_empty() {
        function.params.order_by = order.to_vec();
    }
    function
}

struct Replacing<'a> {
    planner: &'a Planner<'a>,
    /// Each key and the column that holds it.
    columns: &'a [(PlanExpr, Column)],
    aggregates: Vec<(AggregateFunction, String)>,
}

impl Replacing<'_> {
    fn replaced(&mut self, target: &Target<'_>, scope: &Scope, has_keys: bool) -> Result<PlanExpr> {
        let mut missing: Option<String> = None;
        let replaced = target.expr.clone().transform_down(|node| {
            if let Some((_, column)) = self.columns.iter().find(|(key, _)| *key == node) {
                return Ok(Transformed::new(PlanExpr::Column(column.clone()), true, TreeNodeRecursion::Jump));
            }
            match node {
                PlanExpr::AggregateFunction(function) => {
                    let column = PlanExpr::Column(Column::new_unqualified(self.id_of(function)));
                    Ok(Transformed::new(column, true, TreeNodeRecursion::Jump))
                }
                PlanExpr::Column(column) => {
                    missing.get_or_insert_with(|| column.name.clone());
                    Ok(Transformed::no(PlanExpr::Column(column)))
                }
                PlanExpr::ScalarSubquery(subquery) => {
                    for outer in &subquery.outer_ref_columns {
                        if let PlanExpr::OuterReferenceColumn(_, column) = outer
                            && !self.columns.iter().any(|(_, key)| key == column)
                        {
                            missing.get_or_insert_with(|| column.name.clone());
                        }
                    }
                    Ok(Transformed::no(PlanExpr::ScalarSubquery(subquery)))
                }
                other => Ok(Transformed::no(other)),
            }
        });
        match missing {
            Some(id) => Err(not_grouped(&id, target, scope, has_keys)),
            None => Ok(replaced.map_err(Diagnostic::internal)?.data),
        }
    }

    fn id_of(&mut self, function: AggregateFunction) -> String {
        if let Some((_, id)) = self.aggregates.iter().find(|(other, _)| *other == function) {
            return id.clone();
        }
        let id = self.planner.fresh_id();
        self.aggregates.push((function, id.clone()));
        id
    }
}

fn not_grouped(id: &str, target: &Target<'_>, scope: &Scope, has_keys: bool) -> Diagnostic {
    let name = scope.fields.iter().find(|field| field.id == id).map_or("?", |field| field.name.as_str());
    let span = target.text.and_then(|text| column_span(scope, text, id)).unwrap_or(target.span);
    if !has_keys {
        let message = format!("`{name}` stands beside an aggregate function, but the query has no GROUP BY.");
        return Diagnostic::new("MISSING_GROUP_BY", "42803", message, span)
            .with_hint("Add GROUP BY, or turn the aggregate into a window function with OVER ().");
    }
    let message = format!(
        "`{name}` is neither in GROUP BY nor inside an aggregate function, so a group has no single value of it."
    );
    Diagnostic::new("MISSING_AGGREGATION", "42803", message, span).with_hint(format!(
        "Group by `{name}` too, or pick a value with `any_value({name})`, `max({name})` or the like."
    ))
}
