//! Stepping through hand-made traces.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod intervals;
mod narration;
mod sample;
mod scenes;
mod stops;
mod views;
