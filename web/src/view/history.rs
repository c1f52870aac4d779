//! The table's versions.

use crate::model::{Shown, Travel};
use crate::msg::{Act, DeskMsg};
use crate::view::bits;
use crate::view::button::{Look, button};
use crate::view::grid::StatementGrid;
use crate::view::markup::html;
use crate::view::riddle::riddle;
use crate::view::stage::StageProps;
use crate::view::words;
use protocol::{Edit, HistoryEntry, TableReport};
use yew::prelude::*;

/// History and objects of the table with this name, and of the others behind it.
pub fn history(props: &StageProps<'_>, shown: &Shown, table: &str) -> Html {
    let report = &shown.report;
    let is_target = |other: &&TableReport| other.name == table;
    let tables = report.tables.iter();
    let ordered = tables.clone().filter(is_target).chain(tables.filter(|other| !is_target(other)));
    html! { <div class="history">{ for ordered.map(|table| one_table(props, shown, table)) }</div> }
}

fn one_table(props: &StageProps<'_>, shown: &Shown, table: &TableReport) -> Html {
    html! {
        <section aria-label={format!("History of {}", table.name)}>
            <h4>{ bits::code(&table.name) }
                { bits::facts(format!("{}, {}", words::count(table.files.len() as u64, "file"), words::count(n_rows(table), "row"))) }
            </h4>
            { riddle(props.look, shown, table, props.send) }
            // The list tells the answer.
            if props.look.riddle.as_ref().is_none_or(|riddle| riddle.table != table.name) {
                <ol reversed={true} class="versions">{ for table.history.iter().map(|entry| one_entry(props, shown, table, entry)) }</ol>
            }
            if !table.objects.is_empty() {
                <details><summary>{ format!("{} in the store", words::count(table.objects.len() as u64, "object")) }</summary>
                    <ul class="objects">{ for table.objects.iter().map(|object| {
                        let is_live = table.files.iter().any(|file| file.path == object.path);
                        let note = match (is_live, object.path.starts_with("_delta_log")) {
                            (true, _) => "in the table",
                            (_, true) => "log",
                            _ => "no longer in the table",
                        };
                        html! { <li>{ bits::code(&object.path) }{ bits::facts(format!("{} · {note}", words::bytes(object.size))) }</li> }
                    }) }</ul>
                </details>
            }
        </section>
    }
}

fn n_rows(table: &TableReport) -> u64 {
    table.files.iter().map(|file| file.n_rows).sum()
}

fn one_entry(props: &StageProps<'_>, shown: &Shown, table: &TableReport, entry: &HistoryEntry) -> Html {
    let is_open = |travel: &&Travel| travel.table == table.name && travel.version == entry.version;
    let travel = props.look.travel.as_ref().filter(is_open);
    html! {
        <li value={entry.version.to_string()}>
            <details open={travel.is_some()}>
                <summary><strong>{ format!("{}", entry.version) }</strong>{ " " }{ &entry.operation }<time class="facts">{ words::instant(entry.timestamp) }</time></summary>
                <div class="bar">{ travels(props, shown, table, entry.version) }</div>
                if let Some(travel) = travel {
                    { yew::html! { <StatementGrid report={travel.report.clone()} idx={travel.report.statements.len().saturating_sub(1)} /> } }
                }
                <dl>{ for entry.parameters.iter().chain(&entry.metrics).map(|(name, value)| html! { <><dt>{ name }</dt><dd>{ value }</dd></> }) }</dl>
            </details>
        </li>
    }
}

/// To look at a version is one press. To bring it back is a statement that the reader runs: breaking the glass is a commit.
fn travels(props: &StageProps<'_>, shown: &Shown, table: &TableReport, version: u64) -> Html {
    let go = Act::Desk(DeskMsg::Travel { table: table.name.clone(), version });
    let label = format!("Rows of version {version}");
    let look = Look { class: "travel", title: "Read the table as of this version", ..Look::default() };
    let end = shown.text.len() as u32;
    let restore = Edit {
        label: format!("RESTORE to version {version}"),
        span: (if props.adds_up { 0 } else { end }, end),
        replacement: format!(
            "{}RESTORE TABLE {} TO VERSION AS OF {version};\n",
            if props.adds_up { "" } else { "\n;\n" },
            table.name
        ),
    };
    let put = Look { title: "Put a RESTORE statement behind the text", off: !props.is_fresh, ..Look::default() };
    html! {
        <>
            { button(props.send, go, &label, look) }
            if table.version.is_some_and(|current| version < current) {
                { button(props.send, Act::Desk(DeskMsg::Apply(restore.clone())), &restore.label, put) }
            }
        </>
    }
}
