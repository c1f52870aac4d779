//! The Z-order curve: rows that are near in several columns at once come to lie in one file.
//!
//! As in the reference, each column's values are first replaced by the number of the range they lie in, at most
//! [`N_RANGES`] of about equal size; the bits of these numbers, taken in turn, are the place on the curve.

use crate::batch::{gather, is_absent};
use crate::products::{From, Piece};
use arrow::array::ArrayRef;
use arrow::record_batch::RecordBatch;
use arrow::row::{RowConverter, SortField};
use query::Bound;
use spec::Diagnostic;

const N_RANGES: usize = 1_000;

/// The rows of copied pieces, in `n_files` stretches of the curve over the columns `keys`. Within a file the rows keep
/// their order.
pub(super) fn split(pieces: Vec<Piece>, keys: &[Bound], n_files: usize) -> Result<Vec<Vec<Piece>>, Diagnostic> {
    if n_files <= 1 {
        return Ok(vec![pieces]);
    }
    let batches: Vec<&RecordBatch> = pieces.iter().map(|piece| &piece.rows).collect();
    let mut ids = Vec::with_capacity(keys.len());
    for key in keys {
        let columns = batches.iter().map(|batch| key.evaluate(batch)).collect::<Result<Vec<_>, _>>()?;
        ids.push(range_ids(&columns)?);
    }
    let n_rows = batches.iter().map(|batch| batch.num_rows()).sum();
    let places: Vec<Vec<u8>> =
        (0..n_rows).map(|row| interleaved(&ids.iter().map(|ids| ids[row]).collect::<Vec<u32>>())).collect();
    let mut along: Vec<usize> = (0..n_rows).collect();
    along.sort_by(|left, right| places[*left].cmp(&places[*right]));
    let mut files = Vec::with_capacity(n_files);
    for file in 0..n_files {
        let mut rows: Vec<u64> =
            along[file * n_rows / n_files..(file + 1) * n_rows / n_files].iter().map(|row| *row as u64).collect();
        rows.sort_unstable();
        if rows.is_empty() {
            continue;
        }
        // The rows are no stretch of the old files any more, so they are told as new ones.
        let rows = Piece { rows: gather(&batches, &rows)?, from: From::Inserted { clause: 0, source: rows } };
        files.push(vec![rows]);
    }
    Ok(files)
}

/// Per row, the number of the range that its value lies in; NULL comes first.
fn range_ids(columns: &[ArrayRef]) -> Result<Vec<u32>, Diagnostic> {
    let Some(first) = columns.first() else { return Ok(Vec::new()) };
    if is_absent(first) {
        return Ok(vec![0; columns.iter().map(|column| column.len()).sum()]);
    }
    let converter = RowConverter::new(vec![SortField::new(first.data_type().clone())]).map_err(Diagnostic::internal)?;
    let mut values = converter.empty_rows(0, 0);
    for column in columns {
        converter.append(&mut values, std::slice::from_ref(column)).map_err(Diagnostic::internal)?;
    }
    let mut sorted: Vec<_> = values.iter().collect();
    sorted.sort_unstable();
    let bounds = bounds(&sorted, N_RANGES);
    Ok(values.iter().map(|value| bounds.partition_point(|bound| *bound < value) as u32).collect())
}

/// The upper bounds of all ranges but the last, as Spark's range partitioner takes them from sorted values.
fn bounds<T: PartialOrd + Copy>(sorted: &[T], n_ranges: usize) -> Vec<T> {
    let n_ranges = n_ranges.min(sorted.len());
    let mut bounds: Vec<T> = Vec::new();
    let step = sorted.len() as f64 / n_ranges.max(1) as f64;
    let mut target = step;
    for (idx, value) in sorted.iter().enumerate() {
        if bounds.len() + 1 >= n_ranges {
            break;
        }
        let is_new = bounds.last().is_none_or(|last| last < value);
        if (idx + 1) as f64 >= target && is_new {
            bounds.push(*value);
            target += step;
        }
    }
    bounds
}

/// The bits of the numbers in turn, from the highest on.
fn interleaved(ids: &[u32]) -> Vec<u8> {
    let mut bytes = vec![0u8; ids.len() * 4];
    let mut place = 0;
    for bit in (0..u32::BITS).rev() {
        for id in ids {
            if id >> bit & 1 == 1 {
                bytes[place / 8] |= 1 << (7 - place % 8);
            }
            place += 1;
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_alternate_from_the_highest_on() {
        assert_eq!(interleaved(&[0b10, 0b01]), [0, 0, 0, 0, 0, 0, 0, 0b1001]);
        assert_eq!(interleaved(&[3]), [0, 0, 0, 3]);
        assert_eq!(interleaved(&[0x8000_0000, 0]), [0x80, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn ranges_are_of_equal_size_and_equal_values_share_one() {
        assert_eq!(bounds(&[1, 2, 3, 4], 2), [2]);
        assert_eq!(bounds(&[1, 1, 1, 4], 2), [1]);
        assert_eq!(bounds(&[1, 2, 3], 1_000), [1, 2]);
        assert_eq!(bounds::<i32>(&[], 1_000), Vec::<i32>::new());
    }
}
