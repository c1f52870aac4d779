//! For tests only: fixed clock and names, a naive reference MERGE, golden files.

pub mod traces;
