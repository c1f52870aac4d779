//! The editor's element: what takes the keyboard in the text area and in the full editor alike.

use super::dom::document;
use super::names::Names;
use crate::msg::{DeskMsg, Msg, ViewMsg};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlTextAreaElement};
use yew::Callback;

/// So long the page has the line and the processor for itself.
const HEAD_START_MILLISECONDS: u32 = 150;

/// Fetches the bundle of the full editor by its name, after a while; it makes itself known to the document.
pub(super) fn load(names: &Names, send: Callback<Msg>) {
    let name = names.editor.clone();
    super::dom::after(HEAD_START_MILLISECONDS, move || {
        // A page without a head, or a script that does not come, goes on with the text area.
        let _ = add_script(&name, send);
    });
}

fn add_script(name: &str, send: Callback<Msg>) -> Option<()> {
    let document = document()?;
    let script = document.create_element("script").ok()?;
    script.set_attribute("type", "module").ok()?;
    script.set_attribute("src", name).ok()?;
    let arrived = Closure::once_into_js(move || send.emit(Msg::View(ViewMsg::EditorArrived(cursor()))));
    script.add_event_listener_with_callback("load", arrived.unchecked_ref()).ok()?;
    document.query_selector("head").ok()??.append_child(&script).ok()?;
    Some(())
}

/// The editor's element. The full editor gives its own the parts of a text area that are used here.
fn field() -> Option<HtmlTextAreaElement> {
    Some(document()?.get_element_by_id("editor")?.unchecked_into())
}

fn selection(field: &HtmlTextAreaElement) -> (u32, u32) {
    let start = field.selection_start().ok().flatten().unwrap_or(0);
    (start, field.selection_end().ok().flatten().unwrap_or(start))
}

/// Where someone is writing, if they are.
fn cursor() -> Option<(u32, u32)> {
    let field = field()?;
    let active = document()?.active_element()?;
    (&active == field.unchecked_ref::<Element>()).then(|| selection(&field))
}

/// Selects a range; the browser brings it into view when it gets the focus.
pub(super) fn select(start: u32, end: u32) {
    let Some(field) = field() else { return };
    // Both only fail for elements without a text, which an editor is not.
    let _ = field.focus();
    let _ = field.set_selection_range(start, end);
}

/// Selects the first place behind the cursor, or the last before it, round the end of the text; gives its index.
pub(super) fn select_next(places: &[(u32, u32)], forward: bool) -> Option<usize> {
    let (start, end) = selection(&field()?);
    let is_next = |place: &(u32, u32)| place.0 > start || (place.0 == start && place.1 != end);
    let found = if forward {
        places.iter().position(is_next).unwrap_or(0)
    } else {
        places.iter().rposition(|place| place.0 < start).unwrap_or(places.len().checked_sub(1)?)
    };
    let place = places.get(found)?;
    select(place.0, place.1);
    Some(found)
}

/// Writes around the selection; a press of the button that asked for it must not end the writing.
pub(super) fn insert(before: &str, after: &str, send: &Callback<Msg>) {
    let Some(field) = field() else { return };
    let (start, end) = selection(&field);
    let units: Vec<u16> = field.value().encode_utf16().collect();
    let (start, end) = (start as usize, end as usize);
    let part = |part: Option<&[u16]>| String::from_utf16_lossy(part.unwrap_or_default());
    let (head, inside, tail) = (part(units.get(..start)), part(units.get(start..end)), part(units.get(end..)));
    send.emit(Msg::Desk(DeskMsg::Typed(format!("{head}{before}{inside}{after}{tail}"))));
    let shift = before.encode_utf16().count();
    super::dom::after(0, move || select((start + shift) as u32, (end + shift) as u32));
}
