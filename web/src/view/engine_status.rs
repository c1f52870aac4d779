//! How far the engine is, in words and bytes.

use crate::model::{Engine, EnginePhase};
use crate::msg::{Act, Msg};
use crate::view::button::{Look, button};
use crate::view::markup::html;
use crate::view::words;
use yew::prelude::*;

/// One line, read out when it changes in kind; the bytes are for the eye.
pub fn engine_status(engine: &Engine, send: &Callback<Msg>) -> Html {
    let state = match &engine.phase {
        EnginePhase::Off => "off",
        EnginePhase::Loading { .. } | EnginePhase::Building(_) | EnginePhase::Starting => "loading",
        EnginePhase::Ready => "ready",
        EnginePhase::Failed(_) => "failed",
    };
    html! {
        <div id="engine-status" class={format!("engine {state}")} data-state={state}>
            { words(&engine.phase) }
            if engine.slow { <span class="slow">{ "taking longer than 10 s: the lesson can be read and stepped through meanwhile" }</span> }
            if state == "failed" { { button(send, Act::Restart(engine.generation), "Restart the engine", Look::default()) } }
        </div>
    }
}

/// What stands elsewhere is another element, so that no browser sees it move.
fn words(phase: &EnginePhase) -> Html {
    match phase {
        EnginePhase::Off => html! { <span key={"off".to_string()}>{ "Engine: not loaded yet" }</span> },
        EnginePhase::Loading { loaded, total } if *total > 0 => html! {
            <>
                <progress max={total.to_string()} value={loaded.to_string()} aria-label="Engine download" />
                <span>{ format!("Engine: {} of {}", words::bytes(*loaded), words::bytes(*total)) }</span>
            </>
        },
        EnginePhase::Loading { loaded, .. } => html! {
            <>
                <progress aria-label="Engine download" />
                <span>{ format!("Engine: {}", words::bytes(*loaded)) }</span>
            </>
        },
        EnginePhase::Building(sentence) => html! { <span>{ sentence }</span> },
        EnginePhase::Starting => html! { <span>{ "Engine: starting" }</span> },
        EnginePhase::Ready => html! { <span key={"ready".to_string()}>{ "Engine ready" }</span> },
        EnginePhase::Failed(sentence) => html! { <span role="alert">{ sentence }</span> },
    }
}
