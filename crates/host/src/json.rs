//! Requests and replies as JSON text: what crosses the boundary to the page.

use crate::block_on::block_on;
use crate::host::Host;
use protocol::{Envelope, Note, ReplyBody, Request};
use serde::Serialize;

impl Host {
    /// Serves one enveloped request and returns the enveloped reply; notes go out enveloped too.
    /// Text that is not a request is answered by a refusal with the id 0, or its own where it has one.
    pub fn handle_json(&mut self, text: &str, note: &mut dyn FnMut(String)) -> String {
        let Envelope { id, body } = match serde_json::from_str::<Envelope<Request>>(text) {
            Ok(envelope) => envelope,
            Err(error) => {
                let message = format!("The request cannot be read: {error}.");
                return envelope(id_of(text), ReplyBody::Refused { message });
            }
        };
        let mut notes = |body: Note| note(envelope(id, body));
        let reply = block_on(self.handle(body, &mut notes));
        envelope(id, reply)
    }
}

impl Host {
    /// The program of the request with this id has ended; the enveloped reply is the next program, or what the run did.
    pub fn program_ended_json(&mut self, id: u64, failure: Option<&str>, note: &mut dyn FnMut(String)) -> String {
        let mut notes = |body: Note| note(envelope(id, body));
        let reply = block_on(self.program_ended(failure, &mut notes));
        envelope(id, reply)
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
