//! Row × clause: which clause acted on which row, and which ones were asked before it.

use crate::logic::kind_of;
use crate::{ClauseKind, FilesEvent, Outcome, Pair, Scene, Step, Trace, Truth};

/// How a clause stands to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Firing {
    /// It decides about rows of another kind.
    OtherKind,
    /// It was asked, and its condition was not true: FALSE or NULL, where that is known.
    NotTrue(Option<Truth>),
    /// The first whose condition was true.
    Acts,
    /// A clause before it took the row.
    NotAsked,
}

/// A row that clauses were asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct FiringRow {
    pub pair: Pair,
    pub outcome: Outcome,
    /// One per clause.
    pub cells: Vec<Firing>,
    /// How many steps tell it.
    pub step: usize,
}

/// The grid up to a step.
#[derive(Debug, Clone, PartialEq)]
pub struct FiringGrid {
    /// The rows that are told one by one.
    pub rows: Vec<FiringRow>,
    /// Rows that are only counted.
    pub n_counted: u64,
    /// Per clause: rows on which it acted, counted ones too.
    pub acted: Vec<u64>,
    /// Per clause: rows of `rows` that it was asked about.
    pub asked: Vec<u64>,
}

impl FiringGrid {
    /// The clauses that acted on nothing.
    pub fn dead(&self) -> impl Iterator<Item = usize> {
        self.acted.iter().enumerate().filter(|(_, rows)| **rows == 0).map(|(idx, _)| idx)
    }
}

impl Trace {
    /// The grid of the steps done in `scene`.
    pub fn firing(&self, scene: &Scene) -> FiringGrid {
        let n_clauses = self.clauses.len();
        let mut grid =
            FiringGrid { rows: Vec::new(), n_counted: 0, acted: vec![0; n_clauses], asked: vec![0; n_clauses] };
        for (idx, step) in self.steps.iter().enumerate().take(scene.step) {
            match step {
                Step::Act { outcome, clause, target, source } => {
                    let pair = Pair { target: *target, source: *source };
                    let row = self.firing_row(pair, *outcome, *clause, idx + 1);
                    grid.add(row, *clause);
                }
                Step::ActMany { clause, rows, .. }
                | Step::Files { event: FilesEvent::Acted { clause, rows, .. }, .. } => {
                    grid.count(*clause, *rows);
                }
                _ => {}
            }
        }
        self.untaken(scene, &mut grid);
        grid
    }

    fn firing_row(&self, pair: Pair, outcome: Outcome, clause: Option<u32>, step: usize) -> FiringRow {
        let acting = clause.map(|clause| clause as usize);
        let kind = acting.and_then(|idx| self.clauses.get(idx)).map_or_else(|| kind_of(pair), |image| image.kind);
        let cell = |(idx, image): (usize, &crate::ClauseImage)| match acting {
            _ if image.kind != kind => Firing::OtherKind,
            Some(acting) if idx == acting => Firing::Acts,
            Some(acting) if idx > acting => Firing::NotAsked,
            _ => Firing::NotTrue(self.condition_of(Some(idx as u32)).and_then(|own| self.truth(own, 0, pair))),
        };
        FiringRow { pair, outcome, cells: self.clauses.iter().enumerate().map(cell).collect(), step }
    }

    /// Rows of rewritten files that no source row met and no NOT MATCHED BY SOURCE clause took: their steps only count.
    fn untaken(&self, scene: &Scene, grid: &mut FiringGrid) {
        if !self.clauses.iter().any(|clause| clause.kind == ClauseKind::NotMatchedBySource) {
            return;
        }
        for id in self.target_rows() {
            let state = scene.files.get(id.file as usize).and_then(|file| file.rows.get(id.row as usize));
            let is_untaken = |state: &&crate::RowState| state.outcome == Some(Outcome::Copied) && state.matches == 0;
            if state.filter(is_untaken).is_some() {
                let pair = Pair { target: Some(id), source: None };
                grid.n_counted = grid.n_counted.saturating_sub(1);
                grid.add(self.firing_row(pair, Outcome::Copied, None, scene.step), None);
            }
        }
    }
}

impl FiringGrid {
    fn add(&mut self, row: FiringRow, clause: Option<u32>) {
        for (asked, cell) in self.asked.iter_mut().zip(&row.cells) {
            *asked += u64::from(matches!(cell, Firing::NotTrue(_) | Firing::Acts));
        }
        if let Some(acted) = clause.and_then(|clause| self.acted.get_mut(clause as usize)) {
            *acted += 1;
        }
        self.rows.push(row);
    }

    fn count(&mut self, clause: Option<u32>, rows: u64) {
        self.n_counted += rows;
        if let Some(acted) = clause.and_then(|clause| self.acted.get_mut(clause as usize)) {
            *acted += rows;
        }
    }
}
