//! A world of tables in which statements run one after the other.

mod frames;
mod relations;

pub use relations::RelationInfo;

use crate::catalog::{Catalog, Entry, TableEntry};
use crate::create::Made;
use crate::env::Env;
use crate::failure;
use crate::lens::{self, Condition, Seen};
use crate::observe::{Event, Observer, TargetInfo};
use crate::products::FileDecision;
use crate::resolve::Resolver;
use crate::settings::Settings;
use crate::{alter, command, create, delete, describe, insert, merge, save, update};
use arrow::array::{ArrayRef, Int64Array, StringArray};
use arrow::datatypes::{DataType as Arrow, Field, Schema};
use arrow::record_batch::RecordBatch;
use delta::schema::DataType;
use query::{Column, Session, plan_query};
use spec::{Command, Diagnostic, Name, Statement, StatementKind};
use std::sync::Arc;

/// Tables, views and settings, and the world they live in.
#[derive(Debug)]
pub struct Sandbox {
    env: Env,
    catalog: Catalog,
    settings: Settings,
}

/// What a statement did.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// `MERGE`, `SELECT`, `CREATE TABLE`, …
    pub kind: &'static str,
    /// Rows that the statement gives back.
    pub rows: Option<Rows>,
    /// The version that it committed.
    pub version: Option<u64>,
    /// The table that it was about, as a reader writes it.
    pub table: Option<String>,
}

/// A result: batches whose columns are `columns`, in order.
#[derive(Debug, Clone)]
pub struct Rows {
    pub columns: Vec<Column>,
    pub batches: Vec<RecordBatch>,
}

/// What every statement is given.
pub(crate) struct Context<'a> {
    pub(crate) env: &'a Env,
    pub(crate) catalog: &'a Catalog,
    pub(crate) settings: &'a Settings,
    pub(crate) session: Session,
    /// The text that spans point into.
    pub(crate) script: &'a str,
    started_ms: i64,
}

impl Context<'_> {
    pub(crate) fn resolver(&self) -> Resolver<'_> {
        Resolver { env: self.env, catalog: self.catalog, settings: self.settings }
    }

    /// Milliseconds since the statement began: 0 while the clock stands still.
    pub(crate) fn elapsed_ms(&self) -> i64 {
        self.env.clock.now_ms() - self.started_ms
    }

    /// What may stand before the columns of a table or view that is read by its own name.
    pub(crate) fn qualifier_of(&self, name: &Name) -> Vec<String> {
        match self.catalog.find(name) {
            Some(Entry::Table(entry)) => entry.qualifier(),
            _ => vec![name.last().to_owned()],
        }
    }
}

impl Sandbox {
    /// An empty sandbox.
    pub fn new(env: Env) -> Self {
        Self { env, catalog: Catalog::new(), settings: Settings::default() }
    }

    /// A sandbox over a store that may already hold tables.
    ///
    /// # Errors
    /// The store cannot be listed.
    pub async fn open(env: Env) -> Result<Self, Diagnostic> {
        let catalog = Catalog::discover(env.storage.as_ref()).await.map_err(failure::of_store)?;
        Ok(Self { env, catalog, settings: Settings::default() })
    }

    pub fn env(&self) -> &Env {
        &self.env
    }

    /// The tables that exist, by schema and name.
    pub fn tables(&self) -> Vec<TableEntry> {
        self.catalog.tables().cloned().collect()
    }

    /// The table of that name, if there is one; views do not count.
    pub fn table(&self, name: &Name) -> Option<TableEntry> {
        match self.catalog.find(name) {
            Some(Entry::Table(entry)) => Some(entry),
            _ => None,
        }
    }

    /// Makes a table known whose files somebody else put into the store.
    pub fn attach(&mut self, entry: TableEntry) {
        self.catalog.insert(entry);
    }

    /// Forgets a table; its files stay.
    pub fn detach(&mut self, entry: &TableEntry) {
        self.catalog.remove(entry);
    }

    /// Whether a table or view of that name can be read.
    pub fn knows(&self, name: &Name) -> bool {
        self.catalog.find(name).is_some()
    }

    /// Sets a session setting, as `SET key = value` does.
    ///
    /// # Errors
    /// A setting that is unknown here, or a value that it cannot have.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Diagnostic> {
        self.settings.set(key, value, spec::Span::default())
    }

    /// Runs one statement of `script`. A statement that fails commits nothing.
    ///
    /// # Errors
    /// Whatever is wrong with the statement, its rows or the store.
    pub async fn execute(
        &mut self,
        script: &str,
        statement: &Statement,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Diagnostic> {
        self.env.clock.next_statement();
        let result = self.dispatch(script, statement, observer).await;
        result.map_err(|problem| {
            let problem = problem.or_at(statement.span);
            observer.on(Event::Failed(&problem));
            problem
        })
    }

    /// What the conditions of a statement that ran are for every pair of rows.
    ///
    /// # Errors
    /// A name that is no longer what it was; a file that cannot be read.
    pub async fn conditions(
        &self,
        script: &str,
        statement: &Statement,
        seen: Seen<'_>,
    ) -> Result<Vec<Condition>, Diagnostic> {
        lens::conditions(&self.context(script), statement, seen).await
    }

    /// Per decision of a statement that ran: a conjunct that, joined to its condition by AND, would have skipped this file
    /// and no other that was read.
    pub async fn would_skip(
        &self,
        script: &str,
        statement: &Statement,
        target: &TargetInfo,
        decisions: &[FileDecision],
    ) -> Vec<Option<String>> {
        lens::would_skip(&self.context(script), statement, target, decisions).await
    }

    fn context<'a>(&'a self, script: &'a str) -> Context<'a> {
        let Self { env, catalog, settings } = self;
        let now_ms = env.clock.now_ms();
        let session = Session::new(now_ms.saturating_mul(1_000), &settings.expressions());
        Context { env, catalog, settings, session, script, started_ms: now_ms }
    }

    async fn dispatch(
        &mut self,
        script: &str,
        statement: &Statement,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Diagnostic> {
        let Self { env, catalog, settings } = self;
        let own_note = match &statement.kind {
            StatementKind::Save(save) => save.options.note.clone(),
            _ => None,
        };
        let env = &Env { note: own_note.or_else(|| settings.note()), ..env.clone() };
        let now_ms = env.clock.now_ms();
        let session = Session::new(now_ms.saturating_mul(1_000), &settings.expressions());
        let context = Context { env, catalog, settings, session, script, started_ms: now_ms };
        if let Some(outcome) = read(&context, &statement.kind).await? {
            return Ok(outcome);
        }
        if let Some(outcome) = write(&context, &statement.kind, observer).await? {
            return Ok(outcome);
        }
        match &statement.kind {
            StatementKind::CreateTable(statement) => {
                let made = create::table(&context, statement, observer).await?;
                Ok(created(catalog, made))
            }
            StatementKind::Save(statement) => {
                let made = save::run(&context, statement, observer).await?;
                Ok(Outcome { kind: "WRITE", ..created(catalog, made) })
            }
            StatementKind::CreateTableLike(statement) => {
                let made = create::like(&context, statement, observer).await?;
                Ok(created(catalog, made))
            }
            StatementKind::AlterTable(statement) => {
                let altered = alter::run(&context, statement, observer).await?;
                if let Some((old, new)) = altered.renamed {
                    catalog.remove(&old);
                    catalog.insert(new);
                }
                Ok(Outcome { kind: "ALTER TABLE", rows: None, version: altered.version, table: Some(altered.table) })
            }
            StatementKind::CommentOnTable { table, comment } => {
                let altered = alter::comment(&context, table, comment.as_deref(), observer).await?;
                let table = Some(altered.table);
                Ok(Outcome { kind: "COMMENT ON TABLE", rows: None, version: altered.version, table })
            }
            StatementKind::CreateView(statement) => {
                let view = create::view(&context, statement).await?;
                catalog.insert_view(view);
                Ok(nothing("CREATE VIEW"))
            }
            StatementKind::CreateSchema { name, if_not_exists } => {
                if !catalog.create_schema(name.last()) && !if_not_exists {
                    let message = format!("Cannot create the schema `{}` because it already exists.", name.last());
                    return Err(Diagnostic::new("SCHEMA_ALREADY_EXISTS", "42P06", message, name.span())
                        .with_hint("Write CREATE SCHEMA IF NOT EXISTS."));
                }
                Ok(nothing("CREATE SCHEMA"))
            }
            StatementKind::Use { name } => {
                if !catalog.use_schema(name.last()) {
                    let message = format!("The schema `{name}` cannot be found.");
                    return Err(Diagnostic::new("SCHEMA_NOT_FOUND", "42704", message, name.span()));
                }
                Ok(nothing("USE"))
            }
            StatementKind::DropTable { name, if_exists } => {
                let entry = create::dropped_table(&context, name, *if_exists).await?;
                if let Some(entry) = entry {
                    catalog.remove(&entry);
                }
                Ok(nothing("DROP TABLE"))
            }
            StatementKind::DropView { name, if_exists } => {
                if !catalog.remove_view(name) && !if_exists {
                    return Err(catalog.not_found(name));
                }
                Ok(nothing("DROP VIEW"))
            }
            StatementKind::Set { .. } | StatementKind::Command(_) => configure(settings, statement),
            other => Err(Diagnostic::internal(format!("nobody runs {other:?}"))),
        }
    }
}

/// The catalog knows the new table from now on.
fn created(catalog: &mut Catalog, made: Made) -> Outcome {
    let table = Some(made.entry.short_name());
    catalog.insert(made.entry);
    Outcome { kind: "CREATE TABLE", rows: None, version: made.version, table }
}

/// SET, in its forms that show and that change, and RESET.
fn configure(settings: &mut Settings, statement: &Statement) -> Result<Outcome, Diagnostic> {
    match &statement.kind {
        StatementKind::Set { key, value } => {
            settings.set(key, value, statement.span)?;
            Ok(Outcome { rows: Some(setting_rows(&[(key.as_str(), value.as_str())])?), ..nothing("SET") })
        }
        StatementKind::Command(Command::ShowSettings { key: None }) => {
            let all: Vec<(&str, &str)> = settings.all().collect();
            Ok(Outcome { rows: Some(setting_rows(&all)?), ..nothing("SET") })
        }
        StatementKind::Command(Command::ShowSettings { key: Some(key) }) => {
            let value = settings.shown(key).unwrap_or_else(|| "<undefined>".to_owned());
            Ok(Outcome { rows: Some(setting_rows(&[(key.as_str(), value.as_str())])?), ..nothing("SET") })
        }
        StatementKind::Command(Command::Reset { key }) => {
            match key {
                Some(key) => settings.reset(key),
                None => settings.reset_all(),
            }
            Ok(nothing("RESET"))
        }
        other => Err(Diagnostic::internal(format!("nobody runs {other:?}"))),
    }
}

/// Statements that only look.
async fn read(context: &Context<'_>, statement: &StatementKind) -> Result<Option<Outcome>, Diagnostic> {
    let (kind, rows, table) = match statement {
        StatementKind::Query(query) => {
            let plan = plan_query(&context.session, &context.resolver(), query).await?;
            let batches = plan.collect(&context.session).await?;
            ("SELECT", Rows { columns: plan.columns().to_vec(), batches }, None)
        }
        StatementKind::DescribeHistory { table, limit } => {
            ("DESCRIBE HISTORY", describe::history(context, table, *limit).await?, Some(table))
        }
        StatementKind::DescribeDetail { table } => {
            ("DESCRIBE DETAIL", describe::detail(context, table).await?, Some(table))
        }
        StatementKind::DescribeTable { table, extended } => {
            ("DESCRIBE TABLE", describe::table(context, table, *extended).await?, Some(table))
        }
        StatementKind::ShowTables { schema, pattern } => {
            ("SHOW TABLES", describe::tables(context, schema.as_ref(), pattern.as_deref())?, None)
        }
        _ => return Ok(None),
    };
    Ok(Some(Outcome { kind, rows: Some(rows), version: None, table: table.map(ToString::to_string) }))
}

/// Statements that change rows.
async fn write(
    context: &Context<'_>,
    statement: &StatementKind,
    observer: &mut dyn Observer,
) -> Result<Option<Outcome>, Diagnostic> {
    let outcome = match statement {
        StatementKind::Merge(statement) => {
            let merged = merge::run(context, statement, observer).await?;
            let counts = &merged.counts;
            let (updated, deleted) = (counts.updated(), counts.deleted());
            let affected = updated + deleted + counts.inserted;
            let rows = count_row(&[
                ("num_affected_rows", affected),
                ("num_updated_rows", updated),
                ("num_deleted_rows", deleted),
                ("num_inserted_rows", counts.inserted),
            ])?;
            Outcome { kind: "MERGE", rows: Some(rows), version: merged.version, table: Some(merged.table) }
        }
        StatementKind::Update(statement) => {
            let done = update::run(context, statement, observer).await?;
            let rows = count_row(&[("num_affected_rows", done.n_rows)])?;
            Outcome { kind: "UPDATE", rows: Some(rows), version: done.version, table: Some(done.table) }
        }
        StatementKind::Delete(statement) => {
            let done = delete::run(context, statement, observer).await?;
            let rows = count_row(&[("num_affected_rows", done.n_rows)])?;
            Outcome { kind: "DELETE", rows: Some(rows), version: done.version, table: Some(done.table) }
        }
        StatementKind::Insert(statement) => {
            let done = insert::run(context, statement, observer).await?;
            Outcome { kind: "INSERT", rows: None, version: done.version, table: Some(done.table) }
        }
        StatementKind::Command(Command::ShowSettings { .. } | Command::Reset { .. }) => return Ok(None),
        StatementKind::Command(command) => command::run(context, command, observer).await?,
        _ => return Ok(None),
    };
    Ok(Some(outcome))
}

fn nothing(kind: &'static str) -> Outcome {
    Outcome { kind, rows: None, version: None, table: None }
}

/// What `SET` shows.
fn setting_rows(settings: &[(&str, &str)]) -> Result<Rows, Diagnostic> {
    let text = |values: Vec<&str>| -> ArrayRef { Arc::new(StringArray::from(values)) };
    describe::rows(vec![
        describe::column("key", DataType::String, text(settings.iter().map(|(key, _)| *key).collect())),
        describe::column("value", DataType::String, text(settings.iter().map(|(_, value)| *value).collect())),
    ])
}

/// One row of BIGINT counts.
pub(crate) fn count_row(counts: &[(&str, u64)]) -> Result<Rows, Diagnostic> {
    let columns =
        counts.iter().map(|(name, _)| Column { name: (*name).to_owned(), data_type: DataType::Long, nullable: false });
    let fields: Vec<Field> = counts.iter().map(|(name, _)| Field::new(*name, Arrow::Int64, false)).collect();
    let values = counts.iter().map(|(_, count)| Arc::new(Int64Array::from(vec![*count as i64])) as ArrayRef).collect();
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), values).map_err(Diagnostic::internal)?;
    Ok(Rows { columns: columns.collect(), batches: vec![batch] })
}
