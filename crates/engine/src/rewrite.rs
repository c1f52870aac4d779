//! The rows of touched files: those that no clause changes are copied, the others are looked up.

use crate::batch::gather;
use crate::products::{FileActions, From, NO_CLAUSE, Piece, ScannedFile};
use crate::table::delta_bytes;
use arrow::array::BooleanArray;
use arrow::compute::filter_record_batch;
use arrow::record_batch::RecordBatch;
use delta::parallel;
use delta::snapshot::Snapshot;
use query::packed;
use spec::Diagnostic;
use std::sync::Arc;

/// The rows that have no clause, batch by batch in the order of the files. A batch that is copied whole keeps its
/// buffers.
pub(crate) fn copied(scanned: &[Arc<ScannedFile>], files: &[&FileActions]) -> Result<Vec<Piece>, Diagnostic> {
    let n_bytes = files.iter().map(|file| scanned[file.scanned].add.size as usize).sum();
    let of_file = |file: &FileActions| copied_of_file(&scanned[file.scanned], &file.clause);
    let pieces = parallel::map(files.to_vec(), n_bytes, of_file);
    Ok(pieces.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// The files by the task that reads them, and so writes their rows.
pub(crate) fn by_task<'a>(
    snapshot: &Snapshot,
    scanned: &[Arc<ScannedFile>],
    files: &'a [FileActions],
    parallelism: usize,
) -> Vec<Vec<&'a FileActions>> {
    let size = |file: &FileActions| delta_bytes(snapshot, &scanned[file.scanned].add);
    let sizes: Vec<u64> = files.iter().map(size).collect();
    let of_task = |chosen: Vec<usize>| chosen.into_iter().filter_map(|file| files.get(file)).collect();
    packed(&sizes, parallelism).into_iter().map(of_task).collect()
}

fn copied_of_file(file: &ScannedFile, clause: &[u16]) -> Result<Vec<Piece>, Diagnostic> {
    let mut pieces = Vec::new();
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
    Ok(pieces)
}

/// The rows at `rows` of touched files. Rows are numbered among all scanned rows and sorted; only touched files, which
/// are given in their order, have all columns.
pub(crate) fn old_rows<'a>(
    touched: impl Iterator<Item = &'a ScannedFile>,
    rows: &[u64],
) -> Result<RecordBatch, Diagnostic> {
    debug_assert!(rows.is_sorted());
    let mut batches = Vec::new();
    let mut shifted = Vec::with_capacity(rows.len());
    let mut before = 0;
    let mut rest = rows.iter().copied().peekable();
    for file in touched {
        while let Some(row) = rest.next_if(|row| *row < file.first_row + file.n_rows) {
            shifted.push(row - file.first_row + before);
        }
        before += file.n_rows;
        batches.extend(file.batches.iter());
    }
    gather(&batches, &shifted)
}
