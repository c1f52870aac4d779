//! What was kept of a run, as a bounded list of steps; pure.

use super::digest::{ActionDigest, FileDigest, MatchDigest, ScannedDigest};
use super::reasons::{outcome, reason};
use super::{End, Recorder};
use crate::limits::{FILES_TOLD, ROWS_TOLD, SUMMARIES_TOLD};
use std::collections::{BTreeMap, BTreeSet};
use trace::{FilesEvent, Outcome, RowId, Step};

/// The steps, and whether some of them speak of many rows or files at once.
pub(super) struct Told {
    pub(super) steps: Vec<Step>,
    pub(super) summarised: bool,
}

/// Tells a run phase by phase.
pub(super) fn tell(recorder: &Recorder) -> Told {
    let mut told = Told { steps: Vec::new(), summarised: false };
    if let Some((added, changed)) = &recorder.evolves {
        told.steps.push(Step::ChangeColumns { added: added.clone(), changed: changed.clone() });
    }
    if let Some(source) = &recorder.source {
        told.steps.push(Step::ReadSource { rows: source.rows.num_rows() as u64 });
    }
    prune(recorder, &mut told);
    if let Some(matched) = &recorder.matched {
        join(recorder, matched, &mut told);
    }
    if let Some(actions) = &recorder.actions {
        classify(recorder, actions, &mut told);
    }
    write(recorder, &mut told);
    match &recorder.end {
        Some(End::Committed(commit)) => {
            let hidden = recorder.hidden.clone().unwrap_or_default();
            let total = |some: &[(u32, u64)]| FilesEvent::Hidden { rows: some.iter().map(|(_, rows)| rows).sum() };
            each_file(hidden, |file, rows| Step::HideRows { file, rows }, total, &mut told);
            let removed = recorder.removed.iter().map(|file| (*file, ())).collect();
            each_file(removed, |file, ()| Step::RemoveFile { file }, |_| FilesEvent::Removed, &mut told);
            told.steps.push(Step::Commit { version: commit.version });
        }
        Some(End::Nothing { .. }) => told.steps.push(Step::NoCommit),
        Some(End::Failed(_)) => told.steps.push(Step::Fail),
        None => {}
    }
    told
}

/// One step per file, or one for all of them where they are too many.
fn each_file<T>(
    files: Vec<(u32, T)>,
    one: impl Fn(u32, T) -> Step,
    many: impl Fn(&[(u32, T)]) -> FilesEvent,
    told: &mut Told,
) {
    if files.len() > FILES_TOLD {
        told.summarised = true;
        let event = many(&files);
        told.steps.push(Step::Files { event, files: files.iter().map(|(file, _)| *file).collect() });
    } else {
        told.steps.extend(files.into_iter().map(|(file, value)| one(file, value)));
    }
}

fn prune(recorder: &Recorder, told: &mut Told) {
    let has_condition = recorder.begin.as_ref().is_some_and(|begin| begin.condition.is_some());
    let decisions = recorder.decisions.iter();
    let all: Vec<_> = decisions.map(|each| (each.file as u32, each.kept, reason(&each.why, has_condition))).collect();
    if all.len() <= FILES_TOLD {
        told.steps.extend(all.into_iter().map(|(file, kept, reason)| {
            if kept { Step::ScanFile { file, reason } } else { Step::SkipFile { file, reason } }
        }));
        return;
    }
    let (kept, skipped): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, kept, _)| *kept);
    let files =
        |some: Vec<(u32, bool, trace::Reason)>| some.into_iter().map(|(file, _, reason)| (file, reason)).collect();
    let first = |some: &[(u32, trace::Reason)]| some.first().map(|(_, reason)| reason.clone());
    let nothing = || reason(&engine::products::Why::NothingToPruneBy, has_condition);
    each_file(
        files(skipped),
        |file, reason| Step::SkipFile { file, reason },
        |some| FilesEvent::Skipped { reason: first(some).unwrap_or_else(nothing) },
        told,
    );
    each_file(
        files(kept),
        |file, reason| Step::ScanFile { file, reason },
        |some| FilesEvent::Scanned { reason: first(some).unwrap_or_else(nothing) },
        told,
    );
}

/// Pairs, and which files they touch. Per file while the files can be told one by one.
fn join(recorder: &Recorder, matched: &MatchDigest, told: &mut Told) {
    let decided = recorder.duplicate.is_none();
    let with_pairs = matched.files.iter().filter(|file| file.n_pairs > 0).count();
    let acted = rows_per_file(recorder);
    // Where only changed rows are written, a file without any stays as it is, whatever matched in it.
    let changes = |file: u32| recorder.hidden.is_none() || acted.get(&file).is_some_and(|n_rows| *n_rows > 0);
    let is_touched = |file: &ScannedDigest| file.touched && changes(file.file);
    let (touched, left): (Vec<_>, Vec<_>) = matched.files.iter().partition(|file| is_touched(file));
    let (tell_touched, tell_left) = (touched.len() <= FILES_TOLD, left.len() <= FILES_TOLD);
    if matched.pairs.is_none() && with_pairs > FILES_TOLD {
        let files = matched.files.iter().filter(|file| file.n_pairs > 0).map(|file| file.file).collect();
        told.steps.push(Step::Files { event: FilesEvent::Matched { pairs: matched.n_pairs }, files });
        told.summarised = true;
    }
    let matches_in =
        |file: u32, n_pairs: u64| if is_merge(recorder) { n_pairs } else { acted.get(&file).copied().unwrap_or(0) };
    for file in &matched.files {
        match &matched.pairs {
            Some(pairs) => {
                let of_file = pairs.iter().filter(|pair| pair.target.file == file.file);
                told.steps.extend(of_file.map(|pair| Step::Match { target: pair.target, source: pair.source }));
            }
            None if with_pairs <= FILES_TOLD && file.n_pairs > 0 => {
                told.steps.push(Step::MatchMany { file: file.file, pairs: file.n_pairs });
                told.summarised = true;
            }
            None => {}
        }
        if decided && is_touched(file) && tell_touched {
            let matches = matches_in(file.file, file.n_pairs);
            told.steps.push(Step::TouchFile { file: file.file, matches });
        }
        if decided && !is_touched(file) && tell_left {
            told.steps.push(Step::LeaveFile { file: file.file });
        }
    }
    if let Some(duplicate) = &recorder.duplicate {
        let target = RowId { file: duplicate.file, row: duplicate.row };
        told.steps.push(Step::Duplicate { target, sources: duplicate.sources.clone() });
        return;
    }
    if !tell_touched {
        let matches = touched.iter().map(|file| matches_in(file.file, file.n_pairs)).sum();
        let files = touched.iter().map(|file| file.file).collect();
        told.steps.push(Step::Files { event: FilesEvent::Touched { matches }, files });
    }
    if !tell_left {
        let files = left.iter().map(|file| file.file).collect();
        told.steps.push(Step::Files { event: FilesEvent::Left, files });
    }
    told.summarised |= !tell_touched || !tell_left;
}

fn is_merge(recorder: &Recorder) -> bool {
    recorder.begin.as_ref().is_some_and(|begin| begin.target.operation == "MERGE")
}

fn rows_per_file(recorder: &Recorder) -> BTreeMap<u32, u64> {
    let files = recorder.actions.iter().flat_map(|actions| &actions.files);
    files.map(|file| (file.file, file.acted.values().sum())).collect()
}

fn classify(recorder: &Recorder, actions: &ActionDigest, told: &mut Told) {
    let ignored = ignored_sources(recorder, actions);
    let idle_pairs = idle_pairs(recorder, actions);
    let n_ignored = n_ignored(recorder, actions);
    let n_told = actions.n_acting() + n_ignored + idle_pairs.as_ref().map_or(0, |pairs| pairs.len() as u64);
    let rows: Option<Vec<_>> = actions.files.iter().map(|file| file.rows.as_ref()).collect();
    match (rows, &actions.inserts, ignored, idle_pairs) {
        (Some(_), Some(inserts), Some(ignored), Some(idle)) if n_told <= ROWS_TOLD as u64 => {
            one_by_one(recorder, actions, &idle, told);
            sources(recorder, inserts, &ignored, told);
        }
        _ => {
            told.summarised = true;
            in_summary(recorder, actions, n_ignored, told);
        }
    }
}

/// Pairs on which no clause acts: the target row, the source row. `None` if they are too many.
fn idle_pairs(recorder: &Recorder, actions: &ActionDigest) -> Option<Vec<(RowId, u32)>> {
    let Some(matched) = &recorder.matched else { return Some(Vec::new()) };
    let acted: BTreeSet<RowId> = actions
        .files
        .iter()
        .flat_map(|file| file.rows.iter().flatten().map(|acted| RowId { file: file.file, row: acted.row }))
        .collect();
    let pairs = matched.pairs.as_ref()?.iter().filter(|pair| pair.clause.is_none() && !acted.contains(&pair.target));
    Some(pairs.map(|pair| (pair.target, pair.source)).collect())
}

/// Source rows of a MERGE that met no target row and are not inserted. `None` if they are too many.
fn ignored_sources(recorder: &Recorder, actions: &ActionDigest) -> Option<Vec<u32>> {
    let Some(matched) = recorder.matched.as_ref().filter(|_| is_merge(recorder)) else { return Some(Vec::new()) };
    let inserted: BTreeSet<u32> = actions.inserts.as_ref()?.iter().map(|(source, _)| *source).collect();
    Some(matched.unmatched.as_ref()?.iter().copied().filter(|source| !inserted.contains(source)).collect())
}

fn n_ignored(recorder: &Recorder, actions: &ActionDigest) -> u64 {
    let Some(matched) = recorder.matched.as_ref().filter(|_| is_merge(recorder)) else { return 0 };
    matched.n_unmatched.saturating_sub(actions.n_inserted())
}

fn act(recorder: &Recorder, clause: u16, target: Option<RowId>, source: Option<u32>) -> Step {
    let outcome = recorder.clause_kind(clause).map_or(Outcome::Ignored, |(kind, action)| outcome(kind, action));
    Step::Act { outcome, clause: Some(u32::from(clause)), target, source }
}

fn one_by_one(recorder: &Recorder, actions: &ActionDigest, idle: &[(RowId, u32)], told: &mut Told) {
    let rewrites = recorder.hidden.is_none();
    let tell_copied = actions.files.iter().filter(|file| file.copied > 0).count() <= FILES_TOLD;
    let mut n_untold = 0;
    for file in &actions.files {
        let mut steps = acts_of(recorder, file);
        // One target row that met several source rows (the exempt DELETE) is idle or acted once.
        let mut seen = BTreeSet::new();
        let of_file = idle.iter().filter(|(target, _)| rewrites && target.file == file.file && seen.insert(target.row));
        let of_file: Vec<_> = of_file.collect();
        let n_copied = if rewrites { file.copied.saturating_sub(of_file.len() as u64) } else { 0 };
        steps.extend(of_file.into_iter().map(|(target, source)| {
            let step =
                Step::Act { outcome: Outcome::Copied, clause: None, target: Some(*target), source: Some(*source) };
            (target.row, step)
        }));
        steps.sort_by_key(|(row, _)| *row);
        told.steps.extend(steps.into_iter().map(|(_, step)| step));
        if n_copied > 0 && tell_copied {
            let file = Some(file.file);
            told.steps.push(Step::ActMany { outcome: Outcome::Copied, clause: None, file, rows: n_copied });
        } else {
            n_untold += n_copied;
        }
    }
    if n_untold > 0 {
        told.summarised = true;
        let files = actions.files.iter().filter(|file| file.copied > 0).map(|file| file.file).collect();
        let event = FilesEvent::Acted { outcome: Outcome::Copied, clause: None, rows: n_untold };
        told.steps.push(Step::Files { event, files });
    }
    let rewritten: BTreeSet<u32> = actions.files.iter().filter(|_| rewrites).map(|file| file.file).collect();
    told.steps.extend(idle.iter().filter(|(target, _)| !rewritten.contains(&target.file)).map(|(target, source)| {
        Step::Act { outcome: Outcome::Ignored, clause: None, target: Some(*target), source: Some(*source) }
    }));
}

fn acts_of(recorder: &Recorder, file: &FileDigest) -> Vec<(u32, Step)> {
    let step = |row: u32, clause, source| act(recorder, clause, Some(RowId { file: file.file, row }), source);
    file.rows.iter().flatten().map(|acted| (acted.row, step(acted.row, acted.clause, acted.source))).collect()
}

/// Source rows without a target row, in source order: inserted, or without effect.
fn sources(recorder: &Recorder, inserts: &[(u32, u16)], ignored: &[u32], told: &mut Told) {
    let inserted = inserts.iter().map(|(source, clause)| (*source, act(recorder, *clause, None, Some(*source))));
    let nothing =
        |source: &u32| Step::Act { outcome: Outcome::Ignored, clause: None, target: None, source: Some(*source) };
    let mut steps: Vec<_> = inserted.chain(ignored.iter().map(|source| (*source, nothing(source)))).collect();
    steps.sort_by_key(|(source, _)| *source);
    told.steps.extend(steps.into_iter().map(|(_, step)| step));
}

/// Rows per outcome and clause, per file while that gives few steps.
fn in_summary(recorder: &Recorder, actions: &ActionDigest, n_ignored: u64, told: &mut Told) {
    let mut steps = Vec::new();
    for file in &actions.files {
        let acted =
            file.acted.iter().map(|(clause, rows)| (outcome_of(recorder, *clause), Some(u32::from(*clause)), *rows));
        let copied = (file.copied > 0 && recorder.hidden.is_none()).then_some((Outcome::Copied, None, file.copied));
        steps.extend(acted.chain(copied).map(|(outcome, clause, rows)| (file.file, outcome, clause, rows)));
    }
    if steps.len() <= SUMMARIES_TOLD {
        told.steps.extend(steps.into_iter().map(|(file, outcome, clause, rows)| Step::ActMany {
            outcome,
            clause,
            file: Some(file),
            rows,
        }));
    } else {
        told.steps.extend(over_files(steps));
    }
    let inserted = actions.inserted.iter().map(|(clause, rows)| (Some(u32::from(*clause)), *rows)).collect::<Vec<_>>();
    let inserted = if inserted.len() > SUMMARIES_TOLD { vec![(None, actions.n_inserted())] } else { inserted };
    told.steps.extend(inserted.into_iter().map(|(clause, rows)| Step::ActMany {
        outcome: Outcome::Inserted,
        clause,
        file: None,
        rows,
    }));
    if n_ignored > 0 {
        told.steps.push(Step::ActMany { outcome: Outcome::Ignored, clause: None, file: None, rows: n_ignored });
    }
}

fn outcome_of(recorder: &Recorder, clause: u16) -> Outcome {
    recorder.clause_kind(clause).map_or(Outcome::Ignored, |(kind, action)| outcome(kind, action))
}

/// One step per outcome and clause over all files; without clauses where these are too many.
fn over_files(steps: Vec<(u32, Outcome, Option<u32>, u64)>) -> Vec<Step> {
    let kinds: BTreeSet<_> = steps.iter().map(|(_, outcome, clause, _)| (*outcome, *clause)).collect();
    let by_clause = kinds.len() <= SUMMARIES_TOLD;
    let mut groups: BTreeMap<(Option<u32>, Outcome), (BTreeSet<u32>, u64)> = BTreeMap::new();
    for (file, outcome, clause, rows) in steps {
        let group = groups.entry((clause.filter(|_| by_clause), outcome)).or_default();
        group.0.insert(file);
        group.1 += rows;
    }
    let step = |((clause, outcome), (files, rows)): (_, (BTreeSet<u32>, u64))| Step::Files {
        event: FilesEvent::Acted { outcome, clause, rows },
        files: files.into_iter().collect(),
    };
    groups.into_iter().map(step).collect()
}

fn write(recorder: &Recorder, told: &mut Told) {
    let files = recorder.written.iter().enumerate().map(|(idx, file)| (idx as u32, file.n_rows)).collect();
    let total = |some: &[(u32, u64)]| FilesEvent::Written { rows: some.iter().map(|(_, rows)| rows).sum() };
    each_file(files, |file, rows| Step::WriteFile { file, rows }, total, told);
    told.steps.extend(
        recorder.changes.as_ref().map(|changes| Step::WriteChanges { files: changes.files, rows: changes.rows }),
    );
}
