use crate::effect::Effect;
use crate::fixtures::{SLUG, desk, opened, pick, ran, ready, reply, report, sent, text};
use crate::model::{Dialog, Model, SavedSheet, Side};
use crate::msg::{DeskMsg, Msg, ViewMsg};
use crate::update::update;
use crate::wire::Ask;
use lesson::{Status, Test, TestStatus, Verdict};
use protocol::{Edit, ErrorReport, ReplyBody};

fn kept(effects: &[Effect]) -> Option<&SavedSheet> {
    effects.iter().find_map(|effect| match effect {
        Effect::Keep { place, saved } if place == SLUG => saved.sheets.first(),
        _ => None,
    })
}

fn saved(effects: &[Effect]) -> Option<&str> {
    kept(effects)?.text.as_deref()
}

#[test]
fn every_edit_is_saved_and_the_lessons_own_text_is_not() {
    let mut model = opened();
    let pristine = text(&model).to_string();
    let effects = desk(&mut model, DeskMsg::Typed("SELECT 1".into()));
    assert_eq!(saved(&effects), Some("SELECT 1"));
    let effects = desk(&mut model, DeskMsg::Typed(pristine));
    assert_eq!(kept(&effects).map(|sheet| (sheet.id.as_str(), sheet.text.as_deref())), Some(("first", None)));
}

#[test]
fn reset_asks_once_and_undo_brings_the_text_back() {
    let mut model = opened();
    let pristine = text(&model).to_string();
    desk(&mut model, DeskMsg::Typed("mine".into()));
    assert_eq!(desk(&mut model, DeskMsg::Reset), [Effect::ShowDialog]);
    assert_eq!((model.dialog, text(&model)), (Some(Dialog::ConfirmReset), "mine"));
    assert!(desk(&mut model, DeskMsg::Reset).contains(&Effect::CloseDialog));
    assert_eq!((model.dialog, text(&model)), (None, pristine.as_str()));
    let effects = desk(&mut model, DeskMsg::Undo);
    assert_eq!(text(&model), "mine");
    assert_eq!(saved(&effects), Some("mine"));
    desk(&mut model, DeskMsg::Redo);
    assert_eq!(text(&model), pristine);
}

#[test]
fn closing_the_question_keeps_the_text_and_asks_again_next_time() {
    let mut model = opened();
    desk(&mut model, DeskMsg::Typed("mine".into()));
    desk(&mut model, DeskMsg::Reset);
    update(&mut model, Msg::View(ViewMsg::CloseDialog));
    assert_eq!(text(&model), "mine");
    desk(&mut model, DeskMsg::Reset);
    assert_eq!((model.dialog, text(&model)), (Some(Dialog::ConfirmReset), "mine"));
}

/// Runs a text that fails with an error at bytes 7 to 10.
fn failed(text: &str) -> Model {
    let mut model = ready();
    desk(&mut model, DeskMsg::Typed(text.to_string()));
    desk(&mut model, DeskMsg::Run);
    let mut report = report();
    report.statements.truncate(1);
    report.statements[0].trace = None;
    report.statements[0].error = Some(ErrorReport {
        condition: "UNRESOLVED_COLUMN".into(),
        sqlstate: "42703".into(),
        message: "There is no column idd.".into(),
        span: Some((7, 10)),
        rows: vec![],
        hint: None,
        edits: vec![edit()],
    });
    report.total = 3;
    ran(&mut model, report);
    model
}

fn edit() -> Edit {
    Edit { label: "use id".into(), span: (7, 10), replacement: "id".into() }
}

#[test]
fn a_suggested_edit_is_applied_on_request_only_and_can_be_undone() {
    let mut model = failed("SELECT idd FROM t");
    assert_eq!(text(&model), "SELECT idd FROM t");
    assert_eq!(model.status, "Stopped: UNRESOLVED_COLUMN. 0 of 3 statements ran.");
    let effects = desk(&mut model, DeskMsg::Apply(edit()));
    assert_eq!(text(&model), "SELECT id FROM t");
    assert!(effects.contains(&Effect::Select { start: 7, end: 9 }));
    desk(&mut model, DeskMsg::Undo);
    assert_eq!(text(&model), "SELECT idd FROM t");
}

#[test]
fn an_edit_does_not_touch_a_text_that_has_changed_since() {
    let mut model = failed("SELECT idd FROM t");
    desk(&mut model, DeskMsg::Typed("SELECT a, idd FROM t".into()));
    assert_eq!(desk(&mut model, DeskMsg::Apply(edit())), []);
    assert_eq!(text(&model), "SELECT a, idd FROM t");
    assert_eq!(desk(&mut model, DeskMsg::NextProblem { forward: true }), [], "nor does the mark point anywhere");
}

#[test]
fn jumping_to_the_error_counts_as_the_browser_does_and_reads_it_out() {
    let mut model = failed("/*😀*/ idd");
    let effects = desk(&mut model, DeskMsg::NextProblem { forward: false });
    assert_eq!(effects, [Effect::SelectNext { places: vec![(5, 8)], forward: false }]);
    desk(&mut model, DeskMsg::AtProblem(0));
    assert!(model.status.starts_with("Error, 1 of 1: "), "{}", model.status);
}

#[test]
fn hints_open_one_by_one_and_stop_at_the_last() {
    let mut model = opened();
    desk(&mut model, DeskMsg::Hint);
    assert_eq!(model.desk().unwrap().current().unwrap().hints, 0, "an example has none");
    pick(&mut model, "exercise-a");
    let opened: Vec<usize> = (0..4)
        .map(|_| {
            desk(&mut model, DeskMsg::Hint);
            model.desk().unwrap().current().unwrap().hints
        })
        .collect();
    assert_eq!(opened, [1, 2, 2, 2]);
}

fn verdict(status: Status) -> Verdict {
    let test = Test {
        id: "rows".into(),
        name: "The table holds the right rows".into(),
        status: if status == Status::Passed { TestStatus::Passed } else { TestStatus::Failed },
        message: String::new(),
        variant: None,
        rows: None,
        step: None,
    };
    Verdict { version: 1, status, mistake: None, shown: None, tests: vec![test] }
}

fn checked(model: &mut Model, status: Status) -> Vec<Effect> {
    let effects = desk(model, DeskMsg::Check);
    let id = sent(&effects).unwrap().id;
    reply(model, id, ReplyBody::Checked { verdict: Box::new(verdict(status)), run: Box::new(report()) })
}

#[test]
fn only_an_exercise_can_be_checked() {
    let mut model = ready();
    assert_eq!(desk(&mut model, DeskMsg::Check), []);
    pick(&mut model, "exercise-a");
    let effects = desk(&mut model, DeskMsg::Check);
    assert!(matches!(&sent(&effects).unwrap().body, Ask::Check { exercise, .. } if exercise == "a"));
}

#[test]
fn a_verdict_is_about_the_text_that_was_checked() {
    let mut model = ready();
    pick(&mut model, "exercise-a");
    checked(&mut model, Status::Failed);
    assert!(model.desk().unwrap().current().unwrap().current_verdict().is_some());
    let checked_text = text(&model).to_string();
    desk(&mut model, DeskMsg::Typed("SELECT 1".into()));
    assert!(model.desk().unwrap().current().unwrap().current_verdict().is_none());
    desk(&mut model, DeskMsg::Typed(checked_text));
    assert!(model.desk().unwrap().current().unwrap().current_verdict().is_some());
}

#[test]
fn a_check_puts_its_run_on_the_stage() {
    let mut model = ready();
    pick(&mut model, "exercise-a");
    checked(&mut model, Status::Passed);
    let open = model.desk().unwrap();
    assert!(open.player.is_some() && open.is_fresh());
    assert_eq!(model.status, "Passed on every variant of the data.");
}

#[test]
fn solved_once_stays_solved_and_is_saved_once() {
    let mut model = ready();
    pick(&mut model, "exercise-a");
    assert_eq!(checked(&mut model, Status::Broken), [], "a broken lesson solves nothing");
    assert!(kept(&checked(&mut model, Status::Passed)).is_some_and(|sheet| sheet.solved));
    assert_eq!(checked(&mut model, Status::Passed), []);
    checked(&mut model, Status::Failed);
    assert!(model.desk().unwrap().current().unwrap().solved);
}

#[test]
fn a_named_variant_can_be_opened_with_its_data() {
    let mut model = ready();
    pick(&mut model, "exercise-a");
    let effects = desk(&mut model, DeskMsg::RunVariant("NULL_T".into()));
    let Ask::Run { setup, .. } = &sent(&effects).unwrap().body else { panic!("a run") };
    assert!(setup.starts_with("CREATE TABLE shop.orders"));
    assert!(setup.ends_with("\n;\nUPDATE shop.orders SET status = NULL WHERE order_id = 4"));
    ran(&mut model, report());
    assert_eq!(model.desk().unwrap().shown.as_ref().unwrap().variant.as_deref(), Some("NULL_T"));
}

fn sheet(model: &Model) -> &crate::model::Sheet {
    model.desk().unwrap().current().unwrap()
}

#[test]
fn a_pass_is_about_the_lesson_and_the_text_and_solved_once_stays() {
    let mut model = ready();
    pick(&mut model, "exercise-a");
    checked(&mut model, Status::Passed);
    let version = model.desk().unwrap().lesson_file().unwrap().version.clone();
    assert!(sheet(&model).passes(&version) && !sheet(&model).passes("another version"));
    desk(&mut model, DeskMsg::Typed("SELECT 1".into()));
    assert!(!sheet(&model).passes(&version) && sheet(&model).solved);
    assert!(kept(&checked(&mut model, Status::Passed)).is_some(), "another text that passes is another pass");
    assert!(sheet(&model).passes(&version));
}

#[test]
fn a_shown_solution_is_seen_and_does_not_solve() {
    let mut model = ready();
    pick(&mut model, "exercise-a");
    let mine = text(&model).to_string();
    assert_eq!(desk(&mut model, DeskMsg::Solution), [Effect::ShowDialog]);
    assert_eq!((model.dialog, text(&model)), (Some(Dialog::ConfirmSolution), mine.as_str()));
    let effects = desk(&mut model, DeskMsg::Solution);
    assert!(kept(&effects).is_some_and(|sheet| sheet.seen && !sheet.solved));
    let solution = text(&model).to_string();
    assert_ne!(solution, mine);
    assert_eq!(checked(&mut model, Status::Passed), [], "it was only shown");
    assert!(!sheet(&model).solved);
    desk(&mut model, DeskMsg::Typed(format!("{solution} -- in my own words")));
    checked(&mut model, Status::Passed);
    assert!(sheet(&model).solved && sheet(&model).seen);
    desk(&mut model, DeskMsg::Undo);
}

#[test]
fn the_lessons_text_can_be_looked_at_and_run_without_losing_ones_own() {
    let mut model = ready();
    let pristine = text(&model).to_string();
    desk(&mut model, DeskMsg::Typed("mine".into()));
    desk(&mut model, DeskMsg::Turn(Side::Lesson));
    assert_eq!(text(&model), pristine);
    assert_eq!(desk(&mut model, DeskMsg::Typed("over it".into())), [], "only one's own can be edited");
    assert!(sent(&desk(&mut model, DeskMsg::Run)).is_some());
    desk(&mut model, DeskMsg::Turn(Side::Mine));
    assert_eq!(text(&model), "mine");
    desk(&mut model, DeskMsg::Turn(Side::Shared));
    assert_eq!((text(&model), sheet(&model).side), ("mine", Side::Mine), "no link brought anything");
}
