//! The steps in a real headless Chromium.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::Gate;
use super::steps::{BROWSER, FLOWS, built_program, built_site, counted};
use crate::build::Profile;
use crate::counts::Count;
use crate::process;
use crate::stage::Stage;
use crate::tools;

/// A loaded machine may need minutes for what takes seconds on a quiet one.
const TIMEOUT_SECONDS: &str = "600";

/// Flows that need none of Chromium's own commands.
const IN_FIREFOX: &str = "firefox::";

/// The wasm-bindgen suites: they start the built worker with the built engine. The runner serves the folder
/// that it is started in, so the site is below it.
pub(super) fn suites(gate: &Gate<'_>) -> Result<Count> {
    let site = built_site(gate.workspace)?;
    // What the native engine answers and writes, for the test that the browser does the same.
    let cases = gate.workspace.root.join("tests/suite/reference");
    let mut parity = Command::new(built_program(gate.workspace)?);
    parity.args(["parity", "--cases"]).arg(cases).arg("--out").arg(site.folder.join("parity.json"));
    // Texts whose code blocks are run where they lie, where a checkout has them beside it.
    let shared = gate.workspace.root.join("../shared");
    if shared.join("conformance/seed_blocks.jsonl").exists() && shared.join("seeds").exists() {
        parity.arg("--shared").arg(&shared);
    } else {
        println!("skipped: there are no code blocks of texts at {}", shared.display());
    }
    process::run(&mut parity)?;
    let wasm_pack = tools::wasm_pack(gate.workspace)?;
    let browser = tools::browser()?;
    let mut test = Command::new(wasm_pack);
    test.current_dir(gate.workspace.root.join("tests"))
        .args(["test", "--mode", "no-install", "--headless", "--chrome", "--chromedriver"])
        .arg(&browser.chromedriver)
        .args(["--release", "--", "--test", BROWSER])
        .env("PATH", path_with(gate.tools.bindgen.parent())?)
        .env("WASM_BINDGEN_TEST_TIMEOUT", TIMEOUT_SECONDS)
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60");
    Profile::Release.apply(&mut test, "s");
    counted(&mut test)
}

/// The flows over WebDriver: all of them in Chromium, and those of the module `firefox` in a Firefox where there is one.
pub(super) fn flows(gate: &Gate<'_>) -> Result<Count> {
    let site = built_site(gate.workspace)?;
    let in_chromium = run_flows(gate, &Stage::open(gate.workspace, &site)?, &["--skip", IN_FIREFOX])?;
    let firefox = match tools::firefox(gate.workspace) {
        Ok(firefox) => firefox,
        Err(error) => {
            println!("Firefox is left out: {error:#}");
            return Ok(in_chromium);
        }
    };
    let stage = Stage::open_firefox(gate.workspace, &site, firefox)?;
    Ok(in_chromium.plus(run_flows(gate, &stage, &[IN_FIREFOX])?))
}

fn run_flows(gate: &Gate<'_>, stage: &Stage, which: &[&str]) -> Result<Count> {
    let mut test = gate.workspace.cargo("test");
    test.args(["--workspace", "--test", FLOWS, "--"]).args(which).args(["--test-threads=1", "--nocapture"]);
    stage.equip(&mut test);
    counted(&mut test)
}

/// `PATH` with a folder before it: wasm-pack looks for wasm-bindgen's programs there only.
fn path_with(folder: Option<&Path>) -> Result<OsString> {
    let old = std::env::var_os("PATH").unwrap_or_default();
    let folders = folder.map(Path::to_owned).into_iter().chain(std::env::split_paths(&old));
    std::env::join_paths(folders).context("PATH has a folder with a colon in its name")
}
