//! Texts that are Python programs: the host prepares, another runs them, the host tells what they did.
//!
//! An interpreter cannot be called from here: in the browser it is another module. So a request about a program is
//! answered with the program ([`ReplyBody::Program`]); its runner asks the host for what the program wants
//! ([`Host::program`]), hands over what it prints, and says when it has ended ([`Host::program_ended`]). That may be the
//! end of a step of the playground, with more to come, or of the run.

use crate::errors::{range, report, report_elsewhere};
use crate::host::Host;
use crate::own;
use crate::play;
use crate::program::{Program, Shown};
use crate::run::{run, run_silently};
use crate::script::items;
use crate::tables;
use protocol::{ErrorReport, Note, PlayStep, ReplyBody, RunReport, StatementReport};
use serde_json::{Value, json};
use spec::Diagnostic;

/// A run that goes from text to text until all have run.
#[derive(Debug)]
pub(crate) struct Pending {
    /// What comes before the text.
    steps: Vec<PlayStep>,
    /// How many of them are done.
    done: usize,
    text: String,
    /// The playground's steps, where it is one.
    all: Option<Vec<PlayStep>>,
}

impl Pending {
    /// A run of `text` after `steps`; `all` are the steps of the playground that it belongs to.
    pub(crate) fn new(steps: Vec<PlayStep>, text: &str, all: Option<Vec<PlayStep>>) -> Self {
        Self { steps, done: 0, text: text.to_owned(), all }
    }
}

/// Whether a text is, or holds, Python.
pub(crate) fn is_program(text: &str) -> bool {
    text.contains("%python")
        || sql::parse(text).diagnostics.iter().any(|problem| problem.condition == "MERGELAB_LOOKS_LIKE_PYTHON")
}

impl Host {
    /// Answers what a running program asks, as JSON text.
    pub fn program(&mut self, asked: &str) -> String {
        let asked: Value = serde_json::from_str(asked).unwrap_or_default();
        let answer = match (&mut self.sandbox, &mut self.program) {
            (Some(sandbox), Some(program)) => crate::block_on(program.answer(sandbox, &asked)),
            _ => {
                json!({ "error": { "kind": "RuntimeError", "text": "there is no session", "condition": null, "id": 0 } })
            }
        };
        answer.to_string()
    }

    /// Takes what a running program prints.
    pub fn printed(&mut self, text: &str) {
        if let Some(program) = &mut self.program {
            program.print(text);
        }
    }

    /// Goes on with a pending run: up to the next program, or to its end.
    pub(crate) async fn go_on(&mut self, notes: &mut dyn FnMut(Note)) -> ReplyBody {
        loop {
            let Some(pending) = &self.pending else {
                return ReplyBody::Refused { message: "No run is pending.".to_owned() };
            };
            let step = pending.steps.get(pending.done).cloned();
            let text = pending.text.clone();
            let Some(sandbox) = &mut self.sandbox else {
                return ReplyBody::Refused { message: "There is no sandbox.".to_owned() };
            };
            let taken = match step {
                None if is_program(&text) => return self.hand_out(&text),
                None => {
                    let mut report = Box::pin(run(sandbox, &text, notes)).await;
                    let all = self.pending.take().and_then(|pending| pending.all);
                    if let Some(all) = all {
                        self.played = play::after(&all, &text, &report);
                        play::offer_samples(sandbox, &text, &mut report);
                    }
                    return ReplyBody::Ran(Box::new(report));
                }
                Some(PlayStep::Sql(step)) if is_program(&step) => return self.hand_out(&step),
                Some(PlayStep::Sql(step)) => Box::pin(run_silently(sandbox, &step)).await,
                Some(PlayStep::File { key, table }) => Box::pin(own::load(sandbox, &self.files, &key, &table)).await,
            };
            if let Err(diagnostic) = taken {
                return self.step_failed(report_elsewhere(&diagnostic, "An earlier step failed"));
            }
            if let Some(pending) = &mut self.pending {
                pending.done += 1;
            }
        }
    }

    fn hand_out(&mut self, text: &str) -> ReplyBody {
        let fresh = self.program.is_none();
        self.program.get_or_insert_with(|| Program::new(""));
        ReplyBody::Program { text: text.to_owned(), fresh }
    }

    fn step_failed(&mut self, error: ErrorReport) -> ReplyBody {
        let text = self.pending.take().map(|pending| pending.text).unwrap_or_default();
        (self.sandbox, self.program, self.played) = (None, None, None);
        let total = items(&text).len();
        let report =
            RunReport { statements: Vec::new(), total, errors: vec![error], tables: Vec::new(), program: false };
        ReplyBody::Ran(Box::new(report))
    }

    /// The program that was handed out has ended, well or with a failure in JSON.
    pub(crate) async fn program_ended(&mut self, failure: Option<&str>, notes: &mut dyn FnMut(Note)) -> ReplyBody {
        let failure: Option<Value> = failure.and_then(|failure| serde_json::from_str(failure).ok());
        let (Some(program), Some(pending)) = (&mut self.program, &mut self.pending) else {
            return ReplyBody::Refused { message: "No program is running.".to_owned() };
        };
        let shown = program.take_shown();
        let problem = failure.as_ref().map(|failure| problem_of(program, failure));
        if pending.done < pending.steps.len() {
            if let Some(problem) = problem {
                return self.step_failed(report_elsewhere(&problem, "An earlier step failed"));
            }
            pending.done += 1;
            return Box::pin(self.go_on(notes)).await;
        }
        let statements = told(shown, problem.as_ref());
        let written = program.written().to_vec();
        let failed = problem.is_some();
        let (text, all) = self.pending.take().map(|pending| (pending.text, pending.all)).unwrap_or_default();
        let (tables, problems) = match &self.sandbox {
            Some(sandbox) => Box::pin(tables::all(sandbox, &written)).await,
            None => (Vec::new(), Vec::new()),
        };
        let errors = problems.iter().map(report).collect();
        if failed {
            // A failed run is no step, and the next request starts afresh.
            (self.played, self.program) = (None, None);
        } else if let Some(all) = all {
            self.played = Some(all.into_iter().chain([PlayStep::Sql(text)]).collect());
        }
        let total = statements.len();
        ReplyBody::Ran(Box::new(RunReport { statements, total, errors, tables, program: true }))
    }
}

/// What stopped a program, as a complaint about the learner's text.
fn problem_of(program: &Program, failure: &Value) -> Diagnostic {
    let complaint = failure["complaint"].as_u64().and_then(|number| usize::try_from(number).ok());
    if let Some(problem) = complaint.and_then(|number| program.complaint(number)) {
        return problem.clone();
    }
    let text = |key: &str| failure[key].as_str().unwrap_or_default();
    let condition = if failure["condition"].is_string() { text("condition") } else { text("kind") };
    let line = failure["lines"].as_array().and_then(|lines| lines.last()?.as_u64());
    let span = line.and_then(|line| program.line(line));
    let problem = Diagnostic::new(condition, "", text("message"), span);
    match failure["hint"].as_str() {
        Some(hint) => problem.with_hint(hint),
        None => problem,
    }
}

/// What a program did, card by card, the failure last. A statement that failed and was forgiven did nothing.
fn told(shown: Vec<Shown>, problem: Option<&Diagnostic>) -> Vec<StatementReport> {
    let mut statements: Vec<StatementReport> = Vec::new();
    for shown in shown {
        match shown {
            Shown::Statement(report) if report.error.is_none() => statements.push(*report),
            Shown::Statement(_) => {}
            Shown::Text(text) => statements.push(StatementReport { printed: Some(text), ..card("PRINTED") }),
        }
    }
    if let Some(problem) = problem {
        let span = range(problem.span.unwrap_or_default());
        statements.push(StatementReport { span, error: Some(report(problem)), ..card("PYTHON") });
    }
    statements
}

fn card(kind: &str) -> StatementReport {
    StatementReport {
        span: (0, 0),
        kind: kind.to_owned(),
        grid: None,
        printed: None,
        version: None,
        trace: None,
        error: None,
        elsewhere: Vec::new(),
    }
}
