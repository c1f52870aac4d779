//! Which files OPTIMIZE puts together; pure.

use delta::actions::{Add, PartitionValues};
use delta::stats::num_records;
use std::sync::Arc;

/// What decides about a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Smaller files are put together.
    pub(super) min_file_size: i64,
    /// How large a bin may get.
    pub(super) max_file_size: i64,
    /// Files with a larger part of deleted rows are written anew.
    pub(super) max_deleted_ratio: f64,
}

/// Files of one partition that become one new file (several where rows are ordered anew).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bin {
    /// Indices into the snapshot's files.
    pub(super) files: Vec<usize>,
    pub(super) partition: PartitionValues,
}

/// Whether compaction wants the file: it is small, or holds many deleted rows.
pub(super) fn wants(add: &Add, limits: &Limits) -> bool {
    add.size < limits.min_file_size || deleted_ratio(add).is_none_or(|ratio| ratio > limits.max_deleted_ratio)
}

/// The part of the rows that a deletion vector hides; unknown where the file does not say how many rows it has.
fn deleted_ratio(add: &Add) -> Option<f64> {
    let Some(vector) = &add.deletion_vector else { return Some(0.0) };
    let n_rows = add.stats.as_deref().and_then(num_records)?;
    Some(if n_rows > 0 { vector.cardinality as f64 / n_rows as f64 } else { 0.0 })
}

/// The bins of compaction. Those of a single file are left alone.
pub(super) fn by_size(files: &[(usize, &Arc<Add>)], limits: &Limits) -> Vec<Bin> {
    let mut bins = filled(files, limits);
    bins.retain(|bin| bin.files.len() > 1);
    bins
}

/// The bins of a purge: every file is written anew.
pub(super) fn purged(files: &[(usize, &Arc<Add>)], limits: &Limits) -> Vec<Bin> {
    let mut bins = filled(files, limits);
    bins.retain(|bin| !bin.files.is_empty());
    bins
}

/// Groups by partition and fills bins in size order.
fn filled(files: &[(usize, &Arc<Add>)], limits: &Limits) -> Vec<Bin> {
    let mut bins = Vec::new();
    for (partition, mut files) in by_partition(files) {
        files.sort_by_key(|(_, add)| add.size);
        let (mut current, mut size) = (Vec::new(), 0);
        for (idx, add) in files {
            if size + add.size > limits.max_file_size {
                bins.push(Bin { files: std::mem::take(&mut current), partition: partition.clone() });
                size = 0;
            }
            current.push(idx);
            size += add.size;
        }
        bins.push(Bin { files: current, partition });
    }
    bins
}

/// One bin per partition: all of its files.
pub(super) fn whole(files: &[(usize, &Arc<Add>)]) -> Vec<Bin> {
    let bin = |(partition, files): (PartitionValues, Vec<(usize, &Arc<Add>)>)| Bin {
        files: files.into_iter().map(|(idx, _)| idx).collect(),
        partition,
    };
    by_partition(files).into_iter().map(bin).collect()
}

/// Files with their place in the snapshot.
type Numbered<'a> = Vec<(usize, &'a Arc<Add>)>;

/// Partitions in the order of their first file.
fn by_partition<'a>(files: &[(usize, &'a Arc<Add>)]) -> Vec<(PartitionValues, Numbered<'a>)> {
    let mut groups: Vec<(PartitionValues, Numbered<'a>)> = Vec::new();
    for (idx, add) in files {
        match groups.iter_mut().find(|(partition, _)| *partition == add.partition_values) {
            Some((_, group)) => group.push((*idx, add)),
            None => groups.push((add.partition_values.clone(), vec![(*idx, add)])),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(size: i64, partition: &str) -> Arc<Add> {
        let partition_values = PartitionValues::from([("p".to_owned(), Some(partition.to_owned()))]);
        Arc::new(Add::file(format!("{partition}/{size}"), partition_values, size))
    }

    fn bins(sizes: &[(i64, &str)], max_file_size: i64) -> Vec<Vec<usize>> {
        let files: Vec<Arc<Add>> = sizes.iter().map(|(size, partition)| add(*size, partition)).collect();
        let files: Vec<(usize, &Arc<Add>)> = files.iter().enumerate().collect();
        let limits = Limits { min_file_size: 100, max_file_size, max_deleted_ratio: 0.05 };
        by_size(&files, &limits).into_iter().map(|bin| bin.files).collect()
    }

    #[test]
    fn bins_fill_from_the_smallest_file_on() {
        assert_eq!(bins(&[(5, "a"), (3, "a"), (4, "a")], 8), [vec![1, 2]]);
        assert_eq!(bins(&[(5, "a"), (3, "a"), (4, "a")], 100), [vec![1, 2, 0]]);
    }

    #[test]
    fn partitions_stay_apart_and_lone_files_are_left() {
        assert_eq!(bins(&[(1, "a"), (1, "b"), (1, "a"), (1, "c")], 100), [vec![0, 2]]);
        assert_eq!(bins(&[(50, "a"), (60, "a")], 100), Vec::<Vec<usize>>::new());
    }
}
