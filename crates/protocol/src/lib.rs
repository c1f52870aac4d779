//! All that page and worker may say to each other.
//!
//! A [`Request`] travels in an [`Envelope`] with an id; it gets exactly one [`Reply`] with the
//! same id, and any number of [`Note`]s before it. Everything is JSON text, so either side can be
//! replaced by a test. [`VERSION`] is compared once, in `Hello`: page and engine of different
//! builds refuse each other instead of misunderstanding each other.

mod differences;
mod reply;
mod request;

pub use differences::{ANSWERS_LIKE, KNOWN_DIFFERENCES, cases_that_differ, known_differences};
pub use reply::{
    Assistance, Edit, Elsewhere, ErrorReport, Fingerprint, Grid, GridColumn, HistoryEntry, Mirror, Note,
    RelationSummary, Reply, ReplyBody, RowSample, RunReport, StatementReport, TableFile, TableReport,
};
pub use request::{Envelope, PlayStep, Request};

/// Changes with every change of these types.
pub const VERSION: u32 = 3;

/// The label of the edit that puts sample tables before a playground's text.
pub const MAKE_SAMPLES: &str = "Make sample tables";
