//! OPTIMIZE and REORG: the same rows in other files.

use super::bins::{self, Bin, Limits};
use super::report::{Report, Sizes};
use super::{Subject, subject, zorder};
use crate::clustering;
use crate::commit::{Operation, commit_reading};
use crate::filter::scope_in;
use crate::observe::Observer;
use crate::partition::holds;
use crate::products::{From, Piece, ScannedFile};
use crate::read::{bytes_of, scan};
use crate::sandbox::{Context, Outcome};
use crate::settings::{OPTIMIZE_MAX_DELETED, OPTIMIZE_MAX_FILE_SIZE, OPTIMIZE_MIN_FILE_SIZE, ZORDER_NEEDS_STATS};
use crate::table::columns_of;
use crate::write::{Destination, write_files};
use delta::actions::{Action, Add, Remove};
use delta::conflict::{ReadRows, Reads};
use delta::parquet_io::column_names;
use delta::properties::indexed_columns;
use delta::row_tracking::{ROW_ID_COLUMN, ROW_VERSION_COLUMN, is_enabled};
use delta::stats::{IndexedColumns, is_indexed};
use query::{BindError, Bound, bind, usage};
use serde_json::{Map, Value};
use spec::{Diagnostic, Expr, Name, Optimize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Puts small files together, or orders all rows by a space-filling curve.
///
/// # Errors
/// A condition on other than partition columns; columns that cannot be ordered by.
pub(crate) async fn run(
    context: &Context<'_>,
    optimize: &Optimize,
    observer: &mut dyn Observer,
) -> Result<Outcome, Diagnostic> {
    let subject = subject(context, &optimize.table, "OPTIMIZE").await?;
    let clustered = clustering_columns(&subject);
    refuse_for_clustering(optimize, clustering::is_clustered(&subject.snapshot))?;
    let filter = filter(context, &subject, optimize.filter.as_ref()).await?;
    check_zorder(context, &subject, &optimize.zorder_by)?;
    let candidates = candidates(&subject, filter.as_ref())?;
    let limits = Limits {
        min_file_size: context.settings.number(OPTIMIZE_MIN_FILE_SIZE) as i64,
        max_file_size: context.settings.number(OPTIMIZE_MAX_FILE_SIZE) as i64,
        max_deleted_ratio: context.settings.number(OPTIMIZE_MAX_DELETED),
    };
    let (order, bins) = match &clustered {
        Some(columns) => (columns.clone(), bins::whole(&clusterable(&candidates, columns))),
        None if !optimize.zorder_by.is_empty() => (optimize.zorder_by.clone(), bins::whole(&candidates)),
        None => {
            let wanted: Vec<_> = candidates.iter().copied().filter(|(_, add)| bins::wants(add, &limits)).collect();
            (Vec::new(), bins::by_size(&wanted, &limits))
        }
    };
    let text = |values: Vec<String>| Value::String(Value::from(values).to_string());
    let names = |names: &[Name]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut parameters = Map::from_iter([
        ("predicate".to_owned(), text(filter.iter().map(Bound::catalyst).collect())),
        ("auto".to_owned(), Value::Bool(false)),
        ("clusterBy".to_owned(), text(clustered.as_deref().map(names).unwrap_or_default())),
        ("zOrderBy".to_owned(), text(names(&optimize.zorder_by))),
    ]);
    if clustered.is_some() {
        parameters.insert("isFull".to_owned(), Value::Bool(optimize.full.is_some()));
    }
    let job = Job {
        operation: "OPTIMIZE",
        parameters,
        order,
        cubes: clustered.as_deref().map(|columns| Cubes::of(&candidates, columns)),
        n_candidates: candidates.len(),
        max_file_size: limits.max_file_size,
    };
    rewrite(context, &subject, &job, &bins, observer).await
}

/// Writes the files that carry deletion vectors anew.
///
/// # Errors
/// A condition on other than partition columns.
pub(crate) async fn reorg(
    context: &Context<'_>,
    table: &Name,
    filter_text: Option<&Expr>,
    observer: &mut dyn Observer,
) -> Result<Outcome, Diagnostic> {
    let subject = subject(context, table, "REORG").await?;
    let filter = filter(context, &subject, filter_text).await?;
    let candidates = candidates(&subject, filter.as_ref())?;
    let max_file_size = context.settings.number(OPTIMIZE_MAX_FILE_SIZE) as i64;
    let limits = Limits { min_file_size: 0, max_file_size, max_deleted_ratio: 0.0 };
    let mut wanted = Vec::new();
    for (idx, add) in candidates.iter().copied() {
        if add.deletion_vector.is_some() || has_extra_columns(context, &subject, add).await? {
            wanted.push((idx, add));
        }
    }
    let predicates: Vec<String> = filter.iter().map(Bound::catalyst).collect();
    let job = Job {
        operation: "REORG",
        parameters: Map::from_iter([
            ("predicate".to_owned(), Value::String(Value::from(predicates).to_string())),
            ("applyPurge".to_owned(), Value::Bool(true)),
        ]),
        order: Vec::new(),
        cubes: None,
        n_candidates: candidates.len(),
        max_file_size,
    };
    let bins = bins::purged(&wanted, &limits);
    rewrite(context, &subject, &job, &bins, observer).await
}

/// Whether a file holds columns that the table has not: dropped ones, or the empty one of a commit that recorded its
/// changes. Those that keep row ids belong to it.
async fn has_extra_columns(context: &Context<'_>, subject: &Subject, add: &Add) -> Result<bool, Diagnostic> {
    let snapshot = &subject.snapshot;
    let configuration = &snapshot.metadata().configuration;
    let ids = [ROW_ID_COLUMN, ROW_VERSION_COLUMN].map(|property| configuration.get(property).map(String::as_str));
    let bytes = bytes_of(context.env.storage.as_ref(), snapshot, add).await?;
    let names = column_names(&bytes).map_err(crate::failure::of_store)?;
    let is_known = |name: &String| {
        snapshot.schema().fields.iter().any(|field| field.physical_name() == name) || ids.contains(&Some(name.as_str()))
    };
    Ok(!names.iter().all(is_known))
}

/// What a rewrite is told apart by.
struct Job {
    operation: &'static str,
    parameters: Map<String, Value>,
    /// The columns that rows are ordered by; none for compaction.
    order: Vec<Name>,
    /// Liquid clustering: what was ordered before.
    cubes: Option<Cubes>,
    n_candidates: usize,
    max_file_size: i64,
}

/// Reads each bin, writes it anew and commits. Nothing to write, no commit.
async fn rewrite(
    context: &Context<'_>,
    subject: &Subject,
    job: &Job,
    bins: &[Bin],
    observer: &mut dyn Observer,
) -> Result<Outcome, Diagnostic> {
    let snapshot = &subject.snapshot;
    let now_ms = context.env.clock.now_ms();
    let (mut log, mut added, mut removed) = (Vec::new(), Vec::new(), Vec::new());
    for bin in bins {
        let cube = job.cubes.as_ref().map(|_| cube_tags(context, &job.order));
        let old: Vec<&Arc<Add>> = bin.files.iter().filter_map(|file| snapshot.files().get(*file)).collect();
        let storage = context.env.storage.as_ref();
        let all: BTreeSet<usize> = (0..snapshot.schema().fields.len()).collect();
        let scanned = scan(storage, snapshot, bin.files.iter().copied(), &all).await?;
        let to = Destination::of(snapshot).keeping(storage, snapshot, &scanned).await?;
        for pieces in rows_of(context, subject, job, &scanned).await? {
            for file in write_files(context.env, &to, vec![pieces]).await? {
                added.push(file.add.size);
                log.push(Action::Add(rearranged(&file.add, cube.as_ref())));
            }
        }
        log.extend(old.iter().map(|add| Action::Remove(Remove::of(add, now_ms, false))));
        removed.extend(old);
    }
    let mut partitions: Vec<_> = bins.iter().map(|bin| &bin.partition).collect();
    partitions.dedup();
    let n_vectors = removed.iter().filter(|add| add.deletion_vector.is_some()).count();
    let n_hidden = removed.iter().filter_map(|add| add.deletion_vector.as_ref()).map(|vector| vector.cardinality).sum();
    let sizes = Sizes { added, removed: removed.iter().map(|add| add.size).collect() };
    let report = Report {
        n_partitions: partitions.len(),
        n_bins: bins.len(),
        n_candidates: job.n_candidates,
        n_vectors,
        n_hidden,
        n_columns: snapshot.schema().fields.len(),
        indexed: indexed_columns(snapshot.metadata()).map_err(crate::failure::of_store)?,
        ordered: !job.order.is_empty() && job.cubes.is_none(),
        cubes: job.cubes.as_ref(),
        started_ms: now_ms,
        sizes: &sizes,
    };
    let mut version = None;
    if !log.is_empty() {
        let metrics = report.metrics();
        let operation =
            Operation { name: job.operation, parameters: job.parameters.clone(), metrics, reads_table: true };
        let files = removed.iter().map(|add| add.path.clone()).collect();
        let reads = Reads { rows: ReadRows::Partitions(&|_| true), files, ..Reads::default() };
        let root = snapshot.root();
        let committed = commit_reading(context.env, root, Some(snapshot), operation, log, &reads, observer).await?;
        version = Some(committed.version);
    }
    let kind = if job.operation == "REORG" { "REORG" } else { "OPTIMIZE" };
    let rows = report.rows(&subject.entry.root)?;
    Ok(Outcome { kind, rows: Some(rows), version, table: Some(subject.entry.short_name()) })
}

/// The rows of a bin's files, one list of pieces per new file.
async fn rows_of(
    context: &Context<'_>,
    subject: &Subject,
    job: &Job,
    scanned: &[Arc<ScannedFile>],
) -> Result<Vec<Vec<Piece>>, Diagnostic> {
    let mut pieces = Vec::new();
    for file in scanned {
        let mut first = file.first_row;
        for batch in &file.batches {
            pieces.push(Piece { rows: batch.clone(), from: From::Copied { first, kept: None } });
            first += batch.num_rows() as u64;
        }
    }
    if job.order.is_empty() {
        return Ok(vec![pieces]);
    }
    // Sorted rows no longer say where they came from.
    if is_enabled(subject.snapshot.metadata()) {
        let what = format!("{} in another order of the rows, in a table that tracks rows,", job.operation);
        return Err(Diagnostic::unsupported(what, None));
    }
    let size: i64 = scanned.iter().map(|file| file.add.size).sum();
    let n_files = (size / job.max_file_size.max(1)).max(1) as usize;
    let mut keys = Vec::with_capacity(job.order.len());
    for name in &job.order {
        keys.push(order_key(context, subject, name).await?);
    }
    zorder::split(pieces, &keys, n_files)
}

/// A column to order by, bound.
async fn order_key(context: &Context<'_>, subject: &Subject, name: &Name) -> Result<Bound, Diagnostic> {
    let columns = columns_of(subject.snapshot.schema());
    let scope = scope_in(&subject.entry.qualifier(), &columns);
    let column = Expr::new(spec::ExprKind::Column(name.clone()), name.span());
    bind(&context.session, &context.resolver(), &scope, &column).await.map_err(Diagnostic::from)
}

/// A file that holds rows which were there before.
fn rearranged(add: &Add, cube: Option<&Tags>) -> Add {
    let clustering_provider = cube.map(|_| "liquid".to_owned());
    let tags = cube.map(|tags| tags.iter().cloned().collect()).or_else(|| add.tags.clone());
    Add { data_change: false, clustering_provider, tags, ..add.clone() }
}

/// Names and values of tags.
type Tags = Vec<(String, Option<String>)>;

/// The marks of files that are ordered together.
fn cube_tags(context: &Context<'_>, columns: &[Name]) -> Tags {
    vec![
        (CUBE_ID.to_owned(), Some(context.env.names.uuid())),
        (CUBE_COLUMNS.to_owned(), Some(cube_columns(columns))),
        ("ZCUBE_ZORDER_CURVE".to_owned(), Some("hilbert".to_owned())),
    ]
}

const CUBE_ID: &str = "ZCUBE_ID";
const CUBE_COLUMNS: &str = "ZCUBE_ZORDER_BY";

fn cube_columns(columns: &[Name]) -> String {
    Value::from(columns.iter().map(ToString::to_string).collect::<Vec<_>>()).to_string()
}

/// Which cube a file belongs to, if it is ordered by these columns.
fn cube_of<'a>(add: &'a Add, columns: &[Name]) -> Option<&'a str> {
    let tag = |name: &str| add.tags.as_ref()?.get(name)?.as_deref();
    let is_ordered = tag(CUBE_COLUMNS).is_some_and(|ordered| ordered == cube_columns(columns));
    if is_ordered { tag(CUBE_ID) } else { None }
}

/// How much of a clustered table is in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Cubes {
    /// Files that belong to a cube, and others: number and bytes.
    pub(super) ordered: (usize, i64),
    pub(super) others: (usize, i64),
    pub(super) n_cubes: usize,
}

impl Cubes {
    fn of(files: &[(usize, &Arc<Add>)], columns: &[Name]) -> Self {
        let mut found = Self::default();
        let mut ids = BTreeSet::new();
        for (_, add) in files {
            let group = match cube_of(add, columns) {
                Some(id) => {
                    ids.insert(id);
                    &mut found.ordered
                }
                None => &mut found.others,
            };
            *group = (group.0 + 1, group.1 + add.size);
        }
        found.n_cubes = ids.len();
        found
    }
}

/// The files whose partition meets the condition.
fn candidates<'a>(subject: &'a Subject, filter: Option<&Bound>) -> Result<Vec<(usize, &'a Arc<Add>)>, Diagnostic> {
    let mut kept = Vec::new();
    for (idx, add) in subject.snapshot.files().iter().enumerate() {
        let schema = subject.snapshot.schema();
        if filter.map_or(Ok(true), |filter| holds(schema, filter, &add.partition_values))? {
            kept.push((idx, add));
        }
    }
    Ok(kept)
}

/// Binds the WHERE of OPTIMIZE: partition columns only.
async fn filter(context: &Context<'_>, subject: &Subject, filter: Option<&Expr>) -> Result<Option<Bound>, Diagnostic> {
    let Some(filter) = filter else { return Ok(None) };
    let partitions = subject.snapshot.partition_columns();
    let refused = |column: &str, span: spec::Span| {
        let list = if partitions.is_empty() { "none".to_owned() } else { partitions.join(", ") };
        let message = format!("`{column}` is no partition column. The partition columns of the table: {list}.");
        Diagnostic::new("DELTA_NON_PARTITION_COLUMN_REFERENCE", "42P10", message, span)
            .with_hint("OPTIMIZE chooses whole partitions; leave WHERE out to look at all files.")
    };
    if let Some(span) = usage(filter).subqueries {
        let message = "Subqueries are not supported in the WHERE of OPTIMIZE.";
        return Err(Diagnostic::new("DELTA_UNSUPPORTED_SUBQUERY_IN_PARTITION_PREDICATES", "0AKDC", message, span)
            .with_hint("Compare partition columns with constants."));
    }
    let columns = columns_of(subject.snapshot.schema());
    let scope = scope_in(&subject.entry.qualifier(), &columns);
    let bound = match bind(&context.session, &context.resolver(), &scope, filter).await {
        Ok(bound) => bound,
        Err(BindError::Unresolved { name, span, .. }) => return Err(refused(&name, span)),
        Err(other) => return Err(other.into()),
    };
    let data_column = bound
        .columns()
        .into_iter()
        .filter_map(|idx| columns.get(idx))
        .find(|column| !partitions.iter().any(|partition| delta::schema::same_name(partition, &column.name)));
    match data_column {
        Some(column) => Err(refused(&column.name, filter.span)),
        None => Ok(Some(bound)),
    }
}

/// What clustering forbids, and what only clustering has.
fn refuse_for_clustering(optimize: &Optimize, clustered: bool) -> Result<(), Diagnostic> {
    if !clustered {
        let Some(span) = optimize.full else { return Ok(()) };
        let message = "OPTIMIZE FULL is for clustered tables only.";
        return Err(Diagnostic::new("DELTA_OPTIMIZE_FULL_NOT_SUPPORTED", "42601", message, span)
            .with_hint("Leave FULL out, or give the table CLUSTER BY columns first."));
    }
    if let Some(column) = optimize.zorder_by.first() {
        let message = "A table with CLUSTER BY cannot be ordered by ZORDER BY.";
        return Err(Diagnostic::new("DELTA_CLUSTERING_WITH_ZORDER_BY", "42613", message, column.span())
            .with_hint("OPTIMIZE without ZORDER BY orders it by its clustering columns."));
    }
    if let Some(filter) = &optimize.filter {
        let message = "OPTIMIZE of a table with CLUSTER BY takes no WHERE.";
        return Err(Diagnostic::new("DELTA_CLUSTERING_WITH_PARTITION_PREDICATE", "0A000", message, filter.span)
            .with_hint("Leave WHERE out: only files that are not in order yet are written again."));
    }
    Ok(())
}

/// ZORDER BY takes columns that exist, are no partition columns and have statistics.
fn check_zorder(context: &Context<'_>, subject: &Subject, columns: &[Name]) -> Result<(), Diagnostic> {
    let snapshot = &subject.snapshot;
    let data_schema = snapshot.data_schema();
    let indexed = indexed_columns(snapshot.metadata()).map_err(crate::failure::of_store)?;
    let mut without_statistics = Vec::new();
    for name in columns {
        let path: Vec<&str> = name.parts.iter().map(|part| part.value.as_str()).collect();
        if snapshot.partition_columns().iter().any(|column| delta::schema::same_name(column, &name.to_string())) {
            let message = format!("`{name}` is a partition column: its files hold a single value of it.");
            return Err(Diagnostic::new("DELTA_ZORDERING_ON_PARTITION_COLUMN", "42P10", message, name.span())
                .with_hint("Order by other columns; each partition is ordered on its own."));
        }
        if !is_indexed(&data_schema, &IndexedColumns::All, &path) {
            let message = format!("ZORDER BY column `{name}` does not exist in the table.");
            return Err(Diagnostic::new("DELTA_ZORDERING_COLUMN_DOES_NOT_EXIST", "42703", message, name.span())
                .with_hint("DESCRIBE TABLE shows the columns."));
        }
        if !is_indexed(&data_schema, &indexed, &path) {
            without_statistics.push(name);
        }
    }
    match without_statistics.first() {
        Some(first) if context.settings.is_on(ZORDER_NEEDS_STATS) => {
            let message =
                format!("No statistics are kept of `{first}`, so ordering by it would not help to skip files.");
            Err(Diagnostic::new("DELTA_ZORDERING_ON_COLUMN_WITHOUT_STATS", "KD00D", message, first.span())
                .with_hint("Statistics are kept of the first columns: see delta.dataSkippingNumIndexedCols."))
        }
        _ => Ok(()),
    }
}

/// The columns of CLUSTER BY, where the table has any.
fn clustering_columns(subject: &Subject) -> Option<Vec<Name>> {
    let paths = clustering::of(&subject.snapshot);
    let part = |part: String| spec::Ident::new(part, spec::Span::default());
    let names = paths.into_iter().map(|path| Name { parts: path.into_iter().map(part).collect() });
    let names: Vec<Name> = names.collect();
    (!names.is_empty()).then_some(names)
}

/// The files that clustering wants: where some are not in order yet, they are merged with the others. Cubes that are
/// large enough to stay for good, 100 gigabytes, are not met here.
fn clusterable<'a>(files: &[(usize, &'a Arc<Add>)], columns: &[Name]) -> Vec<(usize, &'a Arc<Add>)> {
    let is_new = |(_, add): &(usize, &Arc<Add>)| cube_of(add, columns).is_none();
    if files.iter().any(is_new) { files.to_vec() } else { Vec::new() }
}
