//! The parser's own suite.
//!
//! `cases/*.txt` hold statements with what they mean (an s-expression) or the complaint they get.
//! `UPDATE_EXPECT=1 cargo test -p sql` rewrites the expectations; read the difference before
//! committing it.

#![allow(clippy::unwrap_used, reason = "a helper of tests fails loudly")]

mod cases;
mod robust;
mod sexpr;
mod sexpr_statement;
mod spans;
