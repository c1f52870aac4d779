//! The native program `mergelab`.
#![allow(clippy::disallowed_methods, reason = "a native program reads files; libraries below it do not")]
#![allow(clippy::print_stdout, reason = "a command-line program prints")]

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use cli::conform::{BankCase, Case, SeedCase, VARIANTS, Verdict, judge, judge_bank, judge_seed, judge_variant};
use cli::run::{Format, Options};
use cli::served::with_python;
use cli::{bench, check, course, site};
use host::block_on;
use protocol::KNOWN_DIFFERENCES;
use regex::Regex;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What `--version` says; a test compares it with what the engine says of itself.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), ", answers like Delta Lake 4.4.0 on Spark 4.0.1");

/// The sandbox for Delta Lake MERGE, without a browser. `--help` lists where it is known not to answer like the
/// reference.
#[derive(Parser)]
#[command(version = VERSION, after_long_help = KNOWN_DIFFERENCES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs a script of Spark SQL statements.
    Run {
        file: PathBuf,
        /// Keep the tables in this folder.
        #[arg(long)]
        store: Option<PathBuf>,
        #[arg(long, value_enum, default_value = "table")]
        format: Format,
        /// Tell what each statement did, step by step.
        #[arg(long)]
        trace: bool,
    },
    /// Runs recorded cases of the reference and compares every key.
    Conform {
        file: PathBuf,
        /// Only cases whose id, area or kind matches this regular expression.
        #[arg(long)]
        filter: Option<Regex>,
        /// One JSON object per case.
        #[arg(long)]
        json: bool,
        /// Each case also with deletion vectors, with the change feed and with both: its rows must stay the same.
        #[arg(long)]
        variants: bool,
        /// The folder of the texts whose code blocks the cases run.
        #[arg(long)]
        seeds: Option<PathBuf>,
    },
    /// Checks content.
    Check {
        #[command(subcommand)]
        what: Checked,
    },
    /// Writes what scenarios and recorded cases answer and leave in the store, for the browser to compare with.
    Parity {
        /// A folder of recorded cases.
        #[arg(long)]
        cases: PathBuf,
        /// A folder with the code blocks of texts and what was recorded of them.
        #[arg(long)]
        shared: Option<PathBuf>,
        #[arg(long)]
        out: PathBuf,
    },
    /// Times the scenarios natively, in a browser, in delta-rs and in DuckDB: medians, recorder on.
    Bench(bench::run::Options),
    /// Writes the lessons as the page loads them.
    Site {
        #[arg(long)]
        out: PathBuf,
        #[arg(long, default_value = "lessons")]
        lessons: PathBuf,
    },
}

#[derive(Subcommand)]
enum Checked {
    /// Every gate on every lesson.
    Lessons {
        #[arg(long, default_value = "lessons")]
        lessons: PathBuf,
    },
}

fn main() -> Result<ExitCode> {
    let passed = match Arguments::parse().command {
        Command::Run { file, store, format, trace } => {
            let options = Options { file, store, format, trace };
            if options.file.extension().is_some_and(|ending| ending == "py") {
                return Ok(exit(cli::run::run_python(&options, &mut |line| println!("{line}"))?));
            }
            block_on(cli::run::run(&options, &mut |line| println!("{line}")))?
        }
        Command::Conform { file, filter, json, variants, seeds } => {
            conform(&file, filter.as_ref(), json, variants, seeds.as_deref())?
        }
        Command::Check { what: Checked::Lessons { lessons } } => check_lessons(&lessons)?,
        Command::Parity { cases, shared, out } => {
            fs::write(&out, bench::parity::expectations(&cases, shared.as_deref())?.to_string())?;
            true
        }
        Command::Bench(options) => bench::run::run(&options, &mut |line| println!("{line}"))?,
        Command::Site { out, lessons } => {
            let loaded = course::load(&lessons)?;
            loaded.problems.iter().for_each(|problem| println!("{problem}"));
            let written = with_python(async |interpreter| site::write(&loaded, &out, &interpreter).await)?;
            println!("{written} lessons written to {}", out.display());
            loaded.problems.is_empty()
        }
    };
    Ok(exit(passed))
}

fn exit(passed: bool) -> ExitCode {
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn conform(file: &Path, filter: Option<&Regex>, as_json: bool, variants: bool, seeds: Option<&Path>) -> Result<bool> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let variants = if variants { &VARIANTS[..] } else { &[] };
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    let chosen = |names: &[&str]| filter.is_none_or(|filter| names.iter().any(|name| filter.is_match(name)));
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut verdicts = Vec::new();
        if let Some(case) = SeedCase::parse(line)? {
            if !chosen(&[&case.id]) {
                continue;
            }
            let Some(seeds) = seeds else {
                bail!("these cases run blocks of texts: say with --seeds where the texts are")
            };
            let verdict = judge_seed(&case, seeds);
            if verdict == Verdict::Passed {
                passed += 1
            } else {
                failed += 1
            }
            Told { id: case.id, group: "seed".to_owned(), statement: String::new() }.print("", verdict, as_json);
            continue;
        }
        let told = match BankCase::parse(line)? {
            Some(case) if !case.is_runnable() || !chosen(&[&case.id, &case.area, &case.kind]) => continue,
            Some(case) => {
                verdicts.push((String::new(), block_on(judge_bank(&case))));
                Told { id: case.id, group: case.area, statement: case.kind }
            }
            None => {
                let case = Case::parse(line)?;
                if !chosen(&[&case.id]) {
                    continue;
                }
                verdicts.push((String::new(), block_on(judge(&case))));
                for variant in variants {
                    match block_on(judge_variant(&case, *variant)) {
                        Some(verdict) => verdicts.push((format!(" with {}", variant.name()), verdict)),
                        None => skipped += 1,
                    }
                }
                Told { id: case.id, group: case.group, statement: case.statement }
            }
        };
        for (how, verdict) in verdicts {
            if verdict == Verdict::Passed {
                passed += 1;
            } else {
                failed += 1;
            }
            told.print(&how, verdict, as_json);
        }
    }
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    Ok(failed == 0 && passed > 0)
}

/// What is said of a case beside its verdict.
struct Told {
    id: String,
    group: String,
    statement: String,
}

impl Told {
    fn print(&self, how: &str, verdict: Verdict, as_json: bool) {
        let (word, lines) = match verdict {
            Verdict::Passed => ("passed", Vec::new()),
            Verdict::Failed(lines) => ("failed", lines),
            Verdict::NotSupported(what) => ("not supported yet", vec![what]),
        };
        let id = format!("{}{how}", self.id);
        if as_json {
            println!("{}", json!({ "id": id, "group": self.group, "verdict": word, "differences": lines }));
        } else if word != "passed" {
            println!("{id} {word}: {}", self.statement);
            lines.iter().for_each(|line| println!("    {line}"));
        }
    }
}

fn check_lessons(folder: &Path) -> Result<bool> {
    let loaded = course::load(folder)?;
    loaded.problems.iter().for_each(|problem| println!("gate 1: {problem}"));
    let (mut passed, mut failed) = (loaded.lessons.len(), loaded.problems.len());
    for lesson in &loaded.lessons {
        for gate in with_python(async |interpreter| check::check(lesson, &interpreter).await) {
            match gate.problem {
                None => passed += 1,
                Some(problem) => {
                    failed += 1;
                    println!("{}: {problem}", gate.name);
                }
            }
        }
    }
    println!("{passed} passed, {failed} failed");
    Ok(failed == 0 && passed > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_names_the_reference() {
        assert!(VERSION.ends_with(protocol::ANSWERS_LIKE));
    }
}
