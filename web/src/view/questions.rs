//! Questions before something that is not to happen by a slip, and what can be done with all work.

use crate::model::Dialog;
use crate::msg::{Act, DeskMsg, KeepMsg, Msg, PlaygroundMsg, ViewMsg};
use crate::view::button::{Look, button};
use crate::view::markup::html;
use yew::prelude::*;

/// The body of a dialog that asks; nothing for any other.
pub fn question(open: Dialog, send: &Callback<Msg>) -> Html {
    match open {
        Dialog::ConfirmReset => asked(
            "Back to the lesson's text?",
            "Your text is replaced. Undo brings it back as long as this page is open.",
            (Act::Desk(DeskMsg::Reset), "Reset", "confirm-reset"),
            "Keep mine",
            send,
        ),
        Dialog::ConfirmSolution => asked(
            "Show a solution?",
            "It is put into the editor and the exercise is marked as seen. It counts as solved once an answer of your own passes.",
            (Act::Desk(DeskMsg::Solution), "Show it", "confirm-solution"),
            "Not yet",
            send,
        ),
        Dialog::ConfirmEmpty => asked(
            "Empty the playground?",
            "All its statements and tables are taken back. Redo brings them again, one by one, as long as this page is open.",
            (Act::Playground(PlaygroundMsg::Empty), "Empty it", "confirm-empty"),
            "Keep them",
            send,
        ),
        Dialog::Work => work(send),
        Dialog::Shortcuts | Dialog::Share => html! {},
    }
}

fn asked(title: &str, told: &str, yes: (Act, &str, &str), no: &str, send: &Callback<Msg>) -> Html {
    let (act, label, id) = yes;
    html! {
        <>
            <h2>{ title }</h2>
            <p>{ told }</p>
            <div class="bar">
                { button(send, act, label, Look { id, class: "primary", ..Look::default() }) }
                { button(send, Act::View(ViewMsg::CloseDialog), no, Look::default()) }
            </div>
        </>
    }
}

/// Everything that this browser keeps, out of it and into it.
fn work(send: &Callback<Msg>) -> Html {
    let export = Look { id: "export", class: "primary", ..Look::default() };
    html! {
        <>
            <h2>{ "Your work" }</h2>
            <p>{ "Texts, solved exercises and the playground's statements are saved in this browser and sent nowhere. One file takes all of it to another browser. Bringing a file in keeps the newer of each text and deletes nothing." }</p>
            <div class="bar">
                { button(send, Act::Keep(KeepMsg::Export), "Download all work", export) }
                <label class="pick">{ "Bring in a file" }<input id="import" type="file" accept=".json,application/json" data-takes="work" /></label>
            </div>
            { button(send, Act::View(ViewMsg::CloseDialog), "Close", Look::default()) }
        </>
    }
}
