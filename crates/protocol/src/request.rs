//! What the page asks.

use serde::{Deserialize, Serialize};

/// A body and the id that ties requests, notes and replies together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Envelope<T> {
    pub id: u64,
    pub body: T,
}

/// Everything the page may ask of the engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case")]
pub enum Request {
    /// The first message: the page's protocol version and build.
    Hello { version: u32, build: String },
    /// Forget everything, build `setup` at `clock` (ISO instant), then run `text`.
    /// The reply holds a report per statement of `text`; a failing setup is an error.
    Run { setup: String, text: String, clock: Option<String> },
    /// Run `text` on what is there.
    Continue { text: String },
    /// Bring the playground to where `steps` lead, then run `text` there. What is there already is not run again.
    /// The reply is about `text` only; a step that fails is an error of the whole run.
    Play { steps: Vec<PlayStep>, text: String },
    /// Check a learner's text against the exercise of a lesson, given as the JSON that the build
    /// made from the lesson's file (`lesson::Lesson`).
    Check { lesson: Box<lesson::Lesson>, exercise: String, text: String },
    /// The state of a table: files, log, history.
    Table { name: String },
    /// What can be told about `text` without running it, after `setup` at `clock`. Without a setup the text is about what
    /// is there. Changes nothing: what was run stays as it is.
    Assist { setup: Option<String>, text: String, clock: Option<String> },
    /// The keywords and functions of the language.
    Words,
    /// A hash of every object in the store, for the test that native and browser write the same bytes.
    Fingerprints,
    /// Development only: panic on purpose, to test that nothing of the learner's is lost.
    Panic,
}

/// One step of a playground, in the order in which they were taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayStep {
    /// Statements, or a Python program, that ran without an error.
    Sql(String),
    /// The files that the page handed over under this key, as a new table.
    File { key: String, table: String },
}
