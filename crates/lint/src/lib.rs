//! Warnings about statements that are right and still a trap.
//!
//! [`lint`] looks at `spec` values and at what is [`Known`] of the tables; it runs nothing. A rule that
//! cannot tell says nothing: a warning that is wrong teaches the wrong thing.

mod columns;
mod known;
mod rules;
mod sides;
mod walk;

pub use known::{Column, Known, Table};

use spec::{Diagnostic, Statement};

/// The warnings of the statements of `script`, in the order of the text. `known` follows the statements: what they
/// create is known to those behind them, and afterwards to the caller.
pub fn lint(script: &str, statements: &[Statement], known: &mut Known) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    for statement in statements {
        rules::check(script, statement, known, &mut warnings);
        known.follow(&statement.kind);
    }
    warnings.sort_by_key(|warning| warning.span.map(|span| (span.start, span.end)));
    warnings
}
