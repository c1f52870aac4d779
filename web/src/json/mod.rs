//! JSON for the page's own files and the engine's replies.
//!
//! A reader of its own, because half of the page's bytes would otherwise be a general one: it
//! reads structs from objects only, knows no floating point, and its errors carry a place and a
//! word instead of formatted text.

mod pretty;
mod reader;
#[cfg(test)]
mod tests;
mod tokens;
mod write;

pub use pretty::pretty;
pub use reader::read;
pub use tokens::{Misfit, member};
pub use write::quote;
