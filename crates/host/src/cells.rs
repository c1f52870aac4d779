//! Arrow columns to text, as Spark prints them.

use arrow::array::Array;
use arrow::record_batch::RecordBatch;
use spec::Diagnostic;
use trace::{Cell, RowImage};

/// The first `limit` rows of a batch.
///
/// # Errors
/// A column whose type has no text form.
pub(crate) fn rows_of(batch: &RecordBatch, limit: usize) -> Result<Vec<RowImage>, Diagnostic> {
    let n_rows = batch.num_rows().min(limit);
    let columns = batch.columns().iter().map(|column| cells_of(&column.slice(0, n_rows)));
    let columns: Vec<Vec<Cell>> = columns.collect::<Result<_, _>>()?;
    let mut rows = vec![Vec::with_capacity(columns.len()); n_rows];
    for column in columns {
        for (row, cell) in rows.iter_mut().zip(column) {
            row.push(cell);
        }
    }
    Ok(rows)
}

/// The first `limit` rows of batches that follow each other.
///
/// # Errors
/// As [`rows_of`].
pub(crate) fn rows_of_all(batches: &[RecordBatch], limit: usize) -> Result<Vec<RowImage>, Diagnostic> {
    let mut rows = Vec::new();
    for batch in batches {
        if rows.len() >= limit {
            break;
        }
        rows.extend(rows_of(batch, limit - rows.len())?);
    }
    Ok(rows)
}

fn cells_of(column: &arrow::array::ArrayRef) -> Result<Vec<Cell>, Diagnostic> {
    let text = query::display(column)?;
    Ok((0..text.len()).map(|row| text.is_valid(row).then(|| text.value(row).to_owned())).collect())
}
