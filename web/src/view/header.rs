//! The top line: name, engine, colours, help.

use crate::model::{Dialog, Engine, Theme};
use crate::msg::{Act, Msg, ShareMsg, ViewMsg};
use crate::view::button::{Look, button};
use crate::view::engine_status::engine_status;
use crate::view::markup::html;
use yew::prelude::*;

/// The page's header.
pub fn header(engine: &Engine, theme: Theme, send: &Callback<Msg>) -> Html {
    let (next, word) = match theme {
        Theme::System => (Theme::Light, "Auto"),
        Theme::Light => (Theme::Dark, "Light"),
        Theme::Dark => (Theme::System, "Dark"),
    };
    let (next, help) = (Act::View(ViewMsg::Theme(next)), Act::View(ViewMsg::Open(Dialog::Shortcuts)));
    let colours = Look { class: "quiet", title: "Colours: auto, light, dark", ..Look::default() };
    let keys = Look { class: "quiet", title: "Keyboard shortcuts (?)", name: "Keyboard shortcuts", ..Look::default() };
    html! {
        <header class="top">
            <a class="brand" href="#/">{ "Merge" }<b>{ "Lab" }</b></a>
            <p class="claim">{ "Delta Lake MERGE, one real commit at a time" }</p>
            <a class="to-playground" href="#/playground">{ "Playground" }</a>
            { engine_status(engine, send) }
            { button(send, Act::Share(ShareMsg::Open), "Share", Look { id: "share", class: "quiet", title: "A link to this text and step", ..Look::default() }) }
            { button(send, Act::View(ViewMsg::Open(Dialog::Work)), "Work", Look { id: "work", class: "quiet", title: "What is saved: take it out, bring it in", ..Look::default() }) }
            { button(send, next, &format!("◐ {word}"), colours) }
            { button(send, help, "?", keys) }
        </header>
    }
}
