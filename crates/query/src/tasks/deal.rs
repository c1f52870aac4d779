//! Which row goes to which task, as Spark's partitioners have it.

use super::row_hash::row_hashes;
use crate::functions::XorShift;
use arrow::array::{Array, AsArray, UInt32Array};
use arrow::compute::{SortOptions, concat_batches, take_record_batch};
use arrow::datatypes::Int32Type;
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;
use arrow::row::{OwnedRow, RowConverter, SortField};
use std::collections::VecDeque;

type Result<T> = std::result::Result<T, ArrowError>;

/// How rows are dealt out.
#[derive(Debug, Clone)]
pub(crate) enum Deal {
    /// As they are.
    Same,
    /// Tasks are put together in their order.
    Coalesce(usize),
    /// One row to each task in turn (`RoundRobinPartitioning`).
    RoundRobin(usize),
    /// The last column is the number of the task.
    ByColumn(usize),
    /// The last columns are sort keys; each task gets a range of them (`RangePartitioner`).
    ByRange(usize, SortKeys),
}

/// How each of the sort keys ascends.
pub(crate) type SortKeys = Vec<SortOptions>;

impl Deal {
    /// How many tasks there are of so many before.
    pub(crate) fn n_tasks(&self, n_before: usize) -> usize {
        match self {
            Deal::Same => n_before,
            Deal::Coalesce(n) => n_before.min(*n).max(1),
            Deal::RoundRobin(n) | Deal::ByColumn(n) | Deal::ByRange(n, _) => (*n).max(1),
        }
    }

    /// What each task gets of what the tasks before had. Of the columns the first `n_columns` stay.
    ///
    /// # Errors
    /// Columns that are not what the deal reads: a bug.
    pub(crate) fn out(&self, tasks: Vec<Vec<RecordBatch>>, n_columns: usize) -> Result<Vec<Vec<RecordBatch>>> {
        let n_tasks = self.n_tasks(tasks.len());
        let mut dealt = vec![Vec::new(); n_tasks];
        let bounds = match self {
            Deal::ByRange(_, keys) => Some(Bounds::of(&tasks, n_columns, keys, n_tasks)?),
            _ => None,
        };
        let mut bounds = bounds;
        let kept: Vec<usize> = (0..n_columns).collect();
        for (number, batches) in tasks.into_iter().enumerate() {
            let mut turn = first_turn(number, n_tasks);
            let batches = if let Deal::RoundRobin(_) = self { in_turns(batches)? } else { batches };
            for batch in batches {
                let mut rows: Vec<Vec<u32>> = vec![Vec::new(); n_tasks];
                let mut place = |row: usize, task: usize| {
                    if let (Some(rows), Ok(row)) = (rows.get_mut(task), u32::try_from(row)) {
                        rows.push(row);
                    }
                };
                match self {
                    Deal::ByColumn(_) => {
                        let wanted = batch.column(batch.num_columns() - 1).as_primitive::<Int32Type>();
                        let task = |row: usize| usize::try_from(wanted.value(row)).unwrap_or_default();
                        (0..wanted.len()).for_each(|row| place(row, task(row)));
                    }
                    Deal::ByRange(..) => {
                        let bounds = bounds.as_mut().map(|bounds| bounds.tasks_of(&batch, n_columns)).transpose()?;
                        bounds.into_iter().flatten().enumerate().for_each(|(row, task)| place(row, task));
                    }
                    Deal::Same | Deal::Coalesce(_) | Deal::RoundRobin(_) => {
                        for row in 0..batch.num_rows() {
                            turn = (turn + 1) % n_tasks;
                            place(row, turn);
                        }
                    }
                }
                for (task, rows) in dealt.iter_mut().zip(rows).filter(|(_, rows)| !rows.is_empty()) {
                    // Before the columns go, for they tell how many rows there are.
                    task.push(take_record_batch(&batch, &UInt32Array::from(rows))?.project(&kept)?);
                }
            }
        }
        Ok(dealt)
    }
}

/// The rows in the order in which a task deals them out: sorted by their hashes.
fn in_turns(batches: Vec<RecordBatch>) -> Result<Vec<RecordBatch>> {
    let Some(first) = batches.first() else { return Ok(batches) };
    let batch = concat_batches(&first.schema(), &batches)?;
    let Some(hashes) = row_hashes(batch.columns(), batch.num_rows()) else { return Ok(batches) };
    let mut rows: Vec<u32> = (0..u32::try_from(batch.num_rows()).unwrap_or(u32::MAX)).collect();
    rows.sort_by_key(|row| hashes.get(*row as usize));
    Ok(vec![take_record_batch(&batch, &UInt32Array::from(rows))?])
}

/// The task before the first that gets a row, as Spark draws it.
fn first_turn(task: usize, n_tasks: usize) -> usize {
    let bound = i32::try_from(n_tasks).unwrap_or(i32::MAX);
    usize::try_from(XorShift::new(task as u64).below(bound)).unwrap_or_default()
}

/// The largest keys of all tasks but the last.
struct Bounds {
    converter: RowConverter,
    bounds: Vec<OwnedRow>,
}

impl Bounds {
    /// Bounds that split the rows evenly; equal keys stay together.
    fn of(tasks: &[Vec<RecordBatch>], n_columns: usize, keys: &SortKeys, n_tasks: usize) -> Result<Self> {
        let first = tasks.iter().flatten().next();
        let fields = keys.iter().enumerate().map(|(idx, options)| {
            let kind = first.map(|batch| batch.column(n_columns + idx).data_type().clone());
            SortField::new_with_options(kind.unwrap_or(arrow::datatypes::DataType::Null), *options)
        });
        let converter = RowConverter::new(fields.collect())?;
        let mut rows = Vec::new();
        for batch in tasks.iter().flatten() {
            let keys = converter.convert_columns(batch.columns().get(n_columns..).unwrap_or_default())?;
            rows.extend(keys.iter().map(|row| row.owned()));
        }
        rows.sort_unstable();
        let n_tasks = n_tasks.min(rows.len());
        let step = rows.len() as f64 / n_tasks.max(1) as f64;
        let mut bounds: Vec<OwnedRow> = Vec::new();
        let mut target = step;
        let mut left: VecDeque<OwnedRow> = rows.into();
        let mut n_before = 0.0;
        while bounds.len() + 1 < n_tasks
            && let Some(row) = left.pop_front()
        {
            n_before += 1.0;
            if n_before >= target && bounds.last().is_none_or(|last| row > *last) {
                bounds.push(row);
                target += step;
            }
        }
        Ok(Self { converter, bounds })
    }

    fn tasks_of(&mut self, batch: &RecordBatch, n_columns: usize) -> Result<Vec<usize>> {
        let keys = self.converter.convert_columns(batch.columns().get(n_columns..).unwrap_or_default())?;
        let task = |row: arrow::row::Row<'_>| self.bounds.partition_point(|bound| bound.row() < row);
        Ok(keys.iter().map(task).collect())
    }
}
