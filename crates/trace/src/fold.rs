//! Steps to [`Scene`]: a pure fold, so that a state does not depend on the way it was reached.
//!
//! Ids that point nowhere are passed over: a trace from another build may show less, but never panics.

use crate::{FileStatus, FilesEvent, Outcome, RowId, RowState, Scene, Step, Tally, Trace};

impl Trace {
    /// The state after the first `step` steps; a number beyond the end means all of them.
    pub fn scene(&self, step: usize) -> Scene {
        let step = step.min(self.steps.len());
        let mut scene = Scene::before(self);
        let done = self.steps.get(..step).unwrap_or(&[]);
        for (idx, event) in done.iter().enumerate() {
            scene.apply(event, idx + 1 == step);
        }
        scene.step = step;
        scene
    }
}

impl Scene {
    fn apply(&mut self, step: &Step, is_latest: bool) {
        self.phase = step.phase();
        match step {
            Step::ReadSource { rows } => self.tally.source_rows += rows,
            Step::SkipFile { file, .. } => self.skip(*file),
            Step::ScanFile { file, .. } => self.scan(*file),
            Step::Match { target, source } => self.pair(*target, *source, is_latest),
            Step::MatchMany { pairs, .. } => self.tally.pairs += pairs,
            Step::Duplicate { target, sources } => self.conflict(*target, sources, is_latest),
            Step::TouchFile { file, .. } => self.touch(*file),
            Step::LeaveFile { file } => self.set_status(*file, FileStatus::Left),
            Step::Act { outcome, clause, target, source } => {
                self.act(*outcome, *clause, *target, *source, is_latest);
            }
            Step::ActMany { outcome, file, rows, .. } => self.act_many(*outcome, *file, *rows),
            Step::WriteFile { file, rows } => self.write(*file, *rows),
            Step::HideRows { file, .. } => self.hide_rows(*file),
            Step::RemoveFile { file } => self.remove(*file),
            Step::Commit { version } => {
                self.committed = true;
                self.reader_version = Some(*version);
            }
            Step::ChangeColumns { .. } | Step::WriteChanges { .. } | Step::NoCommit | Step::Fail => {}
            Step::Files { event, files } => self.apply_to_files(event, files),
        }
    }

    fn apply_to_files(&mut self, event: &FilesEvent, files: &[u32]) {
        match event {
            FilesEvent::Skipped { .. } => files.iter().for_each(|file| self.skip(*file)),
            FilesEvent::Scanned { .. } => files.iter().for_each(|file| self.scan(*file)),
            FilesEvent::Matched { pairs } => self.tally.pairs += pairs,
            FilesEvent::Touched { .. } => files.iter().for_each(|file| self.touch(*file)),
            FilesEvent::Left => files.iter().for_each(|file| self.set_status(*file, FileStatus::Left)),
            FilesEvent::Acted { outcome, rows, .. } => self.tally.count(*outcome, *rows),
            FilesEvent::Written { rows } => {
                files.iter().for_each(|file| self.write(*file, 0));
                self.tally.rows_written += rows;
            }
            FilesEvent::Hidden { .. } => files.iter().for_each(|file| self.hide_rows(*file)),
            FilesEvent::Removed => files.iter().for_each(|file| self.remove(*file)),
        }
    }

    fn skip(&mut self, file: u32) {
        self.set_status(file, FileStatus::Skipped);
        self.tally.files_skipped += 1;
    }

    fn scan(&mut self, file: u32) {
        self.set_status(file, FileStatus::Scanned);
        self.tally.files_scanned += 1;
    }

    fn touch(&mut self, file: u32) {
        self.set_status(file, FileStatus::Touched);
        self.tally.files_touched += 1;
    }

    fn remove(&mut self, file: u32) {
        self.set_status(file, FileStatus::Removed);
        self.tally.files_removed += 1;
    }

    fn hide_rows(&mut self, file: u32) {
        self.set_status(file, FileStatus::RowsHidden);
        self.tally.files_hidden += 1;
    }

    fn write(&mut self, file: u32, rows: u64) {
        if let Some(exists) = self.written.get_mut(file as usize) {
            *exists = true;
        }
        self.tally.files_added += 1;
        self.tally.rows_written += rows;
    }

    fn pair(&mut self, target: RowId, source: u32, is_latest: bool) {
        self.tally.pairs += 1;
        if let Some(row) = self.target_row(target) {
            row.matches += 1;
            row.focus = is_latest;
        }
        if let Some(row) = self.source.get_mut(source as usize) {
            row.matches += 1;
            row.focus = is_latest;
        }
    }

    fn conflict(&mut self, target: RowId, sources: &[u32], is_latest: bool) {
        if let Some(row) = self.target_row(target) {
            row.conflict = true;
            row.focus = is_latest;
        }
        for source in sources {
            if let Some(row) = self.source.get_mut(*source as usize) {
                row.conflict = true;
                row.focus = is_latest;
            }
        }
    }

    fn act(
        &mut self,
        outcome: Outcome,
        clause: Option<u32>,
        target: Option<RowId>,
        source: Option<u32>,
        is_latest: bool,
    ) {
        self.tally.count(outcome, 1);
        if let Some(id) = target {
            self.count_in_file(id.file, outcome, 1);
            if let Some(row) = self.target_row(id) {
                row.outcome = Some(outcome);
                row.clause = clause;
                row.focus = is_latest;
            }
        }
        if let Some(row) = source.and_then(|source| self.source.get_mut(source as usize)) {
            row.focus = is_latest;
            // A source row may meet several target rows; that it acted on one of them outweighs
            // that it did nothing to another.
            let fate = if outcome == Outcome::Copied { Outcome::Ignored } else { outcome };
            if fate != Outcome::Ignored || row.outcome.is_none() {
                row.outcome = Some(fate);
                row.clause = clause;
            }
        }
    }

    fn act_many(&mut self, outcome: Outcome, file: Option<u32>, rows: u64) {
        self.tally.count(outcome, rows);
        let Some(file) = file else { return };
        self.count_in_file(file, outcome, rows);
        // Copied rows are those that nothing else happened to, so they are known without being listed.
        let Some(state) = self.files.get_mut(file as usize) else { return };
        let n_undecided = state.rows.iter().filter(|row| row.outcome.is_none()).count() as u64;
        let is_complete = state.counts.total() == state.rows.len() as u64;
        if outcome == Outcome::Copied && is_complete && n_undecided == rows {
            for row in state.rows.iter_mut().filter(|row| row.outcome.is_none()) {
                row.outcome = Some(Outcome::Copied);
            }
        }
    }

    fn count_in_file(&mut self, file: u32, outcome: Outcome, rows: u64) {
        if let Some(state) = self.files.get_mut(file as usize) {
            state.counts.add(outcome, rows);
        }
    }

    fn set_status(&mut self, file: u32, status: FileStatus) {
        if let Some(state) = self.files.get_mut(file as usize) {
            state.status = status;
        }
    }

    fn target_row(&mut self, id: RowId) -> Option<&mut RowState> {
        self.files.get_mut(id.file as usize)?.rows.get_mut(id.row as usize)
    }
}

impl Tally {
    fn count(&mut self, outcome: Outcome, rows: u64) {
        match outcome {
            Outcome::Inserted => self.inserted += rows,
            Outcome::Updated => self.updated += rows,
            Outcome::Deleted => self.deleted += rows,
            Outcome::Copied => self.copied += rows,
            Outcome::UpdatedBySource => self.updated_by_source += rows,
            Outcome::DeletedBySource => self.deleted_by_source += rows,
            Outcome::Ignored => {}
        }
    }
}
