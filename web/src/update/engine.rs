//! Loading the engine, asking it, and losing it.

use crate::effect::Effect;
use crate::model::{
    Desk, EnginePhase, Flight, Job, Model, Origin, Pane, Pass, SheetKind, Shown, Task, Travel, Twin, fingerprint,
    is_playground,
};
use crate::msg::{EngineMsg, FileMsg, Msg};
use crate::shared::Shared;
use crate::update::{desk, files, help, keep, playground, show};
use crate::wire::Ask;
use lesson::{Status, Verdict};
use protocol::{Envelope, Note, Reply, ReplyBody, RunReport};

/// After this long a reader is told that it takes long.
const SLOW_MILLISECONDS: u32 = 10_000;

pub(super) fn start(model: &mut Model) -> Vec<Effect> {
    help::lost(model, false);
    let engine = &mut model.engine;
    engine.generation += 1;
    engine.files.clear();
    engine.phase = EnginePhase::Loading { loaded: 0, total: 0 };
    engine.slow = false;
    let alarm = Msg::Engine(engine.generation, EngineMsg::Slow);
    vec![
        Effect::StartEngine(engine.generation),
        Effect::After { milliseconds: SLOW_MILLISECONDS, msg: Box::new(alarm) },
    ]
}

/// Sends the job, or keeps it until the engine can take it. A later press replaces a waiting one.
pub(super) fn ask(model: &mut Model, job: Job) -> Vec<Effect> {
    if model.engine.flight.is_some() {
        model.status = "The engine is at work. Press Stop to give this run up.".to_string();
        return Vec::new();
    }
    model.engine.stopped = None;
    match model.engine.phase {
        EnginePhase::Ready => send(model, job),
        EnginePhase::Failed(_) => {
            model.status = "The engine is not running, so nothing can run.".to_string();
            Vec::new()
        }
        _ => {
            let effects = if model.engine.phase == EnginePhase::Off { start(model) } else { Vec::new() };
            model.status = "Queued: it runs as soon as the engine is here.".to_string();
            model.engine.waiting = Some(job);
            effects
        }
    }
}

fn send(model: &mut Model, job: Job) -> Vec<Effect> {
    let Some(request) = request(model, &job) else { return Vec::new() };
    let id = model.engine.next_id();
    model.status = match job.task {
        Task::Check => "Checking on every variant of the data …".to_string(),
        _ => "Running …".to_string(),
    };
    model.engine.flight = Some(Flight { id, job, progress: None });
    let mut effects = files::wanted(model, &request);
    effects.push(Effect::Send(Envelope { id, body: request }));
    effects
}

pub(super) fn request(model: &Model, job: &Job) -> Option<Ask> {
    let text = text_of(job);
    if is_playground(&job.place) {
        let steps = model.desks.get(&job.place)?.ledger.steps.clone();
        return Some(Ask::Play { steps, text });
    }
    let desk = model.desks.get(&job.place)?;
    let file = desk.lesson_file()?;
    let lesson = &file.lesson;
    let exercise = match &desk.sheets.get(job.sheet)?.kind {
        SheetKind::Exercise(id) => lesson.exercise(id),
        SheetKind::Example | SheetKind::Free => None,
    };
    if matches!(job.task, Task::Check) {
        return Some(Ask::Check { lesson: file.clone(), exercise: exercise?.id.clone(), text });
    }
    let mut setup = lesson.setup.clone();
    if let Some(exercise) = exercise {
        append(&mut setup, &exercise.setup);
        if let Task::Run { variant: Some(name) } | Task::Travel { variant: Some(name), .. } = &job.task {
            let variant = exercise.variants.iter().find(|variant| variant.name == *name)?;
            append(&mut setup, &variant.patch);
        }
    }
    Some(Ask::Run { setup, text, clock: Some(lesson.clock.clone()) })
}

/// What the engine is to run.
fn text_of(job: &Job) -> String {
    match job.task {
        Task::Twice => {
            let mut twice = job.text.clone();
            append(&mut twice, &job.text);
            twice
        }
        _ => job.text.clone(),
    }
}

/// The rows that the second half of a run changed; nothing where not all of it ran.
fn changed_again(report: &RunReport) -> Option<u64> {
    let is_whole = report.errors.is_empty() && report.statements.iter().all(|statement| statement.error.is_none());
    let second = report.statements.get(report.statements.len() / 2..).filter(|_| is_whole)?;
    Some(second.iter().filter_map(|statement| statement.trace.as_ref()).map(|trace| trace.rows_changed()).sum())
}

/// Scripts may or may not end with a semicolon; an empty statement between two does no harm.
fn append(setup: &mut String, script: &str) {
    if script.trim().is_empty() {
        return;
    }
    if !setup.trim().is_empty() {
        if !setup.trim_end().ends_with(';') {
            setup.push_str("\n;");
        }
        setup.push('\n');
    }
    setup.push_str(script);
}

pub(super) fn cancel(model: &mut Model) -> Vec<Effect> {
    if model.engine.waiting.take().is_some() {
        model.status = "No longer queued.".to_string();
    }
    if model.engine.flight.take().is_some() {
        model.status = "Stopped. The engine starts again; nothing of yours is lost.".to_string();
        return start(model);
    }
    Vec::new()
}

pub(super) fn update(model: &mut Model, generation: u32, msg: EngineMsg) -> Vec<Effect> {
    if generation != model.engine.generation {
        return Vec::new();
    }
    match msg {
        EngineMsg::Progress { loaded, total } => {
            if matches!(model.engine.phase, EnginePhase::Loading { .. } | EnginePhase::Building(_)) {
                model.engine.phase = EnginePhase::Loading { loaded, total };
            }
            Vec::new()
        }
        EngineMsg::Building(sentence) => {
            model.engine.phase = EnginePhase::Building(sentence);
            Vec::new()
        }
        EngineMsg::Started => {
            model.engine.phase = EnginePhase::Starting;
            let id = model.engine.next_id();
            let hello = Ask::Hello { version: protocol::VERSION, build: model.build.clone() };
            vec![Effect::Send(Envelope { id, body: hello })]
        }
        EngineMsg::Note(Envelope { id, body: Note::Progress { done, total } }) => {
            if let Some(flight) = model.engine.flight.as_mut().filter(|flight| flight.id == id) {
                flight.progress = Some((done, total));
            }
            Vec::new()
        }
        EngineMsg::Reply(reply) => replied(model, *reply),
        EngineMsg::Panicked(message) => panicked(model, message),
        EngineMsg::Unavailable(sentence) => {
            fail(model, sentence);
            Vec::new()
        }
        EngineMsg::Zipped(done) => files::update(model, FileMsg::Downloaded(done)),
        EngineMsg::Refused(sentence) => files::update(model, FileMsg::Refused(sentence)),
        EngineMsg::Slow => {
            model.engine.slow = !matches!(model.engine.phase, EnginePhase::Ready | EnginePhase::Failed(_));
            Vec::new()
        }
        EngineMsg::Restart => {
            model.engine.stops = 0;
            start(model)
        }
    }
}

/// The engine will not come. What was queued is given up: it would wait for ever.
fn fail(model: &mut Model, sentence: String) {
    model.status = sentence.clone();
    model.engine.phase = EnginePhase::Failed(sentence);
    model.engine.waiting = None;
    model.engine.flight = None;
}

/// A panic takes the worker with it. The text is the page's own and stays; a new worker starts,
/// unless the last one died the same way before it answered anything.
fn panicked(model: &mut Model, message: String) -> Vec<Effect> {
    help::lost(model, true);
    let engine = &mut model.engine;
    engine.flight = None;
    engine.stopped = Some(message);
    engine.stops += 1;
    model.status = "The engine stopped. Your text is safe.".to_string();
    if engine.stops > 1 {
        fail(model, "The engine stopped twice in a row.".to_string());
        return Vec::new();
    }
    start(model)
}

fn replied(model: &mut Model, reply: Envelope<Reply>) -> Vec<Effect> {
    let Envelope { id, body } = reply;
    let body = match help::replied(model, id, body) {
        Ok(effects) => return effects,
        Err(body) => body,
    };
    let mut effects = answered(model, Envelope { id, body });
    effects.extend(help::catch_up(model));
    effects
}

fn answered(model: &mut Model, reply: Envelope<Reply>) -> Vec<Effect> {
    if let ReplyBody::Hello { version, build } = &reply.body {
        return welcomed(model, *version, build);
    }
    let Some(flight) = model.engine.flight.take_if(|flight| flight.id == reply.id) else {
        return match reply.body {
            ReplyBody::Refused { message } if model.engine.phase == EnginePhase::Starting => {
                fail(model, format!("Page and engine do not fit together: {message} Reload the page."));
                Vec::new()
            }
            _ => Vec::new(),
        };
    };
    model.engine.stops = 0;
    match reply.body {
        ReplyBody::Ran(report) => ran(model, flight.job, *report),
        ReplyBody::Checked { verdict, run } => checked(model, flight.job, *verdict, *run),
        ReplyBody::Refused { message } => {
            model.status = message;
            Vec::new()
        }
        // A hello came above; the page asks for nothing that has another answer.
        _ => Vec::new(),
    }
}

fn welcomed(model: &mut Model, version: u32, build: &str) -> Vec<Effect> {
    if version != protocol::VERSION || build != model.build {
        let sentence = "The page and the engine are of different builds. Reload the page to get a matching pair.";
        fail(model, sentence.to_string());
        return Vec::new();
    }
    model.engine.phase = EnginePhase::Ready;
    model.engine.slow = false;
    match model.engine.waiting.take() {
        Some(job) => send(model, job),
        None => Vec::new(),
    }
}

fn ran(model: &mut Model, job: Job, report: RunReport) -> Vec<Effect> {
    if let Task::Twin { twin, left } = job.task {
        return ran_twin(model, job.place, job.sheet, twin, left, job.text, report);
    }
    if let Task::Travel { table, version, .. } = job.task {
        return travelled(model, &job.place, Travel { table, version, report: Shared::new(report) });
    }
    model.status = show::summary(&report);
    let effects = if is_playground(&job.place) { playground::ran(model, &job, &report) } else { Vec::new() };
    let text = text_of(&job);
    let again = matches!(job.task, Task::Twice).then(|| changed_again(&report)).flatten();
    let variant = match job.task {
        Task::Run { variant } => variant,
        _ => None,
    };
    present(model, &job.place, Shown { again, ..live(text, job.sheet, variant, report) });
    effects
}

fn travelled(model: &mut Model, place: &str, travel: Travel) -> Vec<Effect> {
    let asked = travel.report.statements.last();
    let problem = travel.report.errors.first().or(asked.and_then(|statement| statement.error.as_ref()));
    model.status = match problem {
        Some(error) => error.message.clone(),
        None => format!("Version {} of {} is shown.", travel.version, travel.table),
    };
    if let Some(desk) = model.desks.get_mut(place).filter(|_| problem.is_none()) {
        desk.look.travel = Some(travel);
    }
    Vec::new()
}

/// What this tab's engine did.
fn live(text: String, sheet: usize, variant: Option<String>, report: RunReport) -> Shown {
    Shown {
        text,
        sheet,
        origin: Origin::Live,
        variant,
        report: Shared::new(report),
        statement: None,
        twin: None,
        again: None,
    }
}

/// Puts a report on its desk. On a narrow screen the result comes to the front.
fn present(model: &mut Model, place: &str, shown: Shown) {
    if let Some(desk) = model.desks.get_mut(place) {
        desk.shown = Some(shown);
        show::pick_last(desk);
        if let Some(step) = desk.wanted_step.take() {
            show::go_to_step(desk, step);
        }
        if model.place() == Some(place) && model.pane != Pane::Files {
            model.pane = Pane::Result;
        }
    }
}

fn ran_twin(
    model: &mut Model,
    place: String,
    sheet: usize,
    twin: usize,
    left: Option<Box<RunReport>>,
    text: String,
    report: RunReport,
) -> Vec<Effect> {
    let Some(open) = model.desks.get(&place) else { return Vec::new() };
    let sheets = open.lesson_file().and_then(|file| desk::twin_sheets(file, twin, &open.sheets));
    let Some((first, second)) = sheets else { return Vec::new() };
    let sheet_of = |open: &Desk, at: usize| open.sheets.get(at).map(|sheet| (sheet.label.clone(), sheet.text.clone()));
    let (Some((first_label, _)), Some((second_label, second_text))) = (sheet_of(open, first), sheet_of(open, second))
    else {
        return Vec::new();
    };
    match left {
        None => {
            let task = Task::Twin { twin, left: Some(Box::new(report)) };
            send(model, Job { place, sheet: second, task, text: second_text })
        }
        Some(left) => {
            model.status =
                format!("Both ran. {first_label}: {} {second_label}: {}", show::summary(&left), show::summary(&report));
            let shown = Shown {
                text,
                sheet,
                origin: Origin::Live,
                variant: None,
                report: Shared::new(*left),
                statement: None,
                twin: Some(Twin { report: Shared::new(report), labels: (first_label, second_label) }),
                again: None,
            };
            present(model, &place, shown);
            if model.pane == Pane::Result {
                model.pane = Pane::Files;
            }
            Vec::new()
        }
    }
}

fn is_solution(desk: &Desk, job: &Job) -> bool {
    let Some(SheetKind::Exercise(id)) = desk.sheets.get(job.sheet).map(|sheet| &sheet.kind) else { return false };
    let solution = desk.lesson_file().and_then(|file| file.solution(id));
    let words = |text: &str| text.split_whitespace().map(str::to_ascii_lowercase).collect::<Vec<_>>();
    solution.is_some_and(|solution| words(&solution) == words(&job.text))
}

/// The verdict comes with the run on the data that the learner sees: that is what the stage shows.
fn checked(model: &mut Model, job: Job, verdict: Verdict, run: RunReport) -> Vec<Effect> {
    let passed = verdict.status == Status::Passed;
    model.status = match verdict.status {
        Status::Passed => "Passed on every variant of the data.".to_string(),
        Status::Failed => "Not yet: the first expectation that fails is shown.".to_string(),
        Status::Broken => "The lesson itself could not be run. This is not your mistake.".to_string(),
    };
    present(model, &job.place, live(job.text.clone(), job.sheet, None, run));
    let now_ms = model.now_ms;
    let Some(desk) = model.desks.get_mut(&job.place) else { return Vec::new() };
    let lesson = desk.lesson_file().map(|file| file.version.clone()).unwrap_or_default();
    // A solution that was only shown is not the learner's.
    let is_solution = passed && is_solution(desk, &job);
    let Some(sheet) = desk.sheets.get_mut(job.sheet) else { return Vec::new() };
    let code = fingerprint(&job.text);
    sheet.verdict = Some((job.text, Shared::new(verdict)));
    model.pane = Pane::Result;
    let pass = Some(Pass { lesson, code });
    if !passed || (is_solution && sheet.seen) || (sheet.solved && sheet.pass == pass) {
        return Vec::new();
    }
    sheet.solved = true;
    sheet.pass = pass;
    sheet.at = now_ms;
    keep::keep_place(model, &job.place)
}
