//! Collecting statistics of batches that are written: a few kernel calls per column and batch, nothing per row.

use super::bounds::bounds;
use super::chunk::ChunkStats;
use super::{FileStats, IndexedColumns, LeafStats, has_bounds, leaves};
use crate::error::Error;
use crate::scalar::Scalar;
use crate::schema::StructType;
use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, make_array};
use arrow::buffer::NullBuffer;
use std::cmp::Ordering;

const PREFIX: usize = 32;
const MICROS_PER_MILLI: i64 = 1000;

/// Collects the statistics of one file.
#[derive(Debug, Clone)]
pub struct StatsCollector {
    num_records: i64,
    leaves: Vec<(Vec<usize>, LeafStats)>,
}

impl StatsCollector {
    /// For the data columns of a table, partition columns left out.
    pub fn new(schema: &StructType, indexed: &IndexedColumns) -> Self {
        let mut leaves = leaves(schema);
        indexed.keep(&mut leaves);
        for (_, leaf) in &mut leaves {
            leaf.nulls = Some(0);
        }
        Self { num_records: 0, leaves }
    }

    /// Adds a batch that has the schema's columns in the schema's order. Fails if it has not.
    pub fn update(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        self.num_records += batch.num_rows() as i64;
        self.leaves.iter_mut().try_for_each(|(positions, leaf)| add(batch, positions, leaf))
    }

    /// The statistics of batches that have become a file. `known` holds, per top-level column, what was found out while
    /// its row groups were written; nothing where the column has to be looked at here.
    pub(crate) fn of_file(mut self, batches: &[RecordBatch], known: &[Option<ChunkStats>]) -> Result<FileStats, Error> {
        self.num_records = batches.iter().map(|batch| batch.num_rows() as i64).sum();
        for (positions, leaf) in &mut self.leaves {
            match positions.as_slice() {
                [column] if known.get(*column).is_some_and(Option::is_some) => {
                    let Some(chunk) = known.get(*column).cloned().flatten() else { continue };
                    leaf.nulls = i64::try_from(chunk.nulls).ok();
                    (leaf.min, leaf.max) = chunk.bounds.unzip();
                }
                _ => batches.iter().try_for_each(|batch| add(batch, positions, leaf))?,
            }
        }
        Ok(self.finish())
    }

    /// The statistics, with long strings cut and timestamps floored as the reference does.
    pub fn finish(self) -> FileStats {
        let finish = |(_, mut leaf): (Vec<usize>, LeafStats)| {
            leaf.min = leaf.min.map(stored_min);
            leaf.max = leaf.max.map(stored_max);
            leaf
        };
        let columns = self.leaves.into_iter().map(finish).collect();
        FileStats { num_records: self.num_records, tight_bounds: None, columns }
    }
}

// Adds the leaf column of a batch.
fn add(batch: &RecordBatch, positions: &[usize], leaf: &mut LeafStats) -> Result<(), Error> {
    let array = leaf_array(batch, positions)
        .ok_or_else(|| Error::Internal(format!("no column {} to collect statistics of", leaf.path.join("."))))?;
    leaf.nulls = leaf.nulls.map(|nulls| nulls + array.logical_null_count() as i64);
    if has_bounds(&leaf.data_type)
        && let Some((low, high)) = bounds(&array)
    {
        keep(&mut leaf.min, low, Ordering::Less);
        keep(&mut leaf.max, high, Ordering::Greater);
    }
    Ok(())
}

fn keep(bound: &mut Option<Scalar>, value: Scalar, better: Ordering) {
    match bound {
        Some(current) if value.partial_cmp(current) != Some(better) => {}
        _ => *bound = Some(value),
    }
}

// A field of a NULL struct is NULL, whatever its own array says there.
fn leaf_array(batch: &RecordBatch, positions: &[usize]) -> Option<ArrayRef> {
    let (first, rest) = positions.split_first()?;
    let mut array = batch.columns().get(*first)?.clone();
    for position in rest {
        let parent = array.as_struct_opt()?;
        let child = parent.columns().get(*position)?;
        array = match parent.nulls() {
            None => child.clone(),
            Some(nulls) => {
                let nulls = NullBuffer::union(Some(nulls), child.logical_nulls().as_ref());
                make_array(child.to_data().into_builder().nulls(nulls).build().ok()?)
            }
        };
    }
    Some(array)
}

pub(super) fn stored_min(value: Scalar) -> Scalar {
    match value {
        Scalar::String(text) => Scalar::String(text.chars().take(PREFIX).collect()),
        other => floored(other),
    }
}

pub(super) fn stored_max(value: Scalar) -> Scalar {
    match value {
        Scalar::String(text) => Scalar::String(cut_max(text)),
        other => floored(other),
    }
}

// The reference floors the maximum of a timestamp too; pruning widens it by a millisecond.
fn floored(value: Scalar) -> Scalar {
    let floor = |micros: i64| micros.div_euclid(MICROS_PER_MILLI) * MICROS_PER_MILLI;
    match value {
        Scalar::Timestamp(micros) => Scalar::Timestamp(floor(micros)),
        Scalar::TimestampNtz(micros) => Scalar::TimestampNtz(floor(micros)),
        other => other,
    }
}

// The maximum is cut by UTF-16 units, unlike the minimum, without splitting a pair, and gets a last character
// that keeps it an upper bound.
fn cut_max(text: String) -> String {
    let mut n_units = 0;
    for (at, character) in text.char_indices() {
        if n_units >= PREFIX {
            let tie_breaker = if character < '\u{7f}' { '\u{7f}' } else { '\u{10ffff}' };
            let prefix = text.get(..at).unwrap_or(&text);
            return format!("{prefix}{tie_breaker}");
        }
        n_units += character.len_utf16();
    }
    text
}
