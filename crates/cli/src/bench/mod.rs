//! Benchmark scenarios: generated as SQL, timed natively, in a browser and, in their own words, in other engines.

pub mod browser;
pub mod memory;
pub mod others;
pub mod page;
pub mod parity;
pub mod report;
pub mod run;
pub mod scenario;
pub mod time;
