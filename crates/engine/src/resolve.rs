//! Names to tables and views, for queries.

use crate::catalog::{Catalog, Entry, Format, TableEntry};
use crate::env::Env;
use crate::failure;
use crate::missing;
use crate::table::{DeltaTable, ParquetTable, columns_of};
use async_trait::async_trait;
use delta::snapshot::{Snapshot, history};
use query::{At, Found};
use spec::{Diagnostic, Name, Span};
use std::sync::Arc;

/// Finds relations in a catalog and a store.
pub(crate) struct Resolver<'a> {
    pub(crate) env: &'a Env,
    pub(crate) catalog: &'a Catalog,
}

#[async_trait]
impl query::Catalog for Resolver<'_> {
    async fn relation(&self, name: &Name, at: Option<At>) -> Result<Found, Diagnostic> {
        let span = name.span();
        match self.catalog.find(name) {
            None => Err(self.catalog.not_found(name)),
            Some(Entry::View(view)) => {
                if at.is_some() {
                    let message = format!("`{name}` is a view; only tables have versions to travel to.");
                    return Err(Diagnostic::new("UNSUPPORTED_FEATURE.TIME_TRAVEL", "0A000", message, span));
                }
                Ok(Found::View { query: Box::new(view.query.clone()), columns: view.columns.clone() })
            }
            Some(Entry::Table(entry)) => self.table(entry, name, at).await,
        }
    }
}

impl Resolver<'_> {
    async fn table(&self, entry: TableEntry, name: &Name, at: Option<At>) -> Result<Found, Diagnostic> {
        let storage = Arc::clone(&self.env.storage);
        match (&entry.format, at) {
            (Format::Parquet(_), Some(_)) => {
                let message = format!("`{name}` is a plain Parquet table: without a log it has no versions.");
                Err(Diagnostic::new("UNSUPPORTED_FEATURE.TIME_TRAVEL", "0A000", message, name.span()))
            }
            (Format::Parquet(schema), None) => {
                let (schema, columns) = (schema.clone(), columns_of(schema));
                Ok(Found::Table(Arc::new(ParquetTable { entry, schema, columns, storage })))
            }
            (Format::Delta, at) => {
                let snapshot = snapshot_at(self.env, &entry, at, name.span()).await?;
                let Some(snapshot) = snapshot else {
                    return Err(missing::no_table(self.env, self.catalog, &entry, name).await);
                };
                let columns = columns_of(snapshot.schema());
                if columns.is_empty() {
                    return Err(missing::no_columns(name));
                }
                Ok(Found::Table(Arc::new(DeltaTable { name: entry.name, snapshot, columns, storage })))
            }
        }
    }
}

/// The table's state at a version or instant; the latest without. `None`: there is no table.
pub(crate) async fn snapshot_at(
    env: &Env,
    entry: &TableEntry,
    at: Option<At>,
    span: Span,
) -> Result<Option<Snapshot>, Diagnostic> {
    let version = match at {
        None => None,
        Some(At::Version(version)) => Some(version),
        Some(At::TimestampMicros(micros)) => Some(version_at(env, entry, micros, span).await?),
    };
    Snapshot::load(env.storage.as_ref(), &entry.root, version).await.map_err(|error| failure::of_table(error, span))
}

/// The last version committed at or before an instant.
async fn version_at(env: &Env, entry: &TableEntry, micros: i64, span: Span) -> Result<u64, Diagnostic> {
    let commits =
        history(env.storage.as_ref(), &entry.root, None).await.map_err(|error| failure::of_table(error, span))?;
    let found = commits.iter().find(|(_, info)| info.timestamp.saturating_mul(1_000) <= micros);
    match (found, commits.first()) {
        (Some((version, _)), Some((latest, info))) => {
            if version == latest && info.timestamp.saturating_mul(1_000) < micros {
                let message = "The timestamp lies after the last commit of the table.";
                return Err(Diagnostic::new("DELTA_TIMESTAMP_GREATER_THAN_COMMIT", "42816", message, span)
                    .with_hint(format!("The last commit is version {latest}; leave TIMESTAMP AS OF out to read it.")));
            }
            Ok(*version)
        }
        _ => {
            let message = "The timestamp lies before the first commit of the table that is still there.";
            Err(Diagnostic::new("DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION", "42816", message, span))
        }
    }
}
