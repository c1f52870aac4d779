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

/// How deep a stranger's text may nest. The reader goes down with it, and its stack is small.
const MAX_DEPTH: usize = 32;

/// Whether a text nests so little that it may be read, wherever it comes from.
pub fn is_shallow(text: &str) -> bool {
    let (mut depth, mut in_text, mut is_escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return false;
        }
    }
    true
}
