//! Tables for statements about tables that are not there.
//!
//! [`script`] reads statements as written and gives the DDL and the rows that let them run: which tables and columns
//! they use, types guessed from literals, comparisons, arithmetic, functions and, last, from names. Pure: nothing is
//! asked of a catalog, the caller says which names are known.

mod constants;
mod graph;
mod kind;
mod relations;
mod rows;
mod statements;
mod usage;
mod write;

use spec::{Name, Statement};

/// DDL and INSERTs for every table that the statements read or write and that is neither known nor made by an earlier
/// one of them. `None` if there is no such table.
pub fn script(statements: &[Statement], is_known: &dyn Fn(&Name) -> bool) -> Option<String> {
    let usage = usage::of(statements, is_known);
    let text = write::script(&usage.graph);
    (!text.is_empty()).then_some(text)
}
