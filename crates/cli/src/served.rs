//! Runs with an interpreter beside them, natively: what `worker.js` is in the browser.

use crate::python::apart;
use host::{Host, Interpreter, Wanted, drive};
use protocol::{ReplyBody, Request};
use python::{Door, Session};
use serde_json::Value;
use std::future::Future;
use std::rc::Rc;

/// An interpreter for runs that wait for programs at a meeting point.
#[derive(Debug)]
pub struct Kernel {
    interpreter: Interpreter,
    session: Option<Session>,
}

#[derive(Debug)]
struct ToRun(Interpreter);

impl Door for ToRun {
    fn call(&self, request: Value) -> Value {
        serde_json::from_str(&self.0.answer(&request.to_string())).unwrap_or_default()
    }

    fn print(&self, text: &str) {
        self.0.print(text);
    }
}

impl Kernel {
    /// An interpreter that starts with the first program.
    pub fn new(interpreter: &Interpreter) -> Self {
        Self { interpreter: interpreter.clone(), session: None }
    }

    /// Runs a program to its end; gives why it stopped early, as JSON text.
    pub fn run(&mut self, wanted: &Wanted) -> Option<String> {
        let session = match self.session.take() {
            Some(session) if wanted.is_fresh => session.forget().map(|()| session),
            Some(session) => Ok(session),
            None => Session::new(Rc::new(ToRun(self.interpreter.clone()))),
        };
        let ran = session.and_then(|session| self.session.insert(session).run_cells(&wanted.text));
        ran.err().map(|failure| failure.to_value().to_string())
    }
}

/// Runs to the end what may come to programs. `act` makes the run; its result may be taken to other threads.
///
/// # Panics
/// When the run does.
pub fn with_python<T: Send, F: Future<Output = T>>(act: impl FnOnce(Interpreter) -> F + Send) -> T {
    apart(|| {
        let interpreter = Interpreter::default();
        let mut kernel = Kernel::new(&interpreter);
        drive(&interpreter, act(interpreter.clone()), |wanted| kernel.run(&wanted))
    })
}

/// A host with an interpreter beside it. It needs the deep stack of [`apart`].
#[derive(Debug)]
pub struct Served {
    host: Host,
    kernel: Kernel,
}

impl Served {
    /// A host that holds nothing, and no interpreter yet.
    pub fn new() -> Self {
        let host = Host::new("served");
        let kernel = Kernel::new(&host.interpreter());
        Self { host, kernel }
    }

    /// Serves a request to its end.
    pub fn serve(&mut self, request: Request) -> ReplyBody {
        let Self { host, kernel } = self;
        let interpreter = host.interpreter();
        drive(&interpreter, host.handle(request, &mut |_| ()), |wanted| kernel.run(&wanted))
    }
}

impl Default for Served {
    fn default() -> Self {
        Self::new()
    }
}
