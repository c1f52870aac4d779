//! Failures of the table format layer, as a learner is told of them.

use spec::{Diagnostic, Span};

/// The complaint about a table at `span`.
pub(crate) fn of_table(error: delta::error::Error, span: impl Into<Option<Span>>) -> Diagnostic {
    match error {
        delta::error::Error::Internal(what) => Diagnostic::internal(what),
        delta::error::Error::Unsupported { what } => Diagnostic::unsupported(what, span),
        error => Diagnostic::new(
            error.condition().unwrap_or("MERGELAB_TABLE_UNREADABLE"),
            error.sqlstate().unwrap_or("KD001"),
            error.to_string(),
            span,
        ),
    }
}

/// The complaint where no place in the text is to blame.
pub(crate) fn of_store(error: delta::error::Error) -> Diagnostic {
    of_table(error, None)
}
