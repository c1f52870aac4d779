//! Properties that speak of the protocol itself: `delta.minReaderVersion`, `delta.minWriterVersion` and
//! `delta.feature.<name>`. They are obeyed and never stored in the table's metadata.

use super::{feature, implied};
use crate::actions::Configuration;
use crate::error::Error;
use std::collections::BTreeSet;

const FEATURE_PREFIX: &str = "delta.feature.";

/// What a statement asks of the protocol.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Requested {
    /// Reader and writer version; a side that is not written counts as 1.
    pub versions: Option<(i32, i32)>,
    /// The canonical names of features.
    pub features: BTreeSet<String>,
}

impl Requested {
    /// The features asked for by name, and those that the numbers stand for.
    pub(super) fn all_features(&self) -> BTreeSet<String> {
        let by_number = self.versions.into_iter().flat_map(|(reader, writer)| implied(reader, writer));
        self.features.iter().cloned().chain(by_number.map(str::to_owned)).collect()
    }
}

/// Takes the properties that speak of the protocol out of `properties`.
///
/// # Errors
/// A feature that nobody knows, a status other than `supported`, a version that does not exist.
pub fn take_requested(properties: &mut Configuration) -> Result<Requested, Error> {
    let mut requested = Requested::default();
    let (mut reader, mut writer) = (None, None);
    let mut unknown = Vec::new();
    for (key, value) in properties.iter() {
        match key.as_str() {
            "delta.minReaderVersion" => reader = Some(version(key, value, 3)?),
            "delta.minWriterVersion" => writer = Some(version(key, value, 7)?),
            _ => {
                let Some(name) = key.to_ascii_lowercase().strip_prefix(FEATURE_PREFIX).map(str::to_owned) else {
                    continue;
                };
                if !["supported", "enabled"].iter().any(|status| value.eq_ignore_ascii_case(status)) {
                    return Err(Error::InvalidFeatureStatus { feature: name, status: value.clone() });
                }
                match feature(&name) {
                    Some(feature) => drop(requested.features.insert(feature.name.to_owned())),
                    None => unknown.push(key.get(FEATURE_PREFIX.len()..).unwrap_or(&name).to_owned()),
                }
            }
        }
    }
    if !unknown.is_empty() {
        return Err(Error::UnknownFeatures { features: unknown });
    }
    if reader.is_some() || writer.is_some() {
        requested.versions = Some((reader.unwrap_or(1), writer.unwrap_or(1)));
    }
    properties.retain(|key, _| !is_of_protocol(key));
    Ok(requested)
}

/// Whether a property speaks of the protocol and is not stored.
fn is_of_protocol(key: &str) -> bool {
    ["delta.minReaderVersion", "delta.minWriterVersion", "delta.ignoreProtocolDefaults"].contains(&key)
        || key.to_ascii_lowercase().starts_with(FEATURE_PREFIX)
}

fn version(key: &str, value: &str, highest: i32) -> Result<i32, Error> {
    let parsed = value.trim().parse().ok().filter(|version| (1..=highest).contains(version));
    parsed.ok_or_else(|| Error::InvalidProperty { name: key.to_owned(), value: value.to_owned() })
}
