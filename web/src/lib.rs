//! The page: a model, one `update`, and small views over it.
//!
//! Behaviour lives in [`update`], which is pure and tested without a browser. Views draw the
//! model, `platform` carries out effects. Nothing here knows how a statement is executed.

#![recursion_limit = "512"]

pub mod effect;
#[cfg(test)]
mod fixtures;
pub mod frames;
pub mod json;
pub mod keys;
pub mod log_entries;
pub mod model;
pub mod msg;
mod platform;
pub mod route;
pub mod share;
pub mod shared;
pub mod span;
pub mod sql;
pub mod update;
pub mod view;
pub mod wire;

/// Puts the page where the document says that it loads. Does nothing where there is no such place.
pub fn run() {
    let place =
        web_sys::window().and_then(|window| window.document()).and_then(|document| document.get_element_by_id("app"));
    if let Some(place) = place {
        place.set_text_content(None);
        yew::Renderer::<platform::App>::with_root(place).render();
    }
}
