//! The two worlds answer the same and write the same bytes: the native program has run scenarios and recorded cases and
//! left its answers and the hash of every object in `parity.json` beside the site; here the built engine runs the same
//! texts in the browser.

use crate::engine::Engine;
use js_sys::Promise;
use protocol::{Fingerprint, ReplyBody, Request};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

const EXPECTED: &str = "/browser/site/parity.json";

async fn fetched(url: &str) -> Result<String, JsValue> {
    let window = web_sys::window().expect("tests run in a page");
    let response: web_sys::Response = JsFuture::from(window.fetch_with_str(url)).await?.dyn_into()?;
    let text: Promise = response.text()?;
    JsFuture::from(text).await.map(|text| text.as_string().unwrap_or_default())
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// Every object whose bytes differ, by path.
fn differences(native: &[Fingerprint], browser: &[Fingerprint]) -> Vec<String> {
    let mut paths: Vec<&str> = native.iter().chain(browser).map(|object| object.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    let find = |objects: &[Fingerprint], path: &str| objects.iter().find(|object| object.path == path).cloned();
    let differs = |path: &&str| find(native, path) != find(browser, path);
    paths.into_iter().filter(differs).map(str::to_owned).collect()
}

/// What this engine answers to an entry of the expectations, and what is in its store then.
async fn run(engine: &mut Engine, entry: &Value) -> (Value, Vec<Fingerprint>) {
    let request = Request::Run { setup: text(&entry["setup"]), text: text(&entry["statement"]), clock: None };
    let report = match engine.ask(request).await {
        Ok(ReplyBody::Ran(report)) => serde_json::to_value(report).expect("a report is JSON"),
        other => panic!("{}: {other:?}", entry["name"]),
    };
    match engine.ask(Request::Fingerprints).await {
        Ok(ReplyBody::Fingerprints { objects }) => (report, objects),
        other => panic!("{}: {other:?}", entry["name"]),
    }
}

#[wasm_bindgen_test]
async fn native_and_browser_answer_alike_and_write_identical_bytes() {
    let expected = fetched(EXPECTED).await.expect("the native expectations are served");
    let entries: Vec<Value> = serde_json::from_str(&expected).expect("the native expectations are JSON");
    let mut engine = Engine::start().await;
    let mut n_objects = 0;
    let mut wrong = Vec::new();
    for entry in &entries {
        let name = text(&entry["name"]);
        let (report, browser) = run(&mut engine, entry).await;
        let native: Vec<Fingerprint> = serde_json::from_value(entry["objects"].clone()).expect("fingerprints are JSON");
        if report != entry["report"] {
            wrong.push(format!("{name}: natively {}, here {report}", entry["report"]));
        }
        wrong.extend(differences(&native, &browser).into_iter().map(|path| format!("{name}: other bytes in {path}")));
        if let Some(mut flipped) = Some(native.clone()).filter(|objects| !objects.is_empty()) {
            flipped[0].hash = "0000000000000000".to_owned();
            assert_eq!(differences(&flipped, &native).len(), 1, "{name}: a changed byte must be noticed");
        }
        n_objects += native.len();
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    assert!(entries.len() > 200 && n_objects > 1_000, "only {} runs and {n_objects} objects compared", entries.len());
}
