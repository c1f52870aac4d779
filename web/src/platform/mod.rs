//! The browser's side: carries out effects and turns what happens into messages.

mod app;
mod dom;
mod editor;
mod fetch;
mod keep;
mod keyboard;
mod names;
mod storage;
mod worker;

pub(crate) use app::App;
