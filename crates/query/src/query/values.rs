//! VALUES: each column gets the type that holds all of its values.

use super::planner::{Env, Planned, Planner, Result, built};
use crate::expr::{Place, Subqueries};
use crate::scope::{Field, Scope};
use crate::typed::Typed;
use datafusion::common::Column;
use datafusion::logical_expr::{Expr as PlanExpr, LogicalPlanBuilder};
use spec::{Diagnostic, Expr, Span};

impl Planner<'_> {
    pub(super) fn values(&self, env: &Env, rows: &[Vec<Expr>], span: Span) -> Result<Planned> {
        let scope = Scope::new();
        let subqueries = Subqueries::default();
        let binder = self.binder(env, &scope, &subqueries, Place::Values);
        let n_columns = rows.first().map_or(0, Vec::len);
        let mut columns: Vec<Vec<Typed>> = vec![Vec::with_capacity(rows.len()); n_columns];
        for row in rows {
            if row.len() != n_columns {
                let message = format!("A row of VALUES has {} columns, the first row has {n_columns}.", row.len());
                let place = row.first().zip(row.last()).map_or(span, |(first, last)| first.span.to(last.span));
                return Err(Diagnostic::new("INVALID_INLINE_TABLE.NUM_COLUMNS_MISMATCH", "42000", message, place));
            }
            for (value, column) in row.iter().zip(&mut columns) {
                column.push(binder.bind(value)?);
            }
        }
        let mut fields = Vec::with_capacity(n_columns);
        let mut table: Vec<Vec<PlanExpr>> = vec![Vec::with_capacity(n_columns); rows.len()];
        let mut exprs = Vec::with_capacity(n_columns);
        for (idx, values) in columns.into_iter().enumerate() {
            let nullable = values.iter().any(|value| value.nullable);
            let (values, data_type) = binder.same_type(values, "VALUES", span)?;
            for (row, value) in table.iter_mut().zip(values) {
                row.push(value.expr);
            }
            let id = self.fresh_id();
            exprs.push(PlanExpr::Column(Column::from_name(format!("column{}", idx + 1))).alias(id.clone()));
            fields.push(Field {
                name: format!("col{}", idx + 1),
                qualifier: Vec::new(),
                id,
                data_type,
                nullable,
                visible: true,
                origins: Vec::new(),
                behind: false,
            });
        }
        let plan = built(LogicalPlanBuilder::values(table).and_then(|builder| builder.project(exprs)), span)?;
        Ok(Planned { plan, scope: Scope { fields } })
    }
}
