//! The engine's worker: starts it, drops it, reads what it says.

use super::names::Names;
use crate::json;
use crate::msg::EngineMsg;
use crate::wire::{self, Ask};
use protocol::Envelope;
use serde::Deserialize;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::Callback;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = mergelab, catch)]
    fn post(worker: &Worker, text: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(js_namespace = mergelab, js_name = postFiles)]
    fn post_files(worker: &Worker, key: &str);
    #[wasm_bindgen(js_namespace = mergelab, js_name = postZip)]
    fn post_zip(worker: &Worker, table: &str);
    #[wasm_bindgen(js_namespace = mergelab)]
    fn offline();
    #[wasm_bindgen(js_namespace = mergelab)]
    fn download(name: &str, bytes: &JsValue, media_type: &str);
}

/// A running worker. Dropping it ends the worker at once, whatever it is doing.
pub(super) struct Engine {
    worker: Worker,
    _said: Closure<dyn Fn(MessageEvent)>,
    _failed: Closure<dyn Fn(JsValue)>,
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// What the worker says about itself, as small objects beside the replies.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Signal {
    Progress { loaded: u64, total: u64 },
    Building(String),
    Ready,
    Panic(String),
    Unavailable(String),
    Refused(String),
}

impl Engine {
    /// Starts a worker; it speaks through `send`. The error is a sentence.
    pub(super) fn start(names: &Names, send: Callback<EngineMsg>) -> Result<Engine, String> {
        let address = format!(
            "{}?engine={}&wasm={}&python={}&pythonwasm={}",
            names.worker, names.engine, names.engine_wasm, names.python, names.python_wasm
        );
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&address, &options).map_err(|_| {
            "This browser cannot start the engine's worker. Recorded runs can still be read.".to_string()
        })?;
        let on_message = send.clone();
        let said = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            let said = read(&event.data());
            if said == EngineMsg::Started {
                offline();
            }
            on_message.emit(said);
        });
        let failed = Closure::<dyn Fn(JsValue)>::new(move |event: JsValue| {
            let message = js_sys::Reflect::get(&event, &"message".into()).ok().and_then(|message| message.as_string());
            send.emit(EngineMsg::Unavailable(format!(
                "The engine's worker could not be loaded. {}",
                message.unwrap_or_default()
            )));
        });
        worker.set_onmessage(Some(said.as_ref().unchecked_ref()));
        worker.set_onerror(Some(failed.as_ref().unchecked_ref()));
        Ok(Engine { worker, _said: said, _failed: failed })
    }

    /// Sends a request; an error is a panic's message, because a text that cannot be posted is a
    /// bug of the page.
    pub(super) fn send(&self, request: &Envelope<Ask>) -> Result<(), String> {
        post(&self.worker, &wire::request(request)).map_err(|error| format!("{error:?}"))
    }

    /// Hands the files of a key to the engine; what is sent later arrives later.
    pub(super) fn send_files(&self, key: &str) {
        post_files(&self.worker, key);
    }

    /// Asks for a table as a zip.
    pub(super) fn zip(&self, table: &str) {
        post_zip(&self.worker, table);
    }
}

/// A message of the worker. What cannot be understood means that page and worker do not fit.
fn read(data: &JsValue) -> EngineMsg {
    if let Some(zip) = data.dyn_ref::<js_sys::Array>() {
        let table = zip.get(0).as_string().unwrap_or_default();
        download(&format!("{table}.zip"), &zip.get(1), "application/zip");
        return EngineMsg::Zipped(Ok(table));
    }
    let said = match data.as_string() {
        Some(text) => wire::answer(&text),
        None => {
            let text = js_sys::JSON::stringify(data).ok().and_then(|text| text.as_string()).unwrap_or_default();
            json::read::<Signal>(&text).map(EngineMsg::from)
        }
    };
    said.unwrap_or_else(|misfit| EngineMsg::Panicked(format!("The engine's answer cannot be read: {misfit}")))
}

impl From<Signal> for EngineMsg {
    fn from(signal: Signal) -> Self {
        match signal {
            Signal::Progress { loaded, total } => EngineMsg::Progress { loaded, total },
            Signal::Building(sentence) => EngineMsg::Building(sentence),
            Signal::Ready => EngineMsg::Started,
            Signal::Panic(message) => EngineMsg::Panicked(message),
            Signal::Unavailable(message) => EngineMsg::Unavailable(message),
            Signal::Refused(sentence) => EngineMsg::Refused(sentence),
        }
    }
}
