//! `mergelab bench`: every scenario natively, in the browser and in other engines, one after the other.

use super::browser::{self, Opening, Tab};
use super::others::Python;
use super::page;
use super::report::{self, Row};
use super::scenario::{Scenario, all};
use super::{memory, time};
use crate::webdriver::Place;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Moves the generated values.
const SEED: u64 = 7;

/// What to measure.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Target rows.
    #[arg(long, default_value_t = 1_000_000)]
    pub rows: u64,
    /// Native runs and runs of other engines; the median counts.
    #[arg(long, default_value_t = 5, value_parser = at_least_one)]
    pub runs: usize,
    /// Runs in the browser, where each needs its setup again and the first ones are still being compiled.
    #[arg(long, default_value_t = 7, value_parser = at_least_one)]
    pub browser_runs: usize,
    /// Leave the browser out.
    #[arg(long)]
    pub no_browser: bool,
    /// Leave delta-rs and DuckDB out.
    #[arg(long)]
    pub no_others: bool,
    /// Also write texts and times as JSON.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Keep the tables in this folder: DIR/P1/warehouse before the statement, DIR/P1/after/warehouse after ours.
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("a number of runs, at least 1".to_owned()),
        Ok(n_runs) => Ok(n_runs),
    }
}

/// Measures and prints. False when another engine's rows are not ours.
///
/// What is left out, or cannot be had on this machine, is said in one line each.
///
/// # Errors
/// A scenario does not run in our engine, natively or in a browser that did start.
pub fn run(options: &Options, print: &mut dyn FnMut(String)) -> Result<bool> {
    let mut opened = open_browser(options, print);
    let python = find_python(options, print);
    let mut rows = Vec::new();
    let mut agreed = true;
    for scenario in all(options.rows, SEED) {
        let row = measure(options, scenario, opened.as_mut().map(|(tab, _)| tab), python.as_ref())?;
        if let Some(others) = &row.others {
            print(report::rows_line(&row.scenario, others));
            agreed &= others.delta_rs.agrees() && others.duckdb.agrees();
        }
        rows.push(row);
    }
    let opening = opened.as_ref().map(|(_, opening)| opening);
    if let Some(opening) = opening {
        print(report::opening_line(opening));
        match Place::from_environment().and_then(|place| page::read(&place)) {
            Ok(reading) => print(report::reading_line(&reading)),
            Err(error) => print(format!("reading: not measured: {error:#}")),
        }
    }
    print_missing_memory(&rows, print);
    print(report::table(&rows));
    if let Some(out) = &options.out {
        fs::write(out, report::as_json(opening, &rows).to_string())
            .with_context(|| format!("cannot write {}", out.display()))?;
    }
    Ok(agreed)
}

fn open_browser(options: &Options, print: &mut dyn FnMut(String)) -> Option<(Tab, Opening)> {
    if options.no_browser {
        print("browser: left out".to_owned());
        return None;
    }
    match Place::from_environment().and_then(|place| browser::open(&place)) {
        Ok(opened) => Some(opened),
        Err(error) => {
            print(format!("browser: not measured: {error:#} (`cargo xtask bench` brings one)"));
            None
        }
    }
}

fn find_python(options: &Options, print: &mut dyn FnMut(String)) -> Option<Python> {
    if options.no_others {
        print("delta-rs and DuckDB: left out".to_owned());
        return None;
    }
    match Python::find() {
        Ok(python) => {
            print(format!("other engines: {}", python.versions));
            Some(python)
        }
        Err(error) => {
            print(format!("delta-rs and DuckDB: not measured: {error:#} (`cargo xtask bench` installs them)"));
            None
        }
    }
}

fn print_missing_memory(rows: &[Row], print: &mut dyn FnMut(String)) {
    if rows.iter().any(|row| row.native_peak.is_none()) {
        print("native peak memory: not measured: this system does not tell it in /proc/self/status".to_owned());
    }
    let is_missing = |row: &Row| row.browser.as_ref().is_some_and(|measured| measured.peak_bytes.is_none());
    if rows.iter().any(is_missing) {
        print("browser peak memory: not measured: the tab's process is not known".to_owned());
    }
}

/// Natively first, so that nothing of the others is in the way.
fn measure(options: &Options, scenario: Scenario, tab: Option<&mut Tab>, python: Option<&Python>) -> Result<Row> {
    memory::forget_peak("self");
    let before = time::prepared(&scenario)?;
    let (native, after) = time::time(&scenario, &before, options.runs)?;
    let native_peak = memory::peak("self");
    let browser = tab.map(|tab| tab.time(&scenario, options.browser_runs)).transpose()?;
    let folder = Folder::of(options, scenario.name);
    let theirs = scenario.plain();
    if python.is_some() || options.tables.is_some() {
        let (before, after) = if scenario.has_vectors {
            let before = time::prepared(&theirs)?;
            let (_, after) = time::time(&theirs, &before, 1)?;
            (before, after)
        } else {
            (before, after)
        };
        time::copied(&before, &folder.path)?;
        time::copied(&after, &folder.path.join("after"))?;
    }
    let tables = |below: &Path| below.join("warehouse");
    let others = python.map(|python| {
        python.measure(theirs.name, &tables(&folder.path), &tables(&folder.path.join("after")), options.runs)
    });
    Ok(Row { scenario, native, native_peak, browser, others: others.transpose()? })
}

/// Where a scenario's tables lie; gone with this value unless the person asked to keep them.
struct Folder {
    path: PathBuf,
    is_kept: bool,
}

impl Folder {
    fn of(options: &Options, scenario: &str) -> Folder {
        match &options.tables {
            Some(folder) => Folder { path: folder.join(scenario), is_kept: true },
            None => {
                let unique = format!("mergelab-bench-{}-{scenario}", std::process::id());
                Folder { path: std::env::temp_dir().join(unique), is_kept: false }
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.is_kept {
            // It may never have been made.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}
