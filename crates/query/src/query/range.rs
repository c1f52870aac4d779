//! `range([start,] end [, step])` in FROM.

use super::planner::{Planned, Planner, Result, built};
use crate::scope::{Field, Scope};
use arrow::array::Int64Array;
use arrow::datatypes::{DataType as ArrowType, Field as ArrowField, Schema};
use arrow::record_batch::RecordBatch;
use datafusion::common::{Column, DataFusionError};
use datafusion::datasource::{MemTable, provider_as_source};
use datafusion::logical_expr::{Expr as PlanExpr, LogicalPlanBuilder};
use delta::schema::DataType;
use spec::{Diagnostic, Expr, Span};
use std::sync::Arc;

const BATCH_ROWS: usize = 8192;

/// More rows than this would fill the memory of a browser tab.
const MOST_ROWS: i128 = 50_000_000;

impl Planner<'_> {
    pub(super) fn range(&self, args: &[Expr], span: Span) -> Result<Planned> {
        let (start, end, step) = match self.long_args(args)?.as_slice() {
            [end] => (0, *end, 1),
            [start, end] => (*start, *end, 1),
            // The fourth argument asks for partitions, and we have but one.
            [start, end, step] | [start, end, step, _] => (*start, *end, *step),
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
        if n_rows > MOST_ROWS {
            return Err(Diagnostic::unsupported(format!("A range of {n_rows} rows"), span));
        }
        let values: Vec<i64> =
            (0..n_rows).filter_map(|idx| i64::try_from(i128::from(start) + idx * i128::from(step)).ok()).collect();
        let id = self.fresh_id();
        let schema = Arc::new(Schema::new(vec![ArrowField::new("id", ArrowType::Int64, false)]));
        let batches: std::result::Result<Vec<RecordBatch>, DataFusionError> = values
            .chunks(BATCH_ROWS)
            .map(|chunk| {
                Ok(RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(Int64Array::from(chunk.to_vec()))])?)
            })
            .collect();
        let scan = batches
            .and_then(|batches| MemTable::try_new(schema, vec![batches]))
            .and_then(|table| LogicalPlanBuilder::scan("range", provider_as_source(Arc::new(table)), None))
            .and_then(|builder| {
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
