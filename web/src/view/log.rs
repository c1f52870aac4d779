//! The log entry, as real JSON.

use crate::json::pretty;
use crate::msg::{Act, Msg, ViewMsg};
use crate::view::button::{Look, button};
use trace::{Scene, Trace};
use yew::prelude::*;

/// Before the commit there is no entry; after it there is, one action per line of the file.
pub fn log(trace: &Trace, scene: &Scene, send: &Callback<Msg>) -> Html {
    let Some(commit) = trace.commit.as_ref().filter(|_| scene.committed) else {
        let version =
            scene.reader_version.map(|version| format!(" Readers see version {version}.")).unwrap_or_default();
        return html! { <p class="empty">{ format!("No new entry in _delta_log yet.{version}") }</p> };
    };
    let text = commit.log_text.clone();
    let copy = button(send, Act::View(ViewMsg::Copy(text)), "Copy", Look::default());
    html! {
        <section class="log" aria-label="Log entry">
            <header><code>{ &commit.log_path }</code>{ copy }</header>
            { for commit.log_text.lines().filter(|line| !line.is_empty()).map(action) }
        </section>
    }
}

fn action(line: &str) -> Html {
    // Every action is an object with one member, and the member's name is the action's.
    let name = line.split('"').nth(1).unwrap_or_default().to_string();
    let is_open = name != "metaData" && name != "protocol";
    html! {
        <details class="action" open={is_open}>
            <summary><code>{ name }</code></summary>
            <pre>{ pretty(line) }</pre>
        </details>
    }
}
