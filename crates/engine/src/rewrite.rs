//! Copying the rows of a touched file that no clause changes.

use crate::products::{From, NO_CLAUSE, Piece, ScannedFile};
use arrow::array::BooleanArray;
use arrow::compute::filter_record_batch;
use spec::Diagnostic;

/// Adds the rows of the file that have no clause, batch by batch. A batch that is copied whole
/// keeps its buffers.
pub(crate) fn copied(file: &ScannedFile, clause: &[u16], pieces: &mut Vec<Piece>) -> Result<(), Diagnostic> {
    let mut start = 0;
    for batch in &file.batches {
        let end = start + batch.num_rows();
        let first = file.first_row + start as u64;
        let of_batch = clause.get(start..end).ok_or_else(|| Diagnostic::internal("a row has no action"))?;
        start = end;
        let n_copied = of_batch.iter().filter(|by| **by == NO_CLAUSE).count();
        if n_copied == of_batch.len() {
            pieces.push(Piece { rows: batch.clone(), from: From::Copied { first, kept: None } });
        } else if n_copied > 0 {
            let kept: BooleanArray = of_batch.iter().map(|by| Some(*by == NO_CLAUSE)).collect();
            let rows = filter_record_batch(batch, &kept).map_err(Diagnostic::internal)?;
            pieces.push(Piece { rows, from: From::Copied { first, kept: Some(kept) } });
        }
    }
    Ok(())
}
