//! How much of a run is told one by one. Beyond these numbers it is summarised, with exact counts:
//! a trace stays small whatever the input is, and stepping stays instant.

/// Pairs that are told one by one.
pub(crate) const PAIRS_TOLD: usize = 200;
/// Rows whose fate is told one by one.
pub(crate) const ROWS_TOLD: usize = 200;
/// Pairs of a target row and a source row for which every condition is evaluated.
pub(crate) const LOGIC_PAIRS: u64 = 4_096;
/// Files per kind of step that are told one by one.
pub(crate) const FILES_TOLD: usize = 24;
/// Steps per kind of summary, where there is one per file or clause.
pub(crate) const SUMMARIES_TOLD: usize = 24;
/// Rows with an image, per file and for the source.
pub(crate) const IMAGE_ROWS: usize = 1_000;
/// Rows with an image, in one trace or table report.
pub(crate) const ALL_IMAGE_ROWS: usize = 4_000;
/// Rows with an image per file and for the source, once there are too many for all of them.
pub(crate) const SAMPLE_ROWS: usize = 20;
/// Rows of a grid.
pub(crate) const GRID_ROWS: usize = 1_000;
/// Log entries of a table whose text is sent, newest first.
pub(crate) const LOG_TEXTS: usize = 100;
/// Data files of a table whose footer is told.
pub(crate) const FOOTERS: usize = 40;

/// No trace has more steps than this: pairs, rows, and one step per file in each of seven kinds
/// (skip, scan, touch, leave, copy, write, remove), with room for the source, the summaries and the end.
pub const MAX_STEPS: usize = PAIRS_TOLD + ROWS_TOLD + 7 * FILES_TOLD + 16;
