//! The native system suites, in one binary.

#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "every function here is part of a test"
)]
#![allow(clippy::large_futures, reason = "nothing waits: futures are driven to their end at once")]

mod bytes;
mod cases;
mod differential;
mod edges;
mod faults;
mod features;
mod feed;
mod fixtures;
mod golden;
mod mirror;
mod program_requests;
mod property;
mod python;
mod readers;
mod rules_table;
mod skipping;
mod suite;
mod traces;
