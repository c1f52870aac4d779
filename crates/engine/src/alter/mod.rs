//! ALTER TABLE and COMMENT ON TABLE: a new definition of the table, committed as metaData with whatever protocol it
//! needs. No data file is touched, but where column mapping is taken off or row tracking begins.

mod change_column;
mod cluster;
mod columns;
mod constraint;
mod place;
mod properties;
mod rename_drop;
mod rename_table;
mod tracking;
mod unmap;

use crate::catalog::{Entry, Format, TableEntry};
use crate::commit::{Operation, commit};
use crate::definition;
use crate::observe::Observer;
use crate::resolve::latest;
use crate::sandbox::Context;
use crate::settle::settled;
use delta::actions::{Action, DomainMetadata, Metadata};
use delta::features::Requested;
use delta::schema::StructType;
use delta::snapshot::Snapshot;
use serde_json::{Map, Value};
use spec::{AlterAction, AlterTable, Diagnostic, Name, Span};

/// What an ALTER TABLE did.
#[derive(Debug, Clone)]
pub(crate) struct Altered {
    /// Absent where nothing was committed.
    pub(crate) version: Option<u64>,
    pub(crate) table: String,
    /// The old and the new entry, where the table has a new name.
    pub(crate) renamed: Option<(TableEntry, TableEntry)>,
}

/// Runs an ALTER TABLE.
///
/// # Errors
/// Whatever the reference refuses about the change; the store failed.
pub(crate) async fn run(
    context: &Context<'_>,
    alter: &AlterTable,
    observer: &mut dyn Observer,
) -> Result<Altered, Diagnostic> {
    let table = Altering::open(context, &alter.table).await?;
    let draft = match &alter.action {
        AlterAction::AddColumns(columns) => columns::add(&table, columns)?,
        AlterAction::ReplaceColumns(columns) => columns::replace(&table, columns)?,
        AlterAction::ChangeColumn(change) => change_column::change(&table, change)?,
        AlterAction::RenameColumn { column, to } => rename_drop::rename(&table, column, to)?,
        AlterAction::DropColumns { columns, if_exists } => rename_drop::drop(&table, columns, *if_exists)?,
        AlterAction::AddConstraint { name, check } => constraint::add(&table, name, check).await?,
        AlterAction::DropConstraint { name, if_exists } => constraint::drop(&table, name, *if_exists)?,
        AlterAction::SetProperties(properties) => properties::set(&table, properties)?,
        AlterAction::UnsetProperties(keys) => properties::unset(&table, keys)?,
        AlterAction::ClusterBy(columns) => cluster::cluster_by(&table, columns)?,
        AlterAction::RenameTo(name) => return rename_table::rename(&table, name).await,
        AlterAction::DropFeature { feature, .. } => {
            return Err(Diagnostic::unsupported("DROP FEATURE", feature.span));
        }
        AlterAction::Partitions => {
            let message = format!("The partitions of `{}` follow from its rows; they cannot be managed.", alter.table);
            let condition = "INVALID_PARTITION_OPERATION.PARTITION_MANAGEMENT_IS_UNSUPPORTED";
            return Err(Diagnostic::new(condition, "42601", message, alter.table.span())
                .with_hint("INSERT makes a partition, DELETE empties one."));
        }
    };
    table.commit(draft, observer).await
}

/// Runs a COMMENT ON TABLE.
///
/// # Errors
/// There is no such Delta table; the store failed.
pub(crate) async fn comment(
    context: &Context<'_>,
    name: &Name,
    comment: Option<&str>,
    observer: &mut dyn Observer,
) -> Result<Altered, Diagnostic> {
    let table = Altering::open(context, name).await?;
    let draft = match comment {
        Some(comment) => properties::set(&table, &[("comment".to_owned(), comment.to_owned())])?,
        None => properties::unset(&table, &["comment".to_owned()])?,
    };
    table.commit(draft, observer).await
}

/// The table that is altered, as it is.
struct Altering<'a> {
    context: &'a Context<'a>,
    entry: TableEntry,
    snapshot: Snapshot,
    span: Span,
}

/// The table as it shall be, and what the commit says about it.
struct Draft {
    schema: StructType,
    metadata: Metadata,
    requested: Requested,
    operation: &'static str,
    parameters: Map<String, Value>,
    reads_table: bool,
    /// What the statement writes instead of metadata, unless the table needs another protocol.
    domain: Option<DomainMetadata>,
}

impl<'a> Altering<'a> {
    async fn open(context: &'a Context<'a>, name: &Name) -> Result<Self, Diagnostic> {
        let span = name.span();
        let entry = match context.catalog.find(name) {
            None => return Err(context.catalog.not_found(name)),
            Some(Entry::View(_)) => {
                let message = format!("`{name}` is a view; ALTER TABLE needs a table.");
                return Err(Diagnostic::new("EXPECT_TABLE_NOT_VIEW.NO_ALTERNATIVE", "42809", message, span)
                    .with_hint("Alter the table that the view reads."));
            }
            Some(Entry::Table(entry)) => entry,
        };
        if let Format::Parquet(_) = entry.format {
            return Err(Diagnostic::unsupported("ALTER TABLE of a plain Parquet table", span));
        }
        let snapshot = latest(context.env, &entry, span).await?;
        let snapshot = snapshot.ok_or_else(|| context.catalog.not_found(name))?;
        Ok(Self { context, entry, snapshot, span })
    }

    /// The definition as it is, under the name of an operation.
    fn draft(&self, operation: &'static str, parameters: Vec<(&str, Value)>) -> Draft {
        Draft {
            schema: self.snapshot.schema().clone(),
            metadata: self.snapshot.metadata().clone(),
            requested: Requested::default(),
            operation,
            parameters: parameters.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
            reads_table: false,
            domain: None,
        }
    }

    async fn commit(mut self, draft: Draft, observer: &mut dyn Observer) -> Result<Altered, Diagnostic> {
        if unmap::is_asked(self.snapshot.metadata(), &draft.metadata) {
            return unmap::run(self, draft, observer).await;
        }
        if tracking::is_asked(self.snapshot.metadata(), &draft.metadata) {
            self = tracking::begin(self, &draft).await?;
        }
        let mut metadata = draft.metadata;
        if draft.schema != *self.snapshot.schema() {
            metadata.schema_string = draft.schema.to_json();
        }
        let before = Some(self.snapshot.metadata());
        let (metadata, schema) = settled(self.context.env, metadata, draft.schema, before)?;
        let old = Some(self.snapshot.protocol());
        let protocol = definition::protocol(old, &metadata, &schema, &draft.requested, self.span)?;
        let mut log = Vec::new();
        if draft.domain.is_none() || protocol.is_some() {
            log.push(Action::Metadata(metadata));
        }
        log.extend(protocol.map(Action::Protocol));
        log.extend(draft.domain.map(Action::DomainMetadata));
        let operation = Operation {
            name: draft.operation,
            parameters: draft.parameters,
            metrics: Vec::new(),
            reads_table: draft.reads_table,
        };
        let root = &self.entry.root;
        let committed = commit(self.context.env, root, Some(&self.snapshot), operation, log, observer).await?;
        Ok(Altered { version: Some(committed.version), table: self.entry.short_name(), renamed: None })
    }
}

/// JSON inside text, as operation parameters hold it.
fn json_text(value: impl Into<Value>) -> Value {
    Value::String(value.into().to_string())
}
