//! The engine against the reference: random statements that follow each other on one table, run on both.
//!
//! A chain is made while it runs here, so that each statement fits the table as it is; what this program refuses by
//! name ends the chain, so the reference is only asked about what is built. Where the two part, the chain is shrunk
//! and written as a case of the suite's format.

mod chain;
mod generate;
mod read_back;
mod record;
mod reference;
mod replay;
mod rerecord;
mod run;
mod seen;
mod statement;
mod words;

pub use chain::Chain;
pub use generate::Traits;
pub use read_back::{ReadBack, read_back};
pub use reference::{PROGRAM, Reference};
pub use replay::{Replayed, replay};
pub use rerecord::{Rerecorded, rerecord};
pub use run::{Options, Summary, rehearse, run};
pub use seen::{Seen, differences, ours, theirs};
pub use statement::Statement;
