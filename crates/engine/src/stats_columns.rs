//! Whether the columns of `delta.dataSkippingStatsColumns` can have statistics.

use crate::failure;
use delta::actions::Metadata;
use delta::properties::indexed_columns;
use delta::schema::{DataType, StructField, StructType, same_name};
use delta::stats::{IndexedColumns, has_bounds};
use spec::Diagnostic;

/// Refuses columns that are not there, partition columns, types without bounds, and a column named twice.
///
/// # Errors
/// One of these, or a property that is no list of names.
pub(crate) fn check(metadata: &Metadata, schema: &StructType) -> Result<(), Diagnostic> {
    let IndexedColumns::Named(columns) = indexed_columns(metadata).map_err(failure::of_store)? else {
        return Ok(());
    };
    let mut seen: Vec<String> = Vec::new();
    for path in &columns {
        let name = path.join(".");
        let Some(field) = find(schema, path) else {
            let message = format!("Couldn't find column {name} in the table's columns.");
            return Err(Diagnostic::new("DELTA_COLUMN_NOT_FOUND_IN_SCHEMA", "42703", message, None)
                .with_hint("delta.dataSkippingStatsColumns lists columns of the table, separated by commas."));
        };
        if path.len() == 1 && metadata.partition_columns.iter().any(|column| same_name(column, &name)) {
            let message = format!("Data skipping is not supported for partition column '{name}'.");
            let condition = "DELTA_COLUMN_DATA_SKIPPING_NOT_SUPPORTED_PARTITIONED_COLUMN";
            return Err(Diagnostic::new(condition, "0AKDC", message, None));
        }
        if !matches!(field.data_type, DataType::Struct(_)) && !has_bounds(&field.data_type) {
            let data_type = field.data_type.sql_name();
            let message = format!("Data skipping is not supported for column '{name}' of type {data_type}.");
            return Err(Diagnostic::new("DELTA_COLUMN_DATA_SKIPPING_NOT_SUPPORTED_TYPE", "0AKDC", message, None)
                .with_hint("Leave it out: only values that have an order have bounds."));
        }
        if seen.iter().any(|other| same_name(other, &name)) {
            let message = format!("Duplicated data skipping columns found: {name}.");
            return Err(Diagnostic::new("DELTA_DUPLICATE_DATA_SKIPPING_COLUMNS", "42701", message, None)
                .with_hint("Name each column once; a struct stands for all of its fields."));
        }
        seen.push(name);
    }
    Ok(())
}

fn find<'a>(schema: &'a StructType, path: &[String]) -> Option<&'a StructField> {
    let (first, rest) = path.split_first()?;
    let field = schema.field(first)?;
    match (&field.data_type, rest) {
        (_, []) => Some(field),
        (DataType::Struct(inner), rest) => find(inner, rest),
        _ => None,
    }
}
