//! Data of the learner's own: files that become tables, and tables that become files.
//!
//! Names and bytes are a stranger's. Everything is bounded and checked before it is unpacked or stored; what is refused
//! is refused with a sentence that says what would fit.

mod columns;
mod csv;
mod download;
mod json;
mod load;
mod zip;

pub(crate) use download::zipped;
pub(crate) use load::load;
use zip::is_safe;
pub use zip::{Entry, unpack};

use bytes::Bytes;
use std::collections::BTreeMap;

/// Bytes of all files together.
pub(crate) const MAX_BYTES: usize = 100_000_000;
/// Bytes of a text that is read as CSV or JSON: it is several times as large in memory.
pub(crate) const MAX_TEXT: usize = 20_000_000;
pub(crate) const MAX_FILES: usize = 5_000;
pub(crate) const MAX_ROWS: usize = 200_000;
pub(crate) const MAX_COLUMNS: usize = 300;

/// The files that the page has handed over: by key, then by path.
pub(crate) type Files = BTreeMap<String, BTreeMap<String, Bytes>>;

/// Adds one file to those of a key.
///
/// # Errors
/// A path that leads elsewhere, or more than the sandbox takes.
pub(crate) fn add(files: &mut Files, key: &str, path: &str, bytes: Vec<u8>) -> Result<(), String> {
    if !is_safe(path) {
        return Err(format!("The file name {path:?} leads out of its folder, so nothing of it is taken."));
    }
    let of_key = files.entry(key.to_owned()).or_default();
    let n_bytes: usize = of_key.values().map(Bytes::len).sum::<usize>() + bytes.len();
    if n_bytes > MAX_BYTES || of_key.len() >= MAX_FILES {
        return Err(too_large());
    }
    of_key.insert(path.to_owned(), Bytes::from(bytes));
    Ok(())
}

pub(crate) fn too_large() -> String {
    format!(
        "That is more than this tab can hold: up to {} MB in {MAX_FILES} files, {} MB as CSV or JSON, {MAX_ROWS} rows \
         and {MAX_COLUMNS} columns.",
        MAX_BYTES / 1_000_000,
        MAX_TEXT / 1_000_000
    )
}
