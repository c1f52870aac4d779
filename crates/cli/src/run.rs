//! `mergelab run`: a script, statement by statement.

use crate::python::{self, Notebook, Stopped};
use crate::store::LocalFolder;
use crate::{value, world};
use ::python::Failure;
use anyhow::{Context, Result};
use arrow::util::pretty::pretty_format_batches;
use engine::env::{Env, START_MS};
use engine::sandbox::{Outcome, Sandbox};
use host::{Recorder, Shown};
use protocol::StatementReport;
use serde_json::{Value, json};
use spec::{Diagnostic, Span};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trace::narrate;

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    Table,
    Json,
}

/// What to run and how to print it.
#[derive(Debug, Clone)]
pub struct Options {
    pub file: PathBuf,
    /// The folder that holds the tables; in memory without.
    pub store: Option<PathBuf>,
    pub format: Format,
    /// Tell each statement that writes, step by step.
    pub trace: bool,
}

/// Runs a Python program and prints what it printed, and what its statements gave. False when it failed.
///
/// # Errors
/// The file or the store cannot be read.
pub fn run_python(options: &Options, print: &mut dyn FnMut(String)) -> Result<bool> {
    let text = fs::read_to_string(&options.file).with_context(|| format!("cannot read {}", options.file.display()))?;
    let sandbox = host::block_on(open(options.store.as_deref()))?;
    let unfit = |failure: Failure| anyhow::anyhow!("the interpreter does not start: {}", failure.message);
    let (shown, result) = python::apart(|| -> Result<_> {
        let notebook = Notebook::new(sandbox).map_err(unfit)?;
        let result = notebook.run(&text);
        Ok((notebook.shown(), result))
    })?;
    for shown in &shown {
        match shown {
            Shown::Text(printed) if options.format == Format::Json => print(json!({ "printed": printed }).to_string()),
            Shown::Text(printed) => print(printed.trim_end_matches('\n').to_owned()),
            Shown::Statement(report) => print(told(report, options)),
        }
    }
    if let Err(stopped) = &result {
        print(match stopped {
            Stopped::Engine(problem) => complaint(problem, &text, options.format),
            Stopped::Python(failure) => failed(failure, &text, options.format),
        });
    }
    Ok(result.is_ok())
}

/// A statement of a program: what it was, what it committed, what it gave.
fn told(report: &StatementReport, options: &Options) -> String {
    if options.format == Format::Json {
        return json!({ "statement": report.kind, "version": report.version, "grid": report.grid }).to_string();
    }
    let version = report.version.map(|version| format!(" → version {version}")).unwrap_or_default();
    let mut lines = vec![format!("{}{version}", report.kind)];
    if let Some(trace) = report.trace.as_ref().filter(|_| options.trace) {
        lines.extend((0..trace.steps.len()).map(|step| format!("  {:>3}  {}", step + 1, narrate(trace, step))));
    }
    lines.join("\n")
}

/// An exception of Python's own: the lines that led there, what it says, what to try.
fn failed(failure: &Failure, text: &str, format: Format) -> String {
    let line = failure.lines.last().copied().unwrap_or(0);
    if format == Format::Json {
        return json!({
            "error": failure.condition.clone().unwrap_or_else(|| failure.kind.clone()), "message": failure.message,
            "hint": failure.hint, "line": line, "column": failure.column,
        })
        .to_string();
    }
    let mut lines = Vec::new();
    for number in &failure.lines {
        let source = text.lines().nth(number.saturating_sub(1)).unwrap_or_default();
        lines.push(format!("  at line {number}:\n    {source}"));
    }
    if let Some(column) = failure.column {
        lines.push(format!("    {}^", " ".repeat(column.saturating_sub(1))));
    }
    lines.push(format!("{}: {}", failure.kind, failure.message));
    lines.extend(failure.hint.iter().map(|hint| format!("  {hint}")));
    lines.join("\n")
}

/// Runs the script and prints what each statement gave. False when a statement failed.
///
/// # Errors
/// The file or the store cannot be read.
pub async fn run(options: &Options, print: &mut dyn FnMut(String)) -> Result<bool> {
    let text = fs::read_to_string(&options.file).with_context(|| format!("cannot read {}", options.file.display()))?;
    let mut sandbox = open(options.store.as_deref()).await?;
    let parsed = sql::parse(&text);
    let first_unreadable = parsed.diagnostics.iter().filter_map(|problem| problem.span).map(|span| span.start).min();
    let total = parsed.statements.len() + usize::from(first_unreadable.is_some());
    for (idx, statement) in parsed.statements.iter().enumerate() {
        if first_unreadable.is_some_and(|start| start < statement.span.start) {
            break;
        }
        let mut recorder = Recorder::new();
        let result = sandbox.execute(&text, statement, &mut recorder).await;
        let storage = Arc::clone(&sandbox.env().storage);
        match result {
            Ok(outcome) => print(shown(&outcome, options.format)?),
            Err(problem) => {
                print(complaint(&problem, &text, options.format));
                print(format!("Stopped at statement {} of {total}; those before it ran.", idx + 1));
                return Ok(false);
            }
        }
        if options.trace
            && let Some(trace) =
                recorder.finish(&text, statement.span, storage.as_ref()).await.map_err(anyhow::Error::new)?
        {
            for step in 0..trace.steps.len() {
                print(format!("  {:>3}  {}", step + 1, narrate(&trace, step)));
            }
        }
    }
    for problem in parsed.diagnostics.iter().take(1) {
        print(complaint(problem, &text, options.format));
    }
    Ok(parsed.diagnostics.is_empty())
}

async fn open(store: Option<&Path>) -> Result<Sandbox> {
    match store {
        None => Ok(Sandbox::new(Env::deterministic(START_MS))),
        Some(folder) => {
            Sandbox::open(world::around(Arc::new(LocalFolder::new(folder)))).await.map_err(anyhow::Error::new)
        }
    }
}

fn shown(outcome: &Outcome, format: Format) -> Result<String> {
    let version = outcome.version.map(|version| format!(" → version {version}")).unwrap_or_default();
    let rows = outcome.rows.as_ref();
    Ok(match format {
        Format::Table => match rows {
            Some(rows) => format!("{}{version}\n{}", outcome.kind, pretty_format_batches(&rows.batches)?),
            None => format!("{}{version}", outcome.kind),
        },
        Format::Json => {
            let columns = rows.map(|rows| {
                rows.columns.iter().map(|column| json!([column.name, column.data_type.spark_name()])).collect()
            });
            let values = rows.map(|rows| value::rows(&rows.batches)).transpose()?;
            json!({
                "statement": outcome.kind,
                "version": outcome.version,
                "columns": columns.unwrap_or(Value::Null),
                "rows": values,
            })
            .to_string()
        }
    })
}

/// What, where, which rows, why, what to try.
fn complaint(problem: &Diagnostic, text: &str, format: Format) -> String {
    if format == Format::Json {
        let (line, column) = place(problem.span, text);
        return json!({
            "error": problem.condition, "sqlstate": problem.sqlstate, "message": problem.message, "hint": problem.hint,
            "line": line, "column": column,
        })
        .to_string();
    }
    let mut lines = vec![problem.to_string()];
    if let Some(span) = problem.span {
        let (line, column) = place(problem.span, text);
        let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let source = text[start..].lines().next().unwrap_or_default();
        let width = text[span.start..span.end].lines().next().unwrap_or_default().chars().count().max(1);
        lines.push(format!(
            "  at line {line}, column {column}:\n    {source}\n    {}{}",
            " ".repeat(column - 1),
            "^".repeat(width)
        ));
    }
    for sample in &problem.rows {
        lines.push(format!(
            "  {} ({} of {}): {}",
            sample.title,
            sample.rows.len(),
            sample.total,
            sample.columns.join(" | ")
        ));
        for row in &sample.rows {
            let cells: Vec<&str> = row.iter().map(|cell| cell.as_deref().unwrap_or("NULL")).collect();
            lines.push(format!("    {}", cells.join(" | ")));
        }
    }
    lines.extend(problem.hint.iter().map(|hint| format!("  {hint}")));
    lines.extend(problem.edits.iter().map(|edit| format!("  try: {}", edit.label)));
    lines.join("\n")
}

/// Line and column of the start, from 1; (1, 1) without a place.
fn place(span: Option<Span>, text: &str) -> (usize, usize) {
    let before = span.map_or("", |span| text.get(..span.start).unwrap_or(""));
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (line, column)
}
