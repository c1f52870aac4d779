//! A Chromium and the chromedriver of the same version; a Firefox and its geckodriver.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::debian;
use super::wasm::cargo_program;
use crate::process;
use crate::workspace::Workspace;

const GECKODRIVER: &str = "0.37.1";

/// What a browser test needs.
#[derive(Debug, Clone)]
pub(crate) struct Browser {
    pub(crate) chromium: PathBuf,
    pub(crate) chromedriver: PathBuf,
}

/// Finds both or installs Debian's; fails with one sentence where it may not.
pub(crate) fn browser() -> Result<Browser> {
    if let Some(found) = find() {
        return Ok(found);
    }
    debian::install(&["chromium", "chromium-driver"], "the browser suites run in a real Chromium")?;
    find().context("chromium and chromedriver were installed, but are not in PATH")
}

fn find() -> Option<Browser> {
    let chromium = process::which(&["chromium", "chromium-browser", "google-chrome"])?;
    let chromedriver = process::which(&["chromedriver"])?;
    Some(Browser { chromium, chromedriver })
}

/// What a test in Firefox needs.
#[derive(Debug, Clone)]
pub(crate) struct Firefox {
    pub(crate) firefox: PathBuf,
    pub(crate) geckodriver: PathBuf,
}

/// Finds both, or installs Debian's Firefox and builds the driver; fails with one sentence where it may not.
pub(crate) fn firefox(workspace: &Workspace) -> Result<Firefox> {
    let find = || process::which(&["firefox", "firefox-esr"]);
    if find().is_none() {
        debian::install(&["firefox-esr"], "the page has to work in Firefox too")?;
    }
    let firefox = find().context("firefox-esr was installed, but is not in PATH")?;
    let why = "it lets tests drive Firefox (about three minutes)";
    let geckodriver = cargo_program(workspace, "geckodriver", "geckodriver", GECKODRIVER, &["--locked"], why)?;
    Ok(Firefox { firefox, geckodriver })
}
