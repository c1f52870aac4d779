//! For tests only: a naive reference MERGE and the property test against it, a store that goes wrong, the reference
//! itself as a process and the differential test against it, the rules of traces.
//!
//! The program `proof` runs what takes too long for the suites.

pub mod differential;
pub mod faults;
pub mod naive;
pub mod property;
pub mod random;
pub mod shrink;
pub mod traces;
pub mod world;
