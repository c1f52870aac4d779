//! `cargo xtask bench`: the shipped engine in a browser, the native one and others, on the same data.
//!
//! The measuring itself is `mergelab bench`; this builds what it measures and tells it where that is.

use std::process::Command;

use anyhow::Result;

use crate::stage::Stage;
use crate::workspace::Workspace;
use crate::{dist, process, tools};

/// Builds the optimised site and an optimised native program, and runs its `bench` with `args`.
/// Without a Python that has delta-rs and DuckDB those two are left out, which is said.
pub(crate) fn bench(workspace: &Workspace, args: &[String]) -> Result<()> {
    let site = dist::optimised_site(workspace)?;
    process::run(workspace.cargo("build").args(["--release", "--package", "cli", "--bin", "mergelab"]))?;
    let stage = Stage::open(workspace, &site)?;
    let mut bench = Command::new(workspace.target.join("release").join("mergelab"));
    bench.current_dir(&workspace.root).arg("bench").args(args);
    stage.equip(&mut bench);
    match tools::python() {
        Ok(python) => drop(bench.env("MERGELAB_PYTHON", python)),
        Err(error) => println!("delta-rs and DuckDB are not measured: {error:#}"),
    }
    process::run(&mut bench)
}
