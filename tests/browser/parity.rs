//! The two worlds write the same bytes: the native program has run the scenarios and left the hash of every object in
//! `parity.json` beside the site; here the built engine runs the same texts in the browser.

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

#[wasm_bindgen_test]
async fn native_and_browser_write_identical_bytes() {
    let expected = fetched(EXPECTED).await.expect("the native expectations are served");
    let scenarios: Vec<Value> = serde_json::from_str(&expected).expect("the native expectations are JSON");
    assert_eq!(scenarios.len(), 7, "six scenarios and the table of every kind of column");
    let mut engine = Engine::start().await;
    let mut n_objects = 0;
    for scenario in &scenarios {
        let name = text(&scenario["name"]);
        let request = Request::Run { setup: text(&scenario["setup"]), text: text(&scenario["statement"]), clock: None };
        match engine.ask(request).await {
            Ok(ReplyBody::Ran(report)) => {
                assert_eq!(report.errors, [], "{name}");
                assert!(report.statements.iter().all(|done| done.error.is_none()), "{name}: {:?}", report.statements);
            }
            other => panic!("{name}: {other:?}"),
        }
        let browser = match engine.ask(Request::Fingerprints).await {
            Ok(ReplyBody::Fingerprints { objects }) => objects,
            other => panic!("{name}: {other:?}"),
        };
        let native: Vec<Fingerprint> =
            serde_json::from_value(scenario["objects"].clone()).expect("fingerprints are JSON");
        assert_eq!(differences(&native, &browser), Vec::<String>::new(), "{name}: other bytes in these objects");
        let mut flipped = native.clone();
        flipped[0].hash = "0000000000000000".to_owned();
        assert_eq!(differences(&flipped, &browser).len(), 1, "{name}: a changed byte must be noticed");
        n_objects += native.len();
    }
    assert!(n_objects > 100, "only {n_objects} objects compared");
}
