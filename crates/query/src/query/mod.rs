//! Queries: `spec` values become DataFusion plans.
//!
//! Every relation is planned to a [`Planned`]: a plan whose columns have made-up, unique names, and the scope that
//! maps the learner's names to them.

mod aggregate;
mod constants;
mod exchange;
mod from;
mod generate;
mod join;
mod look;
mod order;
mod plan;
mod planner;
mod range;
mod scan;
mod seen;
mod select;
mod set_op;
mod size;
mod table_changes;
mod values;
mod window;

pub use look::{Look, Looked, look, text_of};
pub use plan::{Plan, plan_query, plan_relation};
pub use size::row_bytes;

pub(crate) use planner::{Env, Planned, Planner};
