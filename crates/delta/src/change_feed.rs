//! The change data feed (PROTOCOL.md, Add CDC File): which files of a commit tell what it did to rows.
//!
//! A commit with change files is told by them alone; any other by the files that it adds and removes.

use crate::actions::{Action, Add, AddCdcFile, Metadata, Remove};
use crate::commit_info::CommitInfo;
use crate::error::Error;
use crate::log::{list, read_commit};
use crate::properties::is_on;
use crate::schema::{StructType, same_name};
use crate::storage::Storage;
use std::collections::{BTreeMap, BTreeSet};

/// The property that switches the feed on.
pub const ENABLED: &str = "delta.enableChangeDataFeed";
/// What happened to a row: `insert`, `delete`, `update_preimage` or `update_postimage`.
pub const CHANGE_TYPE: &str = "_change_type";
/// The version that changed the row.
pub const COMMIT_VERSION: &str = "_commit_version";
/// When that version was committed.
pub const COMMIT_TIMESTAMP: &str = "_commit_timestamp";

/// Whether commits of a table with this metadata have a feed.
pub fn is_enabled(metadata: &Metadata) -> bool {
    is_on(metadata, ENABLED)
}

/// The first column that has a name of the feed's own columns.
pub fn reserved_column(schema: &StructType) -> Option<&str> {
    let is_reserved =
        |name: &str| [CHANGE_TYPE, COMMIT_VERSION, COMMIT_TIMESTAMP].iter().any(|own| same_name(own, name));
    schema.fields.iter().map(|field| field.name.as_str()).find(|name| is_reserved(name))
}

/// One entry of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Commit {
    pub version: u64,
    /// Milliseconds since 1970-01-01 UTC.
    pub timestamp: i64,
    pub actions: Vec<Action>,
}

/// The commits of the versions from `from` to `to`, both included, as far as the log has them.
///
/// # Errors
/// The store failed; an entry is damaged.
pub async fn commits(storage: &dyn Storage, root: &str, from: u64, to: u64) -> Result<Vec<Commit>, Error> {
    let mut commits = Vec::new();
    for (version, file) in list(storage, root, from).await?.commits.range(from..=to) {
        let actions = read_commit(storage, &file.path).await?;
        let timestamp = info_of(&actions).map(CommitInfo::time_ms);
        commits.push(Commit { version: *version, timestamp: timestamp.unwrap_or(file.modified_ms), actions });
    }
    Ok(commits)
}

/// Where the changes of a commit are told.
#[derive(Debug, Clone, PartialEq)]
pub enum Changes {
    /// In change files; what else the commit did to files is the same once more.
    Recorded(Vec<AddCdcFile>),
    /// By the data files themselves.
    Derived(Vec<FileChange>),
}

/// What the rows of a data file tell of a commit without change files.
#[derive(Debug, Clone, PartialEq)]
pub enum FileChange {
    /// All rows of the file are new.
    Added(Add),
    /// All rows of the file are gone.
    Removed(Remove),
    /// The file stays and its deletion vector is another one: rows that only the new one has are gone, rows that only the
    /// old one has are back.
    Marked { before: Box<Remove>, after: Box<Add> },
}

impl Commit {
    /// Where readers find the changes. Rearranged files (`dataChange` false) change nothing.
    pub fn changes(&self) -> Changes {
        let recorded: Vec<AddCdcFile> = self.actions.iter().filter_map(as_cdc).cloned().collect();
        if !recorded.is_empty() {
            return Changes::Recorded(recorded);
        }
        if info_of(&self.actions).is_some_and(only_copied) {
            return Changes::Derived(Vec::new());
        }
        let added = || self.actions.iter().filter_map(as_add);
        let removed = || self.actions.iter().filter_map(as_remove);
        let after: BTreeSet<&str> = added().map(|add| add.path.as_str()).collect();
        let before: BTreeMap<&str, &Remove> = removed().map(|remove| (remove.path.as_str(), remove)).collect();
        let gone = removed().filter(|remove| !after.contains(remove.path.as_str()));
        let mut changes: Vec<FileChange> = gone.cloned().map(FileChange::Removed).collect();
        changes.extend(added().cloned().map(|after| match before.get(after.path.as_str()) {
            Some(before) => FileChange::Marked { before: Box::new((*before).clone()), after: Box::new(after) },
            None => FileChange::Added(after),
        }));
        Changes::Derived(changes)
    }

    /// The metadata that the commit puts in force.
    pub fn metadata(&self) -> Option<&Metadata> {
        self.actions
            .iter()
            .find_map(|action| if let Action::Metadata(metadata) = action { Some(metadata) } else { None })
    }
}

fn info_of(actions: &[Action]) -> Option<&CommitInfo> {
    actions.iter().find_map(|action| if let Action::CommitInfo(info) = action { Some(info) } else { None })
}

fn as_cdc(action: &Action) -> Option<&AddCdcFile> {
    if let Action::AddCdcFile(file) = action { Some(file) } else { None }
}

fn as_add(action: &Action) -> Option<&Add> {
    if let Action::Add(add) = action { Some(add).filter(|add| add.data_change) } else { None }
}

fn as_remove(action: &Action) -> Option<&Remove> {
    if let Action::Remove(remove) = action { Some(remove).filter(|remove| remove.data_change) } else { None }
}

// A MERGE that touched files and changed no row has no change file to say so; its metrics do.
fn only_copied(info: &CommitInfo) -> bool {
    let is_zero = |name: &&str| info.operation_metrics.get(*name).is_some_and(|value| value == "0");
    info.operation == "MERGE"
        && ["numTargetRowsInserted", "numTargetRowsUpdated", "numTargetRowsDeleted"].iter().all(is_zero)
}
