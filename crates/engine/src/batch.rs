//! Batches whose columns are found by position.
//!
//! Bound expressions address columns by their position in a scope. Columns that nobody needs are
//! `Null` arrays: they have a length and no buffer, so positions stay put at no cost.

use arrow::array::{Array, ArrayRef, NullArray, UInt64Array, new_null_array};
use arrow::compute::{interleave, take};
use arrow::datatypes::{DataType, Field, Schema};
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use spec::Diagnostic;
use std::sync::Arc;

/// A batch of these columns; column names carry no meaning.
pub(crate) fn positional(columns: Vec<ArrayRef>, n_rows: usize) -> Result<RecordBatch, Diagnostic> {
    let fields: Vec<Field> = columns
        .iter()
        .enumerate()
        .map(|(idx, column)| Field::new(format!("c{idx}"), column.data_type().clone(), true))
        .collect();
    let options = RecordBatchOptions::new().with_row_count(Some(n_rows));
    RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), columns, &options).map_err(Diagnostic::internal)
}

/// A stand-in for a column that nobody needs.
pub(crate) fn absent(n_rows: usize) -> ArrayRef {
    Arc::new(NullArray::new(n_rows))
}

/// True for the stand-in of a column that was not read.
pub(crate) fn is_absent(column: &dyn Array) -> bool {
    column.data_type() == &DataType::Null
}

/// The columns of `left` followed by those of `right`.
pub(crate) fn beside(left: &RecordBatch, right: &RecordBatch) -> Result<RecordBatch, Diagnostic> {
    let columns = left.columns().iter().chain(right.columns()).cloned().collect();
    positional(columns, left.num_rows())
}

/// The rows at `rows` of one batch, in that order.
pub(crate) fn take_rows(batch: &RecordBatch, rows: &[u64]) -> Result<RecordBatch, Diagnostic> {
    let indices = UInt64Array::from(rows.to_vec());
    let columns = batch.columns().iter().map(|column| {
        if is_absent(column) {
            Ok(absent(rows.len()))
        } else {
            take(column, &indices, None).map_err(Diagnostic::internal)
        }
    });
    positional(columns.collect::<Result<_, _>>()?, rows.len())
}

/// The rows at `rows` of batches that follow each other, in that order. `rows` count from the
/// first row of the first batch.
pub(crate) fn gather(batches: &[&RecordBatch], rows: &[u64]) -> Result<RecordBatch, Diagnostic> {
    let Some(first) = batches.first() else {
        return if rows.is_empty() { positional(Vec::new(), 0) } else { Err(Diagnostic::internal("rows of no batch")) };
    };
    let places = locate(batches, rows)?;
    let mut columns = Vec::with_capacity(first.num_columns());
    for idx in 0..first.num_columns() {
        let pieces: Vec<&dyn Array> = batches.iter().map(|batch| batch.column(idx).as_ref()).collect();
        if pieces.iter().any(|piece| is_absent(*piece)) {
            columns.push(absent(rows.len()));
        } else if rows.is_empty() {
            columns.push(new_null_array(pieces[0].data_type(), 0));
        } else {
            columns.push(interleave(&pieces, &places).map_err(Diagnostic::internal)?);
        }
    }
    positional(columns, rows.len())
}

/// (batch, row in it) of each row number.
fn locate(batches: &[&RecordBatch], rows: &[u64]) -> Result<Vec<(usize, usize)>, Diagnostic> {
    let mut starts = Vec::with_capacity(batches.len());
    let mut n_rows = 0u64;
    for batch in batches {
        starts.push(n_rows);
        n_rows += batch.num_rows() as u64;
    }
    rows.iter()
        .map(|row| {
            if *row >= n_rows {
                return Err(Diagnostic::internal(format!("row {row} of {n_rows}")));
            }
            let batch = starts.partition_point(|start| start <= row) - 1;
            Ok((batch, (row - starts[batch]) as usize))
        })
        .collect()
}
