//! The Delta table format: actions, log replay, `Snapshot`, `Transaction`, checkpoints, statistics, `Storage`.
//!
//! Nothing here reads a clock, a file system or a random number: times, names and identifiers come from the
//! caller, so that the same calls write the same bytes natively and in the browser.

pub mod actions;
pub mod adapt;
pub mod change_feed;
pub mod checkpoint;
pub mod commit_info;
pub mod conflict;
pub mod deletion_vector;
pub mod error;
pub mod features;
pub mod footer;
mod in_commit;
pub mod log;
pub mod mapping;
mod page_check;
pub mod parallel;
pub mod parquet_io;
pub mod partition;
pub mod paths;
pub mod properties;
pub mod protocol;
mod replay;
pub mod row_tracking;
pub mod scalar;
pub mod schema;
pub mod snapshot;
pub mod stats;
pub mod storage;
pub mod text;
pub mod transaction;
pub mod z85;
