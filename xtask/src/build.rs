//! The two wasm files. Page and engine are built one after the other and each alone, so that `serve`,
//! `test` and a plain `cargo build` share what they compile.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::import_names;
use crate::process;
use crate::tools::WasmTools;
use crate::workspace::{WASM, Workspace};

/// The build that page and engine belong to unless `dist` gives them an id.
pub(crate) const DEVELOPMENT: &str = "dev";

/// A wasm file of the site.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WasmFile {
    /// The package that is built.
    pub(crate) package: &'static str,
    /// `<name>.js` and `<name>_bg.wasm` in the site.
    pub(crate) name: &'static str,
    opt_level: &'static str,
    /// The page is small enough to be optimised as a whole every time, so its budget is that of the shipped one.
    always_optimised: bool,
    /// Whether the shipped file uses 128-bit vectors, which every current browser has.
    vectors: bool,
}

/// The small one, which paints at once.
pub(crate) const PAGE: WasmFile =
    WasmFile { package: "web", name: "page", opt_level: "z", always_optimised: true, vectors: false };
/// The one with DataFusion, which arrives behind it.
pub(crate) const ENGINE: WasmFile =
    WasmFile { package: "worker", name: "engine", opt_level: "s", always_optimised: false, vectors: true };

/// The interpreter, which arrives when a Python program first runs.
pub(crate) const PYTHON: WasmFile =
    WasmFile { package: "notebook", name: "python", opt_level: "s", always_optimised: false, vectors: false };

/// How much is optimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// For `serve` and `test`: no link-time optimisation.
    Release,
    /// For `dist` and `bench`.
    Dist,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Profile::Release => "release",
            Profile::Dist => "dist",
        }
    }

    fn opt_level_variable(self) -> &'static str {
        match self {
            Profile::Release => "CARGO_PROFILE_RELEASE_OPT_LEVEL",
            Profile::Dist => "CARGO_PROFILE_DIST_OPT_LEVEL",
        }
    }

    /// Makes a cargo (or wasm-pack) command build for size: that costs no measurable speed here and halves the
    /// download; native builds keep level 3.
    pub(crate) fn apply(self, command: &mut Command, opt_level: &str) {
        command.env(self.opt_level_variable(), opt_level);
    }
}

/// Builds one wasm file and its JavaScript; gives the folder that holds both.
///
/// `build` is compiled into both files, which refuse each other when it differs; without it they keep their
/// own default. `on_unit` is called with the number of finished compiler runs.
pub(crate) fn build(
    workspace: &Workspace,
    tools: &WasmTools,
    file: WasmFile,
    profile: Profile,
    build: Option<&str>,
    mut on_unit: impl FnMut(usize),
) -> Result<PathBuf> {
    let profile = if file.always_optimised { Profile::Dist } else { profile };
    let mut cargo = workspace.cargo("build");
    cargo.args(["--package", file.package, "--target", WASM, "--profile", profile.name()]);
    cargo.arg("--message-format=json-render-diagnostics");
    profile.apply(&mut cargo, file.opt_level);
    if file.vectors && profile == Profile::Dist {
        cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-C target-feature=+simd128");
    }
    if let Some(build) = build {
        cargo.env("MERGELAB_BUILD", build);
    }
    let mut n_units = 0;
    let mut wasm = None;
    let succeeded = process::each_output_line(&mut cargo, |line| {
        let Ok(message) = serde_json::from_str::<Value>(line) else { return };
        if message["reason"] == "compiler-artifact" {
            n_units += 1;
            on_unit(n_units);
            wasm = wasm_of(&message, file.package).or(wasm.take());
        }
    })?;
    if !succeeded {
        bail!("the wasm build of `{}` failed", file.package);
    }
    let wasm = wasm.with_context(|| format!("`{}` built no wasm file", file.package))?;
    let folder = workspace.target.join("site-parts").join(profile.name()).join(file.name);
    bindgen(tools, &wasm, &folder, file.name)?;
    Ok(folder)
}

/// About how many compiler runs a build of `file` takes: one per package of its graph.
pub(crate) fn n_units(workspace: &Workspace, file: WasmFile) -> Result<usize> {
    let mut tree = workspace.cargo("tree");
    tree.args(["--package", file.package, "--target", WASM, "--edges", "normal,build", "--prefix", "none"]);
    let text = process::output(&mut tree)?;
    let packages: BTreeSet<&str> = text.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    Ok(packages.len())
}

fn wasm_of(message: &Value, package: &str) -> Option<PathBuf> {
    if message["target"]["name"].as_str() != Some(package) {
        return None;
    }
    let files = message["filenames"].as_array()?;
    files.iter().filter_map(Value::as_str).find(|file| file.ends_with(".wasm")).map(PathBuf::from)
}

fn bindgen(tools: &WasmTools, wasm: &Path, folder: &Path, name: &str) -> Result<()> {
    let made = folder.join(format!("{name}_bg.wasm"));
    if is_newer(&made, wasm) {
        return Ok(());
    }
    let mut bindgen = Command::new(&tools.bindgen);
    bindgen.args([
        "--target",
        "web",
        "--no-typescript",
        "--remove-name-section",
        "--remove-producers-section",
        "--out-name",
        name,
        "--out-dir",
    ]);
    process::output(bindgen.arg(folder).arg(wasm))?;
    import_names::number(&folder.join(format!("{name}.js")), &made)
}

fn is_newer(made: &Path, from: &Path) -> bool {
    let modified = |file: &Path| std::fs::metadata(file).and_then(|metadata| metadata.modified()).ok();
    matches!((modified(made), modified(from)), (Some(made), Some(from)) if made > from)
}
