//! Plain data for stepping through a run.
//!
//! A [`Trace`] holds every row and file once; a [`Step`] holds only ids into it. A [`Scene`] is a
//! pure fold of the steps up to an index, so stepping forward, stepping back and jumping are the
//! same call. Nothing here knows the engine, the browser or a clock.

mod fold;
mod image;
mod narrate;
mod scene;
mod step;
mod stops;

pub use image::{
    Cell, ClauseImage, ClauseKind, ColumnImage, ColumnRange, CommitImage, FailureImage, FileImage, RowImage, RowOrigin,
    SourceImage, TargetImage, Trace, WrittenImage,
};
pub use narrate::narrate;
pub use scene::{FileState, FileStatus, RowState, Scene, Tally};
pub use step::{FileRef, FilesEvent, Outcome, Phase, Reason, RowId, Step};
pub use stops::{Granularity, PhaseSteps};
