//! Files of the site.

use crate::model::LessonFile;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// Fetches and reads a JSON file beside the page; the error is a sentence's end.
pub(super) async fn json<T: DeserializeOwned>(address: &str) -> Result<T, String> {
    let text = text(address).await?;
    crate::json::read(&text).map_err(|error| format!("{address} cannot be read ({error})"))
}

/// Fetches a lesson; the error is a sentence's end.
pub(super) async fn lesson(slug: &str) -> Result<LessonFile, String> {
    let address = format!("lessons/{slug}.json");
    let text = text(&address).await?;
    LessonFile::read(&text).map_err(|misfit| format!("{address} cannot be read ({misfit})"))
}

async fn text(address: &str) -> Result<String, String> {
    let window = web_sys::window().ok_or("there is no window")?;
    let unreachable = |_: JsValue| format!("{address} cannot be reached");
    let response = JsFuture::from(window.fetch_with_str(address)).await.map_err(unreachable)?;
    let response: Response = response.dyn_into().map_err(unreachable)?;
    if !response.ok() {
        return Err(format!("{address} answered with status {}", response.status()));
    }
    let text = JsFuture::from(response.text().map_err(unreachable)?).await.map_err(unreachable)?;
    text.as_string().ok_or_else(|| format!("{address} is not text"))
}
