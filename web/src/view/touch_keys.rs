//! What is hard to find on a phone's keyboard, as buttons. The style sheet shows them where the pointer is coarse.

use crate::msg::{Act, DeskMsg, Msg};
use crate::view::button::{Look, button};
use crate::view::markup::html;
use yew::prelude::*;

/// Label, spoken name, and what is written before and after the selection.
const KEYS: [(&str, &str, &str, &str); 6] = [
    ("<=>", "null-safe equality", " <=> ", ""),
    ("AND", "AND", " AND ", ""),
    ("'…'", "quotes", "'", "'"),
    ("`…`", "backticks", "`", "`"),
    ("(…)", "brackets", "(", ")"),
    ("=", "equals", " = ", ""),
];

/// A row of buttons that write into the editor.
pub fn touch_keys(send: &Callback<Msg>) -> Html {
    html! {
        <div class="touch-keys" role="toolbar" aria-label="Characters for the editor">
            { for KEYS.into_iter().map(|(label, name, before, after)| {
                button(send, Act::Desk(DeskMsg::Insert { before, after }), label, Look { name, ..Look::default() })
            }) }
        </div>
    }
}
