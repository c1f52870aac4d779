//! delta-rs and DuckDB on the same data, through their Python packages.

use super::report::{median, sorted_milliseconds};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const SCRIPT: &str = include_str!("others.py");

/// A Python that has both packages.
#[derive(Debug)]
pub struct Python {
    program: String,
    /// Of delta-rs and DuckDB, e.g. `deltalake 1.6.6, duckdb 1.4.0`.
    pub versions: String,
}

/// What another engine made of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub enum Other {
    /// Sorted times, and whether its rows are ours.
    Ran { runs: Vec<Duration>, rows_equal: bool },
    /// Its own words.
    Failed(String),
}

/// Both engines on one scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Others {
    pub delta_rs: Other,
    pub duckdb: Other,
}

impl Other {
    /// The middle run; None where there is none.
    pub fn median(&self) -> Option<Duration> {
        match self {
            Other::Ran { runs, .. } => median(runs),
            Other::Failed(_) => None,
        }
    }

    /// Whether it ran and came to our rows.
    pub fn agrees(&self) -> bool {
        matches!(self, Other::Ran { rows_equal: true, .. })
    }
}

impl Python {
    /// The Python that `MERGELAB_PYTHON` names, or else `python3`.
    ///
    /// # Errors
    /// There is none, or it lacks a package.
    pub fn find() -> Result<Python> {
        let program = std::env::var("MERGELAB_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let ask = "import deltalake, duckdb, pyarrow; \
                   print(f'deltalake {deltalake.__version__}, duckdb {duckdb.__version__}')";
        let versions = output(Command::new(&program).args(["-c", ask]))?.trim().to_owned();
        Ok(Python { program, versions })
    }

    /// Runs a scenario's statement `n_runs` times in each engine: on fresh copies of the tables below `before`,
    /// comparing the last run's rows with those of our table below `after`.
    ///
    /// # Errors
    /// The script does not run at all; an engine that fails is a value.
    pub fn measure(&self, scenario: &str, before: &Path, after: &Path, n_runs: usize) -> Result<Others> {
        let mut script = Command::new(&self.program);
        script.args(["-c", SCRIPT, scenario]).args([before, after]).arg(n_runs.to_string());
        let told: Value = serde_json::from_str(&output(&mut script)?).context("the script printed no JSON")?;
        Ok(Others { delta_rs: read(&told["delta_rs"])?, duckdb: read(&told["duckdb"])? })
    }
}

fn read(told: &Value) -> Result<Other> {
    if let Some(error) = told["error"].as_str() {
        return Ok(Other::Failed(error.to_owned()));
    }
    let rows_equal = told["rows_equal"].as_bool().context("the script did not compare rows")?;
    Ok(Other::Ran { runs: sorted_milliseconds(&told["ms"]), rows_equal })
}

fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().display().to_string();
    let output = command.output().with_context(|| format!("{name} cannot be started"))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        bail!("{name}: {}", words.lines().last().unwrap_or("failed without a word"));
    }
    Ok(String::from_utf8(output.stdout)?)
}
