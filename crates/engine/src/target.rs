//! The table that a statement writes to.

use crate::catalog::{Catalog, Entry, Format, TableEntry, ViewEntry};
use crate::env::Env;
use crate::resolve::latest;
use crate::table::columns_of;
use delta::schema::StructType;
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
        Some(Entry::View(view)) => (behind(env, catalog, view, span).await?, vec![view.name.clone()]),
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
async fn behind(env: &Env, catalog: &Catalog, view: &ViewEntry, span: Span) -> Result<TableEntry, Diagnostic> {
    let mut view = view;
    // Views cannot refer to themselves: each is created after those it reads. The bound is a guard.
    for _ in 0..64 {
        let name = plain_projection(&view.query).ok_or_else(|| partial_scan(view, span))?;
        match catalog.find(name) {
            None => return Err(catalog.not_found(name)),
            Some(Entry::View(inner)) => view = inner,
            Some(Entry::Table(entry)) => {
                let snapshot = latest(env, &entry, span).await?.ok_or_else(|| catalog.not_found(name))?;
                same_columns(view, snapshot.schema(), span)?;
                return Ok(entry);
            }
        }
    }
    Err(partial_scan(view, span))
}

/// The one relation of a view without filter, grouping, order or limit.
fn plain_projection(query: &Query) -> Option<&Name> {
    let QueryBody::Select(select) = &query.body else { return None };
    let plain = query.ctes.is_empty()
        && query.order_by.is_empty()
        && query.limit.is_none()
        && query.offset.is_none()
        && !select.distinct
        && select.filter.is_none()
        && select.having.is_none()
        && select.lateral_views.is_empty()
        && matches!(select.group_by, GroupBy::None);
    match select.from.as_slice() {
        [Relation::Table { name, time_travel: None, .. }] if plain => Some(name),
        _ => None,
    }
}

/// Whether the view shows all columns of the table, in order, under their own names.
fn same_columns(view: &ViewEntry, schema: &StructType, span: Span) -> Result<(), Diagnostic> {
    let QueryBody::Select(select) = &view.query.body else { return Err(partial_scan(view, span)) };
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

fn partial_scan(view: &ViewEntry, span: Span) -> Diagnostic {
    let message = format!("The view `{}` shows a part of its table only, so it cannot be written through.", view.name);
    Diagnostic::new("DELTA_UNEXPECTED_PARTIAL_SCAN", "KD00A", message, span).with_hint("Write to the table itself.")
}
