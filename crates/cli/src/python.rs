//! Python programs, natively: the interpreter and the engine in one process.

use engine::env::{Env, START_MS};
use engine::sandbox::{Rows, Sandbox};
use host::{Program, Shown, Summary, block_on};
use python::{Door, Failure, Given, Session};
use serde_json::Value;
use spec::Diagnostic;
use std::cell::RefCell;
use std::rc::Rc;

/// A notebook: a sandbox, and an interpreter whose names stay from one program to the next.
///
/// It drives the engine's futures itself, so it must not be used inside [`block_on`]; see [`apart`].
#[derive(Debug)]
pub struct Notebook {
    state: Rc<RefCell<State>>,
    session: Session,
}

#[derive(Debug)]
struct State {
    sandbox: Sandbox,
    program: Program,
}

#[derive(Debug)]
struct Native(Rc<RefCell<State>>);

impl Door for Native {
    fn call(&self, request: Value) -> Value {
        let State { sandbox, program } = &mut *self.0.borrow_mut();
        block_on(program.answer(sandbox, &request))
    }

    fn print(&self, text: &str) {
        self.0.borrow_mut().program.print(text);
    }
}

impl Notebook {
    /// A notebook over a sandbox.
    ///
    /// # Errors
    /// The interpreter does not start: a bug of ours.
    pub fn new(sandbox: Sandbox) -> Result<Self, Failure> {
        let state = Rc::new(RefCell::new(State { sandbox, program: Program::new("") }));
        let session = Session::new(Rc::new(Native(Rc::clone(&state))))?;
        Ok(Self { state, session })
    }

    /// Gives a name to what a query gives, or to a table.
    ///
    /// # Errors
    /// What the engine says against it.
    pub fn give(&self, name: &str, given: &Given) -> Result<(), Stopped> {
        self.session.give(name, given).map_err(|failure| self.stopped(failure))
    }

    /// Runs a text cell by cell; what there is to see is taken with [`Notebook::shown`].
    ///
    /// # Errors
    /// Why it stopped early.
    pub fn run(&self, text: &str) -> Result<(), Stopped> {
        self.session.run_cells(text).map_err(|failure| self.stopped(failure))
    }

    /// Runs statements of SQL in the same session, up to the first that fails.
    ///
    /// # Errors
    /// What is wrong with that one.
    pub fn run_sql(&self, text: &str) -> Result<(), Diagnostic> {
        let State { sandbox, program } = &mut *self.state.borrow_mut();
        block_on(program.run_sql(sandbox, text))
    }

    fn stopped(&self, failure: Failure) -> Stopped {
        match failure.complaint.and_then(|number| self.state.borrow().program.complaint(number).cloned()) {
            Some(problem) => Stopped::Engine(Box::new(problem)),
            None => Stopped::Python(failure),
        }
    }

    /// What was printed and what statements did since the last call, in the order in which it happened.
    pub fn shown(&self) -> Vec<Shown> {
        self.state.borrow_mut().program.take_shown()
    }

    /// What the statements of the last cell that write did.
    pub fn summaries(&self) -> Vec<Summary> {
        self.state.borrow().program.summaries().to_vec()
    }

    /// What the last statement of the last cell that gives rows gave.
    pub fn last_rows(&self) -> Option<Rows> {
        self.state.borrow().program.last_rows().cloned()
    }

    /// The rows of the data frame that a name stands for; `None` where it stands for none.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn rows_of(&self, name: &str) -> Result<Option<Rows>, Diagnostic> {
        let Some(frame) = self.session.frame(name).and_then(|frame| u32::try_from(frame).ok()) else { return Ok(None) };
        let State { sandbox, program } = &*self.state.borrow();
        block_on(program.rows_of(sandbox, frame)).map(Some)
    }

    /// Does something else with the sandbox.
    pub fn with_sandbox<T>(&self, act: impl FnOnce(&mut Sandbox) -> T) -> T {
        act(&mut self.state.borrow_mut().sandbox)
    }

    /// The sandbox, when all programs have run.
    pub fn into_sandbox(self) -> Sandbox {
        let after = Sandbox::new(Env::deterministic(START_MS));
        std::mem::replace(&mut self.state.borrow_mut().sandbox, after)
    }
}

/// Why a text stopped.
#[derive(Debug, Clone)]
pub enum Stopped {
    /// The engine complained, and the program did not catch it.
    Engine(Box<Diagnostic>),
    /// An exception of Python's own, or text that is no Python.
    Python(Failure),
}

impl Stopped {
    /// The same as a complaint: Python's exceptions become conditions of their own names.
    pub fn problem(self) -> Diagnostic {
        match self {
            Self::Engine(problem) => *problem,
            Self::Python(failure) => {
                let condition = failure.condition.clone().unwrap_or_else(|| failure.kind.clone());
                Diagnostic::new(condition, "", failure.message, None)
            }
        }
    }
}

/// What a program printed, and whether it ran to its end.
#[derive(Debug, Clone)]
pub struct Ran {
    pub printed: String,
    pub result: Result<(), Diagnostic>,
}

/// Runs a program on a sandbox that is lent to it, wherever futures are being driven.
pub fn run_on(sandbox: &mut Sandbox, text: &str) -> Ran {
    let lent = std::mem::replace(sandbox, Sandbox::new(Env::deterministic(START_MS)));
    let (back, ran) = apart(|| match Notebook::new(lent) {
        Ok(notebook) => {
            let result = notebook.run(text).map_err(Stopped::problem);
            let printed = notebook.shown().iter().filter_map(Shown::text).collect();
            (Some(notebook.into_sandbox()), Ran { printed, result })
        }
        Err(failure) => (None, Ran { printed: String::new(), result: Err(Stopped::Python(failure).problem()) }),
    });
    if let Some(back) = back {
        *sandbox = back;
    }
    ran
}

/// Bytes of stack for an interpreter: programs may call themselves a thousand times.
const STACK: usize = 256 << 20;

/// Runs something with an interpreter on a thread of its own: there no future is being driven, and the stack is deep.
///
/// # Panics
/// When `act` does.
#[allow(clippy::expect_used, reason = "a thread that cannot be had, or a panic, ends a test or the program")]
pub fn apart<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, act);
        thread.expect("a thread").join().expect("no panic")
    })
}
