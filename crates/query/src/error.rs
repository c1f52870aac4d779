//! Complaints of functions and casts, and how they travel through DataFusion.
//!
//! A function knows what is wrong but not where it is called: it raises a [`Complaint`], and the binder or the
//! runner turns it into a [`Diagnostic`] with a span.

use arrow::error::ArrowError;
use datafusion::common::DataFusionError;
use spec::{Diagnostic, Span};
use std::fmt;

/// A [`Diagnostic`] without a place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Complaint {
    /// Spark's condition name, e.g. `DIVIDE_BY_ZERO`.
    pub(crate) condition: String,
    pub(crate) sqlstate: String,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Complaint {
    pub(crate) fn new(condition: impl Into<String>, sqlstate: impl Into<String>, message: impl Into<String>) -> Self {
        Self { condition: condition.into(), sqlstate: sqlstate.into(), message: message.into(), hint: None }
    }

    /// Something Spark can do and we cannot yet.
    pub(crate) fn unsupported(what: impl fmt::Display) -> Self {
        Self::new("MERGELAB_NOT_SUPPORTED_YET", "0A000", format!("{what} is not supported yet."))
    }

    /// A bug of ours.
    pub(crate) fn internal(what: impl fmt::Display) -> Self {
        let diagnostic = Diagnostic::internal(what);
        Self::new(diagnostic.condition, diagnostic.sqlstate, diagnostic.message)
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The complaint about the text at `span`.
    pub(crate) fn at(self, span: impl Into<Option<Span>>) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(self.condition, self.sqlstate, self.message, span);
        diagnostic.hint = self.hint;
        diagnostic
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.condition, self.message)
    }
}

impl std::error::Error for Complaint {}

impl From<Complaint> for DataFusionError {
    fn from(complaint: Complaint) -> Self {
        DataFusionError::External(Box::new(complaint))
    }
}

impl From<Complaint> for ArrowError {
    fn from(complaint: Complaint) -> Self {
        ArrowError::ExternalError(Box::new(complaint))
    }
}

/// What a failed run or planning step tells the learner: the complaint or diagnostic inside the error, else a bug
/// of ours.
pub(crate) fn diagnose(error: &DataFusionError) -> Diagnostic {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(complaint) = error.downcast_ref::<Complaint>() {
            return complaint.clone().at(None);
        }
        if let Some(diagnostic) = error.downcast_ref::<Diagnostic>() {
            return diagnostic.clone();
        }
        if let Some(found) = inside(error) {
            return found;
        }
        cause = error.source();
    }
    match arrow_cause(error) {
        Some(ArrowError::DivideByZero) => {
            let message = "Division by zero. Use `try_divide` to get NULL instead.";
            Diagnostic::new("DIVIDE_BY_ZERO", "22012", message, None)
        }
        Some(ArrowError::ArithmeticOverflow(_)) => {
            let message = "The result does not fit its type.";
            Diagnostic::new("ARITHMETIC_OVERFLOW", "22003", message, None)
        }
        _ => Diagnostic::internal(error),
    }
}

/// The diagnostic in a box that `Error::source` does not open.
fn inside(error: &(dyn std::error::Error + 'static)) -> Option<Diagnostic> {
    if let Some(error) = error.downcast_ref::<DataFusionError>() {
        return match error {
            DataFusionError::External(inner) => boxed(inner.as_ref()),
            DataFusionError::ArrowError(inner, _) => inside(inner.as_ref()),
            DataFusionError::Context(_, inner) => inside(inner.as_ref()),
            DataFusionError::Diagnostic(_, inner) => inside(inner.as_ref()),
            DataFusionError::Shared(inner) => inside(inner.as_ref()),
            DataFusionError::Collection(inner) => inner.iter().find_map(|error| inside(error)),
            _ => None,
        };
    }
    match error.downcast_ref::<ArrowError>() {
        Some(ArrowError::ExternalError(inner)) => boxed(inner.as_ref()),
        _ => None,
    }
}

fn boxed(error: &(dyn std::error::Error + Send + Sync + 'static)) -> Option<Diagnostic> {
    if let Some(complaint) = error.downcast_ref::<Complaint>() {
        return Some(complaint.clone().at(None));
    }
    if let Some(diagnostic) = error.downcast_ref::<Diagnostic>() {
        return Some(diagnostic.clone());
    }
    inside(error)
}

fn arrow_cause(error: &DataFusionError) -> Option<&ArrowError> {
    match error {
        DataFusionError::ArrowError(inner, _) => Some(inner.as_ref()),
        DataFusionError::Context(_, inner) | DataFusionError::Diagnostic(_, inner) => arrow_cause(inner),
        DataFusionError::Shared(inner) => arrow_cause(inner),
        _ => None,
    }
}
