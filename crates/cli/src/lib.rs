//! What the native program `mergelab` is made of; system tests use the same parts.
#![allow(clippy::disallowed_methods, reason = "a native program reads files; libraries below it do not")]
#![allow(clippy::large_futures, reason = "nothing here waits: futures are driven to their end at once")]

pub mod bench;
pub mod check;
pub mod conform;
pub mod course;
pub mod python;
pub mod run;
pub mod served;
pub mod site;
pub mod store;
pub mod value;
pub mod webdriver;
pub mod world;
