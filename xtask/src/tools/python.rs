//! A Python that has delta-rs, which must read every table that we write.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{announce, debian};
use crate::process;
use crate::workspace::cache;

const DELTALAKE: &str = "1.6.6";

/// Finds one, or makes a virtual environment in the cache; fails when neither can be had.
///
/// `MERGELAB_PYTHON` names a Python that is used as it is.
pub(crate) fn python() -> Result<PathBuf> {
    if let Some(chosen) = std::env::var_os("MERGELAB_PYTHON").map(PathBuf::from) {
        let problem = || format!("MERGELAB_PYTHON={} has no deltalake package", chosen.display());
        return has_packages(&chosen).with_context(problem).map(|()| chosen.clone());
    }
    if let Some(found) = process::which(&["python3"]).filter(|python| has_packages(python).is_ok()) {
        return Ok(found);
    }
    let venv = cache()?.join(format!("python/deltalake-{DELTALAKE}"));
    let python = venv.join("bin/python3");
    if has_packages(&python).is_ok() {
        return Ok(python);
    }
    install(&venv, &python)?;
    has_packages(&python).context("the packages were installed, but Python cannot import them")?;
    Ok(python)
}

fn install(venv: &Path, python: &Path) -> Result<()> {
    announce(&format!("Python's deltalake {DELTALAKE}"), "delta-rs must read every table that the suites write");
    let base = match process::which(&["python3"]) {
        Some(found) => found,
        None => {
            debian::install(&["python3", "python3-venv"], "delta-rs is tested through its Python package")?;
            process::which(&["python3"]).context("python3 was installed, but is not in PATH")?
        }
    };
    let make = || process::output(Command::new(&base).args(["-m", "venv", "--clear"]).arg(venv));
    if make().is_err() {
        // Debian splits the module off: a Python without it looks whole until this moment.
        debian::install(&["python3-venv"], "Python's virtual environments are missing")?;
        make()?;
    }
    let pinned = format!("deltalake=={DELTALAKE}");
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", &pinned, "pyarrow", "duckdb"]);
    process::output(&mut pip).context("cannot install Python's deltalake package")?;
    Ok(())
}

fn has_packages(python: &Path) -> Result<()> {
    process::output(Command::new(python).args(["-c", "import deltalake, pyarrow, duckdb"])).map(|_| ())
}
