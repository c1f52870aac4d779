//! An exchange: the rows of all tasks, dealt out anew.
//!
//! To DataFusion's optimiser it is a table, so that nothing moves across it; what is read of it is still pruned, column by
//! column. DataFusion's own repartitioning would be optimised away, and deals differently than Spark.
//!
//! What draws random numbers, or asks for its task, stands behind such a table too: a filter or a limit that moved below it
//! would change what it gives.

use super::deal::Deal;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::Result;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::datasource::source_as_provider;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, TableScan, TableType};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, Partitioning,
    PlanProperties, ReplaceChildrenOptions,
};
use futures::{StreamExt, TryStreamExt, stream};
use std::fmt;
use std::sync::Arc;
use tokio::sync::OnceCell;

/// A plan whose rows are dealt out anew.
#[derive(Debug)]
pub(crate) struct Exchanged {
    input: LogicalPlan,
    /// The input's first columns, which are those of the result; the rest says where a row goes.
    schema: SchemaRef,
    deal: Deal,
}

impl Exchanged {
    /// `input` has `n_columns` columns and then those that the deal reads.
    pub(crate) fn new(input: LogicalPlan, n_columns: usize, deal: Deal) -> Self {
        let fields = input.schema().fields().iter().take(n_columns).cloned().collect::<Vec<_>>();
        Self { input, schema: Arc::new(Schema::new(fields)), deal }
    }
}

/// The plan behind the scan of an exchange.
pub(crate) fn input_of(scan: &TableScan) -> Option<LogicalPlan> {
    let provider = source_as_provider(&scan.source).ok()?;
    provider.downcast_ref::<Exchanged>().map(|exchanged| exchanged.input.clone())
}

#[async_trait]
impl TableProvider for Exchanged {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let columns = self.input.schema().columns();
        let n_columns = self.schema.fields().len();
        let read = projection.cloned().unwrap_or_else(|| (0..n_columns).collect());
        let schema = Arc::new(self.schema.project(&read)?);
        let read = read.into_iter().chain(n_columns..columns.len());
        let exprs: Vec<Expr> = read.filter_map(|idx| columns.get(idx)).cloned().map(Expr::Column).collect();
        let input = match exprs.is_empty() {
            // Rows without columns cannot be dealt; the first column counts them.
            true => {
                LogicalPlanBuilder::from(self.input.clone()).project(columns.into_iter().take(1).map(Expr::Column))?
            }
            false => LogicalPlanBuilder::from(self.input.clone()).project(exprs)?,
        };
        let input = state.create_physical_plan(&input.build()?).await?;
        Ok(Arc::new(ExchangeExec::new(input, schema, self.deal.clone())))
    }
}

/// The rows of all tasks, one after the other.
pub(super) fn in_one_task(input: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
    let schema = input.schema();
    Arc::new(ExchangeExec::new(input, schema, Deal::Coalesce(1)))
}

type Dealt = Vec<Vec<RecordBatch>>;

#[derive(Debug)]
struct ExchangeExec {
    input: Arc<dyn ExecutionPlan>,
    schema: SchemaRef,
    deal: Deal,
    properties: Arc<PlanProperties>,
    /// What each task gets; the first task that runs deals for all.
    dealt: Arc<OnceCell<Dealt>>,
}

impl ExchangeExec {
    fn new(input: Arc<dyn ExecutionPlan>, schema: SchemaRef, deal: Deal) -> Self {
        let n_tasks = deal.n_tasks(input.output_partitioning().partition_count());
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(&schema)),
            Partitioning::UnknownPartitioning(n_tasks),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Self { input, schema, deal, properties: Arc::new(properties), dealt: Arc::default() }
    }
}

impl DisplayAs for ExchangeExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Exchange: {:?}", self.deal)
    }
}

impl ExecutionPlan for ExchangeExec {
    fn name(&self) -> &'static str {
        "Exchange"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
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
        Ok(Arc::new(Self::new(children.swap_remove(0), Arc::clone(&self.schema), self.deal.clone())))
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let n_inputs = self.input.output_partitioning().partition_count();
        let schema = Arc::clone(&self.schema);
        let columns: Vec<usize> = (0..schema.fields().len()).collect();
        if let Deal::Same | Deal::Coalesce(_) = self.deal {
            // Whole tasks are put together; nothing has to be kept.
            let n_tasks = self.deal.n_tasks(n_inputs);
            let inputs = n_inputs * partition / n_tasks..n_inputs * (partition + 1) / n_tasks;
            let run = |task: usize| self.input.execute(task, Arc::clone(&context));
            let streams = inputs.map(run).collect::<Result<Vec<_>>>()?;
            let batches = stream::iter(streams).flatten();
            let batches = batches.map(move |batch| Ok(batch?.project(&columns)?));
            return Ok(Box::pin(RecordBatchStreamAdapter::new(schema, batches)));
        }
        let (input, deal, dealt) = (Arc::clone(&self.input), self.deal.clone(), Arc::clone(&self.dealt));
        let mine = async move {
            let all = dealt.get_or_try_init(|| deal_all(input, deal, columns.len(), context)).await?;
            let mine = all.get(partition).cloned().unwrap_or_default();
            Ok::<_, datafusion::error::DataFusionError>(stream::iter(mine.into_iter().map(Ok)))
        };
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, stream::once(mine).try_flatten())))
    }
}

async fn deal_all(
    input: Arc<dyn ExecutionPlan>,
    deal: Deal,
    n_columns: usize,
    context: Arc<TaskContext>,
) -> Result<Dealt> {
    let mut tasks = Vec::new();
    for task in 0..input.output_partitioning().partition_count() {
        tasks.push(input.execute(task, Arc::clone(&context))?.try_collect::<Vec<_>>().await?);
    }
    Ok(deal.out(tasks, n_columns)?)
}
