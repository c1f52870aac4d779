//! Commands around a table as written: they look after its files and its history, or ask about it.

use crate::{Expr, Name, Span, TimeTravel};

/// A statement that changes no row of its own accord.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    Optimize(Box<Optimize>),
    /// `REORG TABLE t [WHERE condition] APPLY (PURGE)`
    Reorg {
        table: Name,
        filter: Option<Expr>,
    },
    Vacuum(Vacuum),
    /// `RESTORE [TABLE] t [TO] VERSION AS OF n | TIMESTAMP AS OF 'time'`
    Restore {
        table: Name,
        to: TimeTravel,
    },
    /// `TRUNCATE TABLE t`
    Truncate {
        table: Name,
    },
    ShowColumns {
        table: Name,
    },
    ShowCreateTable {
        table: Name,
    },
    /// `SHOW TBLPROPERTIES t [('key')]`
    ShowProperties {
        table: Name,
        key: Option<String>,
    },
    ShowPartitions {
        table: Name,
    },
    /// `SHOW VIEWS [IN schema] [[LIKE] 'pattern']`
    ShowViews {
        schema: Option<Name>,
        pattern: Option<String>,
    },
    /// `SHOW SCHEMAS [[LIKE] 'pattern']`
    ShowSchemas {
        pattern: Option<String>,
    },
    /// `SET` or `SET key`: what is set.
    ShowSettings {
        key: Option<String>,
    },
    /// `RESET` or `RESET key`: back to the default.
    Reset {
        key: Option<String>,
    },
}

/// `OPTIMIZE t [FULL] [WHERE condition] [ZORDER BY (columns)]`
#[derive(Debug, Clone, PartialEq)]
pub struct Optimize {
    pub table: Name,
    /// The place of FULL, where it is written.
    pub full: Option<Span>,
    pub filter: Option<Expr>,
    pub zorder_by: Vec<Name>,
}

/// `VACUUM t [LITE | FULL] [RETAIN n HOURS] [DRY RUN]`
#[derive(Debug, Clone, PartialEq)]
pub struct Vacuum {
    pub table: Name,
    pub lite: bool,
    pub retain: Option<Retain>,
    pub dry_run: bool,
}

/// `RETAIN n HOURS`
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Retain {
    pub hours: f64,
    pub span: Span,
}

impl Command {
    /// The words by which the statement is known.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Optimize(_) => "OPTIMIZE",
            Self::Reorg { .. } => "REORG",
            Self::Vacuum(_) => "VACUUM",
            Self::Restore { .. } => "RESTORE",
            Self::Truncate { .. } => "TRUNCATE TABLE",
            Self::ShowColumns { .. } => "SHOW COLUMNS",
            Self::ShowCreateTable { .. } => "SHOW CREATE TABLE",
            Self::ShowProperties { .. } => "SHOW TBLPROPERTIES",
            Self::ShowPartitions { .. } => "SHOW PARTITIONS",
            Self::ShowViews { .. } => "SHOW VIEWS",
            Self::ShowSchemas { .. } => "SHOW SCHEMAS",
            Self::ShowSettings { .. } => "SET",
            Self::Reset { .. } => "RESET",
        }
    }
}
