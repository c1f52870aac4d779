//! Requests to replies.

use crate::assist::{Assistant, words};
use crate::check::check;
use crate::clock::{DEFAULT_CLOCK, start_of};
use crate::errors::report_elsewhere;
use crate::fingerprint::fingerprints;
use crate::run::{run, run_silently};
use crate::script::items;
use crate::tables;
use engine::env::Env;
use engine::sandbox::Sandbox;
use lesson::{Exercise, Lesson, plan_checks};
use protocol::{Note, ReplyBody, Request, RunReport, VERSION};
use spec::Diagnostic;

/// One sandbox and the requests that it serves.
#[derive(Debug)]
pub struct Host {
    build: String,
    /// Absent until the first run.
    sandbox: Option<Sandbox>,
    assistant: Assistant,
}

impl Host {
    /// A host of this build; the page must be of the same.
    pub fn new(build: impl Into<String>) -> Self {
        Self { build: build.into(), sandbox: None, assistant: Assistant::default() }
    }

    /// Serves one request. `notes` hears of progress before the reply is there.
    ///
    /// # Panics
    /// On `Request::Panic`, which exists to test what a panic does.
    pub async fn handle(&mut self, request: Request, notes: &mut dyn FnMut(Note)) -> ReplyBody {
        match request {
            Request::Hello { version, build } => self.hello(version, &build),
            Request::Run { setup, text, clock } => {
                let clock = clock.as_deref().unwrap_or(DEFAULT_CLOCK);
                ReplyBody::Ran(Box::new(Box::pin(self.run(&setup, &text, clock, notes)).await))
            }
            Request::Continue { text } => {
                let sandbox = match self.sandbox.take() {
                    Some(sandbox) => Ok(sandbox),
                    None => fresh(DEFAULT_CLOCK),
                };
                match sandbox {
                    Ok(sandbox) => {
                        let sandbox = self.sandbox.insert(sandbox);
                        ReplyBody::Ran(Box::new(Box::pin(run(sandbox, &text, notes)).await))
                    }
                    Err(diagnostic) => refused(diagnostic.message),
                }
            }
            Request::Check { lesson, exercise, text } => match lesson.exercise(&exercise) {
                Some(exercise) => {
                    let verdict = Box::new(Box::pin(check(&lesson, exercise, &text, notes)).await);
                    let run = Box::new(Box::pin(self.visible(&lesson, exercise, &text)).await);
                    ReplyBody::Checked { verdict, run }
                }
                None => refused(format!("The lesson {} has no exercise `{exercise}`.", lesson.id)),
            },
            Request::Table { name } => self.table(&name).await,
            Request::Assist { setup, text, clock } => {
                let setup = setup.as_deref().map(|setup| (setup, clock.as_deref().unwrap_or(DEFAULT_CLOCK)));
                let help = Box::pin(self.assistant.assist(self.sandbox.as_ref(), setup, &text)).await;
                ReplyBody::Assisted(Box::new(help))
            }
            Request::Words => words(),
            Request::Fingerprints => self.fingerprints().await,
            Request::Panic => on_purpose(),
        }
    }

    fn hello(&self, version: u32, build: &str) -> ReplyBody {
        if version != VERSION || build != self.build {
            return refused(format!(
                "The page is build {build} (protocol {version}), the engine is build {} (protocol {VERSION}).",
                self.build
            ));
        }
        ReplyBody::Hello { version: VERSION, build: self.build.clone() }
    }

    /// Runs the text on the data that a learner sees, with a trace: the first of what is checked.
    async fn visible(&mut self, lesson: &Lesson, exercise: &Exercise, text: &str) -> RunReport {
        let base = plan_checks(lesson, exercise, text).into_iter().next();
        let setup = base.map(|session| session.prepare.join("\n;\n")).unwrap_or_default();
        Box::pin(self.run(&setup, text, &lesson.clock, &mut |_| ())).await
    }

    async fn run(&mut self, setup: &str, text: &str, clock: &str, notes: &mut dyn FnMut(Note)) -> RunReport {
        self.sandbox = None;
        let prepared = match fresh(clock) {
            Ok(mut sandbox) => match run_silently(&mut sandbox, setup).await {
                Ok(()) => Ok(sandbox),
                Err(diagnostic) => Err(diagnostic),
            },
            Err(diagnostic) => Err(diagnostic),
        };
        match prepared {
            Ok(sandbox) => run(self.sandbox.insert(sandbox), text, notes).await,
            Err(diagnostic) => RunReport {
                statements: Vec::new(),
                total: items(text).len(),
                errors: vec![report_elsewhere(&diagnostic, "The setup failed")],
                tables: Vec::new(),
            },
        }
    }

    async fn fingerprints(&self) -> ReplyBody {
        let Some(sandbox) = &self.sandbox else { return ReplyBody::Fingerprints { objects: Vec::new() } };
        match fingerprints(sandbox.env().storage.as_ref()).await {
            Ok(objects) => ReplyBody::Fingerprints { objects },
            Err(error) => refused(error.to_string()),
        }
    }

    async fn table(&self, name: &str) -> ReplyBody {
        let Some((sandbox, entry)) =
            self.sandbox.as_ref().and_then(|sandbox| Some((sandbox, tables::find(sandbox, name)?)))
        else {
            return refused(format!("There is no table `{name}`."));
        };
        match tables::report(sandbox.env().storage.as_ref(), &entry).await {
            Ok(report) => ReplyBody::Table(Box::new(report)),
            Err(diagnostic) => refused(diagnostic.message),
        }
    }
}

pub(crate) fn fresh(clock: &str) -> Result<Sandbox, Diagnostic> {
    Ok(Sandbox::new(Env::deterministic(start_of(clock)?)))
}

fn refused(message: String) -> ReplyBody {
    ReplyBody::Refused { message }
}

#[allow(clippy::panic, reason = "the request asks for a panic, to test that nothing of the learner's is lost")]
fn on_purpose() -> ReplyBody {
    panic!("panic on request")
}
