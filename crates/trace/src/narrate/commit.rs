//! Sentences about the end of a run: removed files, the log entry, or none.

use super::words::{count, list};
use crate::Trace;

pub(super) fn remove(trace: &Trace, file: u32) -> String {
    format!(
        "The log entry will remove {}: readers of the new version pass it by, while its bytes stay in the store for time travel.",
        trace.file_label(file)
    )
}

pub(super) fn commit(trace: &Trace, version: u64) -> String {
    let scene = trace.scene(trace.steps.len());
    let (tally, hides) = (&scene.tally, "hides rows of");
    let changes: Vec<_> = [(tally.files_removed, "removes"), (tally.files_hidden, hides), (tally.files_added, "adds")]
        .into_iter()
        .filter(|(n_files, _)| *n_files > 0)
        .map(|(n_files, verb)| format!("{verb} {}", count(n_files, "file")))
        .collect();
    let entry = trace.commit.as_ref().map_or("the log entry", |commit| {
        commit.log_path.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or("the log entry")
    });
    let effect = if changes.is_empty() { "changes no file".to_owned() } else { list(&changes) };
    let before = match trace.target.version {
        Some(old) if old < version => {
            format!("readers go from version {old} to {version} in one step, never seeing anything between.")
        }
        _ => format!("version {version} is there for readers, all of it at once."),
    };
    format!("{entry} is put into the log and {effect}: {before}")
}

pub(super) fn no_commit(trace: &Trace) -> String {
    let version =
        trace.target.version.map_or(String::new(), |version| format!(": the table stays at version {version}"));
    format!("No row has to be written and no file removed, so no commit is made{version}.")
}

pub(super) fn fail(trace: &Trace) -> String {
    let cause = trace.failure.as_ref().map_or("an error", |failure| failure.condition.as_str());
    let version =
        trace.target.version.map_or(String::new(), |version| format!(", and readers still see version {version}"));
    format!("The {} stops with {cause}: nothing is committed{version}.", trace.operation_name())
}
