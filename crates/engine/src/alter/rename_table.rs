//! RENAME TO: the table's folder goes to where a table of the new name lives. Nothing is committed.

use super::{Altered, Altering};
use crate::catalog::TableEntry;
use crate::failure;
use spec::{Diagnostic, Name};

/// Moves the files; the caller renames the entry of the catalog.
pub(super) async fn rename(table: &Altering<'_>, to: &Name) -> Result<Altered, Diagnostic> {
    let context = table.context;
    let place = context.catalog.place(to)?;
    let taken = context.catalog.tables().any(|known| known.schema == place.schema && known.name == place.name);
    if taken {
        let message = format!("Cannot rename the table to `{to}` because that name is taken.");
        return Err(Diagnostic::new("TABLE_OR_VIEW_ALREADY_EXISTS", "42P07", message, to.span())
            .with_hint("Choose another name, or drop the table that has it."));
    }
    let old = &table.entry;
    // A table at a place of its own stays there.
    let managed = context.catalog.place_of(&old.schema, &old.name);
    let root = if old.root == managed { place.root.clone() } else { old.root.clone() };
    let new = TableEntry { root, format: old.format.clone(), ..place };
    if new.root != old.root {
        move_files(table, &new.root).await.map_err(|error| failure::of_store(error.into()))?;
    }
    let table_name = new.short_name();
    Ok(Altered { version: None, table: table_name, renamed: Some((old.clone(), new)) })
}

async fn move_files(table: &Altering<'_>, root: &str) -> Result<(), delta::storage::StorageError> {
    let storage = table.context.env.storage.as_ref();
    for file in storage.list_from(&table.entry.root, "").await? {
        let Some(inside) = file.path.strip_prefix(&table.entry.root) else { continue };
        let bytes = storage.get(&file.path).await?;
        storage.put(&format!("{root}{inside}"), bytes, file.modified_ms).await?;
        storage.delete(&file.path).await?;
    }
    Ok(())
}
