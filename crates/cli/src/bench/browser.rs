//! Timing the scenarios in a browser: the built site's own worker, asked as the page asks it.

use super::memory;
use super::scenario::Scenario;
use crate::webdriver::{Place, Session};
use anyhow::{Context, Result};
use protocol::{Envelope, Request, VERSION};
use serde_json::{Value, json};
use std::time::Duration;

/// How long the engine may take to get ready.
const PATIENCE: Duration = Duration::from_secs(300);

/// What a visitor waits for. Times are from the start of the navigation, with an empty cache.
#[derive(Debug, Clone, PartialEq)]
pub struct Opening {
    /// None where the browser paints nothing.
    pub first_paint: Option<Duration>,
    /// Until the engine has answered the page's greeting.
    pub engine_ready: Duration,
    /// Of every file that was loaded until then, once, as this server sends it.
    pub n_bytes: u64,
}

/// A browser at the site, with nothing of the page running.
#[derive(Debug)]
pub struct Tab {
    session: Session,
    /// File names of the build, as the page finds them.
    names: Value,
    hello: String,
    last_id: u64,
}

/// A scenario's times in the browser.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Sorted; from posting the statement to its reply.
    pub runs: Vec<Duration>,
    /// Of the tab's process; None where the system does not tell.
    pub peak_bytes: Option<u64>,
}

/// Opens the page as a first visitor does, measures that, and leaves the page.
///
/// # Errors
/// The driver does not answer; the page or its engine does not start.
pub fn open(place: &Place) -> Result<(Tab, Opening)> {
    let session = Session::start(place)?;
    session.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": include_str!("watch.js") }))?;
    session.open(&place.site)?;
    let told = session.evaluate(include_str!("opening.js"), &[json!(PATIENCE.as_millis() as u64)])?;
    let names = told["names"].clone();
    let milliseconds = |key: &str| told[key].as_f64().map(|ms| Duration::from_secs_f64(ms / 1e3));
    let opening = Opening {
        first_paint: milliseconds("first_paint_ms"),
        engine_ready: milliseconds("engine_ready_ms").context("the page does not say when its engine was ready")?,
        n_bytes: told["bytes"].as_u64().context("the page does not say what it loaded")?,
    };
    let text = |key: &str| names[key].as_str().with_context(|| format!("the page has no name for `{key}`"));
    let hello = request(0, Request::Hello { version: VERSION, build: text("build")?.to_owned() })?;
    // A file of the same origin: workers may be started from there, and no page is in the way of the measurement.
    session.open(&format!("{}{}", place.site, text("worker")?))?;
    Ok((Tab { session, names, hello, last_id: 0 }, opening))
}

impl Tab {
    /// Runs the statement `n_runs` times in one fresh worker, each after a fresh setup.
    ///
    /// # Errors
    /// The engine does not start; setup or statement does not run.
    pub fn time(&mut self, scenario: &Scenario, n_runs: usize) -> Result<Measured> {
        self.session.evaluate(include_str!("engine.js"), &[self.names.clone(), json!(self.hello)])?;
        let renderers = self.session.process.map(memory::renderers).unwrap_or_default();
        renderers.iter().for_each(|process| memory::forget_peak(process));
        let mut runs = Vec::with_capacity(n_runs);
        for _ in 0..n_runs {
            self.ask(Request::Run { setup: scenario.setup.clone(), text: String::new(), clock: None })
                .with_context(|| format!("{} in the browser: setup", scenario.name))?;
            let took = self.ask(Request::Continue { text: scenario.statement.clone() });
            runs.push(took.with_context(|| format!("{} in the browser", scenario.name))?);
        }
        runs.sort();
        let peak_bytes = renderers.iter().filter_map(|process| memory::peak(process)).max();
        Ok(Measured { runs, peak_bytes })
    }

    fn ask(&mut self, body: Request) -> Result<Duration> {
        self.last_id += 1;
        let asked = request(self.last_id, body)?;
        let reply = self.session.evaluate("return await window.bench.ask(arguments[0]);", &[json!(asked)])?;
        let ms = reply["ms"].as_f64().context("no time came back")?;
        Ok(Duration::from_secs_f64(ms / 1e3))
    }
}

fn request(id: u64, body: Request) -> Result<String> {
    Ok(serde_json::to_string(&Envelope { id, body })?)
}
