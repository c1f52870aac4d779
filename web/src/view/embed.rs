//! The page inside another page: to read, to run and to step through, nothing else.

use crate::model::{Engine, Model, Sheet};
use crate::msg::{Act, DeskMsg, Msg};
use crate::view::button::{Look, button};
use crate::view::engine_status::engine_status;
use crate::view::markup::html;
use crate::view::result::{ResultProps, run_result};
use crate::view::sql_text::sql_text;
use crate::view::stage::{StageProps, stage};
use crate::view::stopped::stopped;
use crate::view::timeline::{TimelineProps, timeline};
use yew::prelude::*;

/// The embedded page.
pub fn embedded(model: &Model, fragment: &str, send: &Callback<Msg>) -> Html {
    let Some(desk) = model.desk() else { return html! { <p class="empty" role="alert">{ &model.status }</p> } };
    let full = format!("{}{fragment}", model.base);
    html! {
        <div class="page embedded" data-runs={desk.player.as_ref().map_or(0, |player| player.traces.len()).to_string()}>
            <header class="top">
                <span class="brand">{ "Merge" }<b>{ "Lab" }</b></span>
                { engine_status(&model.engine, send) }
                <span class="spring" />
                <a id="open-full" href={full} target="_blank" rel="noopener">{ "Open full" }</a>
            </header>
            <main>
                <h1 class="unseen">{ desk.current().map(|sheet| sheet.label.clone()) }</h1>
                <h2 class="unseen">{ "Statement, result and state" }</h2>
                <div class="column working">
                    { for desk.current().map(|sheet| text(sheet, &model.engine, send)) }
                    { stopped(&model.engine, send) }
                    <div class="results">{ for desk.shown.iter().map(|shown| {
                        run_result(&ResultProps { shown, is_fresh: false, send })
                    }) }</div>
                </div>
                <div class="column state">{ stage(&StageProps {
                    shown: desk.shown.as_ref(), player: desk.player.as_ref(), tab: model.stage_tab, look: &desk.look, is_fresh: false, adds_up: false, send,
                }) }</div>
            </main>
            { for desk.player.as_ref().zip(desk.shown.as_ref()).map(|(player, shown)| timeline(&TimelineProps { player, shown, send })) }
            <p id="status" class="status-line" role="status">{ &model.status }</p>
        </div>
    }
}

fn text(sheet: &Sheet, engine: &Engine, send: &Callback<Msg>) -> Html {
    let run = Look { id: "run", class: "primary", title: "Run (Ctrl+Enter)", off: engine.is_busy(), ..Look::default() };
    html! {
        <section class="looked-at" aria-label="Statement">
            <pre id="looked-at" tabindex="0" role="region" aria-label="The statement, to read and run">{ sql_text(&sheet.text, None) }</pre>
            <p>{ button(send, Act::Desk(DeskMsg::Run), "Run", run) }</p>
        </section>
    }
}
