//! What a run looked at and made, each thing once.

use crate::{LogicImage, Outcome, RowId, Step};
use serde::{Deserialize, Serialize};

/// A run of one statement, told in steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// The statement's text.
    pub statement: String,
    /// `MERGE`, `UPDATE`, `DELETE`, `WRITE`, …: the name in the commit.
    pub operation: String,
    /// The text of the ON condition, or of the WHERE of UPDATE and DELETE.
    pub condition: Option<String>,
    /// In the order of the text: matched, not matched, not matched by source.
    pub clauses: Vec<ClauseImage>,
    pub source: Option<SourceImage>,
    pub target: TargetImage,
    /// The files that the statement wrote.
    pub written: Vec<WrittenImage>,
    /// Changed rows are hidden in their old files by deletion vectors, and no other rows are written again.
    #[serde(default)]
    pub hides_rows: bool,
    pub steps: Vec<Step>,
    /// What the conditions are for each pair of rows; absent where these are too many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logic: Option<LogicImage>,
    /// Absent when nothing was committed.
    pub commit: Option<CommitImage>,
    pub failure: Option<FailureImage>,
    /// True where row images were left out because there are too many; counts stay exact.
    pub summarised: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClauseKind {
    Matched,
    NotMatched,
    NotMatchedBySource,
    /// The one implied clause of UPDATE, DELETE and INSERT.
    Statement,
}

/// One WHEN clause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClauseImage {
    pub kind: ClauseKind,
    /// `update`, `delete` or `insert`
    pub action: String,
    /// The whole clause as written.
    pub text: String,
    /// Byte range of the clause in `Trace::statement`.
    pub span: (u32, u32),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnImage {
    pub name: String,
    /// Spark's name of the type, e.g. `decimal(8,2)`.
    pub data_type: String,
    /// Position among the partition columns, if it is one.
    pub partition: bool,
}

/// A value as Spark prints it; `None` is NULL.
pub type Cell = Option<String>;

/// The cells of a row, in column order.
pub type RowImage = Vec<Cell>;

/// The source as it was read: once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceImage {
    /// The alias or table name.
    pub name: String,
    pub columns: Vec<ColumnImage>,
    /// The first rows; all of them unless the trace is summarised.
    pub rows: Vec<RowImage>,
    pub n_rows: u64,
}

/// The target before the statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TargetImage {
    /// The table's name as a reader would write it.
    pub name: String,
    pub columns: Vec<ColumnImage>,
    /// The version that the statement read.
    pub version: Option<u64>,
    pub files: Vec<FileImage>,
}

/// A data file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileImage {
    /// The decoded path, relative to the table.
    pub path: String,
    /// Bytes.
    pub size: u64,
    pub n_rows: u64,
    /// Partition columns and values.
    pub partition: Vec<(String, Cell)>,
    /// Smallest and largest value per column with statistics.
    pub ranges: Vec<ColumnRange>,
    /// The first rows; all of them unless the trace is summarised.
    pub rows: Vec<RowImage>,
    /// The positions of rows that deletion vectors of earlier commits hide, in order; of small files only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnRange {
    pub column: String,
    pub min: Cell,
    pub max: Cell,
    pub nulls: Option<u64>,
}

/// A new data file and where its rows came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WrittenImage {
    pub file: FileImage,
    /// One entry per row image.
    pub origins: Vec<RowOrigin>,
}

/// Where a written row came from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RowOrigin {
    pub outcome: Outcome,
    /// Absent for inserted rows.
    pub target: Option<RowId>,
    /// Absent for copied rows and for those touched by NOT MATCHED BY SOURCE.
    pub source: Option<u32>,
}

/// The commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CommitImage {
    pub version: u64,
    /// Path of the log entry relative to the table, e.g. `_delta_log/00000000000000000003.json`.
    pub log_path: String,
    /// The log entry as written: one JSON action per line.
    pub log_text: String,
    /// `operationMetrics` in the order of the log.
    pub metrics: Vec<(String, String)>,
}

/// Why a statement stopped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailureImage {
    pub condition: String,
    pub message: String,
}
