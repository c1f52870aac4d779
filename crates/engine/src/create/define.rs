//! What a new table shall be: its schema, metadata, and what it asks of the protocol.

use super::comments;
use crate::clustering;
use crate::columns::{ColumnContext, check_expressions, check_name, field};
use crate::definition;
use crate::sandbox::Context;
use crate::settle::settled;
use delta::actions::{Configuration, Metadata};
use delta::features::{Requested, supported};
use delta::mapping::taken_over;
use delta::row_tracking::{ROW_ID_COLUMN, ROW_VERSION_COLUMN};
use delta::schema::{DataType, StructField, StructType};
use delta::snapshot::Snapshot;
use query::Plan;
use spec::{CreateTable, Diagnostic, Span};
use std::collections::BTreeSet;

/// Properties that REPLACE TABLE takes over from the old table.
const KEPT_BY_REPLACE: [&str; 4] =
    [ROW_ID_COLUMN, ROW_VERSION_COLUMN, "delta.enableRowTracking", "delta.enableDeletionVectors"];

/// A table that does not exist yet.
pub(super) struct Definition {
    pub(super) schema: StructType,
    pub(super) metadata: Metadata,
    pub(super) requested: Requested,
    /// Paths of names.
    pub(super) clustered_by: Vec<Vec<String>>,
    pub(super) is_managed: bool,
}

/// The definition that a CREATE TABLE writes down.
pub(super) async fn table(
    context: &Context<'_>,
    create: &CreateTable,
    plan: Option<&Plan>,
    old: Option<&Snapshot>,
) -> Result<Definition, Diagnostic> {
    let span = create.name.span();
    let (mut configuration, mut requested) = definition::stored_properties(&create.properties, span)?;
    for property in KEPT_BY_REPLACE {
        if let Some(kept) = old.and_then(|old| old.metadata().configuration.get(property)) {
            configuration.entry(property.to_owned()).or_insert_with(|| kept.clone());
        }
    }
    let mut features = requested.features.clone();
    features.extend(old.map(|old| supported(old.protocol())).unwrap_or_default());
    let mut schema = schema(context, create, plan, &features)?;
    if let Some(query) = &create.query {
        comments::bring(context, query, &mut schema).await?;
    }
    check_expressions(context, &schema, &create.columns).await?;
    let partition_columns = partition_columns(create, &schema)?;
    let clustered_by = clustering::columns(&schema, &create.clustered_by)?;
    if !clustered_by.is_empty() {
        requested.features.insert(clustering::FEATURE.to_owned());
    }
    let metadata = Metadata {
        partition_columns,
        description: create.comment.clone(),
        ..metadata(context, &schema, configuration)
    };
    check(&schema, &metadata, create.query.as_ref().map_or(span, |query| query.span))?;
    let (metadata, schema) = match old {
        Some(old) => taken_over(metadata, schema, old.metadata(), old.schema()),
        None => (metadata, schema),
    };
    let (metadata, schema) = settled(context.env, metadata, schema, None)?;
    let path = create.name.parts.first().is_some_and(|part| part.value.contains('/') || part.is("delta"));
    let is_managed = create.location.is_none() && !path;
    Ok(Definition { schema, metadata, requested, clustered_by, is_managed })
}

/// Metadata of a new table without partitions.
pub(super) fn metadata(context: &Context<'_>, schema: &StructType, configuration: Configuration) -> Metadata {
    Metadata {
        id: context.env.names.uuid(),
        name: None,
        description: None,
        format: delta::actions::Format::default(),
        schema_string: schema.to_json(),
        partition_columns: Vec::new(),
        configuration,
        created_time: Some(context.env.clock.now_ms()),
    }
}

/// What holds of every new table, however it was written down.
pub(super) fn check(schema: &StructType, metadata: &Metadata, span: Span) -> Result<(), Diagnostic> {
    for field in &schema.fields {
        check_name(field, metadata, span)?;
    }
    delta::properties::check_retention(&metadata.configuration).map_err(|error| crate::failure::of_table(error, span))
}

/// The columns as declared, or those of the query.
pub(super) fn schema(
    context: &Context<'_>,
    create: &CreateTable,
    plan: Option<&Plan>,
    features: &BTreeSet<String>,
) -> Result<StructType, Diagnostic> {
    let exists = |name: &str, span: Span| {
        let message = format!("The column `{name}` already exists.");
        Diagnostic::new("COLUMN_ALREADY_EXISTS", "42711", message, span)
            .with_hint("Give each column a name of its own; upper and lower case do not tell them apart.")
    };
    let column_context = ColumnContext { script: context.script, features };
    let mut schema = StructType::default();
    for column in &create.columns {
        let field = field(&column_context, column)?;
        if schema.field(&field.name).is_some() {
            return Err(exists(&field.name, column.name.span));
        }
        schema.fields.push(field);
    }
    let span = create.query.as_ref().map_or(create.name.span(), |query| query.span);
    for column in plan.map(Plan::columns).unwrap_or_default() {
        if schema.field(&column.name).is_some() {
            return Err(exists(&column.name, span));
        }
        schema.fields.push(StructField::new(&column.name, column.data_type.clone()));
    }
    if let Some(field) = schema.fields.iter().find(|field| matches!(field.data_type, DataType::Void)) {
        return Err(Diagnostic::unsupported(format!("Column `{}` of type VOID", field.name), span)
            .with_hint("Give the NULL a type: CAST(NULL AS STRING)."));
    }
    Ok(schema)
}

fn partition_columns(create: &CreateTable, schema: &StructType) -> Result<Vec<String>, Diagnostic> {
    let mut names = Vec::new();
    for column in &create.partitioned_by {
        let Some(field) = schema.fields.iter().find(|field| column.is(&field.name)) else {
            let message = format!("Couldn't find column {column} in the table's columns.");
            return Err(Diagnostic::new("_LEGACY_ERROR_TEMP_3060", "", message, column.span)
                .with_hint("PARTITIONED BY names columns of the table."));
        };
        if matches!(field.data_type, DataType::Array { .. } | DataType::Map { .. } | DataType::Struct(_)) {
            let message = format!("`{column}` of type {} cannot be a partition column.", field.data_type.sql_name());
            return Err(Diagnostic::new("INVALID_PARTITION_COLUMN_DATA_TYPE", "0A000", message, column.span)
                .with_hint("Partition by a plain value, such as a field of it in a column of its own."));
        }
        names.push(field.name.clone());
    }
    if !names.is_empty() && names.len() == schema.fields.len() {
        let span = create.partitioned_by.first().map_or(create.name.span(), |column| column.span);
        let message = "Cannot use all columns for partition columns.";
        return Err(Diagnostic::new("ALL_PARTITION_COLUMNS_NOT_ALLOWED", "KD005", message, span)
            .with_hint("Leave at least one column in the data files."));
    }
    Ok(names)
}

/// A table at a location that has one already must be written down as it is, or without columns.
pub(super) fn same_as_there(context: &Context<'_>, create: &CreateTable, there: &Snapshot) -> Result<(), Diagnostic> {
    let span = create.name.span();
    if let Some(query) = &create.query {
        let message = "Cannot create a table from a query at a location that holds a table already.";
        return Err(Diagnostic::new("DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION", "42601", message, query.span)
            .with_hint("Choose another location, or INSERT INTO the table that is there."));
    }
    if !create.columns.is_empty() {
        let schema = schema(context, create, None, &supported(there.protocol()))?;
        if schema != *there.schema() {
            let message = "The columns are not those of the table that is at this location.";
            return Err(Diagnostic::new("DELTA_CREATE_TABLE_SCHEME_MISMATCH", "42KD7", message, span)
                .with_hint("Leave the columns out: the table knows them."));
        }
        let partitions = partition_columns(create, &schema)?;
        if partitions != there.partition_columns() {
            let message = "The partitioning is not that of the table that is at this location.";
            return Err(Diagnostic::new("DELTA_CREATE_TABLE_WITH_DIFFERENT_PARTITIONING", "42KD7", message, span)
                .with_hint("Leave PARTITIONED BY out to take the table as it is."));
        }
    }
    let (configuration, _) = definition::stored_properties(&create.properties, span)?;
    if !configuration.is_empty() && configuration != there.metadata().configuration {
        let message = "The properties are not those of the table that is at this location.";
        return Err(Diagnostic::new("DELTA_CREATE_TABLE_WITH_DIFFERENT_PROPERTY", "42KD7", message, span)
            .with_hint("Leave TBLPROPERTIES out to take the table as it is, and ALTER TABLE afterwards."));
    }
    Ok(())
}
