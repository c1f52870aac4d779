//! Where things are: the checkout, cargo's target folder, the tool cache.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow};
use serde_json::Value;

use crate::process;

/// The triple of page and engine.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// The folders that every command needs.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    /// The checkout.
    pub(crate) root: PathBuf,
    /// Cargo's target folder; everything we build goes below it.
    pub(crate) target: PathBuf,
}

impl Workspace {
    /// Finds both; fails when not started by cargo.
    pub(crate) fn find() -> Result<Workspace> {
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR").context("start it as `cargo xtask`")?;
        let root = Path::new(&manifest).parent().context("the xtask folder has no parent")?.to_owned();
        let metadata = metadata(&root, &["--no-deps"])?;
        let target = metadata["target_directory"].as_str().context("cargo metadata names no target folder")?;
        Ok(Workspace { target: PathBuf::from(target), root })
    }

    /// A cargo command in the checkout, of the toolchain that runs us.
    pub(crate) fn cargo(&self, subcommand: &str) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.current_dir(&self.root).arg(subcommand);
        // `cargo xtask` tells us which package we are. Build scripts that watch these variables would run again, and
        // all that is built on them, whenever the checkout moves or cargo is called without us.
        let ours = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(ours)) {
            command.env_remove(name);
        }
        command
    }

    /// The version of a package in Cargo.lock; fails when there is none or more than one.
    pub(crate) fn locked_version(&self, package: &str) -> Result<String> {
        let lock = std::fs::read_to_string(self.root.join("Cargo.lock")).context("cannot read Cargo.lock")?;
        locked_version(&lock, package)
    }

    /// Cargo's metadata of the whole graph as wasm32 sees it.
    pub(crate) fn wasm_metadata(&self) -> Result<Value> {
        metadata(&self.root, &["--filter-platform", WASM])
    }
}

/// Whether this is a run where a missing tool must fail instead of being told.
pub(crate) fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| value == "true")
}

/// The folder that keeps tools between runs and checkouts.
pub(crate) fn cache() -> Result<PathBuf> {
    if let Some(folder) = std::env::var_os("MERGELAB_CACHE") {
        return Ok(PathBuf::from(folder));
    }
    let home =
        std::env::var_os("HOME").context("neither MERGELAB_CACHE nor HOME is set: no folder to keep tools in")?;
    Ok(Path::new(&home).join(".cache/mergelab"))
}

fn metadata(root: &Path, args: &[&str]) -> Result<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root).args(["metadata", "--format-version", "1"]).args(args);
    let text = process::output(&mut command)?;
    serde_json::from_str(&text).context("cargo metadata gave no JSON")
}

fn locked_version(lock: &str, package: &str) -> Result<String> {
    let name = format!("name = \"{package}\"");
    let mut versions = lock.split("[[package]]").filter(|entry| entry.lines().any(|line| line == name)).map(|entry| {
        let line = entry.lines().find_map(|line| line.strip_prefix("version = "));
        line.map(|version| version.trim_matches('"').to_owned())
    });
    match (versions.next().flatten(), versions.next()) {
        (Some(version), None) => Ok(version),
        (Some(_), Some(_)) => Err(anyhow!("Cargo.lock has more than one version of {package}")),
        (None, _) => Err(anyhow!("Cargo.lock has no {package}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = r#"
[[package]]
name = "a"
version = "1.2.3"

[[package]]
name = "a-b"
version = "2.0.0"

[[package]]
name = "twice"
version = "1.0.0"

[[package]]
name = "twice"
version = "2.0.0"
"#;

    #[test]
    fn the_locked_version_is_the_one_of_that_very_name() {
        assert_eq!(locked_version(LOCK, "a").unwrap(), "1.2.3");
        assert_eq!(locked_version(LOCK, "a-b").unwrap(), "2.0.0");
    }

    #[test]
    fn no_version_and_two_versions_are_refused() {
        assert!(locked_version(LOCK, "b").unwrap_err().to_string().contains("no b"));
        assert!(locked_version(LOCK, "twice").unwrap_err().to_string().contains("more than one"));
    }
}
