//! The set of deleted rows and its bytes: a magic number, then a 64-bit Roaring bitmap in the portable format
//! (PROTOCOL.md, Deletion Vector Format).

use super::damage::Damage;
use crate::error::Error;
use arrow::array::{BooleanArray, RecordBatch};
use arrow::buffer::BooleanBuffer;
use arrow::compute::filter_record_batch;
use arrow::util::bit_util::unset_bit;
use roaring::RoaringTreemap;
use std::ops::Range;

const MAGIC: [u8; 4] = 1_681_511_377_u32.to_le_bytes();

/// The deleted rows of one data file, by position.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DeletionVector {
    rows: RoaringTreemap,
}

impl FromIterator<u64> for DeletionVector {
    /// Quick where positions ascend.
    fn from_iter<I: IntoIterator<Item = u64>>(positions: I) -> Self {
        let mut rows = RoaringTreemap::new();
        for position in positions {
            if rows.try_push(position).is_err() {
                rows.insert(position);
            }
        }
        // The reference packs runs of rows in a new vector, not in one that has grown.
        rows.optimize();
        Self { rows }
    }
}

impl DeletionVector {
    /// How many rows are deleted.
    pub fn len(&self) -> u64 {
        self.rows.len()
    }

    /// Whether no row is deleted.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether a row is deleted.
    pub fn contains(&self, row: u64) -> bool {
        self.rows.contains(row)
    }

    /// The deleted rows in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.rows.iter()
    }

    /// These rows and those of `other`.
    pub fn union(&self, other: &Self) -> Self {
        Self { rows: &self.rows | &other.rows }
    }

    /// These rows without those of `other`.
    pub fn difference(&self, other: &Self) -> Self {
        Self { rows: &self.rows - &other.rows }
    }

    /// The positions of live rows that are numbered from 0 without the deleted ones. Both ascend.
    pub fn positions<'a>(&'a self, live: impl Iterator<Item = u64> + 'a) -> impl Iterator<Item = u64> + 'a {
        let mut deleted = self.rows.iter().peekable();
        let mut n_before = 0;
        live.map(move |row| {
            while deleted.next_if(|position| *position <= row + n_before).is_some() {
                n_before += 1;
            }
            row + n_before
        })
    }

    /// Fails if a row is marked that a file of `n_rows` rows does not have.
    pub fn check_rows(&self, n_rows: u64) -> Result<(), Damage> {
        match self.rows.max() {
            Some(row) if row >= n_rows => Err(Damage::RowIndex { row, n_rows }),
            _ => Ok(()),
        }
    }

    /// The live rows of batches that hold a file from its first row on. Batches without a deleted row are the
    /// same as before; those without a live one are left out.
    pub fn live_rows(&self, batches: Vec<RecordBatch>) -> Result<Vec<RecordBatch>, Error> {
        let mut live = Vec::with_capacity(batches.len());
        let mut first = 0;
        for batch in batches {
            let rows = first..first + batch.num_rows() as u64;
            first = rows.end;
            match self.live_mask(rows) {
                None => live.push(batch),
                Some(mask) if mask.count_set_bits() == 0 => {}
                Some(mask) => live.push(
                    filter_record_batch(&batch, &BooleanArray::new(mask, None))
                        .map_err(|error| Error::Internal(format!("rows could not be left out: {error}")))?,
                ),
            }
        }
        Ok(live)
    }

    // One bit per row, set for live ones; `None` if all are.
    fn live_mask(&self, rows: Range<u64>) -> Option<BooleanBuffer> {
        let mut deleted = self.rows.iter();
        deleted.advance_to(rows.start);
        let mut deleted = deleted.take_while(|row| *row < rows.end).peekable();
        deleted.peek()?;
        let n_rows = (rows.end - rows.start) as usize;
        let mut bits = vec![u8::MAX; n_rows.div_ceil(8)];
        for row in deleted {
            unset_bit(&mut bits, (row - rows.start) as usize);
        }
        Some(BooleanBuffer::new(bits.into(), 0, n_rows))
    }

    /// The bytes that a descriptor's size counts.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::with_capacity(MAGIC.len() + self.rows.serialized_size());
        bytes.extend(MAGIC);
        self.rows
            .serialize_into(&mut bytes)
            .map_err(|error| Error::Internal(format!("a deletion vector could not be written: {error}")))?;
        Ok(bytes)
    }

    /// Reads the bytes. Fails on anything that is not exactly one bitmap.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Damage> {
        let unreadable = |reason: &str| Damage::Bitmap { reason: reason.to_owned() };
        let mut rest = bytes.strip_prefix(&MAGIC).ok_or_else(|| unreadable("it has another magic number"))?;
        let rows = RoaringTreemap::deserialize_from(&mut rest)
            .map_err(|error| Damage::Bitmap { reason: error.to_string() })?;
        if rest.is_empty() { Ok(Self { rows }) } else { Err(unreadable("bytes follow it")) }
    }
}
