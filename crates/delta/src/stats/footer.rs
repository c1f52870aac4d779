//! Bounds of text columns from the footer of a Parquet file, where texts are ordered by their bytes, as in Spark.

use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::statistics::Statistics;

/// What a footer knows of a text column.
#[derive(Debug, PartialEq)]
pub(super) enum Footer {
    /// Smallest and largest value, both whole.
    Bounds(String, String),
    /// All of it is NULL.
    NoValue,
    /// A bound is cut, or not there.
    Unknown,
}

/// The bounds of the column with these names in the file, from the top down, over all row groups.
pub(super) fn text_bounds(footer: &ParquetMetaData, path: &[String]) -> Footer {
    let mut found = Footer::NoValue;
    for group in footer.row_groups() {
        let Some(chunk) = group.columns().iter().find(|chunk| chunk.column_path().parts() == path) else {
            return Footer::Unknown;
        };
        found = match (found, of_chunk(chunk)) {
            (_, Footer::Unknown) => return Footer::Unknown,
            (found, Footer::NoValue) => found,
            (Footer::Bounds(low, high), Footer::Bounds(other_low, other_high)) => {
                Footer::Bounds(low.min(other_low), high.max(other_high))
            }
            (_, first) => first,
        };
    }
    found
}

fn of_chunk(chunk: &ColumnChunkMetaData) -> Footer {
    let Some(Statistics::ByteArray(statistics)) = chunk.statistics() else { return Footer::Unknown };
    if statistics.null_count_opt() == u64::try_from(chunk.num_values()).ok() {
        return Footer::NoValue;
    }
    if !statistics.min_is_exact() || !statistics.max_is_exact() {
        return Footer::Unknown;
    }
    let text = |bytes: Option<&[u8]>| String::from_utf8(bytes?.to_vec()).ok();
    match (text(statistics.min_bytes_opt()), text(statistics.max_bytes_opt())) {
        (Some(low), Some(high)) => Footer::Bounds(low, high),
        _ => Footer::Unknown,
    }
}
