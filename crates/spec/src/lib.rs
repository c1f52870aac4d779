//! What a statement means, whatever language it was typed in.
//!
//! Front ends (`sql`, later `pyspark`) build these values; `engine` binds them. Nothing here is
//! resolved: names are as written, types are as declared, and every node carries the [`Span`] of
//! the text it came from, so that any later complaint can point at it.

mod alter;
mod command;
mod data_type;
mod diagnostic;
mod expr;
mod merge;
mod name;
mod query;
mod save;
mod span;
mod statement;

pub use alter::{AlterAction, AlterTable, ColumnChange, ColumnPosition, DefaultChange, NewColumn};
pub use command::{Command, Optimize, Retain, Vacuum};
pub use data_type::{DataType, StructField};
pub use diagnostic::{Diagnostic, Edit, RowSample};
pub use expr::{
    BinaryOp, CastMode, Expr, ExprKind, FrameBound, FrameUnits, FunctionCall, Interval, LikeKind, Literal, OrderItem,
    UnaryOp, WindowFrame, WindowSpec,
};
pub use merge::{
    Assignment, MatchedAction, MatchedClause, MergeInto, NotMatchedAction, NotMatchedBySourceAction,
    NotMatchedBySourceClause, NotMatchedClause,
};
pub use name::{Ident, Name};
pub use query::{
    Cte, Exchange, ExchangeKind, GroupBy, JoinConstraint, JoinKind, LateralView, Query, QueryBody, Relation, SeenTable,
    Select, SelectItem, SetOp, TableAlias, TimeTravel,
};
pub use save::{Save, SaveMode, SaveOptions};
pub use span::Span;
pub use statement::{
    ColumnDef, CreateMode, CreateTable, CreateTableLike, CreateView, Delete, Identity, Insert, InsertMode,
    PartitionValue, Provider, Statement, StatementKind, TableTarget, Update,
};
