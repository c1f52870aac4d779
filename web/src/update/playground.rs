//! The playground: statements that add up.

use crate::effect::Effect;
use crate::model::{Desk, Dialog, Job, Model, Pane, Side, Step, Task};
use crate::msg::{DeskMsg, PlaygroundMsg};
use crate::update::keep::keep;
use crate::update::{desk, engine};
use protocol::RunReport;

pub(super) fn update(model: &mut Model, msg: PlaygroundMsg) -> Vec<Effect> {
    match msg {
        PlaygroundMsg::MakeSamples(script) => make_samples(model, script),
        PlaygroundMsg::Undo => go(model, |ledger, now_ms| ledger.undo(now_ms), "Nothing to take back."),
        PlaygroundMsg::Redo => go(model, |ledger, now_ms| ledger.redo(now_ms), "Nothing was taken back."),
        PlaygroundMsg::Empty => empty(model),
        PlaygroundMsg::Write(text) => write(model, text.to_string()),
        PlaygroundMsg::Edit(step) => {
            let text = model.desk().and_then(|desk| desk.ledger.steps.get(step)).map(|step| step.text.clone());
            text.map_or_else(Vec::new, |text| write(model, text))
        }
    }
}

/// Steps of their own, so that the text stays the learner's and can run again.
fn make_samples(model: &mut Model, script: String) -> Vec<Effect> {
    let now_ms = model.now_ms;
    let Some(desk) = model.desk_mut() else { return Vec::new() };
    desk.ledger.push(Step { kind: "SAMPLE TABLES".to_string(), text: script, file: String::new() }, now_ms);
    let mut effects = keep(model);
    effects.extend(desk::ask(model, Task::Run { variant: None }));
    effects
}

/// Changes the steps and brings the engine to where they lead.
fn go(model: &mut Model, change: fn(&mut crate::model::Ledger, u64) -> bool, nothing: &str) -> Vec<Effect> {
    if model.engine.is_busy() {
        model.status = "The engine is at work. Press Stop first.".to_string();
        return Vec::new();
    }
    let now_ms = model.now_ms;
    let Some(desk) = model.desk_mut() else { return Vec::new() };
    if !change(&mut desk.ledger, now_ms) {
        model.status = nothing.to_string();
        return Vec::new();
    }
    let mut effects = keep(model);
    effects.extend(replay(model));
    effects
}

/// Asks the engine for the state that the steps lead to.
pub(super) fn replay(model: &mut Model) -> Vec<Effect> {
    let Some(place) = model.place().map(str::to_string) else { return Vec::new() };
    let Some(desk) = model.desk_mut() else { return Vec::new() };
    desk.ledger.is_stale = false;
    let sheet = desk.sheet;
    engine::ask(model, Job { place, sheet, task: Task::Replay, text: String::new() })
}

fn empty(model: &mut Model) -> Vec<Effect> {
    let confirmed = model.dialog.take() == Some(Dialog::ConfirmEmpty);
    if !confirmed {
        model.dialog = Some(Dialog::ConfirmEmpty);
        return vec![Effect::ShowDialog];
    }
    let mut effects = go(model, |ledger, now_ms| ledger.reset(now_ms), "The playground is empty already.");
    effects.push(Effect::CloseDialog);
    effects
}

fn write(model: &mut Model, text: String) -> Vec<Effect> {
    let Some(sheet) = model.desk_mut().and_then(Desk::current_mut) else { return Vec::new() };
    sheet.turn(Side::Mine);
    model.pane = Pane::Code;
    model.status = "Written into the editor. Nothing ran yet.".to_string();
    desk::update(model, DeskMsg::Typed(text))
}

/// A text ran in a playground: its statements are steps, unless one failed.
pub(super) fn ran(model: &mut Model, job: &Job, report: &RunReport) -> Vec<Effect> {
    let now_ms = model.now_ms;
    let Some(desk) = model.desks.get_mut(&job.place) else { return Vec::new() };
    if desk.ledger.is_stale {
        if !matches!(job.task, Task::Replay) {
            desk.ledger.add(&job.text, report, now_ms);
        }
        let mut effects = super::keep::keep_place(model, &job.place);
        if model.place() == Some(job.place.as_str()) {
            effects.extend(replay(model));
        }
        return effects;
    }
    if matches!(job.task, Task::Replay) {
        let n_steps = desk.ledger.steps.iter().filter(|step| step.changes()).count();
        model.status = match (report.errors.is_empty(), n_steps) {
            (false, _) => "A saved step cannot be run any more: take it back.".to_string(),
            (true, 0) => "The playground is empty.".to_string(),
            (true, 1) => "1 statement makes what is here.".to_string(),
            (true, n) => format!("{n} statements make what is here."),
        };
        return Vec::new();
    }
    if desk.ledger.add(&job.text, report, now_ms) {
        return super::keep::keep_place(model, &job.place);
    }
    model.status.push_str(" Nothing of a run that fails stays.");
    Vec::new()
}
