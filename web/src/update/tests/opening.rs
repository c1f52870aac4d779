use crate::effect::Effect;
use crate::fixtures::{BUILD, SLUG, course, file, opened, opened_with, text};
use crate::model::{EnginePhase, Load, Origin, PLAYGROUND, Saved, SavedSheet};
use crate::msg::Msg;
use crate::route::Route;
use crate::update::{start, update};

#[test]
fn a_new_visitor_lands_in_the_first_lesson() {
    let (mut model, effects) = start(BUILD, Route::Start);
    assert_eq!(effects, [Effect::FetchCourse]);
    let effects = update(&mut model, Msg::CourseLoaded(Ok(course())));
    assert!(effects.contains(&Effect::Redirect(Route::Lesson(SLUG.into()))));
    assert!(effects.contains(&Effect::FetchLesson(SLUG.into())));
}

#[test]
fn a_link_to_a_lesson_does_not_wait_for_the_course() {
    let (_, effects) = start(BUILD, Route::Lesson("second".into()));
    assert!(effects.contains(&Effect::FetchLesson("second".into())));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Redirect(_))));
}

#[test]
fn a_lesson_shows_its_recorded_run_paused_before_the_first_step() {
    let model = opened();
    let desk = model.desk().unwrap();
    assert_eq!(desk.shown.as_ref().unwrap().origin, Origin::Recorded);
    let player = desk.player.as_ref().unwrap();
    assert_eq!((player.at, player.playing), (0, false));
    assert!(desk.is_fresh());
    assert!(text(&model).starts_with("MERGE INTO shop.orders"));
}

#[test]
fn nothing_runs_on_load_and_the_engine_is_asked_for_once() {
    let (mut model, _) = start(BUILD, Route::Lesson(SLUG.into()));
    let loaded = |saved| Msg::LessonLoaded { slug: SLUG.into(), file: Ok(Box::new(file())), saved };
    let effects = update(&mut model, loaded(Saved::default()));
    assert_eq!(effects.iter().filter(|effect| matches!(effect, Effect::StartEngine(_))).count(), 1);
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Send(_))));
    let effects = update(&mut model, loaded(Saved::default()));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::StartEngine(_))));
}

#[test]
fn saved_texts_come_back_and_unknown_ones_are_left_alone() {
    let kept = |id: &str, text: Option<&str>, solved| SavedSheet {
        id: id.to_string(),
        text: text.map(str::to_string),
        at: 1,
        solved,
        ..SavedSheet::default()
    };
    let sheets =
        vec![kept("first", Some("SELECT 1"), false), kept("gone", Some("x"), false), kept("exercise-a", None, true)];
    let model = opened_with(Saved { sheets, ..Saved::default() });
    assert_eq!(text(&model), "SELECT 1");
    let desk = model.desk().unwrap();
    assert!(desk.sheets.iter().any(|sheet| sheet.id == "exercise-a" && sheet.solved));
    assert!(!desk.is_fresh(), "the recorded run is about the lesson's own text");
}

#[test]
fn going_back_to_a_lesson_finds_it_as_it_was_left() {
    let mut model = opened();
    crate::fixtures::desk(&mut model, crate::msg::DeskMsg::Typed("SELECT 2".into()));
    update(&mut model, Msg::Opened(Route::Playground));
    let effects = update(&mut model, Msg::Opened(Route::Lesson(SLUG.into())));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::FetchLesson(_))));
    assert_eq!(text(&model), "SELECT 2");
}

#[test]
fn a_lesson_that_failed_to_load_is_fetched_again_when_opened_again() {
    let (mut model, _) = start(BUILD, Route::Lesson(SLUG.into()));
    let failed = Msg::LessonLoaded { slug: SLUG.into(), file: Err("status 500".into()), saved: Saved::default() };
    update(&mut model, failed);
    assert!(matches!(&model.desk().unwrap().file, Load::Failed(sentence) if sentence.contains("status 500")));
    let effects = update(&mut model, Msg::Opened(Route::Lesson(SLUG.into())));
    assert!(effects.contains(&Effect::FetchLesson(SLUG.into())));
}

#[test]
fn without_a_course_there_is_still_the_playground() {
    let (mut model, _) = start(BUILD, Route::Start);
    let effects = update(&mut model, Msg::CourseLoaded(Err("status 404".into())));
    assert!(effects.contains(&Effect::Redirect(Route::Playground)));
    let effects = update(&mut model, Msg::PlaygroundLoaded(Saved::default()));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::StartEngine(1))));
    assert_eq!(model.place(), Some(PLAYGROUND));
    assert!(text(&model).contains("MERGE INTO prices"));
    assert!(matches!(model.engine.phase, EnginePhase::Loading { .. }));
}
