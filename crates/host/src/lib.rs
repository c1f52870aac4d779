//! The sandbox without a browser: Request to Reply.
//!
//! [`Host`] serves the requests of a page, natively and in the worker alike. [`Recorder`] watches a
//! statement and tells it as a `trace::Trace`; it is an `engine::observe::Observer`, so it cannot
//! change what it watches. [`observe`] and [`check()`] run lessons.

mod assist;
mod block_on;
mod cells;
mod check;
mod clock;
mod elsewhere;
mod errors;
mod files;
mod fingerprint;
mod grid;
mod host;
mod interpreter;
mod json;
mod lab;
mod lens;
mod limits;
mod mirrored;
mod own;
mod play;
mod program;
mod recorder;
mod run;
mod script;
mod session;
mod tables;
mod told;

pub use block_on::block_on;
pub use check::check;
pub use clock::DEFAULT_CLOCK;
pub use fingerprint::fingerprints;
pub use host::Host;
pub use interpreter::{Interpreter, Wanted, drive};
pub use json::Serving;
pub use limits::MAX_STEPS;
pub use own::{Entry, unpack};
pub use program::{Program, Shown};
pub use recorder::{Recorder, Summary};
pub use run::run_silently;
pub use session::observe;
