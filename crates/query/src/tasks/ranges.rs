//! `range`: numbers that are made when they are read, some for each task.

use arrow::array::Int64Array;
use arrow::datatypes::{DataType as ArrowType, Field as ArrowField, Schema, SchemaRef};
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, Statistics};
use datafusion::datasource::source_as_provider;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableScan, TableType};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::statistics::StatisticsArgs;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties, ReplaceChildrenOptions,
};
use futures::stream;
use std::fmt;
use std::sync::Arc;

const BATCH_ROWS: u64 = 8192;

/// Numbers from `start` on, `step` apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ranges {
    pub(crate) start: i64,
    pub(crate) step: i64,
    pub(crate) n_rows: u64,
    pub(crate) n_tasks: usize,
}

impl Ranges {
    /// Where the numbers of a task begin and end, counted from the first of all.
    fn slice(&self, task: usize) -> (u64, u64) {
        let cut = |task: usize| u128::from(self.n_rows) * task as u128 / self.n_tasks.max(1) as u128;
        let at = |task: usize| u64::try_from(cut(task)).unwrap_or(self.n_rows);
        (at(task), at(task + 1))
    }

    fn number(&self, idx: u64) -> i64 {
        // Within 64 bits where there is such a number at all.
        self.start.wrapping_add(self.step.wrapping_mul(idx.cast_signed()))
    }
}

fn schema() -> Schema {
    Schema::new(vec![ArrowField::new("id", ArrowType::Int64, false)])
}

/// How many rows the scan of a range has.
pub(crate) fn n_rows_of(scan: &TableScan) -> Option<u64> {
    let provider = source_as_provider(&scan.source).ok()?;
    provider.downcast_ref::<Ranges>().map(|ranges| ranges.n_rows)
}

#[async_trait]
impl TableProvider for Ranges {
    fn schema(&self) -> SchemaRef {
        Arc::new(schema())
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let schema = match projection {
            Some(projection) => schema().project(projection)?,
            None => schema(),
        };
        let schema = Arc::new(schema);
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(&schema)),
            Partitioning::UnknownPartitioning(self.n_tasks.max(1)),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Ok(Arc::new(RangesExec { ranges: *self, schema, properties: Arc::new(properties) }))
    }
}

/// Makes the numbers.
#[derive(Debug)]
struct RangesExec {
    ranges: Ranges,
    /// One column, or none where rows are only counted.
    schema: SchemaRef,
    properties: Arc<PlanProperties>,
}

impl DisplayAs for RangesExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ranges: {:?}", self.ranges)
    }
}

impl ExecutionPlan for RangesExec {
    fn name(&self) -> &'static str {
        "Ranges"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn with_new_children(self: Arc<Self>, _: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(&self, partition: usize, _: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let (ranges, schema) = (self.ranges, Arc::clone(&self.schema));
        let (first, end) = ranges.slice(partition);
        let batch = move |from: u64| {
            let to = end.min(from + BATCH_ROWS);
            let columns = match schema.fields().is_empty() {
                true => Vec::new(),
                false => vec![Arc::new((from..to).map(|idx| ranges.number(idx)).collect::<Int64Array>()) as _],
            };
            let options = RecordBatchOptions::new().with_row_count(usize::try_from(to - from).ok());
            Ok(RecordBatch::try_new_with_options(Arc::clone(&schema), columns, &options)?)
        };
        let starts =
            std::iter::successors(Some(first), |from| Some(from + BATCH_ROWS)).take_while(move |from| *from < end);
        Ok(Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), stream::iter(starts.map(batch)))))
    }

    fn statistics_from_inputs(&self, _: &[Arc<Statistics>], args: &StatisticsArgs) -> Result<Arc<Statistics>> {
        let n_rows = match args.partition() {
            Some(task) => self.ranges.slice(task).1 - self.ranges.slice(task).0,
            None => self.ranges.n_rows,
        };
        let n_rows = usize::try_from(n_rows).unwrap_or(usize::MAX);
        let n_bytes = n_rows.saturating_mul(8 * self.schema.fields().len());
        let unknown = Statistics::new_unknown(&self.schema);
        Ok(Arc::new(Statistics {
            num_rows: Precision::Exact(n_rows),
            total_byte_size: Precision::Exact(n_bytes),
            ..unknown
        }))
    }
}
