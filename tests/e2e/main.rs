//! A learner's way through the built page, in a real browser. `cargo xtask test` serves the site, starts the
//! driver and runs these flows; they cannot be skipped there.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a flow is a test: it panics or passes")]
#![allow(clippy::disallowed_methods, reason = "a flow waits for a browser and writes its pictures")]

mod accessible;
mod browser;
mod course;
mod editor;
mod editor_help;
mod firefox;
mod first_visit;
mod keeping;
mod lessons;
mod offline;
mod own_data;
mod playground;
mod python;
mod rules;
mod sharing;
mod timeline;
mod views;
