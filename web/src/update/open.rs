//! Going to a place, and the files that make it.

use crate::effect::Effect;
use crate::model::{
    Course, Desk, EnginePhase, Lesson, LessonFile, Load, Model, Origin, PLAYGROUND, Sheet, SheetKind, Shown,
};
use crate::msg::Saved;
use crate::route::Route;
use crate::shared::Shared;
use crate::update::{engine, show, view};
use lesson::Block;

/// What the playground holds for a first visitor.
const PLAYGROUND_TEXT: &str = "\
CREATE TABLE prices (sku STRING, price DECIMAL(8,2)) USING DELTA;
INSERT INTO prices VALUES ('mug', 9.50), ('pen', 1.20);
MERGE INTO prices AS p
USING (SELECT * FROM VALUES ('mug', 8.90), ('jar', 4.00) AS v(sku, price)) AS s
ON p.sku = s.sku
WHEN MATCHED THEN UPDATE SET *
WHEN NOT MATCHED THEN INSERT *;
SELECT * FROM prices ORDER BY sku;
";

pub(super) fn opened(model: &mut Model, route: Route) -> Vec<Effect> {
    model.route = match (&route, &model.course) {
        (Route::Start, Load::Ready(course)) => first_lesson(course),
        _ => route.clone(),
    };
    let mut effects = Vec::new();
    if model.route != route {
        effects.push(Effect::Redirect(model.route.clone()));
    }
    let Some(place) = model.place().map(str::to_string) else { return effects };
    let failed = model.desks.get(&place).is_some_and(|desk| matches!(desk.file, Load::Failed(_)));
    if failed || model.desks.get(&place).is_none() {
        model.desks.put(&place, Desk::waiting());
        effects.push(match model.route {
            Route::Playground => Effect::OpenPlayground(PLAYGROUND),
            _ => Effect::FetchLesson(place),
        });
    }
    effects.push(Effect::SetTitle(title(model)));
    effects
}

fn first_lesson(course: &Course) -> Route {
    course.lessons.first().map_or(Route::Playground, |lesson| Route::Lesson(lesson.slug.clone()))
}

fn title(model: &Model) -> String {
    match (&model.route, model.desk().and_then(Desk::lesson_file)) {
        (Route::Playground, _) => "Playground · MergeLab".to_string(),
        (_, Some(file)) => format!("{} · MergeLab", file.lesson.title),
        (_, None) => "MergeLab".to_string(),
    }
}

pub(super) fn course_loaded(model: &mut Model, course: Result<Course, String>) -> Vec<Effect> {
    match course {
        Ok(course) => model.course = Load::Ready(Shared::new(course)),
        Err(problem) => {
            model.course = Load::Failed(format!("The list of lessons could not be loaded: {problem}"));
            // The playground needs no lesson; a page that only says "failed" would be a dead end.
            if model.route == Route::Start {
                let mut effects = vec![Effect::Redirect(Route::Playground)];
                effects.extend(opened(model, Route::Playground));
                return effects;
            }
        }
    }
    if model.route == Route::Start { opened(model, Route::Start) } else { Vec::new() }
}

pub(super) fn lesson_loaded(
    model: &mut Model,
    slug: &str,
    file: Result<Box<LessonFile>, String>,
    saved: Saved,
) -> Vec<Effect> {
    let Some(desk) = model.desks.get_mut(slug) else { return Vec::new() };
    match file {
        Ok(file) => {
            desk.sheets = sheets(&file.lesson);
            let file = Shared::new(*file);
            desk.file = Load::Ready(Some(file.clone()));
            restore(&mut desk.sheets, saved);
            show_recorded(desk, &file);
        }
        Err(problem) => desk.file = Load::Failed(format!("This lesson could not be loaded: {problem}")),
    }
    let mut effects = Vec::new();
    if model.place() == Some(slug) {
        effects.push(Effect::SetTitle(title(model)));
    }
    effects.extend(want_engine(model));
    effects
}

pub(super) fn playground_loaded(model: &mut Model, saved: Saved) -> Vec<Effect> {
    if let Some(desk) = model.desks.get_mut(PLAYGROUND) {
        desk.file = Load::Ready(None);
        desk.sheets = vec![Sheet::new("script", "Script", SheetKind::Free, PLAYGROUND_TEXT)];
        restore(&mut desk.sheets, saved);
    }
    want_engine(model)
}

/// Engine and editor are large: what the reader sees first goes first over the wire.
fn want_engine(model: &mut Model) -> Vec<Effect> {
    let mut effects = view::want_editor(model);
    if model.engine.phase == EnginePhase::Off {
        effects.extend(engine::start(model));
    }
    effects
}

/// One sheet per example and per exercise, in the order of the article.
fn sheets(lesson: &Lesson) -> Vec<Sheet> {
    let mut sheets = Vec::new();
    for block in &lesson.blocks {
        let codes = match block {
            Block::Code(code) => vec![code],
            Block::Twin(twin) => vec![&twin.first, &twin.second],
            Block::Exercise(id) => {
                if let Some(exercise) = lesson.exercise(id) {
                    let kind = SheetKind::Exercise(exercise.id.clone());
                    let id = format!("exercise-{}", exercise.id);
                    sheets.push(Sheet::new(&id, &exercise.title, kind, &exercise.starter.text));
                }
                continue;
            }
            Block::Html(_) | Block::Predict(_) => continue,
        };
        for code in codes {
            let label = if code.label.is_empty() { "Example" } else { &code.label };
            sheets.push(Sheet::new(&code.name, label, SheetKind::Example, &code.text));
        }
    }
    sheets
}

fn restore(sheets: &mut [Sheet], saved: Saved) {
    for (id, text) in saved.texts {
        if let Some(sheet) = sheets.iter_mut().find(|sheet| sheet.id == id) {
            sheet.text = text;
        }
    }
    for id in saved.solved {
        if let Some(sheet) = sheets.iter_mut().find(|sheet| sheet.id == id) {
            sheet.solved = true;
        }
    }
}

/// Puts the recorded run on the stage, so that there is something to step through at once.
fn show_recorded(desk: &mut Desk, file: &LessonFile) {
    let (Some(report), Some(first)) = (&file.trace, file.lesson.first_run()) else { return };
    let Some(sheet) = desk.sheets.iter().position(|sheet| sheet.id == first.name) else { return };
    desk.sheet = sheet;
    desk.shown = Some(Shown {
        text: first.text.clone(),
        sheet,
        origin: Origin::Recorded,
        variant: None,
        report: Shared::new(report.clone()),
        statement: None,
        twin: None,
    });
    show::pick_last(desk);
}
