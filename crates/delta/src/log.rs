//! The log folder: which commits and checkpoints there are, what is needed for a version, and reading one
//! commit file. Names this program does not know are passed over, as readers must.

use crate::actions::Action;
use crate::error::Error;
use crate::paths::{last_checkpoint_path, log_dir};
use crate::storage::{FileMeta, Storage, StorageError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The hint file beside the checkpoints (PROTOCOL.md, Last Checkpoint File).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastCheckpoint {
    pub version: u64,
    /// Number of actions.
    pub size: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_in_bytes: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub num_of_add_files: Option<i64>,
}

/// A complete checkpoint: one file, which may name sidecars, or all its parts in order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CheckpointFiles {
    pub(crate) version: u64,
    pub(crate) files: Vec<FileMeta>,
}

/// The log files that rebuild one version.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Segment {
    pub(crate) version: u64,
    pub(crate) checkpoint: Option<CheckpointFiles>,
    /// The commits after the checkpoint, without a gap.
    pub(crate) commits: Vec<(u64, FileMeta)>,
    /// The commit of `version` itself, if it is still there.
    pub(crate) last_commit: Option<FileMeta>,
}

#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) commits: BTreeMap<u64, FileMeta>,
    classic: BTreeMap<u64, FileMeta>,
    parts: BTreeMap<(u64, u32), BTreeMap<u32, FileMeta>>,
    v2: BTreeMap<u64, FileMeta>,
}

enum LogName {
    Commit(u64),
    Checkpoint(u64),
    Part { version: u64, part: u32, n_parts: u32 },
    V2Checkpoint(u64),
}

/// Lists the log from a version on.
pub(crate) async fn list(storage: &dyn Storage, root: &str, from: u64) -> Result<Listing, Error> {
    let dir = log_dir(root);
    let mut listing = Listing::default();
    for file in storage.list_from(&dir, &format!("{dir}/{from:020}")).await? {
        let name = file.path.get(dir.len() + 1..).unwrap_or_default();
        match parse_name(name) {
            // A writer that died leaves an empty file, which stands for nothing; an empty commit is a commit.
            Some(LogName::Checkpoint(_) | LogName::Part { .. } | LogName::V2Checkpoint(_)) if file.size == 0 => {}
            Some(LogName::Commit(version)) => drop(listing.commits.insert(version, file)),
            Some(LogName::Checkpoint(version)) => drop(listing.classic.insert(version, file)),
            Some(LogName::Part { version, part, n_parts }) => {
                listing.parts.entry((version, n_parts)).or_default().insert(part, file);
            }
            Some(LogName::V2Checkpoint(version)) => drop(listing.v2.insert(version, file)),
            None => {}
        }
    }
    Ok(listing)
}

/// The files for a version, the latest if none is given. `None` if there is no log. Fails if the version
/// cannot be rebuilt.
pub(crate) async fn segment(storage: &dyn Storage, root: &str, version: Option<u64>) -> Result<Option<Segment>, Error> {
    let hint = last_checkpoint(storage, root).await?.map(|hint| hint.version);
    // The hint only spares listing what lies before it; one that misleads costs a second listing.
    if let Some(hint) = hint.filter(|hint| version.is_none_or(|version| *hint <= version)) {
        let listing = list(storage, root, hint).await?;
        if listing.checkpoint_at_most(u64::MAX).is_some()
            && let Ok(found) = listing.segment(root, version)
        {
            return Ok(found);
        }
    }
    list(storage, root, 0).await?.segment(root, version)
}

/// The files for a version without its checkpoint of `damaged` and all later ones.
pub(crate) async fn segment_without(
    storage: &dyn Storage,
    root: &str,
    version: u64,
    damaged: u64,
) -> Result<Option<Segment>, Error> {
    let mut listing = list(storage, root, 0).await?;
    listing.classic.retain(|checkpoint, _| *checkpoint < damaged);
    listing.parts.retain(|(checkpoint, _), _| *checkpoint < damaged);
    listing.v2.retain(|checkpoint, _| *checkpoint < damaged);
    listing.segment(root, Some(version))
}

impl Listing {
    fn segment(&self, root: &str, version: Option<u64>) -> Result<Option<Segment>, Error> {
        let newest_checkpoint = self.checkpoint_at_most(u64::MAX).map(|checkpoint| checkpoint.version);
        let newest_commit = self.commits.keys().next_back().copied();
        let Some(latest) = newest_commit.max(newest_checkpoint) else {
            return Ok(None);
        };
        let version = version.unwrap_or(latest);
        let not_found = || Error::VersionNotFound { version, earliest: self.earliest(), latest };
        if version > latest {
            return Err(not_found());
        }
        let checkpoint = self.checkpoint_at_most(version);
        let first = checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.version + 1);
        let mut commits = Vec::new();
        for (expected, (found, file)) in (first..=version).zip(self.commits.range(first..)) {
            if *found == expected {
                commits.push((expected, file.clone()));
                continue;
            }
            return Err(match (&checkpoint, expected) {
                (None, 0) if version < self.earliest() => not_found(),
                (None, 0) => Error::TruncatedLog { root: root.to_owned(), first: *found },
                (_, missing) => Error::VersionGap { root: root.to_owned(), missing },
            });
        }
        let reached = first + commits.len() as u64;
        if reached <= version {
            return Err(match &checkpoint {
                None if commits.is_empty() => not_found(),
                _ => Error::VersionGap { root: root.to_owned(), missing: reached },
            });
        }
        let last_commit = self.commits.get(&version).cloned();
        Ok(Some(Segment { version, checkpoint, commits, last_commit }))
    }

    /// The first version that can be rebuilt.
    fn earliest(&self) -> u64 {
        if self.commits.contains_key(&0) {
            return 0;
        }
        let classic = self.classic.keys().next().copied();
        let multi_part = self.parts.iter().find(|((_, n_parts), parts)| is_complete(*n_parts, parts));
        let v2 = self.v2.keys().next().copied();
        let first = [classic, multi_part.map(|((version, _), _)| *version), v2].into_iter().flatten().min();
        first.or(self.commits.keys().next().copied()).unwrap_or(0)
    }

    fn checkpoint_at_most(&self, version: u64) -> Option<CheckpointFiles> {
        let newest = |files: &BTreeMap<u64, FileMeta>| {
            let (version, file) = files.range(..=version).next_back()?;
            Some(CheckpointFiles { version: *version, files: vec![file.clone()] })
        };
        let complete = self.parts.range(..=(version, u32::MAX)).rev().find(|((_, n), parts)| is_complete(*n, parts));
        let multi_part = complete.map(|((version, _), parts)| CheckpointFiles {
            version: *version,
            files: parts.values().cloned().collect(),
        });
        // All forms of one version say the same.
        [newest(&self.v2), multi_part, newest(&self.classic)].into_iter().flatten().max_by_key(|found| found.version)
    }
}

fn is_complete(n_parts: u32, parts: &BTreeMap<u32, FileMeta>) -> bool {
    n_parts > 0 && parts.len() as u64 == u64::from(n_parts) && parts.keys().all(|part| (1..=n_parts).contains(part))
}

fn parse_name(name: &str) -> Option<LogName> {
    let (version, rest) = name.split_once('.')?;
    if version.len() != 20 {
        return None;
    }
    let version: u64 = version.parse().ok().filter(|version| *version < u64::MAX)?;
    let pieces: Vec<&str> = rest.split('.').collect();
    match pieces.as_slice() {
        ["json"] => Some(LogName::Commit(version)),
        ["checkpoint", "parquet"] => Some(LogName::Checkpoint(version)),
        ["checkpoint", part, n_parts, "parquet"] => {
            Some(LogName::Part { version, part: part.parse().ok()?, n_parts: n_parts.parse().ok()? })
        }
        ["checkpoint", _, "parquet" | "json"] => Some(LogName::V2Checkpoint(version)),
        _ => None,
    }
}

// The hint is optional, so one that is missing or damaged is as good as none.
async fn last_checkpoint(storage: &dyn Storage, root: &str) -> Result<Option<LastCheckpoint>, Error> {
    match storage.get(&last_checkpoint_path(root)).await {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(StorageError::NotFound { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Reads the actions of a commit file, in order. Fails with file and line on text that is not an action.
pub(crate) async fn read_commit(storage: &dyn Storage, path: &str) -> Result<Vec<Action>, Error> {
    parse_commit(path, &storage.get(path).await?)
}

/// The actions in the bytes of a commit file; `path` is for errors.
pub fn parse_commit(path: &str, bytes: &[u8]) -> Result<Vec<Action>, Error> {
    let mut actions = Vec::new();
    for (line_idx, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let corrupt = |reason: String| Error::CorruptLog { file: path.to_owned(), line: line_idx + 1, reason };
        let text = std::str::from_utf8(line).map_err(|error| corrupt(error.to_string()))?;
        if text.trim().is_empty() {
            continue;
        }
        actions.extend(Action::parse(text).map_err(|error| corrupt(error.to_string()))?);
    }
    Ok(actions)
}
