//! The native system suites, in one binary.

mod bytes;
mod cases;
mod edges;
mod readers;
mod suite;
mod traces;
