//! The wasm-bindgen shim around host: decode, call, encode. No logic lives here.

use host::{Host, Interpreter, Serving};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

/// The build that page and engine must share; set for both by the same build command.
const BUILD: &str = match option_env!("MERGELAB_BUILD") {
    Some(build) => build,
    None => "dev",
};

thread_local! {
    /// Elsewhere while it serves.
    static HOST: RefCell<Option<Host>> = RefCell::new(Some(Host::new(BUILD)));
    static INTERPRETER: Interpreter = HOST.with_borrow(|host| host.as_ref().map(Host::interpreter).unwrap_or_default());
    static SERVING: RefCell<Option<Serving>> = const { RefCell::new(None) };
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

/// Serves one request as JSON text and returns the reply as JSON text; `note` is called with the JSON text of each note
/// before that. Without a reply the request waits for the program that [`wanted`] gives.
#[wasm_bindgen]
pub fn handle(request: &str, note: js_sys::Function) -> Option<String> {
    INTERPRETER.with(|_| ());
    let send = move |text: String| {
        // A page that throws on a note loses the note, not the reply.
        let _ = note.call1(&JsValue::NULL, &JsValue::from_str(&text));
    };
    go_on(HOST.take()?.serve(request, Box::new(send)))
}

fn go_on(mut serving: Serving) -> Option<String> {
    match serving.go_on() {
        Some((host, reply)) => {
            HOST.set(Some(host));
            Some(reply)
        }
        None => {
            SERVING.set(Some(serving));
            None
        }
    }
}

/// The text of the program that is waited for, and whether the names of earlier ones do not hold any more.
#[wasm_bindgen]
pub fn wanted() -> js_sys::Array {
    let wanted = INTERPRETER.with(Interpreter::wanted);
    wanted.map(|wanted| js_sys::Array::of2(&wanted.text.into(), &wanted.is_fresh.into())).unwrap_or_default()
}

/// Answers what the running program asks, JSON text for JSON text.
#[wasm_bindgen]
pub fn answer(asked: &str) -> String {
    INTERPRETER.with(|interpreter| interpreter.answer(asked))
}

/// Takes what the running program prints.
#[wasm_bindgen]
pub fn print(text: &str) {
    INTERPRETER.with(|interpreter| interpreter.print(text));
}

/// The program has ended; without a failure all is well. Goes on as [`handle`] does.
#[wasm_bindgen]
pub fn ended(failure: Option<String>) -> Option<String> {
    INTERPRETER.with(|interpreter| interpreter.end(failure.as_deref()));
    go_on(SERVING.take()?)
}

/// Takes a file of the learner's; gives a sentence where it is refused.
#[wasm_bindgen]
pub fn put(key: &str, path: &str, bytes: Vec<u8>) -> Option<String> {
    HOST.with_borrow_mut(|host| host.as_mut()?.put_file(key, path, bytes).err())
}

/// A table as a zip, or a sentence that says why there is none.
#[wasm_bindgen]
pub fn zip(table: &str) -> JsValue {
    HOST.with_borrow(|host| match host.as_ref().map(|host| host::block_on(host.zip(table))) {
        Some(Ok(bytes)) => js_sys::Uint8Array::from(bytes.as_slice()).into(),
        Some(Err(sentence)) => JsValue::from_str(&sentence),
        None => JsValue::from_str("The engine is at work."),
    })
}

/// The message of the panic that stopped the engine, if one did.
#[wasm_bindgen]
pub fn last_panic() -> Option<String> {
    LAST_PANIC.with_borrow(Clone::clone)
}
