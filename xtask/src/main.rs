//! Developer commands. `cargo xtask` without a command lists them.
//!
//! No engine is linked here: what needs one is a program that a command builds and runs.

#![allow(clippy::print_stdout, reason = "a command talks to the person who started it")]
#![allow(clippy::disallowed_methods, reason = "a command works on files, programs and the environment")]

mod bench;
mod budget;
mod build;
mod counts;
mod dist;
mod editor;
mod hashing;
mod http;
mod import_names;
mod lessons;
mod new_lesson;
mod notices;
mod offline;
mod process;
mod proof;
mod prose;
mod serve;
mod site;
mod size;
mod stage;
mod test;
mod tools;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};

use site::Site;
use workspace::Workspace;

const HELP: &str = "\
cargo xtask serve [--watch] [--port N]      build and serve the page on 127.0.0.1, the engine behind it
cargo xtask test [--only SUITE] [--accept]  run every check, or one; --accept takes new sizes and recordings
cargo xtask dist [--accept]                 build the optimised site in dist/ and check its sizes
cargo xtask bench [ARGS]                    measure: browser, native, delta-rs and DuckDB (`mergelab bench ARGS`)
cargo xtask property [--seed N] [--count N] run random MERGE statements against the naive model
cargo xtask reference record [--accept]     record the suite's cases anew on the reference; say what changed
cargo xtask reference differential [--seed N] [--count N]
                                            run random statements here and on the reference (Java 17)
cargo xtask record                          record the first run of every lesson anew
cargo xtask new-lesson TRACK/SLUG ID        write a lesson to start from";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<()> {
    let Some((command, args)) = args.split_first() else {
        println!("{HELP}");
        return Ok(());
    };
    let workspace = Workspace::find()?;
    match command.as_str() {
        "serve" => serve::serve(&workspace, &serve::Options::parse(args)?),
        "test" => test::test(&workspace, &test::Options::parse(args)?),
        "dist" => dist::dist(&workspace, args),
        "bench" => bench::bench(&workspace, args),
        "property" => proof::property(&workspace, args),
        "reference" => proof::reference(&workspace, args),
        "record" => record(&workspace),
        "new-lesson" => new_lesson::new_lesson(&workspace, args),
        other => bail!("there is no command {other}\n{HELP}"),
    }
}

fn record(workspace: &Workspace) -> Result<()> {
    let site = Site::create(workspace.target.join("site-record"))?;
    lessons::build_and_add(workspace, &site)?;
    prose::accept_recordings(workspace, &site)
}
