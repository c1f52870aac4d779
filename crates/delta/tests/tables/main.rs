//! The table layer against tables that Delta on Spark has written, and against itself.

#![allow(clippy::unwrap_used, clippy::panic, reason = "clippy.toml excuses test functions, but not their helpers")]

mod checkpoints;
mod commits;
mod conflicts;
mod deletion_vectors;
mod mapping;
mod mutations;
mod partitions;
mod recorded;
mod rows;
mod stats;
mod store;
mod tracking;
