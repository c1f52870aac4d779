//! What readers will find changed: the rows that go, come or get other values.

use crate::{Outcome, RowId, RowImage, RowOrigin, Scene, Trace};

/// One row that is not what it was.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference<'a> {
    pub outcome: Outcome,
    /// Absent for an inserted row.
    pub before: Option<&'a RowImage>,
    /// Absent for a deleted row.
    pub after: Option<&'a RowImage>,
    pub clause: Option<u32>,
    /// The latest step is about it.
    pub focus: bool,
}

impl Trace {
    /// How many rows readers find other than before, once the statement is over. A row that was updated to the values
    /// that it had is none; where rows have no images every updated row counts.
    pub fn rows_changed(&self) -> u64 {
        let scene = self.scene(self.steps.len());
        let updated = scene.tally.updated + scene.tally.updated_by_source;
        let pairs = self.differences(&scene).into_iter().filter_map(|found| Some((found.before?, found.after?)));
        let (mut n_told, mut n_other) = (0, 0);
        for (before, after) in pairs {
            n_told += 1;
            n_other += u64::from(before != after);
        }
        let n_updated = if n_told == updated { n_other } else { updated };
        scene.tally.changed() - updated + n_updated
    }

    /// The differences decided so far, target rows before inserted ones; only rows that have an image.
    pub fn differences<'a>(&'a self, scene: &Scene) -> Vec<Difference<'a>> {
        let mut differences = Vec::new();
        for (file_idx, (file, state)) in self.target.files.iter().zip(&scene.files).enumerate() {
            for (row_idx, (before, row)) in file.rows.iter().zip(&state.rows).enumerate() {
                let Some(outcome) = row.outcome.filter(|outcome| outcome.leaves()) else { continue };
                let id = RowId { file: file_idx as u32, row: row_idx as u32 };
                let after = self.written_from(|origin| origin.target == Some(id) && origin.outcome == outcome);
                let (clause, focus) = (row.clause, row.focus);
                differences.push(Difference { outcome, before: Some(before), after, clause, focus });
            }
        }
        differences.extend(self.inserted(scene));
        differences
    }

    fn inserted<'a>(&'a self, scene: &Scene) -> Vec<Difference<'a>> {
        let rows = scene.source.iter().enumerate();
        let inserted = rows.filter(|(_, row)| row.outcome == Some(Outcome::Inserted)).map(|(source, row)| {
            let is_it =
                |origin: &RowOrigin| origin.outcome == Outcome::Inserted && origin.source == Some(source as u32);
            let after = self.written_from(is_it);
            Difference { outcome: Outcome::Inserted, before: None, after, clause: row.clause, focus: row.focus }
        });
        inserted.filter(|difference| difference.after.is_some()).collect()
    }

    fn written_from(&self, is_it: impl Fn(&RowOrigin) -> bool) -> Option<&RowImage> {
        self.written.iter().find_map(|written| {
            let idx = written.origins.iter().position(&is_it)?;
            written.file.rows.get(idx)
        })
    }
}
