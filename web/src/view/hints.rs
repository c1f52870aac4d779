//! Hints, one at a time, the weakest first.

use crate::msg::{Act, DeskMsg, Msg};
use crate::view::button::{Look, button};
use crate::view::markup::html;
use yew::prelude::*;

/// The open hints and the button for the next one.
pub fn hints(hints: &[String], n_open: usize, send: &Callback<Msg>) -> Html {
    let look = Look { id: "hint", class: "quiet", title: "Next hint (Alt+H)", ..Look::default() };
    let n_left = hints.len().saturating_sub(n_open);
    let open = hints.iter().take(n_open).map(|hint| {
        html! { <li>{ Html::from_html_unchecked(AttrValue::from(hint.clone())) }</li> }
    });
    html! {
        <section class="hints" aria-label="Hints">
            <ol aria-live="polite">{ for open }</ol>
            if n_left > 0 {
                { button(send, Act::Desk(DeskMsg::Hint), &format!("Hint {} of {}", n_open + 1, hints.len()), look) }
            }
        </section>
    }
}
