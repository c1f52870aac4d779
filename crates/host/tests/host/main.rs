//! The host, natively: what it records and what it answers.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod large;
mod playground;
mod requests;
mod rules;
mod steps;
