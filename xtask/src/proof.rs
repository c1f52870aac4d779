//! `cargo xtask property` and `cargo xtask reference`: what takes too long for `test`, or needs Java.
//!
//! The work is done by the program `proof`, which links the engine.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;
use crate::{process, tools};

const SUITE: &str = "tests/suite/reference";

/// The engine against the naive model, on ten thousand random cases unless `args` say otherwise.
pub(crate) fn property(workspace: &Workspace, args: &[String]) -> Result<()> {
    process::run(program(workspace)?.arg("property").args(args))
}

/// `record [--accept] [FILE…]` or `differential [--seed N] [--count N] [--patience N]`.
pub(crate) fn reference(workspace: &Workspace, args: &[String]) -> Result<()> {
    let Some((what, args)) = args.split_first() else {
        bail!("reference takes record [--accept] [FILE…] or differential [--seed N] [--count N] [--patience N]")
    };
    let mut proof = program(workspace)?;
    proof.arg(what).arg("--jars").arg(tools::reference(workspace)?).args(args);
    match what.as_str() {
        "record" if args.iter().all(|arg| arg.starts_with("--")) => drop(proof.args(recorded(workspace)?)),
        "record" => {}
        "differential" => {
            let seed = args.iter().skip_while(|arg| *arg != "--seed").nth(1).map_or("1", String::as_str);
            let kept = workspace.root.join(SUITE).join(format!("differential/{seed}.jsonl"));
            if let Some(folder) = kept.parent() {
                std::fs::create_dir_all(folder)?;
            }
            proof.arg("--folder").arg(workspace.target.join("differential")).arg("--keep").arg(kept);
        }
        other => bail!("reference does not know {other}; it takes record and differential"),
    }
    process::run(&mut proof)
}

fn program(workspace: &Workspace) -> Result<Command> {
    // The native suite beside it: so the libraries are those that `test` has built, features included.
    process::run(workspace.cargo("build").args(["--quiet", "--workspace", "--bin", "proof", "--test", "native"]))?;
    let mut proof = Command::new(workspace.target.join("debug/proof"));
    proof.current_dir(&workspace.root);
    Ok(proof)
}

/// The suite's files of cases.
fn recorded(workspace: &Workspace) -> Result<Vec<PathBuf>> {
    let folder = workspace.root.join(SUITE);
    let entries = std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
