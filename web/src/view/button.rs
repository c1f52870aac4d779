//! The one way in which the page draws a button.

use crate::msg::{Act, Msg};
use crate::view::markup::html;
use yew::prelude::*;

/// What can be special about a button. Empty texts are left out.
#[derive(Debug, Clone, Copy, Default)]
pub struct Look<'a> {
    pub id: &'a str,
    pub class: &'static str,
    /// Its purpose and its key, for those who wait with the pointer.
    pub title: &'a str,
    /// What it is called where its label is only a sign.
    pub name: &'static str,
    pub off: bool,
    /// For a button that stays down.
    pub pressed: Option<bool>,
    pub is_current: bool,
}

/// A button that sends what it stands for.
pub fn button(send: &Callback<Msg>, act: Act, label: &str, look: Look<'_>) -> Html {
    button_with(send, act, html! { { label } }, look)
}

/// A button whose label is more than a text.
pub fn button_with(send: &Callback<Msg>, act: Act, label: Html, look: Look<'_>) -> Html {
    let onclick = send.reform(move |_: MouseEvent| Msg::from(act.clone()));
    let text = |text: &str| (!text.is_empty()).then(|| AttrValue::from(text.to_string()));
    let pressed = look.pressed.map(|pressed| if pressed { "true" } else { "false" });
    html! {
        <button id={text(look.id)} class={look.class} title={text(look.title)} aria-label={text(look.name)}
            aria-pressed={pressed} aria-current={look.is_current.then_some("step")} disabled={look.off} {onclick}>{ label }</button>
    }
}
