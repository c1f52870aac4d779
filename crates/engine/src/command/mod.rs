//! The statements around a table: OPTIMIZE, VACUUM, RESTORE, TRUNCATE and the SHOW family.

mod bins;
mod optimize;
mod report;
mod restore;
mod show;
mod truncate;
mod vacuum;
mod zorder;

pub(crate) use show::{all_properties, like, no_schema, refuse_view};

use crate::catalog::{Entry, Format, TableEntry};
use crate::observe::Observer;
use crate::resolve::latest;
use crate::sandbox::{Context, Outcome};
use delta::snapshot::Snapshot;
use spec::{Command, Diagnostic, Name};

/// Runs a command. `SET` and `RESET` belong to the sandbox itself.
///
/// # Errors
/// No such table; what each command refuses; the store failed.
pub(crate) async fn run(
    context: &Context<'_>,
    command: &Command,
    observer: &mut dyn Observer,
) -> Result<Outcome, Diagnostic> {
    let show = |table: &Name, rows| Outcome {
        kind: command.kind(),
        rows: Some(rows),
        version: None,
        table: Some(table.to_string()),
    };
    Ok(match command {
        Command::Optimize(optimize) => optimize::run(context, optimize, observer).await?,
        Command::Reorg { table, filter } => optimize::reorg(context, table, filter.as_ref(), observer).await?,
        Command::Vacuum(vacuum) => vacuum::run(context, vacuum, observer).await?,
        Command::Restore { table, to } => restore::run(context, table, to, observer).await?,
        Command::Truncate { table } => truncate::run(context, table, observer).await?,
        Command::ShowColumns { table } => show(table, show::columns(context, table).await?),
        Command::ShowCreateTable { table } => return Err(show::create_table(context, table)),
        Command::ShowProperties { table, key } => show(table, show::properties(context, table, key.as_deref()).await?),
        Command::ShowPartitions { table } => show(table, show::partitions(context, table).await?),
        Command::ShowViews { schema, pattern } => {
            let rows = show::views(context, schema.as_ref(), pattern.as_deref())?;
            Outcome { kind: command.kind(), rows: Some(rows), version: None, table: None }
        }
        Command::ShowSchemas { pattern } => {
            let rows = show::schemas(context, pattern.as_deref())?;
            Outcome { kind: command.kind(), rows: Some(rows), version: None, table: None }
        }
        Command::ShowSettings { .. } | Command::Reset { .. } => {
            return Err(Diagnostic::internal("the sandbox keeps its own settings"));
        }
    })
}

/// A Delta table as a command finds it: by its own name or path, at its newest version.
struct Subject {
    entry: TableEntry,
    snapshot: Snapshot,
}

/// Finds the Delta table of a command; views do not count.
async fn subject(context: &Context<'_>, name: &Name, command: &str) -> Result<Subject, Diagnostic> {
    let span = name.span();
    let entry = match context.catalog.find(name) {
        None => return Err(context.catalog.not_found(name)),
        // RESTORE has another word for it than the other commands.
        Some(Entry::View(_)) if command == "RESTORE" => return Err(delta_only(name, command)),
        Some(Entry::View(view)) => return Err(not_a_table(&view.name, command, name)),
        Some(Entry::Table(entry)) => entry,
    };
    if entry.format != Format::Delta {
        return Err(delta_only(name, command));
    }
    match latest(context.env, &entry, span).await? {
        Some(snapshot) => Ok(Subject { entry, snapshot }),
        None => Err(missing_table(&entry, name)),
    }
}

/// A path or a name that leads to no log.
pub(crate) fn missing_table(entry: &TableEntry, name: &Name) -> Diagnostic {
    let message = format!("There is no Delta table at `{}`.", entry.root);
    Diagnostic::new("DELTA_MISSING_DELTA_TABLE", "42P01", message, name.span())
        .with_hint("Check the path; SHOW TABLES lists the tables that have names.")
}

fn delta_only(name: &Name, command: &str) -> Diagnostic {
    let message = format!("`{name}` is no Delta table; {command} is only supported for Delta tables.");
    Diagnostic::new("DELTA_ONLY_OPERATION", "0AKDD", message, name.span())
        .with_hint("Copy it into one: CREATE TABLE … USING DELTA AS SELECT * FROM ….")
}

/// A view stands where a table should.
pub(crate) fn not_a_table(view: &str, command: &str, name: &Name) -> Diagnostic {
    let message = format!("{command} needs a table, but `{view}` is a view.");
    Diagnostic::new("EXPECT_TABLE_NOT_VIEW.NO_ALTERNATIVE", "42809", message, name.span())
        .with_hint("Name the table that the view reads.")
}
