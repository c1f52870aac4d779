//! The smallest difference between two sets of rows, told as rows.

use std::cmp::Ordering;

use crate::{ChangedRow, Order, RowDiff, Rows};

/// How many rows of each kind a difference lists.
const LISTED: usize = 5;
/// Among how many rows of each kind a difference looks for pairs; pairing compares all with all.
const PAIRED: usize = 64;

type Row = Vec<Option<String>>;

/// What must change to turn `found` into `expected`; `None` if nothing. Column names are not compared.
pub fn diff(expected: &Rows, found: &Rows, order: Order) -> Option<RowDiff> {
    let (missing, unexpected) = bag_difference(&expected.rows, &found.rows);
    if missing.is_empty() && unexpected.is_empty() {
        return match order {
            Order::Any => None,
            Order::Exact => first_misplaced(expected, found),
        };
    }
    let n_different = missing.len().max(unexpected.len());
    let (missing, unexpected, changed) = pair(missing, unexpected);
    let mut difference = RowDiff { columns: expected.columns.clone(), missing, unexpected, changed, more: 0 };
    difference.missing.truncate(LISTED);
    difference.unexpected.truncate(LISTED);
    difference.changed.truncate(LISTED);
    let n_listed = difference.changed.len() + difference.missing.len().max(difference.unexpected.len());
    difference.more = n_different.saturating_sub(n_listed) as u64;
    Some(difference)
}

/// The rows of either side that the other side lacks, as bags, each sorted.
fn bag_difference(expected: &[Row], found: &[Row]) -> (Vec<Row>, Vec<Row>) {
    let expected = sorted(expected);
    let found = sorted(found);
    let (mut missing, mut unexpected) = (Vec::new(), Vec::new());
    let mut left = expected.into_iter().peekable();
    let mut right = found.into_iter().peekable();
    loop {
        let side = match (left.peek(), right.peek()) {
            (Some(want), Some(have)) => want.cmp(have),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return (missing, unexpected),
        };
        match side {
            Ordering::Less => missing.extend(left.next()),
            Ordering::Greater => unexpected.extend(right.next()),
            Ordering::Equal => {
                left.next();
                right.next();
            }
        }
    }
}

fn sorted(rows: &[Row]) -> Vec<Row> {
    let mut rows = rows.to_vec();
    rows.sort();
    rows
}

/// Takes out the pairs of rows that look like one row with other values.
fn pair(missing: Vec<Row>, mut unexpected: Vec<Row>) -> (Vec<Row>, Vec<Row>, Vec<ChangedRow>) {
    let mut unpaired = Vec::new();
    let mut changed = Vec::new();
    for (row_idx, expected) in missing.into_iter().enumerate() {
        let best = if row_idx < PAIRED { most_alike(&expected, &unexpected) } else { None };
        match best {
            Some(position) => changed.push(ChangedRow { expected, found: unexpected.remove(position) }),
            None => unpaired.push(expected),
        }
    }
    (unpaired, unexpected, changed)
}

/// The position of the row most like `row`: the first column is mostly a key, so a row must share it, or share
/// more than half of all values.
fn most_alike(row: &Row, candidates: &[Row]) -> Option<usize> {
    let mut best: Option<(bool, usize, usize)> = None;
    for (position, candidate) in candidates.iter().take(PAIRED).enumerate() {
        let same_first = row.first().is_some_and(|value| value.is_some() && candidate.first() == Some(value));
        let n_same = row.iter().zip(candidate).filter(|(left, right)| left == right).count();
        let alike = same_first || n_same * 2 > row.len();
        let better = best.is_none_or(|(first, count, _)| (same_first, n_same) > (first, count));
        if alike && better {
            best = Some((same_first, n_same, position));
        }
    }
    best.map(|(_, _, position)| position)
}

/// The first place where two equal bags differ in order.
fn first_misplaced(expected: &Rows, found: &Rows) -> Option<RowDiff> {
    let pairs: Vec<ChangedRow> = expected
        .rows
        .iter()
        .zip(&found.rows)
        .filter(|(left, right)| left != right)
        .map(|(left, right)| ChangedRow { expected: left.clone(), found: right.clone() })
        .collect();
    let n_misplaced = pairs.len();
    let changed: Vec<ChangedRow> = pairs.into_iter().take(1).collect();
    if changed.is_empty() {
        return None;
    }
    let more = n_misplaced.saturating_sub(1) as u64;
    Some(RowDiff { columns: expected.columns.clone(), changed, more, ..RowDiff::default() })
}
