//! The fold.

use crate::sample::{at, hiding, merge, row};
use trace::*;

#[test]
fn first_scene_is_the_old_snapshot() {
    let trace = merge();
    let scene = trace.scene(0);
    assert_eq!(scene.reader_version, Some(4));
    let rows: Vec<_> = trace.target.files.iter().flat_map(|file| &file.rows).collect();
    assert_eq!(scene.reader_rows(&trace), rows);
    assert_eq!(scene.tally, Tally::default());
    assert!(scene.files.iter().all(|file| file.status == FileStatus::Waiting));
}

#[test]
fn reader_sees_the_old_rows_until_the_very_last_step() {
    let trace = merge();
    let old = trace.scene(0).reader_rows(&trace);
    for step in 0..trace.steps.len() {
        assert_eq!(trace.scene(step).reader_rows(&trace), old, "at step {step}");
    }
    let last = trace.scene(trace.steps.len());
    let expected = [
        row(&["nut", "1", "1"]),
        row(&["pin", "6", "3"]),
        row(&["nut", "7", "2"]),
        row(&["cog", "5", "2"]),
        row(&["-", "5", "2"]),
    ];
    assert_eq!(last.reader_rows(&trace), expected.iter().collect::<Vec<_>>());
    assert_eq!(last.reader_version, Some(5));
}

#[test]
fn written_files_are_orphans_before_the_commit() {
    let trace = merge();
    let write = trace.steps.iter().position(|step| matches!(step, Step::WriteFile { .. })).unwrap();
    assert_eq!(trace.scene(write).written, [false]);
    let scene = trace.scene(write + 1);
    assert_eq!((scene.written.as_slice(), scene.committed), ([true].as_slice(), false));
}

#[test]
fn every_row_ends_with_its_outcome() {
    let trace = merge();
    let last = trace.scene(usize::MAX);
    assert_eq!(last.step, trace.steps.len());
    let outcomes: Vec<Vec<_>> =
        last.files.iter().map(|file| file.rows.iter().map(|row| row.outcome).collect()).collect();
    assert_eq!(
        outcomes,
        [vec![None], vec![Some(Outcome::Updated), Some(Outcome::Deleted), Some(Outcome::Copied)], vec![None]]
    );
    let sources: Vec<_> = last.source.iter().map(|row| (row.matches, row.outcome, row.clause)).collect();
    assert_eq!(
        sources,
        [
            (1, Some(Outcome::Updated), Some(1)),
            (1, Some(Outcome::Deleted), Some(0)),
            (0, Some(Outcome::Inserted), Some(2))
        ]
    );
    let statuses: Vec<_> = last.files.iter().map(|file| file.status).collect();
    assert_eq!(statuses, [FileStatus::Skipped, FileStatus::Removed, FileStatus::Left]);
}

#[test]
fn tally_counts_each_thing_once() {
    let tally = merge().scene(usize::MAX).tally;
    let expected = Tally {
        source_rows: 3,
        files_skipped: 1,
        files_scanned: 2,
        files_touched: 1,
        files_added: 1,
        files_removed: 1,
        pairs: 2,
        inserted: 1,
        updated: 1,
        deleted: 1,
        copied: 1,
        rows_written: 3,
        ..Tally::default()
    };
    assert_eq!(tally, expected);
}

#[test]
fn focus_is_on_the_rows_of_the_latest_step_only() {
    let trace = merge();
    let second_pair = trace.scene(6);
    let in_focus: Vec<_> = second_pair.files[1].rows.iter().map(|row| row.focus).collect();
    assert_eq!(in_focus, [false, true, false]);
    assert_eq!(second_pair.source.iter().map(|row| row.focus).collect::<Vec<_>>(), [false, true, false]);
}

#[test]
fn a_duplicate_marks_the_target_row_and_all_its_source_rows() {
    let mut trace = merge();
    trace.steps.truncate(4);
    trace.steps.extend([Step::Duplicate { target: at(1, 0), sources: vec![0, 2] }, Step::Fail]);
    let scene = trace.scene(usize::MAX);
    assert!(scene.files[1].rows[0].conflict && !scene.files[1].rows[1].conflict);
    assert_eq!(scene.source.iter().map(|row| row.conflict).collect::<Vec<_>>(), [true, false, true]);
    assert_eq!((scene.committed, scene.reader_version), (false, Some(4)));
}

#[test]
fn a_source_row_that_acted_once_stays_acted() {
    let mut trace = merge();
    let act = |outcome, clause, row| Step::Act { outcome, clause, target: Some(at(1, row)), source: Some(0) };
    trace.steps = vec![act(Outcome::Updated, Some(1), 0), act(Outcome::Copied, None, 1)];
    assert_eq!(trace.scene(2).source[0].outcome, Some(Outcome::Updated));
    trace.steps.reverse();
    assert_eq!(trace.scene(1).source[0].outcome, Some(Outcome::Ignored));
    assert_eq!(trace.scene(2).source[0].outcome, Some(Outcome::Updated));
}

#[test]
fn summarised_steps_count_exactly_and_guess_no_rows() {
    let mut trace = merge();
    trace.steps = vec![
        Step::Files { event: FilesEvent::Scanned { reason: crate::sample::reason("x") }, files: vec![0, 1] },
        Step::ActMany { outcome: Outcome::Updated, clause: Some(1), file: Some(1), rows: 2 },
        Step::ActMany { outcome: Outcome::Copied, clause: None, file: Some(1), rows: 1 },
        Step::Files { event: FilesEvent::Written { rows: 30 }, files: vec![0] },
        Step::Files { event: FilesEvent::Removed, files: vec![0, 1] },
    ];
    let scene = trace.scene(usize::MAX);
    assert!(scene.files[1].rows.iter().all(|row| row.outcome.is_none()));
    assert!(scene.files[1].counts.iter().any(|count| count == (Outcome::Updated, 2)));
    let tally = &scene.tally;
    assert_eq!((tally.files_scanned, tally.updated, tally.copied), (2, 2, 1));
    assert_eq!((tally.files_added, tally.rows_written, tally.files_removed), (1, 30, 2));
}

#[test]
fn ids_that_point_nowhere_are_passed_over() {
    let mut trace = merge();
    trace.steps = vec![
        Step::Match { target: at(9, 9), source: 9 },
        Step::TouchFile { file: 9, matches: 1 },
        Step::WriteFile { file: 9, rows: 1 },
        Step::Act { outcome: Outcome::Deleted, clause: Some(9), target: Some(at(1, 99)), source: None },
    ];
    assert_eq!(trace.scene(4).tally.pairs, 1);
    assert!((0..4).all(|idx| !narrate(&trace, idx).is_empty()));
}

#[test]
fn a_trace_survives_its_json() {
    let trace = merge();
    let text = serde_json::to_string(&trace).unwrap();
    assert_eq!(serde_json::from_str::<Trace>(&text).unwrap(), trace);
    let scene = trace.scene(11);
    assert_eq!(serde_json::from_str::<Scene>(&serde_json::to_string(&scene).unwrap()).unwrap(), scene);
}

#[test]
fn hidden_rows_are_gone_for_readers_and_the_rest_of_their_file_is_not() {
    let trace = hiding();
    let last = trace.scene(usize::MAX);
    assert_eq!(last.files[1].status, FileStatus::RowsHidden);
    assert_eq!((last.tally.files_hidden, last.tally.files_removed, last.tally.copied), (1, 0, 0));
    let first_cells = |step: usize| {
        let scene = trace.scene(step);
        scene.reader_rows(&trace).iter().map(|row| row[1].clone().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(first_cells(13), ["1", "3", "4", "5", "6"]);
    assert_eq!(first_cells(14), ["1", "5", "6", "7", "5"]);
}
