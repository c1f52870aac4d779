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
