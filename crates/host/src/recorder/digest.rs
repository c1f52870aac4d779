//! What is kept of the phases' products: counts per file and clause, and the rows that a trace may
//! show one by one. Never more than the limits, however many rows a phase handled.

use crate::limits::{IMAGE_ROWS, PAIRS_TOLD, ROWS_TOLD};
use arrow::array::Array;
use arrow::record_batch::RecordBatch;
use delta::actions::Add;
use engine::products::{Actions, From, MatchSet, NO_CLAUSE, Piece, ScannedFile, WrittenFile};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use trace::RowId;

/// Files that were read, in the order of the scan, and the pairs in them.
#[derive(Debug)]
pub(super) struct MatchDigest {
    pub(super) files: Vec<ScannedDigest>,
    pub(super) n_pairs: u64,
    /// All pairs; `None` if there are too many to be told one by one.
    pub(super) pairs: Option<Vec<PairDigest>>,
    /// Source rows that met no target row; `None` if there are too many.
    pub(super) unmatched: Option<Vec<u32>>,
    pub(super) n_unmatched: u64,
}

#[derive(Debug)]
pub(super) struct ScannedDigest {
    /// Index into the snapshot's files.
    pub(super) file: u32,
    pub(super) first_row: u64,
    pub(super) n_rows: u64,
    pub(super) n_pairs: u64,
    pub(super) touched: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct PairDigest {
    pub(super) target: RowId,
    pub(super) source: u32,
    /// The clause that acts on it, if any.
    pub(super) clause: Option<u16>,
}

impl MatchDigest {
    pub(super) fn of(scanned: &[Arc<ScannedFile>], matches: &MatchSet, touched: &[usize]) -> Self {
        let touched: BTreeSet<usize> = touched.iter().copied().collect();
        let files: Vec<_> = scanned
            .iter()
            .enumerate()
            .map(|(idx, file)| {
                let start = matches.target.partition_point(|row| *row < file.first_row);
                let end = matches.target.partition_point(|row| *row < file.first_row + file.n_rows);
                ScannedDigest {
                    file: file.file as u32,
                    first_row: file.first_row,
                    n_rows: file.n_rows,
                    n_pairs: (end - start) as u64,
                    touched: touched.contains(&idx),
                }
            })
            .collect();
        let n_unmatched = matches.source_matched.iter().filter(|met| !**met).count();
        let unmatched = (n_unmatched <= ROWS_TOLD).then(|| {
            let rows = matches.source_matched.iter().enumerate();
            rows.filter(|(_, met)| !**met).map(|(row, _)| row as u32).collect()
        });
        let pairs = (matches.target.len() <= PAIRS_TOLD).then(|| pairs(&files, matches));
        Self { files, n_pairs: matches.target.len() as u64, pairs, unmatched, n_unmatched: n_unmatched as u64 }
    }

    /// The place in the old files of a row numbered among all scanned rows.
    pub(super) fn row_id(&self, row: u64) -> Option<RowId> {
        row_id(&self.files, row)
    }
}

fn pairs(files: &[ScannedDigest], matches: &MatchSet) -> Vec<PairDigest> {
    let rows = matches.target.iter().zip(&matches.source).enumerate();
    rows.filter_map(|(idx, (target, source))| {
        let clause = matches.clause.get(idx).copied().filter(|clause| *clause != NO_CLAUSE);
        Some(PairDigest { target: row_id(files, *target)?, source: *source as u32, clause })
    })
    .collect()
}

fn row_id(files: &[ScannedDigest], row: u64) -> Option<RowId> {
    let idx = files.partition_point(|file| file.first_row <= row).checked_sub(1)?;
    let file = files.get(idx)?;
    let row = row - file.first_row;
    (row < file.n_rows).then_some(RowId { file: file.file, row: row as u32 })
}

/// What happens to the rows of touched files and to the source rows.
#[derive(Debug)]
pub(super) struct ActionDigest {
    pub(super) files: Vec<FileDigest>,
    /// Inserted rows per clause.
    pub(super) inserted: BTreeMap<u16, u64>,
    /// Inserted source rows with their clause; `None` if there are too many.
    pub(super) inserts: Option<Vec<(u32, u16)>>,
}

#[derive(Debug)]
pub(super) struct FileDigest {
    /// Index into the snapshot's files.
    pub(super) file: u32,
    /// Rows per clause.
    pub(super) acted: BTreeMap<u16, u64>,
    pub(super) copied: u64,
    /// The rows on which a clause acts, in the file's order; `None` if there are too many.
    pub(super) rows: Option<Vec<ActedRow>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ActedRow {
    pub(super) row: u32,
    pub(super) clause: u16,
    /// The source row of the acting pair.
    pub(super) source: Option<u32>,
}

impl ActionDigest {
    pub(super) fn of(actions: &Actions, matched: Option<&MatchDigest>) -> Self {
        // One entry of actions per touched file, in the order of the scan.
        let files = matched.iter().flat_map(|matched| &matched.files);
        let touched: Vec<&ScannedDigest> = files.filter(|file| file.touched).collect();
        let mut files: Vec<_> =
            actions.files.iter().zip(&touched).map(|(file, scanned)| file_digest(scanned, &file.clause)).collect();
        add_sources(&mut files, actions, &touched);
        let mut inserted = BTreeMap::new();
        for clause in &actions.inserts.clause {
            *inserted.entry(*clause).or_default() += 1;
        }
        let pairs = actions.inserts.source.iter().zip(&actions.inserts.clause);
        let inserts = (actions.inserts.source.len() <= ROWS_TOLD)
            .then(|| pairs.map(|(source, clause)| (*source as u32, *clause)).collect());
        Self { files, inserted, inserts }
    }

    /// How many rows a clause acts on, inserts included.
    pub(super) fn n_acting(&self) -> u64 {
        let in_files: u64 = self.files.iter().flat_map(|file| file.acted.values()).sum();
        in_files + self.n_inserted()
    }

    pub(super) fn n_inserted(&self) -> u64 {
        self.inserted.values().sum()
    }
}

fn file_digest(scanned: &ScannedDigest, clauses: &[u16]) -> FileDigest {
    // Consecutive rows mostly share their clause: runs are counted, not rows.
    let mut acted: BTreeMap<u16, u64> = BTreeMap::new();
    let mut copied = 0;
    for run in clauses.chunk_by(|one, other| one == other) {
        match run.first() {
            Some(&NO_CLAUSE) | None => copied += run.len() as u64,
            Some(clause) => *acted.entry(*clause).or_default() += run.len() as u64,
        }
    }
    let rows = (acted.values().sum::<u64>() <= ROWS_TOLD as u64).then(|| {
        let rows = clauses.iter().enumerate().filter(|(_, clause)| **clause != NO_CLAUSE);
        rows.map(|(row, clause)| ActedRow { row: row as u32, clause: *clause, source: None }).collect()
    });
    FileDigest { file: scanned.file, acted, copied, rows }
}

// Which source row acts is known of matched rows only, and sorted by target row.
fn add_sources(files: &mut [FileDigest], actions: &Actions, touched: &[&ScannedDigest]) {
    let pairs = &actions.matched;
    for (digest, scanned) in files.iter_mut().zip(touched) {
        for acted in digest.rows.iter_mut().flatten() {
            let target = scanned.first_row + u64::from(acted.row);
            if let Ok(position) = pairs.target.binary_search(&target) {
                acted.source = pairs.source.get(position).map(|source| *source as u32);
            }
        }
    }
}

/// A written file and its first rows.
#[derive(Debug)]
pub(super) struct WrittenHead {
    pub(super) add: Arc<Add>,
    pub(super) n_rows: u64,
    /// The first rows, as many as an image may have.
    pub(super) rows: Vec<RecordBatch>,
    /// Where each of these rows came from.
    pub(super) origins: Vec<Origin>,
}

/// Row numbers among all scanned rows and among all source rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin {
    /// `None` for a copied row.
    pub(super) clause: Option<u16>,
    pub(super) target: Option<u64>,
    pub(super) source: Option<u64>,
}

impl WrittenHead {
    pub(super) fn of(file: &WrittenFile) -> Self {
        let n_rows = file.pieces.iter().map(|piece| piece.rows.num_rows() as u64).sum();
        let mut head = Self { add: Arc::clone(&file.add), n_rows, rows: Vec::new(), origins: Vec::new() };
        for piece in &file.pieces {
            let n_wanted = IMAGE_ROWS.saturating_sub(head.origins.len()).min(piece.rows.num_rows());
            if n_wanted > 0 {
                head.rows.push(piece.rows.slice(0, n_wanted));
                head.origins.extend(origins(piece, n_wanted));
            }
        }
        head
    }
}

fn origins(piece: &Piece, n_wanted: usize) -> Vec<Origin> {
    match &piece.from {
        From::Copied { first, kept } => {
            let is_kept = |row: &u64| match kept {
                Some(kept) => kept.is_valid(*row as usize) && kept.value(*row as usize),
                None => true,
            };
            let n_rows = kept.as_ref().map_or(piece.rows.num_rows(), Array::len) as u64;
            let rows = (0..n_rows).filter(is_kept).take(n_wanted);
            rows.map(|row| Origin { clause: None, target: Some(first + row), source: None }).collect()
        }
        From::Updated { clause, target, source } => (0..n_wanted)
            .map(|idx| Origin {
                clause: Some(*clause),
                target: target.get(idx).copied(),
                source: source.as_ref().and_then(|source| source.get(idx).copied()),
            })
            .collect(),
        From::Inserted { clause, source } => (0..n_wanted)
            .map(|idx| Origin { clause: Some(*clause), target: None, source: source.get(idx).copied() })
            .collect(),
    }
}
