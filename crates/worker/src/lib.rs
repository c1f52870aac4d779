//! The wasm-bindgen shim around host: decode, call, encode. No logic lives here.

use host::Host;
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

/// The build that page and engine must share; set for both by the same build command.
const BUILD: &str = match option_env!("MERGELAB_BUILD") {
    Some(build) => build,
    None => "dev",
};

thread_local! {
    static HOST: RefCell<Host> = RefCell::new(Host::new(BUILD));
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Called once: panics are reported to the console and kept for [`last_panic`].
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| {
        LAST_PANIC.with_borrow_mut(|last| *last = Some(info.to_string()));
        console_error_panic_hook::hook(info);
    }));
}

/// Serves one request as JSON text and returns the reply as JSON text; `note` is called with the
/// JSON text of each note before that.
#[wasm_bindgen]
pub fn handle(request: &str, note: &js_sys::Function) -> String {
    let mut send = |text: String| {
        // A page that throws on a note loses the note, not the reply.
        let _ = note.call1(&JsValue::NULL, &JsValue::from_str(&text));
    };
    HOST.with_borrow_mut(|host| host.handle_json(request, &mut send))
}

/// The message of the panic that stopped the engine, if one did.
#[wasm_bindgen]
pub fn last_panic() -> Option<String> {
    LAST_PANIC.with_borrow(Clone::clone)
}
