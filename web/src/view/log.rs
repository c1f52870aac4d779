//! The log entry, as real JSON.

use crate::json::pretty;
use crate::msg::{Msg, ViewMsg};
use crate::shared::Shared;
use crate::view::button::{Look, button};
use trace::{Scene, Trace};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct LogProps {
    pub trace: Shared<Trace>,
    pub scene: Shared<Scene>,
    pub send: Callback<Msg>,
}

/// Before the commit there is no entry; after it there is, one action per line of the file.
#[component]
pub fn Log(props: &LogProps) -> Html {
    let Some(commit) = props.trace.commit.as_ref().filter(|_| props.scene.committed) else {
        let version =
            props.scene.reader_version.map(|version| format!(" Readers see version {version}.")).unwrap_or_default();
        return html! { <p class="empty">{ format!("No new entry in _delta_log yet.{version}") }</p> };
    };
    let text = commit.log_text.clone();
    let copy = button(&props.send, Msg::View(ViewMsg::Copy(text)), "Copy", Look::default());
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
