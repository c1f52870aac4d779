//! A table as a zip: its folder as the store has it, and how other programs open it.

use super::zip::{Entry, pack};
use delta::storage::Storage;

/// Zips the folder of a table.
///
/// # Errors
/// A file that cannot be read.
pub(crate) async fn zipped(storage: &dyn Storage, root: &str, name: &str) -> Result<Vec<u8>, String> {
    let folder = if name.starts_with('`') { "table" } else { name };
    let listed = storage.list_from(root, "").await.map_err(|error| error.to_string())?;
    let mut entries = vec![Entry { path: "README.md".to_owned(), bytes: readme(folder).into_bytes() }];
    for file in listed {
        let bytes = storage.get(&file.path).await.map_err(|error| error.to_string())?;
        let inside = file.path.strip_prefix(root).unwrap_or(&file.path).trim_start_matches('/');
        entries.push(Entry { path: format!("{folder}/{inside}"), bytes: bytes.to_vec() });
    }
    Ok(pack(&entries))
}

fn readme(folder: &str) -> String {
    format!(
        "# `{folder}`, a Delta table from MergeLab\n\n\
         Unpack this file; the folder `{folder}` beside this text is the table, with its log and all its versions.\n\n\
         - Spark with Delta Lake: `spark.read.format(\"delta\").load(\"{folder}\").show()`\n\
         - DuckDB: `SELECT * FROM delta_scan('{folder}');`\n\
         - Python's deltalake: `QueryBuilder().register(\"t\", DeltaTable(\"{folder}\")).execute(\"SELECT * FROM t\").read_all()`\n"
    )
}
