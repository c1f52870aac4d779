//! A MERGE by nested loops over plain rows: what the engine must come to, by other means.
//!
//! It is meant to be obviously right, not fast, and shares no code with what it judges: nothing below this folder may
//! name another crate of the workspace, DataFusion or Arrow (a test reads it).

mod expr;
mod merge;
mod value;

pub use expr::{Comparison, Expr, Side};
pub use merge::{Action, Change, ChangeKind, Clause, Failure, Merge, Merged, Metrics, Table, When, files_of, merge};
pub use value::{Column, Row, Type, Value, compare};

#[cfg(test)]
mod tests;
