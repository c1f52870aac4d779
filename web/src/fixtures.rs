//! A lesson for tests: three files, one MERGE that skips one of them, an exercise and a twin.

use crate::effect::Effect;
use crate::model::{Course, CourseLesson, LessonFile, Model, Saved};
use crate::msg::{DeskMsg, EngineMsg, Msg};
use crate::route::Route;
use crate::update::{start, update};
use crate::wire::Ask;
use protocol::{Assistance, Edit, Envelope, ErrorReport, GridColumn, RelationSummary, Reply, ReplyBody, RunReport};

pub(crate) const SLUG: &str = "first-upsert";
pub(crate) const BUILD: &str = "build-1";

pub(crate) fn file() -> LessonFile {
    LessonFile::read(include_str!("fixtures/lesson.json")).unwrap()
}

pub(crate) fn report() -> RunReport {
    (*file().trace.unwrap()).clone()
}

pub(crate) fn trace() -> trace::Trace {
    (*report().statements.remove(0).trace.unwrap()).clone()
}

pub(crate) fn course() -> Course {
    let lesson = |slug: &str| CourseLesson {
        id: slug.to_string(),
        slug: slug.to_string(),
        title: slug.to_uppercase(),
        minutes: 5,
    };
    Course { lessons: vec![lesson(SLUG), lesson("second")] }
}

/// The lesson is open; the engine has been asked for and is not there yet.
pub(crate) fn opened_with(saved: Saved) -> Model {
    let (mut model, _) = start(BUILD, Route::Lesson(SLUG.to_string()));
    model.now_ms = 1_768_435_200_000;
    update(&mut model, Msg::CourseLoaded(Ok(course())));
    update(&mut model, Msg::LessonLoaded { slug: SLUG.to_string(), file: Ok(Box::new(file())), saved });
    model
}

pub(crate) fn opened() -> Model {
    opened_with(Saved::default())
}

/// The lesson is open and the engine has said hello.
pub(crate) fn ready() -> Model {
    let mut model = opened();
    hello(&mut model);
    model
}

pub(crate) fn engine(model: &mut Model, msg: EngineMsg) -> Vec<Effect> {
    let generation = model.engine.generation;
    apart_from_help(update(model, Msg::Engine(generation, msg)))
}

pub(crate) fn desk(model: &mut Model, msg: DeskMsg) -> Vec<Effect> {
    apart_from_help(update(model, Msg::Desk(msg)))
}

/// The effects without the page's own questions about the text, which have tests of their own.
pub(crate) fn apart_from_help(mut effects: Vec<Effect>) -> Vec<Effect> {
    effects.retain(|effect| match effect {
        Effect::Send(envelope) => !matches!(envelope.body, Ask::Assist { .. } | Ask::Words),
        Effect::After { msg, .. } => !matches!(**msg, Msg::Rested(_)),
        _ => true,
    });
    effects
}

/// An answer to a question about a text: one table, one warning with an edit.
pub(crate) fn assistance() -> Assistance {
    let column = GridColumn { name: "k".to_string(), data_type: "int".to_string() };
    let warning = ErrorReport {
        condition: "MERGELAB_WARNING.RANK_KEEPS_TIES".to_string(),
        sqlstate: String::new(),
        message: "rank() keeps ties.".to_string(),
        span: Some((7, 11)),
        rows: Vec::new(),
        hint: Some("row_number() does not.".to_string()),
        edits: vec![Edit { label: "row_number()".to_string(), span: (7, 11), replacement: "row_number".to_string() }],
    };
    let relation = RelationSummary { name: "t".to_string(), is_view: false, columns: vec![column] };
    Assistance { relations: vec![relation], errors: Vec::new(), warnings: vec![warning], mirror: None }
}

/// The engine starts and answers the page's hello with the page's own version and build.
pub(crate) fn hello(model: &mut Model) -> Vec<Effect> {
    let asked = engine(model, EngineMsg::Started);
    let id = sent(&asked).unwrap().id;
    reply(model, id, ReplyBody::Hello { version: protocol::VERSION, build: BUILD.to_string() })
}

pub(crate) fn reply(model: &mut Model, id: u64, body: Reply) -> Vec<Effect> {
    engine(model, EngineMsg::Reply(Box::new(Envelope { id, body })))
}

/// Answers the request in flight with a report.
pub(crate) fn ran(model: &mut Model, report: RunReport) -> Vec<Effect> {
    let id = model.engine.flight.as_ref().unwrap().id;
    reply(model, id, ReplyBody::Ran(Box::new(report)))
}

/// The one request among the effects.
pub(crate) fn sent(effects: &[Effect]) -> Option<&Envelope<Ask>> {
    effects.iter().find_map(|effect| match effect {
        Effect::Send(envelope) => Some(envelope),
        _ => None,
    })
}

pub(crate) fn text(model: &Model) -> &str {
    &model.desk().unwrap().current().unwrap().text
}

/// Opens the sheet with this id.
pub(crate) fn pick(model: &mut Model, id: &str) {
    let sheet = model.desk().unwrap().sheets.iter().position(|sheet| sheet.id == id).unwrap();
    desk(model, DeskMsg::PickSheet(sheet));
}
