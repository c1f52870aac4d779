//! Lessons for the site: `index.json` and one file per lesson, with the recorded report of its first run.
//! The native program makes them, since only an engine can record.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;
use crate::site::Site;
use crate::workspace::Workspace;

/// Builds the native program and lets it write the lessons into the site.
pub(crate) fn build_and_add(workspace: &Workspace, site: &Site) -> Result<()> {
    // With a test among the targets cargo chooses the features that the tests are built with. Without one the libraries
    // below would be built a second time.
    process::run(workspace.cargo("build").args(["--workspace", "--bin", "mergelab", "--test", "grammar"]))?;
    add(workspace, site, &native_program(workspace))
}

/// Lets a native program that is there write the lessons into the site.
pub(crate) fn add(workspace: &Workspace, site: &Site, program: &Path) -> Result<()> {
    let mut command = Command::new(program);
    command.current_dir(&workspace.root).args(["site", "--out"]).arg(site.folder.join("lessons"));
    process::output(&mut command).map(|_| ()).context("the lessons could not be written")
}

/// Where cargo puts the native program.
pub(crate) fn native_program(workspace: &Workspace) -> PathBuf {
    workspace.target.join("debug").join("mergelab")
}
