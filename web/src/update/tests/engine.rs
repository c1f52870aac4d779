use crate::effect::Effect;
use crate::fixtures::{BUILD, SLUG, desk, engine, hello, opened, ran, ready, reply, report, sent, text};
use crate::model::{EnginePhase, Load, Origin, Pane, Saved};
use crate::msg::{DeskMsg, EngineMsg, Msg};
use crate::route::Route;
use crate::update::update;
use crate::wire::Ask;
use protocol::{Envelope, Note, ReplyBody};

fn starts(effects: &[Effect]) -> Option<u32> {
    effects.iter().find_map(|effect| match effect {
        Effect::StartEngine(generation) => Some(*generation),
        _ => None,
    })
}

#[test]
fn an_early_run_waits_for_the_engine_and_then_goes_out() {
    let mut model = opened();
    assert_eq!(desk(&mut model, DeskMsg::Run), []);
    assert!(model.engine.waiting.is_some());
    desk(&mut model, DeskMsg::Typed("typed after the press".into()));
    engine(&mut model, EngineMsg::Progress { loaded: 10, total: 100 });
    let effects = hello(&mut model);
    let Ask::Run { setup, text, clock } = &sent(&effects).unwrap().body else { panic!("a run") };
    assert!(setup.starts_with("CREATE TABLE"));
    assert!(text.starts_with("MERGE"), "the text as it was when Run was pressed");
    assert_eq!(clock.as_deref(), Some("2026-01-15T00:00:00Z"));
    assert_eq!((model.engine.waiting.is_some(), model.engine.flight.is_some()), (false, true));
}

#[test]
fn a_result_shows_at_once_and_the_timeline_waits() {
    let mut model = ready();
    desk(&mut model, DeskMsg::Run);
    ran(&mut model, report());
    let open = model.desk().unwrap();
    assert_eq!(open.shown.as_ref().unwrap().origin, Origin::Live);
    let player = open.player.as_ref().unwrap();
    assert_eq!((player.at, player.playing), (0, false));
    assert_eq!(model.status, "2 statements ran.");
    assert_eq!(model.pane, Pane::Result);
}

#[test]
fn a_second_run_waits_for_nothing_and_replaces_nothing() {
    let mut model = ready();
    desk(&mut model, DeskMsg::Run);
    let flight = model.engine.flight.clone();
    assert_eq!(desk(&mut model, DeskMsg::Run), []);
    assert_eq!(model.engine.flight, flight);
    assert!(model.status.contains("at work"));
}

#[test]
fn a_reply_goes_to_the_lesson_that_asked() {
    let mut model = ready();
    desk(&mut model, DeskMsg::Run);
    update(&mut model, Msg::Opened(Route::Playground));
    update(&mut model, Msg::PlaygroundLoaded(Saved::default()));
    ran(&mut model, report());
    assert!(model.desk().unwrap().shown.is_none());
    assert_eq!(model.desks.get(SLUG).unwrap().shown.as_ref().unwrap().origin, Origin::Live);
}

#[test]
fn a_reply_that_nobody_waits_for_changes_nothing() {
    let mut model = ready();
    desk(&mut model, DeskMsg::Run);
    reply(&mut model, 999, ReplyBody::Ran(Box::new(report())));
    assert!(model.engine.flight.is_some());
    assert_eq!(model.desk().unwrap().shown.as_ref().unwrap().origin, Origin::Recorded);
}

#[test]
fn progress_notes_belong_to_their_request() {
    let mut model = ready();
    desk(&mut model, DeskMsg::Run);
    let id = model.engine.flight.as_ref().unwrap().id;
    engine(&mut model, EngineMsg::Note(Envelope { id: id + 1, body: Note::Progress { done: 9, total: 9 } }));
    assert_eq!(model.engine.flight.as_ref().unwrap().progress, None);
    engine(&mut model, EngineMsg::Note(Envelope { id, body: Note::Progress { done: 1, total: 2 } }));
    assert_eq!(model.engine.flight.as_ref().unwrap().progress, Some((1, 2)));
}

#[test]
fn a_panic_keeps_the_text_and_restarts_the_worker() {
    let mut model = ready();
    desk(&mut model, DeskMsg::Typed("SELECT boom".into()));
    desk(&mut model, DeskMsg::Run);
    let old = model.engine.generation;
    let effects = engine(&mut model, EngineMsg::Panicked("index out of bounds".into()));
    assert_eq!(starts(&effects), Some(old + 1));
    assert_eq!(text(&model), "SELECT boom");
    assert_eq!(model.engine.stopped.as_deref(), Some("index out of bounds"));
    assert!(model.engine.flight.is_none());

    update(&mut model, Msg::Engine(old, EngineMsg::Panicked("late".into())));
    assert_eq!(model.engine.stopped.as_deref(), Some("index out of bounds"), "the old worker is not heard");

    hello(&mut model);
    assert_eq!(model.engine.phase, EnginePhase::Ready);
    assert!(sent(&desk(&mut model, DeskMsg::Run)).is_some());
    assert_eq!(model.engine.stopped, None);
}

#[test]
fn an_engine_that_dies_again_before_it_answers_is_not_restarted_for_ever() {
    let mut model = ready();
    desk(&mut model, DeskMsg::Run);
    engine(&mut model, EngineMsg::Panicked("one".into()));
    let effects = engine(&mut model, EngineMsg::Panicked("two".into()));
    assert_eq!(starts(&effects), None);
    assert!(matches!(model.engine.phase, EnginePhase::Failed(_)));
    let effects = engine(&mut model, EngineMsg::Restart);
    assert!(starts(&effects).is_some());
}

#[test]
fn panics_with_answers_in_between_do_not_add_up() {
    let mut model = ready();
    for _ in 0..3 {
        desk(&mut model, DeskMsg::Run);
        assert!(starts(&engine(&mut model, EngineMsg::Panicked("now and then".into()))).is_some());
        hello(&mut model);
        desk(&mut model, DeskMsg::Run);
        ran(&mut model, report());
    }
}

#[test]
fn another_build_or_protocol_is_refused_with_a_sentence() {
    for (version, build) in [(protocol::VERSION + 1, BUILD), (protocol::VERSION, "build-2")] {
        let mut model = opened();
        desk(&mut model, DeskMsg::Run);
        let asked = engine(&mut model, EngineMsg::Started);
        let id = sent(&asked).unwrap().id;
        let effects = reply(&mut model, id, ReplyBody::Hello { version, build: build.to_string() });
        assert_eq!(sent(&effects), None);
        assert!(matches!(&model.engine.phase, EnginePhase::Failed(sentence) if sentence.contains("different builds")));
        assert_eq!(model.engine.waiting, None);
    }
}

#[test]
fn an_engine_that_refuses_the_page_is_believed() {
    let mut model = opened();
    let asked = engine(&mut model, EngineMsg::Started);
    let id = sent(&asked).unwrap().id;
    reply(&mut model, id, ReplyBody::Refused { message: "I speak version 7.".into() });
    assert!(matches!(&model.engine.phase, EnginePhase::Failed(sentence) if sentence.contains("I speak version 7.")));
}

#[test]
fn without_an_engine_the_recorded_run_can_still_be_read() {
    let mut model = opened();
    engine(&mut model, EngineMsg::Unavailable("no WebAssembly".into()));
    assert_eq!(desk(&mut model, DeskMsg::Run), []);
    assert!(model.status.contains("not running"));
    assert!(model.desk().unwrap().player.is_some());
    assert!(matches!(model.desk().unwrap().file, Load::Ready(_)));
}

#[test]
fn loading_counts_bytes_and_says_when_it_is_slow() {
    let mut model = opened();
    engine(&mut model, EngineMsg::Building("120 of 400 crates".into()));
    engine(&mut model, EngineMsg::Progress { loaded: 5, total: 9 });
    assert_eq!(model.engine.phase, EnginePhase::Loading { loaded: 5, total: 9 });
    engine(&mut model, EngineMsg::Slow);
    assert!(model.engine.slow);
    hello(&mut model);
    assert!(!model.engine.slow);
    engine(&mut model, EngineMsg::Slow);
    assert!(!model.engine.slow, "an alarm that comes late says nothing");
}

#[test]
fn stopping_a_run_restarts_the_engine_and_stopping_a_queued_one_does_not() {
    let mut model = opened();
    desk(&mut model, DeskMsg::Run);
    assert_eq!(starts(&desk(&mut model, DeskMsg::Cancel)), None);
    assert_eq!(model.engine.waiting, None);
    hello(&mut model);
    desk(&mut model, DeskMsg::Run);
    assert!(starts(&desk(&mut model, DeskMsg::Cancel)).is_some());
    assert_eq!(model.engine.flight, None);
}
