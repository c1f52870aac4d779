//! A served site and a WebDriver beside it, for programs that drive a browser.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::http::Server;
use crate::process::Background;
use crate::site::Site;
use crate::tools::{self, Firefox};
use crate::workspace::Workspace;

/// Both run as long as this value lives.
#[derive(Debug)]
pub(crate) struct Stage {
    server: Server,
    _driver: Background,
    webdriver: String,
    /// The variable that names the browser's program, and the program.
    browser: (&'static str, PathBuf),
    screenshots: PathBuf,
}

impl Stage {
    /// A Chromium at the site.
    pub(crate) fn open(workspace: &Workspace, site: &Site) -> Result<Stage> {
        let browser = tools::browser()?;
        Stage::with(workspace, site, &browser.chromedriver, ("MERGELAB_CHROMIUM", browser.chromium))
    }

    /// A Firefox at the site.
    pub(crate) fn open_firefox(workspace: &Workspace, site: &Site, browser: Firefox) -> Result<Stage> {
        Stage::with(workspace, site, &browser.geckodriver, ("MERGELAB_FIREFOX", browser.firefox))
    }

    /// Serves the site below a sub-path, as a static host may do, and starts the browser's driver.
    fn with(workspace: &Workspace, site: &Site, driver: &Path, browser: (&'static str, PathBuf)) -> Result<Stage> {
        let server = Server::start(site.folder.clone(), "some/where/", 0)?;
        let port = free_port()?;
        let driver = Background::start(Command::new(driver).arg(format!("--port={port}")))?;
        Ok(Stage {
            server,
            _driver: driver,
            webdriver: format!("127.0.0.1:{port}"),
            browser,
            screenshots: workspace.target.join("screenshots"),
        })
    }

    /// Tells a program where everything is.
    pub(crate) fn equip(&self, command: &mut Command) {
        command
            .env("MERGELAB_SITE", &self.server.address)
            .env("MERGELAB_WEBDRIVER", &self.webdriver)
            .env(self.browser.0, &self.browser.1)
            .env("MERGELAB_SCREENSHOTS", &self.screenshots);
    }
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
