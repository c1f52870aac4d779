use super::{render, words};
use crate::fixtures::{BUILD, course, desk, engine, opened, pick, ran, ready, report};
use crate::model::{Dialog, Model, Saved};
use crate::msg::{DeskMsg, EngineMsg, Msg, PlayMsg, ViewMsg};
use crate::route::Route;
use crate::shared::Shared;
use crate::update::{start, update};
use crate::view::page;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
struct WholeProps {
    model: Shared<Model>,
}

#[component]
fn Whole(props: &WholeProps) -> Html {
    page(&props.model, &Callback::noop())
}

fn html(model: Model) -> String {
    render::<Whole>(WholeProps { model: Shared::new(model) })
}

#[test]
fn a_lesson_reads_and_steps_before_the_engine_is_there() {
    let mut model = opened();
    update(&mut model, Msg::CourseLoaded(Ok(course())));
    engine(&mut model, EngineMsg::Progress { loaded: 1_500_000, total: 4_400_000 });
    let page = html(model);
    let told = words(&page);
    for piece in [
        "First upsert",
        "recorded",
        "Step →",
        "1.5 MB of 4.4 MB",
        "Before the first step",
        "Target before",
        "Target after",
    ] {
        assert!(told.contains(piece), "{piece}");
    }
    for id in [
        "editor",
        "run",
        "step",
        "play",
        "timeline",
        "narration",
        "go-to-step",
        "stage",
        "result",
        "article",
        "status",
        "engine-status",
    ] {
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
    }
}

#[test]
fn no_element_carries_a_style_of_its_own() {
    let mut model = ready();
    desk(&mut model, DeskMsg::RunTwin(0));
    ran(&mut model, report());
    ran(&mut model, report());
    update(&mut model, Msg::Play(PlayMsg::End));
    let page = html(model);
    assert!(!page.contains("style="), "the page's policy forbids it");
    assert!(words(&page).contains("What the two runs have cost so far"));
}

#[test]
fn every_place_has_a_page() {
    let (model, _) = start(BUILD, Route::Start);
    assert!(words(&html(model)).contains("Loading the lesson …"));
    let (mut model, _) = start(BUILD, Route::Playground);
    update(&mut model, Msg::CourseLoaded(Ok(course())));
    update(&mut model, Msg::PlaygroundLoaded(Saved::default()));
    let told = words(&html(model));
    assert!(told.contains("Playground") && told.contains("Run a statement to see its files"), "{told}");
    let (mut model, _) = start(BUILD, Route::Lesson("gone".into()));
    update(&mut model, Msg::CourseLoaded(Ok(course())));
    let missing = Msg::LessonLoaded { slug: "gone".into(), file: Err("status 404".into()), saved: Saved::default() };
    update(&mut model, missing);
    assert!(words(&html(model)).contains("This lesson could not be loaded: status 404"));
}

#[test]
fn a_queued_run_and_a_stopped_engine_are_told_beside_the_editor() {
    let mut model = opened();
    desk(&mut model, DeskMsg::Run);
    assert!(words(&html(model)).contains("Queued: it runs as soon as the engine is here."));
    let mut model = ready();
    desk(&mut model, DeskMsg::Typed("SELECT boom".into()));
    desk(&mut model, DeskMsg::Run);
    engine(&mut model, EngineMsg::Panicked("index out of bounds".into()));
    let told = words(&html(model));
    for piece in ["The engine stopped", "Your text is safe", "index out of bounds", "boom"] {
        assert!(told.contains(piece), "{piece}");
    }
}

#[test]
fn an_exercise_can_be_checked_and_an_example_cannot() {
    let mut model = ready();
    pick(&mut model, "exercise-a");
    assert!(html(model).contains(r#"id="check""#));
    assert!(!html(ready()).contains(r#"id="check""#));
}

#[test]
fn the_shortcut_sheet_lists_every_key() {
    let mut model = opened();
    update(&mut model, Msg::View(ViewMsg::Open(Dialog::Shortcuts)));
    let told = words(&html(model));
    for (keys, what) in crate::keys::SHEET {
        assert!(told.contains(keys) && told.contains(what), "{keys}");
    }
}

#[test]
fn hints_show_only_when_asked_for() {
    let mut model = opened();
    pick(&mut model, "exercise-a");
    desk(&mut model, DeskMsg::Hint);
    let told = words(&html(model));
    assert!(told.contains("A clause may carry a condition.") && !told.contains("behind"), "{told}");
    assert!(told.contains("Hint 2 of 2"));
}
