//! Which versions a reader of the change feed asks for.

use crate::failure;
use delta::snapshot::history;
use delta::storage::Storage;
use query::FeedEnd;
use spec::{Diagnostic, Span};

/// Versions, both included, that exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) from: u64,
    pub(super) to: u64,
}

/// The range as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) from: FeedEnd,
    pub(super) to: Option<FeedEnd>,
    /// The table's latest version.
    pub(super) latest: u64,
    /// Whether ends behind the last commit are no mistake (`changeDataFeed.timestampOutOfRange.enabled`).
    pub(super) past_the_end: bool,
}

impl Asked {
    /// Whether the times of the commits have to be known.
    pub(super) fn needs_times(&self) -> bool {
        let is_time = |end: &FeedEnd| matches!(end, FeedEnd::TimestampMicros(_));
        is_time(&self.from) || self.to.as_ref().is_some_and(is_time)
    }
}

/// The range of two versions; `None` is an empty one.
pub(super) fn by_version(asked: &Asked, span: Span) -> Result<Option<Range>, Diagnostic> {
    settled(asked, &[], span)
}

/// The range where an end is an instant.
pub(super) async fn by_time(
    asked: &Asked,
    storage: &dyn Storage,
    root: &str,
    span: Span,
) -> Result<Option<Range>, Diagnostic> {
    let commits = history(storage, root, None).await.map_err(|error| failure::of_table(error, span))?;
    let micros = |ms: i64| ms.saturating_mul(1_000);
    let times: Vec<(u64, i64)> =
        commits.iter().rev().map(|(version, info)| (*version, micros(info.time_ms()))).collect();
    settled(asked, &times, span)
}

/// `times` are the commits' instants in microseconds, oldest first.
fn settled(asked: &Asked, times: &[(u64, i64)], span: Span) -> Result<Option<Range>, Diagnostic> {
    let from = first_version(asked, times, span)?;
    if from > i128::from(asked.latest) {
        if asked.past_the_end {
            return Ok(None);
        }
        let message = format!("The first version, {from}, lies after the latest one, {}.", asked.latest);
        return Err(Diagnostic::new("DELTA_CDC_START_VERSION_AFTER_LATEST", "22003", message, span)
            .with_hint("DESCRIBE HISTORY shows the versions that there are."));
    }
    let Some(to) = last_version(asked, times, span)? else {
        return range(from, i128::from(asked.latest), span);
    };
    if to < from {
        let both_times =
            matches!((asked.from, asked.to), (FeedEnd::TimestampMicros(_), Some(FeedEnd::TimestampMicros(_))));
        // Two instants between two commits: there is nothing between them, but the range is none the worse for it.
        if both_times && to + 1 == from {
            return Ok(None);
        }
        let message = format!("The range of changes ends with version {to}, before it begins with version {from}.");
        return Err(Diagnostic::new("DELTA_INVALID_CDC_RANGE", "22003", message, span)
            .with_hint("Give the first version first."));
    }
    range(from, to.min(i128::from(asked.latest)), span)
}

fn range(from: i128, to: i128, span: Span) -> Result<Option<Range>, Diagnostic> {
    match (u64::try_from(from), u64::try_from(to)) {
        (Ok(from), Ok(to)) => Ok(Some(Range { from, to })),
        _ => {
            let message = format!("There is no version {from}: the first one is 0.");
            Err(Diagnostic::new("DELTA_LOG_FILE_NOT_FOUND", "42K03", message, span)
                .with_hint("DESCRIBE HISTORY shows the versions that there are."))
        }
    }
}

/// The version as written, or the first one committed at or after the instant.
fn first_version(asked: &Asked, times: &[(u64, i64)], span: Span) -> Result<i128, Diagnostic> {
    let micros = match asked.from {
        FeedEnd::Version(version) => return Ok(version.into()),
        FeedEnd::TimestampMicros(micros) => micros,
    };
    match times.iter().find(|(_, time)| *time >= micros) {
        Some((version, _)) => Ok((*version).into()),
        None if asked.past_the_end => Ok(i128::from(asked.latest) + 1),
        None => Err(after_the_last(asked, span)),
    }
}

/// The version as written, or the last one committed at or before the instant.
fn last_version(asked: &Asked, times: &[(u64, i64)], span: Span) -> Result<Option<i128>, Diagnostic> {
    let micros = match asked.to {
        None => return Ok(None),
        Some(FeedEnd::Version(version)) => return Ok(Some(version.into())),
        Some(FeedEnd::TimestampMicros(micros)) => micros,
    };
    if !asked.past_the_end && times.last().is_some_and(|(_, last)| *last < micros) {
        return Err(after_the_last(asked, span));
    }
    match times.iter().rev().find(|(_, time)| *time <= micros) {
        Some((version, _)) => Ok(Some((*version).into())),
        None => {
            let message = "The timestamp lies before the first commit of the table that is still there.";
            Err(Diagnostic::new("DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION", "42816", message, span))
        }
    }
}

fn after_the_last(asked: &Asked, span: Span) -> Diagnostic {
    let message = "The timestamp lies after the last commit of the table.";
    Diagnostic::new("DELTA_TIMESTAMP_GREATER_THAN_COMMIT", "42816", message, span)
        .with_hint(format!("The last commit is version {}.", asked.latest))
}
