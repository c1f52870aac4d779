//! Whether this program may read or write a table (PROTOCOL.md, Protocol Evolution and Table Features). A table
//! that asks for more is refused: a wrong answer is never an option.

use crate::actions::{Metadata, Protocol};
use crate::error::Error;
use crate::features::{Missing, feature, missing, supported};
use crate::properties::is_on;
use std::collections::BTreeSet;

/// Refuses a table that cannot be read correctly: unknown features by Delta's condition, known ones as not yet
/// supported.
pub fn check_read(root: &str, protocol: &Protocol, metadata: &Metadata) -> Result<(), Error> {
    check_numbers(root, protocol)?;
    let features = protocol.reader_features.as_deref().unwrap_or_default();
    let unknown: Vec<String> = features.iter().filter(|name| feature(name).is_none()).cloned().collect();
    if !unknown.is_empty() {
        return Err(Error::UnsupportedFeatures { root: root.to_owned(), features: unknown });
    }
    let asked = supported(protocol);
    let refused = |name: &&String| missing(name) == Some(Missing::Reading) && is_in_use(name, metadata);
    if let Some(feature) = asked.iter().find(refused) {
        return Err(Error::Unsupported { what: format!("the table feature {feature}, which {root} uses,") });
    }
    if metadata.format.provider != "parquet" {
        return Err(Error::Unsupported { what: format!("the file format {} of {root}", metadata.format.provider) });
    }
    Ok(())
}

/// Refuses a table whose writers must do more than this program does.
pub fn check_write(root: &str, protocol: &Protocol, metadata: &Metadata) -> Result<(), Error> {
    check_read(root, protocol, metadata)?;
    let active: BTreeSet<String> = supported(protocol);
    let is_refused = |name: &String| feature(name).is_none() || (missing(name).is_some() && is_in_use(name, metadata));
    let mut refused: Vec<String> = active.into_iter().filter(is_refused).collect();
    // An expression that only the schema holds (PROTOCOL.md, Column Invariants) is checked by nobody here.
    if metadata.schema_string.contains("\"delta.invariants\"") {
        refused.push("invariants".to_owned());
    }
    if refused.is_empty() {
        return Ok(());
    }
    Err(Error::UnsupportedWriterFeatures { root: root.to_owned(), features: refused })
}

// A protocol may name features that the table does not use; such a table can be read and written all the same.
fn is_in_use(feature: &str, metadata: &Metadata) -> bool {
    match feature {
        "checkConstraints" => metadata.configuration.keys().any(|name| name.starts_with("delta.constraints.")),
        "changeDataFeed" => is_on(metadata, "delta.enableChangeDataFeed"),
        "generatedColumns" => metadata.schema_string.contains("delta.generationExpression"),
        "identityColumns" => metadata.schema_string.contains("delta.identity."),
        // Without a mapping mode the feature only allows one to be switched on.
        "columnMapping" => metadata.configuration.get("delta.columnMapping.mode").is_some_and(|mode| mode != "none"),
        "allowColumnDefaults" => metadata.schema_string.contains("CURRENT_DEFAULT"),
        _ => true,
    }
}

fn check_numbers(root: &str, protocol: &Protocol) -> Result<(), Error> {
    let (reader, writer) = (protocol.min_reader_version, protocol.min_writer_version);
    if (1..=3).contains(&reader) && (1..=7).contains(&writer) {
        return Ok(());
    }
    Err(Error::UnsupportedProtocol { root: root.to_owned(), reader, writer })
}
