//! Windows over the page. Real dialogs: the browser keeps the focus inside and gives it back.

use crate::keys::SHEET;
use crate::model::{Dialog, Model};
use crate::msg::{Act, Msg, ViewMsg};
use crate::view::button::{Look, button};
use crate::view::markup::html;
use crate::view::questions::question;
use crate::view::shared::share;
use protocol::{ANSWERS_LIKE, known_differences};
use yew::prelude::*;

/// The page's dialog. It is always there; `Effect::ShowDialog` and `Effect::CloseDialog` open and
/// close it.
pub fn dialogs(model: &Model, send: &Callback<Msg>) -> Html {
    let cancel = send.reform(|_: Event| Msg::View(ViewMsg::CloseDialog));
    let body = match model.dialog {
        None => html! {},
        Some(Dialog::Shortcuts) => html! {
            <>
                <h2 tabindex="-1" autofocus=true>{ "Keyboard" }</h2>
                <p class="facts">{ "Keys without a modifier act outside text fields only. On a Mac, Command is Ctrl." }</p>
                <dl class="keys">{ for SHEET.iter().map(|(keys, what)| html! { <><dt><kbd>{ *keys }</kbd></dt><dd>{ *what }</dd></> }) }</dl>
                <details class="facts">
                    <summary>{ format!("Answers like {ANSWERS_LIKE}, but for {} differences", known_differences().count()) }</summary>
                    <ul>{ for known_differences().map(|difference| html! { <li>{ difference }</li> }) }</ul>
                </details>
                <div class="bar">
                    { button(send, Act::View(ViewMsg::CloseDialog), "Close", Look { class: "primary", ..Look::default() }) }
                    { button(send, Act::View(ViewMsg::ResetLayout), "Reset layout", Look { id: "reset-layout", ..Look::default() }) }
                </div>
            </>
        },
        Some(Dialog::Share) => share(model, send),
        Some(other) => question(other, send),
    };
    html! { <dialog oncancel={cancel}>{ body }</dialog> }
}
