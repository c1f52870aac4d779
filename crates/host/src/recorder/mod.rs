//! Watching a statement and telling it in steps.
//!
//! While the statement runs, [`Recorder`] keeps counts and the few rows that a trace may show
//! (`digest`); sentences, cells and old files are made afterwards in [`Recorder::finish`], so that
//! watching a large run costs little.

mod digest;
mod images;
mod reasons;
mod steps;

use arrow::record_batch::RecordBatch;
use delta::storage::Storage;
use digest::{ActionDigest, MatchDigest, WrittenHead};
use engine::lens::Seen;
use engine::observe::{ActionKind, ClauseInfo, ClauseKind, Event, Observer, TargetInfo};
use engine::products::FileDecision;
use query::Column;
use spec::{Diagnostic, Span};
use trace::{CommitImage, FailureImage, Trace};

/// Keeps what a statement did.
#[derive(Debug, Default)]
pub struct Recorder {
    begin: Option<Begin>,
    evolves: Option<(Vec<String>, Vec<String>)>,
    source: Option<Source>,
    decisions: Vec<FileDecision>,
    matched: Option<MatchDigest>,
    duplicate: Option<Duplicate>,
    actions: Option<ActionDigest>,
    written: Vec<WrittenHead>,
    changes: Option<Changes>,
    removed: Vec<u32>,
    /// Old files that stay, with how many rows are hidden in each; `None` where files are written again.
    hidden: Option<Vec<(u32, u64)>>,
    end: Option<End>,
}

#[derive(Debug)]
struct Begin {
    target: TargetInfo,
    clauses: Vec<ClauseInfo>,
    condition: Option<Span>,
}

#[derive(Debug)]
struct Source {
    name: String,
    columns: Vec<Column>,
    rows: RecordBatch,
}

/// Change files and the rows in them.
#[derive(Debug)]
struct Changes {
    files: u64,
    rows: u64,
}

#[derive(Debug)]
struct Duplicate {
    file: u32,
    row: u32,
    sources: Vec<u32>,
}

#[derive(Debug)]
enum End {
    Committed(CommitImage),
    Nothing { metrics: Vec<(String, String)> },
    Failed(FailureImage),
}

/// What a statement did to the files and counters of its table; exact at any size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// The table as a reader writes its name.
    pub table: String,
    pub committed: bool,
    pub files_skipped: usize,
    pub files_scanned: usize,
    pub files_added: usize,
    pub files_removed: usize,
    /// In the order of the log; empty for a failed statement.
    pub metrics: Vec<(String, String)>,
}

impl Recorder {
    /// A recorder for one statement.
    pub fn new() -> Self {
        Self::default()
    }

    /// The counts; `None` for a statement that writes to no Delta table or could not be bound.
    pub fn summary(&self) -> Option<Summary> {
        let begin = self.begin.as_ref()?;
        let committed = matches!(self.end, Some(End::Committed(_)));
        let metrics = match &self.end {
            Some(End::Committed(commit)) => commit.metrics.clone(),
            Some(End::Nothing { metrics }) => metrics.clone(),
            _ => Vec::new(),
        };
        Some(Summary {
            table: begin.target.name.clone(),
            committed,
            files_skipped: self.decisions.iter().filter(|decision| !decision.kept).count(),
            files_scanned: self.decisions.iter().filter(|decision| decision.kept).count(),
            files_added: if committed { self.written.len() } else { 0 },
            files_removed: if committed { self.removed.len() } else { 0 },
            metrics,
        })
    }

    /// What the statement looked at; `None` before it was bound.
    pub(crate) fn seen(&self) -> Option<Seen<'_>> {
        let source = self.source.as_ref().map(|source| (source.columns.as_slice(), &source.rows));
        Some(Seen { target: &self.begin.as_ref()?.target, source })
    }

    /// One decision per file of the snapshot, once they are made.
    pub(crate) fn decisions(&self) -> &[FileDecision] {
        &self.decisions
    }

    /// The trace; `None` for a statement that writes to no Delta table or could not be bound.
    /// `text` is the script that the statement's spans point into and `statement` its place there.
    ///
    /// # Errors
    /// An old file can no longer be read.
    pub async fn finish(self, text: &str, statement: Span, storage: &dyn Storage) -> Result<Option<Trace>, Diagnostic> {
        let Some(begin) = &self.begin else { return Ok(None) };
        let told = steps::tell(&self);
        let images = images::collect(&self, begin, storage).await?;
        let (commit, failure) = match self.end {
            Some(End::Committed(commit)) => (Some(commit), None),
            Some(End::Failed(failure)) => (None, Some(failure)),
            _ => (None, None),
        };
        Ok(Some(Trace {
            statement: statement.of(text).to_owned(),
            operation: begin.target.operation.to_owned(),
            condition: begin.condition.map(|span| span.of(text).to_owned()),
            clauses: begin.clauses.iter().map(|clause| reasons::clause(clause, text, statement)).collect(),
            source: images.source,
            target: images.target,
            written: images.written,
            hides_rows: self.hidden.is_some(),
            steps: told.steps,
            logic: None,
            commit,
            failure,
            summarised: told.summarised || images.summarised,
        }))
    }
}

impl Observer for Recorder {
    fn on(&mut self, event: Event<'_>) {
        match event {
            Event::Begin { target, clauses, condition } => {
                self.begin = Some(Begin { target: target.clone(), clauses: clauses.to_vec(), condition });
            }
            Event::Evolves { added, changed } => self.evolves = Some((added.to_vec(), changed.to_vec())),
            Event::Source { name, columns, rows } => {
                self.source = Some(Source { name: name.to_owned(), columns: columns.to_vec(), rows: rows.clone() });
            }
            Event::Pruned(decisions) => self.decisions = decisions.to_vec(),
            Event::Matched { scanned, matches, touched } => {
                self.matched = Some(MatchDigest::of(scanned, matches, touched));
            }
            Event::Duplicate { file, row, sources } => {
                let sources = sources.iter().map(|source| *source as u32).collect();
                self.duplicate = Some(Duplicate { file: file as u32, row: row as u32, sources });
            }
            Event::Classified(actions) => {
                self.actions = Some(ActionDigest::of(actions, self.matched.as_ref()));
            }
            Event::Hidden { files } => {
                self.hidden = Some(files.iter().map(|file| (file.file as u32, file.n_rows)).collect());
            }
            Event::Written { files, removed } => {
                self.written = files.iter().map(WrittenHead::of).collect();
                self.removed = removed.iter().map(|file| *file as u32).collect();
            }
            Event::Recorded { files } => {
                let rows = files.iter().flat_map(|file| &file.rows).map(|changed| changed.rows.num_rows() as u64).sum();
                self.changes = (!files.is_empty()).then_some(Changes { files: files.len() as u64, rows });
            }
            Event::Committed { version, log_path, log_text, metrics } => {
                self.end = Some(End::Committed(CommitImage {
                    version,
                    log_path: self.below_table(log_path),
                    log_text: log_text.to_owned(),
                    metrics: metrics.to_vec(),
                }));
            }
            Event::Nothing { metrics } => self.end = Some(End::Nothing { metrics: metrics.to_vec() }),
            Event::Failed(diagnostic) => {
                let (condition, message) = (diagnostic.condition.clone(), diagnostic.message.clone());
                self.end = Some(End::Failed(FailureImage { condition, message }));
            }
        }
    }
}

impl Recorder {
    /// A path of the store as it is below the table's folder.
    fn below_table(&self, path: &str) -> String {
        let root = self.begin.as_ref().map_or("", |begin| begin.target.snapshot.root());
        path.strip_prefix(root).map_or(path, |rest| rest.trim_start_matches('/')).to_owned()
    }

    fn clause_kind(&self, clause: u16) -> Option<(ClauseKind, ActionKind)> {
        let clause = self.begin.as_ref()?.clauses.get(usize::from(clause))?;
        Some((clause.kind, clause.action))
    }
}
