//! Reading the change feed: `table_changes('t', from[, to])`.
//!
//! The range is settled and every commit in it looked at while the query is planned; data files are read when it runs.

mod compatible;
mod range;
mod scan;

use crate::catalog::{Entry, Format, TableEntry};
use crate::failure;
use crate::resolve::{Resolver, latest};
use crate::settings::FEED_PAST_THE_END;
use crate::table::columns_of;
use crate::travel::refuse_beyond_retention;
use delta::actions::Metadata;
use delta::change_feed::{CHANGE_TYPE, COMMIT_TIMESTAMP, COMMIT_VERSION, Commit, commits, is_enabled};
use delta::mapping::MappingMode;
use delta::schema::{DataType, StructType};
use delta::snapshot::Snapshot;
use query::{Column, FeedEnd, Table};
use range::{Asked, Range};
use scan::ChangeTable;
use spec::{Diagnostic, Name, Span};
use std::sync::Arc;

/// The changes of a range of versions as a table.
///
/// # Errors
/// No such table, or one without a log; versions that do not exist or have no feed; a schema that changed too much.
pub(crate) async fn table(
    resolver: &Resolver<'_>,
    name: &Name,
    from: FeedEnd,
    to: Option<FeedEnd>,
) -> Result<Arc<dyn Table>, Diagnostic> {
    let span = name.span();
    let entry = delta_table(resolver, name)?;
    let env = resolver.env;
    let Some(snapshot) = latest(env, &entry, span).await? else { return Err(no_table(resolver, &entry, name)) };
    let past_the_end = resolver.settings.is_on(FEED_PAST_THE_END);
    let asked = Asked { from, to, latest: snapshot.version(), past_the_end };
    let storage = Arc::clone(&env.storage);
    let versions = if asked.needs_times() {
        range::by_time(&asked, storage.as_ref(), &entry.root, span).await?
    } else {
        range::by_version(&asked, span)?
    };
    let (snapshot, commits) = match versions {
        None => (snapshot, Vec::new()),
        Some(range) => {
            let read_as = read_as(resolver, &snapshot, range, span).await?;
            let commits = checked(resolver, &snapshot, &read_as, range, span).await?;
            (read_as, commits)
        }
    };
    let columns = feed_columns(snapshot.schema());
    Ok(Arc::new(ChangeTable { name: entry.name, snapshot, columns, commits, storage }))
}

fn delta_table(resolver: &Resolver<'_>, name: &Name) -> Result<TableEntry, Diagnostic> {
    match resolver.catalog.find(name) {
        Some(Entry::Table(entry)) if entry.format == Format::Delta => Ok(entry),
        Some(_) => {
            let message = format!("`{name}` is no Delta table: only a Delta table has a change data feed.");
            Err(Diagnostic::new("DELTA_TABLE_ONLY_OPERATION", "0AKDD", message, name.span())
                .with_hint("Name the Delta table itself, with delta.enableChangeDataFeed switched on."))
        }
        None => Err(resolver.catalog.not_found(name)),
    }
}

fn no_table(resolver: &Resolver<'_>, entry: &TableEntry, name: &Name) -> Diagnostic {
    if !entry.is_path() {
        return resolver.catalog.not_found(name);
    }
    let message = format!("There is no Delta table at {}.", entry.root);
    Diagnostic::new("DELTA_MISSING_DELTA_TABLE", "42P01", message, name.span())
        .with_hint("Check the path; SHOW TABLES lists the tables that have names.")
}

/// The version whose columns the changes are read with: the latest; where columns may be renamed the end of the range.
async fn read_as(resolver: &Resolver<'_>, newest: &Snapshot, range: Range, span: Span) -> Result<Snapshot, Diagnostic> {
    if newest.mapping() == MappingMode::None {
        return Ok(newest.clone());
    }
    at(resolver, newest, range.to, span).await
}

async fn at(resolver: &Resolver<'_>, newest: &Snapshot, version: u64, span: Span) -> Result<Snapshot, Diagnostic> {
    let loaded = Snapshot::load(resolver.env.storage.as_ref(), newest.root(), Some(version)).await;
    let loaded = loaded.map_err(|error| failure::of_table(error, span))?;
    loaded.ok_or_else(|| Diagnostic::internal("the table is gone"))
}

/// The commits of the range, if each has a feed that can be read with the columns of `read_as`.
async fn checked(
    resolver: &Resolver<'_>,
    newest: &Snapshot,
    read_as: &Snapshot,
    range: Range,
    span: Span,
) -> Result<Vec<Commit>, Diagnostic> {
    let start = at(resolver, newest, range.from, span).await?;
    refuse_beyond_retention(resolver.env, resolver.settings, newest, &start, span)?;
    let found = commits(resolver.env.storage.as_ref(), newest.root(), range.from, range.to).await;
    let found = found.map_err(|error| failure::of_table(error, span))?;
    if !is_enabled(start.metadata()) {
        return Err(missing(range.from, range, span));
    }
    for commit in &found {
        let Some(metadata) = commit.metadata() else { continue };
        if !is_enabled(metadata) {
            return Err(missing(commit.version, range, span));
        }
        if !compatible::can_read(&schema_of(metadata, span)?, read_as.schema()) {
            return Err(incompatible("DELTA_CHANGE_DATA_FEED_INCOMPATIBLE_SCHEMA_CHANGE", commit.version, range, span));
        }
    }
    if !compatible::can_read(start.schema(), read_as.schema()) {
        return Err(incompatible("DELTA_CHANGE_DATA_FEED_INCOMPATIBLE_DATA_SCHEMA", range.from, range, span));
    }
    Ok(found)
}

fn schema_of(metadata: &Metadata, span: Span) -> Result<StructType, Diagnostic> {
    match metadata.schema_string.as_str() {
        "" => Ok(StructType::default()),
        text => StructType::from_json(text).map_err(|error| failure::of_table(error, span)),
    }
}

fn missing(version: u64, range: Range, span: Span) -> Diagnostic {
    let message = format!(
        "The changes of versions {} to {} cannot be read: version {version} did not record change data.",
        range.from, range.to
    );
    Diagnostic::new("DELTA_MISSING_CHANGE_DATA", "KD002", message, span).with_hint(
        "The feed begins with the version that sets delta.enableChangeDataFeed = true; ask from the one after it.",
    )
}

fn incompatible(condition: &str, version: u64, range: Range, span: Span) -> Diagnostic {
    let message = format!(
        "The changes of versions {} to {} cannot be read with one set of columns: those of version {version} differ by more than columns that were added.",
        range.from, range.to
    );
    Diagnostic::new(condition, "0AKDC", message, span)
        .with_hint("Read the versions before and after the change of columns apart.")
}

/// The table's columns and the feed's own.
fn feed_columns(schema: &StructType) -> Vec<Column> {
    let own =
        [(CHANGE_TYPE, DataType::String), (COMMIT_VERSION, DataType::Long), (COMMIT_TIMESTAMP, DataType::Timestamp)];
    let own = own.map(|(name, data_type)| Column { name: name.to_owned(), data_type, nullable: true });
    columns_of(schema).into_iter().chain(own).collect()
}
