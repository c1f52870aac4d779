//! Plain data for stepping through a run.
//!
//! A [`Trace`] holds every row and file once; a [`Step`] holds only ids into it. A [`Scene`] is a
//! pure fold of the steps up to an index, so stepping forward, stepping back and jumping are the
//! same call. Nothing here knows the engine, the browser or a clock.

mod counts;
mod diff;
mod firing;
mod fold;
mod image;
mod intervals;
mod joins;
mod logic;
mod narrate;
mod points;
mod scene;
mod step;
mod stops;
mod strips;

pub use counts::Counts;
pub use diff::Difference;
pub use firing::{Firing, FiringGrid, FiringRow};
pub use image::{
    Cell, ClauseImage, ClauseKind, ColumnImage, ColumnRange, CommitImage, FailureImage, FileImage, RowImage, RowOrigin,
    SourceImage, TargetImage, Trace, WrittenImage,
};
pub use intervals::{Fault, IntervalColumns, KeyHistory, day_number};
pub use joins::{JoinKind, Pass, SparkJoin};
pub use logic::{ConditionImage, LogicImage, LogicOp, NodeImage, Over, Pair, Truth};
pub use narrate::narrate;
pub use points::{Points, points};
pub use scene::{FileState, FileStatus, RowState, Scene, Tally};
pub use step::{FileRef, FilesEvent, Outcome, Phase, Reason, RowId, Step};
pub use stops::{Granularity, PhaseSteps};
pub use strips::{Amplification, MAX_CELLS, Strip};
