//! What the site's build puts beside the page, as far as the page reads it.

use crate::json::{Misfit, member, read};
use crate::shared::Shared;
use lesson::{Block, Code, Script, Variant};
use protocol::RunReport;
use serde::Deserialize;

/// `lessons/index.json`: the course in order.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Course {
    pub lessons: Vec<CourseLesson>,
}

/// One line of the lesson list.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CourseLesson {
    pub id: String,
    pub slug: String,
    pub title: String,
    pub minutes: u32,
}

/// `lessons/<slug>.json`: a lesson and the recorded report of its first run.
#[derive(Debug, Clone, PartialEq)]
pub struct LessonFile {
    pub lesson: Lesson,
    /// The lesson's JSON as it came. A check hands it to the engine, which reads all of it.
    pub text: String,
    pub trace: Option<Shared<RunReport>>,
    /// Another content is another version.
    pub version: String,
}

/// The part of `lesson::Lesson` that is shown. Checks and solutions are the engine's business:
/// leaving them out keeps the code that reads them out of the page.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Lesson {
    pub title: String,
    pub clock: String,
    pub setup: String,
    pub blocks: Vec<Block>,
    pub exercises: Vec<Exercise>,
}

/// The part of `lesson::Exercise` that is shown.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Exercise {
    pub id: String,
    pub title: String,
    pub task: Vec<Block>,
    pub setup: String,
    pub starter: Script,
    pub hints: Vec<String>,
    pub variants: Vec<Variant>,
    pub mistakes: Vec<Mistake>,
}

/// The name of a wrong answer and the sentence that it earns.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Mistake {
    pub name: String,
    pub says: String,
}

impl LessonFile {
    /// Reads the file's text; it fails where the text is not what this page's build writes.
    pub fn read(text: &str) -> Result<LessonFile, Misfit> {
        #[derive(Deserialize)]
        struct File {
            lesson: Lesson,
            #[serde(default)]
            trace: Option<RunReport>,
        }
        let File { lesson, trace } = read(text)?;
        let text = member(text, "lesson")?.unwrap_or_default().to_string();
        let version = super::fingerprint(&text);
        Ok(LessonFile { lesson, text, trace: trace.map(Shared::new), version })
    }

    /// A solution of an exercise, and the author's words about it as HTML. Read only when it is asked for.
    pub fn solution(&self, exercise: &str) -> Option<String> {
        #[derive(Deserialize)]
        struct Answers {
            exercises: Vec<Answer>,
        }
        #[derive(Deserialize)]
        struct Answer {
            id: String,
            solution: Script,
        }
        let answers: Answers = read(&self.text).ok()?;
        answers.exercises.into_iter().find(|answer| answer.id == exercise).map(|answer| answer.solution.text)
    }
}

impl Lesson {
    /// The exercise with this id.
    pub fn exercise(&self, id: &str) -> Option<&Exercise> {
        self.exercises.iter().find(|exercise| exercise.id == id)
    }

    /// The statement whose run was recorded: the first that a reader can run.
    pub fn first_run(&self) -> Option<&Code> {
        self.blocks.iter().find_map(|block| match block {
            Block::Code(code) => Some(code),
            Block::Twin(twin) => Some(&twin.first),
            Block::Html(_) | Block::Predict(_) | Block::Exercise(_) => None,
        })
    }
}
