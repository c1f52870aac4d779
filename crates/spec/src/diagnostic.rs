//! What is told to a learner when something does not work.

use crate::Span;
use std::fmt;

/// One complaint. Its shape follows the page's order: what, where, which rows, why, what to try.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// The condition name of Delta or Spark, e.g. `DELTA_MERGE_UNRESOLVED_EXPRESSION` or
    /// `UNRESOLVED_COLUMN.WITH_SUGGESTION`; ours start with `MERGELAB_`.
    pub condition: String,
    /// Five characters, or empty where the reference gives none.
    pub sqlstate: String,
    /// One plain sentence that names the thing.
    pub message: String,
    /// Where in the script; `None` only where no place is to blame.
    pub span: Option<Span>,
    /// The rows concerned, at most five per sample.
    pub rows: Vec<RowSample>,
    /// Why, and what usually helps.
    pub hint: Option<String>,
    /// Edits that the page offers; never applied silently.
    pub edits: Vec<Edit>,
    /// The outer condition when the failure happened inside a write task (`TASK_WRITE_FAILED`).
    pub wrapped_in: Option<String>,
}

/// Rows shown beside a complaint, as text (`None` is NULL).
#[derive(Debug, Clone, PartialEq)]
pub struct RowSample {
    /// E.g. "source rows" or "target row".
    pub title: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Option<String>>>,
    /// How many rows there are in all.
    pub total: usize,
    /// Where the script writes each of `rows`; empty where that cannot be known.
    pub spans: Vec<Span>,
}

/// A change of the text that may help.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// What the edit does, as the label of a button.
    pub label: String,
    pub span: Span,
    pub replacement: String,
}

impl Diagnostic {
    /// A complaint without rows, hint or edits.
    pub fn new(
        condition: impl Into<String>,
        sqlstate: impl Into<String>,
        message: impl Into<String>,
        span: impl Into<Option<Span>>,
    ) -> Self {
        Self {
            condition: condition.into(),
            sqlstate: sqlstate.into(),
            message: message.into(),
            span: span.into(),
            rows: Vec::new(),
            hint: None,
            edits: Vec::new(),
            wrapped_in: None,
        }
    }

    /// Text that follows no rule of the grammar (Spark's `PARSE_SYNTAX_ERROR`).
    pub fn syntax(message: impl Into<String>, span: Span) -> Self {
        Self::new("PARSE_SYNTAX_ERROR", "42601", message, span)
    }

    /// Something the reference can do and this engine cannot yet.
    pub fn unsupported(what: impl fmt::Display, span: impl Into<Option<Span>>) -> Self {
        Self::new("MERGELAB_NOT_SUPPORTED_YET", "0A000", format!("{what} is not supported yet."), span)
    }

    /// A bug of ours: never the learner's fault.
    pub fn internal(what: impl fmt::Display) -> Self {
        let message = format!("This is a bug in MergeLab, not in your statement: {what}");
        Self::new("MERGELAB_INTERNAL_ERROR", "XX000", message, None)
    }

    /// The same with a hint.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with one more suggested edit.
    pub fn with_edit(mut self, label: impl Into<String>, span: Span, replacement: impl Into<String>) -> Self {
        self.edits.push(Edit { label: label.into(), span, replacement: replacement.into() });
        self
    }

    /// The same, pointing at `span` unless it already points somewhere.
    pub fn or_at(mut self, span: Span) -> Self {
        self.span.get_or_insert(span);
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.condition, self.message)?;
        if !self.sqlstate.is_empty() {
            write!(f, " SQLSTATE: {}", self.sqlstate)?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}
