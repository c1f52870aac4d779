//! What must hold of the trace of any run, whatever the statement and the data.
//!
//! [`check_trace`] judges one trace against rows and metrics that were obtained without it;
//! [`check_statement`] obtains them by running the statement, watched and unwatched.

use delta::storage::{InMemory, Storage};
use engine::env::{Env, START_MS};
use engine::observe::{Observer, Silent};
use engine::sandbox::Sandbox;
use host::{Host, MAX_STEPS, Recorder, block_on};
use protocol::{ReplyBody, Request, RunReport};
use std::collections::BTreeMap;
use std::sync::Arc;
use trace::{Granularity, RowImage, Scene, Step, Trace, narrate};

/// What a check found to be right, for suites that count.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Checked {
    /// The trace; `None` where the statement writes to no table or could not be bound.
    pub trace: Option<Trace>,
    /// Whether all rows had images, so that scenes could be compared with the table.
    pub compared_rows: bool,
    /// Why the setup could not be built, where this engine refuses it; then nothing else was checked.
    pub refused: Option<String>,
    /// How many metrics of the commit equalled a count of the trace.
    pub n_metrics: usize,
}

/// Runs `text`, one statement that is not a query, on what the scripts of `setup` built, and checks:
/// the same bytes watched and unwatched, and everything that [`check_trace`] does.
///
/// # Errors
/// What does not hold, as text.
pub fn check_statement(setup: &[String], text: &str) -> Result<Checked, String> {
    if objects(setup, text, false) != objects(setup, text, true) {
        return Err("the recorder changed what was written".into());
    }
    let setup = setup.join(";\n");
    let mut host = Host::new("test");
    let report = run(&mut host, &setup, text)?;
    if let Some(error) = report.errors.first() {
        return Ok(Checked { refused: Some(error.message.clone()), ..Checked::default() });
    }
    let Some(trace) = report.statements.first().and_then(|statement| statement.trace.as_deref()).cloned() else {
        return Ok(Checked::default());
    };
    let query = format!("SELECT * FROM {}", trace.target.name);
    let after = rows(&ask(&mut host, Request::Continue { text: query.clone() })?)?;
    let before = rows(&run(&mut Host::new("test"), &setup, &query)?)?;
    check_trace(&trace, &before, &after)
}

/// Checks a trace: counts of the steps equal the commit's metrics; a reader sees `before` until the
/// commit and `after` from then on; the number of steps is bounded; a scene is the same whichever way
/// it was reached; every step has a sentence.
///
/// # Errors
/// What does not hold, as text.
pub fn check_trace(trace: &Trace, before: &[RowImage], after: &[RowImage]) -> Result<Checked, String> {
    let n_steps = trace.steps.len();
    hold(n_steps <= MAX_STEPS, || format!("{n_steps} steps"))?;
    let n_metrics = metrics(trace)?;
    let compared_rows = !trace.summarised;
    if compared_rows {
        readers(trace, before, after)?;
    }
    paths(trace)?;
    for idx in 0..n_steps {
        let sentence = narrate(trace, idx);
        hold(sentence.len() > 10 && sentence.ends_with('.'), || format!("step {idx} is told as `{sentence}`"))?;
    }
    Ok(Checked { trace: Some(trace.clone()), compared_rows, refused: None, n_metrics })
}

fn hold(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// The counts of the last scene against the metrics; two tallies that know nothing of each other.
fn metrics(trace: &Trace) -> Result<usize, String> {
    let Some(commit) = &trace.commit else { return Ok(0) };
    let tally = trace.scene(n_steps(trace)).tally;
    let expected: &[(&str, u64)] = &match trace.operation.as_str() {
        "MERGE" => vec![
            ("numSourceRows", tally.source_rows),
            ("numTargetRowsInserted", tally.inserted),
            ("numTargetRowsMatchedUpdated", tally.updated),
            ("numTargetRowsMatchedDeleted", tally.deleted),
            ("numTargetRowsNotMatchedBySourceUpdated", tally.updated_by_source),
            ("numTargetRowsNotMatchedBySourceDeleted", tally.deleted_by_source),
            ("numTargetRowsCopied", tally.copied),
            ("numOutputRows", tally.rows_written),
            ("numTargetFilesAdded", tally.files_added),
            ("numTargetFilesRemoved", tally.files_removed),
        ],
        "UPDATE" => vec![
            ("numUpdatedRows", tally.updated),
            ("numCopiedRows", tally.copied),
            ("numAddedFiles", tally.files_added),
            // A file that only gets a deletion vector counts as removed here, and nowhere else.
            ("numRemovedFiles", tally.files_removed + tally.files_hidden),
        ],
        "DELETE" => vec![
            ("numDeletedRows", tally.deleted),
            ("numCopiedRows", tally.copied),
            ("numAddedFiles", tally.files_added),
            ("numRemovedFiles", tally.files_removed),
        ],
        "WRITE" => vec![
            ("numOutputRows", tally.inserted),
            ("numOutputRows", tally.rows_written),
            ("numFiles", tally.files_added),
        ],
        other => return Err(format!("no rule for the metrics of {other}")),
    };
    for (name, counted) in expected {
        let logged = commit.metrics.iter().find(|(metric, _)| metric == name).map(|(_, value)| value.as_str());
        hold(logged == Some(counted.to_string().as_str()), || {
            format!("{name} is {logged:?}, the steps count {counted}")
        })?;
    }
    let n_files = trace.target.files.len() as u64;
    let decided = tally.files_scanned + tally.files_skipped;
    hold(trace.operation == "WRITE" || decided == n_files, || format!("{decided} of {n_files} files decided"))?;
    Ok(expected.len())
}

/// What a reader sees at every step: the old rows, then at once the new ones.
fn readers(trace: &Trace, before: &[RowImage], after: &[RowImage]) -> Result<(), String> {
    let evolved = trace.steps.iter().find_map(|step| match step {
        Step::ChangeColumns { changed, .. } => Some(changed.is_empty()),
        _ => None,
    });
    for step in 0..=n_steps(trace) {
        let scene = trace.scene(step);
        let expected = if scene.committed { after } else { before };
        // Old rows are shown with the columns that the statement adds, and as the types it widens to.
        if let (Some(only_added), false) = (evolved, scene.committed) {
            let n_columns = expected.first().map_or(0, Vec::len);
            let shown = scene.reader_rows(trace).into_iter().map(|row| row.iter().take(n_columns).cloned().collect());
            let shown: Vec<RowImage> = shown.collect();
            let same = sorted(shown.iter().collect()) == sorted(expected.iter().collect());
            hold(shown.len() == expected.len() && (same || !only_added), || {
                format!("at step {step} a reader does not see the old rows")
            })?;
            continue;
        }
        hold(sorted(scene.reader_rows(trace)) == sorted(expected.iter().collect()), || {
            format!("at step {step} a reader does not see version {:?}", scene.reader_version)
        })?;
    }
    let committed = trace.scene(n_steps(trace)).committed;
    hold(committed == trace.commit.is_some(), || "the last scene is not that of the commit".into())?;
    hold(committed || sorted(before.iter().collect()) == sorted(after.iter().collect()), || {
        "rows changed without a commit".into()
    })
}

/// The scenes reached forward, backward and by a jump into a copy that came over the wire.
fn paths(trace: &Trace) -> Result<(), String> {
    let text = serde_json::to_string(trace).map_err(|error| error.to_string())?;
    let copy: Trace = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let forward = walk(0, |position| (position < n_steps(trace)).then(|| trace.next_stop(Granularity::Pair, position)));
    let backward =
        walk(n_steps(trace), |position| (position > 0).then(|| trace.previous_stop(Granularity::Pair, position)));
    hold(forward.iter().eq(backward.iter().rev()), || "forward and backward stop at different steps".into())?;
    for position in forward {
        let scene = trace.scene(position);
        let is_same = scene == copy.scene(position) && round_trip(&scene)? == scene && scene.step == position;
        hold(is_same, || format!("the scene at {position} depends on the way to it"))?;
    }
    Ok(())
}

fn walk(start: usize, next: impl Fn(usize) -> Option<usize>) -> Vec<usize> {
    std::iter::successors(Some(start), |position| next(*position)).take(MAX_STEPS + 2).collect()
}

fn round_trip(scene: &Scene) -> Result<Scene, String> {
    let text = serde_json::to_string(scene).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

fn n_steps(trace: &Trace) -> usize {
    trace.steps.len()
}

fn sorted(mut rows: Vec<&RowImage>) -> Vec<&RowImage> {
    rows.sort();
    rows
}

/// Every object of the store after the scripts and the statement, by path. A statement that fails
/// ends its script; what it left is compared too.
fn objects(setup: &[String], text: &str, watched: bool) -> BTreeMap<String, Vec<u8>> {
    let store = InMemory::new();
    let mut sandbox = Sandbox::new(Env::over(Arc::new(store.clone()), START_MS));
    for script in setup.iter().map(String::as_str).chain([text]) {
        for statement in sql::parse(script).statements {
            let mut recorder = Recorder::new();
            let observer: &mut dyn Observer = if watched { &mut recorder } else { &mut Silent };
            if block_on(sandbox.execute(script, &statement, observer)).is_err() {
                break;
            }
        }
    }
    let bytes = |path: &str| block_on(store.get(path)).map(|bytes| bytes.to_vec()).unwrap_or_default();
    store.files().into_iter().map(|file| (file.path.clone(), bytes(&file.path))).collect()
}

fn run(host: &mut Host, setup: &str, text: &str) -> Result<RunReport, String> {
    ask(host, Request::Run { setup: setup.to_owned(), text: text.to_owned(), clock: None })
}

fn ask(host: &mut Host, request: Request) -> Result<RunReport, String> {
    match block_on(host.handle(request, &mut |_| ())) {
        ReplyBody::Ran(report) => Ok(*report),
        other => Err(format!("{other:?}")),
    }
}

fn rows(report: &RunReport) -> Result<Vec<RowImage>, String> {
    let statement = report.statements.first().ok_or("no statement ran")?;
    match (&statement.grid, &statement.error) {
        (Some(grid), None) => Ok(grid.rows.clone()),
        // A table without columns is refused to readers; it has no rows.
        (None, Some(error)) if error.condition == "DELTA_READ_TABLE_WITHOUT_COLUMNS" => Ok(Vec::new()),
        (_, error) => Err(format!("the table cannot be read: {error:?}")),
    }
}
