//! Row tracking (PROTOCOL.md, Row Tracking): the rows of every file get ids when the file is committed, counted on
//! from a high water mark that the table keeps as domain metadata.

use crate::actions::{Action, DomainMetadata, Metadata, Protocol};
use crate::error::Error;
use crate::properties::is_on;
use crate::schema::StructType;
use crate::stats::FileStats;
use serde_json::Value;

/// The metadata domain of the high water mark.
pub const DOMAIN: &str = "delta.rowTracking";
/// The property that names the column of a data file in which rows that were moved keep their ids.
pub const ROW_ID_COLUMN: &str = "delta.rowTracking.materializedRowIdColumnName";
/// The property that names the column of a data file in which such rows keep the version of their last change.
pub const ROW_VERSION_COLUMN: &str = "delta.rowTracking.materializedRowCommitVersionColumnName";

/// Whether files must be given row ids.
pub fn is_supported(protocol: &Protocol) -> bool {
    protocol.writer_features.as_ref().is_some_and(|names| names.iter().any(|name| name == "rowTracking"))
}

/// Whether the ids of rows that are moved to another file must be kept.
pub fn is_enabled(metadata: &Metadata) -> bool {
    is_on(metadata, "delta.enableRowTracking")
}

/// Gives ids to the files that have none and writes down the new high water mark. Files that are added again keep
/// theirs.
///
/// # Errors
/// A file whose number of rows is not known.
pub(crate) fn assign(before: Option<&DomainMetadata>, version: u64, actions: &mut Vec<Action>) -> Result<(), Error> {
    let mark = before.and_then(high_water_mark).unwrap_or(-1);
    let mut last = mark;
    for action in actions.iter_mut() {
        let Action::Add(add) = action else { continue };
        if add.base_row_id.is_none() {
            let stats = add.stats.as_deref().and_then(|json| FileStats::parse(json, &StructType::default()));
            let stats = stats.ok_or_else(|| Error::RowIdWithoutStats { path: add.path.clone() })?;
            add.base_row_id = Some(last + 1);
            last += stats.num_records;
        }
        if add.default_row_commit_version.is_none() {
            add.default_row_commit_version = i64::try_from(version).ok();
        }
    }
    if last != mark {
        let configuration = format!("{{\"rowIdHighWaterMark\":{last},\"domainName\":\"{DOMAIN}\"}}");
        actions.push(Action::DomainMetadata(DomainMetadata {
            domain: DOMAIN.to_owned(),
            configuration,
            removed: false,
        }));
    }
    Ok(())
}

fn high_water_mark(domain: &DomainMetadata) -> Option<i64> {
    let configuration: Value = serde_json::from_str(&domain.configuration).ok()?;
    configuration.get("rowIdHighWaterMark")?.as_i64()
}
