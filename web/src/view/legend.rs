//! What glyphs and borders mean; an entry isolates its outcome.

use crate::msg::{Act, Msg, ViewMsg};
use crate::view::button::{Look, button_with};
use crate::view::glyph::glyph;
use crate::view::markup::html;
use crate::view::words;
use trace::Outcome;
use yew::prelude::*;

/// The legend.
pub fn legend(only: Option<Outcome>, send: &Callback<Msg>) -> Html {
    html! {
        <ul class="legend" aria-label="Legend">
            { for words::OUTCOMES.iter().map(|outcome| {
                let outcome = *outcome;
                let look = words::outcome(outcome);
                let label = html! {
                    <><span aria-hidden="true">{ look.glyph }</span>{ " " }{ look.code }<span class="unseen">{ look.word }</span></>
                };
                let pressed = Some(only == Some(outcome));
                let title = format!("Show only: {}", look.word);
                let look = Look { class: look.class, title: &title, pressed, ..Look::default() };
                html! { <li>{ button_with(send, Act::View(ViewMsg::Only(Some(outcome))), label, look) }</li> }
            }) }
            <li><span class="dup" title={words::CONFLICT.word}>{ "! DUP" }</span></li>
            <li><span class="skip" title="file skipped: never opened">{ glyph("⧄") }{ " SKIP" }</span></li>
        </ul>
    }
}
