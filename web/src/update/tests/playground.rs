use crate::effect::Effect;
use crate::fixtures::{BUILD, desk, hello, ran, sent, text};
use crate::model::{Dialog, Load, Model, PLAYGROUND, SHARED, Saved, Step};
use crate::msg::{DeskMsg, FileMsg, KeepMsg, Msg, PlaygroundMsg, ShareMsg};
use crate::route::Route;
use crate::share::{Link, decode, encode};
use crate::update::{start, start_at, update};
use crate::wire::Ask;
use protocol::{ErrorReport, RunReport, StatementReport};

fn step(kind: &str, text: &str) -> Step {
    Step { kind: kind.into(), text: text.into(), file: String::new() }
}

/// The playground with these steps saved; the engine has said hello.
fn playground(steps: Vec<Step>) -> Model {
    let (mut model, _) = start(BUILD, Route::Playground);
    model.now_ms = 5;
    update(&mut model, Msg::PlaygroundLoaded(Saved { steps, steps_at: 1, ..Saved::default() }));
    model
}

fn ready(steps: Vec<Step>) -> Model {
    let mut model = playground(steps);
    hello(&mut model);
    if model.engine.flight.is_some() {
        ran(&mut model, report("", &[]));
    }
    model
}

/// A report of statements that ran.
fn report(text: &str, kinds: &[&str]) -> RunReport {
    let mut at = 0;
    let statements = kinds.iter().zip(text.split("; ")).map(|(kind, piece)| {
        let span = (at, at + piece.len() as u32);
        at += piece.len() as u32 + 2;
        StatementReport {
            span,
            kind: (*kind).into(),
            grid: None,
            printed: None,
            version: None,
            trace: None,
            error: None,
            elsewhere: vec![],
            mirror: None,
        }
    });
    let statements: Vec<StatementReport> = statements.collect();
    RunReport { total: statements.len(), statements, errors: vec![], tables: vec![], program: false }
}

fn failed() -> RunReport {
    let mut report = report("INSERT", &["INSERT"]);
    report.statements[0].error = Some(ErrorReport {
        condition: "TABLE_OR_VIEW_NOT_FOUND".into(),
        sqlstate: "42P01".into(),
        message: "gone".into(),
        span: None,
        rows: vec![],
        hint: None,
        edits: vec![],
    });
    report
}

fn played(effects: &[Effect]) -> (Vec<String>, String) {
    let Some(Ask::Play { steps, text }) = sent(effects).map(|sent| &sent.body) else { panic!("{effects:?}") };
    (steps.iter().map(|step| step.text.clone()).collect(), text.clone())
}

fn kinds(model: &Model) -> Vec<&str> {
    model.desk().unwrap().ledger.steps.iter().map(|step| step.kind.as_str()).collect()
}

#[test]
fn a_run_names_the_steps_before_it_and_its_statements_become_steps() {
    let mut model = ready(vec![step("CREATE TABLE", "CREATE TABLE t (k INT)")]);
    let script = "INSERT INTO t VALUES (1); SELECT 1";
    desk(&mut model, DeskMsg::Typed(script.into()));
    let (steps, text) = played(&desk(&mut model, DeskMsg::Run));
    assert_eq!((steps, text.as_str()), (vec!["CREATE TABLE t (k INT)".to_string()], script));
    let effects = ran(&mut model, report(script, &["INSERT", "SELECT"]));
    assert_eq!(kinds(&model), ["CREATE TABLE", "INSERT", "SELECT"]);
    assert!(matches!(&effects[..], [Effect::Keep { place, saved }] if place == PLAYGROUND && saved.steps.len() == 3));
}

#[test]
fn a_run_that_fails_is_no_step() {
    let mut model = ready(vec![]);
    desk(&mut model, DeskMsg::Run);
    ran(&mut model, failed());
    assert_eq!(kinds(&model), Vec::<&str>::new());
    assert!(model.status.ends_with("Nothing of a run that fails stays."), "{}", model.status);
}

#[test]
fn sample_tables_are_a_step_and_the_text_runs_again_as_it_is() {
    let mut model = ready(vec![]);
    desk(&mut model, DeskMsg::Typed("MERGE".into()));
    let effects = update(&mut model, Msg::Playground(PlaygroundMsg::MakeSamples("CREATE".into())));
    assert_eq!(played(&effects), (vec!["CREATE".to_string()], "MERGE".to_string()));
    assert_eq!((kinds(&model), text(&model)), (vec!["SAMPLE TABLES"], "MERGE"));
}

#[test]
fn undo_redo_and_emptying_bring_the_engine_along() {
    let mut model = ready(vec![step("CREATE TABLE", "a"), step("INSERT", "b")]);
    let effects = update(&mut model, Msg::Playground(PlaygroundMsg::Undo));
    assert_eq!(played(&effects), (vec!["a".to_string()], String::new()));
    assert_eq!(update(&mut model, Msg::Playground(PlaygroundMsg::Redo)), [], "the engine is at work");
    ran(&mut model, report("", &[]));
    assert_eq!(model.status, "1 statement makes what is here.");
    let effects = update(&mut model, Msg::Playground(PlaygroundMsg::Redo));
    assert_eq!(played(&effects).0.len(), 2);
    ran(&mut model, report("", &[]));
    assert_eq!(update(&mut model, Msg::Playground(PlaygroundMsg::Empty)), [Effect::ShowDialog]);
    assert_eq!((model.dialog, kinds(&model).len()), (Some(Dialog::ConfirmEmpty), 2));
    let effects = update(&mut model, Msg::Playground(PlaygroundMsg::Empty));
    assert!(effects.contains(&Effect::CloseDialog) && kinds(&model).is_empty());
}

#[test]
fn saved_steps_are_replayed_and_the_text_is_not_run() {
    let mut model = playground(vec![step("CREATE TABLE", "a")]);
    let effects = hello(&mut model);
    assert_eq!(played(&effects), (vec!["a".to_string()], String::new()));
    let mut empty = playground(vec![]);
    assert_eq!(hello(&mut empty), [], "nothing to replay, nothing runs");
}

#[test]
fn a_ready_statement_is_written_and_not_run() {
    let mut model = ready(vec![]);
    let effects = update(&mut model, Msg::Playground(PlaygroundMsg::Write("SELECT 7")));
    assert!(sent(&effects).is_none());
    assert_eq!(text(&model), "SELECT 7");
    desk(&mut model, DeskMsg::Undo);
    assert!(text(&model).starts_with("CREATE TABLE prices"));
}

#[test]
fn a_file_is_handed_over_once_and_again_to_a_new_worker() {
    let mut model = ready(vec![]);
    let taken = |key: &str| Msg::File(FileMsg::Taken { key: key.into(), name: "a.csv".into() });
    let effects = update(&mut model, taken("k1"));
    let handed = |effects: &[Effect]| effects.iter().filter(|e| matches!(e, Effect::SendFile(_))).count();
    assert_eq!((handed(&effects), played(&effects).0), (1, vec!["a".to_string()]));
    // A second one while the first is on its way: the answer asks for both.
    assert_eq!(handed(&update(&mut model, taken("k2"))), 0);
    let effects = ran(&mut model, report("", &[]));
    assert_eq!((handed(&effects), played(&effects).0), (1, vec!["a".to_string(), "a_2".to_string()]));
    ran(&mut model, report("", &[]));
    crate::fixtures::engine(&mut model, crate::msg::EngineMsg::Panicked("gone".into()));
    hello(&mut model);
    let effects = desk(&mut model, DeskMsg::Run);
    assert_eq!(handed(&effects), 2, "the new worker has no files");
}

#[test]
fn files_elsewhere_are_told_where_they_go() {
    let mut model = crate::fixtures::ready();
    let effects = update(&mut model, Msg::File(FileMsg::Taken { key: "k".into(), name: "a.csv".into() }));
    assert_eq!(effects, []);
    assert!(model.status.contains("playground"));
}

fn shared(link: &Link) -> Route {
    Route::parse(&format!("#{}", encode(link)))
}

fn link() -> Link {
    Link { code: "SELECT 1".into(), steps: vec![step("CREATE TABLE", "a")], step: Some(3), ..Link::default() }
}

#[test]
fn a_shared_playground_runs_nothing_and_is_not_kept() {
    let (mut model, effects) = start(BUILD, shared(&link()));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Send(_))));
    assert_eq!(model.place(), Some(SHARED));
    assert_eq!(hello(&mut model), [], "nor when the engine is there");
    assert_eq!(played(&desk(&mut model, DeskMsg::Run)), (vec!["a".to_string()], "SELECT 1".to_string()));
    assert_eq!(ran(&mut model, report("SELECT 1", &["SELECT"])), [], "nothing is kept");
}

#[test]
fn a_shared_playground_can_be_taken_over_and_the_own_one_comes_back() {
    let mut model = ready(vec![step("INSERT", "own")]);
    update(&mut model, Msg::Opened(shared(&link())));
    let effects = update(&mut model, Msg::Share(ShareMsg::Adopt));
    assert!(effects.contains(&Effect::Redirect(Route::Playground)));
    assert_eq!((kinds(&model), text(&model)), (vec!["CREATE TABLE"], "SELECT 1"));
    ran(&mut model, report("", &[]));
    update(&mut model, Msg::Playground(PlaygroundMsg::Redo));
    assert_eq!(kinds(&model), ["CREATE TABLE", "INSERT"]);
}

#[test]
fn a_shared_playground_waits_for_the_own_one_to_be_read() {
    let (mut model, _) = start(BUILD, shared(&link()));
    let effects = update(&mut model, Msg::Share(ShareMsg::Adopt));
    // What was the link's text is another one now, which help will be asked about.
    let rest = Effect::After { milliseconds: 350, msg: Box::new(Msg::Rested(1)) };
    assert_eq!(effects, [Effect::Redirect(Route::Playground), rest]);
    update(&mut model, Msg::Opened(Route::Playground));
    let saved = Saved { steps: vec![step("INSERT", "own")], steps_at: 1, ..Saved::default() };
    update(&mut model, Msg::PlaygroundLoaded(saved));
    assert_eq!(kinds(&model), ["CREATE TABLE"]);
    assert_eq!(model.desk().unwrap().ledger.undone.len(), 1, "what was saved can come again");
}

#[test]
fn the_link_of_a_playground_carries_its_steps_but_no_files() {
    let mut model = ready(vec![step("CREATE TABLE", "a"), Step { file: "k".into(), ..step("FILE", "t") }]);
    update(&mut model, Msg::Share(ShareMsg::Open));
    let link = decode(model.link.as_ref().unwrap()).unwrap();
    assert_eq!((link.place.as_str(), link.steps), ("", vec![step("CREATE TABLE", "a")]));
    assert!(link.code.starts_with("CREATE TABLE prices"));
}

#[test]
fn a_broken_link_opens_the_course_and_says_why() {
    let (model, effects) = start(BUILD, Route::parse("#1AAAA"));
    assert_eq!(effects, [Effect::FetchCourse]);
    assert!(model.status.starts_with("This link cannot be read"), "{}", model.status);
}

#[test]
fn an_embedded_page_asks_for_no_engine_before_run() {
    let (mut model, effects) =
        start_at(BUILD, shared(&link()), String::new(), Some(crate::model::Embed { step: Some(2) }));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::StartEngine(_))));
    let effects = desk(&mut model, DeskMsg::Run);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::StartEngine(_))));
    assert!(model.engine.waiting.is_some());
}

#[test]
fn another_windows_text_is_offered_and_never_forced() {
    let mut model = ready(vec![]);
    desk(&mut model, DeskMsg::Typed("here".into()));
    let theirs = Saved {
        sheets: vec![crate::model::SavedSheet {
            id: "script".into(),
            text: Some("there".into()),
            at: 9,
            ..Default::default()
        }],
        ..Saved::default()
    };
    let said = Msg::Keep(KeepMsg::SavedElsewhere { place: PLAYGROUND.into(), saved: theirs.clone() });
    update(&mut model, said.clone());
    assert!(model.notice.is_some());
    assert_eq!(text(&model), "here");
    let effects = update(&mut model, Msg::Keep(KeepMsg::TakeTheirs(false)));
    assert!(matches!(&effects[..], [Effect::Keep { .. }]), "this window's text is the one that is kept");
    update(&mut model, said);
    update(&mut model, Msg::Keep(KeepMsg::TakeTheirs(true)));
    assert_eq!((text(&model), model.notice.is_none()), ("there", true));
    let same = Msg::Keep(KeepMsg::SavedElsewhere { place: PLAYGROUND.into(), saved: theirs });
    update(&mut model, same);
    assert!(model.notice.is_none(), "nothing differs");
}

#[test]
fn what_is_brought_in_is_read_again() {
    let mut model = ready(vec![]);
    let effects = update(&mut model, Msg::Keep(KeepMsg::Imported(Ok(2))));
    assert!(effects.contains(&Effect::OpenPlayground(PLAYGROUND)));
    assert_eq!(model.desk().unwrap().file, Load::Waiting);
    update(&mut model, Msg::Keep(KeepMsg::Import("{}".into())));
    assert!(model.status.starts_with("This is no file of work"));
}

#[test]
fn an_old_version_is_asked_for_on_the_tables_that_are_here() {
    let text = "CREATE TABLE t (id INT)";
    let mut model = ready(vec![step("CREATE TABLE", text)]);
    desk(&mut model, DeskMsg::Typed("SELECT 1".into()));
    desk(&mut model, DeskMsg::Run);
    ran(&mut model, report("SELECT 1", &["SELECT"]));
    let effects = desk(&mut model, DeskMsg::Travel { table: "t".into(), version: 0 });
    let (steps, asked) = played(&effects);
    assert_eq!(steps.first().map(String::as_str), Some(text));
    assert_eq!(asked, "SELECT * FROM t VERSION AS OF 0", "what ran is among the steps and does not run twice");
    let before = kinds(&model).len();
    ran(&mut model, report("SELECT", &["SELECT"]));
    assert_eq!(kinds(&model).len(), before, "to look is no step");
}
