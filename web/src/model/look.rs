//! What the stage shows, apart from where the timeline is.

use crate::shared::Shared;
use protocol::RunReport;
use trace::Pair;

/// The views of the stage, in the order of their tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StageTab {
    #[default]
    Rows,
    Files,
    Clauses,
    Logic,
    Pruning,
    Plan,
    Metrics,
    Log,
    History,
    Intervals,
}

/// A tab, what it is called, and its key.
pub const STAGE_TABS: [(StageTab, &str, &str); 10] = [
    (StageTab::Rows, "Rows", "t"),
    (StageTab::Files, "Files", "f"),
    (StageTab::Clauses, "Clauses", "c"),
    (StageTab::Logic, "Logic", "o"),
    (StageTab::Pruning, "Pruning", "p"),
    (StageTab::Plan, "Plan", "n"),
    (StageTab::Metrics, "Metrics", "m"),
    (StageTab::Log, "Log", "l"),
    (StageTab::History, "History", "h"),
    (StageTab::Intervals, "Intervals", "i"),
];

impl StageTab {
    /// How the choice is saved.
    pub fn name(self) -> &'static str {
        STAGE_TABS.iter().find(|(tab, _, _)| *tab == self).map_or("", |(_, name, _)| name)
    }

    /// Reads [`StageTab::name`] back; anything else is the first tab.
    pub fn parse(name: &str) -> StageTab {
        STAGE_TABS.iter().find(|(_, other, _)| *other == name).map_or(StageTab::Rows, |(tab, _, _)| *tab)
    }
}

/// A version of a table that a reader went back to.
#[derive(Debug, Clone, PartialEq)]
pub struct Travel {
    pub table: String,
    pub version: u64,
    /// The last statement of it is the query.
    pub report: Shared<RunReport>,
}

/// What a reader has picked out on the stage of one desk.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Look {
    /// The outcome that is isolated.
    pub only: Option<trace::Outcome>,
    /// The metric whose rows are lit.
    pub lit: Option<String>,
    /// Only what differs is shown, before beside after.
    pub diff: bool,
    /// The rows whose conditions are looked into; `None` means those of the latest step.
    pub pair: Option<Pair>,
    /// The number of the instant at which intervals are asked; `None` means the last.
    pub as_of: Option<usize>,
    pub travel: Option<Travel>,
    pub riddle: Option<Riddle>,
}

/// A commit whose statement is to be guessed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Riddle {
    pub table: String,
    pub version: u64,
    /// The version that the chosen statement made.
    pub choice: Option<u64>,
}
