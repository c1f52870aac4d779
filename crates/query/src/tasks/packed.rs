//! Which files a task reads (`FilePartition.getFilePartitions` of Spark).

/// What opening a file is taken to cost, as bytes read: `spark.sql.files.openCostInBytes`.
const OPEN_COST: u64 = 4 << 20;
/// `spark.sql.files.maxPartitionBytes`
const MOST_BYTES: u64 = 128 << 20;

/// The files of each task, by position, for files of these sizes in bytes and so many tasks side by side. The files of a task
/// are in their order.
pub fn packed(sizes: &[u64], parallelism: usize) -> Vec<Vec<usize>> {
    let cost = |size: u64| size.saturating_add(OPEN_COST);
    let total: u64 = sizes.iter().map(|size| cost(*size)).sum();
    let most = (total / parallelism.max(1) as u64).clamp(OPEN_COST, MOST_BYTES);
    let mut largest_first: Vec<usize> = (0..sizes.len()).collect();
    largest_first.sort_by_key(|file| std::cmp::Reverse(sizes.get(*file)));
    let mut tasks: Vec<Vec<usize>> = Vec::new();
    let mut filled = 0;
    for file in largest_first {
        let size = sizes.get(file).copied().unwrap_or_default();
        match tasks.last_mut() {
            Some(task) if filled + size <= most => task.push(file),
            _ => {
                tasks.push(vec![file]);
                filled = 0;
            }
        }
        filled += cost(size);
    }
    tasks.iter_mut().for_each(|task| task.sort_unstable());
    tasks
}
