//! Why an expression cannot be bound, and where it stands.

use crate::scope::is_close;
use spec::{Diagnostic, Span};

/// Why an expression cannot be bound.
#[derive(Debug, Clone, PartialEq)]
pub enum BindError {
    /// A name that nothing in scope has. Kept apart, for MERGE has a condition of its own for it.
    Unresolved {
        name: String,
        span: Span,
        suggestions: Vec<String>,
    },
    Other(Diagnostic),
}

impl BindError {
    /// Names that are little else than the unresolved one, best first: at most two.
    pub fn near(&self) -> Vec<String> {
        match self {
            Self::Unresolved { name, suggestions, .. } => {
                suggestions.iter().filter(|suggestion| is_close(name, suggestion)).take(2).cloned().collect()
            }
            Self::Other(_) => Vec::new(),
        }
    }
}

impl From<Diagnostic> for BindError {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Other(diagnostic)
    }
}

/// The unresolved name becomes `UNRESOLVED_COLUMN`, with an edit for a near name.
impl From<BindError> for Diagnostic {
    fn from(error: BindError) -> Self {
        let near = error.near();
        let (name, span, suggestions) = match error {
            BindError::Unresolved { name, span, suggestions } => (name, span, suggestions),
            BindError::Other(diagnostic) => return diagnostic,
        };
        let quoted = quote(&name);
        if suggestions.is_empty() {
            let message = format!("No column, variable or parameter is named {quoted}.");
            return Diagnostic::new("UNRESOLVED_COLUMN.WITHOUT_SUGGESTION", "42703", message, span);
        }
        let listed: Vec<String> = suggestions.iter().map(|name| quote(name)).collect();
        let message = format!(
            "No column, variable or parameter is named {quoted}. Did you mean one of these? [{}]",
            listed.join(", ")
        );
        let mut diagnostic = Diagnostic::new("UNRESOLVED_COLUMN.WITH_SUGGESTION", "42703", message, span);
        for name in near {
            diagnostic = diagnostic.with_edit(format!("Use {name}"), span, name);
        }
        diagnostic
    }
}

fn quote(name: &str) -> String {
    let parts: Vec<String> = name.split('.').map(|part| format!("`{part}`")).collect();
    parts.join(".")
}

/// Where an expression stands: it decides which functions are welcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Select,
    Where,
    GroupBy,
    Having,
    OrderBy,
    Join,
    Values,
    /// An expression of another statement: MERGE, UPDATE, a constraint.
    Statement,
}

impl Place {
    pub(crate) fn allows_aggregates(self) -> bool {
        matches!(self, Self::Select | Self::Having | Self::OrderBy)
    }

    pub(crate) fn allows_windows(self) -> bool {
        matches!(self, Self::Select | Self::OrderBy)
    }

    /// The complaint about an aggregate, window or generator function that has no business here.
    pub(crate) fn refuse(self, kind: &str, function: &str, span: Span) -> Diagnostic {
        let (condition, sqlstate, place) = match self {
            Self::Where if kind == "window" => ("_LEGACY_ERROR_TEMP_1034", "", "a WHERE condition"),
            Self::Where => ("INVALID_WHERE_CONDITION", "42903", "a WHERE condition"),
            Self::GroupBy => ("GROUP_BY_AGGREGATE", "42903", "GROUP BY"),
            Self::Join => ("UNSUPPORTED_EXPR_FOR_OPERATOR", "42K0E", "a join condition"),
            Self::Having => ("UNSUPPORTED_EXPR_FOR_OPERATOR", "42K0E", "HAVING"),
            Self::Values => ("INVALID_INLINE_TABLE.CANNOT_EVALUATE_EXPRESSION_IN_INLINE_TABLE", "42000", "VALUES"),
            Self::Select | Self::OrderBy | Self::Statement => {
                ("UNSUPPORTED_EXPR_FOR_OPERATOR", "42K0E", "this expression")
            }
        };
        let message = format!("The {kind} function `{function}` is not allowed in {place}.");
        let diagnostic = Diagnostic::new(condition, sqlstate, message, span);
        match self {
            Self::Where => diagnostic.with_hint(
                "Conditions on groups go into HAVING; for a window function, filter in a query around this one.",
            ),
            _ => diagnostic,
        }
    }
}
