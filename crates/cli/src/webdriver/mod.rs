//! A headless browser under WebDriver, for the benchmark and for the flows of the system tests.

mod http;

pub use http::send;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long a driver that was started together with us may take until it listens.
const PATIENCE: Duration = Duration::from_secs(120);

/// Longest script, in milliseconds.
const SCRIPT_TIMEOUT: u64 = 600_000;

const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// Where a driver, its browser and the site are.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Host and port.
    pub driver: String,
    /// The browser's program.
    pub binary: String,
    pub kind: Kind,
    /// With a slash at the end.
    pub site: String,
}

/// Whose browser it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Chromium,
    /// Without the commands of Chromium's own protocol.
    Firefox,
}

impl Place {
    /// As `cargo xtask` tells it.
    ///
    /// # Errors
    /// A variable is not set.
    pub fn from_environment() -> Result<Place> {
        let variable = |name| std::env::var(name).with_context(|| format!("{name} is not set"));
        let (binary, kind) = match variable("MERGELAB_FIREFOX") {
            Ok(firefox) => (firefox, Kind::Firefox),
            Err(_) => (variable("MERGELAB_CHROMIUM")?, Kind::Chromium),
        };
        Ok(Place { driver: variable("MERGELAB_WEBDRIVER")?, binary, kind, site: variable("MERGELAB_SITE")? })
    }

    /// What is asked of the driver.
    fn capabilities(&self) -> Value {
        let mut wanted = json!({
            "timeouts": { "script": SCRIPT_TIMEOUT },
            // The engine is preloaded, and the load event waits for it; a reader does not.
            "pageLoadStrategy": "eager",
        });
        match self.kind {
            Kind::Chromium => {
                wanted["browserName"] = json!("chrome");
                wanted["goog:chromeOptions"] = json!({ "args": FLAGS, "binary": self.binary });
                wanted["goog:loggingPrefs"] = json!({ "browser": "ALL" });
            }
            Kind::Firefox => {
                wanted["browserName"] = json!("firefox");
                wanted["moz:firefoxOptions"] = json!({ "args": ["-headless"], "binary": self.binary });
            }
        }
        json!({ "capabilities": { "alwaysMatch": wanted } })
    }
}

/// A browser with an empty profile; dropping it closes it.
#[derive(Debug)]
pub struct Session {
    driver: String,
    id: String,
    /// The browser's process on this machine, where the driver tells it.
    pub process: Option<u64>,
}

impl Session {
    /// Starts a browser.
    ///
    /// # Errors
    /// The driver does not answer in time, or has no browser to give.
    pub fn start(place: &Place) -> Result<Session> {
        let capabilities = place.capabilities();
        let until = Instant::now() + PATIENCE;
        let answer = loop {
            match send(&place.driver, "POST", "/session", Some(&capabilities)) {
                Ok((200, answer)) => break answer,
                Ok((status, answer)) => bail!("no session ({status}): {answer}"),
                Err(error) if Instant::now() > until => return Err(error.context("the driver does not answer")),
                Err(_) => std::thread::sleep(Duration::from_millis(200)),
            }
        };
        let id = answer["value"]["sessionId"].as_str().context("a session has no id")?.to_owned();
        let process = answer["value"]["capabilities"]["goog:processID"].as_u64();
        Ok(Session { driver: place.driver.clone(), id, process })
    }

    /// Sends a command to the driver and gives status and body, whatever the status.
    ///
    /// # Errors
    /// The driver cannot be reached.
    pub fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Result<(u16, Value)> {
        send(&self.driver, method, &format!("/session/{}/{path}", self.id), body)
    }

    /// Sends a command and gives its value.
    ///
    /// # Errors
    /// The driver cannot be reached or refuses; its words are in the error.
    pub fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value> {
        match self.send(method, path, body)? {
            (200, answer) => Ok(answer["value"].clone()),
            (status, answer) => Err(anyhow!("{method} {path} ({status}): {}", answer["value"]["message"])),
        }
    }

    /// A POST with a body.
    ///
    /// # Errors
    /// As for [`Session::call`].
    pub fn post(&self, path: &str, body: &Value) -> Result<Value> {
        self.call("POST", path, Some(body))
    }

    /// Goes to an address and waits until it is loaded.
    ///
    /// # Errors
    /// As for [`Session::call`].
    pub fn open(&self, address: &str) -> Result<()> {
        self.post("url", &json!({ "url": address })).map(drop)
    }

    /// Runs JavaScript in the page and gives what it returns, a promise's value included.
    ///
    /// # Errors
    /// The script throws; otherwise as for [`Session::call`].
    pub fn evaluate(&self, script: &str, arguments: &[Value]) -> Result<Value> {
        self.post("execute/sync", &json!({ "script": script, "args": arguments }))
    }

    /// A command of the Chrome DevTools protocol.
    ///
    /// # Errors
    /// As for [`Session::call`].
    pub fn devtools(&self, command: &str, parameters: &Value) -> Result<Value> {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Fails only where the browser is gone already.
        let _ = send(&self.driver, "DELETE", &format!("/session/{}", self.id), None);
    }
}
