//! Statements as written.

use crate::{AlterTable, Assignment, Command, DataType, Expr, Ident, MergeInto, Name, Query, Relation, Save, Span};

/// One statement of a script; `span` leaves out the semicolon and the comments around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind {
    CreateSchema {
        name: Name,
        if_not_exists: bool,
    },
    /// `USE [SCHEMA] name`
    Use {
        name: Name,
    },
    CreateTable(Box<CreateTable>),
    CreateTableLike(Box<CreateTableLike>),
    AlterTable(Box<AlterTable>),
    /// `COMMENT ON TABLE table IS 'comment'`; `IS NULL` takes it away.
    CommentOnTable {
        table: Name,
        comment: Option<String>,
    },
    CreateView(Box<CreateView>),
    DropTable {
        name: Name,
        if_exists: bool,
    },
    DropView {
        name: Name,
        if_exists: bool,
    },
    Insert(Box<Insert>),
    /// The `write` of a data frame.
    Save(Box<Save>),
    Update(Box<Update>),
    Delete(Box<Delete>),
    Merge(Box<MergeInto>),
    Query(Box<Query>),
    /// `DESCRIBE HISTORY t [LIMIT n]`
    DescribeHistory {
        table: Name,
        limit: Option<u64>,
    },
    DescribeDetail {
        table: Name,
    },
    /// `DESCRIBE [TABLE] [EXTENDED] t`
    DescribeTable {
        table: Name,
        extended: bool,
    },
    /// `SHOW TABLES [IN schema] [[LIKE] 'pattern']`
    ShowTables {
        schema: Option<Name>,
        pattern: Option<String>,
    },
    /// OPTIMIZE, VACUUM, RESTORE and the other statements around a table.
    Command(Command),
    /// `SET key = value`
    Set {
        key: String,
        value: String,
    },
}

/// A table that a statement writes to.
#[derive(Debug, Clone, PartialEq)]
pub struct TableTarget {
    /// A table or view by name, or ``delta.`path` ``.
    pub name: Name,
    pub alias: Option<Ident>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CreateTable {
    pub name: Name,
    pub mode: CreateMode,
    pub provider: Provider,
    pub columns: Vec<ColumnDef>,
    pub partitioned_by: Vec<Ident>,
    /// `CLUSTER BY (…)`
    pub clustered_by: Vec<Name>,
    pub location: Option<String>,
    pub comment: Option<String>,
    /// In the order of the text.
    pub properties: Vec<(String, String)>,
    /// `AS SELECT …`
    pub query: Option<Query>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreateMode {
    Create,
    IfNotExists,
    Replace,
    CreateOrReplace,
}

/// `CREATE TABLE name LIKE source`
#[derive(Debug, Clone, PartialEq)]
pub struct CreateTableLike {
    pub name: Name,
    pub source: Name,
    pub if_not_exists: bool,
    pub provider: Option<Provider>,
    pub location: Option<String>,
    /// In the order of the text.
    pub properties: Vec<(String, String)>,
}

/// The format after USING.
#[derive(Debug, Clone, PartialEq)]
pub enum Provider {
    /// USING is left out: what `spark.sql.sources.default` says.
    Default,
    Delta,
    /// Plain Parquet files without a log: a source, never a target of MERGE, UPDATE or DELETE.
    Parquet,
    Other(Ident),
}

/// A column of CREATE TABLE. Partition columns declared with a type in PARTITIONED BY stand at
/// the end of the list, as Spark places them.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnDef {
    pub name: Ident,
    pub data_type: DataType,
    pub nullable: bool,
    pub comment: Option<String>,
    /// The span of the expression is the whole text that stands for it, as of `generated`.
    pub default: Option<Expr>,
    /// `GENERATED ALWAYS AS (expr)`
    pub generated: Option<Expr>,
    pub identity: Option<Identity>,
    pub span: Span,
}

/// `GENERATED { ALWAYS | BY DEFAULT } AS IDENTITY [(START WITH n INCREMENT BY n)]`
#[derive(Debug, Clone, PartialEq)]
pub struct Identity {
    /// BY DEFAULT: a statement may give the value itself.
    pub by_default: bool,
    pub start: i64,
    pub step: i64,
    pub span: Span,
}

/// `CREATE [OR REPLACE] [TEMP] VIEW name [(columns)] AS query`
#[derive(Debug, Clone, PartialEq)]
pub struct CreateView {
    pub name: Name,
    pub or_replace: bool,
    pub temporary: bool,
    pub columns: Vec<Ident>,
    pub query: Query,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Insert {
    pub table: TableTarget,
    pub mode: InsertMode,
    /// `PARTITION (a = 1, b)`; empty when not written.
    pub partition: Vec<PartitionValue>,
    /// `INSERT INTO t (a, b)`; empty when not written.
    pub columns: Vec<Ident>,
    pub by_name: bool,
    pub source: Query,
}

/// One column of a PARTITION clause; without a value the query gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct PartitionValue {
    pub column: Ident,
    pub value: Option<Expr>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum InsertMode {
    Append,
    Overwrite,
    ReplaceWhere(Expr),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    pub table: TableTarget,
    pub assignments: Vec<Assignment>,
    pub filter: Option<Expr>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Delete {
    pub table: TableTarget,
    pub filter: Option<Expr>,
    /// Reserved for `USING`, which Spark refuses; kept so that the refusal can name it.
    pub using: Option<Relation>,
}
