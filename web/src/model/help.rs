//! What the engine tells about the text while it is being written.

use crate::shared::Shared;
use protocol::{Assistance, ErrorReport};

/// A text and what was told about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    pub place: String,
    pub sheet: usize,
    pub text: String,
    pub help: Shared<Assistance>,
}

/// A question that has not been answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub id: u64,
    pub place: String,
    pub sheet: usize,
    pub text: String,
}

/// The state of asking: at most one question is on its way.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Help {
    pub told: Option<Told>,
    pub asked: Option<Question>,
    /// The id of the question for the language's words.
    pub words_asked: Option<u64>,
    /// Keywords and functions as JSON, ready for the editor.
    pub words: String,
    /// The tables and views as JSON, and the words: what the editor completes from.
    pub completions: String,
    /// Counts changes of the text, so that an alarm of an earlier one does nothing.
    pub round: u32,
    /// The engine died of a question; it is not asked again.
    pub off: bool,
    n_asked: u64,
}

/// Requests of a learner count from 1; those of the page itself from here.
const FIRST_ID: u64 = 1 << 40;

impl Help {
    /// An id that no other request of this page has.
    pub fn next_id(&mut self) -> u64 {
        self.n_asked += 1;
        FIRST_ID + self.n_asked
    }
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

/// A complaint about a place in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Problem<'a> {
    pub severity: Severity,
    pub span: (u32, u32),
    pub report: &'a ErrorReport,
    /// The text that it is about: while someone is typing that is the one before.
    pub text: &'a str,
}

/// Complaints that have a place, as problems.
pub(super) fn problems<'a>(
    severity: Severity,
    reports: impl IntoIterator<Item = &'a ErrorReport>,
    text: &'a str,
) -> impl Iterator<Item = Problem<'a>> {
    reports.into_iter().filter_map(move |report| Some(Problem { severity, span: report.span?, report, text }))
}
