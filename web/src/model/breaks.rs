//! Where a play stops by itself.

use trace::{FileRef, Trace};

/// The stops that the reader asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Breaks {
    /// Where a condition is NULL for the rows of a step.
    pub nulls: bool,
    /// Where this old file comes up.
    pub file: Option<u32>,
}

impl Breaks {
    /// The positions behind the steps that are meant (`nulls` are those at which a condition is NULL), ascending: a position is the number of steps done.
    pub fn positions(self, trace: &Trace, nulls: &[usize]) -> Vec<usize> {
        let mut positions: Vec<usize> = Vec::new();
        if self.nulls {
            positions.extend(nulls.iter().map(|idx| idx + 1));
        }
        if let Some(file) = self.file.map(FileRef::Old) {
            let is_about = |idx: usize| trace.steps.get(idx).and_then(trace::Step::file) == Some(file);
            // Of several steps in a row about the file the first stops.
            let firsts = (0..trace.steps.len()).filter(|idx| is_about(*idx) && (*idx == 0 || !is_about(idx - 1)));
            positions.extend(firsts.map(|idx| idx + 1));
        }
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// Why a play stopped, for the status line.
    pub fn reason(self, trace: &Trace, nulls: &[usize], position: usize) -> String {
        let is_null = self.nulls && nulls.iter().any(|idx| idx + 1 == position);
        match self.file {
            _ if is_null => "Stopped: a condition is NULL for these rows.".to_string(),
            Some(file) => format!("Stopped: {} comes up.", trace.file_label(file)),
            None => "Stopped.".to_string(),
        }
    }
}
