//! CREATE TABLE, CREATE VIEW and DROP TABLE.

use crate::catalog::{Entry, Format, TableEntry, ViewEntry};
use crate::commit::{Operation, commit, metric, removes};
use crate::failure;
use crate::insert::{assigned_rows, write_parquet, write_parquet_schema};
use crate::observe::Observer;
use crate::products::{From, Piece};
use crate::resolve::snapshot_at;
use crate::sandbox::Context;
use crate::settle::settled;
use crate::table::columns_of;
use crate::types;
use crate::write::{Destination, adds, total_rows, total_size, write_files};
use delta::actions::{Action, Metadata, Protocol};
use delta::schema::{DataType, StructField, StructType};
use delta::snapshot::Snapshot;
use query::{Plan, plan_query};
use serde_json::{Map, Value};
use spec::{CreateMode, CreateTable, CreateView, Diagnostic, Name, Provider, Span};

/// A table that was made, replaced or found.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    pub(crate) entry: TableEntry,
    /// Absent for plain Parquet, and where the table was there already.
    pub(crate) version: Option<u64>,
}

/// Properties that change nothing that is not built, and so may be set.
const KNOWN_PROPERTIES: [&str; 7] = [
    "delta.checkpointInterval",
    "delta.dataSkippingNumIndexedCols",
    "delta.logRetentionDuration",
    "delta.deletedFileRetentionDuration",
    "delta.appendOnly",
    "delta.minReaderVersion",
    "delta.minWriterVersion",
];

/// Properties of the reference that are not built yet: refused where they switch something on.
const LATER_PROPERTIES: [&str; 14] = [
    "delta.enableDeletionVectors",
    "delta.enableChangeDataFeed",
    "delta.columnMapping.mode",
    "delta.enableRowTracking",
    "delta.enableTypeWidening",
    "delta.enableInCommitTimestamps",
    "delta.checkpointPolicy",
    "delta.dataSkippingStatsColumns",
    "delta.isolationLevel",
    "delta.enableVariantShredding",
    "delta.targetFileSize",
    "delta.tuneFileSizesForRewrites",
    "delta.randomizeFilePrefixes",
    "delta.setTransactionRetentionDuration",
];

/// Creates a table, with the rows of a query where there is one.
///
/// # Errors
/// The name is taken; columns or properties that cannot be; the query fails; the store fails.
pub(crate) async fn table(
    context: &Context<'_>,
    create: &CreateTable,
    observer: &mut dyn Observer,
) -> Result<Made, Diagnostic> {
    let span = create.name.span();
    let mut entry = context.catalog.place(&create.name)?;
    if let Some(location) = &create.location {
        entry.root = location.trim_matches('/').to_owned();
    }
    let existing = existing(context, create, &entry).await?;
    if create.mode == CreateMode::IfNotExists && existing.is_some() {
        return Ok(Made { entry: existing.map_or(entry, |(entry, _)| entry), version: None });
    }
    let plan = match &create.query {
        Some(query) => Some(plan_query(&context.session, &context.resolver(), query).await?),
        None => None,
    };
    let schema = schema(create, plan.as_ref())?;
    match &create.provider {
        Provider::Delta => {}
        Provider::Parquet => return parquet(context, create, entry, schema, plan).await,
        Provider::Other(name) => {
            return Err(Diagnostic::unsupported(format!("USING {name}"), name.span)
                .with_hint("Write USING DELTA, or USING PARQUET for a table that is only read."));
        }
    }
    let partition_columns = partition_columns(create, &schema)?;
    check_properties(create, span)?;
    let metadata = Metadata {
        id: context.env.names.uuid(),
        name: None,
        description: create.comment.clone(),
        format: delta::actions::Format::default(),
        schema_string: schema.to_json(),
        partition_columns: partition_columns.clone(),
        configuration: create.properties.iter().cloned().collect(),
        created_time: Some(context.env.clock.now_ms()),
    };
    let (metadata, schema) = settled(context.env, metadata, schema, None)?;
    let protocol =
        Protocol { min_reader_version: 1, min_writer_version: 2, reader_features: None, writer_features: None };
    let old = existing.and_then(|(_, snapshot)| snapshot);
    let destination =
        Destination { root: &entry.root, schema: &schema, partition_columns: &partition_columns, metadata: &metadata };
    let written = match &plan {
        None => Vec::new(),
        Some(plan) => write_files(context.env, &destination, vec![pieces(context, plan, &schema, span).await?]).await?,
    };
    let mut log = vec![Action::Metadata(metadata.clone())];
    if old.is_none() {
        log.push(Action::Protocol(protocol));
    }
    log.extend(adds(&written));
    let mut metrics = Vec::new();
    if plan.is_some() {
        metrics.push(metric("numFiles", written.len()));
        metrics.push(metric("numOutputRows", total_rows(&written)));
        metrics.push(metric("numOutputBytes", total_size(&written)));
    }
    if let Some(old) = &old {
        let all: Vec<usize> = (0..old.files().len()).collect();
        log.extend(removes(context.env, old, &all));
        if plan.is_some() {
            metrics.push(metric("numRemovedFiles", all.len()));
            metrics.push(metric("numRemovedBytes", old.files().iter().map(|add| add.size).sum::<i64>()));
        }
    }
    let operation = Operation {
        name: operation_name(create),
        parameters: parameters(create, &partition_columns),
        metrics,
        reads_table: plan
            .as_ref()
            .is_some_and(|plan| plan.tables().iter().any(|table| table.identifier() == entry.name)),
    };
    let committed = commit(context.env, &entry.root, old.as_ref(), operation, log, observer).await?;
    Ok(Made { entry, version: Some(committed.version) })
}

/// The query of a view is planned once, so that a view that cannot be read is refused when it is made.
///
/// # Errors
/// The query cannot be planned; the name is taken; permanent views are not kept.
pub(crate) async fn view(context: &Context<'_>, create: &CreateView) -> Result<ViewEntry, Diagnostic> {
    let span = create.name.span();
    if !create.temporary {
        return Err(Diagnostic::unsupported("CREATE VIEW without TEMP", span)
            .with_hint("Write CREATE OR REPLACE TEMP VIEW: it lives as long as the sandbox."));
    }
    if create.name.parts.len() > 1 {
        let message = format!("A temp view has no schema: `{}`.", create.name);
        return Err(Diagnostic::new("TEMP_VIEW_NAME_TOO_MANY_NAME_PARTS", "428EK", message, span));
    }
    if !create.or_replace && context.catalog.has_view(&create.name) {
        let message = format!("Cannot create the temp view `{}` because it already exists.", create.name);
        return Err(Diagnostic::new("TEMP_TABLE_OR_VIEW_ALREADY_EXISTS", "42P07", message, span)
            .with_hint("Write CREATE OR REPLACE TEMP VIEW."));
    }
    let plan = plan_query(&context.session, &context.resolver(), &create.query).await?;
    if !create.columns.is_empty() && create.columns.len() != plan.columns().len() {
        let message =
            format!("The view names {} columns, but its query gives {}.", create.columns.len(), plan.columns().len());
        let kind = if create.columns.len() > plan.columns().len() { "NOT_ENOUGH" } else { "TOO_MANY" };
        let condition = format!("CREATE_VIEW_COLUMN_ARITY_MISMATCH.{kind}_DATA_COLUMNS");
        return Err(Diagnostic::new(condition, "21S01", message, span));
    }
    Ok(ViewEntry { name: create.name.last().to_owned(), columns: create.columns.clone(), query: create.query.clone() })
}

/// Removes the files of a table; gives the entry to forget.
///
/// # Errors
/// There is no such table and IF EXISTS is not written; the store failed.
pub(crate) async fn dropped_table(
    context: &Context<'_>,
    name: &Name,
    if_exists: bool,
) -> Result<Option<TableEntry>, Diagnostic> {
    match context.catalog.find(name) {
        Some(Entry::Table(entry)) => {
            let storage = context.env.storage.as_ref();
            for file in storage.list_from(&entry.root, "").await.map_err(|error| failure::of_store(error.into()))? {
                storage.delete(&file.path).await.map_err(|error| failure::of_store(error.into()))?;
            }
            Ok(Some(entry))
        }
        Some(Entry::View(view)) => {
            let message = format!("`{}` is a view, not a table.", view.name);
            Err(Diagnostic::new("WRONG_COMMAND_FOR_OBJECT_TYPE", "42809", message, name.span())
                .with_hint(format!("Write DROP VIEW {}.", view.name)))
        }
        None if if_exists => Ok(None),
        None => Err(context.catalog.not_found(name)),
    }
}

/// The table that stands where the new one goes, and its snapshot if it is a Delta table.
async fn existing(
    context: &Context<'_>,
    create: &CreateTable,
    entry: &TableEntry,
) -> Result<Option<(TableEntry, Option<Snapshot>)>, Diagnostic> {
    let span = create.name.span();
    // Temp views hide tables when read, but do not stand in the way of a table.
    let known =
        context.catalog.tables().find(|known| known.schema == entry.schema && known.name == entry.name).cloned();
    let found = known.unwrap_or_else(|| entry.clone());
    let snapshot = match found.format {
        Format::Delta => snapshot_at(context.env, &found, None, span).await?,
        Format::Parquet(_) => None,
    };
    let exists = snapshot.is_some() || matches!(found.format, Format::Parquet(_));
    match create.mode {
        CreateMode::Create if exists => {
            let message = format!("Cannot create the table `{}` because it already exists.", create.name);
            Err(Diagnostic::new("TABLE_OR_VIEW_ALREADY_EXISTS", "42P07", message, span)
                .with_hint("Choose another name, write CREATE OR REPLACE TABLE, or CREATE TABLE IF NOT EXISTS."))
        }
        CreateMode::Replace if !exists => Err(context.catalog.not_found(&create.name)),
        _ => Ok(exists.then_some((found, snapshot))),
    }
}

/// The columns as declared, or those of the query.
fn schema(create: &CreateTable, plan: Option<&Plan>) -> Result<StructType, Diagnostic> {
    let mut fields: Vec<StructField> = Vec::new();
    for column in &create.columns {
        if column.default.is_some() {
            return Err(Diagnostic::unsupported("DEFAULT of a column", column.span));
        }
        if column.generated.is_some() {
            return Err(Diagnostic::unsupported("GENERATED ALWAYS AS", column.span));
        }
        let field = types::field(
            &column.name.value,
            &column.data_type,
            column.nullable,
            column.comment.as_deref(),
            column.span,
        )?;
        if types::has_length(&field) {
            return Err(Diagnostic::unsupported("CHAR and VARCHAR columns", column.span).with_hint("Use STRING."));
        }
        if fields.iter().any(|other| other.name.to_lowercase() == field.name.to_lowercase()) {
            let message = format!("The column `{}` already exists.", field.name);
            return Err(Diagnostic::new("COLUMN_ALREADY_EXISTS", "42711", message, column.name.span));
        }
        fields.push(field);
    }
    let span = create.query.as_ref().map_or(create.name.span(), |query| query.span);
    for column in plan.map(Plan::columns).unwrap_or_default() {
        if fields.iter().any(|other| other.name.to_lowercase() == column.name.to_lowercase()) {
            let message = format!("The column `{}` already exists.", column.name);
            return Err(Diagnostic::new("COLUMN_ALREADY_EXISTS", "42711", message, span));
        }
        fields.push(StructField::new(&column.name, column.data_type.clone()));
    }
    for field in &fields {
        if matches!(field.data_type, DataType::Void) {
            return Err(Diagnostic::unsupported(format!("Column `{}` of type VOID", field.name), span)
                .with_hint("Give the NULL a type: CAST(NULL AS STRING)."));
        }
    }
    Ok(StructType { fields })
}

fn partition_columns(create: &CreateTable, schema: &StructType) -> Result<Vec<String>, Diagnostic> {
    let mut names = Vec::new();
    for column in &create.partitioned_by {
        let Some(field) = schema.fields.iter().find(|field| column.is(&field.name)) else {
            let message = format!("Couldn't find the partition column `{column}` in the table's columns.");
            return Err(Diagnostic::new("DELTA_COLUMN_NOT_FOUND", "42703", message, column.span));
        };
        if matches!(field.data_type, DataType::Array { .. } | DataType::Map { .. } | DataType::Struct(_)) {
            let message = format!("`{column}` of type {} cannot be a partition column.", field.data_type.sql_name());
            return Err(Diagnostic::new("INVALID_PARTITION_COLUMN_DATA_TYPE", "0A000", message, column.span));
        }
        names.push(field.name.clone());
    }
    if !names.is_empty() && names.len() == schema.fields.len() {
        let span = create.partitioned_by.first().map_or(create.name.span(), |column| column.span);
        let message = "Cannot use all columns for partition columns.";
        return Err(Diagnostic::new("ALL_PARTITION_COLUMNS_NOT_ALLOWED", "KD005", message, span));
    }
    Ok(names)
}

/// A property that would change how the table must be read or written is refused, never ignored.
fn check_properties(create: &CreateTable, span: Span) -> Result<(), Diagnostic> {
    for (key, value) in &create.properties {
        let off = value.eq_ignore_ascii_case("false") || value == "none";
        let known = |list: &[&str]| list.iter().any(|name| name.eq_ignore_ascii_case(key));
        let refused = if known(&LATER_PROPERTIES) || key.eq_ignore_ascii_case("delta.appendOnly") {
            !off
        } else {
            key.to_lowercase().starts_with("delta.feature.") || key.to_lowercase().starts_with("delta.constraints.")
        };
        if refused {
            return Err(Diagnostic::unsupported(format!("The table property {key} = {value}"), span));
        }
        if key.to_lowercase().starts_with("delta.") && !known(&KNOWN_PROPERTIES) && !known(&LATER_PROPERTIES) {
            let message = format!("Unknown configuration was specified: {key}");
            return Err(Diagnostic::new("DELTA_UNKNOWN_CONFIGURATION", "F0000", message, span));
        }
    }
    Ok(())
}

async fn pieces(context: &Context<'_>, plan: &Plan, schema: &StructType, span: Span) -> Result<Vec<Piece>, Diagnostic> {
    let places: Vec<Option<usize>> = (0..schema.fields.len()).map(Some).collect();
    let rows = assigned_rows(context, plan, &columns_of(schema), &places, span).await?;
    let mut first = 0;
    let piece = |batch: arrow::record_batch::RecordBatch| {
        let source = (first..first + batch.num_rows() as u64).collect();
        first += batch.num_rows() as u64;
        Piece { rows: batch, from: From::Inserted { clause: 0, source } }
    };
    Ok(rows.batches.into_iter().map(piece).collect())
}

async fn parquet(
    context: &Context<'_>,
    create: &CreateTable,
    entry: TableEntry,
    schema: StructType,
    plan: Option<Plan>,
) -> Result<Made, Diagnostic> {
    if let Some(column) = create.partitioned_by.first() {
        return Err(Diagnostic::unsupported("PARTITIONED BY on a plain Parquet table", column.span));
    }
    if let CreateMode::Replace | CreateMode::CreateOrReplace = create.mode {
        return Err(Diagnostic::unsupported("CREATE OR REPLACE of a plain Parquet table", create.name.span()));
    }
    write_parquet_schema(context, &entry.root, &schema).await?;
    if let Some(plan) = plan {
        let places: Vec<Option<usize>> = (0..schema.fields.len()).map(Some).collect();
        let rows = assigned_rows(context, &plan, &columns_of(&schema), &places, create.name.span()).await?;
        write_parquet(context, &entry.root, &schema, rows).await?;
    }
    Ok(Made { entry: TableEntry { format: Format::Parquet(schema), ..entry }, version: None })
}

fn operation_name(create: &CreateTable) -> &'static str {
    match (create.mode, create.query.is_some()) {
        (CreateMode::Create | CreateMode::IfNotExists, false) => "CREATE TABLE",
        (CreateMode::Create | CreateMode::IfNotExists, true) => "CREATE TABLE AS SELECT",
        (CreateMode::Replace, false) => "REPLACE TABLE",
        (CreateMode::Replace, true) => "REPLACE TABLE AS SELECT",
        (CreateMode::CreateOrReplace, false) => "CREATE OR REPLACE TABLE",
        (CreateMode::CreateOrReplace, true) => "CREATE OR REPLACE TABLE AS SELECT",
    }
}

fn parameters(create: &CreateTable, partition_columns: &[String]) -> Map<String, Value> {
    let text = |value: Value| Value::String(value.to_string());
    let columns = partition_columns.iter().cloned().map(Value::String).collect();
    let properties = create.properties.iter().map(|(key, value)| (key.clone(), Value::String(value.clone())));
    let managed = create.location.is_none()
        && !create.name.parts.first().is_some_and(|part| part.value.contains('/') || part.is("delta"));
    Map::from_iter([
        ("partitionBy".to_owned(), text(Value::Array(columns))),
        ("clusterBy".to_owned(), Value::String("[]".into())),
        ("description".to_owned(), create.comment.clone().map_or(Value::Null, Value::String)),
        ("isManaged".to_owned(), Value::String(managed.to_string())),
        ("properties".to_owned(), text(Value::Object(properties.collect()))),
    ])
}
