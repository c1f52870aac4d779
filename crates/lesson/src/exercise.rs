//! An exercise: task, checks, and the wrong answers that have a name.

use serde::{Deserialize, Serialize};

use crate::{Block, Language};

/// A task that a learner's text solves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exercise {
    /// Unique in the lesson, e.g. `a`.
    pub id: String,
    pub title: String,
    /// The task's prose; only [`Block::Html`].
    pub task: Vec<Block>,
    /// SQL run after the lesson's setup, for this exercise only.
    pub setup: String,
    pub starter: Script,
    pub solution: Script,
    /// Rendered prose, the weakest first.
    pub hints: Vec<String>,
    /// In order: the first failure is the one that is shown.
    pub checks: Vec<Check>,
    /// Patched data, besides the unpatched `BASE`.
    pub variants: Vec<Variant>,
    pub mistakes: Vec<Mistake>,
    /// Where its heading stands in the file.
    pub line: u32,
}

impl Exercise {
    /// The name of the data as the setup leaves it.
    pub const BASE: &'static str = "BASE";
    /// The id of the check that every exercise has: the text runs without an error (unless an `error` check
    /// asks for one).
    pub const RUN: &'static str = "run";
}

/// A text in a language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Script {
    pub language: Language,
    pub text: String,
}

/// A patch of the data, hidden from the task, named and openable after a failure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// In capitals, e.g. `TIE`.
    pub name: String,
    /// One sentence that tells a learner what is different.
    pub summary: String,
    /// SQL applied after the setup.
    pub patch: String,
    /// Where the fence opens in the file.
    pub line: u32,
}

/// A wrong answer with a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mistake {
    pub name: String,
    /// The variant on which it fails first.
    pub variant: String,
    /// The check that it fails there first.
    pub check: String,
    /// The sentence it earns.
    pub says: String,
    pub script: Script,
    /// Where the fence opens in the file.
    pub line: u32,
}

/// One expectation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// Unique in the exercise.
    pub id: String,
    /// What the learner reads beside the tick.
    pub title: String,
    /// What the learner reads on failure, before the numbers; empty for the numbers alone.
    pub message: String,
    /// The variants on which it is asked; empty for all.
    pub variants: Vec<String>,
    pub kind: CheckKind,
    /// Where the fence opens in the file.
    pub line: u32,
}

impl Check {
    /// Whether the check is asked on this variant.
    pub fn applies_to(&self, variant: &str) -> bool {
        self.variants.is_empty() || self.variants.iter().any(|name| name == variant)
    }
}

/// What a check asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "type")]
pub enum CheckKind {
    /// The rows equal the solution's, columns by position and name.
    RowsEqual { of: Rowset, order: Order },
    /// A metric of the commits that the text made to a table.
    Metric { table: String, metric: String, bound: Bound },
    /// Counts of files of a table that the text added, removed, scanned, skipped.
    Files { table: String, bounds: Vec<FileBound> },
    /// The text fails with this condition.
    Error { condition: String },
    /// The query returns no row.
    Invariant { query: String },
    /// A second run of the text leaves the rows of these tables as they are.
    Idempotent { tables: Vec<String> },
}

/// Whose rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rowset {
    Table(String),
    Query(String),
}

/// Whether the order of rows counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Rows are a bag.
    Any,
    /// The order is part of the answer.
    Exact,
}

/// What a number must satisfy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    Equals(i64),
    AtMost(i64),
    AtLeast(i64),
    /// The number that the solution has on the same variant.
    SameAsSolution,
}

/// A counter and what it must satisfy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileBound {
    pub counter: Counter,
    pub bound: Bound,
}

/// A count of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counter {
    Added,
    Removed,
    Scanned,
    Skipped,
}
