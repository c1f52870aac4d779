//! Whose text is looked at: the lesson's, one's own, or the one that a link brought.

use crate::model::{Sheet, SheetKind, Side};
use crate::msg::{Act, DeskMsg, Msg};
use crate::view::button::{Look, button};
use crate::view::markup::html;
use crate::view::sql_text::sql_text;
use yew::prelude::*;

/// The row of sides. A sheet that has only one text has no row.
pub fn sides(sheet: &Sheet, send: &Callback<Msg>) -> Html {
    if sheet.own() == sheet.pristine && sheet.shared.is_none() {
        return html! {};
    }
    let lesson = if sheet.kind == SheetKind::Free { "First text" } else { "Lesson" };
    let side = |side: Side, id: &str, label: &str| {
        let look = Look { id, pressed: Some(sheet.side == side), ..Look::default() };
        button(send, Act::Desk(DeskMsg::Turn(side)), label, look)
    };
    html! {
        <div class="sides group" role="group" aria-label="Whose text">
            { side(Side::Lesson, "side-lesson", lesson) }
            { side(Side::Mine, "side-mine", "Mine") }
            if sheet.shared.is_some() { { side(Side::Shared, "side-shared", "From the link") } }
        </div>
    }
}

/// A text that is looked at, not edited.
pub fn looked_at(sheet: &Sheet, mark: Option<(u32, u32)>, send: &Callback<Msg>) -> Html {
    let whose = if sheet.side == Side::Shared { "The text from the link" } else { "The lesson's text" };
    html! {
        <div class="looked-at">
            <pre id="looked-at" tabindex="0" role="region" aria-label={format!("{whose}, to read and run")}>{ sql_text(&sheet.text, mark) }</pre>
            <p class="facts">{ whose }{ ". Run works on it; to change it, make it yours." }
                { button(send, Act::Desk(DeskMsg::TakeOver), "Make it mine", Look { id: "take-over", class: "link", ..Look::default() }) }
            </p>
        </div>
    }
}
