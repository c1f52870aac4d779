//! Given only the metrics of a commit: which statement made it?

use crate::model::{Look, Riddle, Shown};
use crate::msg::{Act, Msg, ViewMsg};
use crate::view::bits;
use crate::view::button::{self, button};
use crate::view::markup::html;
use protocol::{HistoryEntry, TableReport};
use yew::prelude::*;

/// A statement that committed to a table: where its text is, and the version that it made.
struct Candidate<'a> {
    text: &'a str,
    version: u64,
}

/// An invitation, or the riddle that is open; nothing where fewer than two statements of the run wrote to the table.
pub fn riddle(look: &Look, shown: &Shown, table: &TableReport, send: &Callback<Msg>) -> Html {
    let candidates = candidates(shown, table);
    let Some(last) = candidates.last().filter(|_| candidates.len() > 1) else { return html! {} };
    let ask = |riddle: Option<Riddle>, label: &str| {
        button(send, Act::View(ViewMsg::Riddle(riddle)), label, button::Look::default())
    };
    let about = |version: u64, choice: Option<u64>| Some(Riddle { table: table.name.clone(), version, choice });
    let Some(open) = look.riddle.as_ref().filter(|riddle| riddle.table == table.name) else {
        return ask(about(last.version, None), "Which statement did it?");
    };
    let Some(entry) = table.history.iter().find(|entry| entry.version == open.version) else { return html! {} };
    let earlier = candidates.iter().rev().find(|candidate| candidate.version < open.version).unwrap_or(last);
    let offer = |candidate: &Candidate<'_>| {
        let pressed = Some(open.choice == Some(candidate.version));
        let look = button::Look { pressed, class: "statement-choice", ..button::Look::default() };
        let act = Act::View(ViewMsg::Riddle(about(open.version, Some(candidate.version))));
        button(send, act, &one_line(candidate.text), look)
    };
    let said = open.choice.map(|choice| {
        if choice == open.version {
            format!("Yes: it made version {choice}.")
        } else {
            format!("Not that one: it made version {choice}.")
        }
    });
    html! {
        <section class="predict riddle" aria-label="Which statement did it?">
            <p>{ "A commit has these metrics. Which statement of the run made it?" }</p>
            { metrics(entry) }
            <div class="choices">{ for candidates.iter().map(offer) }</div>
            <p role="status">{ said.unwrap_or_default() }</p>
            <div class="bar">
                { ask(about(earlier.version, None), "Another commit") }
                { ask(None, "Show the history") }
            </div>
        </section>
    }
}

fn candidates<'a>(shown: &'a Shown, table: &TableReport) -> Vec<Candidate<'a>> {
    let statements = shown.report.statements.iter();
    let candidates = statements.filter_map(|statement| {
        let version = statement.version?;
        statement.trace.as_ref().filter(|trace| trace.target.name == table.name)?;
        let (start, end) = statement.span;
        Some(Candidate { text: shown.text.get(start as usize..end as usize)?, version })
    });
    candidates.collect()
}

fn metrics(entry: &HistoryEntry) -> Html {
    // How long it took and how many bytes it wrote says nothing about what it did.
    let tells = |name: &str| !name.ends_with("Ms") && !name.contains("Bytes");
    let told = entry.metrics.iter().filter(|(name, value)| tells(name) && value != "0");
    html! { <dl>{ for told.map(|(name, value)| html! { <><dt>{ bits::code(name) }</dt><dd>{ value }</dd></> }) }</dl> }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
