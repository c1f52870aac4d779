//! Real-world cases: statements with their setup, two writers at once, log folders, and files to skip.

mod concurrency;
mod logs;
mod skipping;
mod statement;

use super::Verdict;
use anyhow::{Context, Result, anyhow};
use engine::observe::Observer;
use engine::sandbox::{Outcome, Sandbox};
use serde_json::{Map, Value};
use spec::Diagnostic;

/// One line of a bank of cases.
#[derive(Debug, Clone)]
pub struct BankCase {
    /// Its number and its name, e.g. `4 dup-unconditional-delete`.
    pub id: String,
    pub area: String,
    /// `statement`, `concurrency`, `logfiles`, `skipping` or `behaviour`.
    pub kind: String,
    pub input: Value,
    pub expect: Map<String, Value>,
    /// Another answer that is as good.
    pub accepted: Option<Map<String, Value>>,
    /// What the reference showed besides.
    pub observed: Value,
}

impl BankCase {
    /// Reads one line; `None` is a line of another format.
    ///
    /// # Errors
    /// Text that is not a case.
    pub fn parse(line: &str) -> Result<Option<Self>> {
        let value: Value = serde_json::from_str(line).context("not JSON")?;
        let (Some(slug), Some(kind)) = (value["slug"].as_str(), value["kind"].as_str()) else { return Ok(None) };
        let id = format!("{} {slug}", value["id"]);
        let input = value["input"].clone();
        let expect = value["expect"].as_object().cloned();
        // A rule in words has neither.
        let expect = if input.is_object() { expect.ok_or_else(|| anyhow!("{id}: no expect"))? } else { Map::new() };
        Ok(Some(Self {
            area: value["area"].as_str().unwrap_or_default().to_owned(),
            kind: kind.to_owned(),
            input,
            accepted: accepted(&value),
            expect,
            observed: value["observed"].clone(),
            id,
        }))
    }

    /// Whether there is something to run: a case of `behaviour` is a rule in words.
    pub fn is_runnable(&self) -> bool {
        self.input.is_object() && self.kind != "behaviour"
    }
}

/// Where the reference looks defective another answer is as good.
fn accepted(value: &Value) -> Option<Map<String, Value>> {
    let mut other =
        value["expect_before_reference"].as_object().filter(|_| value["accept_before_reference"] == true)?.clone();
    other.insert("check".to_owned(), value["expect"]["check"].clone());
    Some(other)
}

/// Runs one case and compares what is expected of it, or what is accepted instead.
pub async fn judge(case: &BankCase) -> Verdict {
    let verdict = judge_expected(case).await;
    match &case.accepted {
        Some(other) if case.kind == "statement" && matches!(verdict, Verdict::Failed(_)) => {
            let other = BankCase { expect: other.clone(), accepted: None, ..case.clone() };
            match judge_expected(&other).await {
                Verdict::Passed => Verdict::Passed,
                _ => verdict,
            }
        }
        _ => verdict,
    }
}

async fn judge_expected(case: &BankCase) -> Verdict {
    let differences = match case.kind.as_str() {
        "statement" => statement::differences(case).await,
        "concurrency" => concurrency::differences(case).await,
        "logfiles" => logs::differences(case).await,
        "skipping" => skipping::differences(case).await,
        other => Err(anyhow!("cases of kind {other} are not run")),
    };
    match differences {
        Ok(lines) if lines.is_empty() => Verdict::Passed,
        Ok(lines) if lines.iter().any(|line| line.contains(super::NOT_SUPPORTED)) => {
            Verdict::NotSupported(lines.join("; "))
        }
        Ok(lines) => Verdict::Failed(lines),
        Err(error) => super::refused(&format!("{error:#}")),
    }
}

/// Runs every statement of `text`; the outcome of the last.
async fn execute(sandbox: &mut Sandbox, text: &str, observer: &mut dyn Observer) -> Result<Outcome, Diagnostic> {
    let parsed = sql::parse(text);
    if let Some(problem) = parsed.diagnostics.into_iter().next() {
        return Err(problem);
    }
    let mut last = Err(Diagnostic::internal("there is no statement"));
    for statement in &parsed.statements {
        last = Ok(sandbox.execute(text, statement, observer).await?);
    }
    last
}

/// The condition is one of those that the case allows, written `A | B`; a condition without its subclass allows all.
fn is_one_of(condition: &str, allowed: &str) -> bool {
    allowed
        .split('|')
        .map(str::trim)
        .any(|class| condition == class || condition.strip_prefix(class).is_some_and(|rest| rest.starts_with('.')))
}

/// The texts of a list.
fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}
