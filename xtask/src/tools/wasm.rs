//! What turns Rust into wasm files: the target, wasm-bindgen of the locked version, clang for the C
//! code below the engine, and wasm-pack for the browser suites.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::{announce, debian};
use crate::process;
use crate::workspace::{WASM, Workspace, cache};

const WASM_PACK: &str = "0.15.1";

/// What every wasm build needs.
#[derive(Debug, Clone)]
pub(crate) struct WasmTools {
    /// `wasm-bindgen` of exactly the version in Cargo.lock.
    pub(crate) bindgen: PathBuf,
}

/// The target and wasm-bindgen; fails where they cannot be installed.
pub(crate) fn wasm_tools(workspace: &Workspace) -> Result<WasmTools> {
    wasm_target(workspace)?;
    let version = workspace.locked_version("wasm-bindgen")?;
    let why = "it writes the JavaScript side of a wasm file and must match Cargo.lock (about two minutes)";
    // Its own lock file names a package that registries no longer serve, hence no `--locked`.
    let bindgen = cargo_program(workspace, "wasm-bindgen-cli", "wasm-bindgen", &version, &[], why)?;
    Ok(WasmTools { bindgen })
}

/// wasm-pack, which builds the browser suites and hands them to a headless browser.
pub(crate) fn wasm_pack(workspace: &Workspace) -> Result<PathBuf> {
    let why = "it runs the browser suites (about four minutes)";
    cargo_program(workspace, "wasm-pack", "wasm-pack", WASM_PACK, &["--locked"], why)
}

/// A clang that knows wasm32.
pub(crate) fn clang() -> Result<()> {
    if process::which(&["clang"]).is_none() {
        debian::install(&["clang"], "the engine's zstd is C code and clang is the compiler that knows wasm32")?;
    }
    Ok(())
}

fn wasm_target(workspace: &Workspace) -> Result<()> {
    let sysroot = process::output(
        Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
            .current_dir(&workspace.root)
            .args(["--print", "sysroot"]),
    )?;
    if PathBuf::from(sysroot.trim()).join("lib/rustlib").join(WASM).join("lib").is_dir() {
        return Ok(());
    }
    announce(&format!("the Rust target {WASM}"), "page and engine are wasm files");
    process::output(Command::new("rustup").current_dir(&workspace.root).args(["target", "add", WASM]))
        .with_context(|| format!("the Rust target {WASM} is missing and rustup could not add it"))?;
    Ok(())
}

/// A program of crates.io at exactly `version`: the one in PATH if it is that, else the cache's.
pub(super) fn cargo_program(
    workspace: &Workspace,
    package: &str,
    program: &str,
    version: &str,
    flags: &[&str],
    why: &str,
) -> Result<PathBuf> {
    let is_right = |file: &PathBuf| {
        process::version_of(file).is_some_and(|text| text.split_whitespace().any(|word| word == version))
    };
    if let Some(found) = process::which(&[program]).filter(is_right) {
        return Ok(found);
    }
    let tools = cache()?.join("tools");
    let root = tools.join(format!("{package}-{version}"));
    let file = root.join("bin").join(program);
    if is_right(&file) {
        return Ok(file);
    }
    announce(&format!("{package} {version}"), why);
    let build = tools.join(format!("build-{package}-{version}"));
    let mut install = workspace.cargo("install");
    install.args(["--quiet", package, "--version", version, "--root"]).arg(&root).arg("--target-dir").arg(&build);
    process::output(install.args(flags))?;
    std::fs::remove_dir_all(&build).ok();
    Ok(file)
}
