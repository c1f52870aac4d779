//! What is printed parses back to what it was printed from.
//!
//! The statements come from all that the project has recorded and teaches; `golden.txt` has a few to read.
//! `UPDATE_EXPECT=1 cargo test -p mirror` rewrites it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper of tests fails loudly")]

mod corpus;
mod expressions;
mod fixed_point;
mod frames;
mod golden;
mod python;
mod queries;
mod spanless;
