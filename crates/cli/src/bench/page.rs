//! What a reader waits for before the engine is there, and at every step after it.

use crate::webdriver::{Place, Session};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::time::Duration;

/// The lesson that is opened: the first one.
const LESSON: &str = "#/lesson/first-upsert";
/// Milliseconds in which it has to be there.
const PATIENCE: u64 = 120_000;

/// Notes when a recorded run can be stepped through, and how far the page's parts jump about while it loads.
const NOTE: &str = "window.shift = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value; })
    .observe({ type: 'layout-shift', buffered: true });
new MutationObserver((_, observer) => {
    if (document.querySelector('#timeline')) { window.timelineAt = performance.now(); observer.disconnect(); }
}).observe(document, { childList: true, subtree: true });";

const WAIT: &str = "const until = performance.now() + arguments[0];
while (window.timelineAt === undefined) {
    if (performance.now() > until) throw new Error('no recorded run came');
    await new Promise((resolve) => setTimeout(resolve, 20));
}
await new Promise((resolve) => setTimeout(resolve, 500));
return { scrubbable_ms: window.timelineAt, shift: window.shift };";

/// Times are from the start of the navigation, with an empty cache.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Until the page answers and a recorded run can be stepped through.
    pub scrubbable: Duration,
    /// The same at 10 Mbit/s with a processor that is four times slower.
    pub scrubbable_slow: Duration,
    /// The sum of layout shifts while loading, as browsers score them; 0 is none.
    pub layout_shift: f64,
    /// Drawing one step of a lesson, for every step of every view, both ways; sorted.
    pub steps: Vec<Duration>,
}

/// Opens the first lesson on a fast and on a slow line, and steps through it.
///
/// # Errors
/// The driver does not answer; the page does not start.
pub fn read(place: &Place) -> Result<Reading> {
    let (session, told) = open(place, false)?;
    let drawn = session.evaluate(include_str!("drawing.js"), &[])?;
    let times: Vec<f64> = serde_json::from_value(drawn["times_ms"].clone()).context("no times came back")?;
    let mut steps: Vec<Duration> = times.into_iter().map(from_ms).collect();
    steps.sort();
    drop(session);
    let (_slow, slow) = open(place, true)?;
    Ok(Reading {
        scrubbable: from_ms(number(&told, "scrubbable_ms")?),
        scrubbable_slow: from_ms(number(&slow, "scrubbable_ms")?),
        layout_shift: number(&told, "shift")?,
        steps,
    })
}

fn open(place: &Place, is_slow: bool) -> Result<(Session, Value)> {
    let session = Session::start(place)?;
    session.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": NOTE }))?;
    let window = json!({ "width": 1440, "height": 900, "deviceScaleFactor": 1, "mobile": false });
    session.devtools("Emulation.setDeviceMetricsOverride", &window)?;
    if is_slow {
        let bytes = 10_000_000.0 / 8.0;
        session.devtools("Network.enable", &json!({}))?;
        let line = json!({ "offline": false, "latency": 20, "downloadThroughput": bytes, "uploadThroughput": bytes });
        session.devtools("Network.emulateNetworkConditions", &line)?;
        session.devtools("Emulation.setCPUThrottlingRate", &json!({ "rate": 4 }))?;
    }
    session.open(&format!("{}{LESSON}", place.site))?;
    let told = session.evaluate(WAIT, &[json!(PATIENCE)])?;
    Ok((session, told))
}

fn number(told: &Value, name: &str) -> Result<f64> {
    told[name].as_f64().with_context(|| format!("the page does not tell {name}"))
}

fn from_ms(ms: f64) -> Duration {
    Duration::from_secs_f64(ms / 1e3)
}
