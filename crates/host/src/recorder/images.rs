//! The rows that a trace shows: the source, the old files, the new files.
//!
//! Either every row of all three has an image, or the trace is summarised and shows first rows.

use super::digest::{Origin, WrittenHead};
use super::reasons::outcome;
use super::{Begin, Recorder, Source};
use crate::cells::{rows_of, rows_of_all};
use crate::files;
use crate::limits::{ALL_IMAGE_ROWS, IMAGE_ROWS, SAMPLE_ROWS};
use delta::storage::Storage;
use query::Column;
use spec::Diagnostic;
use trace::{ColumnImage, FileImage, Outcome, RowOrigin, SourceImage, TargetImage, WrittenImage};

pub(super) struct Images {
    pub(super) source: Option<SourceImage>,
    pub(super) target: TargetImage,
    pub(super) written: Vec<WrittenImage>,
    pub(super) summarised: bool,
}

/// Formats what was kept and reads the old files.
///
/// # Errors
/// An old file cannot be read, or a value has no text form.
pub(super) async fn collect(recorder: &Recorder, begin: &Begin, storage: &dyn Storage) -> Result<Images, Diagnostic> {
    let mut old = old_files(recorder, begin, storage).await?;
    let counts = || {
        let source = recorder.source.as_ref().map_or(0, |source| source.rows.num_rows() as u64);
        let old = old.iter().map(|file| file.n_rows);
        let new = recorder.written.iter().map(|file| file.n_rows);
        old.chain(new).chain([source])
    };
    let summarised = counts().sum::<u64>() > ALL_IMAGE_ROWS as u64 || counts().any(|n_rows| n_rows > IMAGE_ROWS as u64);
    let per_image = if summarised { SAMPLE_ROWS } else { IMAGE_ROWS };

    let snapshot = &begin.target.snapshot;
    let mut budget = ALL_IMAGE_ROWS;
    let mut take = |n_rows: u64| {
        let n_wanted = per_image.min(budget).min(usize::try_from(n_rows).unwrap_or(usize::MAX));
        budget -= n_wanted;
        n_wanted
    };
    let source = match &recorder.source {
        Some(source) => Some(source_image(source, take(source.rows.num_rows() as u64))?),
        None => None,
    };
    for (file, add) in old.iter_mut().zip(snapshot.files()) {
        let n_wanted = take(file.n_rows);
        file.rows = files::first_rows(storage, snapshot, add, n_wanted).await?;
    }
    let mut written = Vec::with_capacity(recorder.written.len());
    for head in &recorder.written {
        written.push(written_image(recorder, begin, head, take(head.n_rows))?);
    }
    let target = TargetImage {
        name: begin.target.name.clone(),
        columns: files::columns_of(snapshot),
        version: Some(snapshot.version()),
        files: old,
    };
    Ok(Images { source, target, written, summarised })
}

async fn old_files(recorder: &Recorder, begin: &Begin, storage: &dyn Storage) -> Result<Vec<FileImage>, Diagnostic> {
    let snapshot = &begin.target.snapshot;
    let scanned: std::collections::BTreeMap<u32, u64> =
        recorder.matched.iter().flat_map(|matched| &matched.files).map(|file| (file.file, file.n_rows)).collect();
    let mut old = Vec::with_capacity(snapshot.files().len());
    for (idx, add) in snapshot.files().iter().enumerate() {
        let n_rows = match scanned.get(&(idx as u32)) {
            Some(n_rows) => *n_rows,
            None => files::n_rows_of(storage, snapshot, add).await?,
        };
        let mut image = files::describe(snapshot, add, Some(n_rows));
        image.hidden = files::hidden(storage, snapshot.root(), add, n_rows).await?;
        old.push(image);
    }
    Ok(old)
}

fn source_image(source: &Source, n_wanted: usize) -> Result<SourceImage, Diagnostic> {
    Ok(SourceImage {
        name: source.name.clone(),
        columns: source.columns.iter().map(column_image).collect(),
        rows: rows_of(&source.rows, n_wanted)?,
        n_rows: source.rows.num_rows() as u64,
    })
}

fn column_image(column: &Column) -> ColumnImage {
    ColumnImage { name: column.name.clone(), data_type: column.data_type.spark_name(), partition: false }
}

fn written_image(
    recorder: &Recorder,
    begin: &Begin,
    head: &WrittenHead,
    n_wanted: usize,
) -> Result<WrittenImage, Diagnostic> {
    let mut file = files::describe(&begin.target.snapshot, &head.add, Some(head.n_rows));
    file.rows = rows_of_all(&head.rows, n_wanted)?;
    let origins = head.origins.iter().take(file.rows.len()).map(|origin| row_origin(recorder, origin)).collect();
    Ok(WrittenImage { file, origins })
}

fn row_origin(recorder: &Recorder, origin: &Origin) -> RowOrigin {
    let acted = origin.clause.and_then(|clause| recorder.clause_kind(clause));
    let target = origin.target.and_then(|row| recorder.matched.as_ref()?.row_id(row));
    RowOrigin {
        outcome: acted.map_or(Outcome::Copied, |(kind, action)| outcome(kind, action)),
        target,
        source: origin.source.map(|source| source as u32),
    }
}
