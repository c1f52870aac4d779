//! The log as a reader finds it at this step: real JSON, and what each commit changed.

use crate::json::pretty;
use crate::log_entries::{LogEntry, changes, checkpoints, entries, operation};
use crate::msg::{Act, Msg, ViewMsg};
use crate::view::bits;
use crate::view::button::{Look, button};
use crate::view::markup::html;
use crate::view::words;
use protocol::TableReport;
use trace::{FileStatus, Scene, Trace};
use yew::prelude::*;

/// With more commits than this only the newest are drawn.
const MAX_ENTRIES: usize = 50;

/// Before the commit there is no new entry; after it there is, one action per line of the file.
pub fn log(trace: &Trace, scene: &Scene, table: Option<&TableReport>, send: &Callback<Msg>) -> Html {
    let version = scene.reader_version;
    let mut log = table.map(|table| entries(table, version)).unwrap_or_default();
    let own = trace.commit.as_ref().filter(|_| scene.committed);
    if let Some(commit) = own.filter(|commit| log.last().map(|entry| entry.version) != Some(commit.version)) {
        log.push(LogEntry { version: commit.version, path: &commit.log_path, text: &commit.log_text });
    }
    let n_hidden = log.len().saturating_sub(MAX_ENTRIES) as u64;
    let points = table.map(|table| checkpoints(table, version)).unwrap_or_default();
    html! {
        <div class="log">
            if !scene.committed {
                { bits::empty(match version {
                    Some(version) => format!("No new entry in _delta_log yet. Readers see version {version}."),
                    None => "No entry in _delta_log yet.".to_string(),
                }) }
            }
            { for points.iter().map(|(version, path, size)| html! {
                <p class="checkpoint">{ bits::code(*path) }{ bits::facts(format!("checkpoint of version {version}, {}", words::bytes(*size))) }</p>
            }) }
            { for (0..log.len()).rev().take(MAX_ENTRIES).map(|at| one(&log, at, scene, send)) }
            if n_hidden > 0 { { bits::more(format!("and {} before them", words::count(n_hidden, "commit"))) } }
            { for table.map(|table| footers(trace, scene, table)) }
        </div>
    }
}

/// What the data files of this step say of themselves: those of the old version, then those written so far.
fn footers(trace: &Trace, scene: &Scene, table: &TableReport) -> Html {
    let old = trace.target.files.iter().zip(&scene.files).map(|(file, state)| match state.status {
        FileStatus::Removed => (&file.path, "no longer in the table, still in the store"),
        _ => (&file.path, "in the table"),
    });
    let written = trace.written.iter().zip(&scene.written).filter(|(_, exists)| **exists);
    let new = if scene.committed { "added by this commit" } else { "an orphan: no log entry names it yet" };
    let files = old.chain(written.map(|(written, _)| (&written.file.path, new)));
    let told = files.filter_map(|(path, place)| {
        let object = table.objects.iter().find(|object| object.path == *path)?;
        Some(footer(path, place, object.text.as_deref()?))
    });
    let told: Vec<Html> = told.collect();
    html! {
        if !told.is_empty() {
            <h3>{ "Parquet footers" }</h3>
        }
        { for told }
    }
}

fn footer(path: &str, place: &'static str, text: &str) -> Html {
    html! {
        <details class="footer">
            <summary>{ bits::code(path) }{ bits::facts(place) }</summary>
            <pre>{ text }</pre>
        </details>
    }
}

fn one(log: &[LogEntry<'_>], at: usize, scene: &Scene, send: &Callback<Msg>) -> Html {
    let Some(entry) = log.get(at) else { return html! {} };
    let is_newest = at + 1 == log.len();
    let copy = button(send, Act::View(ViewMsg::Copy(entry.text.to_string())), "Copy", Look::default());
    html! {
        <details class="entry" key={entry.version.to_string()} open={is_newest && scene.committed}>
            <summary>
                <strong>{ format!("version {}", entry.version) }</strong>
                { bits::facts(operation(entry.text).unwrap_or_default()) }
            </summary>
            <ul class="changes">{ for changes(log, at).into_iter().map(|change| html! { <li>{ change }</li> }) }</ul>
            <section aria-label={format!("Log entry of version {}", entry.version)}>
                <header>{ bits::code(entry.path) }{ copy }</header>
                { for entry.text.lines().filter(|line| !line.is_empty()).map(action) }
            </section>
        </details>
    }
}

fn action(line: &str) -> Html {
    // Every action is an object with one member, and the member's name is the action's.
    let name = line.split('"').nth(1).unwrap_or_default().to_string();
    let is_open = name != "metaData" && name != "protocol";
    html! {
        <details class="action" open={is_open}>
            <summary>{ bits::code(name) }</summary>
            <pre>{ pretty(line) }</pre>
        </details>
    }
}
