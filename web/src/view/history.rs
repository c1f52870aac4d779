//! The table's versions.

use crate::view::words;
use protocol::{HistoryEntry, RunReport, TableReport};
use yew::prelude::*;

/// History and objects of the table with this name, and of the others behind it.
pub fn history(report: &RunReport, table: &str) -> Html {
    let is_target = |other: &&TableReport| other.name == table;
    let tables = report.tables.iter();
    let ordered = tables.clone().filter(is_target).chain(tables.filter(|other| !is_target(other)));
    html! { <div class="history">{ for ordered.map(one_table) }</div> }
}

fn one_table(table: &TableReport) -> Html {
    html! {
        <section aria-label={format!("History of {}", table.name)}>
            <h4><code>{ &table.name }</code>
                <span class="facts">{ format!("{}, {}", words::count(table.files.len() as u64, "file"), words::count(n_rows(table), "row")) }</span>
            </h4>
            <ol reversed={true} class="versions">{ for table.history.iter().map(entry) }</ol>
            if !table.objects.is_empty() {
                <details><summary>{ format!("{} in the store", words::count(table.objects.len() as u64, "object")) }</summary>
                    <ul class="objects">{ for table.objects.iter().map(|object| {
                        let is_live = table.files.iter().any(|file| file.path == object.path);
                        let note = match (is_live, object.path.starts_with("_delta_log")) {
                            (true, _) => "in the table",
                            (_, true) => "log",
                            _ => "no longer in the table",
                        };
                        html! { <li><code>{ &object.path }</code><span class="facts">{ format!("{} · {note}", words::bytes(object.size)) }</span></li> }
                    }) }</ul>
                </details>
            }
        </section>
    }
}

fn n_rows(table: &TableReport) -> u64 {
    table.files.iter().map(|file| file.n_rows).sum()
}

fn entry(entry: &HistoryEntry) -> Html {
    html! {
        <li value={entry.version.to_string()}>
            <details>
                <summary><strong>{ format!("{}", entry.version) }</strong>{ " " }{ &entry.operation }<time class="facts">{ words::instant(entry.timestamp) }</time></summary>
                <dl>{ for entry.parameters.iter().chain(&entry.metrics).map(|(name, value)| html! { <><dt>{ name }</dt><dd>{ value }</dd></> }) }</dl>
            </details>
        </li>
    }
}
