//! `cargo xtask property` and `cargo xtask reference`: what takes too long for `test`, or needs Java.
//!
//! The work is done by the program `proof`, which links the engine.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;
use crate::{process, tools};

const SUITE: &str = "tests/suite/reference";
/// What random chains of statements recorded.
const CHAINS: &str = "tests/suite/reference/differential";

/// The engine against the naive model, on ten thousand random cases unless `args` say otherwise.
pub(crate) fn property(workspace: &Workspace, args: &[String]) -> Result<()> {
    process::run(program(workspace)?.arg("property").args(args))
}

/// `record [--accept] [FILE…]`, `read [FILE…]` or `differential [--seed N] [--count N] [--patience N]`.
pub(crate) fn reference(workspace: &Workspace, args: &[String]) -> Result<()> {
    let Some((what, args)) = args.split_first() else {
        bail!(
            "reference takes record [--accept] [FILE…], read [FILE…] or differential [--seed N] [--count N] [--patience N]"
        )
    };
    let mut proof = program(workspace)?;
    proof.arg(what).arg("--jars").arg(tools::reference(workspace)?).args(args);
    match what.as_str() {
        "record" if args.iter().all(|arg| arg.starts_with("--")) => drop(proof.args(recorded(workspace, SUITE)?)),
        "read" if args.is_empty() => drop(proof.args(recorded(workspace, CHAINS)?)),
        "record" | "read" => {}
        "differential" => {
            let seed = args.iter().skip_while(|arg| *arg != "--seed").nth(1).map_or("1", String::as_str);
            let kept = workspace.root.join(CHAINS).join(format!("{seed}.jsonl"));
            if let Some(folder) = kept.parent() {
                std::fs::create_dir_all(folder)?;
            }
            proof.arg("--folder").arg(workspace.target.join("differential")).arg("--keep").arg(kept);
        }
        other => bail!("reference does not know {other}; it takes record, differential and read"),
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

/// The files of cases, or of chains, in a folder.
fn recorded(workspace: &Workspace, folder: &str) -> Result<Vec<PathBuf>> {
    let folder = workspace.root.join(folder);
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
