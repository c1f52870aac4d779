//! Lessons as data, what must be run to check a learner's text, and the pure judge of what came out.
//!
//! The crate runs no SQL. A host (browser worker or native program) runs it, in three moves:
//!
//! ```text
//! let learner  = plan_checks(&lesson, exercise, text)                    // Vec<Session>, BASE first
//! let solution = plan_checks(&lesson, exercise, &exercise.solution.text)
//! // the host runs each Session and returns one Observation per Session, in the same order
//! let verdict  = judge(exercise, &learner_seen, &solution_seen, &[]);
//! // only after a failure: run the recorded mistakes that could explain it, and judge again
//! for mistake in candidates(exercise, &verdict) {
//!     let session = plan_mistake(&lesson, exercise, mistake);            // one Session
//!     runs.push(MistakeRun { name: mistake.name.clone(), observation });
//! }
//! let verdict  = judge(exercise, &learner_seen, &solution_seen, &runs);
//! ```
//!
//! To run one [`Session`] the host takes a fresh sandbox whose clock starts at `clock` and
//! 1. runs the scripts of `prepare` in order. The first failure goes into [`Observation::prepared`], and
//!    the session ends there with no runs: that is a broken lesson, not a wrong answer;
//! 2. runs `text`, as a script that stops at its first failing statement, and observes: an [`Outcome`]
//!    with that failure, one [`TableState`] per name in `tables` and one [`Answer`] per query in
//!    `queries`, both in the order of the session;
//! 3. if `runs` is 2 and the first run did not fail, runs `text` once more on what is there and
//!    appends a second [`Outcome`].
//!
//! A value is observed as the text that Spark's `CAST(… AS STRING)` gives, NULL as `None`. Metrics and file
//! counts are sums over the statements of `text` in this run that wrote to (or tried to write to) the table.
//!
//! | to do | plan | judge |
//! |---|---|---|
//! | check a learner's text | [`plan_checks`], [`plan_mistake`] | [`judge()`] |
//! | run the examples of a lesson | [`plan_examples`] | [`gates::example_runs`] |
//! | compute the answer of a prediction | [`plan_prediction`] | [`answer`] |
//! | check a lesson | the above | [`lint()`], [`gates`] |
//!
//! With the feature `parse` the crate also reads `lessons/course.toml` and the Markdown of a lesson; the
//! grammar is told in `lessons/README.md` and in the module `parse`. Page and engine do not switch it on.

mod diff;
mod exercise;
pub mod gates;
mod judge;
mod lint;
mod model;
#[cfg(feature = "parse")]
mod parse;
mod session;
mod verdict;

pub use diff::diff;
pub use exercise::{Bound, Check, CheckKind, Counter, Exercise, FileBound, Mistake, Order, Rowset, Script, Variant};
pub use judge::{candidates, judge};
pub use lint::{Problem, lint, stray_files};
pub use model::{Block, Code, Course, Editor, Kind, Language, Lesson, Prediction, Quantity, Track, Twin};
#[cfg(feature = "parse")]
pub use parse::{parse, parse_course};
pub use session::{
    Answer, Example, Failure, FileCounts, MistakeRun, Observation, Outcome, Rows, Session, TableState, answer,
    plan_checks, plan_examples, plan_mistake, plan_prediction,
};
pub use verdict::{ChangedRow, RowDiff, Status, Test, TestStatus, Verdict};

/// The `format_version` of `course.toml` and the `version` of a verdict that this crate reads and writes.
pub const FORMAT_VERSION: u32 = 1;
