//! The native system suites, in one binary.

#![cfg(not(target_arch = "wasm32"))]

mod bytes;
mod cases;
mod edges;
mod readers;
mod suite;
mod traces;
