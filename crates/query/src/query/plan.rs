//! A planned query, ready to run.

use super::constants::lone_row;
use super::{Env, Planned, Planner};
use crate::catalog::{Catalog, Column, Table};
use crate::error::diagnose;
use crate::expr::{constant_expr, unsupported_shape};
use crate::scope::Field;
use crate::session::Session;
use crate::tasks::{in_order, input_of};
use arrow::datatypes::{Field as ArrowField, Schema, SchemaRef};
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use datafusion::common::ScalarValue;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder};
use datafusion::physical_plan::ExecutionPlanProperties;
use futures::TryStreamExt;
use spec::{Cte, Diagnostic, Query, Relation, Span};
use std::sync::Arc;

/// A query whose names and types are settled. Running it again reads the same tables at the same versions.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(super) plan: LogicalPlan,
    fields: Vec<Field>,
    pub(super) columns: Vec<Column>,
    tables: Vec<Arc<dyn Table>>,
    span: Span,
}

/// Plans a query.
///
/// # Errors
/// Whatever Spark's analyser refuses, and what is not supported yet.
pub async fn plan_query(session: &Session, catalog: &dyn Catalog, query: &Query) -> Result<Plan, Diagnostic> {
    let planner = Planner::new(session, catalog);
    let planned = planner.query(&Env::default(), query).await?;
    finish(&planner, planned, query.span)
}

/// Plans a relation that sees the common table expressions `ctes`: the source of a MERGE.
///
/// # Errors
/// As [`plan_query`].
pub async fn plan_relation(
    session: &Session,
    catalog: &dyn Catalog,
    ctes: &[Cte],
    relation: &Relation,
) -> Result<Plan, Diagnostic> {
    let planner = Planner::new(session, catalog);
    let env = Env::default().with_ctes(ctes);
    let planned = planner.relation(&env, relation).await?;
    finish(&planner, planned, relation.span())
}

fn finish(planner: &Planner<'_>, planned: Planned, span: Span) -> Result<Plan, Diagnostic> {
    let fields: Vec<Field> = planned.scope.fields.into_iter().filter(|field| field.visible).collect();
    let mut columns = Vec::with_capacity(fields.len());
    for field in &fields {
        let Some(data_type) = field.data_type.column() else {
            let what = format!("A result column of type {}", field.data_type.spark_name());
            return Err(Diagnostic::unsupported(what, span));
        };
        columns.push(Column { name: field.name.clone(), data_type: data_type.clone(), nullable: field.nullable });
    }
    let plan = LogicalPlanBuilder::from(planned.plan)
        .project(fields.iter().map(Field::expr))
        .and_then(LogicalPlanBuilder::build)
        .map_err(|error| diagnose(&error).or_at(span))?;
    Ok(Plan { plan, fields, columns, tables: planner.tables(), span })
}

impl Plan {
    /// The result's columns. Names may repeat.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The same with what its text knows them by.
    pub(crate) fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// False where a function such as `rand()` may give other rows on a second run.
    pub fn is_deterministic(&self) -> bool {
        !self.any_expr(Expr::is_volatile)
    }

    /// Whether every table it reads is a Delta table. True where it reads none.
    pub fn reads_only_delta(&self) -> bool {
        self.tables.iter().all(|table| table.is_delta())
    }

    /// The tables it reads, in the order of the text; a table that is named twice stands there twice.
    pub fn tables(&self) -> &[Arc<dyn Table>] {
        &self.tables
    }

    /// Runs the query. At least one batch comes back, each with the columns of [`Plan::columns`].
    ///
    /// # Errors
    /// Whatever Spark raises at run time, and what a table's scan complains about.
    pub async fn collect(&self, session: &Session) -> Result<Vec<RecordBatch>, Diagnostic> {
        Ok(self.collect_branches(session).await?.into_iter().flatten().collect())
    }

    /// The same, apart for each branch of a UNION ALL that nothing brings together again: Spark writes a file for each.
    ///
    /// # Errors
    /// As for [`Plan::collect`].
    pub async fn collect_branches(&self, session: &Session) -> Result<Vec<Vec<RecordBatch>>, Diagnostic> {
        let state = session.state();
        let schema = self.schema();
        let run = async {
            let physical = in_order(state.create_physical_plan(&self.plan).await?, !self.is_deterministic())?;
            datafusion::physical_plan::collect_partitioned(physical, state.task_ctx()).await
        };
        let branches = Box::pin(run).await.map_err(|error| self.explained(diagnose(&error)).or_at(self.span))?;
        let conformed = |branch: &Vec<RecordBatch>| {
            let batches = branch.iter().map(|batch| conform(batch, &schema).map_err(Diagnostic::internal));
            batches.collect::<Result<Vec<_>, _>>()
        };
        let mut result = branches.iter().map(conformed).collect::<Result<Vec<_>, _>>()?;
        if result.iter().all(Vec::is_empty) {
            result = vec![vec![RecordBatch::new_empty(schema)]];
        }
        Ok(result)
    }

    /// Runs the query and lets its rows go: nothing is kept, however many they are.
    ///
    /// # Errors
    /// As for [`Plan::collect`].
    pub async fn drain(&self, session: &Session) -> Result<(), Diagnostic> {
        let state = session.state();
        let run = async {
            let physical = in_order(state.create_physical_plan(&self.plan).await?, !self.is_deterministic())?;
            for task in 0..physical.output_partitioning().partition_count() {
                let mut rows = physical.execute(task, state.task_ctx())?;
                while rows.try_next().await?.is_some() {}
            }
            Ok(())
        };
        Box::pin(run).await.map_err(|error| self.explained(diagnose(&error)).or_at(self.span))
    }

    /// DataFusion can decorrelate some subqueries only, and fails in many ways on the others.
    fn explained(&self, diagnostic: Diagnostic) -> Diagnostic {
        if diagnostic.condition == "MERGELAB_INTERNAL_ERROR" && self.is_correlated() {
            return unsupported_shape(self.span);
        }
        diagnostic
    }

    fn is_correlated(&self) -> bool {
        self.any_expr(|expr| expr.exists(|node| Ok(matches!(node, Expr::OuterReferenceColumn(..)))).unwrap_or(false))
    }

    fn any_expr(&self, wanted: impl Fn(&Expr) -> bool) -> bool {
        any_expr(&self.plan, &wanted)
    }

    /// The values of columns that are constant because the query reads nothing; all `None` for other queries.
    pub(crate) fn constants(&self, session: &Session) -> Vec<Option<ScalarValue>> {
        let row = lone_row(&self.plan).unwrap_or_default();
        let value = |idx: usize| constant_expr(session, row.get(idx)?.clone());
        (0..self.columns.len()).map(value).collect()
    }

    /// The plan and its columns, to be built upon.
    pub(crate) fn into_parts(self) -> (LogicalPlan, Vec<Field>) {
        (self.plan, self.fields)
    }

    fn schema(&self) -> SchemaRef {
        let fields: Vec<ArrowField> = self
            .columns
            .iter()
            .map(|column| ArrowField::new(&column.name, column.data_type.to_arrow(), column.nullable))
            .collect();
        Arc::new(Schema::new(fields))
    }
}

fn any_expr(plan: &LogicalPlan, wanted: &impl Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    let walked = plan.apply_with_subqueries(|node| {
        let behind = if let LogicalPlan::TableScan(scan) = node { input_of(scan) } else { None };
        found = found || node.expressions().iter().any(wanted) || behind.is_some_and(|input| any_expr(&input, wanted));
        Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    });
    // The closure never fails, so neither does the walk.
    debug_assert!(walked.is_ok());
    found
}

/// The batch under the result's names and types.
fn conform(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, arrow::error::ArrowError> {
    let mut columns = Vec::with_capacity(batch.num_columns());
    for (column, field) in batch.columns().iter().zip(schema.fields()) {
        columns.push(if column.data_type() == field.data_type() {
            Arc::clone(column)
        } else {
            arrow::compute::cast(column, field.data_type())?
        });
    }
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)
}
