//! The table that a statement writes to.

use crate::catalog::{Catalog, Entry, Format, TableEntry, ViewEntry};
use crate::env::Env;
use crate::resolve::latest;
use crate::settle::settled;
use crate::table::columns_of;
use delta::actions::Metadata;
use delta::features::{supported, switched_on};
use delta::properties::is_on;
use delta::schema::StructType;
use delta::schema::widening::with_type_changes;
use delta::snapshot::Snapshot;
use query::Column;
use spec::{Diagnostic, ExprKind, GroupBy, Name, Query, QueryBody, Relation, Select, SelectItem, Span, TableTarget};

/// A Delta table, pinned at the snapshot that the statement reads.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) entry: TableEntry,
    pub(crate) snapshot: Snapshot,
    pub(crate) columns: Vec<Column>,
    /// What may stand before its column names, outermost part first.
    pub(crate) qualifier: Vec<String>,
}

impl Target {
    pub(crate) fn schema(&self) -> &StructType {
        self.snapshot.schema()
    }

    /// The same table with these columns; `None` where it has them already. Changes of types are noted in the schema where
    /// the table widens types.
    ///
    /// # Errors
    /// As [`settled`]; a column that needs a feature which the table does not have.
    pub(crate) fn with_schema(&self, env: &Env, schema: &StructType) -> Result<Option<Self>, Diagnostic> {
        if schema == self.schema() {
            return Ok(None);
        }
        let old = self.snapshot.metadata();
        let schema = if self.widens() { with_type_changes(schema, self.schema()) } else { schema.clone() };
        let metadata = Metadata { schema_string: schema.to_json(), ..old.clone() };
        let (metadata, schema) = settled(env, metadata, schema, Some(old))?;
        let (has, had) = (supported(self.snapshot.protocol()), switched_on(old, self.schema()));
        let is_lacking = |name: &&str| !has.contains(*name) && !had.contains(name);
        let lacks: Vec<&str> = switched_on(&metadata, &schema).into_iter().filter(is_lacking).collect();
        if !lacks.is_empty() {
            let lacks = lacks.join(", ");
            let message = format!("The new columns require manually enablement of the table feature(s): {lacks}.");
            return Err(Diagnostic::new("DELTA_FEATURES_REQUIRE_MANUAL_ENABLEMENT", "42000", message, None)
                .with_hint("ALTER TABLE … SET TBLPROPERTIES ('delta.feature.<name>' = 'supported') enables one."));
        }
        let columns = columns_of(&schema);
        Ok(Some(Self { snapshot: self.snapshot.with_definition(metadata, schema), columns, ..self.clone() }))
    }

    /// The same table with these columns and this partitioning in place of its own; `None` where it has them already.
    ///
    /// # Errors
    /// As [`Self::with_schema`]; a partition column that is none of the columns.
    pub(crate) fn redefined(
        &self,
        env: &Env,
        schema: &StructType,
        partition_by: Vec<String>,
        span: Span,
    ) -> Result<Option<Self>, Diagnostic> {
        let old = self.snapshot.metadata();
        if schema == self.schema() && partition_by == old.partition_columns {
            return Ok(None);
        }
        let mut partition_columns = Vec::with_capacity(partition_by.len());
        for name in partition_by {
            let Some(field) = schema.field(&name) else {
                let message = format!("Partition column `{name}` not found in the data.");
                return Err(Diagnostic::new("DELTA_PARTITION_COLUMN_NOT_FOUND", "42703", message, span));
            };
            partition_columns.push(field.name.clone());
        }
        let metadata = Metadata { schema_string: schema.to_json(), partition_columns, ..old.clone() };
        let (metadata, schema) = settled(env, metadata, schema.clone(), Some(old))?;
        let columns = columns_of(&schema);
        Ok(Some(Self { snapshot: self.snapshot.with_definition(metadata, schema), columns, ..self.clone() }))
    }

    /// The columns that this target has and `before` lacks, and those whose type is another one.
    pub(crate) fn columns_since(&self, before: &[Column]) -> (Vec<String>, Vec<String>) {
        let added = self.columns.iter().skip(before.len()).map(|column| column.name.clone());
        let changed = self.columns.iter().zip(before).filter(|(new, old)| new.data_type != old.data_type);
        (added.collect(), changed.map(|(new, _)| new.name.clone()).collect())
    }

    /// Whether new data may widen the types of columns.
    pub(crate) fn widens(&self) -> bool {
        is_on(self.snapshot.metadata(), "delta.enableTypeWidening")
    }

    /// As a reader writes it.
    pub(crate) fn name(&self) -> String {
        self.entry.short_name()
    }
}

/// Finds the Delta table behind a name, through plain views.
///
/// # Errors
/// No such table; a table without a log; a view that is not the table as it is. `operation` is
/// `MERGE INTO`, `UPDATE`, `DELETE` or `INSERT`.
pub(crate) async fn resolve(
    env: &Env,
    catalog: &Catalog,
    target: &TableTarget,
    operation: &str,
) -> Result<Target, Diagnostic> {
    let span = target.span;
    let (entry, alias) = match catalog.find(&target.name) {
        None => return Err(catalog.not_found(&target.name)),
        Some(Entry::Table(entry)) => {
            let qualifier = entry.qualifier();
            (entry, qualifier)
        }
        Some(Entry::View(view)) => (behind(env, catalog, view, operation, span).await?, vec![view.name.clone()]),
    };
    if let Format::Parquet(_) = entry.format {
        let message = format!("{operation} TABLE is not supported temporarily.");
        return Err(Diagnostic::new("_LEGACY_ERROR_TEMP_2096", "", message, span).with_hint(format!(
            "`{}` is a plain Parquet table without a log. Only Delta tables can be changed in place.",
            target.name
        )));
    }
    let snapshot = latest(env, &entry, span).await?.ok_or_else(|| catalog.not_found(&target.name))?;
    let columns = columns_of(snapshot.schema());
    let qualifier = target.alias.as_ref().map_or(alias, |alias| vec![alias.value.clone()]);
    Ok(Target { entry, snapshot, columns, qualifier })
}

/// The table that a view shows unchanged.
async fn behind(
    env: &Env,
    catalog: &Catalog,
    view: &ViewEntry,
    operation: &str,
    span: Span,
) -> Result<TableEntry, Diagnostic> {
    let mut view = view;
    // Views cannot refer to themselves: each is created after those it reads. The bound is a guard.
    for _ in 0..64 {
        let name = match shape(&view.query) {
            Shape::Projection(name) => name,
            Shape::Filter => return Err(partial_scan(view, span)),
            Shape::Other => return Err(unsupported_source(view, operation, span)),
        };
        match catalog.find(name) {
            None => return Err(catalog.not_found(name)),
            Some(Entry::View(inner)) => view = inner,
            Some(Entry::Table(entry)) => {
                let snapshot = latest(env, &entry, span).await?.ok_or_else(|| catalog.not_found(name))?;
                let same = same_columns(view, snapshot.schema(), span);
                // The reference lets UPDATE and DELETE pass, and puts what the view shows into the table's columns.
                // Only where there is no file to rewrite does that do no harm.
                let harmless = operation != "MERGE INTO" && snapshot.files().is_empty();
                return if harmless { Ok(entry) } else { same.map(|()| entry) };
            }
        }
    }
    Err(unsupported_source(view, operation, span))
}

/// What a view does to the relation it reads.
enum Shape<'a> {
    /// Columns only.
    Projection(&'a Name),
    Filter,
    Other,
}

fn shape(query: &Query) -> Shape<'_> {
    let QueryBody::Select(select) = &query.body else { return Shape::Other };
    let plain = query.ctes.is_empty()
        && query.order_by.is_empty()
        && query.limit.is_none()
        && query.offset.is_none()
        && !select.distinct
        && select.having.is_none()
        && select.lateral_views.is_empty()
        && matches!(select.group_by, GroupBy::None);
    match select.from.as_slice() {
        [Relation::Table { name, time_travel: None, .. }] if plain && select.filter.is_none() => {
            Shape::Projection(name)
        }
        [Relation::Table { time_travel: None, .. }] if plain => Shape::Filter,
        _ => Shape::Other,
    }
}

/// Whether the view shows all columns of the table, in order, under their own names.
fn same_columns(view: &ViewEntry, schema: &StructType, span: Span) -> Result<(), Diagnostic> {
    let QueryBody::Select(select) = &view.query.body else { return Err(schema_change(view, span)) };
    let renamed = || {
        let message =
            format!("The view `{}` shows the columns of its table in another order or under other names.", view.name);
        Diagnostic::new("MISSING_ATTRIBUTES.RESOLVED_ATTRIBUTE_MISSING_FROM_INPUT", "XX000", message, span)
            .with_hint("Write to the table itself.")
    };
    let Some(shown) = shown_columns(select) else { return Err(schema_change(view, span)) };
    if !view.columns.is_empty() {
        let own = view.columns.len() == schema.fields.len()
            && view.columns.iter().zip(&schema.fields).all(|(c, f)| c.is(&f.name));
        return if own { Ok(()) } else { Err(renamed()) };
    }
    let Some(shown) = shown else { return Ok(()) };
    if shown.len() != schema.fields.len() {
        return Err(schema_change(view, span));
    }
    let same = shown.iter().zip(&schema.fields).all(|(shown, field)| *shown == field.name.to_lowercase());
    if same { Ok(()) } else { Err(renamed()) }
}

/// The names of a view's columns; `Some(None)` for `*`; `None` where one of them is computed.
fn shown_columns(select: &Select) -> Option<Option<Vec<String>>> {
    if let [SelectItem::Star { except, .. }] = select.items.as_slice() {
        return except.is_empty().then_some(None);
    }
    let mut names = Vec::new();
    for item in &select.items {
        let SelectItem::Expr { expr, alias } = item else { return None };
        let ExprKind::Column(name) = &expr.kind else { return None };
        names.push(alias.first().map_or_else(|| name.last().to_lowercase(), |alias| alias.value.to_lowercase()));
    }
    Some(Some(names))
}

fn schema_change(view: &ViewEntry, span: Span) -> Diagnostic {
    let message = format!("The view `{}` does not have exactly the columns of its table.", view.name);
    Diagnostic::new("DELTA_SCHEMA_CHANGE_SINCE_ANALYSIS", "KD007", message, span).with_hint(
        "Write to the table itself; only a view that shows the whole table unchanged can be written through.",
    )
}

fn unsupported_source(view: &ViewEntry, operation: &str, span: Span) -> Diagnostic {
    let statement = operation.trim_end_matches(" INTO");
    let message =
        format!("The target of {statement} must be a Delta table, and the view `{}` is more than one.", view.name);
    Diagnostic::new("DELTA_UNSUPPORTED_SOURCE", "0AKDD", message, span).with_hint("Write to the table itself.")
}

fn partial_scan(view: &ViewEntry, span: Span) -> Diagnostic {
    let message = format!("The view `{}` shows a part of its table only, so it cannot be written through.", view.name);
    Diagnostic::new("DELTA_UNEXPECTED_PARTIAL_SCAN", "KD00A", message, span).with_hint("Write to the table itself.")
}
