//! In-commit timestamps (PROTOCOL.md, In-Commit Timestamps): a time inside the commit file that only ever grows,
//! where the time of the file itself may be lost.

use crate::actions::{Action, Metadata};
use crate::commit_info::CommitInfo;
use crate::properties::is_on;
use crate::snapshot::Snapshot;

const ENABLED: &str = "delta.enableInCommitTimestamps";
const SINCE_VERSION: &str = "delta.inCommitTimestampEnablementVersion";
const SINCE_TIMESTAMP: &str = "delta.inCommitTimestampEnablementTimestamp";

/// Whether commits carry their own time.
pub(crate) fn is_enabled(metadata: &Metadata) -> bool {
    is_on(metadata, ENABLED)
}

/// Puts the time into a commit that needs it: now, or just after the commit before. A table that begins with them
/// later than at version 0 remembers when.
pub(crate) fn stamp(read: Option<&Snapshot>, version: u64, info: &mut CommitInfo, actions: &mut [Action]) {
    let changed = actions.iter_mut().rev().find_map(|action| match action {
        Action::Metadata(metadata) => Some(metadata),
        _ => None,
    });
    let before = read.map(Snapshot::metadata);
    let Some(in_force) = changed.as_deref().or(before) else { return };
    if !is_enabled(in_force) {
        return;
    }
    let earliest = read.map_or(i64::MIN, |snapshot| snapshot.commit_timestamp().saturating_add(1));
    let timestamp = info.timestamp.max(earliest);
    info.in_commit_timestamp = Some(timestamp);
    if let (Some(changed), Some(before)) = (changed, before)
        && !is_enabled(before)
    {
        changed.configuration.insert(SINCE_VERSION.to_owned(), version.to_string());
        changed.configuration.insert(SINCE_TIMESTAMP.to_owned(), timestamp.to_string());
    }
}
