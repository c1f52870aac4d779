//! Asking the engine about the text while it is being written: after a rest, one question at a time, and never before
//! a run.

use crate::effect::Effect;
use crate::json::quote;
use crate::model::{EnginePhase, Job, Model, Question, Task, Told};
use crate::msg::Msg;
use crate::shared::Shared;
use crate::update::engine;
use crate::wire::Ask;
use protocol::{Assistance, Envelope, RelationSummary, ReplyBody};

/// So long the text must rest before it is looked at.
const REST_MILLISECONDS: u32 = 350;

/// What questions are about: place, sheet and text.
pub(super) fn subject(model: &Model) -> Option<(String, usize, String)> {
    let (place, desk) = (model.place()?, model.desk()?);
    Some((place.to_string(), desk.sheet, desk.current()?.text.clone()))
}

/// The text is another: it will be asked about once it rests.
pub(super) fn changed(model: &mut Model) -> Vec<Effect> {
    model.help.round += 1;
    vec![Effect::After { milliseconds: REST_MILLISECONDS, msg: Box::new(Msg::Rested(model.help.round)) }]
}

pub(super) fn rested(model: &mut Model, round: u32) -> Vec<Effect> {
    if round == model.help.round { catch_up(model) } else { Vec::new() }
}

/// Asks what has not been told yet, if the engine has time.
pub(super) fn catch_up(model: &mut Model) -> Vec<Effect> {
    let is_free = model.engine.phase == EnginePhase::Ready && !model.engine.is_busy();
    if !is_free || model.help.off || model.help.asked.is_some() || model.help.words_asked.is_some() {
        return Vec::new();
    }
    if model.help.words.is_empty() {
        let id = model.help.next_id();
        model.help.words_asked = Some(id);
        return vec![Effect::Send(Envelope { id, body: Ask::Words })];
    }
    let Some((place, sheet, text)) = subject(model).filter(|_| !model.is_told_fresh()) else { return Vec::new() };
    let job = Job { place, sheet, task: Task::Run { variant: None }, text };
    let (setup, text, clock) = match engine::request(model, &job) {
        Some(Ask::Run { setup, text, clock }) => (Some(setup), text, clock),
        // Of a playground the engine has the tables.
        Some(Ask::Play { text, .. }) => (None, text, None),
        _ => return Vec::new(),
    };
    let id = model.help.next_id();
    model.help.asked = Some(Question { id, place: job.place, sheet, text: job.text });
    vec![Effect::Send(Envelope { id, body: Ask::Assist { setup, text, clock } })]
}

/// Takes an answer that is about help; gives back any other.
pub(super) fn replied(model: &mut Model, id: u64, body: ReplyBody) -> Result<Vec<Effect>, ReplyBody> {
    if model.help.words_asked == Some(id) {
        model.help.words_asked = None;
        model.help.words = match body {
            ReplyBody::Words { keywords, functions, members } => {
                format!(
                    r#""keywords":{},"functions":{},"members":{}"#,
                    list(&keywords),
                    list(&functions),
                    list(&members)
                )
            }
            _ => r#""keywords":[],"functions":[],"members":[]"#.to_string(),
        };
        complete(model);
        return Ok(catch_up(model));
    }
    let Some(question) = model.help.asked.take_if(|question| question.id == id) else { return Err(body) };
    let ReplyBody::Assisted(help) = body else { return Ok(Vec::new()) };
    let Question { place, sheet, text, .. } = question;
    model.help.told = Some(Told { place, sheet, text, help: Shared::new(*help) });
    complete(model);
    Ok(catch_up(model))
}

/// The worker is gone. If it was a question that killed it, the page does not ask again: a learner's run is worth more.
pub(super) fn lost(model: &mut Model, by_panic: bool) {
    let was_asked = model.help.asked.take().is_some() | model.help.words_asked.take().is_some();
    model.help.off |= by_panic && was_asked && model.engine.flight.is_none();
}

/// Writes down for the editor what can be completed.
fn complete(model: &mut Model) {
    let relations = model.help.told.as_ref().map(|told| relations(&told.help)).unwrap_or_default();
    model.help.completions = format!(r#"{{"tables":[{relations}],{}}}"#, model.help.words);
}

fn relations(help: &Assistance) -> String {
    let relation = |relation: &RelationSummary| {
        let kind = if relation.is_view { "view" } else { "table" };
        let columns = relation.columns.iter();
        let columns: Vec<String> = columns
            .map(|column| format!(r#"{{"name":{},"type":{}}}"#, quote(&column.name), quote(&column.data_type)))
            .collect();
        format!(r#"{{"name":{},"kind":"{kind}","columns":[{}]}}"#, quote(&relation.name), columns.join(","))
    };
    help.relations.iter().map(relation).collect::<Vec<_>>().join(",")
}

fn list(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quote(word)).collect();
    format!("[{}]", words.join(","))
}
