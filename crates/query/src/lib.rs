//! Spark's expressions and queries, planned and run by DataFusion; the only crate that names it.
//!
//! `spec` values go in, Arrow batches come out. Names, types, NULL rules and errors are Spark's and are decided
//! here, before DataFusion sees an expression: every conversion is an explicit cast of ours, so DataFusion's own
//! type coercion finds nothing left to do. Inside a plan every column carries a name made up by `query`; the
//! learner's names live in scopes beside the plan.

mod cast;
mod catalog;
mod display;
mod empty;
mod error;
mod expr;
mod functions;
mod join;
mod ops;
mod predicate;
mod query;
mod scope;
mod session;
mod source_filter;
mod tasks;
mod typed;

pub use catalog::{At, Catalog, Column, FeedEnd, Found, Table};
pub use display::{display, shown};
pub use empty::{Empty, empty_sides, is_never};
pub use expr::{AssignKind, BindError, Bound, Usage, bind, columns_named, usage};
pub use functions::function_names;
pub use join::{Pairs, has_equality, join_pairs};
pub use predicate::{CompareOp, Predicate};
pub use query::{Look, Looked, Plan, look, plan_query, plan_relation, row_bytes, text_of};
pub use scope::Scope;
pub use session::{Session, Settings, StoreAssignment, Tasks};
pub use tasks::packed;
