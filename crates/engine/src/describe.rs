//! DESCRIBE HISTORY, DETAIL and TABLE, and SHOW TABLES.

use crate::catalog::{Entry, Format, TableEntry, WAREHOUSE};
use crate::clustering;
use crate::command::{all_properties, like, missing_table, no_schema, refuse_view};
use crate::failure;
use crate::resolve::latest;
use crate::sandbox::{Context, Rows};
use arrow::array::{
    ArrayRef, BooleanArray, Int32Array, Int64Array, ListBuilder, MapBuilder, MapFieldNames, StringArray, StringBuilder,
    TimestampMicrosecondArray, new_null_array,
};
use arrow::datatypes::Schema;
use arrow::record_batch::RecordBatch;
use delta::commit_info::CommitInfo;
use delta::schema::{DataType, StructField, StructType};
use delta::snapshot::{Snapshot, history as commits};
use query::Column;
use serde_json::Value;
use spec::{Diagnostic, Name};
use std::sync::Arc;

/// One row per commit, newest first.
///
/// # Errors
/// There is no such Delta table; the log cannot be read.
pub(crate) async fn history(context: &Context<'_>, name: &Name, limit: Option<u64>) -> Result<Rows, Diagnostic> {
    let entry = delta_table(context, name, "DESCRIBE HISTORY")?;
    let limit = limit.map(|limit| limit as usize);
    let found = commits(context.env.storage.as_ref(), &entry.root, limit).await;
    let found = found.map_err(|error| failure::of_table(error, name.span()))?;
    let infos: Vec<&CommitInfo> = found.iter().map(|(_, info)| info).collect();
    let n_rows = infos.len();
    let text = |value: fn(&CommitInfo) -> Option<&str>| -> ArrayRef {
        Arc::new(infos.iter().map(|info| value(info)).collect::<StringArray>())
    };
    let job = ["jobId", "jobName", "jobRunId", "runId", "jobOwnerId", "triggerType"];
    let nulls = |data_type: &DataType| new_null_array(&data_type.to_arrow(), n_rows);
    let timestamps = infos.iter().map(|info| info.time_ms().saturating_mul(1_000));
    let columns = vec![
        column(
            "version",
            DataType::Long,
            Arc::new(found.iter().map(|(version, _)| *version as i64).collect::<Int64Array>()),
        ),
        column(
            "timestamp",
            DataType::Timestamp,
            Arc::new(TimestampMicrosecondArray::from_iter_values(timestamps).with_timezone("UTC")),
        ),
        column("userId", DataType::String, nulls(&DataType::String)),
        column("userName", DataType::String, nulls(&DataType::String)),
        column("operation", DataType::String, text(|info| Some(&info.operation))),
        column("operationParameters", text_map(), map(infos.iter().map(|info| parameters(info)))?),
        column("job", texts(&job), nulls(&texts(&job))),
        column("notebook", texts(&["notebookId"]), nulls(&texts(&["notebookId"]))),
        column("clusterId", DataType::String, nulls(&DataType::String)),
        column(
            "readVersion",
            DataType::Long,
            Arc::new(infos.iter().map(|info| info.read_version.map(|v| v as i64)).collect::<Int64Array>()),
        ),
        column("isolationLevel", DataType::String, text(|info| info.isolation_level.as_deref())),
        column(
            "isBlindAppend",
            DataType::Boolean,
            Arc::new(infos.iter().map(|info| info.is_blind_append).collect::<BooleanArray>()),
        ),
        column("operationMetrics", text_map(), map(infos.iter().map(|info| metrics(info)))?),
        column("userMetadata", DataType::String, text(|info| info.user_metadata.as_deref())),
        column("engineInfo", DataType::String, text(|info| info.engine_info.as_deref())),
    ];
    rows(columns)
}

/// One row about the table as it is now.
///
/// # Errors
/// There is no such Delta table; the log cannot be read.
pub(crate) async fn detail(context: &Context<'_>, name: &Name) -> Result<Rows, Diagnostic> {
    if let Some(Entry::Table(entry)) = context.catalog.find(name)
        && let Format::Parquet(_) = entry.format
    {
        return plain_detail(&entry);
    }
    let entry = delta_table(context, name, "DESCRIBE DETAIL")?;
    let snapshot = latest(context.env, &entry, name.span()).await?.ok_or_else(|| missing_table(&entry, name))?;
    let (metadata, protocol) = (snapshot.metadata(), snapshot.protocol());
    let text = |value: Option<&str>| -> ArrayRef { Arc::new(StringArray::from(vec![value])) };
    let long = |value: i64| -> ArrayRef { Arc::new(Int64Array::from(vec![value])) };
    let instant = |ms: Option<i64>| -> ArrayRef {
        Arc::new(TimestampMicrosecondArray::from(vec![ms.map(|ms| ms.saturating_mul(1_000))]).with_timezone("UTC"))
    };
    let full_name = entry.full_name();
    let clustered_by: Vec<String> = clustering::of(&snapshot).iter().map(|path| path.join(".")).collect();
    let features: Vec<String> = delta::features::supported(protocol).into_iter().collect();
    let configuration = metadata.configuration.iter().map(|(key, value)| (key.clone(), Some(value.clone()))).collect();
    let columns = vec![
        column("format", DataType::String, text(Some("delta"))),
        column("id", DataType::String, text(Some(&metadata.id))),
        column("name", DataType::String, text((entry.schema != "delta").then_some(full_name.as_str()))),
        column("description", DataType::String, text(metadata.description.as_deref())),
        column("location", DataType::String, text(Some(&entry.root))),
        column("createdAt", DataType::Timestamp, instant(metadata.created_time)),
        column("lastModified", DataType::Timestamp, instant(Some(snapshot.commit_timestamp()))),
        column("partitionColumns", text_list(), list(snapshot.partition_columns())),
        column("clusteringColumns", text_list(), list(&clustered_by)),
        column("numFiles", DataType::Long, long(snapshot.files().len() as i64)),
        column("sizeInBytes", DataType::Long, long(snapshot.files().iter().map(|add| add.size).sum())),
        column("properties", text_map(), map(std::iter::once(configuration))?),
        column("minReaderVersion", DataType::Int, Arc::new(Int32Array::from(vec![protocol.min_reader_version]))),
        column("minWriterVersion", DataType::Int, Arc::new(Int32Array::from(vec![protocol.min_writer_version]))),
        column("tableFeatures", text_list(), list(&features)),
    ];
    rows(columns)
}

/// What is known of a table without a log.
fn plain_detail(entry: &TableEntry) -> Result<Rows, Diagnostic> {
    let text = |value: Option<&str>| -> ArrayRef { Arc::new(StringArray::from(vec![value])) };
    let long = || -> ArrayRef { Arc::new(Int64Array::from(vec![None])) };
    let int = || -> ArrayRef { Arc::new(Int32Array::from(vec![None])) };
    let instant = || -> ArrayRef { Arc::new(TimestampMicrosecondArray::from(vec![None::<i64>]).with_timezone("UTC")) };
    let none = |kind: DataType| arrow::array::new_null_array(&kind.to_arrow(), 1);
    rows(vec![
        column("format", DataType::String, text(Some("parquet"))),
        column("id", DataType::String, text(None)),
        column("name", DataType::String, text(Some(&entry.full_name()))),
        column("description", DataType::String, text(Some(""))),
        column("location", DataType::String, text(Some(&entry.root))),
        column("createdAt", DataType::Timestamp, instant()),
        column("lastModified", DataType::Timestamp, instant()),
        column("partitionColumns", text_list(), list(&[])),
        column("clusteringColumns", text_list(), none(text_list())),
        column("numFiles", DataType::Long, long()),
        column("sizeInBytes", DataType::Long, long()),
        column("properties", text_map(), map(std::iter::once(Vec::new()))?),
        column("minReaderVersion", DataType::Int, int()),
        column("minWriterVersion", DataType::Int, int()),
        column("tableFeatures", text_list(), none(text_list())),
    ])
}

/// One row per column, then the partition columns.
///
/// # Errors
/// There is no such table; the log cannot be read.
pub(crate) async fn table(context: &Context<'_>, name: &Name, extended: bool) -> Result<Rows, Diagnostic> {
    let columns = visible_columns(context, name).await?;
    let snapshot = match context.catalog.find(name) {
        Some(Entry::Table(entry)) if entry.format == Format::Delta => latest(context.env, &entry, name.span()).await?,
        _ => None,
    };
    let partitions = snapshot.as_ref().map(|snapshot| snapshot.partition_columns().to_vec()).unwrap_or_default();
    let comment = |column: &Column| {
        let field = snapshot.as_ref()?.schema().fields.iter().find(|field| field.name == column.name)?;
        field.metadata.get("comment").and_then(Value::as_str).map(str::to_owned)
    };
    let mut lines: Vec<(String, String, Option<String>)> =
        columns.iter().map(|column| (column.name.clone(), column.data_type.spark_name(), comment(column))).collect();
    if !partitions.is_empty() {
        lines.push(("# Partition Information".into(), String::new(), Some(String::new())));
        lines.push(("# col_name".into(), "data_type".into(), Some("comment".into())));
        for column in columns.iter().filter(|column| partitions.contains(&column.name)) {
            lines.push((column.name.clone(), column.data_type.spark_name(), comment(column)));
        }
    }
    if let (true, Some(snapshot), Some(Entry::Table(entry))) = (extended, &snapshot, context.catalog.find(name)) {
        lines.extend(details(&entry, snapshot));
    }
    rows(vec![
        column("col_name", DataType::String, Arc::new(lines.iter().map(|line| Some(&line.0)).collect::<StringArray>())),
        column(
            "data_type",
            DataType::String,
            Arc::new(lines.iter().map(|line| Some(&line.1)).collect::<StringArray>()),
        ),
        column(
            "comment",
            DataType::String,
            Arc::new(lines.iter().map(|line| line.2.as_ref()).collect::<StringArray>()),
        ),
    ])
}

/// What EXTENDED adds: where the table is and what it is made of.
fn details(entry: &TableEntry, snapshot: &Snapshot) -> Vec<(String, String, Option<String>)> {
    let is_managed = entry.root.starts_with(WAREHOUSE) && !entry.is_path();
    let properties = all_properties(snapshot).into_iter().map(|(key, value)| format!("{key}={value}"));
    let properties = format!("[{}]", properties.collect::<Vec<_>>().join(","));
    let name = if entry.is_path() { format!("delta.`{}`", entry.root) } else { entry.full_name() };
    let mut lines = vec![("", String::new()), ("# Detailed Table Information", String::new()), ("Name", name)];
    lines.push(("Type", if is_managed || entry.is_path() { "MANAGED" } else { "EXTERNAL" }.to_owned()));
    lines.extend(snapshot.metadata().description.clone().map(|text| ("Comment", text)));
    lines.push(("Location", entry.root.clone()));
    lines.push(("Provider", "delta".to_owned()));
    if is_managed {
        lines.push(("Is_managed_location", "true".to_owned()));
    }
    lines.push(("Table Properties", properties));
    lines.into_iter().map(|(name, value)| (name.to_owned(), value, Some(String::new()))).collect()
}

/// The columns that a reader of a table or view sees.
///
/// # Errors
/// There is no such table or view; the log cannot be read.
pub(crate) async fn visible_columns(context: &Context<'_>, name: &Name) -> Result<Vec<Column>, Diagnostic> {
    let found = query::Catalog::relation(&context.resolver(), name, None).await?;
    Ok(match found {
        query::Found::Table(table) => table.columns().to_vec(),
        query::Found::View { columns, schema, .. } => {
            let rename = |(idx, column): (usize, &Column)| {
                let name = columns.get(idx).map_or_else(|| column.name.clone(), |renamed| renamed.value.clone());
                Column { name, ..column.clone() }
            };
            schema.iter().enumerate().map(rename).collect()
        }
    })
}

/// The tables of a schema.
pub(crate) fn tables(context: &Context<'_>, schema: Option<&Name>, pattern: Option<&str>) -> Result<Rows, Diagnostic> {
    let wanted = schema.map_or_else(|| context.catalog.current_schema().to_owned(), |name| name.last().to_lowercase());
    if let Some(schema) = schema.filter(|_| !context.catalog.has_schema(&wanted)) {
        return Err(no_schema(schema));
    }
    let of_schema = context.catalog.tables().filter(|entry| entry.schema == wanted);
    let tables = of_schema.map(|entry| (entry.schema.clone(), entry.name.clone(), false));
    // Temp views belong to no schema and are shown with every one.
    let views = context.catalog.views().map(|view| (String::new(), view.name.to_lowercase(), true));
    let mut shown: Vec<(String, String, bool)> =
        tables.chain(views).filter(|(_, name, _)| like(name, pattern)).collect();
    shown.sort_by(|left, right| left.1.cmp(&right.1));
    rows(vec![
        column(
            "namespace",
            DataType::String,
            Arc::new(shown.iter().map(|(schema, _, _)| Some(schema)).collect::<StringArray>()),
        ),
        column(
            "tableName",
            DataType::String,
            Arc::new(shown.iter().map(|(_, name, _)| Some(name)).collect::<StringArray>()),
        ),
        column(
            "isTemporary",
            DataType::Boolean,
            Arc::new(shown.iter().map(|(_, _, temporary)| Some(*temporary)).collect::<BooleanArray>()),
        ),
    ])
}

fn delta_table(context: &Context<'_>, name: &Name, command: &str) -> Result<TableEntry, Diagnostic> {
    refuse_view(context, name, command)?;
    match context.catalog.find(name) {
        Some(Entry::Table(entry)) if entry.format == Format::Delta => Ok(entry),
        Some(_) => {
            let message = format!("{command} is only supported for Delta tables; `{name}` is none.");
            Err(Diagnostic::new("DELTA_ONLY_OPERATION", "0AKDD", message, name.span()))
        }
        None => Err(context.catalog.not_found(name)),
    }
}

/// A result column.
pub(crate) fn column(name: &str, data_type: DataType, values: ArrayRef) -> (Column, ArrayRef) {
    (Column { name: name.to_owned(), data_type, nullable: true }, values)
}

/// A result of one batch.
pub(crate) fn rows(columns: Vec<(Column, ArrayRef)>) -> Result<Rows, Diagnostic> {
    let (columns, arrays): (Vec<Column>, Vec<ArrayRef>) = columns.into_iter().unzip();
    let fields: Vec<_> = columns
        .iter()
        .zip(&arrays)
        .map(|(column, array)| arrow::datatypes::Field::new(&column.name, array.data_type().clone(), true))
        .collect();
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(Diagnostic::internal)?;
    Ok(Rows { columns, batches: vec![batch] })
}

fn text_map() -> DataType {
    DataType::Map { key: Box::new(DataType::String), value: Box::new(DataType::String), value_contains_null: true }
}

fn text_list() -> DataType {
    DataType::Array { element: Box::new(DataType::String), contains_null: true }
}

fn texts(names: &[&str]) -> DataType {
    DataType::Struct(StructType {
        fields: names.iter().map(|name| StructField::new(*name, DataType::String)).collect(),
    })
}

type Pairs = Vec<(String, Option<String>)>;

fn parameters(info: &CommitInfo) -> Pairs {
    let text = |value: &Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    info.operation_parameters.iter().map(|(key, value)| (key.clone(), text(value))).collect()
}

fn metrics(info: &CommitInfo) -> Pairs {
    info.operation_metrics.iter().map(|(key, value)| (key.clone(), Some(value.clone()))).collect()
}

fn map(entries: impl Iterator<Item = Pairs>) -> Result<ArrayRef, Diagnostic> {
    let names = MapFieldNames { entry: "key_value".into(), key: "key".into(), value: "value".into() };
    let mut builder = MapBuilder::new(Some(names), StringBuilder::new(), StringBuilder::new());
    for pairs in entries {
        for (key, value) in pairs {
            builder.keys().append_value(key);
            builder.values().append_option(value);
        }
        builder.append(true).map_err(Diagnostic::internal)?;
    }
    Ok(Arc::new(builder.finish()))
}

fn list(values: &[String]) -> ArrayRef {
    let mut builder = ListBuilder::new(StringBuilder::new());
    for value in values {
        builder.values().append_value(value);
    }
    builder.append(true);
    Arc::new(builder.finish())
}
