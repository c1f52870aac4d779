//! What the other language cannot say: comments at their places in the text, and a sentence for each.
//!
//! The copy of the statement that is printed has no use for its spans, so an expression that needs a comment carries the
//! number of its note there.

use spec::{Expr, Span};

/// A statement in the other language.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mirrored {
    pub text: String,
    /// What the text cannot say, in the order of the text; empty where it says all.
    pub notes: Vec<Note>,
}

/// Something that the other language has no words for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The comment that marks the place, exactly as it stands in the text. Several places may share it.
    pub mark: String,
    /// One sentence: what is different, and why.
    pub message: String,
}

impl Note {
    /// A note about SQL; `mark` is what its comment says.
    pub(crate) fn sql(mark: &str, message: impl Into<String>) -> Self {
        Self { mark: format!("/* {} */", harmless(mark)), message: message.into() }
    }

    /// A note about Python.
    pub(crate) fn python(mark: &str, message: impl Into<String>) -> Self {
        Self { mark: format!("# {}", harmless(mark)), message: message.into() }
    }
}

/// A name in a comment must neither end the comment nor a string of Python around it.
fn harmless(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '*' | '\\' | '"' | '\'') || c.is_control() { '_' } else { c }).collect()
}

/// The notes that expressions carry.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    notes: Vec<Note>,
}

impl Marks {
    /// Makes the expression carry a note.
    pub(crate) fn put(&mut self, expr: &mut Expr, note: Note) {
        self.notes.push(note);
        expr.span = Span::new(self.notes.len(), self.notes.len());
    }

    /// Makes the expression carry none.
    pub(crate) fn clear(expr: &mut Expr) {
        expr.span = Span::default();
    }

    pub(crate) fn of(&self, expr: &Expr) -> Option<&Note> {
        expr.span.start.checked_sub(1).and_then(|idx| self.notes.get(idx))
    }
}

/// Adds a note that is not there yet.
pub(crate) fn add(notes: &mut Vec<Note>, note: &Note) {
    if !notes.contains(note) {
        notes.push(note.clone());
    }
}
