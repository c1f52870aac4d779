//! Benchmark scenarios: generated as SQL, timed natively; the browser runs the same text.

pub mod parity;
pub mod scenario;
pub mod time;
