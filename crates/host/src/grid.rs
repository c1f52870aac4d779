//! Result rows as the page shows them.

use crate::cells::rows_of_all;
use crate::limits::GRID_ROWS;
use engine::sandbox::Rows;
use protocol::{Grid, GridColumn};
use spec::Diagnostic;

/// The first rows of a result as text, with the number of all.
///
/// # Errors
/// A column whose type has no text form.
pub(crate) fn grid(rows: &Rows) -> Result<Grid, Diagnostic> {
    let columns = rows.columns.iter();
    Ok(Grid {
        columns: columns
            .map(|column| GridColumn { name: column.name.clone(), data_type: column.data_type.spark_name() })
            .collect(),
        rows: rows_of_all(&rows.batches, GRID_ROWS)?,
        total: rows.batches.iter().map(|batch| batch.num_rows() as u64).sum(),
    })
}
