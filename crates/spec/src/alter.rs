//! ALTER TABLE as written.

use crate::{ColumnDef, DataType, Expr, Ident, Name, Span};

/// `ALTER TABLE table action`
#[derive(Debug, Clone, PartialEq)]
pub struct AlterTable {
    pub table: Name,
    pub action: AlterAction,
}

#[derive(Debug, Clone, PartialEq)]
pub enum AlterAction {
    /// `ADD COLUMN[S]`
    AddColumns(Vec<NewColumn>),
    /// `ALTER COLUMN c …` and `CHANGE COLUMN c …`
    ChangeColumn(Box<ColumnChange>),
    RenameColumn {
        column: Name,
        to: Ident,
    },
    /// `DROP COLUMN[S] [IF EXISTS]`
    DropColumns {
        columns: Vec<Name>,
        if_exists: bool,
    },
    /// `REPLACE COLUMNS (…)`
    ReplaceColumns(Vec<NewColumn>),
    /// `ADD CONSTRAINT name CHECK (check)`; the span of `check` is the whole text between the parentheses.
    AddConstraint {
        name: Ident,
        check: Expr,
    },
    DropConstraint {
        name: Ident,
        if_exists: bool,
    },
    /// In the order of the text.
    SetProperties(Vec<(String, String)>),
    UnsetProperties(Vec<String>),
    /// `CLUSTER BY (…)`; empty for `CLUSTER BY NONE`.
    ClusterBy(Vec<Name>),
    RenameTo(Name),
    DropFeature {
        feature: Ident,
        truncate_history: bool,
    },
    /// `ADD PARTITION`, `DROP PARTITION` and their like, which Delta refuses.
    Partitions,
}

/// A column to add, at any depth.
#[derive(Debug, Clone, PartialEq)]
pub struct NewColumn {
    /// The structs that it goes into, outermost first; empty for a column of the table.
    pub parent: Vec<Ident>,
    pub column: ColumnDef,
    pub position: Option<ColumnPosition>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ColumnPosition {
    First,
    After(Ident),
}

/// What changes about one column.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnChange {
    pub column: Name,
    pub data_type: Option<DataType>,
    /// `SET NOT NULL` is false, `DROP NOT NULL` true.
    pub nullable: Option<bool>,
    pub comment: Option<String>,
    pub position: Option<ColumnPosition>,
    pub default: Option<DefaultChange>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum DefaultChange {
    /// `SET DEFAULT expr`
    Set(Expr),
    /// `DROP DEFAULT`
    Drop,
}
