//! One version of a table: its schema, properties and live files. A snapshot never changes; a newer one is
//! loaded, refreshed, or derived by a commit.

use crate::actions::{Action, Add, DomainMetadata, Metadata, Protocol, Remove, Txn};
use crate::checkpoint::read_checkpoint;
use crate::commit_info::CommitInfo;
use crate::error::Error;
use crate::in_commit;
use crate::log::{Segment, list, read_commit, segment, segment_without};
use crate::mapping::{MappingMode, checked};
use crate::protocol::check_read;
use crate::replay::Replay;
use crate::schema::StructType;
use crate::storage::Storage;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A version of a table. A clone shares the state.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    state: Arc<State>,
}

#[derive(Debug, Clone, PartialEq)]
struct State {
    root: String,
    version: u64,
    commit_timestamp: i64,
    metadata: Metadata,
    protocol: Protocol,
    schema: StructType,
    mapping: MappingMode,
    files: Vec<Arc<Add>>,
    tombstones: Vec<Arc<Remove>>,
    txns: BTreeMap<String, Txn>,
    domains: BTreeMap<String, DomainMetadata>,
}

impl Snapshot {
    /// Reads a version, the latest if none is given, from the newest checkpoint at or before it. `None` if
    /// there is no table. Fails on a version that does not exist, a damaged log, and a table that this program
    /// cannot read.
    pub async fn load(storage: &dyn Storage, root: &str, version: Option<u64>) -> Result<Option<Self>, Error> {
        let Some(mut segment) = segment(storage, root, version).await? else { return Ok(None) };
        let mut replay = Replay::default();
        while let Some(checkpoint) = &segment.checkpoint {
            match read_checkpoint(storage, root, checkpoint).await {
                Ok(actions) => {
                    replay.apply(actions);
                    break;
                }
                // A writer that stopped half-way leaves one; what lies before it says the same, if it is still there.
                Err(damaged @ Error::CorruptCheckpoint { .. }) => {
                    let before = segment_without(storage, root, segment.version, checkpoint.version).await;
                    segment = before.ok().flatten().ok_or(damaged)?;
                }
                Err(error) => return Err(error),
            }
        }
        Self::replay_commits(storage, root, &segment, replay).await.map(Some)
    }

    /// The latest version, reading only the commits after this one.
    pub async fn refresh(&self, storage: &dyn Storage) -> Result<Self, Error> {
        let listing = list(storage, self.root(), self.version() + 1).await?;
        let Some(version) = listing.commits.keys().next_back().copied() else { return Ok(self.clone()) };
        let commits: Vec<_> = listing.commits.into_iter().collect();
        for (expected, (found, _)) in (self.version() + 1..).zip(&commits) {
            if *found != expected {
                return Err(Error::VersionGap { root: self.root().to_owned(), missing: expected });
            }
        }
        let last_commit = commits.last().map(|(_, file)| file.clone());
        let segment = Segment { version, checkpoint: None, commits, last_commit };
        Self::replay_commits(storage, self.root(), &segment, self.to_replay()).await
    }

    /// This version plus the actions of the next one, without reading the log.
    pub(crate) fn apply(
        read: Option<&Self>,
        root: &str,
        version: u64,
        actions: &[Action],
        commit_timestamp: i64,
    ) -> Result<Self, Error> {
        let mut replay = read.map_or_else(Replay::default, Self::to_replay);
        replay.apply(actions.iter().cloned());
        Self::finish(root, version, commit_timestamp, replay)
    }

    async fn replay_commits(
        storage: &dyn Storage,
        root: &str,
        segment: &Segment,
        mut replay: Replay,
    ) -> Result<Self, Error> {
        for (_, file) in &segment.commits {
            replay.commit_info = None;
            replay.apply(read_commit(storage, &file.path).await?);
        }
        // A checkpoint does not keep the time of its commit.
        if let (true, Some(file)) = (segment.commits.is_empty(), &segment.last_commit)
            && replay.metadata.as_ref().is_some_and(in_commit::is_enabled)
        {
            let is_info = |action: &Action| matches!(action, Action::CommitInfo(_));
            replay.apply(read_commit(storage, &file.path).await?.into_iter().filter(is_info));
        }
        let checkpoint_file = segment.checkpoint.as_ref().and_then(|checkpoint| checkpoint.files.first());
        let file = segment.last_commit.as_ref().or(checkpoint_file);
        Self::finish(root, segment.version, file.map_or(0, |file| file.modified_ms), replay)
    }

    fn finish(root: &str, version: u64, modified_ms: i64, mut replay: Replay) -> Result<Self, Error> {
        let lost = || root.to_owned();
        let protocol = replay.protocol.take().ok_or_else(|| Error::MissingProtocol { root: lost(), version })?;
        let metadata = replay.metadata.take().ok_or_else(|| Error::MissingMetadata { root: lost(), version })?;
        check_read(root, &protocol, &metadata)?;
        let schema = match metadata.schema_string.as_str() {
            "" => StructType::default(),
            text => StructType::from_json(text)?,
        };
        let mapping = MappingMode::of(&protocol, &metadata)?;
        let schema = checked(schema, mapping)?;
        let mut partition_names = Vec::with_capacity(metadata.partition_columns.len());
        for column in &metadata.partition_columns {
            let Some(field) = schema.field(column) else {
                return Err(Error::InvalidSchema { reason: format!("the partition column {column} is not in it") });
            };
            partition_names.push(field.physical_name().to_owned());
        }
        let in_commit = replay.commit_info.take().and_then(|info| info.in_commit_timestamp);
        let in_commit = in_commit.filter(|_| in_commit::is_enabled(&metadata));
        let (txns, domains) = (std::mem::take(&mut replay.txns), std::mem::take(&mut replay.domains));
        let replayed = replay.into_files(&partition_names);
        let state = State {
            root: root.to_owned(),
            version,
            commit_timestamp: in_commit.unwrap_or(modified_ms),
            metadata,
            protocol,
            schema,
            mapping,
            files: replayed.files,
            tombstones: replayed.tombstones,
            txns,
            domains,
        };
        Ok(Self { state: Arc::new(state) })
    }

    fn to_replay(&self) -> Replay {
        let mut replay = Replay::resume(&self.state.files, &self.state.tombstones);
        replay.metadata = Some(self.state.metadata.clone());
        replay.protocol = Some(self.state.protocol.clone());
        replay.txns = self.state.txns.clone();
        replay.domains = self.state.domains.clone();
        replay
    }

    /// The same version as if the table had this definition: its files are read as the new columns, missing ones NULL.
    /// `metadata` holds the text of `schema`.
    pub fn with_definition(&self, metadata: Metadata, schema: StructType) -> Self {
        Self { state: Arc::new(State { metadata, schema, ..State::clone(&self.state) }) }
    }

    /// The table's folder.
    pub fn root(&self) -> &str {
        &self.state.root
    }

    /// The version this is.
    pub fn version(&self) -> u64 {
        self.state.version
    }

    /// When the version was committed, in milliseconds: the in-commit timestamp where the table has them, else
    /// the modification time of the commit file.
    pub fn commit_timestamp(&self) -> i64 {
        self.state.commit_timestamp
    }

    /// The metaData action in force.
    pub fn metadata(&self) -> &Metadata {
        &self.state.metadata
    }

    /// The protocol action in force.
    pub fn protocol(&self) -> &Protocol {
        &self.state.protocol
    }

    /// All columns, partition columns included.
    pub fn schema(&self) -> &StructType {
        &self.state.schema
    }

    /// How data files are to be read; names and ids themselves are in the schema.
    pub fn mapping(&self) -> MappingMode {
        self.state.mapping
    }

    /// The columns that data files hold.
    pub fn data_schema(&self) -> StructType {
        self.state.schema.without(self.partition_columns())
    }

    /// The partition columns in order.
    pub fn partition_columns(&self) -> &[String] {
        &self.state.metadata.partition_columns
    }

    /// The live files, by the version that added them, then by their order in that commit.
    pub fn files(&self) -> &[Arc<Add>] {
        &self.state.files
    }

    /// The removed files that the log still knows.
    pub fn tombstones(&self) -> &[Arc<Remove>] {
        &self.state.tombstones
    }

    /// The last transaction of each application.
    pub fn txns(&self) -> &BTreeMap<String, Txn> {
        &self.state.txns
    }

    /// The metadata domains in force.
    pub fn domain_metadata(&self) -> &BTreeMap<String, DomainMetadata> {
        &self.state.domains
    }
}

/// The commits still in the log with their commitInfo, newest first, at most `limit`. A commit without one has
/// an empty commitInfo. Fails with `TableNotFound` where there is no log.
pub async fn history(storage: &dyn Storage, root: &str, limit: Option<usize>) -> Result<Vec<(u64, CommitInfo)>, Error> {
    let listing = list(storage, root, 0).await?;
    if listing.commits.is_empty() {
        return Err(Error::TableNotFound { path: root.to_owned() });
    }
    let mut found = Vec::new();
    for (version, file) in listing.commits.iter().rev().take(limit.unwrap_or(usize::MAX)) {
        let actions = read_commit(storage, &file.path).await?;
        let info = actions.into_iter().find_map(|action| match action {
            Action::CommitInfo(info) => Some(info),
            _ => None,
        });
        found.push((*version, info.unwrap_or_default()));
    }
    Ok(found)
}

/// When each commit that is still in the log was made, oldest first, in milliseconds: the in-commit timestamp where
/// `metadata` has them on, else the modification time of the commit file. Each time is later than the one before.
/// Empty where there is no log.
pub async fn commit_times(storage: &dyn Storage, root: &str, metadata: &Metadata) -> Result<Vec<(u64, i64)>, Error> {
    let in_commit = crate::properties::is_on(metadata, "delta.enableInCommitTimestamps");
    let mut times: Vec<(u64, i64)> = Vec::new();
    for (version, file) in list(storage, root, 0).await?.commits {
        let mut at_ms = file.modified_ms;
        if in_commit {
            let noted = read_commit(storage, &file.path).await?.into_iter().find_map(|action| match action {
                Action::CommitInfo(info) => info.in_commit_timestamp,
                _ => None,
            });
            at_ms = noted.unwrap_or(at_ms);
        }
        if let Some((_, before)) = times.last() {
            at_ms = at_ms.max(before.saturating_add(1));
        }
        times.push((version, at_ms));
    }
    Ok(times)
}

/// All actions of the commits from `version` on that are still in the log, oldest first.
pub async fn actions_since(storage: &dyn Storage, root: &str, version: u64) -> Result<Vec<Action>, Error> {
    let mut actions = Vec::new();
    for file in list(storage, root, version).await?.commits.values() {
        actions.extend(read_commit(storage, &file.path).await?);
    }
    Ok(actions)
}
