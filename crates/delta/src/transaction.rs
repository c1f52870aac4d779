//! Committing: write the next version only if nobody has. A version that is taken is an outcome with what the
//! winner did, so that a conflict checker can decide whether to try the one after it.

use crate::actions::Action;
use crate::checkpoint::write_checkpoint;
use crate::commit_info::CommitInfo;
use crate::conflict::{Loser, Reads, Refusal, Winner, check};
use crate::error::Error;
use crate::log::read_commit;
use crate::paths::commit_path;
use crate::properties::{checkpoint_interval, is_on};
use crate::protocol::check_write;
use crate::snapshot::Snapshot;
use crate::storage::Storage;
use crate::{in_commit, row_tracking};
use bytes::Bytes;

/// A commit in preparation, based on the version it has read.
#[derive(Debug, Clone)]
pub struct Transaction {
    root: String,
    read: Option<Snapshot>,
}

/// How a commit ended.
#[derive(Debug, Clone, PartialEq)]
pub enum CommitOutcome {
    Committed(Committed),
    Conflict(Box<Conflict>),
}

/// The version that was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Committed {
    /// The table after the commit.
    pub snapshot: Snapshot,
    pub version: u64,
    pub log_path: String,
    /// The text of the commit file.
    pub log_text: String,
    pub checkpoint: Checkpointed,
}

/// Whether a checkpoint followed the commit. One that fails leaves the commit as good as it was.
#[derive(Debug, Clone, PartialEq)]
pub enum Checkpointed {
    NotDue,
    Written { path: String },
    Failed(Error),
}

/// The version that somebody else wrote first.
#[derive(Debug, Clone, PartialEq)]
pub struct Conflict {
    pub version: u64,
    /// What the winner says of itself.
    pub winner: Option<CommitInfo>,
    /// The winner's actions, commitInfo left out.
    pub actions: Vec<Action>,
    /// Why this commit cannot follow it, where that was asked ([`Transaction::commit_or_follow`]).
    pub refusal: Option<Refusal>,
}

impl Transaction {
    /// A transaction on the table as read; `None` creates version 0.
    pub fn new(root: impl Into<String>, read: Option<Snapshot>) -> Self {
        Self { root: root.into(), read }
    }

    /// The version a commit would write.
    pub fn version(&self) -> u64 {
        self.read.as_ref().map_or(0, |snapshot| snapshot.version() + 1)
    }

    /// Writes commitInfo and then the actions in their order, and a checkpoint where one is due. `readVersion`
    /// is filled in from what was read, and what the table asks of every commit: row ids and the time. Fails without writing if the actions leave no valid table, or one that
    /// this program may not write to.
    pub async fn commit(
        self,
        storage: &dyn Storage,
        actions: Vec<Action>,
        info: CommitInfo,
    ) -> Result<CommitOutcome, Error> {
        let version = self.version();
        let timestamp = info.timestamp;
        let (mut actions, mut info) = (actions, info);
        if self.has_row_tracking(&actions) {
            let mark = self.read.as_ref().and_then(|read| read.domain_metadata().get(row_tracking::DOMAIN));
            row_tracking::assign(mark, version, &mut actions)?;
        }
        in_commit::stamp(self.read.as_ref(), version, &mut info, &mut actions);
        let read_version = self.read.as_ref().map(Snapshot::version);
        let info = CommitInfo { read_version: info.read_version.or(read_version), ..info };
        let mut lines = Vec::with_capacity(actions.len() + 1);
        lines.push(Action::CommitInfo(info));
        lines.extend(actions);

        let snapshot = Snapshot::apply(self.read.as_ref(), &self.root, version, &lines, timestamp)?;
        self.check(&snapshot, &lines)?;
        let log_text = log_text(&lines)?;
        let log_path = commit_path(&self.root, version);
        if !put_commit(storage, &log_path, &log_text, timestamp).await? {
            return Ok(CommitOutcome::Conflict(Box::new(conflict(storage, version, &log_path).await?)));
        }
        let checkpoint = checkpoint_if_due(storage, &snapshot, timestamp).await;
        Ok(CommitOutcome::Committed(Committed { snapshot, version, log_path, log_text, checkpoint }))
    }

    fn has_row_tracking(&self, actions: &[Action]) -> bool {
        let new = actions.iter().rev().find_map(|action| match action {
            Action::Protocol(protocol) => Some(protocol),
            _ => None,
        });
        new.or(self.read.as_ref().map(Snapshot::protocol)).is_some_and(row_tracking::is_supported)
    }

    /// Commits as [`Transaction::commit`] does. Where others came first, the commit follows them unless one of them
    /// rules it out; `readVersion` stays the version that was read.
    pub async fn commit_or_follow(
        self,
        storage: &dyn Storage,
        actions: Vec<Action>,
        info: CommitInfo,
        reads: &Reads<'_>,
    ) -> Result<CommitOutcome, Error> {
        let Some(read) = self.read.clone() else { return self.commit(storage, actions, info).await };
        let info = CommitInfo { read_version: info.read_version.or(Some(read.version())), ..info };
        let mut attempt = self;
        loop {
            let root = attempt.root.clone();
            let conflict = match attempt.commit(storage, actions.clone(), info.clone()).await? {
                CommitOutcome::Committed(committed) => return Ok(CommitOutcome::Committed(committed)),
                CommitOutcome::Conflict(conflict) => conflict,
            };
            let loser = Loser { actions: &actions, reads, metadata: read.metadata() };
            let winner = Winner { info: conflict.winner.as_ref(), actions: &conflict.actions };
            if let Some(refusal) = check(&loser, &winner) {
                return Ok(CommitOutcome::Conflict(Box::new(Conflict { refusal: Some(refusal), ..*conflict })));
            }
            let base = Snapshot::load(storage, &root, Some(conflict.version)).await?;
            attempt = Self::new(root, base);
        }
    }

    fn check(&self, after: &Snapshot, actions: &[Action]) -> Result<(), Error> {
        check_write(&self.root, after.protocol(), after.metadata())?;
        let is_data_removed =
            actions.iter().any(|action| matches!(action, Action::Remove(remove) if remove.data_change));
        let append_only = self.read.as_ref().is_some_and(|read| is_on(read.metadata(), "delta.appendOnly"));
        if is_data_removed && append_only {
            return Err(Error::AppendOnly { root: self.root.clone() });
        }
        Ok(())
    }
}

/// Whether the version is ours now. A store that repeats a write says that the file was there already, and one whose
/// answer is lost says that it failed; then the file's text, which holds our transaction's id, tells whose it is.
async fn put_commit(storage: &dyn Storage, path: &str, text: &str, now_ms: i64) -> Result<bool, Error> {
    let answer = storage.put_if_absent(path, Bytes::from(text.to_owned()), now_ms).await;
    let is_ours = match answer {
        Ok(true) => true,
        Ok(false) | Err(_) => storage.get(path).await.is_ok_and(|found| found == text.as_bytes()),
    };
    if is_ours { Ok(true) } else { Ok(answer?) }
}

fn log_text(actions: &[Action]) -> Result<String, Error> {
    let mut text = String::new();
    for action in actions {
        text.push_str(&serde_json::to_string(action).map_err(|error| Error::Internal(error.to_string()))?);
        text.push('\n');
    }
    Ok(text)
}

async fn conflict(storage: &dyn Storage, version: u64, log_path: &str) -> Result<Conflict, Error> {
    let (mut winner, mut actions) = (None, Vec::new());
    for action in read_commit(storage, log_path).await? {
        match action {
            Action::CommitInfo(info) => winner = Some(info),
            other => actions.push(other),
        }
    }
    Ok(Conflict { version, winner, actions, refusal: None })
}

async fn checkpoint_if_due(storage: &dyn Storage, snapshot: &Snapshot, now_ms: i64) -> Checkpointed {
    let interval = match checkpoint_interval(snapshot.metadata()) {
        Ok(interval) => interval,
        Err(error) => return Checkpointed::Failed(error),
    };
    if snapshot.version() == 0 || !snapshot.version().is_multiple_of(interval) {
        return Checkpointed::NotDue;
    }
    match write_checkpoint(storage, snapshot, now_ms).await {
        Ok(path) => Checkpointed::Written { path },
        Err(error) => Checkpointed::Failed(error),
    }
}
