//! Questions about the text while it is being written.

use crate::effect::Effect;
use crate::fixtures::{assistance, desk, engine, hello, opened, pick, ran, ready, report, text};
use crate::model::{EditorKind, Model, Severity};
use crate::msg::{DeskMsg, EngineMsg, Msg, ViewMsg};
use crate::update::update;
use crate::wire::Ask;
use protocol::ReplyBody;

/// The one question among the effects, and its id.
fn question(effects: &[Effect]) -> Option<(u64, Ask)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Send(envelope) if matches!(envelope.body, Ask::Assist { .. } | Ask::Words) => {
            Some((envelope.id, envelope.body.clone()))
        }
        _ => None,
    })
}

fn rested(model: &mut Model) -> Option<(u64, Ask)> {
    let round = model.help.round;
    question(&update(model, Msg::Rested(round)))
}

fn answered(model: &mut Model, id: u64, body: ReplyBody) -> Option<(u64, Ask)> {
    let generation = model.engine.generation;
    let envelope = protocol::Envelope { id, body };
    question(&update(model, Msg::Engine(generation, EngineMsg::Reply(Box::new(envelope)))))
}

/// The lesson is open, the engine has told its words, and this text has rested and been told about.
fn told(text: &str) -> Model {
    let mut model = knowing();
    desk(&mut model, DeskMsg::Typed(text.into()));
    let (id, _) = rested(&mut model).unwrap();
    assert_eq!(answered(&mut model, id, ReplyBody::Assisted(Box::new(assistance()))), None);
    model
}

/// The engine has told its words and has been asked nothing else.
fn knowing() -> Model {
    let mut model = ready();
    let id = model.help.words_asked.unwrap();
    let words = ReplyBody::Words {
        keywords: vec!["MERGE".into()],
        functions: vec!["count".into()],
        members: vec!["F count".into()],
    };
    let (id, _) = answered(&mut model, id, words).unwrap();
    answered(&mut model, id, ReplyBody::Refused { message: "not now".into() });
    model
}

#[test]
fn words_are_asked_for_once_and_then_the_text() {
    let mut model = ready();
    let id = model.help.words_asked.unwrap();
    let words = ReplyBody::Words {
        keywords: vec!["MERGE".into()],
        functions: vec!["count".into()],
        members: vec!["F count".into()],
    };
    let (id, ask) = answered(&mut model, id, words).unwrap();
    let Ask::Assist { setup, text: about, clock } = ask else { panic!("{ask:?}") };
    assert!(setup.as_deref().unwrap().contains("CREATE TABLE") && clock.is_some());
    assert_eq!(about, text(&model));
    assert_eq!(answered(&mut model, id, ReplyBody::Assisted(Box::new(assistance()))), None);
    let expected = r#"{"tables":[{"name":"t","kind":"table","columns":[{"name":"k","type":"int"}]}],"keywords":["MERGE"],"functions":["count"],"members":["F count"]}"#;
    assert_eq!(model.help.completions, expected);
    assert_eq!(rested(&mut model), None, "this text has been told about");
}

#[test]
fn a_text_is_asked_about_when_it_rests() {
    let mut model = knowing();
    let round = model.help.round;
    let effects = update(&mut model, Msg::Desk(DeskMsg::Typed("SELECT 1".into())));
    assert!(
        effects.iter().any(|effect| matches!(effect, Effect::After { msg, .. } if **msg == Msg::Rested(round + 1)))
    );
    assert_eq!(question(&update(&mut model, Msg::Rested(round))), None, "an alarm of an earlier text does nothing");
    assert!(matches!(rested(&mut model), Some((_, Ask::Assist { text, .. })) if text == "SELECT 1"));
    desk(&mut model, DeskMsg::Typed("SELECT 2".into()));
    assert_eq!(rested(&mut model), None, "one question at a time");
    let id = model.help.asked.as_ref().unwrap().id;
    let next = answered(&mut model, id, ReplyBody::Assisted(Box::new(assistance())));
    assert!(matches!(next, Some((_, Ask::Assist { text, .. })) if text == "SELECT 2"));
}

#[test]
fn a_run_goes_first() {
    let mut model = knowing();
    desk(&mut model, DeskMsg::Typed("SELECT 1".into()));
    desk(&mut model, DeskMsg::Run);
    assert_eq!(rested(&mut model), None);
    ran(&mut model, report());
    assert!(model.help.asked.is_some(), "it is asked once the engine has time");
}

#[test]
fn warnings_are_problems_of_this_text_and_sheet() {
    let mut model = told("SELECT rank() OVER (ORDER BY k)");
    let problems = model.problems();
    assert_eq!(
        problems.iter().map(|problem| (problem.severity, problem.span)).collect::<Vec<_>>(),
        [(Severity::Warning, (7, 11))]
    );
    assert_eq!(
        desk(&mut model, DeskMsg::NextProblem { forward: true }),
        [Effect::SelectNext { places: vec![(7, 11)], forward: true }]
    );
    pick(&mut model, "exercise-a");
    assert_eq!(model.problems(), []);
}

#[test]
fn a_suggestion_is_inserted_when_asked_for_and_only_into_its_text() {
    let mut model = told("SELECT rank() OVER (ORDER BY k)");
    let edit = assistance().warnings[0].edits[0].clone();
    desk(&mut model, DeskMsg::ApplyTold(edit.clone()));
    assert_eq!(text(&model), "SELECT row_number() OVER (ORDER BY k)");
    desk(&mut model, DeskMsg::ApplyTold(edit));
    assert_eq!(text(&model), "SELECT row_number() OVER (ORDER BY k)", "the text is another now");
    desk(&mut model, DeskMsg::Undo);
    assert_eq!(text(&model), "SELECT rank() OVER (ORDER BY k)");
}

#[test]
fn a_question_that_kills_the_engine_is_not_asked_again() {
    let mut model = knowing();
    desk(&mut model, DeskMsg::Typed("SELECT 1".into()));
    rested(&mut model).unwrap();
    engine(&mut model, EngineMsg::Panicked("boom".into()));
    hello(&mut model);
    assert!(model.help.off);
    assert_eq!(rested(&mut model), None);
    desk(&mut model, DeskMsg::Run);
    assert!(model.engine.flight.is_some(), "a run still runs");
}

#[test]
fn the_full_editor_is_fetched_once_and_by_those_who_want_it() {
    let mut model = opened();
    assert!(model.editor.wanted && !model.editor.is_full());
    update(&mut model, Msg::View(ViewMsg::EditorArrived(Some((3, 5)))));
    assert!(model.editor.is_full());
    assert_eq!(model.editor.cursor, Some((3, 5)));
    desk(&mut model, DeskMsg::Typed("x".into()));
    assert_eq!(model.editor.cursor, None, "a later drawing does not take the keyboard");
    let effects = update(&mut model, Msg::View(ViewMsg::Editor(EditorKind::Plain)));
    assert_eq!(effects, [Effect::SaveEditor(EditorKind::Plain)]);
    assert!(!model.editor.is_full());
    let effects = update(&mut model, Msg::View(ViewMsg::Editor(EditorKind::Full)));
    assert_eq!(effects, [Effect::SaveEditor(EditorKind::Full)], "it is here already");
    assert!(model.editor.is_full());
}
