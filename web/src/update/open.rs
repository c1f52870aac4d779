//! Going to a place, and the files that make it.

use crate::effect::Effect;
use crate::model::{
    Course, Desk, EnginePhase, Lesson, LessonFile, Load, Model, Origin, PLAYGROUND, Pane, Saved, Sheet, SheetKind,
    Shown,
};
use crate::route::Route;
use crate::shared::Shared;
use crate::update::keep::restore;
use crate::update::{engine, playground, share, show, view};
use lesson::Block;

/// What the playground holds for a first visitor.
const PLAYGROUND_TEXT: &str = include_str!("../../ready/upsert.sql");

pub(super) fn opened(model: &mut Model, route: Route) -> Vec<Effect> {
    if let Route::Shared(fragment) = &route {
        return shared(model, fragment.clone());
    }
    model.route = match (&route, &model.course) {
        (Route::Start, Load::Ready(course)) => first_lesson(course),
        _ => route.clone(),
    };
    let mut effects = Vec::new();
    if model.route != route {
        effects.push(Effect::Redirect(model.route.clone()));
    }
    effects.extend(open_desk(model));
    effects
}

/// A link shows what it carries; its address stays, so that a reload opens it again.
fn shared(model: &mut Model, fragment: String) -> Vec<Effect> {
    match share::opened(model, &fragment) {
        Ok(Some(lesson)) => model.route = lesson,
        Ok(None) => {
            model.route = Route::Shared(fragment);
            model.pane = Pane::Code;
        }
        Err(sentence) => {
            let mut effects = opened(model, Route::Start);
            model.status = sentence;
            effects.retain(|effect| !matches!(effect, Effect::FetchCourse));
            return effects;
        }
    }
    let effects = open_desk(model);
    // A lesson that is open already has nothing to wait for.
    if let Some(place) = model.place().map(str::to_string).filter(|place| has_sheets(model, place)) {
        share::arrived(model, &place);
    }
    effects
}

fn has_sheets(model: &Model, place: &str) -> bool {
    model.desks.get(place).is_some_and(|desk| !desk.sheets.is_empty())
}

fn open_desk(model: &mut Model) -> Vec<Effect> {
    let mut effects = Vec::new();
    let Some(place) = model.place().map(str::to_string) else { return effects };
    let failed = model.desks.get(&place).is_some_and(|desk| matches!(desk.file, Load::Failed(_)));
    if failed || model.desks.get(&place).is_none() {
        model.desks.put(&place, Desk::waiting());
        effects.push(match model.route {
            Route::Playground => Effect::OpenPlayground(PLAYGROUND),
            // `shared` has put its desk there.
            Route::Shared(_) => return effects,
            _ => Effect::FetchLesson(place),
        });
    }
    effects.push(Effect::SetTitle(title(model)));
    if matches!(model.route, Route::Shared(_)) {
        effects.extend(want_engine(model));
    }
    effects
}

fn first_lesson(course: &Course) -> Route {
    course.lessons.first().map_or(Route::Playground, |lesson| Route::Lesson(lesson.slug.clone()))
}

fn title(model: &Model) -> String {
    match (&model.route, model.desk().and_then(Desk::lesson_file)) {
        (Route::Playground | Route::Shared(_), _) => "Playground · MergeLab".to_string(),
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
    let step = model.embed.as_ref().and_then(|embed| embed.step);
    let Some(desk) = model.desks.get_mut(slug) else { return Vec::new() };
    match file {
        Ok(file) => {
            desk.sheets = sheets(&file.lesson);
            let file = Shared::new(*file);
            desk.file = Load::Ready(Some(file.clone()));
            restore(&mut desk.sheets, &saved.sheets);
            show_recorded(desk, &file);
            if let Some(step) = step {
                show::go_to_step(desk, step);
            }
        }
        Err(problem) => desk.file = Load::Failed(format!("This lesson could not be loaded: {problem}")),
    }
    share::arrived(model, slug);
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
        restore(&mut desk.sheets, &saved.sheets);
        desk.ledger.is_stale = !saved.steps.is_empty();
        desk.ledger.steps = saved.steps;
        desk.ledger.at = saved.steps_at;
    }
    let mut effects = want_engine(model);
    effects.extend(share::own_is_there(model));
    // The one thing that runs without a press: the learner's own steps, so that the tables are there again.
    if model.place() == Some(PLAYGROUND) && model.desk().is_some_and(|desk| desk.ledger.is_stale) {
        effects.extend(playground::replay(model));
    }
    effects
}

/// Engine and editor are large: what the reader sees first goes first over the wire.
fn want_engine(model: &mut Model) -> Vec<Effect> {
    let mut effects = view::want_editor(model);
    // An embedded page loads it when Run is pressed: a blog post may hold many.
    if model.engine.phase == EnginePhase::Off && model.embed.is_none() {
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
        report: report.clone(),
        statement: None,
        twin: None,
        again: None,
    });
    show::pick_last(desk);
}
