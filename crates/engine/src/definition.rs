//! From what a statement says about a table (properties, columns) to its metadata and protocol. CREATE TABLE and
//! ALTER TABLE both go through here, so a property means the same in either.

use crate::failure;
use delta::actions::{Configuration, Metadata, Protocol};
use delta::change_feed;
use delta::features::{
    FEATURES, Requested, missing, missing_property, protocol_for_new, supported, take_requested, upgraded,
};
use delta::properties::canonical;
use delta::schema::StructType;
use spec::{Diagnostic, Span};

/// The properties as the table stores them, and what they ask of the protocol.
///
/// # Errors
/// Properties that do not exist, values that they cannot have, and what is not built yet.
pub(crate) fn stored_properties(
    given: &[(String, String)],
    span: Span,
) -> Result<(Configuration, Requested), Diagnostic> {
    let given: Configuration = given.iter().cloned().collect();
    let mut stored = canonical(&given).map_err(|error| failure::of_table(error, span))?;
    let requested = take_requested(&mut stored).map_err(|error| failure::of_table(error, span))?;
    for (key, value) in &stored {
        if missing_property(key) && !value.eq_ignore_ascii_case("false") {
            return Err(Diagnostic::unsupported(format!("The table property {key} = {value}"), span));
        }
    }
    Ok((stored, requested))
}

/// The protocol action that goes with a definition: that of a new table, or the upgrade of an old one where it needs
/// one.
///
/// # Errors
/// A feature that is not built yet, by name; a change feed beside columns that have the names of its own.
pub(crate) fn protocol(
    old: Option<&Protocol>,
    metadata: &Metadata,
    schema: &StructType,
    requested: &Requested,
    span: Span,
) -> Result<Option<Protocol>, Diagnostic> {
    if change_feed::is_enabled(metadata)
        && let Some(column) = change_feed::reserved_column(schema)
    {
        let message = format!("The change data feed needs the name `{column}` for itself.");
        return Err(Diagnostic::new("DELTA_TABLE_ALREADY_CONTAINS_CDC_COLUMNS", "42711", message, span)
            .with_hint("Rename the column, or leave the change data feed off."));
    }
    let protocol = match old {
        None => Some(protocol_for_new(metadata, schema, requested)),
        Some(old) => upgraded(old, metadata, schema, requested),
    };
    let had = old.map(supported).unwrap_or_default();
    let has = protocol.as_ref().map(supported).unwrap_or_default();
    // Old protocol numbers imply features that nobody asked for; those may be missing as long as nobody uses them.
    let used = delta::features::switched_on(metadata, schema);
    let asked = |name: &str| used.contains(&name) || requested.features.contains(name);
    let is_new = |name: &str| has.contains(name) && !had.contains(name) && asked(name);
    match FEATURES.iter().find(|feature| missing(feature.name).is_some() && is_new(feature.name)) {
        Some(feature) => Err(Diagnostic::unsupported(format!("The table feature {}", feature.name), span)),
        None => Ok(protocol),
    }
}
