//! Conditions on partition columns alone: they have one value for all rows of a file.

use crate::batch::{absent, positional};
use crate::failure;
use arrow::array::{Array, AsArray};
use delta::actions::PartitionValues;
use delta::partition::constant_array;
use delta::schema::{StructField, StructType, same_name};
use delta::snapshot::Snapshot;
use query::Bound;
use spec::Diagnostic;

/// Whether the table is partitioned by a column of that name.
pub(crate) fn is_partition_column(snapshot: &Snapshot, name: &str) -> bool {
    snapshot.partition_columns().iter().any(|partition| same_name(partition, name))
}

/// Whether a condition looks at partition columns only, and at one at least. The table's columns come first in its
/// scope.
pub(crate) fn is_on_partitions(snapshot: &Snapshot, condition: &Bound) -> bool {
    let fields = &snapshot.schema().fields;
    let is_partition = |column: &usize| {
        let name = fields.get(*column).map(|field| field.name.as_str());
        name.is_some_and(|name| is_partition_column(snapshot, name))
    };
    let columns = condition.columns();
    !columns.is_empty() && columns.iter().all(is_partition)
}

/// Whether a condition on partition columns is TRUE in a partition.
///
/// # Errors
/// A partition value that is none of its type; the condition fails on it.
pub(crate) fn holds(schema: &StructType, condition: &Bound, values: &PartitionValues) -> Result<bool, Diagnostic> {
    let column = |field: &StructField| match values.get(field.physical_name()) {
        Some(value) => constant_array(value.as_deref(), &field.data_type, 1),
        None => Ok(absent(1)),
    };
    let columns = schema.fields.iter().map(column).collect::<Result<_, _>>().map_err(failure::of_store)?;
    let truth = condition.evaluate(&positional(columns, 1)?)?;
    let truth = truth.as_boolean_opt().ok_or_else(|| Diagnostic::internal("a condition is not boolean"))?;
    Ok(truth.len() == 1 && truth.is_valid(0) && truth.value(0))
}
