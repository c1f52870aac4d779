//! The table properties that the format layer itself obeys; which properties exist is in `known`.

mod known;

pub use known::{canonical, canonical_key, check_retention};

use crate::actions::Metadata;
use crate::error::Error;
use crate::mapping::MappingMode;
use crate::stats::IndexedColumns;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;
const WEEK_MS: i64 = 7 * DAY_MS;

/// `delta.checkpointInterval`: commits between two checkpoints, 10 by default.
pub fn checkpoint_interval(metadata: &Metadata) -> Result<u64, Error> {
    let interval = number(metadata, "delta.checkpointInterval", 10)?;
    if interval < 1 {
        return Err(invalid("delta.checkpointInterval", &interval.to_string()));
    }
    Ok(interval.unsigned_abs())
}

/// The leaf columns that get statistics: those of `delta.dataSkippingStatsColumns`, else the first
/// `delta.dataSkippingNumIndexedCols`, which is 32 by default and -1 for all.
pub fn indexed_columns(metadata: &Metadata) -> Result<IndexedColumns, Error> {
    let name = "delta.dataSkippingStatsColumns";
    match metadata.configuration.get(name) {
        Some(text) => IndexedColumns::parse(text).ok_or_else(|| invalid(name, text)),
        None => number(metadata, "delta.dataSkippingNumIndexedCols", 32).map(IndexedColumns::first),
    }
}

/// The length of the random folder name that stands before the names of data files: where the table asks for one by
/// `delta.randomizeFilePrefixes` or maps its columns, so that paths tell nothing of partition columns.
pub fn random_prefix_length(metadata: &Metadata) -> Result<Option<usize>, Error> {
    let is_mapped = MappingMode::configured(metadata)? != MappingMode::None;
    if !is_mapped && !is_on(metadata, "delta.randomizeFilePrefixes") {
        return Ok(None);
    }
    let name = "delta.randomPrefixLength";
    let length = number(metadata, name, 2)?;
    usize::try_from(length)
        .ok()
        .filter(|length| *length > 0)
        .map(Some)
        .ok_or_else(|| invalid(name, &length.to_string()))
}

/// `delta.deletedFileRetentionDuration` in milliseconds: how long a tombstone is kept, a week by default.
pub fn deleted_file_retention_ms(metadata: &Metadata) -> Result<i64, Error> {
    let name = "delta.deletedFileRetentionDuration";
    match metadata.configuration.get(name) {
        Some(text) => parse_interval_ms(text).ok_or_else(|| invalid(name, text)),
        None => Ok(WEEK_MS),
    }
}

/// Whether a boolean property is on.
pub fn is_on(metadata: &Metadata, name: &str) -> bool {
    metadata.configuration.get(name).is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

fn number(metadata: &Metadata, name: &str, default: i64) -> Result<i64, Error> {
    match metadata.configuration.get(name) {
        Some(text) => text.trim().parse().map_err(|_| invalid(name, text)),
        None => Ok(default),
    }
}

// "interval 1 week 2 days"; months and years have no fixed length and are refused, as by the reference.
fn parse_interval_ms(text: &str) -> Option<i64> {
    let lower = text.trim().to_lowercase();
    let mut words = lower.strip_prefix("interval ").unwrap_or(&lower).split_whitespace();
    let mut total: Option<i64> = None;
    while let Some(amount) = words.next() {
        let amount: i64 = amount.parse().ok()?;
        let unit_ms = match words.next()?.trim_end_matches('s') {
            "week" => WEEK_MS,
            "day" => 24 * HOUR_MS,
            "hour" => HOUR_MS,
            "minute" => 60_000,
            "second" => 1000,
            "millisecond" => 1,
            _ => return None,
        };
        total = Some(total.unwrap_or(0).checked_add(amount.checked_mul(unit_ms)?)?);
    }
    total
}

fn invalid(name: &str, value: &str) -> Error {
    Error::InvalidProperty { name: name.to_owned(), value: value.to_owned() }
}
