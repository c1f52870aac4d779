//! Bound clauses.

use crate::observe::{ActionKind, ClauseInfo, ClauseKind};
use query::Bound;
use spec::Span;

/// A clause whose names and types are resolved. Conditions and values address the columns of the
/// scope that the clause kind may see: target and source, source only, or target only.
#[derive(Debug, Clone)]
pub(crate) struct Clause {
    pub(crate) kind: ClauseKind,
    pub(crate) condition: Option<Bound>,
    pub(crate) action: Action,
    /// Of an INSERT: the target columns that it gives no value, which the table may compute.
    pub(crate) left_out: Vec<usize>,
    pub(crate) span: Span,
}

/// What a clause does to a row.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    /// One entry per target column; `None` leaves the column as it is.
    Update(Vec<Option<Bound>>),
    Delete,
    /// One entry per target column.
    Insert(Vec<Bound>),
}

impl Clause {
    pub(crate) fn info(&self) -> ClauseInfo {
        ClauseInfo { kind: self.kind, action: self.action.kind(), span: self.span }
    }
}

impl Action {
    pub(crate) fn kind(&self) -> ActionKind {
        match self {
            Action::Update(_) => ActionKind::Update,
            Action::Delete => ActionKind::Delete,
            Action::Insert(_) => ActionKind::Insert,
        }
    }
}

impl ActionKind {
    /// The word in the commit's `actionType`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            ActionKind::Update => "update",
            ActionKind::Delete => "delete",
            ActionKind::Insert => "insert",
        }
    }
}
