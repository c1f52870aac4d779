//! What this program refuses: the one list of table features and properties that it does not handle yet. Whoever
//! builds one deletes its entry here.

/// How much of a feature is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// Tables that use it can be read, not written.
    Writing,
    /// Tables that use it can be neither read nor written.
    Reading,
}

const FEATURES: &[(&str, Missing)] = &[
    ("icebergCompatV1", Missing::Writing),
    ("icebergCompatV2", Missing::Writing),
    ("checkpointProtection", Missing::Writing),
    ("variantType", Missing::Reading),
    ("variantType-preview", Missing::Reading),
    ("variantShredding", Missing::Reading),
    ("variantShredding-preview", Missing::Reading),
    ("catalogManaged", Missing::Reading),
    ("catalogOwned-preview", Missing::Reading),
];

/// Properties that belong to no feature and would change what is written.
const PROPERTIES: &[&str] = &[
    "delta.compatibility.symlinkFormatManifest.enabled",
    "delta.universalFormat.enabledFormats",
    "delta.checkpoint.writeStatsAsStruct",
    "delta.checkpoint.writeStatsAsJson",
    "delta.autoOptimize",
    "delta.autoOptimize.autoCompact",
    "delta.autoOptimize.optimizeWrite",
];

/// What is missing of a feature; `None` where it is built.
pub fn missing(feature: &str) -> Option<Missing> {
    FEATURES.iter().find(|(name, _)| *name == feature).map(|(_, missing)| *missing)
}

/// Whether a property, by its canonical name, is refused unless it is off.
pub fn missing_property(key: &str) -> bool {
    PROPERTIES.contains(&key)
}
