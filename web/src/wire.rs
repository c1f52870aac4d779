//! What page and worker say, to and from text.
//!
//! Of a reply the tag is read first and the body then as what it is. To let serde find the variant would
//! buffer every report and double the code that reads it.

use crate::json::{Misfit, quote, read};
use crate::model::{LessonFile, Step};
use crate::msg::EngineMsg;
use crate::shared::Shared;
use protocol::{Assistance, Envelope, Note, ReplyBody, RunReport};
use serde::Deserialize;

/// The requests of `protocol::Request` that the page makes.
#[derive(Debug, Clone, PartialEq)]
pub enum Ask {
    Hello {
        version: u32,
        build: String,
    },
    Run {
        setup: String,
        text: String,
        clock: Option<String>,
    },
    Play {
        steps: Vec<Step>,
        text: String,
    },
    Check {
        lesson: Shared<LessonFile>,
        exercise: String,
        text: String,
    },
    /// Without a setup it is about the tables that are there.
    Assist {
        setup: Option<String>,
        text: String,
        clock: Option<String>,
    },
    Words,
}

/// The text that the engine reads as a `protocol::Request` in its envelope.
pub fn request(envelope: &Envelope<Ask>) -> String {
    let body = match &envelope.body {
        Ask::Hello { version, build } => format!(r#""hello","version":{version},"build":{}"#, quote(build)),
        Ask::Run { setup, text, clock } => {
            let clock = clock.as_deref().map_or("null".to_string(), quote);
            format!(r#""run","setup":{},"text":{},"clock":{clock}"#, quote(setup), quote(text))
        }
        Ask::Assist { setup, text, clock } => {
            let [setup, clock] = [setup, clock].map(|given| given.as_deref().map_or("null".to_string(), quote));
            format!(r#""assist","setup":{setup},"text":{},"clock":{clock}"#, quote(text))
        }
        Ask::Words => r#""words""#.to_string(),
        Ask::Play { steps, text } => {
            let steps: Vec<String> = steps.iter().map(step).collect();
            format!(r#""play","steps":[{}],"text":{}"#, steps.join(","), quote(text))
        }
        Ask::Check { lesson, exercise, text } => {
            format!(r#""check","lesson":{},"exercise":{},"text":{}"#, lesson.text, quote(exercise), quote(text))
        }
    };
    format!(r#"{{"id":{},"body":{{"request":{body}}}}}"#, envelope.id)
}

fn step(step: &Step) -> String {
    if step.file.is_empty() {
        return format!(r#"{{"sql":{}}}"#, quote(&step.text));
    }
    format!(r#"{{"file":{{"key":{},"table":{}}}}}"#, quote(&step.file), quote(&step.text))
}

#[derive(Deserialize)]
struct Tag {
    #[serde(default)]
    reply: Option<String>,
    #[serde(default)]
    note: Option<String>,
}

#[derive(Deserialize)]
struct Hello {
    version: u32,
    build: String,
}

#[derive(Deserialize)]
struct Checked {
    verdict: Box<lesson::Verdict>,
    run: Box<RunReport>,
}

#[derive(Deserialize)]
struct Refused {
    message: String,
}

#[derive(Deserialize)]
struct Words {
    keywords: Vec<String>,
    functions: Vec<String>,
    members: Vec<String>,
}

#[derive(Deserialize)]
struct Progress {
    done: usize,
    total: usize,
}

/// Reads a reply or a note. A body of a kind that the page never asks for is a misfit.
pub fn answer(text: &str) -> Result<EngineMsg, Misfit> {
    let Envelope { id, body } = read::<Envelope<Tag>>(text)?;
    if body.note.as_deref() == Some("progress") {
        let Progress { done, total } = read::<Envelope<Progress>>(text)?.body;
        return Ok(EngineMsg::Note(Envelope { id, body: Note::Progress { done, total } }));
    }
    let body = match body.reply.as_deref() {
        Some("hello") => {
            let Hello { version, build } = read::<Envelope<Hello>>(text)?.body;
            ReplyBody::Hello { version, build }
        }
        Some("ran") => ReplyBody::Ran(Box::new(read::<Envelope<RunReport>>(text)?.body)),
        Some("assisted") => ReplyBody::Assisted(Box::new(read::<Envelope<Assistance>>(text)?.body)),
        Some("words") => {
            let Words { keywords, functions, members } = read::<Envelope<Words>>(text)?.body;
            ReplyBody::Words { keywords, functions, members }
        }
        Some("checked") => {
            let Checked { verdict, run } = read::<Envelope<Checked>>(text)?.body;
            ReplyBody::Checked { verdict, run }
        }
        Some("refused") => ReplyBody::Refused { message: read::<Envelope<Refused>>(text)?.body.message },
        _ => return Err(Misfit { what: "an unknown kind of answer", at: 0 }),
    };
    Ok(EngineMsg::Reply(Box::new(Envelope { id, body })))
}

#[cfg(test)]
mod tests {
    use super::{Ask, answer, request};
    use crate::fixtures::{assistance, file, report};
    use crate::model::Step;
    use crate::msg::EngineMsg;
    use crate::shared::Shared;
    use lesson::{Status, Verdict};
    use protocol::{Envelope, Note, PlayStep, ReplyBody, Request};

    #[test]
    fn every_request_is_one_of_the_protocol() {
        let text = "SELECT '\\', \"é\"\n".to_string();
        let lesson = Box::new(serde_json::from_str(&file().text).unwrap());
        for (ask, expected) in [
            (Ask::Hello { version: 3, build: "b\"1".into() }, Request::Hello { version: 3, build: "b\"1".into() }),
            (
                Ask::Run { setup: "a;".into(), text: text.clone(), clock: None },
                Request::Run { setup: "a;".into(), text: text.clone(), clock: None },
            ),
            (
                Ask::Run { setup: String::new(), text: text.clone(), clock: Some("2026-01-15".into()) },
                Request::Run { setup: String::new(), text: text.clone(), clock: Some("2026-01-15".into()) },
            ),
            (
                Ask::Assist { setup: Some("a;".into()), text: text.clone(), clock: None },
                Request::Assist { setup: Some("a;".into()), text: text.clone(), clock: None },
            ),
            (
                Ask::Assist { setup: None, text: text.clone(), clock: None },
                Request::Assist { setup: None, text: text.clone(), clock: None },
            ),
            (Ask::Words, Request::Words),
            (
                Ask::Play {
                    steps: vec![
                        Step { kind: "SELECT".into(), text: "SELECT '\"'".into(), file: String::new() },
                        Step { kind: "FILE".into(), text: "t".into(), file: "k\"1".into() },
                    ],
                    text: text.clone(),
                },
                Request::Play {
                    steps: vec![
                        PlayStep::Sql("SELECT '\"'".into()),
                        PlayStep::File { key: "k\"1".into(), table: "t".into() },
                    ],
                    text: text.clone(),
                },
            ),
            (
                Ask::Check { lesson: Shared::new(file()), exercise: "a".into(), text: text.clone() },
                Request::Check { lesson, exercise: "a".into(), text },
            ),
        ] {
            let written = request(&Envelope { id: 9, body: ask });
            let read: Envelope<Request> = serde_json::from_str(&written).unwrap();
            assert_eq!(read, Envelope { id: 9, body: expected });
        }
    }

    #[test]
    fn every_answer_is_read_as_it_was_written() {
        let verdict = Verdict { version: 1, status: Status::Failed, mistake: None, shown: Some(0), tests: vec![] };
        for body in [
            ReplyBody::Hello { version: 3, build: "b".into() },
            ReplyBody::Ran(Box::new(report())),
            ReplyBody::Checked { verdict: Box::new(verdict), run: Box::new(report()) },
            ReplyBody::Refused { message: "no".into() },
            ReplyBody::Words {
                keywords: vec!["MERGE".into()],
                functions: vec!["count".into()],
                members: vec!["F count".into()],
            },
            ReplyBody::Assisted(Box::new(assistance())),
        ] {
            let envelope = Envelope { id: 7, body };
            let text = serde_json::to_string(&envelope).unwrap();
            assert_eq!(answer(&text), Ok(EngineMsg::Reply(Box::new(envelope))));
        }
        let note = Envelope { id: 8, body: Note::Progress { done: 1, total: 2 } };
        assert_eq!(answer(&serde_json::to_string(&note).unwrap()), Ok(EngineMsg::Note(note)));
    }

    #[test]
    fn other_text_is_a_misfit() {
        for text in [
            "",
            "{}",
            r#"{"id":1,"body":{}}"#,
            r#"{"id":1,"body":{"reply":"table"}}"#,
            r#"{"id":1,"body":{"reply":"ran"}}"#,
        ] {
            assert!(answer(text).is_err(), "{text}");
        }
    }
}
