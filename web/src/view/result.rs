//! What the last run gave: one card per statement, and why it stopped.

use crate::model::Shown;
use crate::msg::{Act, DeskMsg, Msg, ViewMsg};
use crate::shared::Shared;
use crate::view::badge::badge;
use crate::view::bits;
use crate::view::button::{Look, button};
use crate::view::error_card::error_card;
use crate::view::grid::StatementGrid;
use crate::view::markup::html;
use crate::view::sql_text::sql_text;
use crate::view::words;
use protocol::{Elsewhere, Mirror, RunReport, StatementReport};
use yew::prelude::*;

/// What [`run_result`] draws.
pub struct ResultProps<'a> {
    pub shown: &'a Shown,
    pub is_fresh: bool,
    pub send: &'a Callback<Msg>,
}

/// The result of a run, or of the two of a twin.
pub fn run_result(props: &ResultProps<'_>) -> Html {
    let shown = props.shown;
    let first_label = shown.twin.as_ref().map(|twin| twin.labels.0.clone());
    html! {
        <section id="result" class="result" aria-label="Result">
            <h3>
                { "Result " }{ badge(shown.origin) }
                if let Some(variant) = &shown.variant { <span class="badge variant">{ format!("variant {variant}") }</span> }
            </h3>
            { for shown.again.map(again) }
            { report(props, &shown.report, first_label, true) }
            if let Some(twin) = &shown.twin { { report(props, &twin.report, Some(twin.labels.1.clone()), false) } }
        </section>
    }
}

fn report(props: &ResultProps<'_>, report: &Shared<RunReport>, label: Option<String>, can_pick: bool) -> Html {
    let n_ran = report.statements.iter().filter(|statement| statement.error.is_none()).count();
    let card = |error: &protocol::ErrorReport| error_card(error, &props.shown.text, props.is_fresh, props.send);
    html! {
        <>
            if let Some(label) = label { <h4 class="run-label">{ label }</h4> }
            { for report.errors.iter().map(card) }
            { for report.statements.iter().enumerate().map(|(idx, statement)| html! {
                <section class="statement" aria-label={format!("Statement {}: {}", idx + 1, statement.kind)}>
                    <h4>
                        <span class="facts">{ idx + 1 }</span>{ " " }{ &statement.kind }
                        if let Some(version) = statement.version { <span class="facts">{ format!("version {version}") }</span> }
                        { pick(props, statement, idx, can_pick) }
                    </h4>
                    if let Some(text) = &statement.printed {
                        <pre class="printed" tabindex="0" aria-label="Printed text">{ text }</pre>
                    }
                    if statement.grid.is_some() { { yew::html! { <StatementGrid report={report.clone()} {idx} /> } } }
                    { for statement.error.iter().map(card) }
                    { for statement.mirror.iter().map(|mirror| folded(mirror, props.send)) }
                    { lens(&statement.elsewhere) }
                </section>
            }) }
            if n_ran < report.total && !report.program {
                <p class="ran">{ format!("{n_ran} of {} statements ran; nothing after the failing one did.", report.total) }</p>
            }
        </>
    }
}

/// What a batch did that came a second time.
fn again(changed: u64) -> Html {
    let told = match changed {
        0 => "The second run changed no row: the batch can come again.".to_string(),
        n => format!("The second run changed {}: the batch must not come again.", words::count(n, "row")),
    };
    html! { <p id="again" class={if changed == 0 { "again good" } else { "again bad" }}>{ told }</p> }
}

/// The statement in the language that it was not written in, folded away.
fn folded(mirror: &Mirror, send: &Callback<Msg>) -> Html {
    html! {
        <details class="mirror">
            <summary>{ format!("The same in {}", language(mirror)) }</summary>
            { mirrored(mirror, send, Html::default()) }
        </details>
    }
}

fn language(mirror: &Mirror) -> &'static str {
    if mirror.python { "PySpark" } else { "SQL" }
}

/// A text in the language that it was not written in, and what more can be done with it.
pub fn mirrored(mirror: &Mirror, send: &Callback<Msg>, more: Html) -> Html {
    let language = language(mirror);
    let title = format!("Copy the text in {language}");
    let look = Look { title: &title, ..Look::default() };
    let text = if mirror.python {
        html! { <code>{ &mirror.text }</code> }
    } else {
        sql_text(&mirror.text, None)
    };
    html! {
        <>
            <pre tabindex="0" aria-label={format!("The text in {language}")}>{ text }</pre>
            if !mirror.notes.is_empty() {
                <ul class="notes">{ for mirror.notes.iter().map(|note| html! { <li>{ note }</li> }) }</ul>
            }
            <div class="edits">{ button(send, Act::View(ViewMsg::Copy(mirror.text.clone())), "Copy", look) }{ more }</div>
        </>
    }
}

/// What is recorded of other engines about this statement.
fn lens(elsewhere: &[Elsewhere]) -> Html {
    let n_other = elsewhere.iter().filter(|one| one.differs).count() as u64;
    let row = |one: &Elsewhere| {
        html! {
            <tr class={if one.differs { "differs" } else { "" }}>
                <th scope="row">{ &one.engine }</th><td>{ &one.here }</td><td>{ &one.there }</td>
            </tr>
        }
    };
    html! {
        if !elsewhere.is_empty() {
            <details class="lens">
                <summary>{ "On other engines" }{ bits::facts(words::count(n_other, "difference")) }</summary>
                { bits::scroll("Other engines", html! {
                    <table>
                        <thead><tr>{ for ["Engine", "Here: Delta 4.4 on Spark 4.0", "There"].map(bits::column) }</tr></thead>
                        <tbody>{ for elsewhere.iter().map(row) }</tbody>
                    </table>
                }) }
            </details>
        }
    }
}

/// A script may hold several statements that can be stepped through.
fn pick(props: &ResultProps<'_>, statement: &StatementReport, idx: usize, can_pick: bool) -> Html {
    if statement.trace.is_none() || !can_pick || props.shown.twin.is_some() {
        return html! {};
    }
    if props.shown.statement == Some(idx) {
        return html! { <span class="on-timeline">{ "on the timeline" }</span> };
    }
    let look = Look { class: "link", ..Look::default() };
    button(props.send, Act::Desk(DeskMsg::PickStatement(idx)), "step through", look)
}
