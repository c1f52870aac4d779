//! The SHOW family: columns, properties, partitions, views and schemas.

use super::{not_a_table, subject};
use crate::catalog::{Entry, Format};
use crate::describe::{column, rows, visible_columns};
use crate::sandbox::{Context, Rows};
use arrow::array::{ArrayRef, BooleanArray, StringArray, new_null_array};
use arrow::compute::concat;
use delta::actions::PartitionValues;
use delta::partition::constant_array;
use delta::schema::DataType;
use delta::snapshot::Snapshot;
use spec::{Diagnostic, Name};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One row per column.
///
/// # Errors
/// There is no such table.
pub(super) async fn columns(context: &Context<'_>, table: &Name) -> Result<Rows, Diagnostic> {
    let columns = visible_columns(context, table).await?;
    let names: StringArray = columns.iter().map(|column| Some(column.name.as_str())).collect();
    rows(vec![column("col_name", DataType::String, Arc::new(names))])
}

/// Delta tables have no text of their own: the reference refuses this.
pub(super) fn create_table(context: &Context<'_>, table: &Name) -> Diagnostic {
    match context.catalog.find(table) {
        None => context.catalog.not_found(table),
        Some(Entry::Table(entry)) if entry.format == Format::Delta => {
            let message = "SHOW CREATE TABLE is not supported for Delta tables.";
            Diagnostic::new("DELTA_OPERATION_NOT_ALLOWED", "0AKDC", message, table.span())
                .with_hint("DESCRIBE DETAIL and DESCRIBE TABLE show what a table is made of.")
        }
        Some(_) => Diagnostic::unsupported("SHOW CREATE TABLE of this", table.span()),
    }
}

/// One row per property, by key; with a key, that one.
///
/// # Errors
/// There is no such table.
pub(super) async fn properties(context: &Context<'_>, table: &Name, key: Option<&str>) -> Result<Rows, Diagnostic> {
    if let Some(Entry::View(_)) = context.catalog.find(table) {
        return shown_properties(&[]);
    }
    let subject = subject(context, table, "SHOW TBLPROPERTIES").await?;
    let mut all = all_properties(&subject.snapshot);
    let shown: Vec<(String, String)> = match key {
        None => all.into_iter().collect(),
        Some(key) => {
            let absent = || format!("Table {} does not have property: {key}", subject.entry.full_name());
            vec![(key.to_owned(), all.remove(key).unwrap_or_else(absent))]
        }
    };
    shown_properties(&shown)
}

/// The properties of a table, with those that its protocol stands for.
pub(crate) fn all_properties(snapshot: &Snapshot) -> BTreeMap<String, String> {
    let (metadata, protocol) = (snapshot.metadata(), snapshot.protocol());
    let mut all: BTreeMap<String, String> =
        metadata.configuration.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    all.insert("delta.minReaderVersion".into(), protocol.min_reader_version.to_string());
    all.insert("delta.minWriterVersion".into(), protocol.min_writer_version.to_string());
    for feature in protocol.reader_features.iter().chain(&protocol.writer_features).flatten() {
        all.insert(format!("delta.feature.{feature}"), "supported".into());
    }
    all
}

fn shown_properties(shown: &[(String, String)]) -> Result<Rows, Diagnostic> {
    let text = |values: Vec<&String>| -> ArrayRef { Arc::new(values.into_iter().map(Some).collect::<StringArray>()) };
    rows(vec![
        column("key", DataType::String, text(shown.iter().map(|(key, _)| key).collect())),
        column("value", DataType::String, text(shown.iter().map(|(_, value)| value).collect())),
    ])
}

/// One row per partition that has files, with the typed values of the partition columns.
///
/// # Errors
/// There is no such Delta table, or it has no partitions.
pub(super) async fn partitions(context: &Context<'_>, table: &Name) -> Result<Rows, Diagnostic> {
    let subject = subject(context, table, "SHOW PARTITIONS").await?;
    let snapshot = &subject.snapshot;
    if snapshot.partition_columns().is_empty() {
        let message = format!("The table `{table}` is not partitioned.");
        let condition = "DELTA_SHOW_PARTITION_IN_NON_PARTITIONED_TABLE";
        return Err(Diagnostic::new(condition, "42809", message, table.span()));
    }
    let mut found: Vec<&PartitionValues> = Vec::new();
    for add in snapshot.files() {
        if !found.contains(&&add.partition_values) {
            found.push(&add.partition_values);
        }
    }
    let mut shown = Vec::new();
    for name in snapshot.partition_columns() {
        let field =
            snapshot.schema().field(name).ok_or_else(|| Diagnostic::internal("a partition column is missing"))?;
        let value = |values: &&PartitionValues| {
            constant_array(values.get(field.physical_name()).and_then(Option::as_deref), &field.data_type, 1)
        };
        let values = found.iter().map(value).collect::<Result<Vec<_>, _>>().map_err(crate::failure::of_store)?;
        let values: Vec<_> = values.iter().map(|value| value.as_ref()).collect();
        let array = match values.as_slice() {
            [] => new_null_array(&field.data_type.to_arrow(), 0),
            some => concat(some).map_err(Diagnostic::internal)?,
        };
        shown.push(column(name, field.data_type.clone(), array));
    }
    rows(shown)
}

/// The temp views; they belong to no schema.
pub(super) fn views(context: &Context<'_>, schema: Option<&Name>, pattern: Option<&str>) -> Result<Rows, Diagnostic> {
    if let Some(schema) = schema
        && !context.catalog.has_schema(schema.last())
    {
        return Err(no_schema(schema));
    }
    let names: Vec<String> =
        context.catalog.views().map(|view| view.name.to_lowercase()).filter(|name| like(name, pattern)).collect();
    rows(vec![
        column("namespace", DataType::String, Arc::new(names.iter().map(|_| Some("")).collect::<StringArray>())),
        column("viewName", DataType::String, Arc::new(names.iter().map(Some).collect::<StringArray>())),
        column("isTemporary", DataType::Boolean, Arc::new(names.iter().map(|_| Some(true)).collect::<BooleanArray>())),
    ])
}

/// The schemas, by name.
pub(super) fn schemas(context: &Context<'_>, pattern: Option<&str>) -> Result<Rows, Diagnostic> {
    let names: StringArray = context.catalog.schemas().filter(|name| like(name, pattern)).map(Some).collect();
    rows(vec![column("namespace", DataType::String, Arc::new(names))])
}

/// `SCHEMA_NOT_FOUND`.
pub(crate) fn no_schema(schema: &Name) -> Diagnostic {
    let message = format!("The schema `{schema}` cannot be found.");
    Diagnostic::new("SCHEMA_NOT_FOUND", "42704", message, schema.span())
        .with_hint("SHOW SCHEMAS lists those that there are; CREATE SCHEMA makes one.")
}

/// Spark's patterns of names: `*` for any text, `|` between alternatives, without regard to case.
pub(crate) fn like(name: &str, pattern: Option<&str>) -> bool {
    let Some(pattern) = pattern else { return true };
    let name = name.to_lowercase();
    pattern.to_lowercase().split('|').any(|part| matches(&name, part.trim()))
}

fn matches(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        None => name == pattern,
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices()
                .map(|(at, _)| at)
                .chain([rest.len()])
                .any(|at| matches(rest.get(at..).unwrap_or(""), after))
        }),
    }
}

/// `DESCRIBE HISTORY` and its like on a view.
pub(crate) fn refuse_view(context: &Context<'_>, table: &Name, command: &str) -> Result<(), Diagnostic> {
    match context.catalog.find(table) {
        Some(Entry::View(view)) => Err(not_a_table(&view.name, command, table)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::like;

    #[test]
    fn patterns_know_stars_and_alternatives() {
        assert!(like("sales_2024", Some("sales*")) && like("SALES", Some("s*s|x")) && like("x", Some("a|x")));
        assert!(!like("sales", Some("ale")) && like("sales", Some("*ale*")) && like("t", None));
    }
}
