//! The one voice that tells a step: page, command line and golden files use it.
//!
//! A sentence names the cause first or says it after "because", and speaks of rows by their key
//! values, of clauses by their number in the statement, of files by the number on their card.

mod commit;
mod files;
mod names;
mod rows;
mod words;

use crate::{FilesEvent, Step, Trace};
use words::count;

/// One sentence that says what the step at `idx` did and why. Empty where there is no such step.
pub fn narrate(trace: &Trace, idx: usize) -> String {
    let Some(step) = trace.steps.get(idx) else { return String::new() };
    let sentence = match step {
        Step::ChangeColumns { added, changed } => change_columns(added, changed),
        Step::ReadSource { rows } => read_source(trace, *rows),
        Step::SkipFile { file, reason } => files::skip(&trace.file_label(*file), reason),
        Step::ScanFile { file, reason } => files::scan(&trace.file_label(*file), reason),
        Step::Match { target, source } => rows::pair(trace, *target, *source),
        Step::MatchMany { file, pairs } => rows::many_pairs(trace, &trace.file_label(*file), *pairs),
        Step::Duplicate { target, sources } => rows::duplicate(trace, *target, sources),
        Step::TouchFile { file, matches } => files::touch(trace, *file, *matches),
        Step::LeaveFile { file } => files::leave(trace, *file),
        Step::Act { outcome, clause, target, source } => rows::act(trace, *outcome, *clause, *target, *source),
        Step::ActMany { outcome, clause, file, rows } => {
            let place = file.map(|file| trace.file_label(file));
            rows::act_many(trace, *outcome, *clause, place.as_deref(), *rows)
        }
        Step::WriteFile { file, rows } => files::write(trace, *file, *rows),
        Step::WriteChanges { files, rows } => files::write_changes(*files, *rows),
        Step::HideRows { file, rows } => files::hide_rows(trace, *file, *rows),
        Step::RemoveFile { file } => commit::remove(trace, *file),
        Step::Commit { version } => commit::commit(trace, *version),
        Step::NoCommit => commit::no_commit(trace),
        Step::Fail => commit::fail(trace),
        Step::Files { event, files } => many_files(trace, event, files.len() as u64),
    };
    capitalised(&sentence)
}

fn change_columns(added: &[String], changed: &[String]) -> String {
    let named = |names: &[String]| {
        let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        format!("{} {}", if names.len() == 1 { "the column" } else { "the columns" }, words::list(&quoted))
    };
    match (added.is_empty(), changed.is_empty()) {
        (false, true) => {
            format!("The commit will add {}; rows that are there already have NULL in them.", named(added))
        }
        (true, _) => {
            format!("The commit will change the type of {}; old files are read as the new type.", named(changed))
        }
        (false, false) => format!(
            "The commit will add {} and change the type of {}; old files are read as if they had them.",
            named(added),
            named(changed)
        ),
    }
}

fn read_source(trace: &Trace, rows: u64) -> String {
    let Some(source) = &trace.source else { return format!("{} {} read.", count(rows, "row"), words::be(rows)) };
    match (trace.operation.as_str(), rows) {
        ("MERGE", 0) => format!("The source {} has 0 rows, so nothing in the target can match.", source.name),
        ("MERGE", _) => {
            format!("The source {} is read: {} will be compared with the target.", source.name, count(rows, "row"))
        }
        _ => format!("The rows to write are computed before anything is written: {}.", count(rows, "row")),
    }
}

fn many_files(trace: &Trace, event: &FilesEvent, n_files: u64) -> String {
    let files = count(n_files, "file");
    let (be, it) = (words::be(n_files), if n_files == 1 { "it" } else { "them" });
    match event {
        FilesEvent::Skipped { reason } => {
            format!("{files} {be} skipped without being opened; the first because {}", tail(&reason.text))
        }
        FilesEvent::Scanned { reason } => format!("{files} {be} read; the first because {}", tail(&reason.text)),
        FilesEvent::Matched { pairs } => rows::many_pairs(trace, &files, *pairs),
        FilesEvent::Touched { matches } if trace.hides_rows => format!(
            "{} touch {files}, whose other rows stay where they are: this table hides changed rows by deletion vectors.",
            count(*matches, "pair")
        ),
        FilesEvent::Touched { matches } => format!(
            "{} touch {files}, so every row in {it} must be written again: a Parquet file cannot be changed in place.",
            count(*matches, "pair")
        ),
        FilesEvent::Left => format!("{files} {be} left untouched, because no row in {it} has to change."),
        FilesEvent::Acted { outcome, clause, rows } => rows::act_many(trace, *outcome, *clause, Some(&files), *rows),
        FilesEvent::Written { rows } => format!(
            "{files} with {} {be} written; no log entry names {it} yet, so readers do not see {it}.",
            count(*rows, "row")
        ),
        FilesEvent::Hidden { rows } => {
            format!(
                "the log entry will give {files} deletion vectors that hide {}; the files stay.",
                count(*rows, "row")
            )
        }
        FilesEvent::Removed => {
            format!("the log entry will remove {files}, whose rows now live on in the new files or are deleted.")
        }
    }
}

/// A reason as the rest of a sentence: it starts small, unless it starts with a quoted name.
fn tail(text: &str) -> String {
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(first), Some(second)) if first.is_ascii_uppercase() && second.is_ascii_lowercase() => {
            [first.to_ascii_lowercase(), second].into_iter().chain(characters).collect()
        }
        _ => text.to_owned(),
    }
}

fn capitalised(sentence: &str) -> String {
    let mut characters = sentence.chars();
    match characters.next() {
        Some(first) => std::iter::once(first.to_ascii_uppercase()).chain(characters).collect(),
        None => String::new(),
    }
}
