//! Columns that a query without FROM gives: constants, and the reference's optimiser treats them as such.

use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::logical_expr::{Expr, LogicalPlan};

/// The expressions of the one row of a query that reads nothing; `None` for any other query.
pub(crate) fn lone_row(plan: &LogicalPlan) -> Option<Vec<Expr>> {
    match plan {
        LogicalPlan::EmptyRelation(empty) if empty.produce_one_row => Some(Vec::new()),
        LogicalPlan::SubqueryAlias(alias) => lone_row(&alias.input),
        LogicalPlan::Projection(projection) => {
            let below = lone_row(&projection.input)?;
            let schema = projection.input.schema();
            let known = |expr: Expr| {
                let Expr::Column(column) = &expr else { return Ok(Transformed::no(expr)) };
                let found = schema.maybe_index_of_column(column).and_then(|idx| below.get(idx));
                Ok(found.map_or_else(|| Transformed::no(expr.clone()), |found| Transformed::yes(found.clone())))
            };
            let row = projection.expr.iter().map(|expr| expr.clone().unalias_nested().data.transform_up(known));
            row.map(|expr| expr.ok().map(|expr| expr.data)).collect()
        }
        _ => None,
    }
}
