//! Tables as DataFusion scans them.
//!
//! In a scan a column is called by its position in the table; the projection above gives it a made-up name.

use super::planner::{Planner, Result, built};
use crate::catalog::Table;
use crate::predicate::{Predicate, predicate};
use crate::query::Planned;
use crate::scope::{Field, Scope};
use arrow::datatypes::{Field as ArrowField, Schema, SchemaRef};
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Column, DataFusionError};
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::datasource::{provider_as_source, source_as_provider};
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, TableProviderFilterPushDown, TableScan, TableType};
use datafusion::physical_plan::ExecutionPlan;
use spec::Span;
use std::sync::Arc;

impl Planner<'_> {
    /// A table whose columns answer to `qualifier`.
    pub(super) fn scan(&self, table: &Arc<dyn Table>, qualifier: &[String], span: Span) -> Result<Planned> {
        self.add_table(table);
        let mut fields = Vec::with_capacity(table.columns().len());
        let mut exprs = Vec::with_capacity(table.columns().len());
        for (idx, column) in table.columns().iter().enumerate() {
            let id = self.fresh_id();
            exprs.push(Expr::Column(Column::new(Some(SCAN), idx.to_string())).alias(id.clone()));
            fields.push(Field {
                name: column.name.clone(),
                qualifier: qualifier.to_vec(),
                id,
                data_type: column.data_type.clone().into(),
                nullable: column.nullable,
                visible: true,
                origins: Vec::new(),
                behind: false,
            });
        }
        let parallelism = self.session.settings().tasks.parallelism;
        let source = provider_as_source(Arc::new(Provider::new(Arc::clone(table), parallelism)));
        let scan = LogicalPlanBuilder::scan(SCAN, source, None).and_then(|builder| builder.project(exprs));
        Ok(Planned { plan: built(scan, span)?, scope: Scope { fields } })
    }
}

/// The table behind a scan.
pub(super) fn table_of(scan: &TableScan) -> Option<Arc<dyn Table>> {
    let provider = source_as_provider(&scan.source).ok()?;
    provider.downcast_ref::<Provider>().map(|provider| Arc::clone(&provider.table))
}

/// The name of every scan: the projection above hides it at once.
const SCAN: &str = "scan";

#[derive(Debug)]
struct Provider {
    table: Arc<dyn Table>,
    schema: SchemaRef,
    parallelism: usize,
}

impl Provider {
    fn new(table: Arc<dyn Table>, parallelism: usize) -> Self {
        let fields: Vec<ArrowField> = table
            .columns()
            .iter()
            .enumerate()
            .map(|(idx, column)| ArrowField::new(idx.to_string(), column.data_type.to_arrow(), column.nullable))
            .collect();
        Self { table, schema: Arc::new(Schema::new(fields)), parallelism }
    }
}

fn position(name: &str) -> Option<usize> {
    name.parse().ok()
}

#[async_trait]
impl TableProvider for Provider {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> datafusion::common::Result<Vec<TableProviderFilterPushDown>> {
        let support = |filter: &&Expr| match predicate(filter, &position) {
            Predicate::Opaque => TableProviderFilterPushDown::Unsupported,
            _ => TableProviderFilterPushDown::Inexact,
        };
        Ok(filters.iter().map(support).collect())
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        _limit: Option<usize>,
    ) -> datafusion::common::Result<Arc<dyn ExecutionPlan>> {
        let projection = match projection {
            Some(projection) => projection.clone(),
            None => (0..self.schema.fields().len()).collect(),
        };
        // A scan of no columns still has to count rows, and only a column tells how many there are.
        let asked =
            if projection.is_empty() && !self.schema.fields().is_empty() { vec![0] } else { projection.clone() };
        let predicates: Vec<Predicate> = filters.iter().map(|filter| predicate(filter, &position)).collect();
        let scanned = self.table.scan(&asked, &predicates, self.parallelism).await;
        let mut tasks = scanned.map_err(|diagnostic| DataFusionError::External(Box::new(diagnostic)))?;
        if tasks.is_empty() {
            tasks.push(Vec::new());
        }
        let schema = Arc::new(self.schema.project(&projection)?);
        let renamed = |batch: RecordBatch| {
            let columns = if projection.is_empty() { Vec::new() } else { batch.columns().to_vec() };
            let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
            RecordBatch::try_new_with_options(Arc::clone(&schema), columns, &options)
        };
        let mut renamed_tasks = Vec::with_capacity(tasks.len());
        for batches in tasks {
            renamed_tasks.push(batches.into_iter().map(renamed).collect::<std::result::Result<Vec<_>, _>>()?);
        }
        let source = MemorySourceConfig::try_new_exec(&renamed_tasks, Arc::clone(&schema), None)?;
        Ok(source)
    }
}
