//! The programs around cargo: each is found, or installed with one line that says what and why.
//! Nothing here is ever downloaded from anywhere but cargo's, Python's, Debian's and Maven's registries.

mod browser;
mod debian;
mod python;
mod reference;
mod wasm;

pub(crate) use browser::{Firefox, browser, firefox};
pub(crate) use python::python;
pub(crate) use reference::reference;
pub(crate) use wasm::{WasmTools, clang, wasm_pack, wasm_tools};

/// Says what is being installed and why.
fn announce(what: &str, why: &str) {
    println!("installing {what}: {why}");
}
