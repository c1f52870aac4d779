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
        let file = self.file.map(FileRef::Old);
        let is_about = |idx: usize| file.is_some() && trace.steps.get(idx).and_then(trace::Step::file) == file;
        // Of several steps in a row about the file the first stops.
        let is_first = |idx: usize| is_about(idx) && (idx == 0 || !is_about(idx - 1));
        let is_null = |idx: usize| self.nulls && nulls.contains(&idx);
        (0..trace.steps.len()).filter(|idx| is_first(*idx) || is_null(*idx)).map(|idx| idx + 1).collect()
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
