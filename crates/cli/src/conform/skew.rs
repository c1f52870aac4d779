//! The code blocks about skewed keys: run with fewer rows and in four tasks, as they were recorded.
//!
//! `skew.json` says how: which blocks run first, and the Python expression of each recorded fact. Of what was recorded only the
//! plan is not compared: how the reference joins is not what the engine here does.

use super::difference;
use super::observe::{Commit, commit, table_definition};
use super::seeds::{SeedCase, printed_rows, snapshot};
use crate::python::{Notebook, Stopped};
use anyhow::{Context, Result, anyhow};
use delta::paths::commit_path;
use engine::env::{Env, START_MS};
use engine::sandbox::Sandbox;
use host::{Shown, block_on};
use serde_json::{Map, Value, json};
use std::path::Path;

const SKEW: &str = include_str!("skew.json");

/// What differs from what was recorded.
pub(super) fn differences(case: &SeedCase, seeds: &Path) -> Result<Vec<String>> {
    let ways: Value = serde_json::from_str(SKEW).context("skew.json")?;
    let way = &ways["entries"][&case.id];
    if way.is_null() {
        return Err(anyhow!("skew.json does not say how `{}` is run", case.id));
    }
    let mut sandbox = Sandbox::new(Env::deterministic(START_MS));
    let given = [&json!({ "spark.sql.sources.default": "parquet" }), &ways["conf"], &way["conf"], case.entry("conf")];
    for (key, value) in given.into_iter().filter_map(Value::as_object).flatten() {
        let value = value.as_str().unwrap_or_default();
        sandbox.set(key, value).map_err(|problem| anyhow!("setting {key}: {problem}"))?;
    }
    let notebook = Notebook::new(sandbox).map_err(|failure| anyhow!("the interpreter: {}", failure.message))?;
    let replaced = |mut code: String| {
        for (from, to) in [&ways["replace"], &way["replace"]].into_iter().filter_map(Value::as_object).flatten() {
            code = code.replace(from, to.as_str().unwrap_or_default());
        }
        code
    };
    let prepared = |code: &str| notebook.run(code).map_err(|stopped| anyhow!("{}", stopped.problem()));
    for lines in way["first"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        prepared(&replaced(case.lines(seeds, lines)?)).with_context(|| format!("lines {lines}, which run first"))?;
    }
    prepared(way["before"].as_str().unwrap_or_default())?;
    notebook.shown();

    let result = notebook.run(&replaced(own_code(case, way, seeds)?)).map_err(Stopped::problem);
    let printed: String = notebook.shown().iter().filter_map(Shown::text).collect();
    match (case.entry("error"), &result) {
        (Value::Null, Err(problem)) => return Ok(vec![format!("it fails: {problem}")]),
        (Value::Null, Ok(())) => {}
        (error, Ok(())) => return Ok(vec![format!("{} is not raised", error["error_class"])]),
        (error, Err(problem)) if error["error_class"] == *problem.condition => {}
        (error, Err(problem)) => return Ok(vec![format!("expected {}, got {problem}", error["error_class"])]),
    }
    let mut wrong = Vec::new();
    if let Some(rows) = case.entry("printed")["rows"].as_array() {
        let (names, seen) = printed_rows(&printed);
        let n_rows = case.entry("printed")["row_count"].as_u64().unwrap_or(rows.len() as u64);
        let seen =
            json!({ "columns": names, "rows": seen.get(..rows.len()).unwrap_or(&seen), "row_count": seen.len() });
        let wanted = json!({ "columns": case.entry("printed")["columns"], "rows": rows, "row_count": n_rows });
        if seen != wanted {
            wrong.push(format!("printed: expected {wanted}, got {seen}"));
        }
    }
    let helpers: Vec<&str> = ways["helpers"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    prepared(&format!("import json\n{}\n", helpers.join("\n")))?;
    let logged = way["table"].as_str().map(|table| logged(&notebook, table)).transpose()?.unwrap_or_default();
    for (name, wanted) in case.entry("facts").as_object().into_iter().flatten().filter(|(_, wanted)| !wanted.is_null())
    {
        let seen = match (way["facts"][name].as_str(), logged.get(name)) {
            (Some(expression), _) => {
                notebook.shown();
                prepared(&format!("print(json.dumps({expression}))\n")).with_context(|| name.clone())?;
                let printed: String = notebook.shown().iter().filter_map(Shown::text).collect();
                serde_json::from_str(&printed).with_context(|| format!("{name}: {printed}"))?
            }
            (None, Some(seen)) => seen.clone(),
            (None, None) => return Err(anyhow!("skew.json does not say what `{name}` of `{}` is", case.id)),
        };
        let kind = if name == "commits" { "all_commits" } else { name };
        wrong.extend(difference(kind, wanted, &seen, &Map::new()).map(|text| format!("{name}: {text}")));
    }
    Ok(wrong)
}

/// The block, or the variant of it that was recorded instead.
fn own_code(case: &SeedCase, way: &Value, seeds: &Path) -> Result<String> {
    match way["code"].as_str() {
        Some(code) => Ok(format!("{code}\n")),
        None => case.lines(seeds, case.own_lines()),
    }
}

/// The entry as one run: settings, then its blocks and the facts, printed.
///
/// # Errors
/// The text cannot be read, or nothing says how it is run.
pub(super) fn as_run(case: &SeedCase, seeds: &Path) -> Result<(String, String)> {
    let ways: Value = serde_json::from_str(SKEW).context("skew.json")?;
    let way = &ways["entries"][&case.id];
    let given = [&json!({ "spark.sql.sources.default": "parquet" }), &ways["conf"], &way["conf"], case.entry("conf")];
    let settings = given.into_iter().filter_map(Value::as_object).flatten();
    let settings: Vec<String> =
        settings.map(|(key, value)| format!("SET {key} = {}", value.as_str().unwrap_or_default())).collect();
    let mut code = String::new();
    for lines in way["first"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        code.push_str(&case.lines(seeds, lines)?);
    }
    code.push_str(&format!("{}\n", way["before"].as_str().unwrap_or_default()));
    code.push_str(&own_code(case, way, seeds)?);
    for (from, to) in [&ways["replace"], &way["replace"]].into_iter().filter_map(Value::as_object).flatten() {
        code = code.replace(from, to.as_str().unwrap_or_default());
    }
    let helpers: Vec<&str> = ways["helpers"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    code.push_str(&format!("{}\n", helpers.join("\n")));
    for (name, fact) in way["facts"].as_object().into_iter().flatten() {
        code.push_str(&format!("print({}, {})\n", Value::String(name.clone()), fact.as_str().unwrap_or_default()));
    }
    Ok((settings.join(";\n"), format!("%python\n{code}")))
}

/// What the log of a table says, in the recorded form.
fn logged(notebook: &Notebook, table: &str) -> Result<Map<String, Value>> {
    let found = notebook.with_sandbox(|sandbox| snapshot(sandbox, table))?;
    let found = found.ok_or_else(|| anyhow!("{table}: there is no such table"))?;
    let storage = notebook.with_sandbox(|sandbox| sandbox.env().storage.clone());
    let (mut commits, mut domains) = (Vec::new(), Vec::new());
    for version in 0..=found.version() {
        let log = block_on(storage.get(&commit_path(found.root(), version)))?;
        let log = String::from_utf8_lossy(&log);
        commits.push(commit(&Commit::parse(version, &log)?));
        let actions = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let of_domain = |action: Value| action.get("domainMetadata").cloned();
        domains.extend(actions.filter_map(of_domain).map(|action| json!([action["domain"], action["configuration"]])));
    }
    let provider = |add: &std::sync::Arc<delta::actions::Add>| add.clustering_provider.clone();
    let mut providers: Vec<Option<String>> = found.files().iter().map(provider).collect();
    providers.dedup();
    let members = json!({
        "commits": commits,
        "domains": domains,
        "table": table_definition(&found),
        "live_files": found.files().len(),
        "clustering_provider": providers,
    });
    Ok(members.as_object().cloned().unwrap_or_default())
}
