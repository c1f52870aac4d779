//! Cases of statements: setup, steps, then the rows of a query, the metrics and the files of the last step.

use super::{BankCase, execute, is_one_of, texts};
use crate::conform::difference;
use crate::conform::observe::NO_OUTCOME;
use crate::python::run_on;
use crate::value;
use anyhow::{Result, anyhow};
use delta::actions::Action;
use delta::log::parse_commit;
use delta::paths::{commit_path, decode_path};
use delta::snapshot::{Snapshot, history};
use engine::env::{Env, START_MS};
use engine::observe::{Event, Observer, Silent};
use engine::sandbox::{Outcome, Sandbox};
use serde_json::{Map, Value, json};
use spec::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};

/// What a step did.
struct Step {
    result: Result<Outcome, Diagnostic>,
    before: BTreeMap<String, Snapshot>,
    after: BTreeMap<String, Snapshot>,
    skipping: Skipping,
}

/// How many files were there, and how many were left to read.
#[derive(Debug, Default)]
struct Skipping {
    counts: Option<(usize, usize)>,
}

impl Observer for Skipping {
    fn on(&mut self, event: Event<'_>) {
        if let Event::Pruned(decisions) = event {
            self.counts = Some((decisions.len(), decisions.iter().filter(|decision| decision.kept).count()));
        }
    }
}

/// A case that was run.
struct Ran {
    sandbox: Sandbox,
    steps: Vec<Step>,
    /// The query whose rows are compared.
    check: Option<String>,
    /// Its rows before the last step.
    rows_before: Value,
}

/// Runs the case; what differs, one line per key.
pub(super) async fn differences(case: &BankCase) -> Result<Vec<String>> {
    let mut ran = run(case).await?;
    let mut wrong = Vec::new();
    for (key, expected) in &case.expect {
        match key.as_str() {
            "check" => {}
            "error" => wrong.extend(error_differences(case, &mut ran, expected).await?),
            "log_partitionValues" | "directory" | "directory_names_spark" | "add_path_prefix_spark" => {
                wrong.extend(partitions(key, expected, &ran.steps));
            }
            _ => {
                let seen = seen(&mut ran, key, expected).await?;
                let text = match seen {
                    Some(seen) => difference("rows", expected, &seen, &case.expect),
                    None => Some("this program does not compare it".to_owned()),
                };
                wrong.extend(text.map(|text| format!("{key}: {text}")));
            }
        }
    }
    let unexpected = ran.steps.last().and_then(|step| step.result.as_ref().err());
    if let Some(problem) = unexpected.filter(|_| !case.expect.contains_key("error")) {
        wrong.insert(0, format!("it fails: {problem}"));
    }
    Ok(wrong)
}

async fn run(case: &BankCase) -> Result<Ran> {
    let mut sandbox = Sandbox::new(Env::deterministic(START_MS));
    for (key, value) in case.input["conf"].as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        sandbox.set(key, &value).map_err(|problem| anyhow!("setting {key}: {problem}"))?;
    }
    for statement in texts(&case.input["setup"]) {
        execute(&mut sandbox, &statement, &mut Silent)
            .await
            .map_err(|problem| anyhow!("setup `{statement}`: {problem}"))?;
    }
    let check = case.expect.get("check").and_then(Value::as_str).map(str::to_owned);
    let mut ran = Ran { sandbox, steps: Vec::new(), check, rows_before: Value::Null };
    for step in case.input["steps"].as_array().into_iter().flatten() {
        let (lang, code) = (step["lang"].as_str().unwrap_or("sql"), step["code"].as_str().unwrap_or_default());
        ran.rows_before = rows(&mut ran.sandbox, ran.check.as_deref()).await.unwrap_or(Value::Null);
        let before = snapshots(&ran.sandbox).await?;
        let mut skipping = Skipping::default();
        let result = match lang {
            "pyspark" => run_on(&mut ran.sandbox, code).result.map(|()| NO_OUTCOME),
            _ => execute(&mut ran.sandbox, code, &mut skipping).await,
        };
        let after = snapshots(&ran.sandbox).await?;
        let failed = result.is_err();
        ran.steps.push(Step { result, before, after, skipping });
        if failed {
            break;
        }
    }
    Ok(ran)
}

/// The condition of the failure, and the rows, where they should be as before.
async fn error_differences(case: &BankCase, ran: &mut Ran, expected: &Value) -> Result<Vec<String>> {
    let mut wrong: Vec<String> = error(expected, &ran.steps).map(|text| format!("error: {text}")).into_iter().collect();
    if expected["table_unchanged"] == true {
        let rows_after = rows(&mut ran.sandbox, ran.check.as_deref()).await?;
        let text = difference("rows", &ran.rows_before, &rows_after, &case.expect);
        wrong.extend(text.map(|text| format!("table: {text}")));
    }
    Ok(wrong)
}

/// What was seen of a key; `None` for one that is not known.
async fn seen(ran: &mut Ran, key: &str, expected: &Value) -> Result<Option<Value>> {
    let Ran { sandbox, steps, check, .. } = ran;
    Ok(Some(match key {
        "current_rows" => {
            let table = sandbox.tables().first().map(engine::TableEntry::short_name).unwrap_or_default();
            rows(sandbox, Some(&format!("SELECT * FROM {table}"))).await?
        }
        "rows" => match rows(sandbox, check.as_deref()).await {
            Ok(rows) => rows,
            Err(problem) => Value::String(problem.to_string()),
        },
        "metrics" => listed(expected, &metrics(sandbox, steps).await?),
        "files" => {
            let mut seen = files(steps);
            seen["dataChange"] = data_change(sandbox, steps).await?;
            seen["second_run"] = listed(&expected["second_run"], &seen);
            listed(expected, &seen)
        }
        "statement_result" => result_row(steps)?,
        "commits_added" => n_commits(steps).into(),
        "latest_version" => last_version(steps),
        "schema" => columns(steps),
        _ => return Ok(None),
    }))
}

async fn snapshots(sandbox: &Sandbox) -> Result<BTreeMap<String, Snapshot>> {
    let mut found = BTreeMap::new();
    for table in sandbox.tables() {
        if let Some(snapshot) = Snapshot::load(sandbox.env().storage.as_ref(), &table.root, None).await? {
            found.insert(table.root.clone(), snapshot);
        }
    }
    Ok(found)
}

async fn rows(sandbox: &mut Sandbox, check: Option<&str>) -> Result<Value> {
    let Some(check) = check else { return Ok(Value::Null) };
    let outcome = execute(sandbox, check, &mut Silent).await.map_err(|problem| anyhow!("`{check}`: {problem}"))?;
    let rows = outcome.rows.ok_or_else(|| anyhow!("`{check}` gives no rows"))?;
    Ok(Value::Array(value::rows(&rows.batches)?))
}

/// The step that fails, and how.
fn error(expected: &Value, steps: &[Step]) -> Option<String> {
    let class = expected["class"].as_str().unwrap_or_default();
    let Some(Err(problem)) = steps.last().map(|step| &step.result) else {
        return Some(format!("{class} is not raised"));
    };
    if let Some(at) = expected["at_step"].as_u64()
        && at != steps.len() as u64
    {
        return Some(format!("step {} fails, not step {at}: {problem}", steps.len()));
    }
    (!is_one_of(&problem.condition, class)).then(|| format!("expected {class}, got {problem}"))
}

/// The table that the last step changed, before and after it.
fn changed(steps: &[Step]) -> Option<(Option<&Snapshot>, &Snapshot)> {
    let last = steps.last()?;
    let mut changed = last.after.iter().map(|(root, after)| (last.before.get(root), after));
    changed.find(|(before, after)| before.map(Snapshot::version) != Some(after.version()))
}

/// What the commit of the last step says, and how many files it skipped.
async fn metrics(sandbox: &Sandbox, steps: &[Step]) -> Result<Value> {
    let mut seen = Map::new();
    if let Some((before, after)) = steps.last().and_then(|step| step.skipping.counts) {
        seen.insert("numTargetFilesBeforeSkipping".into(), before.into());
        seen.insert("numTargetFilesAfterSkipping".into(), after.into());
    }
    if let Some((_, after)) = changed(steps) {
        let newest = history(sandbox.env().storage.as_ref(), after.root(), Some(1)).await?;
        for (name, text) in newest.into_iter().flat_map(|(_, info)| info.operation_metrics) {
            seen.insert(name, text.parse::<i64>().map_or(Value::String(text), Value::from));
        }
    }
    Ok(Value::Object(seen))
}

/// Live files that came, went and stayed, and their partitions.
fn files(steps: &[Step]) -> Value {
    let empty = json!({ "removed": 0, "added": 0 });
    let Some((before, after)) = changed(steps) else { return empty };
    let paths = |snapshot: &Snapshot| snapshot.files().iter().map(|add| add.path.clone()).collect::<BTreeSet<_>>();
    let (old, new) = (before.map(paths).unwrap_or_default(), paths(after));
    let partitions = |snapshot: Option<&Snapshot>, without: &BTreeSet<String>| -> Vec<String> {
        let gone =
            snapshot.into_iter().flat_map(|snapshot| snapshot.files()).filter(|add| !without.contains(&add.path));
        gone.flat_map(|add| add.partition_values.values().flatten().cloned()).collect()
    };
    let added = || after.files().iter().filter(|add| !old.contains(&add.path));
    let hidden = after.files().iter().filter(|add| old.contains(&add.path) && add.deletion_vector.is_some());
    let hidden: Vec<String> = hidden
        .map(|add| format!("same path re-added with a deletion vector of cardinality {}", add.n_deleted_rows()))
        .collect();
    json!({
        "new_data_files": added().count(),
        "rows_in_new_file": added().filter_map(|add| add.n_physical_rows()).sum::<u64>(),
        "old_file": hidden.join(", "),
        "removed": old.difference(&new).count(),
        "added": new.difference(&old).count(),
        "untouched": new.intersection(&old).count(),
        "live_files_after": new.len(),
        "active_after": new.len(),
        "removed_partitions": partitions(before, &new),
        "added_partitions": partitions(Some(after), &old),
    })
}

/// Whether the commit of the last step says that its files hold new data.
async fn data_change(sandbox: &Sandbox, steps: &[Step]) -> Result<Value> {
    let Some((_, after)) = changed(steps) else { return Ok(Value::Null) };
    let bytes = sandbox.env().storage.get(&commit_path(after.root(), after.version())).await?;
    let changes = parse_commit("the commit", &bytes)?.into_iter().any(|action| match action {
        Action::Add(add) => add.data_change,
        Action::Remove(remove) => remove.data_change,
        _ => false,
    });
    Ok(changes.into())
}

/// Partition values and folders in the log of the only table: what is expected must be there.
fn partitions(key: &str, expected: &Value, steps: &[Step]) -> Vec<String> {
    let files = || steps.last().into_iter().flat_map(|step| step.after.values()).flat_map(|snapshot| snapshot.files());
    let folder = |path: &str| path.rsplit_once('/').map_or_else(String::new, |(folder, _)| folder.to_owned());
    let seen: BTreeSet<String> = match key {
        "log_partitionValues" => files()
            .flat_map(|add| add.partition_values.values())
            .map(|value| value.clone().unwrap_or_else(|| "null".to_owned()))
            .collect(),
        "add_path_prefix_spark" => files().map(|add| format!("{}/", folder(&add.path))).collect(),
        _ => files().map(|add| folder(&decode_path(&add.path))).collect(),
    };
    let wanted = match expected.as_str() {
        // A remark may stand behind the value.
        Some(text) => vec![text.split(" (").next().unwrap_or(text).to_owned()],
        None => texts(expected),
    };
    wanted
        .into_iter()
        .filter(|value| !seen.contains(value))
        .map(|value| format!("{key}: no {value} in {seen:?}"))
        .collect()
}

/// Only what is expected, as one row to compare.
fn listed(expected: &Value, seen: &Value) -> Value {
    let keys = expected.as_object().into_iter().flat_map(Map::keys);
    Value::Object(keys.map(|key| (key.clone(), seen[key].clone())).collect())
}

fn result_row(steps: &[Step]) -> Result<Value> {
    let Some(Ok(Outcome { rows: Some(rows), .. })) = steps.last().map(|step| &step.result) else {
        return Ok(Value::Null);
    };
    let values = value::rows(&rows.batches)?;
    let row = values.first().and_then(Value::as_array).cloned().unwrap_or_default();
    let names = rows.columns.iter().map(|column| column.name.clone());
    Ok(Value::Object(names.zip(row).collect()))
}

fn n_commits(steps: &[Step]) -> u64 {
    let of = |step: &Step| -> u64 {
        let added = |(root, after): (&String, &Snapshot)| match step.before.get(root) {
            Some(before) => after.version() - before.version(),
            None => after.version() + 1,
        };
        step.after.iter().map(added).sum()
    };
    steps.iter().map(of).sum()
}

fn last_version(steps: &[Step]) -> Value {
    let versions = steps.last().into_iter().flat_map(|step| step.after.values()).map(Snapshot::version);
    versions.max().map_or(Value::Null, Value::from)
}

fn columns(steps: &[Step]) -> Value {
    let target = changed(steps).map(|(_, after)| after);
    let fields = target.into_iter().flat_map(|snapshot| &snapshot.schema().fields);
    fields.map(|field| Value::String(field.name.clone())).collect()
}
