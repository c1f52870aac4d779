//! Scalar expressions as written.

use crate::{DataType, Ident, Name, Query, Span};

/// An expression and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

impl Expr {
    /// An expression at a place in the text.
    pub fn new(kind: ExprKind, span: Span) -> Self {
        Self { kind, span }
    }
}

/// The forms of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    Literal(Literal),
    /// `c`, `t.c`, `t.c.field`: which part is what is decided when the name is bound.
    Column(Name),
    /// A column of a data frame (`df["c"]`): the one at this position of that frame, whatever has become of it since.
    FrameColumn {
        frame: u32,
        index: u32,
        name: Ident,
    },
    /// `*` as the argument of `count(*)`.
    Star,
    Unary {
        op: UnaryOp,
        expr: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    IsNull {
        expr: Box<Expr>,
        negated: bool,
    },
    /// `IS [NOT] TRUE`, `FALSE` or `UNKNOWN` (`None`).
    IsTruth {
        expr: Box<Expr>,
        value: Option<bool>,
        negated: bool,
    },
    Between {
        expr: Box<Expr>,
        low: Box<Expr>,
        high: Box<Expr>,
        negated: bool,
    },
    InList {
        expr: Box<Expr>,
        list: Vec<Expr>,
        negated: bool,
    },
    InQuery {
        expr: Box<Expr>,
        query: Box<Query>,
        negated: bool,
    },
    Exists {
        query: Box<Query>,
    },
    /// A scalar subquery.
    Subquery(Box<Query>),
    Like {
        kind: LikeKind,
        expr: Box<Expr>,
        pattern: Box<Expr>,
        escape: Option<char>,
        negated: bool,
    },
    Case {
        operand: Option<Box<Expr>>,
        branches: Vec<(Expr, Expr)>,
        otherwise: Option<Box<Expr>>,
    },
    Cast {
        expr: Box<Expr>,
        data_type: DataType,
        mode: CastMode,
    },
    /// Every call: scalar, aggregate, window, generator.
    Function(Box<FunctionCall>),
    /// `expr[index]`: array element from 0, or map value.
    Index {
        expr: Box<Expr>,
        index: Box<Expr>,
    },
    /// `(expr).field`, where `expr` is not a plain name.
    Field {
        expr: Box<Expr>,
        field: Ident,
    },
    /// `x -> body`, `(x, y) -> body`.
    Lambda {
        params: Vec<Ident>,
        body: Box<Expr>,
    },
    /// `DEFAULT` in VALUES or SET of INSERT and UPDATE.
    Default,
}

/// A constant. Unsuffixed integers are `Int` where they fit, else `Long`, else `Decimal`;
/// `1.0` is a decimal, `1e3` a double.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    Null,
    Boolean(bool),
    Byte(i8),
    Short(i16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Decimal {
        unscaled: i128,
        precision: u8,
        scale: i8,
    },
    String(String),
    Binary(Vec<u8>),
    /// Days since 1970-01-01.
    Date(i32),
    /// Microseconds since the epoch, UTC.
    Timestamp(i64),
    /// Microseconds, without zone.
    TimestampNtz(i64),
    Interval(Interval),
}

/// An interval constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Interval {
    /// Whole months.
    YearMonth { months: i32 },
    /// Microseconds; `days_only` where the text names no smaller unit than a day, for then
    /// `DATE - INTERVAL` stays a DATE.
    DayTime { micros: i64, days_only: bool },
    /// Months, days and microseconds mixed (`INTERVAL 1 MONTH 2 DAYS`).
    Calendar { months: i32, days: i32, micros: i64 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    Not,
    Minus,
    Plus,
    /// `~`
    BitNot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    Or,
    And,
    Eq,
    /// `<=>` and `IS NOT DISTINCT FROM`.
    NullSafeEq,
    NotEq,
    Lt,
    LtEq,
    Gt,
    GtEq,
    Plus,
    Minus,
    Multiply,
    Divide,
    /// `div`
    IntDivide,
    Modulo,
    /// `||`
    Concat,
    BitAnd,
    BitOr,
    BitXor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LikeKind {
    Like,
    ILike,
    RLike,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CastMode {
    /// Fails on what cannot be converted.
    Ansi,
    /// `try_cast`: NULL instead.
    Try,
}

/// A call of a named function.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionCall {
    pub name: Name,
    pub args: Vec<Expr>,
    pub distinct: bool,
    /// `FILTER (WHERE …)`
    pub filter: Option<Expr>,
    pub ignore_nulls: bool,
    pub over: Option<WindowSpec>,
}

/// `OVER (…)` or `OVER name`.
#[derive(Debug, Clone, PartialEq)]
pub struct WindowSpec {
    /// A window of the WINDOW clause that this one is, or starts from.
    pub named: Option<Ident>,
    pub partition_by: Vec<Expr>,
    pub order_by: Vec<OrderItem>,
    pub frame: Option<WindowFrame>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct WindowFrame {
    pub units: FrameUnits,
    pub start: FrameBound,
    pub end: FrameBound,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameUnits {
    Rows,
    Range,
}

#[derive(Debug, Clone, PartialEq)]
pub enum FrameBound {
    UnboundedPreceding,
    Preceding(Box<Expr>),
    CurrentRow,
    Following(Box<Expr>),
    UnboundedFollowing,
}

/// One key of an ORDER BY.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderItem {
    pub expr: Expr,
    pub descending: bool,
    /// Spark's default when not written: first ascending, last descending.
    pub nulls_first: Option<bool>,
}
