//! The products of the phases: plain values, columnar, shared by reference.

use arrow::array::BooleanArray;
use arrow::record_batch::RecordBatch;
use delta::actions::{Add, AddCdcFile};
use delta::deletion_vector::DeletionVector;
use std::sync::Arc;

/// Whether a file of the snapshot is read, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct FileDecision {
    /// Index into `Snapshot::files`.
    pub file: usize,
    pub kept: bool,
    pub why: Why,
}

/// What decided about a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Why {
    /// The condition has no part that uses target columns only.
    NothingToPruneBy,
    /// NOT MATCHED BY SOURCE needs every row of the target.
    BySourceReadsAll,
    /// No conjunct rules the file out. `conjuncts` are those that were tried.
    Possible { conjuncts: Vec<String> },
    /// The file has no statistics for the column.
    NoStatistics { conjunct: String, column: String },
    /// The conjunct cannot be true for any row of the file.
    RuledOut {
        /// As written.
        conjunct: String,
        column: String,
        /// True: the partition value decided; false: the statistics did.
        by_partition: bool,
        /// What was looked at: `day = 2026-01-02`, or `min 5, max 9, 0 NULLs`.
        evidence: String,
    },
}

/// A file that was opened. Columns that nobody asked for yet are `Null` arrays, so positions are
/// those of the table's columns.
#[derive(Debug, Clone)]
pub struct ScannedFile {
    /// Index into `Snapshot::files`.
    pub file: usize,
    pub add: Arc<Add>,
    pub batches: Vec<RecordBatch>,
    pub n_rows: u64,
    /// Row number of the file's first row among all scanned rows, in scan order.
    pub first_row: u64,
    /// The rows that were deleted before: `batches` are without them, and they have no row number.
    pub deleted: Option<Arc<DeletionVector>>,
}

/// All pairs on which ON is true, sorted by target row, then source row. Rows are numbered among
/// all scanned rows (see [`ScannedFile::first_row`]) and among all source rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MatchSet {
    pub target: Vec<u64>,
    pub source: Vec<u64>,
    /// Per pair: which clause acts, an index into the statement's clauses; [`NO_CLAUSE`] if none.
    pub clause: Vec<u16>,
    /// Per source row: whether it met any target row.
    pub source_matched: Vec<bool>,
    /// Pairs, by index, that the reference does not count as matches of their target row, which has others: in a
    /// statement of MATCHED clauses only, those on which no condition is true and some are unknown.
    pub uncounted: Vec<usize>,
}

/// No clause acts on the row.
pub const NO_CLAUSE: u16 = u16::MAX;

/// What happens to the rows of a touched file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileActions {
    /// Index into the scanned files that the actions come with: all of them in a MERGE, those with hits in UPDATE and
    /// DELETE. Entries stand in the order of the touched files.
    pub scanned: usize,
    /// Per row: the clause that acts, or [`NO_CLAUSE`] for a row that is copied, or left where it is.
    pub clause: Vec<u16>,
}

/// What happens to every row of the touched files, and which source rows are inserted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Actions {
    pub files: Vec<FileActions>,
    /// The pairs that act, one per target row: row numbers as in [`MatchSet`], and the clause.
    pub matched: ActingPairs,
    /// Source rows to insert, with their clause, in source order.
    pub inserts: Inserts,
    /// Target rows that are copied once more for a pair that is not counted (see [`MatchSet::uncounted`]), ascending.
    pub copied_again: Vec<u64>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ActingPairs {
    pub target: Vec<u64>,
    pub source: Vec<u64>,
    pub clause: Vec<u16>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inserts {
    pub source: Vec<u64>,
    pub clause: Vec<u16>,
}

/// An old file that stays with fewer rows: a deletion vector hides those that changed.
#[derive(Debug, Clone)]
pub struct HiddenRows {
    /// Index into `Snapshot::files`.
    pub file: usize,
    /// The file as the log names it again.
    pub add: Arc<Add>,
    /// How many rows were still to be seen before.
    pub n_rows: u64,
}

/// A data file that the statement put into the store.
#[derive(Debug, Clone)]
pub struct WrittenFile {
    pub add: Arc<Add>,
    /// The rows in the order of the file, piece by piece.
    pub pieces: Vec<Piece>,
}

/// Consecutive rows of a written file that came the same way. `rows` has the table's columns,
/// partition columns included.
#[derive(Debug, Clone)]
pub struct Piece {
    pub rows: RecordBatch,
    pub from: From,
}

/// Where the rows of a [`Piece`] came from. Row numbers as in [`MatchSet`].
#[derive(Debug, Clone)]
pub enum From {
    /// Rewritten unchanged: the rows from `first` on for which `kept` is true (all without it).
    Copied { first: u64, kept: Option<BooleanArray> },
    /// Changed by a clause; `source` is absent for NOT MATCHED BY SOURCE and UPDATE.
    Updated { clause: u16, target: Vec<u64>, source: Option<Vec<u64>> },
    /// New rows. `source` is absent where the statement has no separate source image.
    Inserted { clause: u16, source: Vec<u64> },
}

/// What the change feed says happened to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeType {
    Insert,
    /// The row before an update.
    UpdatePreimage,
    /// The row after an update.
    UpdatePostimage,
    Delete,
}

impl ChangeType {
    /// The value of `_change_type`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::UpdatePreimage => "update_preimage",
            Self::UpdatePostimage => "update_postimage",
            Self::Delete => "delete",
        }
    }
}

/// Rows that the same happened to. `rows` has the table's columns, partition columns included.
#[derive(Debug, Clone)]
pub struct ChangedRows {
    pub change: ChangeType,
    pub rows: RecordBatch,
}

/// A change file that the statement put into the store.
#[derive(Debug, Clone)]
pub struct ChangeFile {
    pub cdc: Arc<AddCdcFile>,
    /// The rows in the order of the file.
    pub rows: Vec<ChangedRows>,
}
