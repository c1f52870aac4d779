//! The steps that need no browser.

use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Gate;
use crate::budget;
use crate::build::{self, DEVELOPMENT, ENGINE, PAGE, PYTHON, Profile};
use crate::counts::{Count, Reader};
use crate::site::Site;
use crate::workspace::{WASM, Workspace, is_ci};
use crate::{dist, lessons as lesson_files, offline, process, prose, tools};

/// Suites that only `--test` names: they need a browser. They are linted with everything else.
pub(super) const FLOWS: &str = "e2e";
pub(super) const BROWSER: &str = "browser";

pub(super) fn fmt(gate: &Gate<'_>) -> Result<Count> {
    process::run(gate.workspace.cargo("fmt").args(["--all", "--check"]))?;
    Ok(Count::ONE)
}

pub(super) fn clippy(gate: &Gate<'_>) -> Result<Count> {
    let mut clippy = gate.workspace.cargo("clippy");
    clippy.args(["--quiet", "--workspace", "--all-targets", "--test", FLOWS, "--", "-D", "warnings"]);
    process::run(&mut clippy)?;
    Ok(Count::ONE)
}

/// The two programs with their libraries, and the browser suites.
pub(super) fn clippy_wasm(gate: &Gate<'_>) -> Result<Count> {
    tools::clang()?;
    let mut programs = gate.workspace.cargo("clippy");
    // Python's shim has nothing that is of wasm only: clippy has read it natively.
    programs.args(["--quiet", "--package", PAGE.package, "--package", ENGINE.package, "--target", WASM]);
    process::run(programs.args(["--", "-D", "warnings"]))?;
    let mut suites = gate.workspace.cargo("clippy");
    suites.args(["--quiet", "--package", "tests", "--test", BROWSER, "--target", WASM, "--", "-D", "warnings"]);
    process::run(&mut suites)?;
    Ok(Count { passed: 2, ..Count::default() })
}

pub(super) fn docs(gate: &Gate<'_>) -> Result<Count> {
    let mut doc = gate.workspace.cargo("doc");
    doc.args(["--quiet", "--workspace", "--no-deps", "--document-private-items"]);
    process::run(doc.env("RUSTDOCFLAGS", "-D warnings"))?;
    Ok(Count::ONE)
}

/// All native tests. Everything is compiled before any is run, the native program among it: tests and
/// lessons use the very one that this builds.
pub(super) fn native(gate: &Gate<'_>) -> Result<Count> {
    let python = match tools::python() {
        Ok(python) => Some(python),
        Err(error) if is_ci() => return Err(error.context("delta-rs cannot be asked")),
        Err(error) => {
            println!("delta-rs will not be asked, for it needs Python: {error:#}");
            None
        }
    };
    process::run(gate.workspace.cargo("build").args(["--workspace", "--all-targets"]))?;
    let mut test = gate.workspace.cargo("test");
    test.args(["--workspace", "--no-fail-fast"]);
    if let Some(python) = python {
        test.env("MERGELAB_PYTHON", python);
    }
    counted(&mut test)
}

pub(super) fn lessons(gate: &Gate<'_>) -> Result<Count> {
    let mut check = Command::new(built_program(gate.workspace)?);
    counted(check.current_dir(&gate.workspace.root).args(["check", "lessons"]))
}

/// Builds the site that the next steps measure and open, where the browser suites can read it.
pub(super) fn site(gate: &Gate<'_>) -> Result<Count> {
    tools::clang()?;
    let site = Site::create(site_folder(gate.workspace))?;
    site.add_static(gate.workspace, DEVELOPMENT)?;
    for file in [PAGE, ENGINE, PYTHON] {
        site.add_folder(&build::build(gate.workspace, &gate.tools, file, Profile::Release, None, |_| ())?)?;
    }
    lesson_files::add(gate.workspace, &site, &built_program(gate.workspace)?)?;
    if gate.accepts {
        prose::accept_recordings(gate.workspace, &site)?;
    }
    site.put(offline::NAME, offline::worker(gate.workspace, &site.files()?)?.as_bytes())?;
    let n_recordings = prose::check_recordings(gate.workspace, &site)?;
    Ok(Count { passed: 3 + n_recordings, ..Count::default() })
}

pub(super) fn budget(gate: &Gate<'_>) -> Result<Count> {
    let files = built_site(gate.workspace)?.files()?;
    let sizes = dist::measure(gate.workspace, files.iter().map(|(name, bytes)| (name.as_str(), bytes)))?;
    budget::report(&sizes);
    if gate.accepts {
        budget::accept(&gate.workspace.root, "test", &sizes)?;
    }
    budget::check(&gate.workspace.root, "test", &sizes, "cargo xtask test --only budget --accept")?;
    Ok(Count { passed: sizes.len(), ..Count::default() })
}

/// The site of the step `site`.
pub(super) fn built_site(workspace: &Workspace) -> Result<Site> {
    let folder = site_folder(workspace);
    if !folder.join("engine_bg.wasm").is_file() {
        bail!("there is no built site yet: run `cargo xtask test --only site` first");
    }
    Ok(Site { folder })
}

/// Runs a command that prints test results, shows it, and counts.
pub(super) fn counted(command: &mut Command) -> Result<Count> {
    let mut reader = Reader::default();
    let succeeded = process::each_line(command.env("CARGO_TERM_COLOR", "never"), |line| {
        println!("{line}");
        reader.line(line);
    })?;
    println!();
    for (name, count) in reader.suites() {
        println!("{name}: {} passed, {} failed", count.passed, count.failed);
    }
    let complaints = reader.complaints();
    if !complaints.is_empty() {
        bail!("{}", complaints.join("; "));
    }
    let count = reader.total();
    if !succeeded && count.failed == 0 {
        bail!("`{}` failed outside of its cases", process::shown(command));
    }
    Ok(count)
}

fn site_folder(workspace: &Workspace) -> std::path::PathBuf {
    workspace.root.join("tests/browser/site")
}

pub(super) fn built_program(workspace: &Workspace) -> Result<std::path::PathBuf> {
    let program = lesson_files::native_program(workspace);
    program
        .is_file()
        .then_some(program)
        .context("the native program is not built: run `cargo xtask test --only native`")
}
