//! Sentences about files: pruned, read, touched, left, written.

use super::tail;
use super::words::{be, count, list, past};
use crate::{ClauseKind, Counts, FileImage, Reason, Step, Trace, WrittenImage};

pub(super) fn skip(file: &str, reason: &Reason) -> String {
    format!("{file} is skipped without being opened, because {}", tail(&reason.text))
}

pub(super) fn scan(file: &str, reason: &Reason) -> String {
    format!("{file} is read, because {}", tail(&reason.text))
}

pub(super) fn touch(trace: &Trace, file: u32, matches: u64) -> String {
    let label = trace.file_label(file);
    let n_rows = trace.target.files.get(file as usize).map_or(0, |image| image.n_rows);
    let n_pairs = count(matches, "pair");
    let (what, cost) = match trace.hides_rows {
        true => (
            "it",
            "its other rows stay where they are, since a deletion vector will hide those that change.".to_owned(),
        ),
        false => (
            "the whole file",
            format!(
                "all {} of it must be written again, since a Parquet file cannot be changed in place.",
                count(n_rows, "row")
            ),
        ),
    };
    match (trace.operation.as_str(), matches) {
        ("MERGE", 0) => format!(
            "No source row matches in {label}, yet WHEN NOT MATCHED BY SOURCE decides about every target row: the file is touched, and {cost}"
        ),
        ("MERGE", 1) => format!("One pair in {label} touches {what}: {cost}"),
        ("MERGE", _) => format!("{n_pairs} in {label} touch {what}: {cost}"),
        _ => format!(
            "{} in {label} {} chosen by {}, so {cost}",
            count(matches, "row"),
            be(matches),
            trace.operation_name()
        ),
    }
}

pub(super) fn hide_rows(trace: &Trace, file: u32, rows: u64) -> String {
    let it = if rows == 1 { "it" } else { "them" };
    format!(
        "The log entry will give {} a deletion vector that hides {}: the file stays as it is, and readers of the new version pass {it} by.",
        trace.file_label(file),
        count(rows, "row")
    )
}

pub(super) fn leave(trace: &Trace, file: u32) -> String {
    let label = trace.file_label(file);
    match (trace.operation.as_str(), pairs_in(trace, file)) {
        ("MERGE", _) if is_insert_only(trace) => format!(
            "{label} stays as it is: a MERGE that only inserts reads the target to find out which source rows are new, and rewrites nothing."
        ),
        ("MERGE", 0) => {
            format!("{label} was read for nothing: no source row matches in it, so it stays as it is, byte for byte.")
        }
        ("MERGE", n_pairs) => format!(
            "{label} stays as it is: {} matched in it, but no WHEN MATCHED condition is true for any, so there is nothing to rewrite.",
            count(n_pairs, "pair")
        ),
        _ => format!(
            "{label} was read for nothing: the condition is true for no row in it, so it stays as it is, byte for byte."
        ),
    }
}

pub(super) fn write(trace: &Trace, file: u32, rows: u64) -> String {
    let label = trace.written_label(file);
    let content = trace.written.get(file as usize).and_then(content).unwrap_or_else(|| count(rows, "row"));
    let readers = match trace.target.version {
        Some(version) => format!("readers still see version {version}."),
        None => "readers see nothing of it.".to_owned(),
    };
    format!("{label} is written with {content}; no log entry names it yet, so {readers}")
}

pub(super) fn write_changes(files: u64, rows: u64) -> String {
    let (be, it) = (be(files), if files == 1 { "it" } else { "them" });
    format!(
        "{} with {} {be} written, because the new data files do not tell which of their rows changed: readers of the change feed will read {it} and no data file.",
        count(files, "change file"),
        count(rows, "row")
    )
}

// `5 rows (2 updated, 3 copied unchanged)`, where every row has an origin.
fn content(written: &WrittenImage) -> Option<String> {
    let FileImage { n_rows, .. } = written.file;
    if written.origins.is_empty() || written.origins.len() as u64 != n_rows {
        return None;
    }
    let mut tally = Counts::default();
    for origin in &written.origins {
        tally.add(origin.outcome, 1);
    }
    let parts: Vec<_> = tally.iter().map(|(outcome, n)| format!("{n} {}", past(outcome))).collect();
    match (parts.as_slice(), tally.iter().next()) {
        ([_], Some((outcome, _))) => Some(format!("{}, {} {}", count(n_rows, "row"), all_of(n_rows), past(outcome))),
        _ => Some(format!("{}: {}", count(n_rows, "row"), list(&parts))),
    }
}

fn all_of(n: u64) -> &'static str {
    match n {
        1 => "which is",
        2 => "both",
        _ => "all",
    }
}

fn is_insert_only(trace: &Trace) -> bool {
    trace.clauses.iter().all(|clause| clause.kind == ClauseKind::NotMatched)
}

fn pairs_in(trace: &Trace, wanted: u32) -> u64 {
    let pairs = trace.steps.iter().map(|step| match step {
        Step::Match { target, .. } if target.file == wanted => 1,
        Step::MatchMany { file, pairs } if *file == wanted => *pairs,
        _ => 0,
    });
    pairs.sum()
}
