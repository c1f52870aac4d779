//! The program `proof`: what takes too long for the suites, or needs the reference. `cargo xtask` starts it.
#![allow(clippy::print_stdout, reason = "a command-line program prints")]
#![allow(clippy::disallowed_methods, reason = "it reads and writes the files it is given")]

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use testkit::differential::{self, Options, Reference, rerecord};
use testkit::property;

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The engine against the naive model.
    Property {
        #[arg(long, default_value_t = 0)]
        seed: u64,
        #[arg(long, default_value_t = 10_000)]
        count: u64,
    },
    /// Records the suite's cases anew and says what changed.
    Record {
        /// The jars of the reference.
        #[arg(long)]
        jars: PathBuf,
        /// Make what changed the expectation.
        #[arg(long)]
        accept: bool,
        files: Vec<PathBuf>,
    },
    /// Makes the chains of a differential test and runs them here only: what they hold, and how they fail.
    Rehearse {
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[arg(long, default_value_t = 100)]
        chains: u64,
    },
    /// Has the reference read the tables that this engine writes in recorded chains.
    Read {
        #[arg(long)]
        jars: PathBuf,
        files: Vec<PathBuf>,
    },
    /// The engine against the reference, on random statements.
    Differential {
        #[arg(long)]
        jars: PathBuf,
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Statements to run; a later batch of the same seed goes on where this one ended.
        #[arg(long, default_value_t = 200)]
        count: u64,
        /// Where state and disagreements are kept.
        #[arg(long)]
        folder: PathBuf,
        /// Append what was recorded to this file.
        #[arg(long)]
        keep: Option<PathBuf>,
        /// Smaller chains to try for a disagreement.
        #[arg(long, default_value_t = 40)]
        patience: usize,
    },
}

fn main() -> Result<ExitCode> {
    let passed = match Arguments::parse().command {
        Command::Property { seed, count } => property(seed, count),
        Command::Record { jars, accept, files } => {
            let mut reference = Reference::start(&jars)?;
            println!("{}", reference.name);
            record(&mut reference, accept, &files)?
        }
        Command::Rehearse { seed, chains } => {
            let (summary, conditions) = differential::rehearse(seed, chains);
            conditions.iter().for_each(|(condition, (n, example))| println!("{n} {condition}\n    {example}"));
            tell(&summary);
            true
        }
        Command::Read { jars, files } => read(&mut Reference::start(&jars)?, &files)?,
        Command::Differential { jars, seed, count, folder, keep, patience } => {
            let mut reference = Reference::start(&jars)?;
            println!("{}", reference.name);
            compare(&mut reference, &Options { seed, count, folder, recording: keep, patience })?
        }
    };
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn property(seed: u64, count: u64) -> bool {
    let mut n_failed = 0;
    let mut agreements = std::collections::BTreeMap::new();
    let mut next = seed;
    while next < seed + count {
        let n_cases = 500.min(seed + count - next);
        let report = property::run(next, n_cases, property::Features::of_seed);
        report.disagreements.iter().for_each(|text| println!("{text}"));
        n_failed += report.disagreements.len();
        report.agreements.into_iter().for_each(|(kind, n)| *agreements.entry(kind).or_insert(0) += n);
        next += n_cases;
    }
    println!("{agreements:?}");
    println!("{} passed, {n_failed} failed", count as usize - n_failed);
    n_failed == 0
}

fn record(reference: &mut Reference, accept: bool, files: &[PathBuf]) -> Result<bool> {
    let (mut n_same, mut n_changed) = (0, 0);
    for file in files {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        println!("{}", file.display());
        let found = rerecord(reference, &text, &mut |change| println!("  {change}"))?;
        println!("  {} as recorded, {} changes, {} not asked", found.n_same, found.changes.len(), found.n_left_out);
        n_same += found.n_same;
        n_changed += found.changes.len();
        if accept && !found.changes.is_empty() {
            fs::write(file, found.text)?;
        }
    }
    println!("{n_same} passed, {n_changed} failed");
    Ok(n_changed == 0)
}

fn compare(reference: &mut Reference, options: &Options) -> Result<bool> {
    let summary = differential::run(reference, options, &mut |line| println!("{line}"))?;
    tell(&summary);
    println!("{} passed, {} failed", summary.statements, summary.disagreements);
    Ok(summary.disagreements == 0)
}

/// Of each recorded chain the table that this engine makes of it.
fn read(reference: &mut Reference, files: &[PathBuf]) -> Result<bool> {
    let folder = std::env::temp_dir().join(format!("mergelab-read-{}", std::process::id()));
    let (mut n_tables, mut n_versions, mut n_differences) = (0, 0, 0);
    for file in files {
        for line in fs::read_to_string(file)?.lines().filter(|line| !line.is_empty()) {
            let chain: serde_json::Value = serde_json::from_str(line)?;
            let steps = chain["steps"].as_array().map(Vec::as_slice).unwrap_or_default();
            let texts: Vec<String> = steps.iter().filter_map(|step| step[0].as_str().map(str::to_owned)).collect();
            let read = differential::read_back(reference, &texts, &folder)?;
            read.differences.iter().for_each(|line| println!("{}: {line}", chain["id"]));
            n_tables += 1;
            n_versions += read.versions;
            n_differences += read.differences.len();
        }
    }
    println!("{n_versions} versions of {n_tables} tables read, {n_differences} differences");
    Ok(n_differences == 0)
}

fn tell(summary: &differential::Summary) {
    println!("statements by feature: {:#?}", summary.features);
    println!("chains by what ended them: {:#?}", summary.refused);
    println!("{} statements: {} changed rows, {} failed", summary.statements, summary.changed, summary.failed);
    println!("the reference read {} versions of our tables", summary.versions_read);
}
