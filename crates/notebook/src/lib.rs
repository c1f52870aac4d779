//! The interpreter as a module of the worker. No logic lives here: it decodes, calls, encodes.

use python::{Door, Failure, Session};
use serde_json::Value;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

thread_local! {
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

/// The message of the panic that stopped the interpreter, if one did.
#[wasm_bindgen]
pub fn last_panic() -> Option<String> {
    LAST_PANIC.with_borrow(Clone::clone)
}

/// Programs that run one after the other and share their names.
#[wasm_bindgen]
pub struct Notebook {
    session: Session,
}

struct Functions {
    call: js_sys::Function,
    print: js_sys::Function,
}

impl Door for Functions {
    fn call(&self, request: Value) -> Value {
        let asked = JsValue::from_str(&request.to_string());
        let answer = self.call.call1(&JsValue::NULL, &asked).ok().and_then(|answer| answer.as_string());
        answer.and_then(|answer| serde_json::from_str(&answer).ok()).unwrap_or_default()
    }

    fn print(&self, text: &str) {
        // Text that nobody takes is lost; the program goes on.
        let _ = self.print.call1(&JsValue::NULL, &JsValue::from_str(text));
    }
}

#[wasm_bindgen]
impl Notebook {
    /// Starts an interpreter. `call` answers JSON text with JSON text; `print` takes what programs print.
    ///
    /// # Errors
    /// A sentence: a module of ours cannot be read.
    #[wasm_bindgen(constructor)]
    pub fn new(call: js_sys::Function, print: js_sys::Function) -> Result<Notebook, JsValue> {
        let session = Session::new(Rc::new(Functions { call, print }));
        session.map(|session| Self { session }).map_err(|failure| JsValue::from_str(&failure.message))
    }

    /// Forgets all names, as if it had just started.
    ///
    /// # Errors
    /// A sentence: a module of ours cannot be read.
    pub fn forget(&self) -> Result<(), JsValue> {
        self.session.forget().map_err(|failure| JsValue::from_str(&failure.message))
    }

    /// Runs a text to its end; gives why it stopped early, as JSON text.
    pub fn run(&self, text: &str) -> Option<String> {
        self.session.run_cells(text).err().map(|failure: Failure| failure.to_value().to_string())
    }
}
