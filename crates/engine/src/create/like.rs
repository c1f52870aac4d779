//! CREATE TABLE … LIKE: the definition of another table, without its rows.

use super::define::{Definition, check, metadata};
use super::{Made, Work, make};
use crate::catalog::{Entry, Format};
use crate::clustering;
use crate::definition;
use crate::observe::Observer;
use crate::resolve::latest;
use crate::sandbox::Context;
use crate::settle::settled;
use delta::features::{Requested, supported, switched_on};
use delta::mapping::{MAX_ID, unmapped};
use delta::snapshot::Snapshot;
use spec::{CreateTableLike, Diagnostic, Provider};

/// Creates a table with the columns, partitioning, properties and constraints of another.
///
/// # Errors
/// The source is not there, or the name is taken; the store failed.
pub(crate) async fn like(
    context: &Context<'_>,
    create: &CreateTableLike,
    observer: &mut dyn Observer,
) -> Result<Made, Diagnostic> {
    let span = create.name.span();
    let mut entry = context.catalog.place(&create.name)?;
    if let Some(location) = &create.location {
        entry.root = location.trim_matches('/').to_owned();
    }
    if let Some(provider @ (Provider::Parquet | Provider::Other(_))) = &create.provider {
        return Err(Diagnostic::unsupported(format!("CREATE TABLE … LIKE with USING {provider:?}"), span));
    }
    let source = match context.catalog.find(&create.source) {
        None => return Err(context.catalog.not_found(&create.source)),
        Some(Entry::Table(source)) if source.format == Format::Delta => source,
        Some(_) => {
            let what = "CREATE TABLE … LIKE a view or a plain Parquet table";
            return Err(Diagnostic::unsupported(what, create.source.span()));
        }
    };
    let source = latest(context.env, &source, create.source.span()).await?;
    let source = source.ok_or_else(|| context.catalog.not_found(&create.source))?;
    let known = context.catalog.tables().find(|known| known.schema == entry.schema && known.name == entry.name);
    if let Some(known) = known {
        if create.if_not_exists {
            return Ok(Made { entry: known.clone(), version: None });
        }
        let message = format!("The table `{}` already exists.", create.name);
        return Err(Diagnostic::new("DELTA_TABLE_ALREADY_EXISTS", "42P07", message, span)
            .with_hint("Choose another name, or write CREATE TABLE IF NOT EXISTS."));
    }
    let definition = definition(context, create, &source)?;
    let work = Work { entry, old: None, definition, plan: None, told: super::Told::as_sql("CREATE TABLE"), span };
    make(context, work, observer).await
}

fn definition(context: &Context<'_>, create: &CreateTableLike, source: &Snapshot) -> Result<Definition, Diagnostic> {
    let span = create.name.span();
    let (own, mut requested) = definition::stored_properties(&create.properties, span)?;
    let mut configuration = source.metadata().configuration.clone();
    // The new table numbers its columns itself.
    configuration.shift_remove(MAX_ID);
    configuration.extend(own);
    let schema = unmapped(source.schema());
    let of_source = source.metadata();
    let metadata = delta::actions::Metadata {
        partition_columns: of_source.partition_columns.clone(),
        description: of_source.description.clone(),
        ..metadata(context, &schema, configuration)
    };
    requested.features.extend(asked_for(source, &requested));
    check(&schema, &metadata, span)?;
    let (metadata, schema) = settled(context.env, metadata, schema, None)?;
    let clustered_by = clustering::of(source);
    Ok(Definition { schema, metadata, requested, clustered_by, is_managed: create.location.is_none() })
}

/// Features that the source has without that its definition switches them on: they were asked for by name.
fn asked_for(source: &Snapshot, requested: &Requested) -> Vec<String> {
    let used = switched_on(source.metadata(), source.schema());
    let listed = source.protocol().writer_features.is_some();
    let features = if listed { supported(source.protocol()) } else { Default::default() };
    features.into_iter().filter(|name| !used.contains(&name.as_str()) && !requested.features.contains(name)).collect()
}
