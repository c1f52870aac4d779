//! What the engine says of the text before it runs: a list, for those who do not see marks or cannot hover over them.

use crate::model::{Severity, Told};
use crate::msg::{Act, DeskMsg, Msg};
use crate::span::line_column;
use crate::view::button::{Look, button};
use crate::view::markup::html;
use protocol::ErrorReport;
use yew::prelude::*;

/// The complaints and warnings about a text; nothing where there are none.
pub fn problems(told: &Told, is_fresh: bool, send: &Callback<Msg>) -> Html {
    let errors = told.help.errors.iter().map(|report| (Severity::Error, report));
    let warnings = told.help.warnings.iter().map(|report| (Severity::Warning, report));
    let all: Vec<(Severity, &ErrorReport)> = errors.chain(warnings).collect();
    if all.is_empty() {
        return html! {};
    }
    html! {
        <ul class="problems" aria-label="Errors and warnings">
            { for all.into_iter().map(|(severity, report)| item(severity, report, (told, is_fresh), send)) }
        </ul>
    }
}

fn item(severity: Severity, report: &ErrorReport, (told, is_fresh): (&Told, bool), send: &Callback<Msg>) -> Html {
    let (class, word) = match severity {
        Severity::Error => ("is-error", "Error"),
        Severity::Warning => ("is-warning", "Warning"),
    };
    let place = report.span.map(|span| {
        let (line, _) = line_column(&told.text, span.0);
        let look = Look { class: "link", title: "Go there (F8)", off: !is_fresh, ..Look::default() };
        button(send, Act::Desk(DeskMsg::Jump(span)), &format!("line {line}"), look)
    });
    html! {
        <li class={class} data-condition={report.condition.clone()}>
            <b>{ word }</b>{ for place }
            <span>{ &report.message }</span>
            if let Some(hint) = &report.hint { <small>{ hint }</small> }
            { for report.edits.iter().map(|edit| {
                let look = Look { title: &edit.replacement, off: !is_fresh, ..Look::default() };
                button(send, Act::Desk(DeskMsg::ApplyTold(edit.clone())), &format!("Try: {}", edit.label), look)
            }) }
        </li>
    }
}
