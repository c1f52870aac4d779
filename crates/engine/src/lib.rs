//! Binds, plans and runs statements on Delta tables.
//!
//! A statement goes through phases that are plain functions over values: bind, plan, find, classify,
//! write, commit. [`sandbox::Sandbox`] drives them; [`observe::Observer`] is lent each product. The
//! outside world is [`env::Env`]; DataFusion is behind the crate `query` and not named here.

mod alter;
mod batch;
mod catalog;
mod change_feed;
mod change_files;
mod changes;
mod clustering;
mod columns;
mod command;
mod commit;
mod constraints;
mod create;
mod definition;
mod delete;
mod describe;
pub mod env;
mod failure;
mod fields;
mod file_size;
mod filter;
mod insert;
pub mod lens;
mod local;
mod marks;
mod merge;
mod missing;
mod names;
pub mod observe;
mod overwrite;
mod partition;
pub mod products;
mod prune;
mod read;
mod resolve;
mod rewrite;
mod row;
mod row_ids;
pub mod sandbox;
mod save;
mod settings;
mod settle;
mod stats_columns;
mod table;
mod target;
mod travel;
mod types;
mod update;
mod write;

pub use catalog::{Format, TableEntry, WAREHOUSE};
/// What `engineInfo` of our commits says.
pub const ENGINE_INFO: &str = concat!("MergeLab/", env!("CARGO_PKG_VERSION"));
