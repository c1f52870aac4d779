//! The text area. A painted copy lies under it, so the browser keeps all that makes a text field
//! good: undo, spelling, paste, screen readers.

use crate::msg::{DeskMsg, Msg};
use crate::view::sql_text::sql_text;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

/// The editor. `mark` is the byte range of an error.
pub fn editor(text: &str, label: &str, mark: Option<(u32, u32)>, send: &Callback<Msg>) -> Html {
    let typed = send.reform(|event: InputEvent| {
        Msg::Desk(DeskMsg::Typed(event.target_unchecked_into::<HtmlTextAreaElement>().value()))
    });
    let n_lines = text.matches('\n').count() + 1;
    let numbers: Vec<String> = (1..=n_lines).map(|line| line.to_string()).collect();
    // A trailing line break has no height of its own in the painted copy.
    let painted = format!("{}\n", text);
    html! {
        <div class="editor">
            <pre class="gutter" aria-hidden="true">{ numbers.join("\n") }</pre>
            <div class="sheet">
                <pre class="paint" aria-hidden="true">{ sql_text(&painted, mark) }</pre>
                <textarea id="editor" value={text.to_string()} oninput={typed} spellcheck="false" autocomplete="off"
                    autocapitalize="off" wrap="off" aria-label={format!("{}. Tab leaves the editor.", label)}
                    aria-invalid={mark.is_some().to_string()} />
            </div>
        </div>
    }
}
