//! INSERT INTO: bind, evaluate, write, commit.

mod columns;
mod fit;
mod source;

pub(crate) use fit::{Fit, Growth, fitted};

use crate::batch::positional;
use crate::catalog::{Entry, Format, TableEntry, parquet_schema_path};
use crate::change_files::write_changes;
use crate::changes;
use crate::commit::{Operation, commit, metric};
use crate::constraints::identity::{self, Counter};
use crate::constraints::{Rules, defaults};
use crate::failure;
use crate::observe::{ActionKind, ClauseInfo, ClauseKind, Event, Observer, TargetInfo};
use crate::overwrite::{self, Replaced};
use crate::products::{Actions, ChangeFile, From, Inserts, Piece, WrittenFile};
use crate::sandbox::Context;
use crate::save::{Manner, Saved, check_types};
use crate::target::{self, Target};
use crate::write::{Destination, total_rows, write_files};
use arrow::array::ArrayRef;
use arrow::record_batch::RecordBatch;
use delta::actions::{Action, Metadata, Txn};
use delta::parquet_io::write_file;
use delta::paths::data_file_name;
use delta::schema::StructType;
use query::{AssignKind, Bound, Column, Plan, Scope};
use serde_json::Value;
use spec::{Diagnostic, Insert, InsertMode, Span};
use std::sync::Arc;

/// What a statement that changes rows did.
#[derive(Debug, Clone)]
pub(crate) struct Done {
    pub(crate) n_rows: u64,
    pub(crate) version: Option<u64>,
    pub(crate) table: String,
}

/// Writes the rows of a query: beside those of the table, or in place of some or all of them.
///
/// # Errors
/// Columns that do not fit the table; values that do not fit their columns; the store failed.
pub(crate) async fn run(
    context: &Context<'_>,
    insert: &Insert,
    observer: &mut dyn Observer,
) -> Result<Done, Diagnostic> {
    if let Some(Entry::Table(entry)) = context.catalog.find(&insert.table.name)
        && let Format::Parquet(schema) = &entry.format
    {
        return into_parquet(context, insert, &entry, schema).await;
    }
    written(context, insert, &Manner::of_session(context), observer).await
}

/// The same for rows that are written in a manner of their own.
///
/// # Errors
/// As [`run`].
pub(crate) async fn written(
    context: &Context<'_>,
    insert: &Insert,
    manner: &Manner,
    observer: &mut dyn Observer,
) -> Result<Done, Diagnostic> {
    let mut target = target::resolve(context.env, context.catalog, &insert.table, "INSERT INTO").await?;
    let replaced = Replaced::of(context, insert, &target, manner.dynamic, manner.redefines).await?;
    let growth = Growth { evolves: manner.evolves, widens: target.widens() };
    let (fit, evolved) = if manner.redefines {
        let partition_by = manner.saved.as_ref().map(|saved| saved.partition_by.clone()).unwrap_or_default();
        let fit = fit::redefining(context, insert).await?;
        let redefined = target.redefined(context.env, &fit.schema, partition_by, insert.table.span)?;
        (fit, redefined)
    } else {
        let fit = fitted(context, insert, target.schema(), growth).await?;
        if manner.strict {
            check_types(target.schema(), fit.plan.columns(), insert.source.span)?;
        }
        let evolved = target.with_schema(context.env, &fit.schema)?;
        (fit, evolved)
    };
    let before = evolved.map(|evolved| std::mem::replace(&mut target, evolved).columns);
    let snapshot = &target.snapshot;
    tell_beginning(&target, &replaced, before.as_deref(), insert.source.span, observer);
    let inserting = (replaced.clauses().len() - 1) as u16;
    let rows = table_rows(context, insert, &fit, snapshot.metadata(), target.schema()).await?;
    replaced.check(context, &target, rows.tasks.iter().flatten())?;
    let hits = replaced.hits(context, &target, observer).await?;
    let by_clauses = |pieces: Vec<Piece>| pieces.into_iter().map(|piece| by_clause(piece, inserting)).collect();
    let inserts = Inserts { source: (0..rows.n_rows).collect(), clause: vec![inserting; rows.n_rows as usize] };
    let gone = hits.as_ref().map(|hits| hits.actions.clone()).unwrap_or_default();
    observer.on(Event::Classified(&Actions { inserts, ..gone }));
    let tasks: Vec<Vec<Piece>> = rows.tasks.into_iter().map(by_clauses).collect();
    let recorded = replaced.is_recorded(context, &target, hits.as_ref());
    let changed = if recorded { changes::inserted(&tasks)? } else { Vec::new() };
    let destination = Destination::of(snapshot).with_changes(recorded);
    let written = write_files(context.env, &destination, tasks).await?;
    let inserted = write_changes(context.env, &destination, changed).await?;
    let removal = replaced.removal(context, &target, hits.as_ref(), &written).await?;
    let all: Vec<WrittenFile> = written.iter().chain(&removal.kept).cloned().collect();
    if let Some(marked) = &removal.marked {
        observer.on(Event::Hidden { files: &marked.hidden });
    }
    observer.on(Event::Written { files: &all, removed: &removal.removed });
    let recorded: Vec<ChangeFile> = inserted.iter().chain(&removal.changes).cloned().collect();
    observer.on(Event::Recorded { files: &recorded });
    let n_rows = total_rows(&written);
    let mut metrics = replaced.metrics(&target, &written, &inserted, &removal);
    if manner.saved.as_ref().is_some_and(Saved::has_predicate) && matches!(replaced, Replaced::Nothing) {
        metrics.extend([metric("numAddedChangeFiles", 0), metric("numCopiedRows", 0)]);
    }
    let always = manner.saved.as_ref().is_some_and(Saved::always_commits);
    if before.is_none() && !always && overwrite::is_idle(&written, &removal) {
        observer.on(Event::Nothing { metrics: &metrics });
        return Ok(Done { n_rows, version: None, table: target.name() });
    }
    let reads_table = !matches!(replaced, Replaced::Nothing) || rows.reads.contains(&target.entry.name);
    let mut parameters = replaced.parameters();
    let (name, parameters) = match &manner.saved {
        Some(saved) => saved.operation(parameters, &target),
        None => {
            if growth.evolves {
                parameters.insert("canMergeSchema".to_owned(), Value::Bool(true));
            }
            ("WRITE", parameters)
        }
    };
    let operation = Operation { name, parameters, metrics, reads_table };
    let metadata = marked(snapshot.metadata(), rows.schema);
    let metadata = metadata.or_else(|| before.as_ref().map(|_| snapshot.metadata().clone()));
    let mut log: Vec<Action> = metadata.map(Action::Metadata).into_iter().collect();
    log.extend(manner.transaction.iter().map(|(app, version)| {
        let now = context.env.clock.now_ms();
        Action::Txn(Txn { app_id: app.clone(), version: *version, last_updated: Some(now) })
    }));
    log.extend(overwrite::log(context, &target, &written, &inserted, &removal));
    let committed = commit(context.env, snapshot.root(), Some(snapshot), operation, log, observer).await?;
    Ok(Done { n_rows, version: Some(committed.version), table: target.name() })
}

/// Appends to a plain Parquet table, which has no log.
async fn into_parquet(
    context: &Context<'_>,
    insert: &Insert,
    entry: &TableEntry,
    schema: &StructType,
) -> Result<Done, Diagnostic> {
    if insert.mode != InsertMode::Append {
        return Err(Diagnostic::unsupported("INSERT OVERWRITE of a plain Parquet table", insert.table.span));
    }
    let fit = fitted(context, insert, schema, Growth::default()).await?;
    let rows = assigned_rows(context, &fit.plan, schema, &fit.places, fit.kind, insert.source.span).await?;
    let n_rows = write_parquet(context, &entry.root, schema, rows).await?;
    Ok(Done { n_rows, version: None, table: entry.name.clone() })
}

/// Tells what is written to, how, and which columns are new.
fn tell_beginning(
    target: &Target,
    replaced: &Replaced,
    before: Option<&[Column]>,
    span: Span,
    observer: &mut dyn Observer,
) {
    let clause = |action: &ActionKind| ClauseInfo { kind: ClauseKind::Statement, action: *action, span };
    observer.on(Event::Begin {
        target: &TargetInfo {
            name: target.name(),
            operation: "WRITE",
            columns: target.columns.clone(),
            snapshot: target.snapshot.clone(),
        },
        clauses: &replaced.clauses().iter().map(clause).collect::<Vec<_>>(),
        condition: replaced.condition_span(),
    });
    if let Some(before) = before {
        let (added, changed) = target.columns_since(before);
        observer.on(Event::Evolves { added: &added, changed: &changed });
    }
}

/// New rows, told as the work of a clause.
fn by_clause(piece: Piece, clause: u16) -> Piece {
    match piece.from {
        From::Inserted { source, .. } => Piece { rows: piece.rows, from: From::Inserted { clause, source } },
        from => Piece { rows: piece.rows, from },
    }
}

/// The metadata with new high-water marks of identity columns.
pub(crate) fn marked(metadata: &Metadata, schema: Option<StructType>) -> Option<Metadata> {
    schema.map(|schema| Metadata { schema_string: schema.to_json(), ..metadata.clone() })
}

/// The final rows of an INSERT.
pub(crate) struct TableRows {
    /// By output task.
    pub(crate) tasks: Vec<Vec<Piece>>,
    pub(crate) n_rows: u64,
    /// The names of the tables they came from.
    pub(crate) reads: Vec<String>,
    /// The schema with new high-water marks, where identity values were handed out.
    pub(crate) schema: Option<StructType>,
}

/// Rows in the table's columns, and the names of the tables they came from.
pub(crate) struct NewRows {
    /// By output task: the branches of a UNION ALL are tasks of their own.
    pub(crate) tasks: Vec<Vec<RecordBatch>>,
    pub(crate) reads: Vec<String>,
}

/// Runs the query, casts its columns to the table's, and computes what the table computes itself: generated columns,
/// identity values. All rows are checked against the table's rules.
///
/// # Errors
/// Columns that do not fit the table; values that do not fit their columns; rows that break a rule.
pub(crate) async fn table_rows(
    context: &Context<'_>,
    insert: &Insert,
    fit: &Fit,
    metadata: &Metadata,
    schema: &StructType,
) -> Result<TableRows, Diagnostic> {
    let places = &fit.places;
    let span = insert.source.span;
    let rules = Rules::load(context, metadata, schema, span).await?;
    let left_out = |idx: &usize| places.get(*idx) == Some(&None);
    let compute: Vec<usize> = (0..places.len()).filter(left_out).filter(|idx| rules.is_generated(*idx)).collect();
    let numbered: Vec<usize> = (0..places.len())
        .filter(left_out)
        .filter(|idx| schema.fields.get(*idx).is_some_and(identity::is_identity))
        .collect();
    let rows = assigned_rows(context, &fit.plan, schema, places, fit.kind, span).await?;
    let mut counter = Counter::new(schema);
    let mut tasks = Vec::with_capacity(rows.tasks.len());
    let mut first = 0;
    for batches in rows.tasks {
        let mut pieces = Vec::with_capacity(batches.len());
        for batch in batches {
            let n_rows = batch.num_rows();
            let mut arrays = batch.columns().to_vec();
            for idx in &numbered {
                if let Some(array) = arrays.get_mut(*idx) {
                    *array = counter.next(*idx, n_rows)?;
                }
            }
            let source = (first..first + n_rows as u64).collect();
            first += n_rows as u64;
            let rows = rules.complete(&positional(arrays, n_rows)?, &compute)?;
            pieces.push(Piece { rows, from: From::Inserted { clause: 0, source } });
        }
        tasks.push(pieces);
    }
    rules.check(tasks.iter().flatten())?;
    Ok(TableRows { tasks, n_rows: first, reads: rows.reads, schema: counter.into_schema() })
}

/// For each table column the query column that fills it; `None` where its default does.
pub(crate) async fn assigned_rows(
    context: &Context<'_>,
    plan: &Plan,
    schema: &StructType,
    places: &[Option<usize>],
    kind: AssignKind,
    span: Span,
) -> Result<NewRows, Diagnostic> {
    let session = &context.session;
    let mut scope = Scope::new();
    scope.add(&[], plan.columns());
    let mut values = Vec::with_capacity(places.len());
    for (field, place) in schema.fields.iter().zip(places) {
        values.push(match place {
            Some(idx) => Bound::column(session, &scope, *idx)
                .ok_or_else(|| Diagnostic::internal("no such column"))?
                .assign(session, &field.data_type, kind)?,
            None => defaults::value(context, &scope, field, kind, span).await?,
        });
    }
    let assigned = |batch: RecordBatch| {
        let arrays = values.iter().map(|value| value.evaluate(&batch)).collect::<Result<Vec<ArrayRef>, _>>()?;
        positional(arrays, batch.num_rows())
    };
    let mut tasks = Vec::new();
    for branch in plan.collect_branches(session).await? {
        tasks.push(branch.into_iter().map(assigned).collect::<Result<Vec<_>, _>>()?);
    }
    let now = plan.tables().iter().filter(|table| !table.is_past());
    Ok(NewRows { tasks, reads: now.map(|table| table.identifier().to_owned()).collect() })
}

/// Adds a file of each task to a plain Parquet table.
pub(crate) async fn write_parquet(
    context: &Context<'_>,
    root: &str,
    schema: &StructType,
    rows: NewRows,
) -> Result<u64, Diagnostic> {
    let arrow_schema = schema.to_arrow();
    let mut n_written = 0;
    for (number, batches) in (0_u32..).zip(rows.tasks) {
        let n_rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
        // A table without rows has a file all the same: it holds the columns.
        if n_rows == 0 && number > 0 {
            continue;
        }
        let named = |batch: &RecordBatch| {
            RecordBatch::try_new(Arc::clone(&arrow_schema), batch.columns().to_vec()).map_err(Diagnostic::internal)
        };
        let batches = batches.iter().map(named).collect::<Result<Vec<_>, _>>()?;
        let file = write_file(schema, &batches).map_err(failure::of_store)?;
        let path = format!("{root}/{}", data_file_name(number, &context.env.names.uuid(), false));
        let now = context.env.clock.now_ms();
        context.env.storage.put(&path, file.bytes, now).await.map_err(|error| failure::of_store(error.into()))?;
        n_written += n_rows as u64;
    }
    Ok(n_written)
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
