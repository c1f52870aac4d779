//! MERGE INTO as written.
//!
//! Each clause kind owns its own action type, so a clause that the grammar refuses cannot be
//! built. The order inside each list is the order of the text, which decides who acts first.

use crate::{Cte, Expr, Name, Relation, Span, TableTarget};

/// `MERGE [WITH SCHEMA EVOLUTION] INTO target USING source ON on WHEN …`
#[derive(Debug, Clone, PartialEq)]
pub struct MergeInto {
    /// `WITH …` in front of the MERGE, visible in the source only.
    pub ctes: Vec<Cte>,
    pub schema_evolution: bool,
    pub target: TableTarget,
    pub source: Relation,
    pub on: Expr,
    pub matched: Vec<MatchedClause>,
    pub not_matched: Vec<NotMatchedClause>,
    pub not_matched_by_source: Vec<NotMatchedBySourceClause>,
    pub span: Span,
}

/// `WHEN MATCHED [AND condition] THEN …`
#[derive(Debug, Clone, PartialEq)]
pub struct MatchedClause {
    pub condition: Option<Expr>,
    pub action: MatchedAction,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum MatchedAction {
    /// `UPDATE SET *`
    UpdateAll,
    Update(Vec<Assignment>),
    Delete,
}

/// `WHEN NOT MATCHED [BY TARGET] [AND condition] THEN INSERT …`
#[derive(Debug, Clone, PartialEq)]
pub struct NotMatchedClause {
    pub condition: Option<Expr>,
    pub action: NotMatchedAction,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum NotMatchedAction {
    /// `INSERT *`
    InsertAll,
    /// As many columns as values.
    Insert { columns: Vec<Name>, values: Vec<Expr> },
}

/// `WHEN NOT MATCHED BY SOURCE [AND condition] THEN …`
#[derive(Debug, Clone, PartialEq)]
pub struct NotMatchedBySourceClause {
    pub condition: Option<Expr>,
    pub action: NotMatchedBySourceAction,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum NotMatchedBySourceAction {
    Update(Vec<Assignment>),
    Delete,
}

/// `column = value` in a SET list.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    pub column: Name,
    pub value: Expr,
}
