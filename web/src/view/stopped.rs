//! The engine is gone, or busy: what a learner must know about it beside the editor.

use crate::model::{Engine, EnginePhase};
use crate::msg::{Act, Msg, ViewMsg};
use crate::view::button::{Look, button};
use crate::view::markup::html;
use yew::prelude::*;

/// Says that the engine stopped, that a run is queued, or how far a run is.
pub fn stopped(engine: &Engine, send: &Callback<Msg>) -> Html {
    if let Some(message) = &engine.stopped {
        let report = format!("MergeLab: the engine stopped.\n{message}");
        let copy = button(send, Act::View(ViewMsg::Copy(report)), "Copy a report", Look::default());
        let next = match engine.phase {
            EnginePhase::Failed(_) => "Your text is safe.",
            EnginePhase::Ready => "Your text is safe, and the engine is back.",
            _ => "Your text is safe; the engine is starting again.",
        };
        return html! {
            <section id="stopped" class="error" role="alert" aria-label="Engine">
                <h4>{ "The engine stopped" }</h4>
                <p>{ next }</p>
                <details><summary>{ "What it said" }</summary><pre>{ message }</pre></details>
                { copy }
            </section>
        };
    }
    if engine.waiting.is_some() {
        return html! { <p id="queued" class="notice">{ "Queued: it runs as soon as the engine is here." }</p> };
    }
    match engine.flight.as_ref().map(|flight| flight.progress) {
        Some(Some((done, total))) => {
            html! { <p class="notice">{ format!("Running: {done} of {total} statements done") }</p> }
        }
        Some(None) => html! { <p class="notice">{ "Running …" }</p> },
        None => html! {},
    }
}
