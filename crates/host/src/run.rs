//! Running a learner's text statement by statement, with a recorder for each.

use crate::elsewhere::elsewhere;
use crate::errors::{range, report};
use crate::grid::grid;
use crate::interpreter::Interpreter;
use crate::lab::{Lab, is_program};
use crate::lens;
use crate::mirrored::{Language, mirrored};
use crate::recorder::{Recorder, Summary};
use crate::script::{Item, items, kind};
use crate::tables;
use crate::told::run_program;
use engine::observe::Silent;
use engine::sandbox::{Outcome, Sandbox};
use protocol::{Note, RunReport, StatementReport};
use spec::{Diagnostic, Statement};
use std::sync::Arc;

/// Runs a script without telling anything about it, up to its first failure.
///
/// # Errors
/// What is wrong with the failing statement.
pub async fn run_silently(sandbox: &mut Sandbox, text: &str) -> Result<(), Diagnostic> {
    for item in items(text) {
        match item {
            Item::Unreadable(diagnostic) => return Err(diagnostic),
            Item::Statement(statement) => {
                Box::pin(sandbox.execute(text, &statement, &mut Silent)).await?;
            }
        }
    }
    Ok(())
}

/// Runs a text of either language up to its first failure and reports on every statement that ran, the failing one
/// included.
pub(crate) async fn run(
    lab: &mut Lab,
    interpreter: &Interpreter,
    text: &str,
    notes: &mut dyn FnMut(Note),
) -> RunReport {
    if is_program(text) {
        return Box::pin(run_program(lab, interpreter, text)).await;
    }
    let sandbox = &mut lab.sandbox;
    let items = items(text);
    let total = items.len();
    let mut statements: Vec<StatementReport> = Vec::new();
    let mut errors = Vec::new();
    let mut written = Vec::new();
    let mut failed = false;
    for item in items {
        match item {
            // The page marks every unreadable place, not only the first.
            Item::Unreadable(diagnostic) if failed => errors.push(report(&diagnostic)),
            Item::Unreadable(diagnostic) => {
                failed = true;
                statements.push(unreadable(&diagnostic));
            }
            Item::Statement(_) if failed => {}
            Item::Statement(statement) => {
                let done = Box::pin(statement_report(sandbox, text, &statement)).await;
                failed = done.report.error.is_some();
                statements.push(done.report);
                written.extend(done.summary.map(|summary| summary.table));
                notes(Note::Progress { done: statements.len(), total });
            }
        }
    }
    let (tables, problems) = tables::all(sandbox, &written).await;
    errors.extend(problems.iter().map(report));
    RunReport { statements, total, errors, tables, program: false }
}

/// What became of a statement.
pub(crate) struct Done {
    pub(crate) report: StatementReport,
    /// What it did, where it writes.
    pub(crate) summary: Option<Summary>,
    pub(crate) result: Result<Outcome, Diagnostic>,
}

/// Runs one statement and tells of it.
pub(crate) async fn statement_report(sandbox: &mut Sandbox, text: &str, statement: &Statement) -> Done {
    let mut recorder = Recorder::new();
    let result = Box::pin(sandbox.execute(text, statement, &mut recorder)).await;
    let summary = recorder.summary();
    let lens = Box::pin(lens::look(sandbox, text, statement, &recorder)).await;
    let storage = sandbox.env().storage.clone();
    let traced = recorder.finish(text, statement.span, storage.as_ref()).await;
    let mut done = StatementReport {
        span: range(statement.span),
        kind: kind(statement).to_owned(),
        grid: None,
        printed: None,
        version: None,
        trace: None,
        error: None,
        elsewhere: Vec::new(),
        mirror: None,
    };
    match &result {
        Ok(outcome) => {
            done.version = outcome.version;
            match outcome.rows.as_ref().map(grid).transpose() {
                Ok(grid) => done.grid = grid,
                Err(diagnostic) => done.error = Some(report(&diagnostic.or_at(statement.span))),
            }
        }
        Err(diagnostic) => done.error = Some(report(diagnostic)),
    }
    match traced {
        Ok(trace) => {
            done.trace = trace.map(Arc::new);
            if let Some(trace) = &mut done.trace {
                lens.onto(text, Arc::make_mut(trace));
            }
        }
        Err(diagnostic) => {
            done.error.get_or_insert_with(|| report(&diagnostic.or_at(statement.span)));
        }
    }
    done.mirror = mirrored(&statement.kind, Language::Sql);
    done.elsewhere = elsewhere(&statement.kind, done.trace.as_deref(), done.error.as_ref());
    Done { report: done, summary, result }
}

fn unreadable(diagnostic: &Diagnostic) -> StatementReport {
    StatementReport {
        span: range(diagnostic.span.unwrap_or_default()),
        kind: "SYNTAX ERROR".to_owned(),
        grid: None,
        printed: None,
        version: None,
        trace: None,
        error: Some(report(diagnostic)),
        elsewhere: Vec::new(),
        mirror: None,
    }
}
