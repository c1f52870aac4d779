//! `range([start,] end [, step [, tasks]])` in FROM.

use super::planner::{Planned, Planner, Result, built};
use crate::scope::{Field, Scope};
use crate::tasks::Ranges;
use datafusion::common::Column;
use datafusion::datasource::provider_as_source;
use datafusion::logical_expr::{Expr as PlanExpr, LogicalPlanBuilder};
use delta::schema::DataType;
use spec::{Diagnostic, Expr, Span};
use std::sync::Arc;

/// More rows than this would keep a browser tab busy for minutes, and fill its memory when they are looked at.
const MOST_ROWS: i128 = 50_000_000;

/// Each task writes a file of its own.
const MOST_TASKS: i64 = 10_000;

impl Planner<'_> {
    pub(super) fn range(&self, args: &[Expr], span: Span) -> Result<Planned> {
        let tasks = self.session.settings().tasks.parallelism;
        let own_tasks = i64::try_from(tasks).unwrap_or(1);
        let (start, end, step, n_tasks) = match self.long_args(args)?.as_slice() {
            [end] => (0, *end, 1, own_tasks),
            [start, end] => (*start, *end, 1, own_tasks),
            [start, end, step] => (*start, *end, *step, own_tasks),
            [start, end, step, n_tasks] => (*start, *end, *step, *n_tasks),
            values => {
                let message = format!("range takes one to four arguments, not {}.", values.len());
                return Err(Diagnostic::new("WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "42605", message, span));
            }
        };
        if step == 0 {
            return Err(Diagnostic::new("RANGE_STEP_ZERO", "22023", "The step of range must not be 0.", span));
        }
        let distance = i128::from(end) - i128::from(start);
        let n_rows = (distance / i128::from(step) + i128::from(distance % i128::from(step) != 0)).max(0);
        let (Ok(n_rows), true) = (u64::try_from(n_rows), n_rows <= MOST_ROWS) else {
            return Err(Diagnostic::unsupported(format!("A range of {n_rows} rows"), span));
        };
        let n_tasks = match usize::try_from(n_tasks) {
            Ok(n_tasks) if (1..=MOST_TASKS).contains(&i64::try_from(n_tasks).unwrap_or(i64::MAX)) => n_tasks,
            _ => return Err(Diagnostic::unsupported(format!("A range in {n_tasks} partitions"), span)),
        };
        let id = self.fresh_id();
        let ranges = Ranges { start, step, n_rows, n_tasks };
        let scan = LogicalPlanBuilder::scan("range", provider_as_source(Arc::new(ranges)), None).and_then(|builder| {
            builder.project(vec![PlanExpr::Column(Column::new(Some("range"), "id")).alias(id.clone())])
        });
        let field = Field {
            name: "id".into(),
            qualifier: Vec::new(),
            id,
            data_type: DataType::Long.into(),
            nullable: false,
            visible: true,
            origins: Vec::new(),
            behind: false,
        };
        Ok(Planned { plan: built(scan, span)?, scope: Scope { fields: vec![field] } })
    }
}
