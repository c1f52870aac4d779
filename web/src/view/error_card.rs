//! A failure: what, where, which rows, why, what to try.

use crate::msg::{Act, DeskMsg, Msg, PlaygroundMsg};
use crate::span::line_column;
use crate::view::button::{Look, button};
use crate::view::grid::grid;
use crate::view::markup::html;
use protocol::{ErrorReport, GridColumn, MAKE_SAMPLES, RowSample};
use yew::prelude::*;

/// The failure, in the engine's own words.
pub fn error_card(error: &ErrorReport, text: &str, is_fresh: bool, send: &Callback<Msg>) -> Html {
    let place = error.span.map(|span| {
        let (line, column) = line_column(text, span.0);
        let look = Look { class: "link", title: "Go there (F8)", off: !is_fresh, ..Look::default() };
        button(send, Act::Desk(DeskMsg::Jump(span)), &format!("line {line}, column {column}"), look)
    });
    html! {
        <section class="error" role="alert" aria-label="Error">
            <h4><code>{ &error.condition }</code>
                if !error.sqlstate.is_empty() { <span class="facts">{ format!("SQLSTATE {}", error.sqlstate) }</span> }
                { for place }
            </h4>
            <p class="message">{ &error.message }</p>
            { for error.rows.iter().map(|rows| sample(rows, text, is_fresh, send)) }
            if let Some(hint) = &error.hint { <p class="hint">{ hint }</p> }
            if !error.edits.is_empty() {
                <div class="edits">
                    { for error.edits.iter().map(|edit| {
                        if edit.label == MAKE_SAMPLES {
                            let make = Act::Playground(PlaygroundMsg::MakeSamples(edit.replacement.clone()));
                            let look = Look { id: "make-samples", class: "primary", title: &edit.replacement, off: !is_fresh, ..Look::default() };
                            return button(send, make, &format!("{MAKE_SAMPLES} and run"), look);
                        }
                        let look = Look { title: &edit.replacement, off: !is_fresh, ..Look::default() };
                        button(send, Act::Desk(DeskMsg::Apply(edit.clone())), &format!("Try: {}", edit.label), look)
                    }) }
                    if !is_fresh { <span class="facts">{ "the text has changed since" }</span> }
                </div>
            }
        </section>
    }
}

/// Rows that the failure is about, with the lines that write them where that is known.
fn sample(sample: &RowSample, text: &str, is_fresh: bool, send: &Callback<Msg>) -> Html {
    let columns = sample.columns.iter().map(|name| GridColumn { name: name.clone(), data_type: String::new() });
    let data = protocol::Grid { columns: columns.collect(), rows: sample.rows.clone(), total: sample.total };
    let places = sample.spans.iter().map(|span| {
        let (line, _) = line_column(text, span.0);
        let look = Look { class: "link", title: "Go to this row in the text", off: !is_fresh, ..Look::default() };
        button(send, Act::Desk(DeskMsg::Jump(*span)), &format!("line {line}"), look)
    });
    html! {
        <>
            <h5>{ &sample.title }</h5>
            { grid(&data, &sample.title) }
            if !sample.spans.is_empty() { <p class="facts">{ "Written in" }{ for places }</p> }
        </>
    }
}
