//! Action reconciliation (PROTOCOL.md, Action Reconciliation): the last word on each file, transaction and
//! domain wins. Files keep the order in which commits added them, so that every reader sees one order.

use crate::actions::{
    Action, Add, DeletionVectorDescriptor, DomainMetadata, Metadata, PartitionValues, Protocol, Remove, Txn,
};
use crate::commit_info::CommitInfo;
use crate::paths::decode_path;
use std::collections::BTreeMap;
use std::sync::Arc;

type FileKey = (String, Option<String>);

/// The state of a table while actions are applied to it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Replay {
    pub(crate) metadata: Option<Metadata>,
    pub(crate) protocol: Option<Protocol>,
    pub(crate) txns: BTreeMap<String, Txn>,
    pub(crate) domains: BTreeMap<String, DomainMetadata>,
    /// Of the commit applied last; checkpoints hold none.
    pub(crate) commit_info: Option<CommitInfo>,
    files: Live<Add>,
    tombstones: Live<Remove>,
}

/// What replay leaves behind for files, in order.
pub(crate) struct Files {
    pub(crate) files: Vec<Arc<Add>>,
    pub(crate) tombstones: Vec<Arc<Remove>>,
}

impl Replay {
    /// Continues from a known state.
    pub(crate) fn resume(files: &[Arc<Add>], tombstones: &[Arc<Remove>]) -> Self {
        let mut replay = Self::default();
        for add in files {
            replay.files.insert(key(&add.path, add.deletion_vector.as_ref()), add.clone());
        }
        for remove in tombstones {
            replay.tombstones.insert(key(&remove.path, remove.deletion_vector.as_ref()), remove.clone());
        }
        replay
    }

    pub(crate) fn apply(&mut self, actions: impl IntoIterator<Item = Action>) {
        for action in actions {
            match action {
                Action::Add(add) => {
                    let key = key(&add.path, add.deletion_vector.as_ref());
                    self.tombstones.remove(&key);
                    self.files.insert(key, Arc::new(add));
                }
                Action::Remove(remove) => {
                    let key = key(&remove.path, remove.deletion_vector.as_ref());
                    self.files.remove(&key);
                    self.tombstones.insert(key, Arc::new(remove));
                }
                Action::Metadata(metadata) => self.metadata = Some(metadata),
                Action::Protocol(protocol) => self.protocol = Some(protocol),
                Action::Txn(txn) => drop(self.txns.insert(txn.app_id.clone(), txn)),
                Action::DomainMetadata(domain) if domain.removed => drop(self.domains.remove(&domain.domain)),
                Action::DomainMetadata(domain) => drop(self.domains.insert(domain.domain.clone(), domain)),
                Action::CommitInfo(info) => self.commit_info = Some(info),
                Action::AddCdcFile(_) => {}
            }
        }
    }

    /// The files in order, their partition values in the order of these physical names.
    pub(crate) fn into_files(self, partition_columns: &[String]) -> Files {
        let ordered = |add: Arc<Add>| {
            let is_ordered = add.partition_values.keys().eq(partition_columns.iter());
            if is_ordered { add } else { Arc::new(with_ordered_values(&add, partition_columns)) }
        };
        Files {
            files: self.files.into_values().map(ordered).collect(),
            tombstones: self.tombstones.into_values().collect(),
        }
    }
}

// A checkpoint and other writers store partition values in any order and may leave NULLs out.
fn with_ordered_values(add: &Add, partition_columns: &[String]) -> Add {
    let value = |name: &String| (name.clone(), add.partition_values.get(name).cloned().flatten());
    let partition_values: PartitionValues = partition_columns.iter().map(value).collect();
    Add { partition_values, ..add.clone() }
}

// Two spellings of one path are one file: another escaping, or a local path with and without its scheme.
fn key(path: &str, deletion_vector: Option<&DeletionVectorDescriptor>) -> FileKey {
    let decoded = decode_path(path);
    let canonical = match decoded.strip_prefix("file:") {
        Some(local) => format!("/{}", local.trim_start_matches('/')),
        None => decoded,
    };
    (canonical, deletion_vector.map(DeletionVectorDescriptor::unique_id))
}

/// Values by key that remember the order of insertion; inserting a known key moves it to the end.
#[derive(Debug, Clone)]
struct Live<T> {
    slots: Vec<Option<Arc<T>>>,
    positions: BTreeMap<FileKey, usize>,
}

impl<T> Default for Live<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), positions: BTreeMap::new() }
    }
}

impl<T> Live<T> {
    fn insert(&mut self, key: FileKey, value: Arc<T>) {
        let position = self.slots.len();
        self.slots.push(Some(value));
        if let Some(old) = self.positions.insert(key, position) {
            self.clear(old);
        }
    }

    fn remove(&mut self, key: &FileKey) {
        if let Some(old) = self.positions.remove(key) {
            self.clear(old);
        }
    }

    fn clear(&mut self, position: usize) {
        if let Some(slot) = self.slots.get_mut(position) {
            *slot = None;
        }
    }

    fn into_values(self) -> impl Iterator<Item = Arc<T>> {
        self.slots.into_iter().flatten()
    }
}
