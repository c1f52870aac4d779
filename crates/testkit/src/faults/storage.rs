//! A store of which one operation goes wrong.

use async_trait::async_trait;
use bytes::Bytes;
use delta::storage::{FileMeta, InMemory, Storage, StorageError};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How an operation goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing happens, and it says so.
    Fails,
    /// Half of a file is written. `put_if_absent` is whole or not at all by its contract: it is done, but reported as
    /// failed.
    Torn,
    /// It is done, but reported as failed.
    AnswerLost,
    /// It is done twice; the second answer is given.
    Repeated,
}

/// All of them.
pub const FAULTS: [Fault; 4] = [Fault::Fails, Fault::Torn, Fault::AnswerLost, Fault::Repeated];

/// A store over another, of which the operation with a given number goes wrong, once.
#[derive(Debug, Clone)]
pub struct Faulty {
    inner: InMemory,
    plan: Arc<Mutex<Plan>>,
}

#[derive(Debug, Default)]
struct Plan {
    /// What was asked since it was armed, e.g. `put t/_delta_log/…`.
    asked: Vec<String>,
    armed: Option<(usize, Fault)>,
}

impl Faulty {
    /// A store that counts operations from now on, and spoils the `at`-th if a fault is given.
    pub fn new(inner: InMemory) -> Self {
        Self { inner, plan: Arc::default() }
    }

    /// Starts counting anew; `fault` is what happens, once, to the operation of that number.
    pub fn arm(&self, fault: Option<(usize, Fault)>) {
        *self.plan() = Plan { asked: Vec::new(), armed: fault };
    }

    /// What was asked since then.
    pub fn asked(&self) -> Vec<String> {
        self.plan().asked.clone()
    }

    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, what: &str, path: &str) -> Option<Fault> {
        let mut plan = self.plan();
        plan.asked.push(format!("{what} {path}"));
        let number = plan.asked.len() - 1;
        let is_now = plan.armed.is_some_and(|(at, _)| at == number);
        let fault = if is_now { plan.armed.take() } else { None };
        fault.map(|(_, fault)| fault)
    }
}

fn broken<T>(path: &str) -> Result<T, StorageError> {
    Err(StorageError::Failed { path: path.to_owned(), reason: "the store was told to fail".into() })
}

/// Reading has no effect: it fails, or it is as if nothing had happened.
fn is_read_lost(fault: Option<Fault>) -> bool {
    matches!(fault, Some(Fault::Fails | Fault::Torn | Fault::AnswerLost))
}

#[async_trait]
impl Storage for Faulty {
    async fn list_from(&self, dir: &str, start: &str) -> Result<Vec<FileMeta>, StorageError> {
        let lost = is_read_lost(self.next("list", dir));
        if lost { broken(dir) } else { self.inner.list_from(dir, start).await }
    }

    async fn get(&self, path: &str) -> Result<Bytes, StorageError> {
        let lost = is_read_lost(self.next("get", path));
        if lost { broken(path) } else { self.inner.get(path).await }
    }

    async fn get_range(&self, path: &str, range: Range<u64>) -> Result<Bytes, StorageError> {
        let lost = is_read_lost(self.next("get", path));
        if lost { broken(path) } else { self.inner.get_range(path, range).await }
    }

    async fn put(&self, path: &str, bytes: Bytes, modified_ms: i64) -> Result<(), StorageError> {
        match self.next("put", path) {
            Some(Fault::Fails) => broken(path),
            Some(Fault::Torn) => {
                self.inner.put(path, bytes.slice(..bytes.len() / 2), modified_ms).await?;
                broken(path)
            }
            Some(Fault::AnswerLost) => {
                self.inner.put(path, bytes, modified_ms).await?;
                broken(path)
            }
            Some(Fault::Repeated) => {
                self.inner.put(path, bytes.clone(), modified_ms).await?;
                self.inner.put(path, bytes, modified_ms).await
            }
            None => self.inner.put(path, bytes, modified_ms).await,
        }
    }

    async fn put_if_absent(&self, path: &str, bytes: Bytes, modified_ms: i64) -> Result<bool, StorageError> {
        match self.next("put_if_absent", path) {
            Some(Fault::Fails) => broken(path),
            Some(Fault::Torn | Fault::AnswerLost) => {
                self.inner.put_if_absent(path, bytes, modified_ms).await?;
                broken(path)
            }
            Some(Fault::Repeated) => {
                self.inner.put_if_absent(path, bytes.clone(), modified_ms).await?;
                self.inner.put_if_absent(path, bytes, modified_ms).await
            }
            None => self.inner.put_if_absent(path, bytes, modified_ms).await,
        }
    }

    async fn delete(&self, path: &str) -> Result<(), StorageError> {
        match self.next("delete", path) {
            Some(Fault::Fails | Fault::Torn) => broken(path),
            Some(Fault::AnswerLost) => {
                self.inner.delete(path).await?;
                broken(path)
            }
            Some(Fault::Repeated) => {
                self.inner.delete(path).await?;
                self.inner.delete(path).await
            }
            None => self.inner.delete(path).await,
        }
    }
}
