//! What a lesson is once it is parsed: plain data that travels as JSON to page and worker.

use serde::{Deserialize, Serialize};

use crate::{Counter, Exercise};

/// The table of contents, from `lessons/course.toml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Course {
    /// Equals [`crate::FORMAT_VERSION`], or the course is refused.
    pub format_version: u32,
    /// In the order in which they are shown.
    pub tracks: Vec<Track>,
}

/// A sequence of lessons.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// The folder under `lessons/`.
    pub id: String,
    pub title: String,
    /// Slugs, in order: `lessons/<track>/<slug>.md`.
    pub lessons: Vec<String>,
}

/// One lesson: an article that can be run, and its exercises.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// Stable and never reused, e.g. `T1.2`.
    pub id: String,
    /// The track's folder.
    pub track: String,
    /// The file's name without `.md`.
    pub slug: String,
    pub title: String,
    pub minutes: u32,
    pub concepts: Vec<String>,
    /// Ids of lessons that help to have read; advice, never a lock.
    pub requires: Vec<String>,
    /// Lines of the source texts that the lesson covers, e.g. `S0:13-33`.
    pub covers: Vec<String>,
    pub kind: Kind,
    /// The instant at which the sandbox's clock starts, in ISO 8601.
    pub clock: String,
    pub editor: Editor,
    /// SQL that builds the tables, run before every example and every check.
    pub setup: String,
    /// The article, in order.
    pub blocks: Vec<Block>,
    /// In the order of their [`Block::Exercise`].
    pub exercises: Vec<Exercise>,
}

impl Lesson {
    /// The exercise with this id, if the lesson has one.
    pub fn exercise(&self, id: &str) -> Option<&Exercise> {
        self.exercises.iter().find(|exercise| exercise.id == id)
    }

    /// The first statement that a reader can run: what the editor holds when the lesson opens.
    pub fn first_run(&self) -> Option<&Code> {
        self.blocks.iter().find_map(|block| match block {
            Block::Code(code) => Some(code),
            Block::Twin(twin) => Some(&twin.first),
            Block::Html(_) | Block::Predict(_) | Block::Exercise(_) => None,
        })
    }
}

/// Whether the real engine runs the lesson's statements. The page shows which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Real,
    Simulated,
}

/// What the lesson's editor offers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Editor {
    pub languages: Vec<Language>,
}

/// The language of a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    Sql,
    Python,
}

/// A piece of the article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// Prose, rendered and escaped.
    Html(String),
    /// A statement that the reader can run.
    Code(Code),
    /// Two statements to run side by side on the same data.
    Twin(Twin),
    /// A question to answer before running.
    Predict(Prediction),
    /// The place of the exercise with this id.
    Exercise(String),
}

/// An example: a script that runs on the lesson's setup alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Code {
    /// Unique in the lesson.
    pub name: String,
    /// What the page writes above it; empty for none.
    pub label: String,
    pub language: Language,
    pub text: String,
    /// The condition with which it must fail; `None` if it must run.
    pub error: Option<String>,
    /// Where the fence opens in the file.
    pub line: u32,
}

/// Two examples for one scrubber.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Twin {
    /// The name of `first`.
    pub name: String,
    pub first: Code,
    pub second: Code,
}

/// A question whose answer the engine computes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// Unique in the lesson.
    pub name: String,
    /// Rendered, as HTML.
    pub question: String,
    /// The name of the example that is run to find out.
    pub run: String,
    pub quantity: Quantity,
    /// Wrong answers to choose from.
    pub distractors: Vec<String>,
    /// Never written by an author: `None` until a host has filled in what [`crate::answer`] gave.
    pub answer: Option<String>,
    /// Where the fence opens in the file.
    pub line: u32,
}

/// What a prediction asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// The single value of a query, asked after the run.
    Query(String),
    /// A metric of the commit.
    Metric { table: String, metric: String },
    /// A count of files.
    Files { table: String, counter: Counter },
}
