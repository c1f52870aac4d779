//! Queries as written.

use crate::{Diagnostic, Expr, ExprKind, Ident, Literal, Name, OrderItem, Span, WindowSpec};

/// `[WITH …] body [ORDER BY …] [LIMIT …] [OFFSET …]`
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    pub ctes: Vec<Cte>,
    pub body: QueryBody,
    pub order_by: Vec<OrderItem>,
    pub limit: Option<Expr>,
    pub offset: Option<Expr>,
    /// The tables as they were when the query became a data frame: it keeps their columns, whatever becomes of them. Empty in a
    /// query of SQL, which reads tables as they are.
    pub seen: Vec<SeenTable>,
    pub span: Span,
}

/// A table as a data frame saw it.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenTable {
    /// The full name.
    pub name: String,
    /// Its columns, as the JSON of a schema.
    pub schema: String,
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
    /// How the result is dealt out among tasks, one after the other.
    pub exchanges: Vec<Exchange>,
    pub span: Span,
}

/// A hint such as `/*+ REPARTITION(3, id) */`, or a data frame's `repartition`: how rows are dealt out among the tasks that
/// compute with them, each of which writes files of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchange {
    pub kind: ExchangeKind,
    pub n_tasks: Option<u32>,
    pub by: Vec<OrderItem>,
    pub span: Span,
}

impl Exchange {
    /// The exchange that a hint of this name asks for; `None` for hints that leave rows where they are. The first argument
    /// may be the number of tasks, the others are keys.
    ///
    /// # Errors
    /// COALESCE takes a number and nothing else.
    pub fn hinted(name: &str, mut args: Vec<Expr>, span: Span) -> Result<Option<Self>, Diagnostic> {
        let kind = match name.to_ascii_uppercase().as_str() {
            "REPARTITION" => ExchangeKind::Repartition,
            "REPARTITION_BY_RANGE" => ExchangeKind::RepartitionByRange,
            "COALESCE" => ExchangeKind::Coalesce,
            "REBALANCE" => ExchangeKind::Rebalance,
            _ => return Ok(None),
        };
        let n_tasks = match args.first().map(|arg| &arg.kind) {
            Some(ExprKind::Literal(Literal::Int(n))) => u32::try_from(*n).ok(),
            _ => None,
        };
        args.drain(..usize::from(n_tasks.is_some()));
        if kind == ExchangeKind::Coalesce && (n_tasks.is_none() || !args.is_empty()) {
            let message = "The hint COALESCE takes a number of partitions: COALESCE(1).";
            return Err(Diagnostic::new("_LEGACY_ERROR_TEMP_1048", "42601", message, span));
        }
        let by = args.into_iter().map(|expr| OrderItem { expr: named(expr), descending: false, nulls_first: None });
        let by = by.collect();
        Ok(Some(Self { kind, n_tasks, by, span }))
    }
}

/// A text in a hint is a column's name.
fn named(expr: Expr) -> Expr {
    match expr.kind {
        ExprKind::Literal(Literal::String(name)) => {
            Expr::new(ExprKind::Column(Name::bare(Ident::new(name, expr.span))), expr.span)
        }
        _ => expr,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExchangeKind {
    /// By the hash of keys; without keys, one row to each task in turn.
    Repartition,
    /// By ranges of sorted keys.
    RepartitionByRange,
    /// Fewer tasks, put together as they are.
    Coalesce,
    /// Into tasks of a good size.
    Rebalance,
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
