//! Requests and replies as JSON text: what crosses the boundary to the page.

use crate::host::Host;
use crate::interpreter::{Interpreter, step};
use protocol::{Envelope, Note, ReplyBody, Request};
use serde::Serialize;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// A request that is being served: it may wait for programs in between.
pub struct Serving {
    id: u64,
    run: Pin<Box<dyn Future<Output = (Host, ReplyBody)>>>,
    interpreter: Interpreter,
}

impl fmt::Debug for Serving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serving").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Host {
    /// Begins to serve an enveloped request; notes go out enveloped too. Text that is not a request is answered by a
    /// refusal with the id 0, or its own where it has one.
    pub fn serve(mut self, text: &str, mut note: Box<dyn FnMut(String)>) -> Serving {
        let interpreter = self.interpreter();
        let (id, request) = match serde_json::from_str::<Envelope<Request>>(text) {
            Ok(Envelope { id, body }) => (id, Ok(body)),
            Err(error) => (id_of(text), Err(format!("The request cannot be read: {error}."))),
        };
        let run = Box::pin(async move {
            let reply = match request {
                Ok(request) => self.handle(request, &mut |body: Note| note(envelope(id, body))).await,
                Err(message) => ReplyBody::Refused { message },
            };
            (self, reply)
        });
        Serving { id, run, interpreter }
    }
}

impl Serving {
    /// Goes on: to the host and the enveloped reply, or to a program that somebody must run first
    /// ([`Interpreter::wanted`]).
    pub fn go_on(&mut self) -> Option<(Host, String)> {
        let (host, reply) = step(self.run.as_mut(), &self.interpreter)?;
        Some((host, envelope(self.id, reply)))
    }
}

fn envelope<T: Serialize>(id: u64, body: T) -> String {
    serde_json::to_string(&Envelope { id, body }).unwrap_or_else(|error| {
        // Only a map with keys that are no text could fail; the types of the protocol have none.
        format!(r#"{{"id":{id},"body":{{"reply":"refused","message":"The reply cannot be written: {error}."}}}}"#)
    })
}

fn id_of(text: &str) -> u64 {
    let value: Option<serde_json::Value> = serde_json::from_str(text).ok();
    value.and_then(|value| value.get("id")?.as_u64()).unwrap_or(0)
}
