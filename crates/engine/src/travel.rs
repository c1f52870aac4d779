//! Time travel: which version an instant, a path with a suffix or a RESTORE means, and which are too old to go to.

use crate::catalog::{Format, TableEntry};
use crate::env::Env;
use crate::failure;
use crate::resolve::latest;
use crate::sandbox::Context;
use crate::settings::{Settings, TRAVEL_WITHIN_RETENTION};
use delta::properties::deleted_file_retention_ms;
use delta::snapshot::{Snapshot, commit_times};
use query::At;
use spec::{Diagnostic, Span};

/// The table at a version or instant. `None`: there is no table.
///
/// # Errors
/// No such version; an instant before the first or after the last commit; a version that VACUUM may have taken files
/// from.
pub(crate) async fn snapshot_at(
    env: &Env,
    settings: &Settings,
    entry: &TableEntry,
    at: At,
    span: Span,
) -> Result<Option<Snapshot>, Diagnostic> {
    let Some(newest) = latest(env, entry, span).await? else { return Ok(None) };
    let version = match at {
        At::Version(version) => version,
        At::TimestampMicros(micros) => match version_at(env, &newest, micros, span).await? {
            Instant::Version(version) => version,
            Instant::BeforeFirst => {
                let message = "The timestamp lies before the first commit of the table that is still there.";
                return Err(Diagnostic::new("DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION", "42816", message, span));
            }
            Instant::AfterLast => {
                let message = "The timestamp lies after the last commit of the table.";
                let hint =
                    format!("The last commit is version {}; leave TIMESTAMP AS OF out to read it.", newest.version());
                return Err(
                    Diagnostic::new("DELTA_TIMESTAMP_GREATER_THAN_COMMIT", "42816", message, span).with_hint(hint)
                );
            }
        },
    };
    if version == newest.version() {
        return Ok(Some(newest));
    }
    let then = Snapshot::load(env.storage.as_ref(), &entry.root, Some(version)).await;
    let then = then.map_err(|error| failure::of_table(error, span))?;
    if let Some(then) = &then {
        refuse_beyond_retention(env, settings, &newest, then, span)?;
    }
    Ok(then)
}

/// What an instant means in the history of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Instant {
    /// The last version at or before it.
    Version(u64),
    BeforeFirst,
    AfterLast,
}

/// Looks an instant up in the history.
///
/// # Errors
/// The log cannot be read.
pub(crate) async fn version_at(env: &Env, newest: &Snapshot, micros: i64, span: Span) -> Result<Instant, Diagnostic> {
    let times = commit_times(env.storage.as_ref(), newest.root(), newest.metadata()).await;
    let times = times.map_err(|error| failure::of_table(error, span))?;
    if times.last().is_some_and(|(_, last)| last.saturating_mul(1_000) < micros) {
        return Ok(Instant::AfterLast);
    }
    let before = times.iter().rev().find(|(_, at_ms)| at_ms.saturating_mul(1_000) <= micros);
    Ok(before.map_or(Instant::BeforeFirst, |(version, _)| Instant::Version(*version)))
}

/// A version other than the newest must not be older than the retention of deleted files: its files may be gone.
///
/// # Errors
/// It is older, and the setting that asks for this is on.
pub(crate) fn refuse_beyond_retention(
    env: &Env,
    settings: &Settings,
    newest: &Snapshot,
    then: &Snapshot,
    span: Span,
) -> Result<(), Diagnostic> {
    if then.version() == newest.version() || !settings.is_on(TRAVEL_WITHIN_RETENTION) {
        return Ok(());
    }
    let retention_ms = deleted_file_retention_ms(newest.metadata()).map_err(|error| failure::of_table(error, span))?;
    if then.commit_timestamp() >= env.clock.now_ms().saturating_sub(retention_ms) {
        return Ok(());
    }
    let hours = retention_ms / 3_600_000;
    let message = format!(
        "Version {} is older than {hours} hours, for which deleted files are kept (delta.deletedFileRetentionDuration).",
        then.version()
    );
    let condition = "DELTA_UNSUPPORTED_TIME_TRAVEL_BEYOND_DELETED_FILE_RETENTION_DURATION";
    Err(Diagnostic::new(condition, "0AKDC", message, span)
        .with_hint(format!("Only the latest version can be read then. Set {TRAVEL_WITHIN_RETENTION} to false to try.")))
}

/// The table and version behind a path such as `/some/path@v3` or `/some/path@20240131120000000`.
pub(crate) fn split_suffix(entry: &TableEntry) -> Option<(TableEntry, At)> {
    let (root, suffix) = entry.root.rsplit_once('@')?;
    let at = match suffix.strip_prefix(['v', 'V']) {
        Some(digits) => At::Version(digits.parse().ok()?),
        None => At::TimestampMicros(instant(suffix)?),
    };
    let entry = TableEntry { root: root.to_owned(), name: format!("`{root}`"), ..entry.clone() };
    (entry.format == Format::Delta).then_some((entry, at))
}

/// `yyyyMMddHHmmssSSS`, in microseconds.
fn instant(digits: &str) -> Option<i64> {
    if digits.len() != 17 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (date, time) = digits.split_at_checked(8)?;
    let part = |text: &str, from: usize, to: usize| text.get(from..to).map(str::to_owned);
    let text = format!(
        "{}-{}-{} {}:{}:{}.{}",
        part(date, 0, 4)?,
        part(date, 4, 6)?,
        part(date, 6, 8)?,
        part(time, 0, 2)?,
        part(time, 2, 4)?,
        part(time, 4, 6)?,
        part(time, 6, 9)?
    );
    delta::text::parse_timestamp(&text)
}

/// A constant instant as written in a statement, in microseconds.
///
/// # Errors
/// The text is no timestamp.
pub(crate) async fn instant_of(context: &Context<'_>, time: &spec::Expr) -> Result<i64, Diagnostic> {
    use arrow::array::AsArray;
    let scope = query::Scope::new();
    let bound = query::bind(&context.session, &context.resolver(), &scope, time).await.map_err(Diagnostic::from)?;
    let timestamp = delta::schema::DataType::Timestamp;
    let bound = bound.assign(&context.session, &timestamp, query::AssignKind::Insert)?;
    let value = bound.evaluate(&crate::batch::positional(Vec::new(), 1)?)?;
    let micros = value.as_primitive_opt::<arrow::datatypes::TimestampMicrosecondType>();
    match micros.filter(|values| values.len() == 1 && arrow::array::Array::is_valid(values, 0)) {
        Some(values) => Ok(values.value(0)),
        None => {
            let message = "TIMESTAMP AS OF needs a constant that is a timestamp.";
            Err(Diagnostic::new("INVALID_TIME_TRAVEL_TIMESTAMP_EXPR.INPUT", "42K0E", message, time.span)
                .with_hint("Write a text such as '2024-01-31 12:00:00', or current_timestamp() - INTERVAL 1 DAY."))
        }
    }
}
