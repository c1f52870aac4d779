//! Data frames of a Python program, as queries and statements of [`spec`].
//!
//! The program (crate `python`) describes what it wants as plain values; here they become what the SQL front end makes,
//! so that the engine cannot tell which language a MERGE was written in. Frames are kept under numbers: a
//! transformation names the frame it starts from and adds one step, so a program of n steps sends n small values.
//!
//! A frame is a [`spec::Query`] over the frames it was made of. Such a frame passes its columns on with all that they
//! are known by ([`spec::Relation::Subquery`]'s `frame`), as Spark's attributes do from one transformation to the next:
//! `df.alias("s").filter(…).select("s.id")` and `left["id"] == right["id"]` find what they mean.

mod column;
mod frame;
mod script;
mod statement;
mod words;

pub use column::{expr, exprs, item, order, parse_name, span_of};
pub use frame::{Frames, Source};
pub use script::Script;
pub use statement::{command, create, delete, merge, target, update, write, write_to};
pub use words::MEMBERS;
