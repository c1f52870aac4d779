//! A Chromium and the chromedriver of the same version.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::debian;
use crate::process;

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
