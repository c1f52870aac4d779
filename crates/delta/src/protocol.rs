//! Whether this program may read or write a table (PROTOCOL.md, Protocol Evolution and Table Features). A table
//! that asks for more is refused: a wrong answer is never an option.

use crate::actions::{Metadata, Protocol};
use crate::error::Error;
use crate::properties::is_on;

// Reader features that this crate handles: `adapt` reads every type that type widening may leave in older files.
const READABLE: &[&str] =
    &["columnMapping", "timestampNtz", "vacuumProtocolCheck", "typeWidening", "typeWidening-preview", "v2Checkpoint"];
// Reader features that exist, for telling "not yet" from "unknown".
const KNOWN: &[&str] = &[
    "deletionVectors",
    "variantType",
    "variantType-preview",
    "variantShredding",
    "variantShredding-preview",
    "catalogManaged",
    "catalogOwned-preview",
];
// Writer features that this crate and its callers enforce, or that ask nothing unless a property is set.
const WRITABLE: &[&str] = &[
    "appendOnly",
    "clustering",
    "columnMapping",
    "domainMetadata",
    "inCommitTimestamp",
    "rowTracking",
    "timestampNtz",
    "vacuumProtocolCheck",
    "v2Checkpoint",
];
// Writer features of the old protocol numbers, with what switches each on.
const LEGACY: &[(i32, &str)] = &[
    (2, "invariants"),
    (3, "checkConstraints"),
    (4, "changeDataFeed"),
    (4, "generatedColumns"),
    (5, "columnMapping"),
    (6, "identityColumns"),
];

/// Refuses a table that cannot be read correctly: unknown features by Delta's condition, known ones as not yet
/// supported.
pub fn check_read(root: &str, protocol: &Protocol, metadata: &Metadata) -> Result<(), Error> {
    check_numbers(root, protocol)?;
    let features = protocol.reader_features.as_deref().unwrap_or_default();
    let is_unknown = |feature: &&String| !READABLE.contains(&feature.as_str()) && !KNOWN.contains(&feature.as_str());
    let unknown: Vec<String> = features.iter().filter(is_unknown).cloned().collect();
    if !unknown.is_empty() {
        return Err(Error::UnsupportedFeatures { root: root.to_owned(), features: unknown });
    }
    for feature in features {
        if !READABLE.contains(&feature.as_str()) {
            return Err(not_yet(root, feature));
        }
    }
    if metadata.format.provider != "parquet" {
        return Err(Error::Unsupported { what: format!("the file format {} of {root}", metadata.format.provider) });
    }
    Ok(())
}

/// Refuses a table whose writers must do more than this program does.
pub fn check_write(root: &str, protocol: &Protocol, metadata: &Metadata) -> Result<(), Error> {
    check_read(root, protocol, metadata)?;
    let active = active_features(protocol);
    let refused: Vec<String> =
        active.into_iter().filter(|name| !WRITABLE.contains(&name.as_str()) && is_in_use(name, metadata)).collect();
    if refused.is_empty() {
        return Ok(());
    }
    Err(Error::UnsupportedWriterFeatures { root: root.to_owned(), features: refused })
}

fn active_features(protocol: &Protocol) -> Vec<String> {
    if protocol.min_writer_version >= 7 {
        return protocol.writer_features.clone().unwrap_or_default();
    }
    let is_implied = |(version, _): &&(i32, &str)| *version <= protocol.min_writer_version;
    LEGACY.iter().filter(is_implied).map(|(_, name)| (*name).to_owned()).collect()
}

// The old numbers imply features that most of their tables never use; those tables can be written.
fn is_in_use(feature: &str, metadata: &Metadata) -> bool {
    match feature {
        // NOT NULL is checked by every caller; an invariant with an expression is not.
        "invariants" => metadata.schema_string.contains("delta.invariants"),
        "checkConstraints" => metadata.configuration.keys().any(|name| name.starts_with("delta.constraints.")),
        "changeDataFeed" => is_on(metadata, "delta.enableChangeDataFeed"),
        "generatedColumns" => metadata.schema_string.contains("delta.generationExpression"),
        "identityColumns" => metadata.schema_string.contains("delta.identity."),
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

fn not_yet(root: &str, feature: &str) -> Error {
    Error::Unsupported { what: format!("the table feature {feature}, which {root} uses,") }
}
