//! `cargo xtask test`: the one gate. Steps run in order and stop at the first that fails; the engine is built
//! once, for the size budget and every browser suite.

mod browser;
mod steps;

use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::counts::Count;
use crate::tools::{self, WasmTools};
use crate::workspace::Workspace;

/// What the steps share.
#[derive(Debug)]
struct Gate<'a> {
    workspace: &'a Workspace,
    tools: WasmTools,
    /// Make what was measured or recorded the expectation.
    accepts: bool,
}

/// A step by the name that `--only` takes.
#[derive(Clone, Copy)]
struct Suite {
    name: &'static str,
    what: &'static str,
    run: fn(&Gate<'_>) -> Result<Count>,
}

const SUITES: &[Suite] = &[
    Suite { name: "fmt", what: "formatting", run: steps::fmt },
    Suite { name: "clippy", what: "clippy, native", run: steps::clippy },
    Suite { name: "clippy-wasm", what: "clippy, wasm32", run: steps::clippy_wasm },
    Suite { name: "docs", what: "documentation", run: steps::docs },
    Suite { name: "native", what: "native tests", run: steps::native },
    Suite { name: "lessons", what: "lessons", run: steps::lessons },
    Suite { name: "site", what: "page and engine for wasm32, recorded runs", run: steps::site },
    Suite { name: "budget", what: "size budget", run: steps::budget },
    Suite { name: "browser", what: "engine and worker in Chromium", run: browser::suites },
    Suite { name: "e2e", what: "a learner's way through the page in Chromium", run: browser::flows },
];

/// What `test` was asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    only: Option<String>,
    accepts: bool,
}

impl Options {
    /// Reads `[--only SUITE] [--accept]`.
    pub(crate) fn parse(args: &[String]) -> Result<Options> {
        let mut options = Options { only: None, accepts: false };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--accept" => options.accepts = true,
                "--only" => {
                    let name = args.next().context("--only needs the name of a suite")?;
                    if !SUITES.iter().any(|suite| suite.name == name) {
                        let names: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
                        bail!("there is no suite {name}; the suites are {}", names.join(", "));
                    }
                    options.only = Some(name.clone());
                }
                other => bail!("test does not know {other}; it takes --only SUITE and --accept"),
            }
        }
        Ok(options)
    }
}

/// Runs the steps; the last line is the sum of all cases. Fails if a case failed or a suite ran none.
pub(crate) fn test(workspace: &Workspace, options: &Options) -> Result<()> {
    let started = Instant::now();
    let gate = Gate { workspace, tools: tools::wasm_tools(workspace)?, accepts: options.accepts };
    let mut total = Count::default();
    let mut failure = None;
    for suite in SUITES.iter().filter(|suite| options.only.as_ref().is_none_or(|only| only == suite.name)) {
        let (count, error) = run(*suite, &gate);
        total = total.plus(count);
        if error.is_some() {
            failure = error.map(|error| error.context(format!("the suite {} failed", suite.name)));
            break;
        }
    }
    if let Some(error) = &failure {
        println!("\n{error:#}");
    }
    println!("\nin {:.0} s:", started.elapsed().as_secs_f64());
    println!("{} passed, {} failed", total.passed, total.failed);
    match failure {
        None => Ok(()),
        Some(_) => bail!("cargo xtask test failed"),
    }
}

/// Runs one step under a heading. A step that fails without counting is one failed case.
fn run(suite: Suite, gate: &Gate<'_>) -> (Count, Option<anyhow::Error>) {
    let started = Instant::now();
    println!("\n== {}: {}", suite.name, suite.what);
    let (count, error) = match (suite.run)(gate) {
        Ok(count) if count.failed > 0 => (count, Some(anyhow::anyhow!("{} cases failed", count.failed))),
        Ok(count) if count.passed == 0 => (Count { failed: 1, ..count }, Some(anyhow::anyhow!("it ran no case"))),
        Ok(count) => (count, None),
        Err(error) => (Count { failed: 1, ..Count::default() }, Some(error)),
    };
    let seconds = started.elapsed().as_secs_f64();
    println!("== {}: {} passed and {} failed in {seconds:.1} s", suite.name, count.passed, count.failed);
    (count, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(workspace: &Workspace) -> Gate<'_> {
        Gate { workspace, tools: WasmTools { bindgen: "wasm-bindgen".into() }, accepts: false }
    }

    #[test]
    fn a_step_that_ran_nothing_fails() {
        let workspace = Workspace { root: ".".into(), target: "target".into() };
        let nothing = Suite { name: "x", what: "x", run: |_| Ok(Count::default()) };
        let (count, error) = run(nothing, &gate(&workspace));
        assert_eq!((count.passed, count.failed), (0, 1));
        assert!(error.unwrap().to_string().contains("no case"));
    }

    #[test]
    fn a_failed_case_fails_the_step_and_keeps_the_count() {
        let workspace = Workspace { root: ".".into(), target: "target".into() };
        let red = Suite { name: "x", what: "x", run: |_| Ok(Count { passed: 4, failed: 2, skipped: 0 }) };
        let (count, error) = run(red, &gate(&workspace));
        assert_eq!((count.passed, count.failed), (4, 2));
        assert!(error.is_some());
    }

    #[test]
    fn an_unknown_suite_is_refused_with_the_known_ones() {
        let args = ["--only".to_owned(), "speed".to_owned()];
        let message = Options::parse(&args).unwrap_err().to_string();
        assert!(message.contains("speed") && message.contains("clippy-wasm"), "{message}");
    }
}
