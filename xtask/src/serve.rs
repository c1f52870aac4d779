//! `cargo xtask serve`: the page first, the engine behind it.
//!
//! A first engine build takes about ten minutes. The page is built and served before it starts, and reads
//! `build-status.json` until the engine is there.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, bail};

use crate::build::{self, ENGINE, PAGE, PYTHON, Profile};
use crate::http::Server;
use crate::site::{Site, Status, files_below};
use crate::tools::{self, WasmTools};
use crate::workspace::Workspace;
use crate::{lessons, offline, prose};

const DEFAULT_PORT: u16 = 8040;

/// What `serve` was asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    watch: bool,
    port: u16,
}

impl Options {
    /// Reads `[--watch] [--port N]`.
    pub(crate) fn parse(args: &[String]) -> Result<Options> {
        let mut options = Options { watch: false, port: DEFAULT_PORT };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--watch" => options.watch = true,
                "--port" => {
                    let number = args.next().context("--port needs a number")?;
                    options.port = number.parse().with_context(|| format!("{number} is no port"))?;
                }
                other => bail!("serve does not know {other}; it takes --watch and --port N"),
            }
        }
        Ok(options)
    }
}

/// Runs until it is stopped. Fails only before the page is served.
pub(crate) fn serve(workspace: &Workspace, options: &Options) -> Result<()> {
    let tools = tools::wasm_tools(workspace)?;
    let site = Site::create(workspace.target.join("site"))?;
    site.put_status(&Status::Building { done: 0, total: build::n_units(workspace, ENGINE)? })?;
    build_page(workspace, &tools, &site)?;
    let server = Server::start(site.folder.clone(), "", options.port)?;
    println!("the page is at {} (Ctrl+C stops it)", server.address);
    let mut seen = source_times(&workspace.root)?;
    told(build_behind(workspace, &tools, &site));
    loop {
        std::thread::sleep(Duration::from_millis(500));
        if !options.watch {
            continue;
        }
        let now = source_times(&workspace.root)?;
        if now != seen {
            seen = now;
            told(build_page(workspace, &tools, &site));
            told(build_behind(workspace, &tools, &site));
        }
    }
}

fn told(result: Result<()>) {
    if let Err(error) = result {
        eprintln!("{error:#}");
    }
}

fn build_page(workspace: &Workspace, tools: &WasmTools, site: &Site) -> Result<()> {
    let started = Instant::now();
    println!("building the page");
    site.add_static(workspace, build::DEVELOPMENT)?;
    site.put(offline::NAME, offline::NONE.as_bytes())?;
    site.add_folder(&build::build(workspace, tools, PAGE, Profile::Release, None, |_| ())?)?;
    prose::add(workspace, site)?;
    println!("the page is built ({:.0} s)", started.elapsed().as_secs_f64());
    Ok(())
}

/// What a reader can do without for a while: the engine, then the recorded runs.
fn build_behind(workspace: &Workspace, tools: &WasmTools, site: &Site) -> Result<()> {
    let built = build_engine(workspace, tools, site);
    if let Err(error) = &built {
        site.put_status(&Status::Failed(format!("{error:#}")))?;
    }
    built?;
    println!("building Python (the first time takes about four minutes)");
    site.add_folder(&build::build(workspace, tools, PYTHON, Profile::Release, None, |_| ())?)?;
    println!("Python is built");
    println!("recording the first run of every lesson");
    lessons::build_and_add(workspace, site)?;
    println!("the lessons are recorded");
    Ok(())
}

fn build_engine(workspace: &Workspace, tools: &WasmTools, site: &Site) -> Result<()> {
    tools::clang()?;
    let started = Instant::now();
    println!("building the engine (the first time takes about ten minutes)");
    let total = build::n_units(workspace, ENGINE)?;
    let parts = build::build(workspace, tools, ENGINE, Profile::Release, None, |done| {
        // The total is an estimate; a bar that is full while the compiler still works would lie.
        let done = done.min(total.saturating_sub(1));
        told(site.put_status(&Status::Building { done, total }));
    })?;
    site.add_folder(&parts)?;
    site.put_status(&Status::Ready)?;
    println!("the engine is built ({:.0} s): reload or just press Run", started.elapsed().as_secs_f64());
    Ok(())
}

/// When each source file was last changed.
fn source_times(root: &Path) -> Result<BTreeMap<String, SystemTime>> {
    let mut times = BTreeMap::new();
    for part in ["crates", "web", "lessons"] {
        for name in files_below(&root.join(part))? {
            let name = format!("{part}/{name}");
            insert_time(root, name, &mut times);
        }
    }
    for name in ["index.html", "Cargo.toml", "Cargo.lock"] {
        insert_time(root, name.to_owned(), &mut times);
    }
    Ok(times)
}

/// A file that went away between listing and looking is a change by itself.
fn insert_time(root: &Path, name: String, times: &mut BTreeMap<String, SystemTime>) {
    if let Ok(modified) = std::fs::metadata(root.join(&name)).and_then(|metadata| metadata.modified()) {
        times.insert(name, modified);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<Options> {
        Options::parse(&args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read_and_anything_else_is_refused() {
        assert_eq!(parse(&[]).unwrap(), Options { watch: false, port: DEFAULT_PORT });
        assert_eq!(parse(&["--watch", "--port", "9000"]).unwrap(), Options { watch: true, port: 9000 });
        assert!(parse(&["--port"]).is_err());
        assert!(parse(&["--port", "high"]).is_err());
        assert!(parse(&["--fast"]).unwrap_err().to_string().contains("--fast"));
    }
}
