//! Names to tables and views, for queries.

use crate::catalog::{Catalog, Entry, Format, TableEntry};
use crate::change_feed;
use crate::env::Env;
use crate::failure;
use crate::missing;
use crate::settings::Settings;
use crate::table::{DeltaTable, ParquetTable, columns_of};
use crate::travel;
use async_trait::async_trait;
use delta::snapshot::Snapshot;
use query::{At, FeedEnd, Found, Table};
use spec::{Diagnostic, Name, Span};
use std::sync::Arc;

/// Finds relations in a catalog and a store.
pub(crate) struct Resolver<'a> {
    pub(crate) env: &'a Env,
    pub(crate) catalog: &'a Catalog,
    pub(crate) settings: &'a Settings,
}

#[async_trait]
impl query::Catalog for Resolver<'_> {
    async fn relation(&self, name: &Name, at: Option<At>) -> Result<Found, Diagnostic> {
        let span = name.span();
        if let Some(rows) = self.catalog.rows(name) {
            return Ok(Found::Table(rows));
        }
        match self.catalog.find(name) {
            None => Err(self.catalog.not_found(name)),
            Some(Entry::View(view)) => {
                if at.is_some() {
                    let message = format!("`{name}` is a view; only tables have versions to travel to.");
                    return Err(Diagnostic::new("UNSUPPORTED_FEATURE.TIME_TRAVEL", "0A000", message, span));
                }
                Ok(Found::View {
                    query: Box::new(view.query.clone()),
                    columns: view.columns.clone(),
                    schema: view.schema.clone(),
                })
            }
            Some(Entry::Table(entry)) => self.table(entry, name, at).await,
        }
    }

    async fn changes(&self, name: &Name, from: FeedEnd, to: Option<FeedEnd>) -> Result<Arc<dyn Table>, Diagnostic> {
        change_feed::table(self, name, from, to).await
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
                let schema = schema.clone();
                Ok(Found::Table(Arc::new(ParquetTable::open(entry, schema, storage).await?)))
            }
            (Format::Delta, at) => {
                let span = name.span();
                let mut past = at.is_some();
                if past && travel::split_suffix(&entry).is_some() {
                    let message = format!("`{name}` names a version, and so does the clause behind it.");
                    let condition = "DELTA_UNSUPPORTED_TIME_TRAVEL_MULTIPLE_FORMATS";
                    return Err(Diagnostic::new(condition, "42613", message, span));
                }
                let snapshot = match at {
                    None => latest(self.env, &entry, span).await?,
                    Some(at) => travel::snapshot_at(self.env, self.settings, &entry, at, span).await?,
                };
                let snapshot = match (snapshot, travel::split_suffix(&entry)) {
                    (None, Some((entry, at))) => {
                        past = true;
                        travel::snapshot_at(self.env, self.settings, &entry, at, span).await?
                    }
                    (found, _) => found,
                };
                let Some(snapshot) = snapshot else {
                    return Err(missing::no_table(self.env, self.catalog, &entry, name).await);
                };
                let columns = columns_of(snapshot.schema());
                if columns.is_empty() {
                    return Err(missing::no_columns(name));
                }
                Ok(Found::Table(Arc::new(DeltaTable { name: entry.name, snapshot, columns, storage, past })))
            }
        }
    }
}

/// The table's newest state. `None`: there is no table.
///
/// # Errors
/// The log cannot be read.
pub(crate) async fn latest(env: &Env, entry: &TableEntry, span: Span) -> Result<Option<Snapshot>, Diagnostic> {
    Snapshot::load(env.storage.as_ref(), &entry.root, None).await.map_err(|error| failure::of_table(error, span))
}
