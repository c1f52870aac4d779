//! CREATE TABLE in its forms: from columns, from a query, in place of an old table, like another, over files that
//! are there. `define` says what the table shall be, this module brings it to the log.

mod comments;
mod define;
mod drop;
mod like;
mod view;

pub(crate) use drop::dropped_table;
pub(crate) use like::like;
pub(crate) use view::view;

use crate::catalog::{Format, TableEntry};
use crate::clustering;
use crate::commit::{Operation, commit, metric, removes};
use crate::constraints::Rules;
use crate::definition;
use crate::insert::{assigned_rows, write_parquet, write_parquet_schema};
use crate::observe::Observer;
use crate::products::{From, Piece, WrittenFile};
use crate::resolve::latest;
use crate::sandbox::Context;
use crate::save;
use crate::write::{Destination, adds, total_rows, total_size, write_files};
use define::Definition;
use delta::actions::{Action, Metadata};
use delta::deletion_vector;
use delta::schema::StructType;
use delta::snapshot::Snapshot;
use query::{AssignKind, Plan, plan_query};
use serde_json::{Map, Value};
use spec::{CreateMode, CreateTable, Diagnostic, Provider, SaveMode, Span};

/// A table that was made, replaced or found.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    pub(crate) entry: TableEntry,
    /// Absent for plain Parquet, and where the table was there already.
    pub(crate) version: Option<u64>,
}

/// Creates a table, with the rows of a query where there is one.
///
/// # Errors
/// The name is taken; columns or properties that cannot be; the query fails; the store fails.
pub(crate) async fn table(
    context: &Context<'_>,
    create: &CreateTable,
    observer: &mut dyn Observer,
) -> Result<Made, Diagnostic> {
    let told = Told::as_sql(operation_name(create));
    brought(context, create, told, observer).await
}

/// The same for the rows of a data frame: `write` says that the log tells of a write, and of which mode.
///
/// # Errors
/// As [`table`].
pub(crate) async fn saved(
    context: &Context<'_>,
    create: &CreateTable,
    write: Option<SaveMode>,
    observer: &mut dyn Observer,
) -> Result<Made, Diagnostic> {
    let write = write.map(|mode| (mode, save::write_of_new(mode, &create.partitioned_by)));
    let replaces = write.is_none() && create.mode == CreateMode::CreateOrReplace;
    let told = Told { name: operation_name(create), saved: replaces, write };
    brought(context, create, told, observer).await
}

/// How the log tells of a new table.
struct Told {
    name: &'static str,
    /// As `mode("overwrite").saveAsTable` does.
    saved: bool,
    write: Option<(SaveMode, Map<String, Value>)>,
}

impl Told {
    /// As a statement of SQL tells.
    fn as_sql(name: &'static str) -> Self {
        Self { name, saved: false, write: None }
    }
}

async fn brought(
    context: &Context<'_>,
    create: &CreateTable,
    told: Told,
    observer: &mut dyn Observer,
) -> Result<Made, Diagnostic> {
    let mut entry = context.catalog.place(&create.name)?;
    if let Some(location) = &create.location {
        entry.root = location.trim_matches('/').to_owned();
    }
    let old = match existing(context, create, &entry).await? {
        Existing::Nothing => None,
        Existing::Keep(entry) => return Ok(Made { entry, version: None }),
        Existing::Replace(found, snapshot) => {
            entry = found;
            snapshot
        }
    };
    let plan = match &create.query {
        Some(query) => Some(plan_query(&context.session, &context.resolver(), query).await?),
        None => None,
    };
    let provider = match &create.provider {
        Provider::Default if context.settings.defaults_to_parquet() => &Provider::Parquet,
        Provider::Default => &Provider::Delta,
        given => given,
    };
    match provider {
        Provider::Delta | Provider::Default => {}
        Provider::Parquet => {
            let schema = define::schema(context, create, plan.as_ref(), &Default::default())?;
            return parquet(context, create, entry, schema, plan, told.saved).await;
        }
        Provider::Other(name) => {
            return Err(Diagnostic::unsupported(format!("USING {name}"), name.span)
                .with_hint("Write USING DELTA, or USING PARQUET for a table that is only read."));
        }
    }
    if create.location.is_some()
        && old.is_none()
        && let Some(there) = latest(context.env, &entry, create.name.span()).await?
    {
        define::same_as_there(context, create, &there)?;
        return Ok(Made { entry, version: None });
    }
    let definition = define::table(context, create, plan.as_ref(), old.as_ref()).await?;
    let work = Work { entry, old, definition, plan, told, span: create.name.span() };
    make(context, work, observer).await
}

/// All that is needed to bring a table to the log.
struct Work {
    entry: TableEntry,
    old: Option<Snapshot>,
    definition: Definition,
    plan: Option<Plan>,
    told: Told,
    span: Span,
}

async fn make(context: &Context<'_>, work: Work, observer: &mut dyn Observer) -> Result<Made, Diagnostic> {
    let Work { entry, old, definition, plan, told, span } = work;
    let Definition { schema, metadata, requested, clustered_by, is_managed } = definition;
    let old_protocol = old.as_ref().map(Snapshot::protocol);
    let protocol = definition::protocol(old_protocol, &metadata, &schema, &requested, span)?;
    let has_vectors = protocol.as_ref().or(old_protocol).is_some_and(deletion_vector::are_known);
    let written = match &plan {
        None => Vec::new(),
        Some(plan) => rows_of(context, plan, &entry.root, &schema, &metadata, has_vectors, span).await?,
    };
    let mut log = vec![Action::Metadata(metadata.clone())];
    log.extend(protocol.map(Action::Protocol));
    log.extend(clustering::domain(old.as_ref(), &schema, &clustered_by).map(Action::DomainMetadata));
    log.extend(adds(&written));
    let mut metrics = Vec::new();
    if plan.is_some() {
        // Without rows the reference's task still opens a file, which it counts and then leaves out.
        let n_files = if metadata.partition_columns.is_empty() { written.len().max(1) } else { written.len() };
        metrics.push(metric("numFiles", n_files));
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
    let reads_table = plan.is_some_and(|plan| plan.tables().iter().any(|table| table.identifier() == entry.name));
    let replaces = told.name == REPLACED_AS || matches!(told.write, Some((SaveMode::Overwrite, _)));
    if replaces && old.is_none() {
        metrics.push(metric("numRemovedFiles", 0));
        metrics.push(metric("numRemovedBytes", 0));
    }
    let (name, parameters) = match told.write {
        Some((_, parameters)) => ("WRITE", parameters),
        None => {
            let mut parameters = parameters(&metadata, &clustered_by, is_managed);
            if told.saved {
                parameters.insert("isV1SaveAsTableOverwrite".to_owned(), Value::Bool(true));
            }
            (told.name, parameters)
        }
    };
    let operation = Operation { name, parameters, metrics, reads_table: reads_table || replaces };
    let committed = commit(context.env, &entry.root, old.as_ref(), operation, log, observer).await?;
    Ok(Made { entry, version: Some(committed.version) })
}

/// What stands where the new table goes.
enum Existing {
    Nothing,
    /// It stays, by IF NOT EXISTS.
    Keep(TableEntry),
    /// It makes way; the snapshot is absent for plain Parquet.
    Replace(TableEntry, Option<Snapshot>),
}

async fn existing(context: &Context<'_>, create: &CreateTable, entry: &TableEntry) -> Result<Existing, Diagnostic> {
    let span = create.name.span();
    // Temp views hide tables when read, but do not stand in the way of a table.
    let known =
        context.catalog.tables().find(|known| known.schema == entry.schema && known.name == entry.name).cloned();
    let is_known = known.is_some();
    let found = known.unwrap_or_else(|| entry.clone());
    let snapshot = match found.format {
        // Files at a location of their own do not take the name.
        Format::Delta if !is_known && create.location.is_some() => None,
        Format::Delta => latest(context.env, &found, span).await?,
        Format::Parquet(_) => None,
    };
    let exists = snapshot.is_some() || matches!(found.format, Format::Parquet(_));
    match create.mode {
        CreateMode::Create if exists => {
            let message = format!("Cannot create the table `{}` because it already exists.", create.name);
            Err(Diagnostic::new("TABLE_OR_VIEW_ALREADY_EXISTS", "42P07", message, span)
                .with_hint("Choose another name, write CREATE OR REPLACE TABLE, or CREATE TABLE IF NOT EXISTS."))
        }
        CreateMode::IfNotExists if exists => Ok(Existing::Keep(found)),
        CreateMode::Replace if !exists => Err(context.catalog.not_found(&create.name)),
        _ if exists => Ok(Existing::Replace(found, snapshot)),
        _ => Ok(Existing::Nothing),
    }
}

/// The rows of the query as files of the new table.
async fn rows_of(
    context: &Context<'_>,
    plan: &Plan,
    root: &str,
    schema: &StructType,
    metadata: &Metadata,
    has_vectors: bool,
    span: Span,
) -> Result<Vec<WrittenFile>, Diagnostic> {
    let places: Vec<Option<usize>> = (0..schema.fields.len()).map(Some).collect();
    let rows = assigned_rows(context, plan, schema, &places, AssignKind::Insert, span).await?;
    let rules = Rules::load(context, metadata, schema, span).await?;
    let mut first = 0;
    let mut tasks = Vec::with_capacity(rows.tasks.len());
    for batches in rows.tasks {
        let mut pieces = Vec::with_capacity(batches.len());
        for batch in batches {
            let source = (first..first + batch.num_rows() as u64).collect();
            first += batch.num_rows() as u64;
            pieces.push(Piece { rows: rules.complete(&batch, &[])?, from: From::Inserted { clause: 0, source } });
        }
        tasks.push(pieces);
    }
    rules.check(tasks.iter().flatten())?;
    let partition_columns = &metadata.partition_columns;
    let destination =
        Destination { root, schema, partition_columns, metadata, has_vectors, with_changes: false, row_ids: None };
    write_files(context.env, &destination, tasks).await
}

async fn parquet(
    context: &Context<'_>,
    create: &CreateTable,
    entry: TableEntry,
    schema: StructType,
    plan: Option<Plan>,
    saved: bool,
) -> Result<Made, Diagnostic> {
    if let Some(column) = create.partitioned_by.first() {
        return Err(Diagnostic::unsupported("PARTITIONED BY on a plain Parquet table", column.span));
    }
    if let (CreateMode::Replace | CreateMode::CreateOrReplace, false) = (create.mode, saved) {
        let verb = if create.query.is_some() { "REPLACE TABLE AS SELECT" } else { "REPLACE TABLE" };
        let message =
            format!("The table `{}` is to be a plain Parquet table, which does not support {verb}.", create.name);
        return Err(Diagnostic::new("UNSUPPORTED_FEATURE.TABLE_OPERATION", "0A000", message, create.name.span())
            .with_hint("Write USING DELTA."));
    }
    let places: Vec<Option<usize>> = (0..schema.fields.len()).map(Some).collect();
    let rows = match plan {
        Some(plan) => {
            Some(assigned_rows(context, &plan, &schema, &places, AssignKind::Insert, create.name.span()).await?)
        }
        None => None,
    };
    if saved {
        // What `mode("overwrite").saveAsTable` replaces is dropped first.
        drop::files_below(context.env, &entry.root).await?;
    }
    write_parquet_schema(context, &entry.root, &schema).await?;
    if let Some(rows) = rows {
        write_parquet(context, &entry.root, &schema, rows).await?;
    }
    Ok(Made { entry: TableEntry { format: Format::Parquet(schema), ..entry }, version: None })
}

/// The operation that counts what it removes even where there was nothing.
const REPLACED_AS: &str = "CREATE OR REPLACE TABLE AS SELECT";

fn operation_name(create: &CreateTable) -> &'static str {
    match (create.mode, create.query.is_some()) {
        (CreateMode::Create | CreateMode::IfNotExists, false) => "CREATE TABLE",
        (CreateMode::Create | CreateMode::IfNotExists, true) => "CREATE TABLE AS SELECT",
        (CreateMode::Replace, false) => "REPLACE TABLE",
        (CreateMode::Replace, true) => "REPLACE TABLE AS SELECT",
        (CreateMode::CreateOrReplace, false) => "CREATE OR REPLACE TABLE",
        (CreateMode::CreateOrReplace, true) => REPLACED_AS,
    }
}

fn parameters(metadata: &Metadata, clustered_by: &[Vec<String>], is_managed: bool) -> Map<String, Value> {
    let text = |value: Value| Value::String(value.to_string());
    let columns = metadata.partition_columns.iter().cloned().map(Value::String).collect();
    let clusters = clustered_by.iter().map(|path| Value::String(path.join("."))).collect();
    let properties = metadata.configuration.iter().map(|(key, value)| (key.clone(), Value::String(value.clone())));
    Map::from_iter([
        ("partitionBy".to_owned(), text(Value::Array(columns))),
        ("clusterBy".to_owned(), text(Value::Array(clusters))),
        ("description".to_owned(), metadata.description.clone().map_or(Value::Null, Value::String)),
        ("isManaged".to_owned(), Value::String(is_managed.to_string())),
        ("properties".to_owned(), text(Value::Object(properties.collect()))),
    ])
}
