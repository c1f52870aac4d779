//! A client of the worker: starts it, asks, waits for the one reply.

use futures::StreamExt;
use futures::channel::mpsc::{UnboundedReceiver, unbounded};
use js_sys::{Array, Function, Reflect};
use protocol::{Envelope, Reply, Request};
use wasm_bindgen::prelude::{Closure, JsValue};
use wasm_bindgen::{JsCast, JsError};
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

/// Where `cargo xtask test` puts the site, as the test runner serves it.
const WORKER: &str = "/browser/site/worker.js?engine=engine.js&wasm=engine_bg.wasm";

/// Where Python is, beside the engine.
const PYTHON: &str = "&python=python.js&pythonwasm=python_bg.wasm";

/// Where it is not.
const NO_PYTHON: &str = "&python=missing.js&pythonwasm=missing_bg.wasm";

/// The engine is gone.
#[derive(Debug)]
pub(crate) struct Stopped {
    /// What it said last.
    pub(crate) message: String,
}

/// A running worker; dropping it ends it.
#[derive(Debug)]
pub(crate) struct Engine {
    worker: Worker,
    inbox: UnboundedReceiver<JsValue>,
    last_id: u64,
    /// Kept as long as the worker may call it.
    _on_message: Closure<dyn FnMut(MessageEvent)>,
}

impl Engine {
    /// Starts a worker and waits until it can be asked. Panics with the worker's own words if it cannot.
    pub(crate) async fn start() -> Engine {
        Engine::start_at(PYTHON).await
    }

    /// Starts a worker that will look for Python in vain.
    pub(crate) async fn start_without_python() -> Engine {
        Engine::start_at(NO_PYTHON).await
    }

    async fn start_at(python: &str) -> Engine {
        let worker = new_worker(&format!("{WORKER}{python}")).expect("the browser has workers");
        let (sender, inbox) = unbounded();
        let on_message = Closure::new(move |event: MessageEvent| {
            // The engine may still speak while it is being dropped.
            let _ = sender.unbounded_send(event.data());
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        let mut engine = Engine { worker, inbox, last_id: 0, _on_message: on_message };
        loop {
            let message = engine.message().await;
            if has(&message, "ready") {
                return engine;
            }
            let told = property(&message, "unavailable");
            assert!(told.is_none(), "the engine does not start: {}", told.unwrap_or_default());
        }
    }

    /// Sends a request and waits for its reply; notes before it are dropped. Fails when the engine stops.
    pub(crate) async fn ask(&mut self, body: Request) -> Result<Reply, Stopped> {
        self.last_id += 1;
        let request = Envelope { id: self.last_id, body };
        let text = serde_json::to_string(&request).expect("a request is JSON");
        self.worker.post_message(&text.into()).expect("a worker takes text");
        loop {
            let message = self.message().await;
            if let Some(message) = property(&message, "panic") {
                return Err(Stopped { message });
            }
            let text = message.as_string().expect("everything else is JSON text");
            let json: serde_json::Value = serde_json::from_str(&text).expect("everything else is JSON text");
            if json["body"].get("note").is_some() {
                continue;
            }
            let reply: Envelope<Reply> = serde_json::from_value(json).expect("not a note, so a reply");
            assert_eq!(reply.id, self.last_id, "a reply answers the last request");
            return Ok(reply.body);
        }
    }

    async fn message(&mut self) -> JsValue {
        self.inbox.next().await.expect("the sender lives as long as the engine")
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.terminate();
    }
}

/// The test runner replaces `Worker` by one that starts a wrapper at another address, where the worker would
/// not find its files. The prototype still knows the browser's own.
fn new_worker(address: &str) -> Result<Worker, JsValue> {
    let patched = Reflect::get(&js_sys::global(), &"Worker".into())?;
    let prototype = Reflect::get(&patched, &"prototype".into())?;
    let constructor: Function = Reflect::get(&prototype, &"constructor".into())?.dyn_into()?;
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let args = Array::of2(&address.into(), &options);
    Reflect::construct(&constructor, &args)?.dyn_into().map_err(|_| JsError::new("not a worker").into())
}

fn has(message: &JsValue, key: &str) -> bool {
    message.is_object() && Reflect::has(message, &key.into()).unwrap_or(false)
}

fn property(message: &JsValue, key: &str) -> Option<String> {
    if !has(message, key) {
        return None;
    }
    let value = Reflect::get(message, &key.into()).ok()?;
    Some(value.as_string().unwrap_or_else(|| format!("{value:?}")))
}
