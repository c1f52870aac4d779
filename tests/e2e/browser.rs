//! A headless Chromium under WebDriver: what a person does with a page, and what a person sees.
//!
//! Every call panics with the call and the driver's words when it does not work: a flow is a test.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use cli::webdriver::{Place, Session};
use serde_json::{Value, json};

/// How long a loaded machine may take for what a person would call at once.
const PATIENCE: Duration = Duration::from_secs(120);

/// Keys that have no character, as WebDriver writes them.
pub(crate) mod key {
    pub(crate) const SHIFT: &str = "\u{e008}";
    pub(crate) const CONTROL: &str = "\u{e009}";
    pub(crate) const ENTER: &str = "\u{e007}";
    pub(crate) const END: &str = "\u{e010}";
    pub(crate) const HOME: &str = "\u{e011}";
    pub(crate) const LEFT: &str = "\u{e012}";
    pub(crate) const RIGHT: &str = "\u{e014}";
    pub(crate) const DOWN: &str = "\u{e015}";
    pub(crate) const TAB: &str = "\u{e004}";
    pub(crate) const ESCAPE: &str = "\u{e00c}";
    pub(crate) const F8: &str = "\u{e038}";
}

/// A browser with an empty profile; dropping it closes it.
#[derive(Debug)]
pub(crate) struct Browser {
    session: Session,
    /// Where the site is, with a slash at the end.
    pub(crate) site: String,
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set: `cargo xtask test --only e2e` runs these flows"))
}

impl Browser {
    /// Starts a browser. Panics where the environment names no driver: a flow is never skipped.
    pub(crate) fn start() -> Browser {
        let place = Place::from_environment()
            .unwrap_or_else(|missing| panic!("{missing}: `cargo xtask test --only e2e` runs these flows"));
        let session = Session::start(&place).unwrap_or_else(|error| panic!("{error:#}"));
        Browser { session, site: place.site }
    }

    /// Opens an address of the site, e.g. `#/lesson/first-upsert`.
    pub(crate) fn open(&self, path: &str) {
        self.post("url", &json!({ "url": format!("{}{path}", self.site) }));
    }

    /// Loads the page again.
    pub(crate) fn reload(&self) {
        self.post("refresh", &json!({}));
    }

    /// Waits until an element is there, and gives its id.
    pub(crate) fn wait_for(&self, css: &str) -> String {
        self.wait(&format!("`{css}` to appear"), || self.find(css))
    }

    /// Waits until an element is gone.
    pub(crate) fn wait_gone(&self, css: &str) {
        self.wait(&format!("`{css}` to go"), || self.find(css).is_none().then_some(()));
    }

    /// Waits until the text of an element satisfies `is_right`, and gives it.
    pub(crate) fn wait_text(&self, css: &str, is_right: impl Fn(&str) -> bool) -> String {
        self.wait(&format!("the right text in `{css}`"), || self.text_of(css).filter(|text| is_right(text)))
    }

    /// Waits until `look` gives something; panics after a while, with the page's own text.
    pub(crate) fn wait<T>(&self, what: &str, look: impl Fn() -> Option<T>) -> T {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = look() {
                return found;
            }
            assert!(
                Instant::now() < until,
                "waited in vain for {what}; the page says:\n{}\nconsole:\n{}",
                self.text_of("body").unwrap_or_default(),
                self.console_errors().join("\n")
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits for an element and clicks it as a mouse would: it must be visible and uncovered.
    pub(crate) fn click(&self, css: &str) {
        // The page may draw itself anew between finding and clicking; a person would click what is there then.
        for _ in 0..5 {
            let element = self.wait_for(css);
            match self.session.send("POST", &format!("element/{element}/click"), Some(&json!({}))) {
                Ok((200, _)) => return,
                Ok((_, answer)) if answer["value"]["error"] == "stale element reference" => {}
                Ok((status, answer)) => panic!("click {css} ({status}): {}", answer["value"]["message"]),
                Err(error) => panic!("{error:#}"),
            }
        }
        panic!("`{css}` is drawn anew faster than it can be clicked");
    }

    /// Replaces the whole text of a field, as a learner who pastes over everything does.
    pub(crate) fn replace_text(&self, css: &str, text: &str) {
        self.wait_for(css);
        let script =
            "const [css, text] = arguments; const field = document.querySelector(css); field.focus(); field.select();
            if (field.isContentEditable) {
                const clipboardData = new DataTransfer(); clipboardData.setData('text/plain', text);
                field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
            } else document.execCommand('insertText', false, text);
            return field.value;";
        let value = self.evaluate(script, &[json!(css), json!(text)]);
        assert_eq!(value.as_str(), Some(text), "the field `{css}` took the text");
    }

    /// Presses keys one after the other where the focus is; modifiers are held meanwhile.
    pub(crate) fn press(&self, modifiers: &[&str], keys: &[&str]) {
        let down = |key: &&str| json!({ "type": "keyDown", "value": key });
        let up = |key: &&str| json!({ "type": "keyUp", "value": key });
        let mut actions: Vec<Value> = modifiers.iter().map(down).collect();
        keys.iter().for_each(|key| actions.extend([down(key), up(key)]));
        actions.extend(modifiers.iter().rev().map(up));
        self.post("actions", &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] }));
    }

    /// Moves the pointer over an element and leaves it there.
    pub(crate) fn hover(&self, css: &str) {
        let element = self.wait_for(css);
        let origin = json!({ "element-6066-11e4-a52e-4f735466cecf": element });
        let there = json!({ "type": "pointerMove", "duration": 50, "origin": origin, "x": 0, "y": 0 });
        let nudge = json!({ "type": "pointerMove", "duration": 50, "origin": "pointer", "x": 1, "y": 0 });
        let pointer = json!({ "type": "pointer", "id": "mouse", "actions": [there, nudge] });
        self.post("actions", &json!({ "actions": [pointer] }));
    }

    /// The text in the editor, whichever of the two it is.
    pub(crate) fn text_of_editor(&self) -> String {
        let value = self.evaluate("return document.querySelector('#editor')?.value ?? '';", &[]);
        value.as_str().unwrap_or_default().to_owned()
    }

    /// The visible text of an element that is there.
    pub(crate) fn text(&self, css: &str) -> String {
        self.wait_for(css);
        self.text_of(css).unwrap_or_default()
    }

    /// How many elements there are.
    pub(crate) fn count(&self, css: &str) -> usize {
        let count = self.evaluate("return document.querySelectorAll(arguments[0]).length;", &[json!(css)]);
        count.as_u64().and_then(|count| usize::try_from(count).ok()).expect("a count")
    }

    /// Runs JavaScript in the page; `arguments` are the script's.
    pub(crate) fn evaluate(&self, script: &str, arguments: &[Value]) -> Value {
        self.post("execute/sync", &json!({ "script": script, "args": arguments }))
    }

    /// Runs JavaScript that calls its last argument with the answer, sooner or later.
    pub(crate) fn evaluate_later(&self, script: &str, arguments: &[Value]) -> Value {
        self.post("timeouts", &json!({ "script": 120_000 }));
        self.post("execute/async", &json!({ "script": script, "args": arguments }))
    }

    /// A command of the Chrome DevTools protocol.
    pub(crate) fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// A slow line and a slow processor.
    pub(crate) fn throttle(&self, megabits_per_second: u32, cpu_times_slower: u32) {
        let bytes = f64::from(megabits_per_second) * 1_000_000.0 / 8.0;
        self.devtools("Network.enable", &json!({}));
        self.devtools(
            "Network.emulateNetworkConditions",
            &json!({ "offline": false, "latency": 20, "downloadThroughput": bytes, "uploadThroughput": bytes }),
        );
        self.devtools("Emulation.setCPUThrottlingRate", &json!({ "rate": cpu_times_slower }));
    }

    /// No network at all.
    pub(crate) fn cut_network(&self) {
        self.devtools("Network.enable", &json!({}));
        let nothing = json!({ "offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0 });
        self.devtools("Network.emulateNetworkConditions", &nothing);
    }

    /// A window of this size, in any browser.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        self.post("window/rect", &json!({ "width": width, "height": height }));
    }

    /// A window of this size, light or dark.
    pub(crate) fn show_as(&self, width: u32, height: u32, is_dark: bool) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", &metrics);
        let scheme = if is_dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.devtools("Emulation.setEmulatedMedia", &features);
    }

    /// Takes a picture of the window into the folder of screenshots.
    pub(crate) fn screenshot(&self, name: &str) {
        let picture = self.get("screenshot");
        let bytes = from_base64(picture.as_str().unwrap_or("")).expect("a screenshot is base64");
        let folder = PathBuf::from(variable("MERGELAB_SCREENSHOTS"));
        std::fs::create_dir_all(&folder).expect("the folder of screenshots can be made");
        std::fs::write(folder.join(format!("{name}.png")), bytes).expect("a screenshot can be written");
    }

    /// Pictures of what is shown now at every width and in both colour schemes; then back to wide and light.
    pub(crate) fn screenshots(&self, name: &str) {
        for (width, height) in [(1440, 900), (1024, 768), (390, 844)] {
            for is_dark in [false, true] {
                self.show_as(width, height, is_dark);
                let scheme = if is_dark { "dark" } else { "light" };
                self.screenshot(&format!("{name}-{width}-{scheme}"));
                let overflow = self.evaluate("return document.documentElement.scrollWidth > innerWidth;", &[]);
                assert_eq!(overflow, json!(false), "{name} scrolls sideways at {width} px");
            }
        }
        self.show_as(1440, 900, false);
    }

    /// What the page complained about in the console since the last call.
    pub(crate) fn console_errors(&self) -> Vec<String> {
        let entries = self.post("se/log", &json!({ "type": "browser" }));
        let is_error = |entry: &&Value| entry["level"] == "SEVERE";
        let entries = entries.as_array().cloned().unwrap_or_default();
        entries.iter().filter(is_error).map(|entry| entry["message"].as_str().unwrap_or("").to_owned()).collect()
    }

    fn find(&self, css: &str) -> Option<String> {
        let found = self.post("elements", &json!({ "using": "css selector", "value": css }));
        // The name of an element's id is fixed by the WebDriver standard.
        found[0]["element-6066-11e4-a52e-4f735466cecf"].as_str().map(str::to_owned)
    }

    fn text_of(&self, css: &str) -> Option<String> {
        let text = self.evaluate("return document.querySelector(arguments[0])?.innerText ?? null;", &[json!(css)]);
        text.as_str().map(str::to_owned)
    }

    fn get(&self, path: &str) -> Value {
        self.call("GET", path, None)
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.call("POST", path, Some(body))
    }

    fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        self.session.call(method, path, body).unwrap_or_else(|error| panic!("{error:#}"))
    }
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut n_bits) = (0_u32, 0);
    for byte in text.bytes().filter(|byte| *byte != b'=') {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(digit);
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits & 0xff) as u8);
        }
    }
    Some(bytes)
}
