//! What a host must run, and the shape in which it tells what came out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Block, CheckKind, Code, Counter, Exercise, Lesson, Mistake, Prediction, Quantity, Rowset};

/// One run in a fresh sandbox; see the crate's documentation for the steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// `BASE` or the name of a variant; copied into the observation.
    pub variant: String,
    /// Where the sandbox's clock starts, ISO 8601.
    pub clock: String,
    /// Scripts that build the data; none of them is empty.
    pub prepare: Vec<String>,
    /// The text under test.
    pub text: String,
    /// How often `text` runs: 1 or 2.
    pub runs: u32,
    /// Tables to observe after each run.
    pub tables: Vec<String>,
    /// Queries to ask after each run.
    pub queries: Vec<String>,
}

/// What came out of a [`Session`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    pub variant: String,
    /// The failure of a `prepare` script; then `runs` is empty.
    pub prepared: Option<Failure>,
    /// One per run that took place.
    pub runs: Vec<Outcome>,
}

/// The state after one run of the text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The failure of the first failing statement. Tables and queries are observed all the same.
    pub error: Option<Failure>,
    /// As many as the session's `tables`, in that order.
    pub tables: Vec<TableState>,
    /// As many as the session's `queries`, in that order.
    pub queries: Vec<Answer>,
}

/// A table after a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableState {
    pub name: String,
    /// Of `SELECT * FROM name`.
    pub rows: Answer,
    /// How many commits the text made to it.
    pub commits: u64,
    /// Operation metrics of those commits, summed by name.
    pub metrics: BTreeMap<String, i64>,
    pub files: FileCounts,
}

/// Data files, summed over the text's statements that write to the table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileCounts {
    pub added: i64,
    pub removed: i64,
    /// Files that survived pruning and were read to find matches.
    pub scanned: i64,
    /// Files that pruning left out.
    pub skipped: i64,
}

impl FileCounts {
    /// The count that `counter` names.
    pub fn get(&self, counter: Counter) -> i64 {
        match counter {
            Counter::Added => self.added,
            Counter::Removed => self.removed,
            Counter::Scanned => self.scanned,
            Counter::Skipped => self.skipped,
        }
    }
}

/// Rows, or why there are none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Rows(Rows),
    Failed(Failure),
}

/// Rows as text, NULL as `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rows {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Option<String>>>,
}

/// An error of a statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Delta's or Spark's name of it, without brackets.
    pub condition: String,
    pub message: String,
}

/// A recorded mistake and what it gives on its own variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MistakeRun {
    pub name: String,
    pub observation: Observation,
}

/// A `run`, `twin` or `error` fence, to be run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Example {
    pub name: String,
    /// The condition with which it must fail; `None` if it must run.
    pub error: Option<String>,
    pub session: Session,
}

/// What must be run to check `text`: one session for `BASE`, then one per variant in the order of the exercise.
pub fn plan_checks(lesson: &Lesson, exercise: &Exercise, text: &str) -> Vec<Session> {
    let base = plan_variant(lesson, exercise, Exercise::BASE, text);
    let variants = exercise.variants.iter().map(|variant| plan_variant(lesson, exercise, &variant.name, text));
    std::iter::once(base).chain(variants).collect()
}

/// What must be run to see whether a learner made this mistake.
pub fn plan_mistake(lesson: &Lesson, exercise: &Exercise, mistake: &Mistake) -> Session {
    plan_variant(lesson, exercise, &mistake.variant, &mistake.script.text)
}

/// The lesson's examples, in order, each on the lesson's setup alone.
pub fn plan_examples(lesson: &Lesson) -> Vec<Example> {
    examples(lesson)
        .into_iter()
        .map(|code| Example {
            name: code.name.clone(),
            error: code.error.clone(),
            session: plan_text(lesson, &code.text, Vec::new(), Vec::new()),
        })
        .collect()
}

/// What must be run to answer a prediction; `None` if no example has the name that it gives.
pub fn plan_prediction(lesson: &Lesson, prediction: &Prediction) -> Option<Session> {
    let code = examples(lesson).into_iter().find(|code| code.name == prediction.run)?;
    let (tables, queries) = match &prediction.quantity {
        Quantity::Query(query) => (Vec::new(), vec![query.clone()]),
        Quantity::Metric { table, .. } | Quantity::Files { table, .. } => (vec![table.clone()], Vec::new()),
    };
    Some(plan_text(lesson, &code.text, tables, queries))
}

/// The answer to a prediction, from what its session gave; `None` if the run failed or gave no single value.
pub fn answer(prediction: &Prediction, observation: &Observation) -> Option<String> {
    let outcome = observation.runs.first().filter(|outcome| outcome.error.is_none())?;
    match &prediction.quantity {
        Quantity::Query(_) => match outcome.queries.first()? {
            Answer::Rows(rows) => match rows.rows.as_slice() {
                [row] => row.first()?.clone(),
                _ => None,
            },
            Answer::Failed(_) => None,
        },
        Quantity::Metric { metric, .. } => Some(outcome.tables.first()?.metrics.get(metric)?.to_string()),
        Quantity::Files { counter, .. } => Some(outcome.tables.first()?.files.get(*counter).to_string()),
    }
}

/// The tables and queries that the checks of an exercise look at, each once, in order of first use.
pub(crate) fn watched(exercise: &Exercise) -> (Vec<String>, Vec<String>) {
    let mut tables: Vec<String> = Vec::new();
    let mut queries: Vec<String> = Vec::new();
    for check in &exercise.checks {
        match &check.kind {
            CheckKind::RowsEqual { of: Rowset::Query(query), .. } | CheckKind::Invariant { query } => {
                push_new(&mut queries, query);
            }
            CheckKind::RowsEqual { of: Rowset::Table(table), .. }
            | CheckKind::Metric { table, .. }
            | CheckKind::Files { table, .. } => push_new(&mut tables, table),
            CheckKind::Idempotent { tables: names } => names.iter().for_each(|name| push_new(&mut tables, name)),
            CheckKind::Error { .. } => {}
        }
    }
    (tables, queries)
}

pub(crate) fn examples(lesson: &Lesson) -> Vec<&Code> {
    lesson
        .blocks
        .iter()
        .flat_map(|block| match block {
            Block::Code(code) => vec![code],
            Block::Twin(twin) => vec![&twin.first, &twin.second],
            Block::Html(_) | Block::Predict(_) | Block::Exercise(_) => Vec::new(),
        })
        .collect()
}

fn plan_variant(lesson: &Lesson, exercise: &Exercise, variant: &str, text: &str) -> Session {
    let patch = exercise.variants.iter().find(|known| known.name == variant).map(|known| known.patch.clone());
    let runs_twice = exercise
        .checks
        .iter()
        .any(|check| matches!(check.kind, CheckKind::Idempotent { .. }) && check.applies_to(variant));
    let (tables, queries) = watched(exercise);
    let mut session = plan_text(lesson, text, tables, queries);
    session.variant = variant.to_owned();
    session.prepare.extend(
        [exercise.setup.clone(), patch.unwrap_or_default()].into_iter().filter(|script| !script.trim().is_empty()),
    );
    session.runs = if runs_twice { 2 } else { 1 };
    session
}

fn plan_text(lesson: &Lesson, text: &str, tables: Vec<String>, queries: Vec<String>) -> Session {
    Session {
        variant: Exercise::BASE.to_owned(),
        clock: lesson.clock.clone(),
        prepare: Some(lesson.setup.clone()).into_iter().filter(|script| !script.trim().is_empty()).collect(),
        text: text.to_owned(),
        runs: 1,
        tables,
        queries,
    }
}

fn push_new(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}
