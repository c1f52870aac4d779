//! A served site and a WebDriver beside it, for programs that drive a browser.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::http::Server;
use crate::process::Background;
use crate::site::Site;
use crate::tools;
use crate::workspace::Workspace;

/// Both run as long as this value lives.
#[derive(Debug)]
pub(crate) struct Stage {
    server: Server,
    _driver: Background,
    webdriver: String,
    chromium: PathBuf,
    screenshots: PathBuf,
}

impl Stage {
    /// Serves the site below a sub-path, as a static host may do, and starts chromedriver.
    pub(crate) fn open(workspace: &Workspace, site: &Site) -> Result<Stage> {
        let browser = tools::browser()?;
        let server = Server::start(site.folder.clone(), "some/where/", 0)?;
        let port = free_port()?;
        let driver = Background::start(Command::new(&browser.chromedriver).arg(format!("--port={port}")))?;
        Ok(Stage {
            server,
            _driver: driver,
            webdriver: format!("127.0.0.1:{port}"),
            chromium: browser.chromium,
            screenshots: workspace.target.join("screenshots"),
        })
    }

    /// Tells a program where everything is.
    pub(crate) fn equip(&self, command: &mut Command) {
        command
            .env("MERGELAB_SITE", &self.server.address)
            .env("MERGELAB_WEBDRIVER", &self.webdriver)
            .env("MERGELAB_CHROMIUM", &self.chromium)
            .env("MERGELAB_SCREENSHOTS", &self.screenshots);
    }
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
