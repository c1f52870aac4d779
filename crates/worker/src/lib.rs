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

/// Answers what a running program asks.
#[wasm_bindgen]
pub fn program(asked: &str) -> String {
    HOST.with_borrow_mut(|host| host.program(asked))
}

/// Takes what a running program prints.
#[wasm_bindgen]
pub fn printed(text: &str) {
    HOST.with_borrow_mut(|host| host.printed(text));
}

/// The program of a request has ended; without a failure all is well. Gives the reply as [`handle`] does.
#[wasm_bindgen]
pub fn ended(id: f64, failure: Option<String>, note: &js_sys::Function) -> String {
    let mut send = |text: String| {
        let _ = note.call1(&JsValue::NULL, &JsValue::from_str(&text));
    };
    HOST.with_borrow_mut(|host| host.program_ended_json(id as u64, failure.as_deref(), &mut send))
}

/// Takes a file of the learner's; gives a sentence where it is refused.
#[wasm_bindgen]
pub fn put(key: &str, path: &str, bytes: Vec<u8>) -> Option<String> {
    HOST.with_borrow_mut(|host| host.put_file(key, path, bytes)).err()
}

/// A table as a zip, or a sentence that says why there is none.
#[wasm_bindgen]
pub fn zip(table: &str) -> JsValue {
    match HOST.with_borrow(|host| host::block_on(host.zip(table))) {
        Ok(bytes) => js_sys::Uint8Array::from(bytes.as_slice()).into(),
        Err(sentence) => JsValue::from_str(&sentence),
    }
}

/// The message of the panic that stopped the engine, if one did.
#[wasm_bindgen]
pub fn last_panic() -> Option<String> {
    LAST_PANIC.with_borrow(Clone::clone)
}
