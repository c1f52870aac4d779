//! Row ids that survive a rewrite (PROTOCOL.md, Row Tracking): a row that is copied or updated keeps its id in a
//! column of the new file, a copied one the version of its last change too.

use crate::failure;
use crate::products::{From, Piece, ScannedFile};
use crate::read::{BATCH_ROWS, bytes_of};
use arrow::array::{Array, ArrayRef, AsArray, Int64Array, Int64Builder};
use arrow::datatypes::Int64Type;
use delta::mapping::MappingMode;
use delta::parquet_io::read_mapped_file;
use delta::row_tracking::{ROW_ID_COLUMN, ROW_VERSION_COLUMN, is_enabled};
use delta::schema::{DataType, StructField, StructType};
use delta::snapshot::Snapshot;
use delta::storage::Storage;
use spec::Diagnostic;
use std::sync::Arc;

/// The ids of the rows of some scanned files, and in which version each row was last changed.
#[derive(Debug, Clone)]
pub(crate) struct RowIds {
    /// The two columns in which data files keep them.
    pub(crate) columns: StructType,
    files: Vec<FileIds>,
}

#[derive(Debug, Clone)]
struct FileIds {
    /// As [`ScannedFile::first_row`].
    first_row: u64,
    ids: Vec<i64>,
    versions: Vec<i64>,
}

/// The ids of the rows of these files; `None` for a table that does not ask for them.
///
/// # Errors
/// A file without ids, or one that cannot be read.
pub(crate) async fn of(
    storage: &dyn Storage,
    snapshot: &Snapshot,
    scanned: &[Arc<ScannedFile>],
) -> Result<Option<RowIds>, Diagnostic> {
    let metadata = snapshot.metadata();
    if !is_enabled(metadata) {
        return Ok(None);
    }
    let mut columns = StructType::default();
    for property in [ROW_ID_COLUMN, ROW_VERSION_COLUMN] {
        let Some(name) = metadata.configuration.get(property) else {
            return Err(Diagnostic::unsupported(format!("Row tracking without the property {property}"), None));
        };
        columns.fields.push(StructField::new(name, DataType::Long));
    }
    let mut files = Vec::with_capacity(scanned.len());
    for file in scanned {
        files.push(ids_of(storage, snapshot, file, &columns).await?);
    }
    files.sort_by_key(|file| file.first_row);
    Ok(Some(RowIds { columns, files }))
}

async fn ids_of(
    storage: &dyn Storage,
    snapshot: &Snapshot,
    file: &ScannedFile,
    columns: &StructType,
) -> Result<FileIds, Diagnostic> {
    let (Some(base), Some(version)) = (file.add.base_row_id, file.add.default_row_commit_version) else {
        let what = format!("Rewriting {}, whose rows have no ids although the table tracks rows,", file.add.path);
        return Err(Diagnostic::unsupported(what, None));
    };
    let bytes = bytes_of(storage, snapshot, &file.add).await?;
    // These columns go by name in every mapping mode.
    let batches = read_mapped_file(bytes, columns, MappingMode::None, BATCH_ROWS).map_err(failure::of_store)?;
    let (mut ids, mut versions) = (Vec::new(), Vec::new());
    for batch in &batches {
        let kept = [0, 1].map(|idx| batch.column(idx).as_primitive::<Int64Type>());
        for row in 0..batch.num_rows() {
            let or = |values: &Int64Array, default: i64| if values.is_valid(row) { values.value(row) } else { default };
            ids.push(or(kept[0], base + ids.len() as i64));
            versions.push(or(kept[1], version));
        }
    }
    // Scanned rows are the live ones.
    if let Some(deleted) = &file.deleted {
        let live = (0..ids.len() as u64).filter(|row| !deleted.contains(*row));
        (ids, versions) = live.map(|row| (ids[row as usize], versions[row as usize])).unzip();
    }
    Ok(FileIds { first_row: file.first_row, ids, versions })
}

impl RowIds {
    /// The two columns for the rows of a piece: what each row keeps, NULL where the new file decides.
    ///
    /// # Errors
    /// The piece has a row of a file whose ids were not read.
    pub(crate) fn of_piece(&self, piece: &Piece) -> Result<[ArrayRef; 2], Diagnostic> {
        let n_rows = piece.rows.num_rows();
        let (mut ids, mut versions) = (Int64Builder::with_capacity(n_rows), Int64Builder::with_capacity(n_rows));
        match &piece.from {
            From::Copied { first, kept } => {
                let n_scanned = kept.as_ref().map_or(n_rows, Array::len);
                let is_kept = |row: &usize| kept.as_ref().is_none_or(|kept| kept.value(*row));
                for row in (0..n_scanned).filter(is_kept) {
                    let (id, version) = self.of_row(first + row as u64)?;
                    ids.append_value(id);
                    versions.append_value(version);
                }
            }
            From::Updated { target, .. } => {
                for row in target {
                    ids.append_value(self.of_row(*row)?.0);
                    versions.append_null();
                }
            }
            From::Inserted { .. } => {
                ids.append_nulls(n_rows);
                versions.append_nulls(n_rows);
            }
        }
        Ok([Arc::new(ids.finish()), Arc::new(versions.finish())])
    }

    fn of_row(&self, row: u64) -> Result<(i64, i64), Diagnostic> {
        let file = self.files.iter().rev().find(|file| file.first_row <= row);
        let found = file.and_then(|file| {
            let idx = (row - file.first_row) as usize;
            Some((*file.ids.get(idx)?, *file.versions.get(idx)?))
        });
        found.ok_or_else(|| Diagnostic::internal(format!("row {row} has no id")))
    }
}

/// Whether rows of older files are in the pieces, so that their ids must be kept.
pub(crate) fn moves_rows(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| !matches!(piece.from, From::Inserted { .. }))
}
