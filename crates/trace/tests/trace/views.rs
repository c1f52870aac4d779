//! What the views of the stage are folded from.

use crate::sample::{at, hiding, merge, row};
use trace::*;

#[test]
fn differences_are_the_rows_that_are_not_what_they_were() {
    let trace = merge();
    let told = |step: usize| {
        let scene = trace.scene(step);
        let differences = trace.differences(&scene);
        differences.iter().map(|one| (one.outcome, one.before.cloned(), one.after.cloned())).collect::<Vec<_>>()
    };
    assert_eq!(told(8), []);
    let updated = (Outcome::Updated, Some(row(&["nut", "3", "2"])), Some(row(&["nut", "7", "2"])));
    assert_eq!(told(9), std::slice::from_ref(&updated));
    let deleted = (Outcome::Deleted, Some(row(&["bolt", "4", "2"])), None);
    let inserted = (Outcome::Inserted, None, Some(row(&["-", "5", "2"])));
    assert_eq!(told(15), [updated, deleted, inserted]);
}

#[test]
fn the_map_has_a_cell_for_every_row_and_only_files_that_exist() {
    let trace = merge();
    let before = trace.strips(&trace.scene(0));
    assert_eq!(before.iter().map(|strip| strip.cells.len()).collect::<Vec<_>>(), [1, 3, 1]);
    let after = trace.strips(&trace.scene(usize::MAX));
    let new = after.last().unwrap();
    assert_eq!((new.file, new.n_rows), (Some(FileRef::New(0)), 3));
    assert_eq!(new.cells, [Some(Outcome::Updated), Some(Outcome::Copied), Some(Outcome::Inserted)]);
    assert_eq!(after[1].cells, [Some(Outcome::Updated), Some(Outcome::Deleted), Some(Outcome::Copied)]);
}

#[test]
fn new_files_without_all_their_rows_are_one_strip_with_exact_counts() {
    let mut trace = merge();
    trace.written[0].file.n_rows = 3_000;
    trace.written[0].origins.truncate(1);
    let strips = trace.strips(&trace.scene(usize::MAX));
    let new = strips.last().unwrap();
    assert_eq!((new.file, new.n_rows, new.cells.len()), (None, 3, 0));
    let counts: Vec<_> = new.counts.iter().collect();
    assert_eq!(counts, [(Outcome::Inserted, 1), (Outcome::Updated, 1), (Outcome::Copied, 1)]);
}

#[test]
fn rows_written_for_rows_changed_and_for_nothing() {
    let trace = merge();
    assert_eq!(trace.scene(8).tally.amplification(), Amplification::Nothing);
    assert_eq!(trace.scene(15).tally.amplification(), Amplification::Factor { written: 3, changed: 3 });
    let for_nothing = Tally { copied: 4, rows_written: 4, ..Tally::default() };
    assert_eq!(for_nothing.amplification(), Amplification::ForNothing { written: 4 });
}

#[test]
fn a_metric_lights_as_many_rows_as_it_counts() {
    for trace in [merge(), hiding()] {
        let scene = trace.scene(usize::MAX);
        let lit = |metric: &str| trace.count_lit(&scene, points("MERGE", metric).unwrap());
        let tally = &scene.tally;
        assert_eq!(lit("numTargetRowsUpdated"), tally.updated);
        assert_eq!(lit("numTargetRowsDeleted"), tally.deleted);
        assert_eq!(lit("numTargetRowsInserted"), tally.inserted);
        assert_eq!(lit("numOutputRows"), tally.rows_written);
        assert_eq!(lit("numSourceRows"), 3);
        assert_eq!(lit("numTargetFilesRemoved"), tally.files_removed);
        assert_eq!(points("MERGE", "executionTimeMs"), None);
    }
    let copied = merge();
    assert_eq!(copied.count_lit(&copied.scene(usize::MAX), points("MERGE", "numTargetRowsCopied").unwrap()), 1);
}

#[test]
fn the_first_true_clause_acts_and_the_ones_behind_it_are_not_asked() {
    let trace = merge();
    let grid = trace.firing(&trace.scene(usize::MAX));
    let cells: Vec<_> = grid.rows.iter().map(|row| row.cells.clone()).collect();
    assert_eq!(
        cells,
        [
            vec![Firing::NotTrue(None), Firing::Acts, Firing::OtherKind],
            vec![Firing::Acts, Firing::NotAsked, Firing::OtherKind],
            vec![Firing::OtherKind, Firing::OtherKind, Firing::Acts],
        ]
    );
    assert_eq!((grid.acted.as_slice(), grid.asked.as_slice()), ([1, 1, 1].as_slice(), [2, 1, 1].as_slice()));
    assert_eq!(grid.rows[1].step, 10);
    assert_eq!(grid.dead().count(), 0);
    let half = trace.firing(&trace.scene(9));
    assert_eq!(half.dead().collect::<Vec<_>>(), [0, 2]);
}

fn node(parent: Option<u32>, op: LogicOp, text: &str, columns: &[(bool, u32)], values: &str) -> NodeImage {
    NodeImage { parent, op, text: text.into(), columns: columns.to_vec(), values: values.into() }
}

/// ON of the sample for its five target rows and three source rows; the third source row has no sku.
fn with_logic() -> Trace {
    let mut trace = merge();
    let on = ConditionImage {
        clause: None,
        over: Over::Pair,
        nodes: vec![
            node(None, LogicOp::And, "t.sku = s.sku AND t.day >= 2", &[], "FFFTFNFTNFFNFFN"),
            node(Some(0), LogicOp::Leaf, "t.sku = s.sku", &[(false, 0), (true, 0)], "TFNTFNFTNFFNFFN"),
            node(Some(0), LogicOp::Leaf, "t.day >= 2", &[(false, 2)], "FFFTTTTTTTTTTTT"),
        ],
    };
    let delete = ConditionImage {
        clause: Some(0),
        over: Over::Pair,
        nodes: vec![node(None, LogicOp::Leaf, "s.qty = 0", &[(true, 1)], "FTFFTFFTFFTFFTF")],
    };
    trace.logic = Some(LogicImage { conditions: vec![on, delete] });
    trace
}

#[test]
fn every_part_of_a_condition_has_its_value_and_its_reason() {
    let trace = with_logic();
    let on = trace.condition_of(None).unwrap();
    let pair = |file, row, source| Pair { target: Some(at(file, row)), source: Some(source) };
    let values = |pair| (0..3).map(|node| trace.truth(on, node, pair).unwrap()).collect::<Vec<_>>();
    assert_eq!(values(pair(1, 0, 0)), [Truth::True, Truth::True, Truth::True]);
    assert_eq!(values(pair(0, 0, 0)), [Truth::False, Truth::True, Truth::False]);
    assert_eq!(values(pair(1, 0, 2)), [Truth::Null, Truth::Null, Truth::True]);
    assert_eq!(trace.explain(on, 0, pair(1, 0, 2)), "NULL wins: no part is FALSE, and not every part is TRUE.");
    assert_eq!(trace.explain(on, 0, pair(0, 0, 2)), "FALSE wins over NULL in an AND.");
    assert_eq!(
        trace.explain(on, 1, pair(1, 0, 2)),
        "`sku` is NULL, and a comparison with an unknown value is unknown."
    );
    assert_eq!(trace.truth(on, 0, Pair { target: None, source: Some(0) }), None);
    assert_eq!(trace.operand((true, 1), pair(1, 0, 0)), Some(("qty", &Some("7".to_owned()))));
}

#[test]
fn steps_at_which_a_condition_is_null_are_found() {
    let trace = with_logic();
    // Only the inserted source row has no sku: it met nothing because ON is NULL for it.
    assert_eq!(trace.null_steps(), [11]);
    assert_eq!(merge().null_steps(), Vec::<usize>::new());
}

#[test]
fn the_grid_says_false_or_null_where_it_is_known() {
    let trace = with_logic();
    let grid = trace.firing(&trace.scene(usize::MAX));
    assert_eq!(grid.rows[0].cells[0], Firing::NotTrue(Some(Truth::False)));
}

#[test]
fn the_joins_follow_from_the_clauses_and_the_deletion_vectors() {
    let kinds = |trace: &Trace| {
        let joins = trace.spark_joins(&trace.scene(usize::MAX));
        joins.iter().map(|join| (join.kind, join.files)).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&merge()), [(JoinKind::Inner, 2), (JoinKind::FullOuter, 1)]);
    assert_eq!(kinds(&hiding()), [(JoinKind::Inner, 2), (JoinKind::LeftOuter, 1)]);
    let with = |keep: &[ClauseKind]| {
        let mut trace = merge();
        let by_source = ClauseImage { kind: ClauseKind::NotMatchedBySource, ..trace.clauses[0].clone() };
        trace.clauses.push(by_source);
        trace.clauses.retain(|clause| keep.contains(&clause.kind));
        kinds(&trace).into_iter().map(|(kind, _)| kind).collect::<Vec<_>>()
    };
    assert_eq!(with(&[ClauseKind::Matched]), [JoinKind::Inner, JoinKind::RightOuter]);
    let where_files_are_touched = with(&[ClauseKind::NotMatched]);
    assert_eq!(where_files_are_touched, [JoinKind::Inner, JoinKind::FullOuter], "the plan for inserts is off");
    let mut inserts = merge();
    inserts.clauses.retain(|clause| clause.kind == ClauseKind::NotMatched);
    inserts.steps.retain(|step| !matches!(step, Step::TouchFile { .. } | Step::RemoveFile { .. }));
    assert_eq!(kinds(&inserts), [(JoinKind::LeftAnti, 2)]);
    let by_source = [ClauseKind::Matched, ClauseKind::NotMatchedBySource];
    assert_eq!(with(&by_source), [JoinKind::RightOuter, JoinKind::FullOuter]);
    assert!(!JoinKind::FullOuter.broadcasts_source() && !JoinKind::FullOuter.broadcasts_target());
}

#[test]
fn a_row_that_is_updated_to_what_it_was_has_not_changed() {
    let mut trace = merge();
    assert_eq!(trace.rows_changed(), 3);
    trace.written[0].file.rows[0] = trace.target.files[1].rows[0].clone();
    assert_eq!(trace.rows_changed(), 2);
    trace.written[0].file.rows.clear();
    assert_eq!(trace.rows_changed(), 3, "without its image an updated row counts");
}

#[test]
fn rows_hidden_by_earlier_commits_keep_their_places_in_the_file() {
    let mut trace = hiding();
    trace.target.files[1].hidden = vec![0, 2];
    let strips = trace.strips(&trace.scene(usize::MAX));
    let stored = strips[1].stored();
    let (updated, deleted, left) = (Some(Outcome::Updated), Some(Outcome::Deleted), strips[1].cells[2]);
    assert_eq!(stored, [None, Some(updated), None, Some(deleted), Some(left)]);
}
