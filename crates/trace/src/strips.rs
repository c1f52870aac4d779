//! Rows × files: what became of the rows of each file, cell by cell while they are few, else as counts.

use crate::{Counts, FileRef, FileStatus, Outcome, Scene, Tally, Trace, WrittenImage};

/// With more rows than this a file is counted, not drawn row by row.
pub const MAX_CELLS: usize = 64;

/// One file of the map.
#[derive(Debug, Clone, PartialEq)]
pub struct Strip {
    /// `None` for all new files together, where it is not known which row is in which.
    pub file: Option<FileRef>,
    pub label: String,
    pub n_rows: u64,
    /// The state of an old file.
    pub status: Option<FileStatus>,
    /// One per row; empty where the rows are only counted.
    pub cells: Vec<Option<Outcome>>,
    /// Rows with an outcome so far.
    pub counts: Counts,
    /// Positions in the file of rows that were hidden before, in order; `cells` are the others.
    pub hidden: Vec<u32>,
}

/// What the files cost in rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amplification {
    /// No row has been written.
    Nothing,
    /// No row changed, and these were written all the same.
    ForNothing { written: u64 },
    /// Rows written for rows changed, both above 0.
    Factor { written: u64, changed: u64 },
}

impl Strip {
    /// Every row that the file holds, in its order: what became of it, or `None` where it was hidden before.
    pub fn stored(&self) -> Vec<Option<Option<Outcome>>> {
        let mut rows: Vec<_> = self.cells.iter().copied().map(Some).collect();
        for position in &self.hidden {
            rows.insert((*position as usize).min(rows.len()), None);
        }
        rows
    }
}

impl Tally {
    /// Rows that readers find inserted, updated or deleted.
    pub fn changed(&self) -> u64 {
        self.inserted + self.updated + self.deleted + self.updated_by_source + self.deleted_by_source
    }

    /// Rows written ÷ rows changed.
    pub fn amplification(&self) -> Amplification {
        match (self.rows_written, self.changed()) {
            (0, _) => Amplification::Nothing,
            (written, 0) => Amplification::ForNothing { written },
            (written, changed) => Amplification::Factor { written, changed },
        }
    }
}

impl Trace {
    /// The old files, then the new ones that exist, in their order.
    pub fn strips(&self, scene: &Scene) -> Vec<Strip> {
        let old = self.target.files.iter().zip(&scene.files).enumerate().map(|(idx, (file, state))| {
            let is_drawn = file.n_rows <= MAX_CELLS as u64 && state.rows.len() as u64 == file.n_rows;
            let outcomes = state.rows.iter().map(|row| row.outcome);
            Strip {
                file: Some(FileRef::Old(idx as u32)),
                label: self.file_label(idx as u32),
                n_rows: file.n_rows,
                status: Some(state.status),
                cells: if is_drawn { outcomes.collect() } else { Vec::new() },
                counts: state.counts.clone(),
                hidden: file.hidden.clone(),
            }
        });
        old.chain(self.new_strips(scene)).collect()
    }

    fn new_strips(&self, scene: &Scene) -> Vec<Strip> {
        let written: Vec<(usize, &WrittenImage)> =
            self.written.iter().enumerate().filter(|(idx, _)| scene.written.get(*idx) == Some(&true)).collect();
        let is_complete = |written: &WrittenImage| written.origins.len() as u64 == written.file.n_rows;
        if written.iter().all(|(_, written)| is_complete(written)) {
            return written.into_iter().map(|(idx, written)| self.new_strip(idx, written)).collect();
        }
        let tally = &scene.tally;
        let mut counts = Counts::default();
        counts.add(Outcome::Inserted, tally.inserted);
        counts.add(Outcome::Updated, tally.updated);
        counts.add(Outcome::UpdatedBySource, tally.updated_by_source);
        counts.add(Outcome::Copied, tally.copied);
        vec![Strip {
            file: None,
            label: format!("all {} new files", written.len()),
            n_rows: tally.rows_written,
            status: None,
            cells: Vec::new(),
            counts,
            hidden: Vec::new(),
        }]
    }

    fn new_strip(&self, idx: usize, written: &WrittenImage) -> Strip {
        let mut counts = Counts::default();
        for origin in &written.origins {
            counts.add(origin.outcome, 1);
        }
        let is_drawn = written.origins.len() <= MAX_CELLS;
        let outcomes = written.origins.iter().map(|origin| Some(origin.outcome));
        Strip {
            file: Some(FileRef::New(idx as u32)),
            label: self.written_label(idx as u32),
            n_rows: written.file.n_rows,
            status: None,
            cells: if is_drawn { outcomes.collect() } else { Vec::new() },
            counts,
            hidden: Vec::new(),
        }
    }
}
