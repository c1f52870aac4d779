//! The join of MERGE: which target rows meet which source rows.

use crate::error::diagnose;
use crate::expr::{Bound, columns_of, plan_schema};
use crate::ops::unguarded;
use crate::scope::Scope;
use crate::session::Session;
use crate::typed::Typed;
use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, NullArray, UInt64Array};
use arrow::compute::{SortColumn, filter_record_batch, lexsort_to_indices, take};
use arrow::datatypes::{DataType as ArrowType, Field, Float32Type, Float64Type, Schema, SchemaRef, UInt64Type};
use arrow::error::ArrowError;
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use datafusion::common::{DataFusionError, JoinSide, JoinType, NullEquality};
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::logical_expr::{Expr, Operator, utils::conjunction};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_plan::joins::utils::{ColumnIndex, JoinFilter};
use datafusion::physical_plan::joins::{HashJoinExec, NestedLoopJoinExec, PartitionMode};
use datafusion::physical_plan::{ExecutionPlan, PhysicalExpr};
use spec::Diagnostic;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Pairs of rows by their position in the concatenation of the batches, sorted by target, then source.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairs {
    pub target: UInt64Array,
    pub source: UInt64Array,
}

/// All pairs of a target and a source row for which `on` is TRUE. The scope of `on` is the target's columns, then the
/// source's.
///
/// Equalities between the sides become hash keys, conditions on one side filter it first, and only columns that the
/// remaining conditions read travel.
///
/// # Errors
/// Whatever the evaluation of `on` raises.
pub async fn join_pairs(
    session: &Session,
    target: &[RecordBatch],
    source: &[RecordBatch],
    on: &Bound,
) -> Result<Pairs, Diagnostic> {
    let empty = || Pairs { target: UInt64Array::from(Vec::<u64>::new()), source: UInt64Array::from(Vec::<u64>::new()) };
    let (Some(first), Some(_)) = (target.first(), source.first()) else { return Ok(empty()) };
    let conditions = Conditions::of(on, first.num_columns());
    let source = side(source, on, &conditions, JoinSide::Left)?;
    let target = side(target, on, &conditions, JoinSide::Right)?;
    if source.n_rows == 0 || target.n_rows == 0 {
        return Ok(empty());
    }
    let plan = plan(&source, &target, on, &conditions).map_err(|error| diagnose(&error).or_at(on.span()))?;
    let run = Box::pin(datafusion::physical_plan::collect(plan, session.state().task_ctx()));
    let batches = run.await.map_err(|error| diagnose(&error).or_at(on.span()))?;
    sorted(&batches).map_err(Diagnostic::internal)
}

/// Whether `on` has an equality between the sides, so that rows can meet by hash. Without one the reference joins every
/// row with every row, which changes how it splits its output.
pub fn has_equality(on: &Bound, n_target_columns: usize) -> bool {
    !Conditions::of(on, n_target_columns).keys.is_empty()
}

/// An equality whose sides read one table each.
struct Key {
    target: Bound,
    source: Bound,
}

/// The conjuncts of an ON condition by what they are good for.
struct Conditions {
    keys: Vec<Key>,
    null_equality: NullEquality,
    target_only: Vec<Bound>,
    source_only: Vec<Bound>,
    /// What has to be asked of each pair.
    rest: Vec<Expr>,
    /// The scope's columns that `rest` reads.
    rest_columns: BTreeSet<usize>,
    n_target_columns: usize,
}

impl Conditions {
    fn of(on: &Bound, n_target_columns: usize) -> Self {
        let mut equal = Vec::new();
        let mut null_safe = Vec::new();
        let mut conditions = Self {
            keys: Vec::new(),
            null_equality: NullEquality::NullEqualsNothing,
            target_only: Vec::new(),
            source_only: Vec::new(),
            rest: Vec::new(),
            rest_columns: BTreeSet::new(),
            n_target_columns,
        };
        for conjunct in on.conjuncts() {
            let expr = conjunct.typed().expr.clone();
            if let Expr::BinaryExpr(binary) = &expr
                && let Some(key) = key(&conjunct, &binary.left, &binary.right, n_target_columns)
            {
                match binary.op {
                    Operator::Eq => {
                        equal.push(key);
                        continue;
                    }
                    Operator::IsNotDistinctFrom => {
                        null_safe.push((key, expr));
                        continue;
                    }
                    _ => {}
                }
            }
            let columns = conjunct.columns();
            let volatile = expr.is_volatile();
            if !volatile && !columns.is_empty() && columns.iter().all(|column| *column < n_target_columns) {
                conditions.target_only.push(conjunct);
            } else if !volatile && !columns.is_empty() && columns.iter().all(|column| *column >= n_target_columns) {
                conditions.source_only.push(conjunct);
            } else {
                conditions.rest.push(unguarded(&expr).clone());
            }
        }
        // A hash join treats NULL keys all alike, so `<=>` is a key only where there is no `=`.
        if equal.is_empty() {
            conditions.null_equality = NullEquality::NullEqualsNull;
            conditions.keys = null_safe.into_iter().map(|(key, _)| key).collect();
        } else {
            conditions.keys = equal;
            conditions.rest.extend(null_safe.into_iter().map(|(_, expr)| expr));
        }
        conditions.rest_columns = conditions.rest.iter().flat_map(columns_of).collect();
        conditions
    }
}

fn key(conjunct: &Bound, left: &Expr, right: &Expr, n_target_columns: usize) -> Option<Key> {
    let of_target = |expr: &Expr| {
        let columns = columns_of(expr);
        let all = |is_target: bool| columns.iter().all(|column| (*column < n_target_columns) == is_target);
        if columns.is_empty() || expr.is_volatile() {
            None
        } else if all(true) {
            Some(true)
        } else if all(false) {
            Some(false)
        } else {
            None
        }
    };
    let side = |expr: &Expr| {
        let schema = plan_schema(conjunct.scope()).ok()?;
        let arrow = datafusion::logical_expr::ExprSchemable::get_type(expr, &schema).ok()?;
        let data_type = delta::schema::DataType::from_arrow(&arrow)?;
        Some(conjunct.with_expr(Typed::new(expr.clone(), data_type, true)))
    };
    match (of_target(left)?, of_target(right)?) {
        (true, false) => Some(Key { target: side(left)?, source: side(right)? }),
        (false, true) => Some(Key { target: side(right)?, source: side(left)? }),
        _ => None,
    }
}

/// One input of the join: key columns, the columns that the rest reads, the row number.
struct Side {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    n_rows: usize,
    /// The scope's columns behind the keys, in order.
    carried: Vec<usize>,
}

fn side(batches: &[RecordBatch], on: &Bound, conditions: &Conditions, side: JoinSide) -> Result<Side, Diagnostic> {
    let is_target = side == JoinSide::Right;
    let filters = if is_target { &conditions.target_only } else { &conditions.source_only };
    let keys: Vec<&Bound> =
        conditions.keys.iter().map(|key| if is_target { &key.target } else { &key.source }).collect();
    let carried: Vec<usize> = conditions
        .rest_columns
        .iter()
        .copied()
        .filter(|column| (*column < conditions.n_target_columns) == is_target)
        .collect();
    let mut result = Side { schema: Arc::new(Schema::empty()), batches: Vec::new(), n_rows: 0, carried };
    let mut first_row = 0_u64;
    for batch in batches {
        let n_rows = u64::try_from(batch.num_rows()).map_err(Diagnostic::internal)?;
        let wide = widened(batch, on.scope(), conditions.n_target_columns, is_target).map_err(Diagnostic::internal)?;
        let mut fields = Vec::new();
        let mut columns = Vec::new();
        for (idx, key) in keys.iter().enumerate() {
            let column = normalized(key.evaluate(&wide)?);
            fields.push(Field::new(format!("key{idx}"), column.data_type().clone(), true));
            columns.push(column);
        }
        for idx in &result.carried {
            let column = wide.columns().get(*idx).ok_or_else(|| Diagnostic::internal("a column beyond the scope"))?;
            fields.push(Field::new(format!("@{idx}"), column.data_type().clone(), true));
            columns.push(Arc::clone(column));
        }
        fields.push(Field::new("row", ArrowType::UInt64, false));
        columns.push(Arc::new(UInt64Array::from_iter_values(first_row..first_row + n_rows)) as ArrayRef);
        first_row += n_rows;
        let schema = Arc::new(Schema::new(fields));
        let mut narrow = RecordBatch::try_new(Arc::clone(&schema), columns).map_err(Diagnostic::internal)?;
        if let Some(mask) = mask(filters, &wide)? {
            narrow = filter_record_batch(&narrow, &mask).map_err(Diagnostic::internal)?;
        }
        result.n_rows += narrow.num_rows();
        result.schema = schema;
        result.batches.push(narrow);
    }
    Ok(result)
}

/// The batch with the other side's columns as NULLs, so that positions are those of the scope.
fn widened(
    batch: &RecordBatch,
    scope: &Scope,
    n_target_columns: usize,
    is_target: bool,
) -> Result<RecordBatch, ArrowError> {
    let n_others = if is_target { scope.len().saturating_sub(n_target_columns) } else { n_target_columns };
    let absent: ArrayRef = Arc::new(NullArray::new(batch.num_rows()));
    let others = std::iter::repeat_n(absent, n_others);
    let columns: Vec<ArrayRef> = if is_target {
        batch.columns().iter().cloned().chain(others).collect()
    } else {
        others.chain(batch.columns().iter().cloned()).collect()
    };
    let fields: Vec<Field> = columns
        .iter()
        .enumerate()
        .map(|(idx, column)| Field::new(format!("@{idx}"), column.data_type().clone(), true))
        .collect();
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), columns, &options)
}

/// The rows for which every filter is TRUE.
fn mask(filters: &[Bound], batch: &RecordBatch) -> Result<Option<BooleanArray>, Diagnostic> {
    let mut mask: Option<BooleanArray> = None;
    for filter in filters {
        let values = filter.evaluate(batch)?;
        let Some(values) = values.as_boolean_opt() else {
            return Err(Diagnostic::internal("a filter that is no BOOLEAN"));
        };
        mask = Some(match mask {
            Some(mask) => arrow::compute::and_kleene(&mask, values).map_err(Diagnostic::internal)?,
            None => values.clone(),
        });
    }
    Ok(mask)
}

/// Spark's `=` takes the two zeros as equal, and all NaNs; a hash table looks at bits.
fn normalized(array: ArrayRef) -> ArrayRef {
    match array.data_type() {
        ArrowType::Float32 => {
            let one = |value: f32| if value.is_nan() { f32::NAN } else { value + 0.0 };
            Arc::new(array.as_primitive::<Float32Type>().unary::<_, Float32Type>(one))
        }
        ArrowType::Float64 => {
            let one = |value: f64| if value.is_nan() { f64::NAN } else { value + 0.0 };
            Arc::new(array.as_primitive::<Float64Type>().unary::<_, Float64Type>(one))
        }
        _ => array,
    }
}

fn plan(
    source: &Side,
    target: &Side,
    on: &Bound,
    conditions: &Conditions,
) -> Result<Arc<dyn ExecutionPlan>, DataFusionError> {
    let filter = filter(source, target, on, conditions)?;
    let row = |side: &Side| side.schema.fields().len().saturating_sub(1);
    let projection = Some(vec![row(source), source.schema.fields().len() + row(target)]);
    // The source is the build side: a MERGE's source is the small one.
    let left =
        MemorySourceConfig::try_new_exec(std::slice::from_ref(&source.batches), Arc::clone(&source.schema), None)?;
    let right =
        MemorySourceConfig::try_new_exec(std::slice::from_ref(&target.batches), Arc::clone(&target.schema), None)?;
    if conditions.keys.is_empty() {
        let join = NestedLoopJoinExec::try_new(left, right, filter, &JoinType::Inner, projection)?;
        return Ok(Arc::new(join));
    }
    let keys = (0..conditions.keys.len())
        .map(|idx| {
            let key = || Arc::new(Column::new(&format!("key{idx}"), idx)) as Arc<dyn PhysicalExpr>;
            (key(), key())
        })
        .collect();
    let join = HashJoinExec::try_new(
        left,
        right,
        keys,
        filter,
        &JoinType::Inner,
        projection,
        PartitionMode::CollectLeft,
        conditions.null_equality,
        false,
    )?;
    Ok(Arc::new(join))
}

fn filter(
    source: &Side,
    target: &Side,
    on: &Bound,
    conditions: &Conditions,
) -> Result<Option<JoinFilter>, DataFusionError> {
    let Some(rest) = conjunction(conditions.rest.iter().cloned()) else { return Ok(None) };
    let mut fields = Vec::new();
    let mut indices = Vec::new();
    let n_keys = conditions.keys.len();
    for (side, input) in [(JoinSide::Left, source), (JoinSide::Right, target)] {
        for index in n_keys..n_keys + input.carried.len() {
            fields.push(input.schema.field(index).clone());
            indices.push(ColumnIndex { index, side });
        }
    }
    let schema = Arc::new(Schema::new(fields));
    let plan_schema = datafusion::common::DFSchema::try_from(Arc::clone(&schema))?;
    let expr = on.session().state().create_physical_expr(rest, &plan_schema)?;
    Ok(Some(JoinFilter::new(expr, indices, schema)))
}

fn sorted(batches: &[RecordBatch]) -> Result<Pairs, ArrowError> {
    let column = |idx: usize| -> Result<UInt64Array, ArrowError> {
        let parts: Vec<&dyn Array> = batches.iter().map(|batch| batch.column(idx).as_ref()).collect();
        if parts.is_empty() {
            return Ok(UInt64Array::from(Vec::<u64>::new()));
        }
        Ok(arrow::compute::concat(&parts)?.as_primitive::<UInt64Type>().clone())
    };
    let (source, target) = (column(0)?, column(1)?);
    let pairs = target.values().iter().zip(source.values());
    if pairs.clone().zip(pairs.skip(1)).all(|(this, next)| this < next) {
        return Ok(Pairs { target, source });
    }
    let keys = [&target, &source].map(|array| SortColumn { values: Arc::new(array.clone()), options: None });
    let order = lexsort_to_indices(&keys, None)?;
    let reorder = |array: &UInt64Array| -> Result<UInt64Array, ArrowError> {
        Ok(take(array, &order, None)?.as_primitive::<UInt64Type>().clone())
    };
    Ok(Pairs { target: reorder(&target)?, source: reorder(&source)? })
}
