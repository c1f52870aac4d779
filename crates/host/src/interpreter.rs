//! Where a run waits for a program.
//!
//! Nobody can call an interpreter from inside a future: in the browser it is a module of its own, and what it asks for
//! needs a future again. So a run that comes to a program leaves it here with all that it works on, and waits. Whoever
//! drives the run ([`drive`], or the worker step by step) sees that it waits, runs the program, answers what it asks
//! meanwhile ([`Interpreter::answer`]), says when it has ended ([`Interpreter::end`]) and drives on.

use crate::block_on::block_on;
use crate::lab::Lab;
use crate::program::Program;
use engine::env::{Env, START_MS};
use engine::sandbox::Sandbox;
use serde_json::{Value, json};
use spec::Diagnostic;
use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;

/// The meeting point of runs and of whoever runs programs for them; its clones are the same one.
#[derive(Debug, Clone, Default)]
pub struct Interpreter(Rc<RefCell<Meeting>>);

#[derive(Debug, Default)]
enum Meeting {
    #[default]
    Nobody,
    /// A run waits. The program may be running already.
    Wanted(Wanted, Box<Desk>),
    Ended(Option<Value>, Box<Desk>),
}

/// A program that is to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub text: String,
    /// Names of earlier programs do not hold any more.
    pub is_fresh: bool,
}

/// What a program works on while it runs.
#[derive(Debug)]
struct Desk {
    sandbox: Sandbox,
    program: Program,
}

impl Interpreter {
    /// Waits until somebody has run a program. What it printed and did is in the lab's [`Program`] then.
    ///
    /// # Errors
    /// What stopped it, as a complaint about its text.
    pub(crate) async fn run(&self, lab: &mut Lab, text: &str) -> Result<(), Diagnostic> {
        let is_fresh = lab.program.is_none();
        let program = lab.program.take().unwrap_or_else(|| Program::new(""));
        let sandbox = std::mem::replace(&mut lab.sandbox, Sandbox::new(Env::deterministic(START_MS)));
        let wanted = Wanted { text: text.to_owned(), is_fresh };
        self.0.replace(Meeting::Wanted(wanted, Box::new(Desk { sandbox, program })));
        let (failure, desk) = poll_fn(|_| match self.0.take() {
            Meeting::Ended(failure, desk) => Poll::Ready((failure, desk)),
            other => {
                self.0.replace(other);
                Poll::Pending
            }
        })
        .await;
        lab.sandbox = desk.sandbox;
        let program = lab.program.insert(desk.program);
        failure.map_or(Ok(()), |failure| Err(program.problem_of(&failure)))
    }

    /// The program that a run waits for.
    pub fn wanted(&self) -> Option<Wanted> {
        match &*self.0.borrow() {
            Meeting::Wanted(wanted, _) => Some(wanted.clone()),
            Meeting::Nobody | Meeting::Ended(..) => None,
        }
    }

    /// Answers what the running program asks, JSON text for JSON text.
    pub fn answer(&self, asked: &str) -> String {
        let asked: Value = serde_json::from_str(asked).unwrap_or_default();
        match &mut *self.0.borrow_mut() {
            Meeting::Wanted(_, desk) => {
                let Desk { sandbox, program } = &mut **desk;
                block_on(program.answer(sandbox, &asked)).to_string()
            }
            Meeting::Nobody | Meeting::Ended(..) => {
                let error = json!({ "kind": "RuntimeError", "text": "no program runs", "condition": null, "id": 0 });
                json!({ "error": error }).to_string()
            }
        }
    }

    /// Takes what the running program prints.
    pub fn print(&self, text: &str) {
        if let Meeting::Wanted(_, desk) = &mut *self.0.borrow_mut() {
            desk.program.print(text);
        }
    }

    /// The program has ended, well or with a failure as JSON text.
    pub fn end(&self, failure: Option<&str>) {
        let failure = failure.map(|failure| serde_json::from_str(failure).unwrap_or_default());
        let meeting = self.0.take();
        self.0.replace(match meeting {
            Meeting::Wanted(_, desk) => Meeting::Ended(failure, desk),
            other => other,
        });
    }
}

/// Drives a run until it is done, or until it waits for a program: then there is no result yet.
pub(crate) fn step<T>(run: Pin<&mut dyn Future<Output = T>>, interpreter: &Interpreter) -> Option<T> {
    let mut run = run;
    block_on(poll_fn(|context| match run.as_mut().poll(context) {
        Poll::Ready(result) => Poll::Ready(Some(result)),
        Poll::Pending if interpreter.wanted().is_some() => Poll::Ready(None),
        Poll::Pending => Poll::Pending,
    }))
}

/// Drives a run to its end; `act` runs the programs that it waits for and gives why one stopped early, as JSON text.
pub fn drive<T>(
    interpreter: &Interpreter,
    run: impl Future<Output = T>,
    mut act: impl FnMut(Wanted) -> Option<String>,
) -> T {
    let mut run = Box::pin(run);
    loop {
        if let Some(result) = step(run.as_mut(), interpreter) {
            return result;
        }
        if let Some(wanted) = interpreter.wanted() {
            let failure = act(wanted);
            interpreter.end(failure.as_deref());
        }
    }
}
