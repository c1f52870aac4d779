//! Requests to replies.

use crate::assist::{Assistant, words};
use crate::check::check;
use crate::clock::{DEFAULT_CLOCK, start_of};
use crate::errors::report_elsewhere;
use crate::fingerprint::fingerprints;
use crate::own::{self, Files};
use crate::play::{self, Played};
use crate::program::Program;
use crate::programs::{Pending, is_program};
use crate::run::{run, run_silently};
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
    pub(crate) sandbox: Option<Sandbox>,
    assistant: Assistant,
    /// The playground's steps that the sandbox holds; `None` where it holds anything else.
    pub(crate) played: Option<Played>,
    /// What the page handed over.
    pub(crate) files: Files,
    /// The session of Python programs on this sandbox.
    pub(crate) program: Option<Program>,
    /// A run with a program in it that has not ended.
    pub(crate) pending: Option<Pending>,
}

impl Host {
    /// A host of this build; the page must be of the same.
    pub fn new(build: impl Into<String>) -> Self {
        Self {
            build: build.into(),
            sandbox: None,
            assistant: Assistant::default(),
            played: None,
            files: Files::new(),
            program: None,
            pending: None,
        }
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
        let found = self.sandbox.as_ref().and_then(|sandbox| Some((sandbox, tables::find(sandbox, name)?)));
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
                if is_program(&text) {
                    return Box::pin(self.run_program(&setup, &text, clock, notes)).await;
                }
                ReplyBody::Ran(Box::new(Box::pin(self.run(&setup, &text, clock, notes)).await))
            }
            Request::Play { steps, text } if has_program(&steps, &text) => {
                Box::pin(self.play_program(&steps, &text, notes)).await
            }
            Request::Play { steps, text } => ReplyBody::Ran(Box::new(Box::pin(self.play(&steps, &text, notes)).await)),
            Request::Continue { text } => {
                self.played = None;
                if is_program(&text) {
                    self.pending = Some(Pending::new(Vec::new(), &text, None));
                    return Box::pin(self.go_on(notes)).await;
                }
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

    /// A run of a program on a setup: the interpreter is somebody else's.
    async fn run_program(&mut self, setup: &str, text: &str, clock: &str, notes: &mut dyn FnMut(Note)) -> ReplyBody {
        (self.program, self.played) = (None, None);
        self.sandbox = fresh(clock).ok();
        let steps = if setup.trim().is_empty() { Vec::new() } else { vec![PlayStep::Sql(setup.to_owned())] };
        self.pending = Some(Pending::new(steps, text, None));
        self.go_on(notes).await
    }

    /// The playground, where its steps or its text are programs.
    async fn play_program(&mut self, steps: &[PlayStep], text: &str, notes: &mut dyn FnMut(Note)) -> ReplyBody {
        let there = self.sandbox.take().zip(self.played.take());
        let rest = match play::rest(there, steps) {
            Some((sandbox, rest)) => {
                self.sandbox = Some(sandbox);
                rest
            }
            None => {
                self.program = None;
                self.sandbox = fresh(DEFAULT_CLOCK).ok();
                steps
            }
        };
        self.pending = Some(Pending::new(rest.to_vec(), text, Some(steps.to_vec())));
        self.go_on(notes).await
    }

    async fn run(&mut self, setup: &str, text: &str, clock: &str, notes: &mut dyn FnMut(Note)) -> RunReport {
        self.sandbox = None;
        self.played = None;
        self.program = None;
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
                program: false,
            },
        }
    }

    async fn play(&mut self, steps: &[PlayStep], text: &str, notes: &mut dyn FnMut(Note)) -> RunReport {
        let there = self.sandbox.take().zip(self.played.take());
        let prepared = match play::rest(there, steps) {
            Some((sandbox, rest)) => play::prepared(sandbox, &self.files, rest).await,
            None => {
                self.program = None;
                match fresh(DEFAULT_CLOCK) {
                    Ok(sandbox) => play::prepared(sandbox, &self.files, steps).await,
                    Err(diagnostic) => Err(diagnostic),
                }
            }
        };
        let sandbox = match prepared {
            Ok(sandbox) => self.sandbox.insert(sandbox),
            Err(diagnostic) => {
                let errors = vec![report_elsewhere(&diagnostic, "An earlier step failed")];
                return RunReport {
                    statements: Vec::new(),
                    total: items(text).len(),
                    errors,
                    tables: Vec::new(),
                    program: false,
                };
            }
        };
        let mut report = run(sandbox, text, notes).await;
        self.played = play::after(steps, text, &report);
        play::offer_samples(sandbox, text, &mut report);
        report
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

fn has_program(steps: &[PlayStep], text: &str) -> bool {
    let is_one = |step: &PlayStep| matches!(step, PlayStep::Sql(text) if is_program(text));
    is_program(text) || steps.iter().any(is_one)
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
