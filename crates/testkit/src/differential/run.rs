//! Batches: chains from a seed on, run on both, counted, recorded, and resumed where the last run ended.
#![allow(clippy::disallowed_methods, reason = "a batch keeps its state in files, and tells how long it takes")]

use super::chain::Chain;
use super::read_back::read_back;
use super::reference::Reference;
use super::seen::{Seen, differences, theirs};
use super::statement::{Merge, Source, Statement};
use crate::shrink::shrink;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What to run.
#[derive(Debug, Clone)]
pub struct Options {
    pub seed: u64,
    /// Statements to run on the reference in this batch.
    pub count: u64,
    /// Holds the state file and the cases of disagreements.
    pub folder: PathBuf,
    /// Chains on which both agree are appended here.
    pub recording: Option<PathBuf>,
    /// How many smaller chains to try where they do not.
    pub patience: usize,
}

/// What a batch found.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    pub statements: u64,
    /// Statements that made a commit which changed rows.
    pub changed: u64,
    pub failed: u64,
    pub disagreements: u64,
    /// Versions of our tables that the reference read, of each chain the first, one between and the last.
    pub versions_read: u64,
    /// Statements by what they are or touch.
    pub features: BTreeMap<String, u64>,
    /// Chains that this engine ended, by what it refused.
    pub refused: BTreeMap<String, u64>,
}

/// Runs a batch. Disagreements are written as cases and told by `print`.
///
/// # Errors
/// The reference ended, or a file cannot be written.
pub fn run(reference: &mut Reference, options: &Options, print: &mut dyn FnMut(String)) -> Result<Summary> {
    fs::create_dir_all(&options.folder)?;
    let state = options.folder.join(format!("seed-{}.json", options.seed));
    let mut chain_idx = resume(&state);
    let (mut summary, started) = (Summary::default(), Instant::now());
    while summary.statements < options.count {
        let id = format!("diff-{}-{chain_idx:04}", options.seed);
        let made = Chain::make(id, chain_seed(options.seed, chain_idx));
        chain_idx += 1;
        let (chain, ours, refused) = match made {
            Ok(made) => made,
            Err(error) => {
                summary.disagreements += 1;
                print(format!("diff-{}-{:04}: {error:#}", options.seed, chain_idx - 1));
                continue;
            }
        };
        *summary.refused.entry(refused.unwrap_or_else(|| "nothing".into())).or_default() += 1;
        if chain.statements.is_empty() {
            continue;
        }
        let answers = ask(reference, &chain)?;
        let parting = first_difference(&chain, &answers, &ours);
        let n_agreed = parting.as_ref().map_or(chain.statements.len(), |(idx, _)| *idx);
        count(&mut summary, &chain, &answers, n_agreed);
        if let Some((idx, lines)) = parting {
            summary.disagreements += 1;
            let failing = Chain { statements: chain.statements[..=idx].to_vec(), ..chain.clone() };
            let path = disagree(reference, failing, options)?;
            print(format!("{}: {}\n    {}", chain.id, lines.join("; "), path.display()));
        }
        let texts: Vec<String> = chain.statements[..n_agreed].iter().map(Statement::sql).collect();
        let read = read_back(reference, &texts, &options.folder.join(format!("read-{}", options.seed)))?;
        summary.versions_read += read.versions;
        summary.disagreements += read.differences.len() as u64;
        read.differences.iter().for_each(|line| print(format!("{}: {line}", chain.id)));
        if let Some(recording) = &options.recording
            && n_agreed > 0
        {
            let agreed = Chain { statements: chain.statements[..n_agreed].to_vec(), ..chain };
            let mut file = OpenOptions::new().create(true).append(true).open(recording)?;
            writeln!(file, "{}", agreed.recorded(&answers))?;
        }
        save(&state, &json!({ "seed": options.seed, "chains": chain_idx }))?;
        if chain_idx.is_multiple_of(20) {
            print(format!("{} statements in {:.0} s", summary.statements, started.elapsed().as_secs_f64()));
        }
    }
    Ok(summary)
}

/// Makes `n_chains` chains and runs them here only. Gives counts as [`run`] does, and each failure's condition with
/// a statement that has it.
pub fn rehearse(seed: u64, n_chains: u64) -> (Summary, BTreeMap<String, (u64, String)>) {
    let (mut summary, mut conditions) = (Summary::default(), BTreeMap::<String, (u64, String)>::new());
    for chain_idx in 0..n_chains {
        let made = Chain::make(format!("diff-{seed}-{chain_idx:04}"), chain_seed(seed, chain_idx));
        let (chain, ours, refused) = match made {
            Ok(made) => made,
            Err(error) => {
                conditions.entry(format!("{error:#}")).or_default().0 += 1;
                continue;
            }
        };
        *summary.refused.entry(refused.unwrap_or_else(|| "nothing".into())).or_default() += 1;
        count(&mut summary, &chain, &ours, ours.len());
        for (statement, seen) in chain.statements.iter().zip(&ours) {
            let Some(condition) = seen.get("error_class").and_then(Value::as_str) else { continue };
            let (n, example) = conditions.entry(condition.to_owned()).or_default();
            *n += 1;
            *example = format!("{} {}: {}", chain.id, seen.get("message").unwrap_or(&Value::Null), statement.sql());
        }
    }
    (summary, conditions)
}

fn chain_seed(seed: u64, chain_idx: u64) -> u64 {
    seed.wrapping_mul(1_000_003) + chain_idx
}

fn resume(state: &Path) -> u64 {
    let text = OpenOptions::new().read(true).open(state).and_then(std::io::read_to_string).unwrap_or_default();
    let state: Value = serde_json::from_str(&text).unwrap_or_default();
    state["chains"].as_u64().unwrap_or(0)
}

fn save(path: &Path, value: &Value) -> Result<()> {
    let mut file = fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(writeln!(file, "{value}")?)
}

/// What the reference shows for each statement.
fn ask(reference: &mut Reference, chain: &Chain) -> Result<Vec<Seen>> {
    reference.ask(&json!({ "op": "fresh", "conf": {} }))?;
    let mut version = -1;
    let see = |statement: &Statement| theirs(reference, &statement.sql(), chain.traits.feed, &mut version);
    chain.statements.iter().map(see).collect()
}

fn first_difference(chain: &Chain, theirs: &[Seen], ours: &[Seen]) -> Option<(usize, Vec<String>)> {
    let pairs = chain.statements.iter().zip(theirs.iter().zip(ours));
    pairs.enumerate().find_map(|(idx, (statement, (theirs, ours)))| {
        let is_merge = matches!(statement, Statement::Merge(_));
        let lines = differences(theirs, ours, is_merge);
        (!lines.is_empty()).then_some((idx, lines))
    })
}

/// Makes the chain small, as far as patience goes, and writes its last statement as a case.
fn disagree(reference: &mut Reference, failing: Chain, options: &Options) -> Result<PathBuf> {
    let mut fails = |chain: &Chain| {
        let Ok(ours) = chain.run_here() else { return false };
        let Ok(theirs) = ask(reference, chain) else { return false };
        let last = chain.statements.len() - 1;
        first_difference(chain, &theirs, &ours).is_some_and(|(idx, _)| idx == last)
    };
    let small = shrink(failing, Chain::smaller, &mut fails, options.patience);
    let (ours, theirs) = (small.run_here()?, ask(reference, &small)?);
    let lines = first_difference(&small, &theirs, &ours).map(|(_, lines)| lines).unwrap_or_default();
    let path = options.folder.join(format!("{}.jsonl", small.id));
    if let Some(last) = theirs.last() {
        save(&path, &small.as_case(last, &lines))?;
    }
    Ok(path)
}

fn count(summary: &mut Summary, chain: &Chain, theirs: &[Seen], n_agreed: usize) {
    let mut rows = Value::Null;
    for (statement, seen) in chain.statements.iter().zip(theirs).take(n_agreed) {
        summary.statements += 1;
        let fails = seen.contains_key("error_class") || seen.contains_key("exception");
        summary.failed += u64::from(fails);
        let now = seen.get("rows").cloned().unwrap_or_else(|| rows.clone());
        summary.changed += u64::from(now != rows);
        rows = now;
        for feature in features(chain, statement, fails) {
            *summary.features.entry(feature.to_owned()).or_default() += 1;
        }
    }
}

fn features(chain: &Chain, statement: &Statement, fails: bool) -> Vec<&'static str> {
    let text = statement.sql();
    let traits = &chain.traits;
    let first = text.split_whitespace().next().unwrap_or_default();
    let kind = ["MERGE", "UPDATE", "DELETE", "INSERT", "CREATE", "OPTIMIZE", "RESTORE", "ALTER"].into_iter();
    let kind = kind.filter(|kind| *kind == first);
    let marks = [
        ("partitions", traits.partitioned),
        ("deletion vectors", traits.vectors),
        ("change feed", traits.feed),
        ("column mapping", traits.mapped),
        ("rules on columns", traits.ruled),
        ("source from the table", text.contains("FROM tgt") && first == "MERGE" || text.contains("USING tgt s")),
        ("NULLs", text.contains("NULL")),
        ("failures", fails),
        ("duplicate source keys", has_duplicate_keys(statement)),
        (
            "schema differences",
            ["extra", "WITH SCHEMA EVOLUTION", "ADD COLUMNS"].iter().any(|part| text.contains(part)),
        ),
        ("schema evolution", text.contains("WITH SCHEMA EVOLUTION")),
        ("several clauses", text.matches(" WHEN ").count() > 1),
        ("by source", text.contains("BY SOURCE")),
        ("odd values", ["NaN", "-0.0D", "Infinity", "''", "'é'", "2147483647"].iter().any(|odd| text.contains(odd))),
    ];
    kind.chain(marks.into_iter().filter(|(_, is_so)| *is_so).map(|(mark, _)| mark)).collect()
}

/// Whether two rows of the source begin alike.
fn has_duplicate_keys(statement: &Statement) -> bool {
    let Statement::Merge(Merge { source: Source::Values { rows, .. }, .. }) = statement else { return false };
    let keys: BTreeSet<&str> = rows.iter().filter_map(|row| row.split(',').next()).collect();
    keys.len() < rows.len()
}
