//! Queries as written.

use crate::{Expr, Ident, Name, OrderItem, Span, WindowSpec};

/// `[WITH …] body [ORDER BY …] [LIMIT …] [OFFSET …]`
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    pub ctes: Vec<Cte>,
    pub body: QueryBody,
    pub order_by: Vec<OrderItem>,
    pub limit: Option<Expr>,
    pub offset: Option<Expr>,
    pub span: Span,
}

/// A common table expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Cte {
    pub name: Ident,
    pub columns: Vec<Ident>,
    pub query: Query,
}

#[derive(Debug, Clone, PartialEq)]
pub enum QueryBody {
    Select(Box<Select>),
    /// `VALUES (…), (…)`; a row without parentheses has one value.
    Values {
        rows: Vec<Vec<Expr>>,
        alias: Option<TableAlias>,
    },
    /// `TABLE t`
    Table(Name),
    SetOp {
        op: SetOp,
        all: bool,
        by_name: bool,
        left: Box<QueryBody>,
        right: Box<QueryBody>,
    },
    /// A query in parentheses.
    Query(Box<Query>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetOp {
    Union,
    Intersect,
    Except,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Select {
    pub distinct: bool,
    pub items: Vec<SelectItem>,
    /// Comma-separated relations; empty for `SELECT 1`.
    pub from: Vec<Relation>,
    pub lateral_views: Vec<LateralView>,
    pub filter: Option<Expr>,
    pub group_by: GroupBy,
    pub having: Option<Expr>,
    /// `WINDOW w AS (…)`
    pub windows: Vec<(Ident, WindowSpec)>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum SelectItem {
    /// `alias` has several names for generators: `explode(m) AS (k, v)`.
    Expr { expr: Expr, alias: Vec<Ident> },
    /// `*`, `t.*`, `* EXCEPT (a, b)`
    Star { qualifier: Option<Name>, except: Vec<Name>, span: Span },
}

#[derive(Debug, Clone, PartialEq)]
pub enum GroupBy {
    None,
    Exprs(Vec<Expr>),
    /// `GROUP BY ALL`
    All(Span),
    Rollup(Vec<Expr>),
    Cube(Vec<Expr>),
    GroupingSets {
        exprs: Vec<Expr>,
        sets: Vec<Vec<Expr>>,
    },
}

/// `LATERAL VIEW [OUTER] generator(…) table AS columns`
#[derive(Debug, Clone, PartialEq)]
pub struct LateralView {
    pub outer: bool,
    pub generator: Expr,
    pub table: Ident,
    pub columns: Vec<Ident>,
}

/// Something to read from.
#[derive(Debug, Clone, PartialEq)]
pub enum Relation {
    /// A table, view or CTE by name, or ``delta.`path` ``.
    Table {
        name: Name,
        time_travel: Option<TimeTravel>,
        alias: Option<TableAlias>,
        span: Span,
    },
    Subquery {
        query: Box<Query>,
        lateral: bool,
        alias: Option<TableAlias>,
        /// The number of the data frame that the query is. A frame passes its columns on with all that they are known
        /// by; a subquery of SQL hides it.
        frame: Option<u32>,
        span: Span,
    },
    /// `range(3)`, `explode(…)`, `table_changes('t', 1)`
    Function {
        name: Name,
        args: Vec<Expr>,
        alias: Option<TableAlias>,
        span: Span,
    },
    Join {
        left: Box<Relation>,
        right: Box<Relation>,
        kind: JoinKind,
        constraint: JoinConstraint,
        span: Span,
    },
}

impl Relation {
    /// The text range of the whole relation.
    pub fn span(&self) -> Span {
        match self {
            Relation::Table { span, .. }
            | Relation::Subquery { span, .. }
            | Relation::Function { span, .. }
            | Relation::Join { span, .. } => *span,
        }
    }
}

/// `[AS] alias [(c1, c2)]`
#[derive(Debug, Clone, PartialEq)]
pub struct TableAlias {
    pub name: Ident,
    pub columns: Vec<Ident>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum TimeTravel {
    /// `VERSION AS OF n`
    Version(u64, Span),
    /// `TIMESTAMP AS OF expr`
    Timestamp(Box<Expr>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinKind {
    Inner,
    Cross,
    Left,
    Right,
    Full,
    LeftSemi,
    LeftAnti,
}

#[derive(Debug, Clone, PartialEq)]
pub enum JoinConstraint {
    None,
    On(Expr),
    Using(Vec<Ident>),
    Natural,
}
