//! What a native run leaves and tells, for a browser to compare with: the scenarios of the benchmark, and a spread of
//! the reference's recorded cases, programs included.

use super::scenario::{all, kinds};
use crate::conform::{Case, SeedCase, Verdict, judge_seed};
use crate::python::apart;
use crate::served::Served;
use anyhow::{Context, Result, bail};
use protocol::{ReplyBody, Request};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Small sizes: every scenario touches all of its files, in a second.
const ROWS: u64 = 1_600;

/// Of the recorded cases of SQL every fifth is run: some of every group, since they stand group by group.
const STEP: usize = 5;

/// One entry per run: its texts, what the engine answered, and the fingerprints of everything in the store afterwards.
///
/// # Errors
/// A scenario that does not run; a file of `cases` that cannot be read; a code block that does not do what was recorded.
pub fn expectations(cases: &Path, shared: Option<&Path>) -> Result<Value> {
    let mut scenarios = all(ROWS, 7);
    scenarios.push(kinds());
    let mut entries = Vec::new();
    for scenario in &scenarios {
        let entry = expectation(scenario.name, &scenario.setup, &scenario.statement)?;
        if !is_clean(&entry["report"]) {
            bail!("{}: {}", scenario.name, entry["report"]);
        }
        entries.push(entry);
    }
    let cases = recorded(cases)?;
    let of = |lang: &'static str| cases.iter().filter(move |case| case.lang == lang);
    for case in of("sql").step_by(STEP).chain(of("pyspark")) {
        entries.push(expectation(&case.id, &case.setup(), &case.script())?);
    }
    if let Some(shared) = shared {
        entries.extend(blocks(shared)?);
    }
    Ok(Value::Array(entries))
}

/// The code blocks of other people's texts, where they lie. Each is judged first, so that a browser that does the same has
/// passed, too.
fn blocks(shared: &Path) -> Result<Vec<Value>> {
    let file = shared.join("conformance/seed_blocks.jsonl");
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let seeds = shared.join("seeds");
    let mut entries = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let Some(case) = SeedCase::parse(line)? else { continue };
        let verdict = judge_seed(&case, &seeds);
        if verdict != Verdict::Passed {
            bail!("{}: {verdict:?}", case.id);
        }
        let (setup, text) = case.as_run(&seeds)?;
        let entry = expectation(&case.id, &setup, &text)?;
        if is_clean(&entry["report"]) == case.fails() {
            bail!("{} as one run: {}", case.id, entry["report"]);
        }
        entries.push(entry);
    }
    Ok(entries)
}

fn recorded(folder: &Path) -> Result<Vec<Case>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        // The bank has a form of its own, and its cases run more than one statement.
        if path.extension().is_some_and(|ending| ending == "jsonl") && !path.ends_with("bank.jsonl") {
            files.push(path);
        }
    }
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        for line in fs::read_to_string(&file)?.lines().filter(|line| !line.is_empty()) {
            cases.push(Case::parse(line)?);
        }
    }
    Ok(cases)
}

fn is_clean(report: &Value) -> bool {
    let statements = report["statements"].as_array().map(Vec::as_slice).unwrap_or_default();
    report["errors"].as_array().is_some_and(Vec::is_empty) && statements.iter().all(|done| done["error"].is_null())
}

fn expectation(name: &str, setup: &str, statement: &str) -> Result<Value> {
    let run = Request::Run { setup: setup.to_owned(), text: statement.to_owned(), clock: None };
    let (ran, left) = apart(|| {
        let mut served = Served::new();
        (served.serve(run), served.serve(Request::Fingerprints))
    });
    let ReplyBody::Ran(report) = ran else { bail!("{name} was not run") };
    let ReplyBody::Fingerprints { objects } = left else { bail!("{name} left nothing to look at") };
    Ok(json!({ "name": name, "setup": setup, "statement": statement, "report": report, "objects": objects }))
}
