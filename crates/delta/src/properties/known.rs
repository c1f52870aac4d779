//! The `delta.*` properties that exist, the values each can have, and their spelling: keys are found without regard
//! to case and stored as the reference spells them.

use super::{DAY_MS, parse_interval_ms};
use crate::actions::Configuration;
use crate::error::Error;

/// What a property's value must be.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Boolean,
    /// At least this.
    Integer(i64),
    Interval,
    OneOf(&'static [&'static str]),
    Text,
    /// Kept by the table itself; no statement may set it.
    Internal,
}

const KNOWN: &[(&str, Kind)] = &[
    ("delta.appendOnly", Kind::Boolean),
    ("delta.autoOptimize", Kind::Boolean),
    ("delta.autoOptimize.autoCompact", Kind::Text),
    ("delta.autoOptimize.optimizeWrite", Kind::Boolean),
    ("delta.castIcebergTimeType", Kind::Boolean),
    ("delta.checkpoint.writeStatsAsJson", Kind::Boolean),
    ("delta.checkpoint.writeStatsAsStruct", Kind::Boolean),
    ("delta.checkpointInterval", Kind::Integer(1)),
    ("delta.checkpointPolicy", Kind::OneOf(&["classic", "v2"])),
    ("delta.checkpointRetentionDuration", Kind::Interval),
    ("delta.columnMapping.maxColumnId", Kind::Internal),
    ("delta.columnMapping.mode", Kind::OneOf(&["none", "name", "id"])),
    ("delta.compatibility.symlinkFormatManifest.enabled", Kind::Boolean),
    ("delta.dataSkippingNumIndexedCols", Kind::Integer(-1)),
    ("delta.dataSkippingStatsColumns", Kind::Text),
    ("delta.deletedFileRetentionDuration", Kind::Interval),
    ("delta.enableChangeDataFeed", Kind::Boolean),
    ("delta.enableDeletionVectors", Kind::Boolean),
    ("delta.enableExpiredLogCleanup", Kind::Boolean),
    ("delta.enableFullRetentionRollback", Kind::Boolean),
    ("delta.enableIcebergCompatV1", Kind::Boolean),
    ("delta.enableIcebergCompatV2", Kind::Boolean),
    ("delta.enableInCommitTimestamps", Kind::Boolean),
    ("delta.enableRowTracking", Kind::Boolean),
    ("delta.enableTypeWidening", Kind::Boolean),
    ("delta.enableVariantShredding", Kind::Boolean),
    ("delta.ignoreProtocolDefaults", Kind::Boolean),
    ("delta.inCommitTimestampEnablementTimestamp", Kind::Integer(i64::MIN)),
    ("delta.inCommitTimestampEnablementVersion", Kind::Integer(i64::MIN)),
    ("delta.isolationLevel", Kind::OneOf(&["Serializable"])),
    ("delta.logRetentionDuration", Kind::Interval),
    ("delta.minReaderVersion", Kind::Integer(1)),
    ("delta.minWriterVersion", Kind::Integer(1)),
    ("delta.randomPrefixLength", Kind::Integer(1)),
    ("delta.randomizeFilePrefixes", Kind::Boolean),
    ("delta.requireCheckpointProtectionBeforeVersion", Kind::Integer(0)),
    ("delta.rowTracking.materializedRowCommitVersionColumnName", Kind::Internal),
    ("delta.rowTracking.materializedRowIdColumnName", Kind::Internal),
    ("delta.sampleRetentionDuration", Kind::Interval),
    ("delta.setTransactionRetentionDuration", Kind::Interval),
    ("delta.universalFormat.enabledFormats", Kind::Text),
];

/// The properties with the keys that the reference stores. `delta.constraints.*` and `delta.feature.*` pass, as does
/// everything that does not start with `delta.`.
///
/// # Errors
/// An unknown `delta.*` key, one that no statement may set, or a value that it cannot have.
pub fn canonical(properties: &Configuration) -> Result<Configuration, Error> {
    let mut stored = Configuration::with_capacity(properties.len());
    for (key, value) in properties {
        let lower = key.to_ascii_lowercase();
        let free = !lower.starts_with("delta.") || lower.starts_with("delta.constraints.");
        let key = if free || lower.starts_with("delta.feature.") {
            key.as_str()
        } else {
            let known = KNOWN.iter().find(|(name, _)| name.eq_ignore_ascii_case(key));
            let (name, kind) = known.ok_or_else(|| Error::UnknownProperty { name: key.clone() })?;
            check(name, *kind, value)?;
            name
        };
        stored.insert(key.to_owned(), value.clone());
    }
    Ok(stored)
}

/// The key as the reference stores it, for a `delta.*` property that exists.
pub fn canonical_key(key: &str) -> Option<&'static str> {
    KNOWN.iter().map(|(name, _)| *name).find(|name| name.eq_ignore_ascii_case(key))
}

/// Refuses a log that would be cleaned up before the data files it speaks of.
///
/// # Errors
/// `delta.logRetentionDuration` is shorter than `delta.deletedFileRetentionDuration`.
pub fn check_retention(configuration: &Configuration) -> Result<(), Error> {
    let name = "delta.logRetentionDuration";
    let interval = |name, default| match configuration.get(name) {
        Some(text) => parse_interval_ms(text),
        None => Some(default),
    };
    let log = interval(name, 30 * DAY_MS);
    if log < interval("delta.deletedFileRetentionDuration", 7 * DAY_MS) {
        let value = configuration.get(name).cloned().unwrap_or_else(|| "interval 30 days".to_owned());
        return Err(Error::InvalidProperty { name: name.to_owned(), value });
    }
    Ok(())
}

fn check(name: &str, kind: Kind, value: &str) -> Result<(), Error> {
    let valid = match kind {
        Kind::Boolean => ["true", "false"].iter().any(|word| value.eq_ignore_ascii_case(word)),
        Kind::Integer(least) => value.trim().parse::<i64>().is_ok_and(|number| number >= least),
        Kind::Interval => parse_interval_ms(value).is_some_and(|ms| ms >= 0),
        Kind::OneOf(values) => values.iter().any(|word| value.eq_ignore_ascii_case(word)),
        Kind::Text => true,
        Kind::Internal => return Err(Error::FixedProperty { name: name.to_owned() }),
    };
    if valid { Ok(()) } else { Err(Error::InvalidProperty { name: name.to_owned(), value: value.to_owned() }) }
}
