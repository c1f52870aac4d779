//! What the judge says.

use serde::{Deserialize, Serialize};

/// The judgement of a text, one test per check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Equals [`crate::FORMAT_VERSION`].
    pub version: u32,
    pub status: Status,
    /// The name of the recorded mistake that the text made, if it is one.
    pub mistake: Option<String>,
    /// The index in `tests` of the failure to show first.
    pub shown: Option<usize>,
    /// The test `run` first, then one per check of the exercise, in its order.
    pub tests: Vec<Test>,
}

/// The verdict as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Every expectation holds on every variant.
    Passed,
    Failed,
    /// The lesson itself could not be run: its setup, a patch or its solution failed.
    Broken,
}

/// One expectation over all variants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// The check's id, or `run`.
    pub id: String,
    /// The check's title.
    pub name: String,
    pub status: TestStatus,
    /// Empty if it passed.
    pub message: String,
    /// The first variant on which it failed.
    pub variant: Option<String>,
    /// The rows that show the failure.
    pub rows: Option<RowDiff>,
    /// The step of the trace to open. The judge sees no trace and leaves it empty; a host may set it.
    pub step: Option<u64>,
}

/// How a test went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestStatus {
    Passed,
    Failed,
    /// The text failed before it could be asked, on the first variant that asks it.
    Skipped,
}

/// A difference between rows expected and rows found, at most a handful of each.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RowDiff {
    pub columns: Vec<String>,
    /// Expected and not found.
    pub missing: Vec<Vec<Option<String>>>,
    /// Found and not expected.
    pub unexpected: Vec<Vec<Option<String>>>,
    /// An expected row and the found row most like it.
    pub changed: Vec<ChangedRow>,
    /// How many further rows differ.
    pub more: u64,
}

/// One row, as it should be and as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangedRow {
    pub expected: Vec<Option<String>>,
    pub found: Vec<Option<String>>,
}
