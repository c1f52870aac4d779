//! The host, natively: what it records and what it answers.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod assist;
mod elsewhere;
mod large;
mod lens;
mod playground;
mod requests;
mod rules;
mod steps;
