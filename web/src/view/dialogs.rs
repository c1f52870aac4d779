//! Windows over the page. Real dialogs: the browser keeps the focus inside and gives it back.

use crate::keys::SHEET;
use crate::model::Dialog;
use crate::msg::{DeskMsg, Msg, ViewMsg};
use crate::view::button::{Look, button};
use web_sys::HtmlDialogElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct DialogsProps {
    pub open: Option<Dialog>,
    pub send: Callback<Msg>,
}

/// The open window, if one is.
#[component]
pub fn Dialogs(props: &DialogsProps) -> Html {
    let node = use_node_ref();
    use_effect_with((props.open, node.clone()), |(open, node)| {
        if let Some(dialog) = node.cast::<HtmlDialogElement>().filter(|dialog| open.is_some() && !dialog.open()) {
            // It only fails where the element has left the page, and then there is nothing to open.
            let _ = dialog.show_modal();
        }
    });
    let cancel = props.send.reform(|_: Event| Msg::View(ViewMsg::CloseDialog));
    let body = match props.open {
        None => return html! {},
        Some(Dialog::Shortcuts) => html! {
            <>
                <h2>{ "Keyboard" }</h2>
                <p class="facts">{ "Keys without a modifier act outside text fields only. On a Mac, Command is Ctrl." }</p>
                <dl class="keys">{ for SHEET.iter().map(|(keys, what)| html! { <><dt><kbd>{ *keys }</kbd></dt><dd>{ *what }</dd></> }) }</dl>
                { button(&props.send, Msg::View(ViewMsg::CloseDialog), "Close", Look { class: "primary", ..Look::default() }) }
            </>
        },
        Some(Dialog::ConfirmReset) => html! {
            <>
                <h2>{ "Back to the lesson's text?" }</h2>
                <p>{ "Your text is replaced. Undo brings it back as long as this page is open." }</p>
                <div class="bar">
                    { button(&props.send, Msg::Desk(DeskMsg::Reset), "Reset", Look { id: "confirm-reset", class: "primary", ..Look::default() }) }
                    { button(&props.send, Msg::View(ViewMsg::CloseDialog), "Keep mine", Look::default()) }
                </div>
            </>
        },
    };
    html! { <dialog ref={node} oncancel={cancel}>{ body }</dialog> }
}
