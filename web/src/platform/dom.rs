//! Small things done to the document.

use crate::model::{Embed, Theme};
use crate::route::Route;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{Document, HtmlDialogElement, HtmlElement, HtmlInputElement};

pub(super) fn document() -> Option<Document> {
    web_sys::window().and_then(|window| window.document())
}

/// The place that the address names.
pub(super) fn route() -> Route {
    let hash = web_sys::window().and_then(|window| window.location().hash().ok());
    Route::parse(&hash.unwrap_or_default())
}

/// The address without query and fragment, and what `?embed=1&step=n` asks for.
pub(super) fn address() -> (String, Option<Embed>) {
    let Some(location) = web_sys::window().map(|window| window.location()) else { return Default::default() };
    let href = location.href().unwrap_or_default();
    let base = href.split(['?', '#']).next().unwrap_or_default().to_string();
    let query = location.search().unwrap_or_default();
    let value = |name: &str| {
        let mut pairs = query.trim_start_matches('?').split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(of, _)| *of == name).map(|(_, value)| value.to_string())
    };
    let embed = (value("embed").as_deref() == Some("1"))
        .then(|| Embed { step: value("step").and_then(|step| step.parse().ok()) });
    (base, embed)
}

/// Changes the address in place, so that Back does not lead to the redirect.
pub(super) fn redirect(route: &Route) {
    if let Some(window) = web_sys::window() {
        // The only failure is a malformed address, and fragments of routes are not.
        let _ = window.location().replace(&route.fragment());
    }
}

pub(super) fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

pub(super) fn set_theme(theme: Theme) {
    let Some(root) = document().and_then(|document| document.document_element()) else { return };
    // Neither call can fail with these fixed names.
    let _ = match theme {
        Theme::System => root.remove_attribute("data-theme"),
        Theme::Light | Theme::Dark => root.set_attribute("data-theme", theme.name()),
    };
}

fn dialog() -> Option<HtmlDialogElement> {
    document()?.query_selector("dialog").ok()??.dyn_into().ok()
}

pub(super) fn show_dialog() {
    if let Some(dialog) = dialog().filter(|dialog| !dialog.open()) {
        // It only fails where the element has left the page, and then there is nothing to show.
        let _ = dialog.show_modal();
    }
}

pub(super) fn close_dialog() {
    if let Some(dialog) = dialog() {
        dialog.close();
    }
}

/// Moves the keyboard to an element, and selects what a number field holds.
pub(super) fn focus(id: &str) {
    let Some(element) = document().and_then(|document| document.get_element_by_id(id)) else { return };
    if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
        input.select();
    }
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        // An element that cannot take the focus keeps it where it was; nothing is lost.
        let _ = element.focus();
    }
}

/// Calls back once, later. The closure frees itself.
pub(super) fn after(milliseconds: u32, call: impl FnOnce() + 'static) {
    let Some(window) = web_sys::window() else { return };
    let call = Closure::once_into_js(call);
    // A browser that refuses a timer loses an alarm; every alarm is a convenience.
    let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(call.unchecked_ref(), milliseconds as i32);
}
