//! Links: the dialog that makes one, and what is said of one that was opened.

use crate::model::{Desk, Model};
use crate::msg::{Act, KeepMsg, Msg, ShareMsg, ViewMsg};
use crate::share::{LONG, TOO_LONG};
use crate::view::button::{Look, button};
use crate::view::markup::html;
use crate::view::words;
use yew::prelude::*;

/// The dialog with the link to what is open.
pub fn share(model: &Model, send: &Callback<Msg>) -> Html {
    let Some(fragment) = &model.link else { return html! { <h2>{ "Nothing to share yet" }</h2> } };
    let link = format!("{}#{fragment}", model.base);
    let embed = format!(
        "<iframe src=\"{}?embed=1#{fragment}\" width=\"100%\" height=\"640\" title=\"MergeLab\"></iframe>",
        model.base
    );
    let has_files = model.desk().is_some_and(|desk| desk.ledger.steps.iter().any(|step| !step.file.is_empty()));
    let copy = |text: String, label: &str, id: &str| {
        button(send, Act::View(ViewMsg::Copy(text)), label, Look { id, ..Look::default() })
    };
    html! {
        <>
            <h2>{ "Share" }</h2>
            <p>{ "The link carries the text, the statements before it and the step that is shown, in its fragment: no server ever sees them. Whoever opens it sees the text first; nothing runs by itself." }</p>
            <label class="field">{ "Link" }<input id="link" readonly=true value={link.clone()} /></label>
            { size(link.len(), send) }
            if has_files { <p class="notice">{ "Files of yours are not in the link. Send them along, or download the table as a zip." }</p> }
            <div class="bar">
                { copy(link, "Copy the link", "copy-link") }
                { copy(embed, "Copy as an embedded frame", "copy-embed") }
                { button(send, Act::View(ViewMsg::CloseDialog), "Close", Look::default()) }
            </div>
        </>
    }
}

/// Long links get lost on their way.
fn size(length: usize, send: &Callback<Msg>) -> Html {
    let size = words::bytes(length as u64);
    if length > TOO_LONG {
        let look = Look { id: "share-file", ..Look::default() };
        return html! {
            <p class="notice" id="link-size">
                { format!("This link has {size}: many programs cut it. A file of your work does not get cut. ") }
                { button(send, Act::Keep(KeepMsg::Export), "Download a file instead", look) }
            </p>
        };
    }
    let warning =
        if length > LONG { "some chat programs cut links of this length" } else { "short enough for any program" };
    html! { <p class="facts" id="link-size">{ format!("{size}: {warning}") }</p> }
}

/// What a shared playground holds, before anything of it has run.
pub fn summary(desk: &Desk, send: &Callback<Msg>) -> Html {
    let n_lines = desk.current().map_or(0, |sheet| sheet.text.lines().count());
    let n_steps = desk.ledger.steps.len();
    let adopt = Look { id: "adopt", ..Look::default() };
    html! {
        <section id="from-link" aria-label="From a link">
            <p>{ format!("This came by a link: {} before, and a text of {}. Nothing has run. Read it, then press Run.", words::count(n_steps as u64, "statement"), words::count(n_lines as u64, "line")) }</p>
            <p class="facts">{ "It is not saved in this browser until you take it over." }</p>
            { button(send, Act::Share(ShareMsg::Adopt), "Take it into my playground", adopt) }
        </section>
    }
}
