//! How large the reference takes a query's result to be before it runs, which decides which side of a join is sent to the
//! other's tasks: the sizes of files, scaled by how wide rows are (`SizeInBytesOnlyStatsPlanVisitor` of Spark).

use super::Plan;
use super::scan::table_of;
use crate::catalog::Column;
use crate::tasks::{input_of, n_rows_of};
use datafusion::common::JoinType;
use datafusion::logical_expr::{FetchType, LogicalPlan};
use delta::schema::DataType;

/// What nothing is known of: `spark.sql.defaultSizeInBytes`.
const UNKNOWN: f64 = i64::MAX as f64;

/// What a row of these columns is taken to weigh, in bytes (`EstimationUtils` of Spark).
pub fn row_bytes<'a>(columns: impl IntoIterator<Item = &'a Column>) -> u64 {
    8 + columns.into_iter().map(|column| default_bytes(&column.data_type)).sum::<u64>()
}

fn default_bytes(data_type: &DataType) -> u64 {
    match data_type {
        DataType::Boolean | DataType::Byte | DataType::Void => 1,
        DataType::Short => 2,
        DataType::Int | DataType::Float | DataType::Date => 4,
        DataType::Decimal { precision, .. } if *precision > 18 => 16,
        DataType::Long | DataType::Double | DataType::Timestamp | DataType::TimestampNtz | DataType::Decimal { .. } => {
            8
        }
        DataType::String => 20,
        DataType::Binary => 100,
        DataType::Array { element, .. } => default_bytes(element),
        DataType::Map { key, value, .. } => default_bytes(key) + default_bytes(value),
        DataType::Struct(fields) => fields.fields.iter().map(|field| default_bytes(&field.data_type)).sum(),
    }
}

impl Plan {
    /// How large the result is taken to be, in bytes. `n_rows` is how many rows it has: what reads no table and only
    /// picks rows is computed while it is planned, so that the number is known.
    pub fn estimated_bytes(&self, n_rows: usize) -> f64 {
        if is_computed_early(&self.plan) {
            return (row_bytes(&self.columns) * n_rows as u64) as f64;
        }
        bytes(&self.plan)
    }
}

/// Whether Spark makes a local relation of it (`ConvertToLocalRelation`).
fn is_computed_early(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Values(_) => true,
        LogicalPlan::Projection(_) | LogicalPlan::Filter(_) | LogicalPlan::SubqueryAlias(_) | LogicalPlan::Limit(_) => {
            plan.inputs().into_iter().all(is_computed_early)
        }
        _ => false,
    }
}

fn bytes(plan: &LogicalPlan) -> f64 {
    let inputs = || plan.inputs().into_iter();
    match plan {
        LogicalPlan::TableScan(scan) => {
            let of_table = || table_of(scan)?.n_bytes().map(|n_bytes| n_bytes as f64);
            let of_range = || n_rows_of(scan).map(|n_rows| n_rows as f64 * 8.0);
            let of_exchange = || input_of(scan).map(|input| bytes(&input));
            of_table().or_else(of_range).or_else(of_exchange).unwrap_or(UNKNOWN)
        }
        LogicalPlan::Values(values) => values.values.len() as f64 * width(plan),
        LogicalPlan::EmptyRelation(_) => 1.0,
        LogicalPlan::Union(_) => inputs().map(bytes).sum(),
        LogicalPlan::Join(join) if matches!(join.join_type, JoinType::LeftSemi | JoinType::LeftAnti) => {
            bytes(&join.left)
        }
        LogicalPlan::Aggregate(aggregate) if aggregate.group_expr.is_empty() => width(plan),
        LogicalPlan::Limit(limit) => match limit.get_fetch_type() {
            Ok(FetchType::Literal(Some(n_rows))) => n_rows as f64 * width(plan),
            _ => inputs().map(bytes).product(),
        },
        _ => {
            let below: f64 = inputs().map(bytes).product();
            match plan.inputs().as_slice() {
                [input] => below * width(plan) / width(input),
                _ => below,
            }
        }
    }
}

/// What a row of the plan's result weighs.
fn width(plan: &LogicalPlan) -> f64 {
    let fields = plan.schema().fields().iter();
    let n_bytes = fields.map(|field| DataType::from_arrow(field.data_type()).map_or(8, |known| default_bytes(&known)));
    (8 + n_bytes.sum::<u64>()) as f64
}
