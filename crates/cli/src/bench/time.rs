//! Timing the scenarios natively.

use super::report::median;
use super::scenario::Scenario;
use anyhow::{Result, anyhow};
use delta::storage::{InMemory, Storage};
use engine::env::{CountedNames, Env, SteppingClock};
use engine::sandbox::Sandbox;
use host::{Recorder, block_on, run_silently};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Far above the number of names that a setup uses.
const NAMES_OF_STATEMENT: u64 = 1_000_000;

/// How long the statement of a scenario took, run by run.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    pub name: &'static str,
    pub n_rows: u64,
    /// Sorted.
    pub runs: Vec<Duration>,
}

impl Timing {
    /// The middle run.
    pub fn median(&self) -> Duration {
        median(&self.runs).unwrap_or_default()
    }
}

/// A store in which a scenario's tables stand ready.
///
/// # Errors
/// The setup does not run.
pub fn prepared(scenario: &Scenario) -> Result<InMemory> {
    let store = InMemory::new();
    let mut sandbox = Sandbox::new(Env::over(Arc::new(store.clone()), 0));
    block_on(run_silently(&mut sandbox, &scenario.setup)).map_err(|problem| anyhow!("{}: {problem}", scenario.name))?;
    Ok(store)
}

/// Runs the statement `n_runs` times, each on a copy of the prepared store, the recorder on. Also gives the store
/// that the last run left.
///
/// # Errors
/// The statement does not run.
pub fn time(scenario: &Scenario, store: &InMemory, n_runs: usize) -> Result<(Timing, InMemory)> {
    let mut after = store.fork();
    let mut runs = Vec::with_capacity(n_runs);
    for _ in 0..n_runs {
        after = store.fork();
        let env = Env {
            storage: Arc::new(after.clone()),
            clock: Arc::new(SteppingClock::new(1_000_000)),
            names: Arc::new(CountedNames::from_count(NAMES_OF_STATEMENT)),
            note: None,
        };
        let mut sandbox = block_on(Sandbox::open(env)).map_err(|problem| anyhow!("{problem}"))?;
        let statement =
            sql::parse(&scenario.statement).statements.into_iter().next().ok_or_else(|| anyhow!("no statement"))?;
        let mut recorder = Recorder::new();
        let start = Instant::now();
        block_on(sandbox.execute(&scenario.statement, &statement, &mut recorder))
            .map_err(|problem| anyhow!("{}: {problem}", scenario.name))?;
        runs.push(start.elapsed());
    }
    runs.sort();
    Ok((Timing { name: scenario.name, n_rows: scenario.n_rows, runs }, after))
}

/// Writes every object of a store below a folder, for other engines to read.
///
/// # Errors
/// The folder cannot be written.
pub fn copied(store: &InMemory, folder: &Path) -> Result<()> {
    for file in store.files() {
        let place = folder.join(&file.path);
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(place, block_on(store.get(&file.path))?)?;
    }
    Ok(())
}
