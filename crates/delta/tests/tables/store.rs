//! Tables on disk as an in-memory store, so that every test runs the store that the page runs.

use bytes::Bytes;
use delta::storage::{InMemory, Storage};
use futures::executor::block_on;
use std::path::{Path, PathBuf};

/// A store that holds the table of a folder under `t`.
#[allow(clippy::disallowed_methods, reason = "tests read their recorded tables from disk")]
pub(crate) fn load(folder: &Path) -> InMemory {
    let store = InMemory::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(dir) = pending.pop() {
        for entry in std::fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
                continue;
            }
            let relative = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            let bytes = Bytes::from(std::fs::read(&path).unwrap());
            block_on(store.put(&format!("t/{relative}"), bytes, 0)).unwrap();
        }
    }
    store
}

/// A recorded table.
pub(crate) fn recorded(name: &str) -> InMemory {
    load(&data_dir().join(name).join("table"))
}

/// What the reference saw in a recorded table.
#[allow(clippy::disallowed_methods, reason = "tests read their recorded tables from disk")]
pub(crate) fn expected(name: &str) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(data_dir().join(name).join("expected.json")).unwrap()).unwrap()
}

/// The recorded tables that this crate reads.
pub(crate) const READABLE: &[&str] = &[
    "change-data-feed",
    "checkpoint-v1-classic",
    "checkpoint-v1-multipart",
    "checkpoint-v2-json",
    "column-mapping-name",
    "column-mapping-upgraded",
    "clustered-row-tracking",
    "deletion-vectors-file",
    "deletion-vectors-inline",
    "generated-identity-default",
    "log-compaction",
    "long-strings",
    "merge-scd2",
    "nested",
    "numbers",
    "partition-odd-values",
    "partition-typed-values",
    "restore",
    "schema-evolution",
    "timestamps",
];

fn data_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// The bytes of a file.
pub(crate) fn bytes(store: &InMemory, path: &str) -> Bytes {
    block_on(store.get(path)).unwrap()
}

/// The paths of the commit files, in order.
pub(crate) fn commit_paths(store: &InMemory) -> Vec<String> {
    let is_commit = |path: &String| path.starts_with("t/_delta_log/") && path.ends_with(".json") && path.len() == 38;
    store.files().into_iter().map(|file| file.path).filter(is_commit).collect()
}
