//! `mergelab site`: the lessons as the page loads them, each with the recorded run of its first statement.

use crate::course::Loaded;
use anyhow::{Context, Result, bail};
use host::{Host, Interpreter, observe};
use lesson::{Block, Lesson};
use protocol::{ReplyBody, Request};
use serde_json::json;
use std::fs;
use std::path::Path;

/// Writes `index.json` and one `<slug>.json` per lesson into `out`.
///
/// # Errors
/// A lesson whose first statement does not run; the folder cannot be written.
pub async fn write(loaded: &Loaded, out: &Path, interpreter: &Interpreter) -> Result<usize> {
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let line = |lesson: &Lesson| json!({ "id": lesson.id, "slug": lesson.slug, "title": lesson.title, "minutes": lesson.minutes });
    let index = json!({
        "tracks": loaded.course.tracks,
        "lessons": loaded.lessons.iter().map(line).collect::<Vec<_>>(),
    });
    fs::write(out.join("index.json"), index.to_string())?;
    for lesson in &loaded.lessons {
        let mut lesson = lesson.clone();
        answer_predictions(&mut lesson, interpreter).await;
        let trace = recorded(&lesson, interpreter).await?;
        let file = json!({ "lesson": lesson, "trace": trace });
        fs::write(out.join(format!("{}.json", lesson.slug)), file.to_string())?;
    }
    Ok(loaded.lessons.len())
}

/// The report of the statement that the editor holds when the lesson opens.
async fn recorded(lesson: &Lesson, interpreter: &Interpreter) -> Result<Option<protocol::RunReport>> {
    let Some(code) = lesson.first_run() else { return Ok(None) };
    let request =
        Request::Run { setup: lesson.setup.clone(), text: code.text.clone(), clock: Some(lesson.clock.clone()) };
    match Host::new("recorder").waiting_at(interpreter).handle(request, &mut |_| {}).await {
        ReplyBody::Ran(report) if report.errors.is_empty() => Ok(Some(*report)),
        ReplyBody::Ran(report) => bail!("{}: {}", lesson.slug, report.errors[0].message),
        other => bail!("{}: {other:?}", lesson.slug),
    }
}

async fn answer_predictions(lesson: &mut Lesson, interpreter: &Interpreter) {
    let unanswered = lesson.clone();
    for block in &mut lesson.blocks {
        let Block::Predict(prediction) = block else { continue };
        if let Some(session) = lesson::plan_prediction(&unanswered, prediction) {
            prediction.answer = lesson::answer(prediction, &observe(&session, interpreter).await);
        }
    }
}
