//! INSERT OVERWRITE and INSERT … REPLACE WHERE: what the new rows take the place of.
//!
//! REPLACE WHERE is a DELETE and an INSERT in one commit: the rows that meet the condition go, as DELETE would remove
//! them, and the new rows must meet it too.

use crate::change_files::{cdc_actions, write_changes};
use crate::changes::{self, Effect};
use crate::commit::{Metrics, metric, removes};
use crate::constraints::refuse_changes;
use crate::filter::{self, Columns, Hits, decides_by_partition};
use crate::marks::{self, Marked};
use crate::observe::{ActionKind, Observer};
use crate::partition::is_partition_column;
use crate::products::{ChangeFile, Piece, WrittenFile};
use crate::rewrite::{by_task, copied};
use crate::sandbox::Context;
use crate::settings::{DELETE_MARKS, REPLACE_CHECKED, REPLACE_ON_DATA};
use crate::target::Target;
use crate::write::{Destination, adds, total_rows, total_size, write_files};
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::record_batch::RecordBatch;
use delta::actions::{Action, PartitionValues};
use query::{Bound, display};
use serde_json::{Map, Value};
use spec::{BinaryOp, Diagnostic, Expr, ExprKind, Insert, InsertMode, Literal, Name, PartitionValue, RowSample, Span};

/// How many rows a complaint shows.
const ROWS_SHOWN: usize = 5;

/// Which rows of the table go.
#[derive(Debug, Clone)]
pub(crate) enum Replaced {
    /// None: the rows are added.
    Nothing,
    All {
        /// The session asks for dynamic mode; a table without partitions is replaced as a whole all the same.
        dynamic: bool,
    },
    /// The partitions that new rows lie in.
    Partitions,
    /// Those on which the condition is true.
    Where { condition: Box<Bound>, dynamic: bool },
}

/// What goes, and what of it has to be written again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Removal {
    /// Indices into the snapshot's files.
    pub(crate) removed: Vec<usize>,
    /// The rows of removed files that stay.
    pub(crate) kept: Vec<WrittenFile>,
    /// Where rows are hidden by deletion vectors: the files that lose some, and again those that lose all.
    pub(crate) marked: Option<Marked>,
    /// What the change feed is told of the rows that go, where their files do not tell it.
    pub(crate) changes: Vec<ChangeFile>,
    pub(crate) n_deleted: u64,
}

impl Replaced {
    /// Reads the form of the INSERT; `dynamic` asks for the partitions of the new rows only,
    /// unless the table is defined anew.
    ///
    /// # Errors
    /// A condition that cannot be bound; a table that takes appends only.
    pub(crate) async fn of(
        context: &Context<'_>,
        insert: &Insert,
        target: &Target,
        dynamic: bool,
        redefines: bool,
    ) -> Result<Self, Diagnostic> {
        check_partition(insert, target)?;
        let condition = match &insert.mode {
            InsertMode::Append => return Ok(Self::Nothing),
            InsertMode::Overwrite => None,
            InsertMode::ReplaceWhere(condition) => Some(condition),
        };
        refuse_changes(&target.snapshot, insert.table.span)?;
        let is_partitioned = !target.snapshot.partition_columns().is_empty();
        let fixed = match condition {
            None if dynamic && is_partitioned && !redefines => return Ok(Self::Partitions),
            None => fixed_partition(&insert.partition),
            Some(_) => None,
        };
        let Some(condition) = condition.or(fixed.as_ref()) else { return Ok(Self::All { dynamic }) };
        // The table's own name may not stand before its columns here.
        let bare = Target { qualifier: Vec::new(), ..target.clone() };
        let bound = filter::condition(context, &bare, condition, "INSERT … REPLACE WHERE").await?;
        if bound.is_true() {
            return Ok(Self::All { dynamic });
        }
        refuse_untranslatable(&bound)?;
        if !decides_by_partition(target, &bound) && !context.settings.is_on(REPLACE_ON_DATA) {
            let what = format!("REPLACE WHERE on data columns while {REPLACE_ON_DATA} is false");
            return Err(Diagnostic::unsupported(what, condition.span));
        }
        Ok(Self::Where { condition: Box::new(bound), dynamic })
    }

    /// The actions that the statement is told by: REPLACE WHERE deletes before it inserts.
    pub(crate) fn clauses(&self) -> &'static [ActionKind] {
        match self {
            Self::Where { .. } => &[ActionKind::Delete, ActionKind::Insert],
            Self::Nothing | Self::All { .. } | Self::Partitions => &[ActionKind::Insert],
        }
    }

    /// Where the condition stands, if there is one.
    pub(crate) fn condition_span(&self) -> Option<Span> {
        match self {
            Self::Where { condition, .. } => Some(condition.span()),
            Self::Nothing | Self::All { .. } | Self::Partitions => None,
        }
    }

    /// The rows of the table that go.
    ///
    /// # Errors
    /// A file cannot be read; the condition fails on a row.
    pub(crate) async fn hits(
        &self,
        context: &Context<'_>,
        target: &Target,
        observer: &mut dyn Observer,
    ) -> Result<Option<Hits>, Diagnostic> {
        match self {
            Self::Where { condition, .. } => {
                let rewrites = !decides_by_partition(target, condition) && !self.marks(context, target);
                let columns = if rewrites { Columns::All } else { Columns::Condition };
                filter::hits(context, target, Some(condition.as_ref()), columns, observer).await.map(Some)
            }
            Self::Nothing | Self::All { .. } | Self::Partitions => Ok(None),
        }
    }

    /// Whether rows that go are marked as deleted, as DELETE does it.
    fn marks(&self, context: &Context<'_>, target: &Target) -> bool {
        match self {
            Self::Where { condition, .. } if !decides_by_partition(target, condition) => {
                marks::are_made(&target.snapshot, context.settings, DELETE_MARKS)
            }
            _ => false,
        }
    }

    /// New rows must meet the condition; where it is NULL they do not.
    ///
    /// # Errors
    /// `DELTA_REPLACE_WHERE_MISMATCH`, with the first rows that do not.
    pub(crate) fn check<'a>(
        &self,
        context: &Context<'_>,
        target: &Target,
        pieces: impl Iterator<Item = &'a Piece>,
    ) -> Result<(), Diagnostic> {
        let Self::Where { condition, .. } = self else { return Ok(()) };
        if !context.settings.is_on(REPLACE_CHECKED) {
            return Ok(());
        }
        let (mut rows, mut total) = (Vec::new(), 0);
        for batch in pieces.map(|piece| &piece.rows) {
            let truth = condition.evaluate(batch)?;
            let truth = truth.as_boolean_opt().ok_or_else(|| Diagnostic::internal("a condition is not boolean"))?;
            for row in (0..truth.len()).filter(|row| truth.is_null(*row) || !truth.value(*row)) {
                total += 1;
                if rows.len() < ROWS_SHOWN {
                    rows.push(shown_row(batch, row)?);
                }
            }
        }
        if total == 0 {
            return Ok(());
        }
        let text = condition.span().of(context.script);
        let message = format!(
            "Written data does not conform to partial table overwrite condition or constraint '{text}': {total} new \
             row(s) do not meet it."
        );
        let columns = target.columns.iter().map(|column| column.name.clone()).collect();
        let mut problem = Diagnostic::new("DELTA_REPLACE_WHERE_MISMATCH", "44000", message, condition.span())
            .with_hint("Filter the rows by the same condition, or widen the condition.");
        problem.rows.push(RowSample {
            title: "rows outside the condition".into(),
            columns,
            rows,
            total,
            spans: Vec::new(),
        });
        Err(problem)
    }

    /// Whether the commit records its changes: where rows are deleted as DELETE would record it. The inserted rows have
    /// to be recorded then too, for readers of the feed look at change files only.
    pub(crate) fn is_recorded(&self, context: &Context<'_>, target: &Target, hits: Option<&Hits>) -> bool {
        let (Self::Where { condition, .. }, Some(hits)) = (self, hits) else { return false };
        let keeps_files = self.marks(context, target) || decides_by_partition(target, condition);
        let rewrites = !hits.scanned.is_empty() && !keeps_files;
        let effect = if rewrites { Effect::RowsRewritten } else { Effect::ToldByFiles };
        changes::are_recorded(target.snapshot.metadata(), effect)
    }

    /// What goes once the new rows are written.
    ///
    /// # Errors
    /// The store failed.
    pub(crate) async fn removal(
        &self,
        context: &Context<'_>,
        target: &Target,
        hits: Option<&Hits>,
        written: &[WrittenFile],
    ) -> Result<Removal, Diagnostic> {
        let snapshot = &target.snapshot;
        let files = || snapshot.files().iter().enumerate();
        match (self, hits) {
            (Self::Nothing, _) => Ok(Removal::default()),
            (Self::All { .. }, _) => {
                Ok(Removal { removed: files().map(|(file, _)| file).collect(), ..Removal::default() })
            }
            (Self::Partitions, _) => {
                let new: Vec<&PartitionValues> = written.iter().map(|file| &file.add.partition_values).collect();
                let removed = files().filter(|(_, add)| new.contains(&&add.partition_values));
                Ok(Removal { removed: removed.map(|(file, _)| file).collect(), ..Removal::default() })
            }
            (Self::Where { .. }, Some(hits)) if self.marks(context, target) => {
                let marked = marks::mark(context.env, snapshot, &hits.scanned, &hits.actions).await?;
                let removed = marked.removed.clone();
                Ok(Removal { removed, n_deleted: hits.n_rows, marked: Some(marked), ..Removal::default() })
            }
            (Self::Where { condition, .. }, Some(hits)) if decides_by_partition(target, condition) => {
                let removed = hits.scanned.iter().map(|file| file.file).collect();
                Ok(Removal { removed, n_deleted: hits.n_rows, ..Removal::default() })
            }
            (Self::Where { .. }, Some(hits)) => {
                let parallelism = context.session.settings().tasks.parallelism;
                let files = by_task(snapshot, &hits.scanned, &hits.actions.files, parallelism);
                let tasks = files.iter().map(|files| copied(&hits.scanned, files));
                let tasks = tasks.collect::<Result<Vec<_>, _>>()?;
                let recorded = self.is_recorded(context, target, Some(hits));
                let changed = if recorded { changes::deleted(&tasks, hits)? } else { Vec::new() };
                let storage = context.env.storage.as_ref();
                let destination = Destination::of(snapshot).with_changes(recorded);
                let destination = destination.keeping(storage, snapshot, &hits.scanned).await?;
                let kept = write_files(context.env, &destination, tasks).await?;
                let changes = write_changes(context.env, &destination, changed).await?;
                let removed = hits.scanned.iter().map(|file| file.file).collect();
                Ok(Removal { removed, kept, changes, n_deleted: hits.n_rows, marked: None })
            }
            (Self::Where { .. }, None) => Err(Diagnostic::internal("nobody looked for the rows to replace")),
        }
    }

    /// `operationParameters`.
    pub(crate) fn parameters(&self) -> Map<String, Value> {
        let (mode, dynamic) = match self {
            Self::Nothing => ("Append", false),
            Self::All { dynamic } | Self::Where { dynamic, .. } => ("Overwrite", *dynamic),
            Self::Partitions => ("Overwrite", true),
        };
        let mut parameters = Map::from_iter([
            ("mode".to_owned(), Value::String(mode.into())),
            ("partitionBy".to_owned(), Value::String("[]".into())),
        ]);
        if let Self::Where { condition, .. } = self {
            parameters.insert("predicate".to_owned(), Value::String(condition.catalyst()));
        }
        if dynamic {
            parameters.insert("isDynamicPartitionOverwrite".to_owned(), Value::Bool(true));
        }
        parameters
    }

    /// `operationMetrics`.
    pub(crate) fn metrics(
        &self,
        target: &Target,
        written: &[WrittenFile],
        inserted: &[ChangeFile],
        removal: &Removal,
    ) -> Metrics {
        // A file that is named again with a deletion vector counts as written, and its live rows as copied.
        let hidden = || removal.marked.iter().flat_map(|marked| &marked.hidden);
        let n_live: u64 = hidden().filter_map(|file| file.add.n_live_rows()).sum();
        let hidden_size: i64 = hidden().map(|file| file.add.size).sum();
        let n_copied = total_rows(&removal.kept) + n_live;
        let n_files = written.len() + removal.kept.len() + hidden().count();
        let mut metrics = vec![
            metric("numFiles", n_files),
            metric("numOutputRows", total_rows(written) + n_copied),
            metric("numOutputBytes", total_size(written) + total_size(&removal.kept) + hidden_size),
        ];
        if let Self::Nothing = self {
            return metrics;
        }
        let removed = removal.removed.iter().filter_map(|file| target.snapshot.files().get(*file));
        metrics.push(metric("numRemovedFiles", removal.removed.len()));
        metrics.push(metric("numRemovedBytes", removed.map(|add| add.size).sum::<i64>()));
        if let Self::Where { .. } = self {
            metrics.push(metric("numAddedChangeFiles", inserted.len() + removal.changes.len()));
            metrics.push(metric("numDeletedRows", removal.n_deleted));
            metrics.push(metric("numCopiedRows", n_copied));
            // The reference counts rows by the statistics of new files, and says nothing of rows where there are none.
            if n_files == 0 {
                metrics.retain(|(name, _)| !name.ends_with("Rows"));
            }
        }
        metrics
    }
}

/// The reference hands the condition to the table as filters of a data source, which compare columns with constants.
fn refuse_untranslatable(condition: &Bound) -> Result<(), Diagnostic> {
    match condition.conjuncts().iter().find(|part| !part.is_source_filter()) {
        None => Ok(()),
        Some(part) => {
            let message = format!(
                "REPLACE WHERE takes comparisons of columns with constants, joined by AND, OR and NOT; `{}` is none.",
                part.catalyst()
            );
            Err(Diagnostic::new("_LEGACY_ERROR_TEMP_2245", "0A000", message, part.span())
                .with_hint("Run a DELETE with this condition, then an INSERT."))
        }
    }
}

/// Whether nothing changes: then no commit is made.
pub(crate) fn is_idle(written: &[WrittenFile], removal: &Removal) -> bool {
    written.is_empty() && removal.removed.is_empty() && removal.marked.as_ref().is_none_or(Marked::is_empty)
}

/// New files, then those that go, then what is kept of them; each with what the change feed is told.
pub(crate) fn log(
    context: &Context<'_>,
    target: &Target,
    written: &[WrittenFile],
    inserted: &[ChangeFile],
    removal: &Removal,
) -> Vec<Action> {
    let mut log: Vec<Action> = adds(written).chain(cdc_actions(inserted)).collect();
    match &removal.marked {
        Some(marked) => log.extend(marked.log(context.env, &target.snapshot)),
        None => log.extend(removes(context.env, &target.snapshot, &removal.removed)),
    }
    log.extend(adds(&removal.kept).chain(cdc_actions(&removal.changes)));
    log
}

/// A PARTITION clause names partition columns, each once.
fn check_partition(insert: &Insert, target: &Target) -> Result<(), Diagnostic> {
    for (idx, entry) in insert.partition.iter().enumerate() {
        let (column, span) = (&entry.column, entry.column.span);
        if insert.partition.iter().take(idx).any(|other| other.column.is(&column.value)) {
            let message = format!("The partition column `{column}` is named twice.");
            return Err(
                Diagnostic::new("DUPLICATE_KEY", "23505", message, span).with_hint("Name each partition column once.")
            );
        }
        if !is_partition_column(&target.snapshot, &column.value) {
            let message = format!("PARTITION cannot hold `{column}`: it is no partition column.");
            return Err(Diagnostic::new("NON_PARTITION_COLUMN", "42000", message, span)
                .with_hint("Give its value in the rows; DESCRIBE DETAIL shows the partition columns."));
        }
    }
    Ok(())
}

/// `p <=> value AND …` for the values of a PARTITION clause; none without values.
fn fixed_partition(partition: &[PartitionValue]) -> Option<Expr> {
    let equals = |entry: &PartitionValue| {
        let value = entry.value.as_ref()?;
        let column = Expr::new(ExprKind::Column(Name::bare(entry.column.clone())), entry.column.span);
        let (left, right) = (Box::new(column), Box::new(value.clone()));
        let kind = if value.kind == ExprKind::Literal(Literal::Null) {
            ExprKind::IsNull { expr: left, negated: false }
        } else {
            ExprKind::Binary { op: BinaryOp::NullSafeEq, left, right }
        };
        Some(Expr::new(kind, entry.column.span.to(value.span)))
    };
    let and = |left: Expr, right: Expr| {
        let span = left.span.to(right.span);
        let (left, right) = (Box::new(left), Box::new(right));
        Expr::new(ExprKind::Binary { op: BinaryOp::And, left, right }, span)
    };
    partition.iter().filter_map(equals).reduce(and)
}

fn shown_row(batch: &RecordBatch, row: usize) -> Result<Vec<Option<String>>, Diagnostic> {
    let text = |column: &ArrayRef| {
        let value = display(&column.slice(row, 1))?;
        Ok((value.len() == 1 && value.is_valid(0)).then(|| value.value(0).to_owned()))
    };
    batch.columns().iter().map(text).collect()
}
