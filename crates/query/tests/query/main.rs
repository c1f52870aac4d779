//! Queries over tables in memory, from SQL text to rows, and expressions bound over columns.

#![allow(clippy::unwrap_used, clippy::panic, clippy::result_large_err, reason = "a test fails by panicking")]

mod aggregates;
mod assignment;
mod bound;
mod casts;
mod dates;
mod errors;
mod functions;
mod generators;
mod harness;
mod joins;
mod observed;
mod operators;
mod pairs;
mod select;
mod sets;
mod subqueries;
mod values;
mod windows;
