//! Tables in a folder of this machine.

use async_trait::async_trait;
use bytes::Bytes;
use delta::storage::{FileMeta, Storage, StorageError};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;

/// A folder as a store. Paths are relative to it and cannot leave it.
#[derive(Debug, Clone)]
pub struct LocalFolder {
    root: PathBuf,
}

impl LocalFolder {
    /// The store over `root`, which need not exist yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    fn place(&self, path: &str) -> Result<PathBuf, StorageError> {
        let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        if inside { Ok(self.root.join(path)) } else { Err(failed(path, "the path leaves the store")) }
    }

    fn meta(&self, file: &Path) -> Result<Option<FileMeta>, StorageError> {
        let Ok(relative) = file.strip_prefix(&self.root) else { return Ok(None) };
        let path = relative.to_string_lossy().replace('\\', "/");
        let meta = file.metadata().map_err(|error| failed(&path, error))?;
        let modified = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified_ms = modified.map_or(0, |time| time.as_millis() as i64);
        Ok(Some(FileMeta { path, size: meta.len(), modified_ms }))
    }

    fn walk(&self, folder: &Path, found: &mut Vec<FileMeta>) -> Result<(), StorageError> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed(&folder.to_string_lossy(), error)),
        };
        for entry in entries {
            let path = entry.map_err(|error| failed(&folder.to_string_lossy(), error))?.path();
            if path.is_dir() {
                self.walk(&path, found)?;
            } else {
                found.extend(self.meta(&path)?);
            }
        }
        Ok(())
    }
}

fn failed(path: &str, reason: impl ToString) -> StorageError {
    StorageError::Failed { path: path.to_owned(), reason: reason.to_string() }
}

fn error_of(path: &str, error: std::io::Error) -> StorageError {
    if error.kind() == ErrorKind::NotFound {
        StorageError::NotFound { path: path.to_owned() }
    } else {
        failed(path, error)
    }
}

/// Writes beside the place and moves the file there, so that no reader sees a half-written one.
fn write_whole(place: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let beside = place.with_extension("partial");
    File::create(&beside)?.write_all(bytes)?;
    fs::rename(beside, place)
}

#[async_trait]
impl Storage for LocalFolder {
    async fn list_from(&self, dir: &str, start: &str) -> Result<Vec<FileMeta>, StorageError> {
        let mut found = Vec::new();
        self.walk(&self.place(dir)?, &mut found)?;
        found.retain(|file| file.path.as_str() >= start);
        found.sort_by(|left, right| left.path.cmp(&right.path));
        Ok(found)
    }

    async fn get(&self, path: &str) -> Result<Bytes, StorageError> {
        fs::read(self.place(path)?).map(Bytes::from).map_err(|error| error_of(path, error))
    }

    async fn get_range(&self, path: &str, range: Range<u64>) -> Result<Bytes, StorageError> {
        let mut file = File::open(self.place(path)?).map_err(|error| error_of(path, error))?;
        file.seek(SeekFrom::Start(range.start)).map_err(|error| error_of(path, error))?;
        let mut bytes = vec![0; range.end.saturating_sub(range.start) as usize];
        file.read_exact(&mut bytes).map_err(|error| error_of(path, error))?;
        Ok(bytes.into())
    }

    async fn put(&self, path: &str, bytes: Bytes, _modified_ms: i64) -> Result<(), StorageError> {
        let place = self.place(path)?;
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).map_err(|error| failed(path, error))?;
        }
        write_whole(&place, &bytes).map_err(|error| failed(path, error))
    }

    async fn put_if_absent(&self, path: &str, bytes: Bytes, _modified_ms: i64) -> Result<bool, StorageError> {
        let place = self.place(path)?;
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).map_err(|error| failed(path, error))?;
        }
        // Write beside, then link: the link fails if another writer was first, and a reader never sees a part.
        let beside = place.with_extension(format!("{}.partial", std::process::id()));
        let written = OpenOptions::new().write(true).create(true).truncate(true).open(&beside);
        written.and_then(|mut file| file.write_all(&bytes)).map_err(|error| failed(path, error))?;
        let linked = fs::hard_link(&beside, &place);
        fs::remove_file(&beside).map_err(|error| failed(path, error))?;
        match linked {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(failed(path, error)),
        }
    }

    async fn delete(&self, path: &str) -> Result<(), StorageError> {
        fs::remove_file(self.place(path)?).map_err(|error| error_of(path, error))
    }
}
