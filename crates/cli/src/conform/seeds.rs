//! Code blocks of other people's texts: run where they lie, compared with what the reference did.
//!
//! A block is read from its file when it runs and is never kept. Names that it presumes are put in place first, as the
//! recorded entry says.

use super::observe::{DIR, NO_OUTCOME, columns, commit, live_files, placed, table_definition};
use super::{Verdict, difference, refused};
use crate::python::{Notebook, apart};
use crate::value;
use anyhow::{Context, Result, anyhow};
use delta::paths::commit_path;
use delta::snapshot::Snapshot;
use engine::env::{Env, START_MS};
use engine::observe::Silent;
use engine::sandbox::{Outcome, Sandbox};
use host::{Shown, block_on};
use python::Given;
use serde_json::{Map, Value, json};
use spec::Diagnostic;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// One recorded entry.
#[derive(Debug, Clone)]
pub struct SeedCase {
    pub id: String,
    entry: Value,
}

impl SeedCase {
    /// Reads one line; `None` is a line of another format.
    ///
    /// # Errors
    /// Text that is not JSON.
    pub fn parse(line: &str) -> Result<Option<Self>> {
        let entry: Value = serde_json::from_str(line).context("not JSON")?;
        if entry["seed_file"].is_null() {
            return Ok(None);
        }
        let id = entry["id"].as_str().unwrap_or_default().to_owned();
        Ok(Some(Self { id, entry }))
    }

    /// Whether it was run with fewer rows: what it shows depends on Spark's partitions.
    pub fn is_skew(&self) -> bool {
        self.entry["rows_reduced_to"].is_number()
    }

    /// A member of what was recorded.
    pub(super) fn entry(&self, key: &str) -> &Value {
        &self.entry[key]
    }

    /// The lines of the block itself.
    pub(super) fn own_lines(&self) -> &str {
        self.entry["lines"].as_str().unwrap_or_default()
    }

    fn list(&self, key: &str) -> &[Value] {
        self.entry[key].as_array().map_or(&[], Vec::as_slice)
    }

    fn map(&self, key: &str) -> impl Iterator<Item = (&String, &str)> {
        self.entry[key].as_object().into_iter().flatten().map(|(key, value)| (key, value.as_str().unwrap_or_default()))
    }

    /// Some lines of the block's file, with the names that the recorded run replaced.
    /// The entry as one run: what comes before it, and a text that holds all the rest, cell by cell. What it should give is
    /// not in it: who has judged the entry natively can compare what another machine makes of the same run.
    ///
    /// # Errors
    /// The text cannot be read.
    pub fn as_run(&self, seeds: &Path) -> Result<(String, String)> {
        if self.is_skew() {
            return super::skew::as_run(self, seeds);
        }
        let settings = self.map("conf").map(|(key, value)| format!("SET {key} = {value}"));
        let statements = self.list("setup").iter().filter_map(Value::as_str).map(placed);
        let first = std::iter::once("SET spark.sql.sources.default = parquet".to_owned());
        let setup: Vec<String> = first.chain(settings).chain(statements).collect();
        let quoted = |text: &str| Value::String(placed(text)).to_string();
        let mut text = String::from("%python\n");
        for (name, query) in self.map("dataframes") {
            text.push_str(&format!("{name} = spark.sql({})\n", quoted(query)));
        }
        for (name, table) in self.map("delta_tables") {
            text.push_str(&format!("{name} = DeltaTable.forName(spark, {})\n", quoted(table)));
        }
        for block in self.list("run_first").iter().filter_map(Value::as_str) {
            let lines = block.split_once(':').map_or(block, |(_, lines)| lines);
            text.push_str(&in_cells(&self.lines(seeds, lines)?));
        }
        for (idx, piece) in pieces(self, seeds)?.iter().enumerate() {
            text.push_str(&if piece.is_sql { format!("%sql\n{}\n", piece.code) } else { in_cells(&piece.code) });
            let outcome =
                if let Value::Array(all) = &self.entry["outcome"] { &all[idx] } else { &self.entry["outcome"] };
            // What follows may name them in SQL.
            let views = outcome["frames"].as_object().into_iter().flatten();
            let views = views.map(|(name, _)| format!("{name}.createOrReplaceTempView(\"{name}\")\n"));
            let views: String = views.collect();
            if !views.is_empty() {
                text.push_str(&format!("%python\n{views}"));
            }
        }
        Ok((setup.join(";\n"), text))
    }

    /// Whether an error was recorded.
    pub fn fails(&self) -> bool {
        let of_outcomes = || match &self.entry["outcome"] {
            Value::Array(outcomes) => outcomes.iter().any(|outcome| !outcome["error"].is_null()),
            outcome => !outcome["error"].is_null(),
        };
        !self.entry["error"].is_null() || of_outcomes()
    }

    pub(super) fn lines(&self, seeds: &Path, lines: &str) -> Result<String> {
        let file = self.entry["seed_file"].as_str().unwrap_or_default();
        let text = fs::read_to_string(seeds.join(file)).with_context(|| format!("cannot read {file}"))?;
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let number = |text: &str| text.parse::<usize>().map_err(|_| anyhow!("`{lines}` are no lines"));
        let (first, last) = (number(first)?, number(last)?);
        let chosen: Vec<&str> = text.lines().skip(first.saturating_sub(1)).take(last + 1 - first).collect();
        let mut code = chosen.join("\n") + "\n";
        for (from, to) in self.map("name_map") {
            code = code.replace(from.as_str(), to);
        }
        Ok(placed(&code))
    }
}

/// Code with the language of each cell said.
pub(super) fn in_cells(code: &str) -> String {
    let cell = |cell: python::Cell| {
        let language = match cell.language {
            python::Language::Python => "%python",
            python::Language::Sql => "%sql",
        };
        format!("{language}\n{}\n", code.get(cell.range).unwrap_or_default())
    };
    python::cells(code).into_iter().map(cell).collect()
}

/// A piece of code that is run, and in which language.
struct Piece {
    is_sql: bool,
    code: String,
}

/// Runs an entry and compares everything that was recorded of it.
pub fn judge_seed(case: &SeedCase, seeds: &Path) -> Verdict {
    let judged = apart(|| match case.is_skew() {
        true => super::skew::differences(case, seeds),
        false => differences(case, seeds),
    });
    match judged {
        Err(error) => refused(&error.to_string()),
        Ok(wrong) if wrong.is_empty() => Verdict::Passed,
        Ok(wrong) => match wrong.iter().find(|text| text.contains(super::NOT_SUPPORTED)) {
            Some(text) => Verdict::NotSupported(text.clone()),
            None => Verdict::Failed(wrong),
        },
    }
}

fn differences(case: &SeedCase, seeds: &Path) -> Result<Vec<String>> {
    let mut sandbox = Sandbox::new(Env::deterministic(START_MS));
    let as_recorded = [("spark.sql.sources.default", "parquet")];
    for (key, value) in as_recorded.into_iter().chain(case.map("conf").map(|(key, value)| (key.as_str(), value))) {
        sandbox.set(key, value).map_err(|problem| anyhow!("setting {key}: {problem}"))?;
    }
    for statement in case.list("setup").iter().filter_map(Value::as_str) {
        execute(&mut sandbox, &placed(statement)).map_err(|problem| anyhow!("setup `{statement}`: {problem}"))?;
    }
    let notebook = Notebook::new(sandbox).map_err(|failure| anyhow!("the interpreter: {}", failure.message))?;
    let refused = |stopped: crate::python::Stopped| anyhow!("a name that is given: {}", stopped.problem());
    for (name, query) in case.map("dataframes") {
        notebook.give(name, &Given::Frame(query.to_owned())).map_err(refused)?;
    }
    for (name, table) in case.map("delta_tables") {
        notebook.give(name, &Given::Table(placed(table))).map_err(refused)?;
    }
    for block in case.list("run_first").iter().filter_map(Value::as_str) {
        let lines = block.split_once(':').map_or(block, |(_, lines)| lines);
        let code = case.lines(seeds, lines)?;
        notebook.run(&code).map_err(|stopped| anyhow!("{block}, which runs first: {}", stopped.problem()))?;
    }
    notebook.shown();
    let mut wrong = Vec::new();
    let outcomes = match &case.entry["outcome"] {
        Value::Array(outcomes) => outcomes.clone(),
        outcome => vec![outcome.clone()],
    };
    for (idx, (piece, expected)) in pieces(case, seeds)?.iter().zip(&outcomes).enumerate() {
        let expected = dated(expected);
        let found = run(&notebook, piece, &expected)?;
        wrong.extend(found.into_iter().map(|text| format!("run {}: {text}", idx + 1)));
    }
    for (table, expected) in case.entry["final"].as_object().into_iter().flatten() {
        wrong.extend(at_the_end(&notebook, table, &dated(expected))?);
    }
    for query in case.list("queries") {
        let query = dated(query);
        let seen = notebook.with_sandbox(|sandbox| answer(sandbox, query["sql"].as_str().unwrap_or_default()))?;
        let names: Value = seen["columns"].as_array().into_iter().flatten().map(|column| column[0].clone()).collect();
        let seen = json!({ "columns": names, "rows": seen["rows"] });
        wrong.extend(difference("changes", &query, &seen, &Map::new()).map(|text| format!("{}: {text}", query["sql"])));
    }
    if let Some(expected) = case.entry.get("changes") {
        let table =
            case.entry["final"].as_object().and_then(|tables| tables.keys().next().cloned()).unwrap_or_default();
        let seen = notebook.with_sandbox(|sandbox| changes(sandbox, &table))?;
        wrong
            .extend(difference("changes", &dated(expected), &seen, &Map::new()).map(|text| format!("changes: {text}")));
    }
    Ok(wrong)
}

/// What is run and measured, in order.
fn pieces(case: &SeedCase, seeds: &Path) -> Result<Vec<Piece>> {
    let piece = |given: &Value| -> Result<Piece> {
        if let Some(block) = given["block"].as_str() {
            let lines = block.split_once(':').map_or(block, |(_, lines)| lines);
            return Ok(Piece { is_sql: case.entry["lang"] == "sql", code: case.lines(seeds, lines)? });
        }
        let code = placed(given["code"].as_str().unwrap_or_default());
        Ok(Piece { is_sql: given["lang"] == "sql", code })
    };
    let mut pieces = Vec::new();
    let runs = case.entry["runs"].as_u64().unwrap_or(1);
    for _ in 0..runs {
        if case.list("corrected").is_empty() {
            let lines = match case.entry["only_lines"].as_str() {
                Some(lines) => lines.split_once(':').map_or(lines, |(_, lines)| lines),
                None => case.entry["lines"].as_str().unwrap_or_default(),
            };
            pieces.push(Piece { is_sql: case.entry["lang"] == "sql", code: case.lines(seeds, lines)? });
        }
        for given in case.list("corrected") {
            pieces.push(piece(given)?);
        }
    }
    for given in case.list("then") {
        pieces.push(piece(given)?);
    }
    Ok(pieces)
}

/// Runs a piece; what differs from the outcome that was recorded.
fn run(notebook: &Notebook, piece: &Piece, expected: &Value) -> Result<Vec<String>> {
    let tables: Vec<&String> = expected["tables"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
    let before = snapshots(notebook, &tables)?;
    let mut wrong = Vec::new();
    let mut code = piece.code.clone();
    if let Some(frames) = expected["frames_before_merge"].as_object() {
        // The MERGE is the last statement; frames are looked at just before it.
        let at = last_statement(&code);
        let first = code.get(..at).unwrap_or_default().to_owned();
        notebook.run(&first).map_err(|stopped| anyhow!("{}", stopped.problem()))?;
        wrong.extend(frame_differences(notebook, frames)?);
        let blank: String = first.chars().map(|letter| if letter == '\n' { '\n' } else { ' ' }).collect();
        code = blank + code.get(at..).unwrap_or_default();
    }
    let result: Result<(), Diagnostic> = if piece.is_sql {
        notebook.run_sql(&code)
    } else {
        notebook.run(&code).map_err(crate::python::Stopped::problem)
    };
    match (expected.get("error"), &result) {
        (None, Err(problem)) => wrong.push(format!("it fails: {problem}")),
        (Some(error), Ok(())) => wrong.push(format!("{} is not raised", error["error_class"])),
        (Some(error), Err(problem)) => {
            for (key, seen) in [("error_class", &problem.condition), ("sqlstate", &problem.sqlstate)] {
                if !error[key].is_null() && error[key] != **seen {
                    wrong.push(format!("{key}: expected {}, got {problem}", error[key]));
                }
            }
        }
        (None, Ok(())) => {}
    }
    let mut after = snapshots(notebook, &tables)?;
    for (name, recorded) in expected["tables"].as_object().into_iter().flatten() {
        let seen = change(notebook, before.get(name), after.remove(name).as_ref())?;
        for (key, value) in recorded.as_object().into_iter().flatten() {
            let kind = if key == "commits" { "all_commits" } else { key };
            wrong.extend(difference(kind, value, &seen[key], &Map::new()).map(|text| format!("{name}.{key}: {text}")));
        }
    }
    if let Some(frames) = expected["frames"].as_object() {
        wrong.extend(frame_differences(notebook, frames)?);
        // What follows may name them in SQL.
        let views: Vec<String> =
            frames.keys().map(|name| format!("{name}.createOrReplaceTempView(\"{name}\")\n")).collect();
        notebook.run(&views.concat()).map_err(|stopped| anyhow!("{}", stopped.problem()))?;
    }
    if let Some(recorded) = expected.get("result") {
        let seen = match notebook.last_rows() {
            Some(rows) => json!({ "columns": columns(&rows), "rows": value::rows(&rows.batches)? }),
            None => Value::Null,
        };
        wrong.extend(difference("changes", recorded, &seen, &Map::new()).map(|text| format!("result: {text}")));
    }
    let printed: String = notebook.shown().iter().filter_map(Shown::text).collect();
    if let Some(recorded) = expected.get("printed") {
        wrong.extend(printed_difference(recorded, &printed).map(|text| format!("printed: {text}")));
    }
    Ok(wrong)
}

/// Where the last statement of a block begins: at the last line that is not indented and opens something.
fn last_statement(code: &str) -> usize {
    let mut at = 0;
    let mut last = 0;
    for line in code.split_inclusive('\n') {
        if line.starts_with(|letter: char| letter.is_alphanumeric() || letter == '(') {
            last = at;
        }
        at += line.len();
    }
    last
}

fn frame_differences(notebook: &Notebook, frames: &Map<String, Value>) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for (name, expected) in frames {
        let Some(rows) = notebook.rows_of(name).map_err(|problem| anyhow!("{name}: {problem}"))? else {
            wrong.push(format!("{name} is no data frame"));
            continue;
        };
        let seen = json!({ "columns": columns(&rows), "rows": value::rows(&rows.batches)? });
        wrong.extend(difference("changes", expected, &seen, &Map::new()).map(|text| format!("{name}: {text}")));
    }
    Ok(wrong)
}

fn snapshots(notebook: &Notebook, tables: &[&String]) -> Result<BTreeMap<String, Snapshot>> {
    let mut found = BTreeMap::new();
    for table in tables {
        if let Some(snapshot) = notebook.with_sandbox(|sandbox| snapshot(sandbox, table))? {
            found.insert((*table).clone(), snapshot);
        }
    }
    Ok(found)
}

pub(super) fn snapshot(sandbox: &Sandbox, table: &str) -> Result<Option<Snapshot>> {
    let name = frames::parse_name(&placed(table)).map_err(|problem| anyhow!("{problem}"))?;
    let Some(entry) = sandbox.table(&name) else { return Ok(None) };
    Ok(block_on(Snapshot::load(sandbox.env().storage.as_ref(), &entry.root, None))?)
}

/// What happened to a table between two snapshots, in the recorded form.
fn change(notebook: &Notebook, before: Option<&Snapshot>, after: Option<&Snapshot>) -> Result<Value> {
    let paths = |snapshot: Option<&Snapshot>| -> Vec<String> {
        snapshot.into_iter().flat_map(|snapshot| snapshot.files().iter().map(|add| add.path.clone())).collect()
    };
    let (old, new) = (paths(before), paths(after));
    let mut commits = Vec::new();
    if let Some(after) = after {
        let first = before.map_or(0, |before| before.version() + 1);
        let storage = notebook.with_sandbox(|sandbox| sandbox.env().storage.clone());
        for version in first..=after.version() {
            let log = block_on(storage.get(&commit_path(after.root(), version)))?;
            commits.push(commit(&super::observe::Commit::parse(version, &String::from_utf8_lossy(&log))?));
        }
    }
    let summaries = notebook.summaries();
    let scan = summaries.last().map(|summary| {
        let before = summary.files_scanned + summary.files_skipped;
        json!({ "before_skipping": before, "after_skipping": summary.files_scanned })
    });
    Ok(json!({
        "version_before": before.map(Snapshot::version),
        "version_after": after.map(Snapshot::version),
        "commits": commits,
        "files_before": old.len(),
        "files_after": new.len(),
        "files_added": new.iter().filter(|path| !old.contains(path)).count(),
        "files_removed": old.iter().filter(|path| !new.contains(path)).count(),
        "merge_scan": scan,
    }))
}

fn at_the_end(notebook: &Notebook, table: &str, expected: &Value) -> Result<Vec<String>> {
    let found = notebook.with_sandbox(|sandbox| snapshot(sandbox, table))?;
    let Some(found) = found else { return Ok(vec![format!("{table}: there is no such table")]) };
    let rows = notebook.with_sandbox(|sandbox| answer(sandbox, &format!("SELECT * FROM {}", placed(table))));
    let mut wrong = Vec::new();
    for (key, value) in expected.as_object().into_iter().flatten() {
        let seen = match key.as_str() {
            "table" => table_definition(&found),
            "live_files" => live_files(&found),
            other => rows.as_ref().map_or(Value::Null, |rows| rows[other].clone()),
        };
        wrong.extend(difference(key, value, &seen, &Map::new()).map(|text| format!("{table}.{key}: {text}")));
    }
    Ok(wrong)
}

fn execute(sandbox: &mut Sandbox, text: &str) -> Result<Outcome, Diagnostic> {
    let mut parsed = sql::parse(text);
    if let Some(problem) = parsed.diagnostics.pop() {
        return Err(problem);
    }
    let mut last = NO_OUTCOME;
    for statement in &parsed.statements {
        last = block_on(sandbox.execute(text, statement, &mut Silent))?;
    }
    Ok(last)
}

fn answer(sandbox: &mut Sandbox, query: &str) -> Result<Value> {
    let outcome = execute(sandbox, query).map_err(|problem| anyhow!("`{query}`: {problem}"))?;
    let rows = outcome.rows.ok_or_else(|| anyhow!("`{query}` gives no rows"))?;
    Ok(json!({ "columns": columns(&rows), "rows": value::rows(&rows.batches)? }))
}

/// The change feed of the last version, without the columns that say when.
fn changes(sandbox: &mut Sandbox, table: &str) -> Result<Value> {
    let version = snapshot(sandbox, table)?.map_or(0, |snapshot| snapshot.version());
    let query = format!(
        "SELECT * EXCEPT (_commit_version, _commit_timestamp) FROM table_changes('{table}', {version}, {version})"
    );
    let mut seen = answer(sandbox, &query)?;
    seen["columns"] = seen["columns"].as_array().into_iter().flatten().map(|column| column[0].clone()).collect();
    Ok(seen)
}

/// The recorded entry with `{today}` and `{today-n}` as the days that the sandbox's clock makes of them.
fn dated(recorded: &Value) -> Value {
    match recorded {
        Value::String(text) => {
            let mut text = text.replace("{dir}", DIR);
            while let Some(start) = text.find("{today") {
                let Some(end) = text[start..].find('}').map(|end| start + end) else { break };
                let offset: i32 = text[start + "{today".len()..end].parse().unwrap_or(0);
                let today = i32::try_from(START_MS.div_euclid(86_400_000)).unwrap_or(0);
                text.replace_range(start..=end, &delta::text::date(today + offset));
            }
            Value::String(text)
        }
        Value::Array(items) => items.iter().map(dated).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(key, value)| (key.clone(), dated(value))).collect())
        }
        other => other.clone(),
    }
}

/// Compares the cells of a table that was printed.
/// The names and the cells of a table that was printed.
pub(super) fn printed_rows(printed: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let lines = printed.lines().filter(|line| line.starts_with('|'));
    let mut rows = lines.map(|line| {
        let inside = line.trim_matches('|');
        inside.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>()
    });
    (rows.next().unwrap_or_default(), rows.collect())
}

fn printed_difference(expected: &Value, printed: &str) -> Option<String> {
    let (names, rows) = printed_rows(printed);
    if json!(names) != expected["columns"] {
        return Some(format!("columns: expected {}, got {names:?}", expected["columns"]));
    }
    let wanted = expected["rows"].as_array().map_or(&[][..], Vec::as_slice);
    if rows.len() != wanted.len() {
        return Some(format!("expected {} rows, got {}", wanted.len(), rows.len()));
    }
    let mut cells = wanted.iter().zip(&rows).flat_map(|(wanted, row)| wanted.as_array().into_iter().flatten().zip(row));
    let differs = cells.find(|(wanted, cell)| match wanted {
        Value::Object(members) => !members.iter().all(|(key, value)| cell.contains(&format!("{key} -> {value}"))),
        Value::String(text) => text != *cell,
        _ => true,
    });
    differs.map(|(wanted, cell)| format!("expected {wanted}, got {cell}"))
}
