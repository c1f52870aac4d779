//! Tasks: how the rows of a query are split.
//!
//! Spark computes a query in tasks, and some of what it answers depends on them: each task draws its own random numbers and
//! writes its own file. A partition of a physical plan is a task here. They run one after the other; while one runs,
//! [`current`] is its number.

mod deal;
mod exchange;
mod numbered;
mod packed;
mod ranges;
mod row_hash;

pub(crate) use deal::Deal;
pub(crate) use exchange::{Exchanged, input_of};
pub(crate) use numbered::{current, in_order};
pub use packed::packed;
pub(crate) use ranges::{Ranges, n_rows_of};
