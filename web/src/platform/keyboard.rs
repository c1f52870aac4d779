//! Key presses of the document, told to `keys`.

use crate::keys::{Focus, Press, command};
use crate::msg::Msg;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{Element, KeyboardEvent};
use yew::Callback;

/// Listens for as long as the page lives.
pub(super) fn listen(send: Callback<Msg>) {
    let Some(document) = super::dom::document() else { return };
    let pressed = Closure::<dyn Fn(KeyboardEvent)>::new(move |event: KeyboardEvent| {
        if event.is_composing() {
            return;
        }
        let key = event.key();
        let press = Press {
            key: &key,
            ctrl: event.ctrl_key() || event.meta_key(),
            shift: event.shift_key(),
            alt: event.alt_key(),
            focus: focus(&event),
        };
        if let Some(msg) = command(press) {
            event.prevent_default();
            send.emit(msg);
        }
    });
    // Fails only for a target that takes no listeners; the document does.
    let _ = document.add_event_listener_with_callback("keydown", pressed.as_ref().unchecked_ref());
    pressed.forget();
}

fn focus(event: &KeyboardEvent) -> Focus {
    let Some(element) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else { return Focus::Page };
    if element.id() == "editor" {
        return Focus::Editor;
    }
    if element.id() == "timeline" {
        return Focus::Timeline;
    }
    if element.closest("dialog").ok().flatten().is_some() {
        return Focus::Own;
    }
    match element.tag_name().as_str() {
        // A list of choices takes letters and arrows for itself.
        "TEXTAREA" | "INPUT" | "SELECT" => Focus::Text,
        "BUTTON" | "A" | "SUMMARY" => Focus::Control,
        _ => Focus::Page,
    }
}
