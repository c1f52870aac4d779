//! The top line: name, engine, colours, help.

use crate::model::{Dialog, Engine, Theme};
use crate::msg::{Act, Msg, ViewMsg};
use crate::view::button::{Look, button};
use crate::view::engine_status::engine_status;
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
            { engine_status(engine, send) }
            { button(send, next, &format!("◐ {word}"), colours) }
            { button(send, help, "?", keys) }
        </header>
    }
}
