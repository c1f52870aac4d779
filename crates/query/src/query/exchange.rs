//! Hints and steps of data frames that deal rows out among tasks.

use super::planner::{Env, Planned, Planner, Result, built};
use crate::expr::{Place, Subqueries, at};
use crate::functions;
use crate::session::Tasks;
use crate::tasks::{Deal, Exchanged};
use crate::typed::Typed;
use arrow::compute::SortOptions;
use datafusion::common::Column;
use datafusion::datasource::provider_as_source;
use datafusion::logical_expr::{Expr as PlanExpr, LogicalPlan, LogicalPlanBuilder, lit};
use spec::{Diagnostic, Exchange, ExchangeKind, Span};
use std::sync::Arc;

/// The name of the scan of every exchange: the projection above hides it at once.
const DEALT: &str = "dealt";

/// Each task writes a file of its own.
const MOST_TASKS: usize = 10_000;

/// The plan as it is, where it draws random numbers or asks for its task: nothing moves across it.
pub(super) fn fixed(plan: LogicalPlan, span: Span) -> Result<LogicalPlan> {
    if !plan.expressions().iter().any(PlanExpr::is_volatile) {
        return Ok(plan);
    }
    let n_columns = plan.schema().fields().len();
    dealt(plan, n_columns, Deal::Same, span)
}

/// The first `n_columns` columns of `input`, dealt out.
fn dealt(input: LogicalPlan, n_columns: usize, deal: Deal, span: Span) -> Result<LogicalPlan> {
    let columns: Vec<Column> = input.schema().columns().into_iter().take(n_columns).collect();
    let exchanged = Exchanged::new(input, n_columns, deal);
    let named = |column: &Column| PlanExpr::Column(Column::new(Some(DEALT), column.name())).alias(column.name());
    let scan = LogicalPlanBuilder::scan(DEALT, provider_as_source(Arc::new(exchanged)), None)
        .and_then(|builder| builder.project(columns.iter().map(named)));
    built(scan, span)
}

impl Planner<'_> {
    /// The same rows, dealt out as the exchange says.
    pub(super) fn exchange(&self, env: &Env, planned: Planned, exchange: &Exchange) -> Result<Planned> {
        let span = exchange.span;
        if exchange.kind == ExchangeKind::Rebalance && !self.session.settings().tasks.adaptive {
            return Ok(planned);
        }
        let n_tasks = self.n_tasks(exchange)?;
        let Planned { plan, scope } = planned;
        let columns: Vec<Column> = plan.schema().columns();
        let mut exprs: Vec<PlanExpr> = columns.iter().cloned().map(PlanExpr::Column).collect();
        let subqueries = Subqueries::default();
        let binder = self.binder(env, &scope, &subqueries, Place::OrderBy);
        let keys =
            exchange.by.iter().map(|item| binder.bind(&item.expr)).collect::<std::result::Result<Vec<_>, _>>()?;
        let deal = match exchange.kind {
            _ if n_tasks == 1 => Deal::Coalesce(1),
            ExchangeKind::Coalesce => Deal::Coalesce(n_tasks),
            ExchangeKind::Repartition | ExchangeKind::Rebalance if keys.is_empty() => Deal::RoundRobin(n_tasks),
            ExchangeKind::Repartition | ExchangeKind::Rebalance => {
                let task = at(self.task_of(keys, n_tasks), span)?;
                exprs.push(task.expr.alias(self.fresh_id()));
                Deal::ByColumn(n_tasks)
            }
            ExchangeKind::RepartitionByRange => {
                exprs.extend(keys.into_iter().map(|key| key.expr.alias(self.fresh_id())));
                let options = exchange.by.iter().map(|item| SortOptions {
                    descending: item.descending,
                    nulls_first: item.nulls_first.unwrap_or(!item.descending),
                });
                Deal::ByRange(n_tasks, options.collect())
            }
        };
        let input = built(LogicalPlanBuilder::from(plan).project(exprs), span)?;
        Ok(Planned { plan: dealt(input, columns.len(), deal, span)?, scope })
    }

    /// How many tasks there are afterwards.
    fn n_tasks(&self, exchange: &Exchange) -> Result<usize> {
        let Tasks { parallelism, shuffled, adaptive } = self.session.settings().tasks;
        // Adaptive execution puts what is small together, but leaves work for as many tasks as run side by side.
        let of_the_session = if adaptive { shuffled.min(parallelism) } else { shuffled };
        let asked = exchange.n_tasks.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        match asked {
            None => Ok(of_the_session),
            Some(n_tasks @ 1..=MOST_TASKS) => Ok(n_tasks),
            // The reference raises an exception without a condition here.
            Some(0) => {
                let message = "requirement failed: Number of partitions (0) must be positive.";
                Err(Diagnostic::new("IllegalArgumentException", "", message, exchange.span))
            }
            Some(n_tasks) => {
                Err(Diagnostic::unsupported(format!("An exchange among {n_tasks} partitions"), exchange.span))
            }
        }
    }

    /// The number of the task that rows with these keys go to.
    fn task_of(&self, keys: Vec<Typed>, n_tasks: usize) -> std::result::Result<Typed, crate::error::Complaint> {
        let n_tasks = i32::try_from(n_tasks).unwrap_or(i32::MAX);
        let hash = functions::scalar(self.session, "hash", keys)?;
        let n_tasks = Typed::new(lit(n_tasks), hash.data_type.clone(), false);
        functions::scalar(self.session, "pmod", vec![hash, n_tasks])
    }
}
