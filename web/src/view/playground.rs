//! The playground's page: what it is, its statements so far, ready statements, its tables.

use crate::model::{Desk, Engine, Step};
use crate::msg::{Act, FileMsg, Msg, PlaygroundMsg};
use crate::view::button::{Look, button};
use crate::view::markup::html;
use crate::view::ready::READY;
use crate::view::shared::summary;
use crate::view::words;
use protocol::TableReport;
use yew::prelude::*;

/// How much of a statement is shown in the list.
const SHOWN_CHARACTERS: usize = 90;

/// The article beside the editor.
pub fn playground(desk: &Desk, engine: &Engine, is_shared: bool, send: &Callback<Msg>) -> Html {
    html! {
        <article id="article" class="playground" aria-label="Playground">
            <h1>{ "Playground" }</h1>
            <p>{ "Any statements, SQL or PySpark, on any tables. What ran adds up: the next run starts from the tables that are here. A run that fails leaves nothing behind." }</p>
            if is_shared { { summary(desk, send) } }
            { steps(desk, engine, send) }
            { tables(desk, send) }
            if !is_shared { { own_data() } }
            { ready(send) }
            <p class="facts">{ "Statements are saved in this browser. When you come back they are run again, so that the tables are there; nothing else runs by itself. The clock starts at 2026-01-15, so the same statements always give the same files." }</p>
        </article>
    }
}

fn steps(desk: &Desk, engine: &Engine, send: &Callback<Msg>) -> Html {
    let ledger = &desk.ledger;
    let is_busy = engine.is_busy();
    let can_undo = ledger.steps.iter().any(Step::changes);
    let act = |msg: PlaygroundMsg, label: &str, id: &str, title: &str, off: bool| {
        button(send, Act::Playground(msg), label, Look { id, title, off, ..Look::default() })
    };
    let changes = ledger.steps.iter().enumerate().filter(|(_, step)| step.changes());
    html! {
        <section id="steps" aria-label="Statements so far">
            <h2>{ "Statements so far" }</h2>
            if can_undo {
                <ol class="steps">{ for changes.map(|(idx, step)| one_step(idx, step, send)) }</ol>
            } else {
                <p class="empty">{ "None yet. Paste a MERGE and press Run: if its tables are not there, sample tables are offered." }</p>
            }
            <div class="bar">
                { act(PlaygroundMsg::Undo, "Undo", "undo-step", "Take the last statement back", !can_undo || is_busy) }
                { act(PlaygroundMsg::Redo, "Redo", "redo-step", "Bring it again", ledger.undone.is_empty() || is_busy) }
                { act(PlaygroundMsg::Empty, "Empty", "empty", "Take everything back", ledger.steps.is_empty() || is_busy) }
            </div>
        </section>
    }
}

fn one_step(idx: usize, step: &Step, send: &Callback<Msg>) -> Html {
    let line = step.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = line.chars().take(SHOWN_CHARACTERS).collect();
    let is_cut = shown.len() < line.len();
    let look = Look { class: "link", title: "Put it into the editor", ..Look::default() };
    html! {
        <li>
            <span class="kind">{ &step.kind }</span>
            if step.file.is_empty() { { button(send, Act::Playground(PlaygroundMsg::Edit(idx)), "edit", look) } }
            <code title={step.text.clone()}>{ shown }if is_cut { { "…" } }</code>
        </li>
    }
}

fn tables(desk: &Desk, send: &Callback<Msg>) -> Html {
    let tables = desk.shown.as_ref().map(|shown| shown.report.tables.as_slice()).unwrap_or_default();
    html! {
        <section id="tables" aria-label="Tables">
            <h2>{ "Tables" }</h2>
            if tables.is_empty() { <p class="empty">{ "No tables yet." }</p> }
            <ul class="tables">{ for tables.iter().map(|table| one_table(table, send)) }</ul>
        </section>
    }
}

/// Files become tables; folders and zips with a log become Delta tables.
fn own_data() -> Html {
    html! {
        <section id="own-data" aria-label="Your own data">
            <h2>{ "Your own data" }</h2>
            <p class="facts">{ "Drop files anywhere on this page, or pick them: CSV, JSON or Parquet become tables, a Delta table comes as a folder or a zip. They stay in this browser. Up to 100 MB; 20 MB and 200 000 rows as CSV or JSON." }</p>
            <div class="bar">
                <label class="pick">{ "Pick files" }<input id="pick-files" type="file" multiple=true accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.parquet,.zip" data-takes="data" /></label>
                <label class="pick">{ "Pick a folder" }<input id="pick-folder" type="file" webkitdirectory=true data-takes="folder" /></label>
            </div>
        </section>
    }
}

fn one_table(table: &TableReport, send: &Callback<Msg>) -> Html {
    let n_rows = table.files.iter().map(|file| file.n_rows).sum();
    let version = table.version.map_or("plain Parquet".to_string(), |version| format!("version {version}"));
    let columns: Vec<String> =
        table.columns.iter().map(|column| format!("{} {}", column.name, column.data_type)).collect();
    html! {
        <li>
            <strong><code>{ &table.name }</code></strong>
            <span class="facts">{ format!("{version} · {} · {}", words::count(table.files.len() as u64, "file"), words::count(n_rows, "row")) }</span>
            { button(send, Act::File(FileMsg::Download(table.name.clone())), "zip", Look { class: "link download", title: "Download the table with its log: opens in Spark, DuckDB and deltalake", ..Look::default() }) }
            <span class="columns">{ columns.join(", ") }</span>
        </li>
    }
}

fn ready(send: &Callback<Msg>) -> Html {
    html! {
        <section aria-label="Ready statements">
            <h2>{ "Ready statements" }</h2>
            <p class="facts">{ "Each is put into the editor; nothing runs before you press Run." }</p>
            <div class="bar ready">{ for READY.iter().map(|(label, text)| {
                button(send, Act::Playground(PlaygroundMsg::Write(text)), label, Look::default())
            }) }</div>
        </section>
    }
}
