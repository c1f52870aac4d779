//! Table features (PROTOCOL.md, Table Features): what each asks of readers and writers, what switches it on, and
//! which protocol a table's definition needs.
//!
//! [`FEATURES`] is the one table of names and numbers, [`switched_on`] says what a definition uses, `not_built`
//! lists what this program refuses.

mod in_use;
mod not_built;
mod requested;

pub use in_use::{CURRENT_DEFAULT, GENERATION_EXPRESSION, switched_on};
pub use not_built::{Missing, missing, missing_property};
pub use requested::{Requested, take_requested};

use crate::actions::{Metadata, Protocol};
use crate::schema::StructType;
use std::collections::BTreeSet;

/// A table feature that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Feature {
    pub name: &'static str,
    /// The lowest reader version of a table that uses it: 1 where readers need not know it.
    pub reader: i32,
    /// The lowest writer version; below 7 the number implies the feature.
    pub writer: i32,
    /// Features that it cannot be without.
    pub requires: &'static [&'static str],
}

/// From this writer version on the features are listed by name.
const LISTED_WRITER: i32 = 7;
/// From this reader version on readers' features are listed by name too.
const LISTED_READER: i32 = 3;

const fn legacy(name: &'static str, reader: i32, writer: i32) -> Feature {
    Feature { name, reader, writer, requires: &[] }
}

const fn of_writers(name: &'static str, requires: &'static [&'static str]) -> Feature {
    Feature { name, reader: 1, writer: LISTED_WRITER, requires }
}

const fn of_readers(name: &'static str) -> Feature {
    Feature { name, reader: LISTED_READER, writer: LISTED_WRITER, requires: &[] }
}

/// Every feature that the reference knows (PROTOCOL.md, Valid Feature Names in Table Features).
pub const FEATURES: &[Feature] = &[
    legacy("appendOnly", 1, 2),
    legacy("invariants", 1, 2),
    legacy("checkConstraints", 1, 3),
    legacy("changeDataFeed", 1, 4),
    legacy("generatedColumns", 1, 4),
    legacy("columnMapping", 2, 5),
    legacy("identityColumns", 1, 6),
    of_writers("allowColumnDefaults", &[]),
    of_writers("domainMetadata", &[]),
    of_writers("rowTracking", &["domainMetadata"]),
    of_writers("clustering", &["domainMetadata"]),
    of_writers("inCommitTimestamp", &[]),
    of_writers("icebergCompatV1", &["columnMapping"]),
    of_writers("icebergCompatV2", &["columnMapping"]),
    of_writers("checkpointProtection", &[]),
    of_readers("deletionVectors"),
    of_readers("timestampNtz"),
    of_readers("v2Checkpoint"),
    of_readers("typeWidening"),
    of_readers("typeWidening-preview"),
    of_readers("variantType"),
    of_readers("variantType-preview"),
    of_readers("variantShredding"),
    of_readers("variantShredding-preview"),
    of_readers("vacuumProtocolCheck"),
    of_readers("catalogManaged"),
    of_readers("catalogOwned-preview"),
];

/// The feature of that name, in any case of letters.
pub fn feature(name: &str) -> Option<&'static Feature> {
    FEATURES.iter().find(|feature| feature.name.eq_ignore_ascii_case(name))
}

/// The features that a protocol supports, listed or implied by its numbers.
pub fn supported(protocol: &Protocol) -> BTreeSet<String> {
    let listed = protocol.writer_features.iter().chain(&protocol.reader_features).flatten().cloned();
    let (reader, writer) = (protocol.min_reader_version, protocol.min_writer_version);
    listed.chain(implied(reader, writer).map(str::to_owned)).collect()
}

/// The features that protocol numbers alone imply.
fn implied(reader: i32, writer: i32) -> impl Iterator<Item = &'static str> {
    let by_numbers = move |feature: &&Feature| {
        feature.writer < LISTED_WRITER
            && (feature.writer..LISTED_WRITER).contains(&writer)
            && (feature.reader..LISTED_READER).contains(&reader)
    };
    FEATURES.iter().filter(by_numbers).map(|feature| feature.name)
}

/// The protocol of a new table: appendOnly and invariants, what its definition uses, and what was asked for.
pub fn protocol_for_new(metadata: &Metadata, schema: &StructType, requested: &Requested) -> Protocol {
    let mut features = requested.all_features();
    if requested.versions.is_none() {
        features.extend(implied(1, 2).map(str::to_owned));
    }
    features.extend(switched_on(metadata, schema).into_iter().map(str::to_owned));
    lowest_protocol(features)
}

/// The protocol that a table needs after its definition changed; `None` where the current one suffices. Features
/// are only ever added.
pub fn upgraded(
    current: &Protocol,
    metadata: &Metadata,
    schema: &StructType,
    requested: &Requested,
) -> Option<Protocol> {
    let had = supported(current);
    let mut features = requested.all_features();
    features.extend(switched_on(metadata, schema).into_iter().map(str::to_owned));
    add_required(&mut features);
    if features.is_subset(&had) {
        return None;
    }
    features.extend(had);
    Some(lowest_protocol(features))
}

/// The lowest numbers that support exactly these features: implied by old numbers where those fit, else listed.
fn lowest_protocol(mut features: BTreeSet<String>) -> Protocol {
    add_required(&mut features);
    let used: Vec<&Feature> = features.iter().filter_map(|name| feature(name)).collect();
    let reader = used.iter().map(|feature| feature.reader).max().unwrap_or(1);
    let writer = used.iter().map(|feature| feature.writer).max().unwrap_or(1);
    let numbers = |reader_features, writer_features, writer| Protocol {
        min_reader_version: reader,
        min_writer_version: writer,
        reader_features,
        writer_features,
    };
    if implied(reader, writer).map(str::to_owned).collect::<BTreeSet<_>>() == features {
        return numbers(None, None, writer);
    }
    let of_readers = |name: &&String| feature(name).is_none_or(|feature| feature.reader > 1);
    let reader_features =
        (reader >= LISTED_READER).then(|| features.iter().filter(of_readers).cloned().collect::<Vec<_>>());
    numbers(reader_features, Some(features.into_iter().collect()), LISTED_WRITER)
}

fn add_required(features: &mut BTreeSet<String>) {
    let required = features.iter().filter_map(|name| feature(name)).flat_map(|feature| feature.requires);
    let required: Vec<String> = required.map(|name| (*name).to_owned()).collect();
    features.extend(required);
}
