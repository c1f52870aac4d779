//! A glyph for the eye only; the word beside it is for everyone.

use crate::view::markup::html;
use yew::prelude::*;

/// The glyph, drawn where fonts often lack it.
pub fn glyph(glyph: &'static str) -> Html {
    if glyph == "⧄" {
        return html! { <svg class="icon" viewBox="0 0 10 10" aria-hidden="true"><path d="M1 1h8v8H1zM1 9L9 1" /></svg> };
    }
    html! { <span aria-hidden="true">{ glyph }</span> }
}
