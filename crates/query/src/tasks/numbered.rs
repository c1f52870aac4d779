//! The number of the task that runs.

use super::exchange::in_one_task;
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::execution::{RecordBatchStream, SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::limit::GlobalLimitExec;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties, ReplaceChildrenOptions,
};
use futures::Stream;
use std::cell::Cell;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

thread_local! {
    static CURRENT: Cell<usize> = const { Cell::new(0) };
}

/// The number of the task whose rows are being computed, from 0.
pub(crate) fn current() -> usize {
    CURRENT.get()
}

/// The plan with its tasks in order: where rows of several come together, those of the first task come first, and, where
/// functions ask for it, each step knows which task it runs in.
///
/// # Errors
/// DataFusion refuses to rebuild a step: a bug.
pub(crate) fn in_order(plan: Arc<dyn ExecutionPlan>, is_asked: bool) -> Result<Arc<dyn ExecutionPlan>> {
    let ordered = |step: Arc<dyn ExecutionPlan>| {
        if let Some(gathered) = step.downcast_ref::<CoalescePartitionsExec>() {
            let input = in_one_task(Arc::clone(gathered.input()));
            return Ok(Transformed::yes(match gathered.fetch() {
                Some(n_rows) => Arc::new(GlobalLimitExec::new(input, 0, Some(n_rows))),
                None => input,
            }));
        }
        Ok(match step.output_partitioning().partition_count() {
            2.. if is_asked => Transformed::yes(Arc::new(Numbered { step }) as Arc<dyn ExecutionPlan>),
            _ => Transformed::no(step),
        })
    };
    plan.transform_up(ordered).map(|plan| plan.data)
}

/// A step whose partitions say their number while they compute.
#[derive(Debug)]
struct Numbered {
    step: Arc<dyn ExecutionPlan>,
}

impl DisplayAs for Numbered {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Numbered")
    }
}

impl ExecutionPlan for Numbered {
    fn name(&self) -> &'static str {
        "Numbered"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.step.properties()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.step]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(Self { step: children.swap_remove(0) }))
    }

    fn with_new_children(self: Arc<Self>, mut children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(Self { step: children.swap_remove(0) }))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        Ok(Box::pin(NumberedStream { inner: self.step.execute(partition, context)?, number: partition }))
    }
}

struct NumberedStream {
    inner: SendableRecordBatchStream,
    number: usize,
}

impl Stream for NumberedStream {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let around = CURRENT.replace(self.number);
        let polled = self.inner.as_mut().poll_next(context);
        CURRENT.set(around);
        polled
    }
}

impl RecordBatchStream for NumberedStream {
    fn schema(&self) -> SchemaRef {
        self.inner.schema()
    }
}
