//! DROP TABLE.

use crate::catalog::{Entry, TableEntry};
use crate::env::Env;
use crate::failure;
use crate::sandbox::Context;
use spec::{Diagnostic, Name};

/// Removes the files of a table; gives the entry to forget.
///
/// # Errors
/// There is no such table and IF EXISTS is not written; the store failed.
pub(crate) async fn dropped_table(
    context: &Context<'_>,
    name: &Name,
    if_exists: bool,
) -> Result<Option<TableEntry>, Diagnostic> {
    match context.catalog.find(name) {
        Some(Entry::Table(entry)) => {
            files_below(context.env, &entry.root).await?;
            Ok(Some(entry))
        }
        Some(Entry::View(view)) => {
            let message = format!("`{}` is a view, not a table.", view.name);
            Err(Diagnostic::new("WRONG_COMMAND_FOR_OBJECT_TYPE", "42809", message, name.span())
                .with_hint(format!("Write DROP VIEW {}.", view.name)))
        }
        None if if_exists => Ok(None),
        None => Err(context.catalog.not_found(name)),
    }
}

/// Deletes every file of a folder.
pub(super) async fn files_below(env: &Env, root: &str) -> Result<(), Diagnostic> {
    let storage = env.storage.as_ref();
    for file in storage.list_from(root, "").await.map_err(|error| failure::of_store(error.into()))? {
        storage.delete(&file.path).await.map_err(|error| failure::of_store(error.into()))?;
    }
    Ok(())
}
