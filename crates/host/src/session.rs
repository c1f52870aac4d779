//! Runs what a lesson asks to be run, and observes.
//!
//! The steps are those of the crate `lesson`: a fresh sandbox, the scripts that build the data, the
//! text once or twice, and after each run the tables and queries that its checks look at.

use crate::cells::rows_of_all;
use crate::clock::start_of;
use crate::interpreter::Interpreter;
use crate::lab::{Lab, is_program};
use crate::recorder::{Recorder, Summary};
use crate::script::{Item, items};
use engine::env::Env;
use engine::observe::Silent;
use engine::sandbox::Sandbox;
use lesson::{Answer, Failure, Observation, Outcome, Rows, Session, TableState};
use spec::Diagnostic;

/// Runs one session in a sandbox of its own; its texts may be programs.
pub async fn observe(session: &Session, interpreter: &Interpreter) -> Observation {
    let mut observation = Observation { variant: session.variant.clone(), prepared: None, runs: Vec::new() };
    let start_ms = match start_of(&session.clock) {
        Ok(start_ms) => start_ms,
        Err(diagnostic) => {
            observation.prepared = Some(failure(&diagnostic));
            return observation;
        }
    };
    let mut lab = Lab::new(Sandbox::new(Env::deterministic(start_ms)));
    for script in &session.prepare {
        if let Err(diagnostic) = lab.take(interpreter, script).await {
            observation.prepared = Some(failure(&diagnostic));
            return observation;
        }
    }
    for _ in 0..session.runs {
        let outcome = Box::pin(outcome(&mut lab, interpreter, session)).await;
        let stops = outcome.error.is_some();
        observation.runs.push(outcome);
        if stops {
            break;
        }
    }
    observation
}

async fn outcome(lab: &mut Lab, interpreter: &Interpreter, session: &Session) -> Outcome {
    let mut summaries = Vec::new();
    let error = if is_program(&session.text) {
        let error = lab.take(interpreter, &session.text).await.err();
        summaries.extend(lab.program.iter().flat_map(|program| program.summaries().iter().cloned()));
        error
    } else {
        run_watched(&mut lab.sandbox, &session.text, &mut summaries).await.err()
    };
    let sandbox = &mut lab.sandbox;
    let mut outcome = Outcome { error: error.as_ref().map(failure), ..Outcome::default() };
    for table in &session.tables {
        let rows = answer(sandbox, &format!("SELECT * FROM {table}")).await;
        outcome.tables.push(table_state(table, rows, &summaries));
    }
    for query in &session.queries {
        let rows = answer(sandbox, query).await;
        outcome.queries.push(rows);
    }
    outcome
}

async fn run_watched(sandbox: &mut Sandbox, text: &str, summaries: &mut Vec<Summary>) -> Result<(), Diagnostic> {
    for item in items(text) {
        match item {
            Item::Unreadable(diagnostic) => return Err(diagnostic),
            Item::Statement(statement) => {
                let mut recorder = Recorder::new();
                let result = Box::pin(sandbox.execute(text, &statement, &mut recorder)).await;
                summaries.extend(recorder.summary());
                result?;
            }
        }
    }
    Ok(())
}

fn table_state(name: &str, rows: Answer, summaries: &[Summary]) -> TableState {
    let mut state = TableState {
        name: name.to_owned(),
        rows,
        commits: 0,
        metrics: std::collections::BTreeMap::new(),
        files: lesson::FileCounts::default(),
    };
    for summary in summaries.iter().filter(|summary| is_same_table(&summary.table, name)) {
        state.commits += u64::from(summary.committed);
        state.files.added += summary.files_added as i64;
        state.files.removed += summary.files_removed as i64;
        state.files.scanned += summary.files_scanned as i64;
        state.files.skipped += summary.files_skipped as i64;
        if summary.committed {
            for (metric, value) in &summary.metrics {
                *state.metrics.entry(metric.clone()).or_default() += value.parse::<i64>().unwrap_or(0);
            }
        }
    }
    state
}

// Checks write a table's name as the lesson does, perhaps with a catalog or schema before it.
fn is_same_table(left: &str, right: &str) -> bool {
    let parts = |name: &str| name.replace('`', "").to_lowercase().split('.').map(str::to_owned).collect::<Vec<_>>();
    let (left, right) = (parts(left), parts(right));
    left.iter().rev().zip(right.iter().rev()).all(|(left, right)| left == right)
}

/// The rows of a query, all of them.
async fn answer(sandbox: &mut Sandbox, query: &str) -> Answer {
    match Box::pin(rows(sandbox, query)).await {
        Ok(rows) => Answer::Rows(rows),
        Err(diagnostic) => Answer::Failed(failure(&diagnostic)),
    }
}

async fn rows(sandbox: &mut Sandbox, query: &str) -> Result<Rows, Diagnostic> {
    let mut last = Rows::default();
    for item in items(query) {
        let statement = match item {
            Item::Statement(statement) => statement,
            Item::Unreadable(diagnostic) => return Err(diagnostic),
        };
        let outcome = Box::pin(sandbox.execute(query, &statement, &mut Silent)).await?;
        if let Some(rows) = outcome.rows {
            last = Rows {
                columns: rows.columns.iter().map(|column| column.name.clone()).collect(),
                rows: rows_of_all(&rows.batches, usize::MAX)?,
            };
        }
    }
    Ok(last)
}

fn failure(diagnostic: &Diagnostic) -> Failure {
    Failure { condition: diagnostic.condition.clone(), message: diagnostic.message.clone() }
}
