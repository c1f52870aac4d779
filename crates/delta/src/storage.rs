//! The object store under a table. Paths are '/'-separated and relative to the store's root; a store knows
//! nothing of tables. The one operation a Delta commit rests on is `put_if_absent`.

use async_trait::async_trait;
use bytes::Bytes;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One file as a listing shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileMeta {
    /// Full path from the store's root.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Milliseconds since 1970-01-01 UTC.
    pub modified_ms: i64,
}

/// Why the store could not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StorageError {
    /// There is no file of this name.
    NotFound { path: String },
    /// The range asked for lies outside the file.
    OutOfRange { path: String, size: u64 },
    /// Anything else the host reports.
    Failed { path: String, reason: String },
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { path } => write!(f, "there is no file {path}"),
            Self::OutOfRange { path, size } => write!(f, "the range lies outside {path}, which has {size} bytes"),
            Self::Failed { path, reason } => write!(f, "{path}: {reason}"),
        }
    }
}

impl std::error::Error for StorageError {}

/// Where files live: memory in the page and in tests, a folder in the native program.
#[async_trait]
pub trait Storage: Send + Sync + fmt::Debug {
    /// Files directly or deeper under `dir` whose full path is at or after `start`, sorted by path. A folder
    /// that does not exist is empty.
    async fn list_from(&self, dir: &str, start: &str) -> Result<Vec<FileMeta>, StorageError>;
    /// The whole file.
    async fn get(&self, path: &str) -> Result<Bytes, StorageError>;
    /// A part of the file; fails if the range lies outside it.
    async fn get_range(&self, path: &str, range: Range<u64>) -> Result<Bytes, StorageError>;
    /// Writes or replaces the file.
    async fn put(&self, path: &str, bytes: Bytes, modified_ms: i64) -> Result<(), StorageError>;
    /// Writes the file unless one of that name exists: `false` means it was there and nothing was written.
    async fn put_if_absent(&self, path: &str, bytes: Bytes, modified_ms: i64) -> Result<bool, StorageError>;
    /// Removes the file; fails if there is none.
    async fn delete(&self, path: &str) -> Result<(), StorageError>;
}

#[derive(Debug, Clone)]
struct Entry {
    bytes: Bytes,
    modified_ms: i64,
}

/// A store in memory. A clone is the same store; [`InMemory::fork`] makes an independent one.
#[derive(Debug, Clone, Default)]
pub struct InMemory {
    entries: Arc<Mutex<BTreeMap<String, Entry>>>,
}

impl InMemory {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// An independent store with the same files. The bytes are shared, so this costs the list of names only.
    pub fn fork(&self) -> Self {
        Self { entries: Arc::new(Mutex::new(self.lock().clone())) }
    }

    /// All files, sorted by path.
    pub fn files(&self) -> Vec<FileMeta> {
        self.lock().iter().map(|(path, entry)| meta(path, entry)).collect()
    }

    // Every operation leaves the map whole, so a poisoned lock still guards good data.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entry(&self, path: &str) -> Result<Entry, StorageError> {
        self.lock().get(path).cloned().ok_or_else(|| StorageError::NotFound { path: path.to_owned() })
    }
}

fn meta(path: &str, entry: &Entry) -> FileMeta {
    FileMeta { path: path.to_owned(), size: entry.bytes.len() as u64, modified_ms: entry.modified_ms }
}

#[async_trait]
impl Storage for InMemory {
    async fn list_from(&self, dir: &str, start: &str) -> Result<Vec<FileMeta>, StorageError> {
        let prefix = if dir.is_empty() { String::new() } else { format!("{}/", dir.trim_end_matches('/')) };
        let first = prefix.as_str().max(start).to_owned();
        let entries = self.lock();
        let found = entries.range(first..).take_while(|(path, _)| path.starts_with(&prefix));
        Ok(found.map(|(path, entry)| meta(path, entry)).collect())
    }

    async fn get(&self, path: &str) -> Result<Bytes, StorageError> {
        Ok(self.entry(path)?.bytes)
    }

    async fn get_range(&self, path: &str, range: Range<u64>) -> Result<Bytes, StorageError> {
        let bytes = self.entry(path)?.bytes;
        let size = bytes.len() as u64;
        if range.start > range.end || range.end > size {
            return Err(StorageError::OutOfRange { path: path.to_owned(), size });
        }
        Ok(bytes.slice(range.start as usize..range.end as usize))
    }

    async fn put(&self, path: &str, bytes: Bytes, modified_ms: i64) -> Result<(), StorageError> {
        self.lock().insert(path.to_owned(), Entry { bytes, modified_ms });
        Ok(())
    }

    async fn put_if_absent(&self, path: &str, bytes: Bytes, modified_ms: i64) -> Result<bool, StorageError> {
        let mut entries = self.lock();
        if entries.contains_key(path) {
            return Ok(false);
        }
        entries.insert(path.to_owned(), Entry { bytes, modified_ms });
        Ok(true)
    }

    async fn delete(&self, path: &str) -> Result<(), StorageError> {
        match self.lock().remove(path) {
            Some(_) => Ok(()),
            None => Err(StorageError::NotFound { path: path.to_owned() }),
        }
    }
}
