//! The learner edits, runs, checks.

use crate::effect::Effect;
use crate::model::{
    Desk, Dialog, History, Job, LessonFile, Model, Pane, Problem, Severity, Sheet, SheetKind, Side, Task, is_playground,
};
use crate::msg::DeskMsg;
use crate::span;
use crate::update::keep::keep;
use crate::update::{engine, show};
use lesson::Block;
use protocol::Edit;

pub(super) fn update(model: &mut Model, msg: DeskMsg) -> Vec<Effect> {
    match msg {
        DeskMsg::Typed(text) => typed(model, text),
        DeskMsg::PickSheet(sheet) => {
            if let Some(desk) = model.desk_mut().filter(|desk| sheet < desk.sheets.len()) {
                desk.sheet = sheet;
                model.pane = if model.pane == Pane::Read { Pane::Code } else { model.pane };
            }
            Vec::new()
        }
        DeskMsg::Run => ask(model, Task::Run { variant: None }),
        DeskMsg::RunTwice => ask(model, Task::Twice),
        DeskMsg::RunVariant(variant) => ask(model, Task::Run { variant: Some(variant) }),
        DeskMsg::Check => check(model),
        DeskMsg::RunTwin(twin) => run_twin(model, twin),
        DeskMsg::Travel { table, version } => travel(model, table, version),
        DeskMsg::Cancel => engine::cancel(model),
        DeskMsg::Hint => hint(model),
        DeskMsg::Predict { name, choice } => {
            if let Some(desk) = model.desk_mut() {
                desk.predictions.retain(|(of, _)| *of != name);
                desk.predictions.push((name, choice));
            }
            Vec::new()
        }
        DeskMsg::Jump(span) => jump(model, span),
        DeskMsg::NextProblem { forward } => next_problem(model, forward),
        DeskMsg::AtProblem(idx) => at_problem(model, idx),
        DeskMsg::Apply(edit) => apply(model, &edit, model.desk().is_some_and(Desk::is_fresh)),
        DeskMsg::ApplyTold(edit) => apply(model, &edit, model.is_told_fresh()),
        DeskMsg::Insert { before, after } => vec![Effect::Insert { before, after }],
        DeskMsg::Reset => reset(model),
        DeskMsg::Undo => turn_back(model, History::undo),
        DeskMsg::Redo => turn_back(model, History::redo),
        DeskMsg::Turn(side) => turn(model, side),
        DeskMsg::TakeOver => take_over(model),
        DeskMsg::Solution => solution(model),
        DeskMsg::PickStatement(statement) => {
            if let Some(desk) = model.desk_mut() {
                show::pick(desk, statement);
            }
            Vec::new()
        }
    }
}

fn typed(model: &mut Model, text: String) -> Vec<Effect> {
    let now_ms = model.now_ms;
    let Some(sheet) = model.desk_mut().and_then(Desk::current_mut) else { return Vec::new() };
    if sheet.text == text || sheet.side != Side::Mine {
        return Vec::new();
    }
    sheet.write(text);
    sheet.at = now_ms;
    keep(model)
}

fn turn(model: &mut Model, side: Side) -> Vec<Effect> {
    if let Some(sheet) = model.desk_mut().and_then(Desk::current_mut) {
        sheet.turn(side);
    }
    Vec::new()
}

/// What is looked at becomes the learner's own; undo brings back what was.
fn take_over(model: &mut Model) -> Vec<Effect> {
    let now_ms = model.now_ms;
    let Some(sheet) = model.desk_mut().and_then(Desk::current_mut) else { return Vec::new() };
    let Some(own) = sheet.mine.take() else { return Vec::new() };
    sheet.side = Side::Mine;
    sheet.history.record(&own, &sheet.text);
    sheet.at = now_ms;
    model.status = "This text is yours now. Undo brings back the one before.".to_string();
    keep(model)
}

/// Shows a solution in the learner's own sheet. Asked once; from then on the exercise counts as seen.
fn solution(model: &mut Model) -> Vec<Effect> {
    let confirmed = model.dialog.take() == Some(Dialog::ConfirmSolution);
    let now_ms = model.now_ms;
    let Some(desk) = model.desk_mut() else { return Vec::new() };
    let file = desk.lesson_file().cloned();
    let Some(sheet) = desk.current_mut() else { return Vec::new() };
    let SheetKind::Exercise(id) = &sheet.kind else { return Vec::new() };
    if !confirmed && !sheet.solved {
        model.dialog = Some(Dialog::ConfirmSolution);
        return vec![Effect::ShowDialog];
    }
    let Some(text) = file.and_then(|file| file.solution(id)) else { return Vec::new() };
    sheet.turn(Side::Mine);
    sheet.write(text);
    sheet.seen |= !sheet.solved;
    sheet.at = now_ms;
    model.status = "A solution. Undo brings your text back; to solve it, write one of your own.".to_string();
    let mut effects = keep(model);
    effects.push(Effect::CloseDialog);
    effects
}

pub(super) fn ask(model: &mut Model, task: Task) -> Vec<Effect> {
    let Some(place) = model.place().map(str::to_string) else { return Vec::new() };
    let Some(desk) = model.desk() else { return Vec::new() };
    let Some(sheet) = desk.current() else { return Vec::new() };
    let job = Job { place, sheet: desk.sheet, task, text: sheet.text.clone() };
    engine::ask(model, job)
}

/// What is on the stage runs again up to its first failure, for the engine may hold other tables by now; behind it the
/// query of the old version.
fn travel(model: &mut Model, table: String, version: u64) -> Vec<Effect> {
    let Some(place) = model.place().map(str::to_string) else { return Vec::new() };
    let Some(shown) = model.desk().and_then(|desk| desk.shown.as_ref()) else { return Vec::new() };
    let mut text = format!("SELECT * FROM {table} VERSION AS OF {version}");
    // A playground's statements run before whatever is asked there.
    if !is_playground(&place) {
        let failed = shown.report.statements.iter().find(|statement| statement.error.is_some());
        let end = failed.map_or(shown.text.len(), |statement| statement.span.0 as usize);
        text = format!("{}\n;\n{text}", shown.text.get(..end).unwrap_or_default());
    }
    let task = Task::Travel { variant: shown.variant.clone(), table, version };
    let job = Job { place, sheet: shown.sheet, task, text };
    engine::ask(model, job)
}

fn check(model: &mut Model) -> Vec<Effect> {
    let is_exercise =
        model.desk().and_then(Desk::current).is_some_and(|sheet| matches!(sheet.kind, SheetKind::Exercise(_)));
    if !is_exercise {
        model.status = "Only an exercise can be checked: open one first.".to_string();
        return Vec::new();
    }
    ask(model, Task::Check)
}

/// The sheets of a lesson's twin, by their place in the article.
pub(super) fn twin_sheets(file: &LessonFile, twin: usize, sheets: &[Sheet]) -> Option<(usize, usize)> {
    let twins = file.lesson.blocks.iter().filter_map(|block| match block {
        Block::Twin(twin) => Some(twin),
        _ => None,
    });
    let twin = twins.into_iter().nth(twin)?;
    let find = |name: &str| sheets.iter().position(|sheet| sheet.id == name);
    Some((find(&twin.first.name)?, find(&twin.second.name)?))
}

fn run_twin(model: &mut Model, twin: usize) -> Vec<Effect> {
    let Some(place) = model.place().map(str::to_string) else { return Vec::new() };
    let Some(desk) = model.desk() else { return Vec::new() };
    let Some(file) = desk.lesson_file() else { return Vec::new() };
    let Some((first, _)) = twin_sheets(file, twin, &desk.sheets) else { return Vec::new() };
    let text = desk.sheets.get(first).map(|sheet| sheet.text.clone()).unwrap_or_default();
    engine::ask(model, Job { place, sheet: first, task: Task::Twin { twin, left: None }, text })
}

fn hint(model: &mut Model) -> Vec<Effect> {
    let Some(desk) = model.desk_mut() else { return Vec::new() };
    let Some(file) = desk.lesson_file().cloned() else { return Vec::new() };
    let Some(sheet) = desk.current_mut() else { return Vec::new() };
    let SheetKind::Exercise(id) = &sheet.kind else {
        model.status = "Hints belong to exercises: open one first.".to_string();
        return Vec::new();
    };
    let n_hints = file.lesson.exercise(id).map_or(0, |exercise| exercise.hints.len());
    sheet.hints = (sheet.hints + 1).min(n_hints);
    model.status = format!("Hint {} of {n_hints} is open.", sheet.hints);
    Vec::new()
}

/// The browser knows where the cursor is, so it chooses.
fn next_problem(model: &mut Model, forward: bool) -> Vec<Effect> {
    let place = |problem: &Problem<'_>| {
        let at = |byte: u32| span::utf16_offset(problem.text, byte);
        (at(problem.span.0), at(problem.span.1))
    };
    let places: Vec<(u32, u32)> = model.problems().iter().map(place).collect();
    if places.is_empty() {
        model.status = "Nothing is wrong with this text, as far as can be told without running it.".to_string();
        return Vec::new();
    }
    model.pane = Pane::Code;
    vec![Effect::SelectNext { places, forward }]
}

/// Reads out what the cursor was put on.
fn at_problem(model: &mut Model, idx: usize) -> Vec<Effect> {
    let problems = model.problems();
    let n_problems = problems.len();
    if let Some(problem) = problems.get(idx) {
        let severity = match problem.severity {
            Severity::Error => "Error",
            Severity::Warning => "Warning",
        };
        model.status = format!("{severity}, {} of {n_problems}: {}", idx + 1, problem.report.message);
    }
    Vec::new()
}

fn jump(model: &mut Model, span: (u32, u32)) -> Vec<Effect> {
    let Some(sheet) = model.desk().and_then(Desk::current) else { return Vec::new() };
    let (start, end) = (span::utf16_offset(&sheet.text, span.0), span::utf16_offset(&sheet.text, span.1));
    model.pane = Pane::Code;
    vec![Effect::Select { start, end }]
}

/// A suggested edit is about the text that ran or was looked at; on any other it would hit the wrong place.
fn apply(model: &mut Model, edit: &Edit, is_fresh: bool) -> Vec<Effect> {
    if !is_fresh {
        model.status = "The text has changed since. Run it again for a suggestion that fits.".to_string();
        return Vec::new();
    }
    let now_ms = model.now_ms;
    let Some(sheet) = model.desk_mut().and_then(Desk::current_mut) else { return Vec::new() };
    let Some(text) = span::replace(&sheet.text, edit.span, &edit.replacement) else { return Vec::new() };
    sheet.turn(Side::Mine);
    sheet.write(text);
    sheet.at = now_ms;
    let start = span::utf16_offset(&sheet.text, edit.span.0);
    let end = start + edit.replacement.encode_utf16().count() as u32;
    model.status = format!("Applied: {}. Run it to see what changes.", edit.label);
    model.pane = Pane::Code;
    let mut effects = keep(model);
    effects.push(Effect::Select { start, end });
    effects
}

fn reset(model: &mut Model) -> Vec<Effect> {
    let confirmed = model.dialog.take() == Some(Dialog::ConfirmReset);
    let now_ms = model.now_ms;
    let Some(sheet) = model.desk_mut().and_then(Desk::current_mut) else { return Vec::new() };
    if sheet.text == sheet.pristine {
        model.status = "This is the lesson's text already.".to_string();
        return Vec::new();
    }
    if !confirmed {
        model.dialog = Some(Dialog::ConfirmReset);
        return vec![Effect::ShowDialog];
    }
    sheet.write(sheet.pristine.clone());
    sheet.at = now_ms;
    model.status = "The lesson's text is back. Undo brings yours back.".to_string();
    let mut effects = keep(model);
    effects.push(Effect::CloseDialog);
    effects
}

/// Back to the text before, or forward again.
fn turn_back(model: &mut Model, step: fn(&mut History, &str) -> Option<String>) -> Vec<Effect> {
    let now_ms = model.now_ms;
    let Some(sheet) = model.desk_mut().and_then(Desk::current_mut) else { return Vec::new() };
    sheet.turn(Side::Mine);
    let Some(text) = step(&mut sheet.history, &sheet.text) else { return Vec::new() };
    sheet.text = text;
    sheet.at = now_ms;
    keep(model)
}
