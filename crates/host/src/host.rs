//! Requests to replies.

use crate::assist::{Assistant, words};
use crate::check::check;
use crate::clock::{DEFAULT_CLOCK, start_of};
use crate::errors::report_elsewhere;
use crate::fingerprint::fingerprints;
use crate::interpreter::Interpreter;
use crate::lab::Lab;
use crate::own::{self, Files};
use crate::play::{self, Played};
use crate::run::run;
use crate::script::items;
use crate::tables;
use engine::env::Env;
use engine::sandbox::Sandbox;
use lesson::{Exercise, Lesson, plan_checks};
use protocol::{Note, PlayStep, ReplyBody, Request, RunReport, VERSION};
use spec::Diagnostic;

/// One sandbox and the requests that it serves.
#[derive(Debug)]
pub struct Host {
    build: String,
    /// Absent until the first run.
    lab: Option<Lab>,
    assistant: Assistant,
    /// The playground's steps that the lab holds; `None` where it holds anything else.
    played: Option<Played>,
    /// What the page handed over.
    files: Files,
    interpreter: Interpreter,
}

impl Host {
    /// A host of this build; the page must be of the same.
    pub fn new(build: impl Into<String>) -> Self {
        Self {
            build: build.into(),
            lab: None,
            assistant: Assistant::default(),
            played: None,
            files: Files::new(),
            interpreter: Interpreter::default(),
        }
    }

    /// Lets its runs wait for programs where others do.
    #[must_use]
    pub fn waiting_at(mut self, interpreter: &Interpreter) -> Self {
        self.interpreter = interpreter.clone();
        self
    }

    /// Where its runs wait for programs: who drives them runs those.
    pub fn interpreter(&self) -> Interpreter {
        self.interpreter.clone()
    }

    fn sandbox(&self) -> Option<&Sandbox> {
        self.lab.as_ref().map(|lab| &lab.sandbox)
    }

    /// Takes a file of the learner's, for the steps that name its key.
    ///
    /// # Errors
    /// A sentence: a path that leads elsewhere, or more than the sandbox takes.
    pub fn put_file(&mut self, key: &str, path: &str, bytes: Vec<u8>) -> Result<(), String> {
        own::add(&mut self.files, key, path, bytes)
    }

    /// A table with its log as a zip that opens elsewhere.
    ///
    /// # Errors
    /// A sentence: there is no such table, or its files cannot be read.
    pub async fn zip(&self, name: &str) -> Result<Vec<u8>, String> {
        let found = self.sandbox().and_then(|sandbox| Some((sandbox, tables::find(sandbox, name)?)));
        let Some((sandbox, entry)) = found else { return Err(format!("There is no table `{name}`.")) };
        own::zipped(sandbox.env().storage.as_ref(), &entry.root, &entry.name).await
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
            Request::Play { steps, text } => ReplyBody::Ran(Box::new(Box::pin(self.play(&steps, &text, notes)).await)),
            Request::Continue { text } => {
                self.played = None;
                let lab = match self.lab.take() {
                    Some(lab) => Ok(lab),
                    None => fresh(DEFAULT_CLOCK).map(Lab::new),
                };
                match lab {
                    Ok(lab) => {
                        let lab = self.lab.insert(lab);
                        ReplyBody::Ran(Box::new(Box::pin(run(lab, &self.interpreter, &text, notes)).await))
                    }
                    Err(diagnostic) => refused(diagnostic.message),
                }
            }
            Request::Check { lesson, exercise, text } => match lesson.exercise(&exercise) {
                Some(exercise) => {
                    let verdict = Box::new(Box::pin(check(&lesson, exercise, &text, &self.interpreter, notes)).await);
                    let run = Box::new(Box::pin(self.visible(&lesson, exercise, &text)).await);
                    ReplyBody::Checked { verdict, run }
                }
                None => refused(format!("The lesson {} has no exercise `{exercise}`.", lesson.id)),
            },
            Request::Table { name } => self.table(&name).await,
            Request::Assist { setup, text, clock } => {
                let setup = setup.as_deref().map(|setup| (setup, clock.as_deref().unwrap_or(DEFAULT_CLOCK)));
                let sandbox = self.lab.as_ref().map(|lab| &lab.sandbox);
                let help = Box::pin(self.assistant.assist(sandbox, setup, &text)).await;
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
        (self.lab, self.played) = (None, None);
        let prepared = match fresh(clock).map(Lab::new) {
            Ok(mut lab) => lab.take(&self.interpreter, setup).await.map(|()| lab),
            Err(diagnostic) => Err(diagnostic),
        };
        match prepared {
            Ok(lab) => run(self.lab.insert(lab), &self.interpreter, text, notes).await,
            Err(diagnostic) => not_run(text, &diagnostic, "The setup failed"),
        }
    }

    async fn play(&mut self, steps: &[PlayStep], text: &str, notes: &mut dyn FnMut(Note)) -> RunReport {
        let there = self.lab.take().zip(self.played.take());
        let start = match play::rest(there, steps) {
            Some(start) => Ok(start),
            None => fresh(DEFAULT_CLOCK).map(|sandbox| (Lab::new(sandbox), steps)),
        };
        let prepared = match start {
            Ok((lab, rest)) => play::prepared(lab, &self.interpreter, &self.files, rest).await,
            Err(diagnostic) => Err(diagnostic),
        };
        let lab = match prepared {
            Ok(lab) => self.lab.insert(lab),
            Err(diagnostic) => return not_run(text, &diagnostic, "An earlier step failed"),
        };
        let mut report = run(lab, &self.interpreter, text, notes).await;
        self.played = play::after(steps, text, &report);
        play::offer_samples(&lab.sandbox, text, &mut report);
        report
    }

    async fn fingerprints(&self) -> ReplyBody {
        let Some(sandbox) = self.sandbox() else { return ReplyBody::Fingerprints { objects: Vec::new() } };
        match fingerprints(sandbox.env().storage.as_ref()).await {
            Ok(objects) => ReplyBody::Fingerprints { objects },
            Err(error) => refused(error.to_string()),
        }
    }

    async fn table(&self, name: &str) -> ReplyBody {
        let Some((sandbox, entry)) = self.sandbox().and_then(|sandbox| Some((sandbox, tables::find(sandbox, name)?)))
        else {
            return refused(format!("There is no table `{name}`."));
        };
        match tables::report(sandbox.env().storage.as_ref(), &entry).await {
            Ok(report) => ReplyBody::Table(Box::new(report)),
            Err(diagnostic) => refused(diagnostic.message),
        }
    }
}

/// The report of a text that did not come to run.
fn not_run(text: &str, diagnostic: &Diagnostic, why: &str) -> RunReport {
    let errors = vec![report_elsewhere(diagnostic, why)];
    RunReport { statements: Vec::new(), total: items(text).len(), errors, tables: Vec::new(), program: false }
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
