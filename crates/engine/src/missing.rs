//! What to say where a name leads to no table that can be read.

use crate::catalog::{Catalog, TableEntry};
use crate::env::Env;
use crate::failure;
use spec::{Diagnostic, Name};

/// There is no Delta table behind the name: a name that nobody knows, a folder without a log, or no folder at all.
pub(crate) async fn no_table(env: &Env, catalog: &Catalog, entry: &TableEntry, name: &Name) -> Diagnostic {
    if !entry.is_path() {
        return catalog.not_found(name);
    }
    let span = name.span();
    match env.storage.list_from(&entry.root, "").await {
        Err(error) => failure::of_table(error.into(), span),
        Ok(files) if files.is_empty() => {
            let message = format!("Path does not exist: {}.", entry.root);
            Diagnostic::new("PATH_NOT_FOUND", "42K03", message, span)
        }
        Ok(_) => {
            let message = format!("Delta table {} doesn't exist: its folder has no _delta_log.", entry.name);
            Diagnostic::new("DELTA_TABLE_NOT_FOUND", "42P01", message, span)
                .with_hint("Parquet files alone are no Delta table.")
        }
    }
}

/// A table that has no columns cannot be read.
pub(crate) fn no_columns(name: &Name) -> Diagnostic {
    let message = format!("You are trying to read a Delta table `{name}` that does not have any columns.");
    Diagnostic::new("DELTA_READ_TABLE_WITHOUT_COLUMNS", "428GU", message, name.span())
        .with_hint("Write to it with schema evolution first: its columns come with the first rows.")
}
