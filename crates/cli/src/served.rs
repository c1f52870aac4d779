//! Requests as the page's worker serves them: a host on one side, an interpreter on the other.

use host::Host;
use protocol::{Envelope, ReplyBody, Request};
use python::{Door, Session};
use serde_json::Value;
use std::cell::RefCell;
use std::rc::Rc;

/// A host with an interpreter beside it: natively what `worker.js` is in the browser, JSON text included.
///
/// It drives the engine's futures itself, so it must not be used inside [`host::block_on`]; see
/// [`crate::python::apart`].
#[derive(Debug)]
pub struct Served {
    host: Rc<RefCell<Host>>,
    session: Option<Session>,
}

#[derive(Debug)]
struct ToHost(Rc<RefCell<Host>>);

impl Door for ToHost {
    fn call(&self, request: Value) -> Value {
        let answer = self.0.borrow_mut().program(&request.to_string());
        serde_json::from_str(&answer).unwrap_or_default()
    }

    fn print(&self, text: &str) {
        self.0.borrow_mut().printed(text);
    }
}

impl Served {
    /// A host that holds nothing, and no interpreter yet.
    pub fn new() -> Self {
        Self { host: Rc::new(RefCell::new(Host::new("served"))), session: None }
    }

    /// Serves a request to its end.
    ///
    /// # Errors
    /// What crosses the boundary cannot be read, or the interpreter does not start: bugs of ours.
    pub fn serve(&mut self, body: Request) -> anyhow::Result<ReplyBody> {
        let request = serde_json::to_string(&Envelope { id: 1, body })?;
        let mut reply = self.host.borrow_mut().handle_json(&request, &mut |_| ());
        loop {
            let Envelope { id, body } = serde_json::from_str::<Envelope<ReplyBody>>(&reply)?;
            let ReplyBody::Program { text, fresh } = body else { return Ok(body) };
            let session = match self.session.take().filter(|_| !fresh) {
                Some(session) => session,
                None => Session::new(Rc::new(ToHost(Rc::clone(&self.host))))
                    .map_err(|failure| anyhow::anyhow!("{}", failure.message))?,
            };
            let failure = session.run_cells(&text).err().map(|failure| failure.to_value().to_string());
            self.session = Some(session);
            reply = self.host.borrow_mut().program_ended_json(id, failure.as_deref(), &mut |_| ());
        }
    }
}

impl Default for Served {
    fn default() -> Self {
        Self::new()
    }
}
