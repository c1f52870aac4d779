//! INSERT INTO: bind, evaluate, write, commit.

use crate::batch::positional;
use crate::catalog::{Entry, Format, TableEntry, parquet_schema_path};
use crate::commit::{Operation, commit, metric};
use crate::failure;
use crate::observe::{ActionKind, ClauseInfo, ClauseKind, Event, Observer, TargetInfo};
use crate::products::{Actions, From, Inserts, Piece};
use crate::sandbox::Context;
use crate::table::columns_of;
use crate::target;
use crate::write::{Destination, adds, total_rows, total_size, write_files};
use arrow::array::ArrayRef;
use arrow::record_batch::RecordBatch;
use delta::parquet_io::write_file;
use delta::paths::data_file_name;
use delta::schema::StructType;
use query::{AssignKind, Bound, Column, Plan, Scope, plan_query};
use serde_json::{Map, Value};
use spec::{Diagnostic, Insert, InsertMode, Literal, Span};

/// What a statement that changes rows did.
#[derive(Debug, Clone)]
pub(crate) struct Done {
    pub(crate) n_rows: u64,
    pub(crate) version: Option<u64>,
    pub(crate) table: String,
}

/// Appends the rows of a query.
///
/// # Errors
/// Columns that do not fit the table; values that do not fit their columns; the store failed.
pub(crate) async fn run(
    context: &Context<'_>,
    insert: &Insert,
    observer: &mut dyn Observer,
) -> Result<Done, Diagnostic> {
    match &insert.mode {
        InsertMode::Append => {}
        InsertMode::Overwrite => return Err(Diagnostic::unsupported("INSERT OVERWRITE", insert.table.span)),
        InsertMode::ReplaceWhere(_) => {
            return Err(Diagnostic::unsupported("INSERT … REPLACE WHERE", insert.table.span));
        }
    }
    if let Some(Entry::Table(TableEntry { format: Format::Parquet(schema), root, name, .. })) =
        context.catalog.find(&insert.table.name)
    {
        let rows = new_rows(context, insert, &schema).await?;
        let n_rows = write_parquet(context, &root, &schema, rows).await?;
        return Ok(Done { n_rows, version: None, table: name });
    }
    let target = target::resolve(context.env, context.catalog, &insert.table, "INSERT INTO").await?;
    let snapshot = &target.snapshot;
    observer.on(Event::Begin {
        target: &TargetInfo {
            name: target.name(),
            operation: "WRITE",
            columns: target.columns.clone(),
            snapshot: snapshot.clone(),
        },
        clauses: &[ClauseInfo { kind: ClauseKind::Statement, action: ActionKind::Insert, span: insert.source.span }],
        condition: None,
    });
    let rows = new_rows(context, insert, target.schema()).await?;
    let mut first = 0;
    let mut pieces = Vec::with_capacity(rows.batches.len());
    for batch in rows.batches {
        let source = (first..first + batch.num_rows() as u64).collect();
        first += batch.num_rows() as u64;
        pieces.push(Piece { rows: batch, from: From::Inserted { clause: 0, source } });
    }
    let inserts = Inserts { source: (0..first).collect(), clause: vec![0; first as usize] };
    observer.on(Event::Classified(&Actions { inserts, ..Actions::default() }));
    let written = write_files(context.env, &Destination::of(snapshot), vec![pieces]).await?;
    observer.on(Event::Written { files: &written, removed: &[] });
    let n_rows = total_rows(&written);
    let operation = Operation {
        name: "WRITE",
        parameters: Map::from_iter([
            ("mode".to_owned(), Value::String("Append".into())),
            ("partitionBy".to_owned(), Value::String("[]".into())),
        ]),
        metrics: vec![
            metric("numFiles", written.len()),
            metric("numOutputRows", n_rows),
            metric("numOutputBytes", total_size(&written)),
        ],
        reads_table: rows.reads.contains(&target.entry.name),
    };
    let log = adds(&written).collect();
    let committed = commit(context.env, snapshot.root(), Some(snapshot), operation, log, observer).await?;
    Ok(Done { n_rows, version: Some(committed.version), table: target.name() })
}

/// Rows in the table's columns, and the names of the tables they came from.
pub(crate) struct NewRows {
    pub(crate) batches: Vec<RecordBatch>,
    pub(crate) reads: Vec<String>,
}

/// Plans the query and casts its columns to the table's.
async fn new_rows(context: &Context<'_>, insert: &Insert, schema: &StructType) -> Result<NewRows, Diagnostic> {
    let plan = plan_query(&context.session, &context.resolver(), &insert.source).await?;
    let places = places(insert, schema, &plan)?;
    assigned_rows(context, &plan, &columns_of(schema), &places, insert.source.span).await
}

/// For each table column the query column that fills it; `None` where NULL does.
pub(crate) async fn assigned_rows(
    context: &Context<'_>,
    plan: &Plan,
    columns: &[Column],
    places: &[Option<usize>],
    span: Span,
) -> Result<NewRows, Diagnostic> {
    let session = &context.session;
    let mut scope = Scope::new();
    scope.add(&[], plan.columns());
    let value = |(column, place): (&Column, &Option<usize>)| {
        let bound = match place {
            Some(idx) => Bound::column(session, &scope, *idx).ok_or_else(|| Diagnostic::internal("no such column"))?,
            None => Bound::literal(session, &scope, &Literal::Null, span),
        };
        bound.assign(session, &column.data_type, AssignKind::Insert)
    };
    let values = columns.iter().zip(places).map(value).collect::<Result<Vec<_>, _>>()?;
    let mut batches = Vec::new();
    for batch in plan.collect(session).await? {
        let arrays = values.iter().map(|value| value.evaluate(&batch)).collect::<Result<Vec<ArrayRef>, _>>()?;
        batches.push(positional(arrays, batch.num_rows())?);
    }
    Ok(NewRows { batches, reads: plan.tables().iter().map(|table| table.identifier().to_owned()).collect() })
}

/// Which query column fills which table column.
fn places(insert: &Insert, schema: &StructType, plan: &Plan) -> Result<Vec<Option<usize>>, Diagnostic> {
    let given = plan.columns();
    let fields = &schema.fields;
    let table = &insert.table.name;
    let span = insert.source.span;
    if insert.by_name {
        let place = |field: &delta::schema::StructField| {
            given.iter().position(|column| column.name.to_lowercase() == field.name.to_lowercase())
        };
        let places: Vec<Option<usize>> = fields.iter().map(place).collect();
        if let Some(extra) = (0..given.len()).find(|idx| !places.contains(&Some(*idx))) {
            return Err(schema_mismatch(table, &given[extra].name, span));
        }
        return Ok(places);
    }
    if !insert.columns.is_empty() {
        let mut places = vec![None; fields.len()];
        for (from, column) in insert.columns.iter().enumerate() {
            let Some(to) = fields.iter().position(|field| column.is(&field.name)) else {
                let names = fields.iter().map(|field| format!("`{}`", field.name)).collect::<Vec<_>>().join(", ");
                let message = format!("A column with the name `{column}` cannot be resolved. The table has: {names}.");
                return Err(Diagnostic::new("UNRESOLVED_COLUMN.WITH_SUGGESTION", "42703", message, column.span));
            };
            if places[to].is_some() {
                let message = format!("The column `{column}` is named twice.");
                return Err(Diagnostic::new("COLUMN_ALREADY_EXISTS", "42711", message, column.span));
            }
            places[to] = Some(from);
        }
        if insert.columns.len() != given.len() {
            let kind = if given.len() > insert.columns.len() { "TOO_MANY" } else { "NOT_ENOUGH" };
            let message = format!(
                "Cannot write to `{table}`: {} columns are named, but the data has {}.",
                insert.columns.len(),
                given.len()
            );
            let condition = format!("INSERT_COLUMN_ARITY_MISMATCH.{kind}_DATA_COLUMNS");
            return Err(Diagnostic::new(condition, "21S01", message, span));
        }
        if let Some(missing) = fields.iter().zip(&places).find(|(field, place)| !field.nullable && place.is_none()) {
            let message = format!("Column `{}` of `{table}` is NOT NULL and has no value.", missing.0.name);
            return Err(Diagnostic::new("DELTA_INSERT_COLUMN_MISMATCH", "42802", message, span));
        }
        return Ok(places);
    }
    if given.len() > fields.len() {
        return Err(schema_mismatch(table, &given[fields.len()].name, span));
    }
    if given.len() < fields.len() {
        let message =
            format!("Cannot write to `{table}`: it has {} columns, but the data has {}.", fields.len(), given.len());
        return Err(Diagnostic::new("DELTA_INSERT_COLUMN_ARITY_MISMATCH", "42802", message, span)
            .with_hint("Name the columns you fill: INSERT INTO table (a, b) …; the others become NULL."));
    }
    Ok((0..given.len()).map(Some).collect())
}

fn schema_mismatch(table: &spec::Name, column: &str, span: Span) -> Diagnostic {
    let message = format!("A schema mismatch was found when writing to `{table}`: it has no column for `{column}`.");
    Diagnostic::new("DELTA_METADATA_MISMATCH", "42KDG", message, span)
        .with_hint("The data has more columns than the table. Leave the column out, or add it to the table first.")
}

/// Adds one file to a plain Parquet table.
pub(crate) async fn write_parquet(
    context: &Context<'_>,
    root: &str,
    schema: &StructType,
    rows: NewRows,
) -> Result<u64, Diagnostic> {
    let arrow_schema = schema.to_arrow();
    let batches = rows.batches.iter().map(|batch| {
        RecordBatch::try_new(std::sync::Arc::clone(&arrow_schema), batch.columns().to_vec())
            .map_err(Diagnostic::internal)
    });
    let batches = batches.collect::<Result<Vec<_>, _>>()?;
    let file = write_file(schema, &batches).map_err(failure::of_store)?;
    let path = format!("{root}/{}", data_file_name(0, &context.env.names.uuid(), false));
    let now = context.env.clock.now_ms();
    context.env.storage.put(&path, file.bytes, now).await.map_err(|error| failure::of_store(error.into()))?;
    Ok(batches.iter().map(|batch| batch.num_rows() as u64).sum())
}

/// Remembers the columns of a plain Parquet table beside its files.
pub(crate) async fn write_parquet_schema(
    context: &Context<'_>,
    root: &str,
    schema: &StructType,
) -> Result<(), Diagnostic> {
    let bytes = schema.to_json().into_bytes().into();
    let now = context.env.clock.now_ms();
    context
        .env
        .storage
        .put(&parquet_schema_path(root), bytes, now)
        .await
        .map_err(|error| failure::of_store(error.into()))
}
