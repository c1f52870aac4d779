//! Scripts: the statements of a text one after the other, up to the first that fails.

use spec::{Diagnostic, Span, Statement, StatementKind};

/// One piece of a script, in the order of the text.
#[derive(Debug)]
pub(crate) enum Item {
    Statement(Statement),
    /// A piece that could not be read.
    Unreadable(Diagnostic),
}

impl Item {
    pub(crate) fn span(&self) -> Span {
        match self {
            Item::Statement(statement) => statement.span,
            Item::Unreadable(diagnostic) => diagnostic.span.unwrap_or_default(),
        }
    }
}

/// Reads a script. Statements that could be read and complaints about the others stand in the order
/// of the text, so that what precedes a broken statement still runs.
pub(crate) fn items(text: &str) -> Vec<Item> {
    let parsed = sql::parse(text);
    let statements = parsed.statements.into_iter().map(Item::Statement);
    let mut items: Vec<Item> = statements.chain(parsed.diagnostics.into_iter().map(Item::Unreadable)).collect();
    items.sort_by_key(|item| item.span().start);
    items
}

/// What a statement is called, also where it fails.
pub(crate) fn kind(statement: &Statement) -> &'static str {
    match &statement.kind {
        StatementKind::CreateSchema { .. } => "CREATE SCHEMA",
        StatementKind::Use { .. } => "USE",
        StatementKind::CreateTable(_) | StatementKind::CreateTableLike(_) => "CREATE TABLE",
        StatementKind::AlterTable(_) => "ALTER TABLE",
        StatementKind::CommentOnTable { .. } => "COMMENT ON TABLE",
        StatementKind::CreateView(_) => "CREATE VIEW",
        StatementKind::DropTable { .. } => "DROP TABLE",
        StatementKind::DropView { .. } => "DROP VIEW",
        StatementKind::Insert(_) => "INSERT",
        StatementKind::Save(_) => "WRITE",
        StatementKind::Update(_) => "UPDATE",
        StatementKind::Delete(_) => "DELETE",
        StatementKind::Merge(_) => "MERGE",
        StatementKind::Query(_) => "SELECT",
        StatementKind::DescribeHistory { .. } => "DESCRIBE HISTORY",
        StatementKind::DescribeDetail { .. } => "DESCRIBE DETAIL",
        StatementKind::DescribeTable { .. } => "DESCRIBE TABLE",
        StatementKind::ShowTables { .. } => "SHOW TABLES",
        StatementKind::Set { .. } => "SET",
        StatementKind::Command(command) => command.kind(),
    }
}
