//! The sentences.

use crate::sample::{at, hiding, merge, reason};
use trace::*;

#[track_caller]
fn check(step: Step, expected: &str) {
    let mut trace = merge();
    trace.steps = vec![step];
    assert_eq!(narrate(&trace, 0), expected);
}

#[test]
fn every_step_of_a_run_has_one_sentence() {
    let trace = merge();
    for idx in 0..trace.steps.len() {
        let sentence = narrate(&trace, idx);
        assert!(sentence.ends_with('.'), "{sentence}");
        assert!(sentence.starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit()), "{sentence}");
        assert!(!sentence.contains(". "), "more than one sentence: {sentence}");
    }
    assert_eq!(narrate(&trace, trace.steps.len()), "");
}

#[test]
fn a_skipped_file_names_what_decided() {
    let trace = merge();
    assert_eq!(
        narrate(&trace, 1),
        "File 1 (day = 1) is skipped without being opened, because `t.day >= 2` cannot be true for any row of it: day = 1."
    );
}

#[test]
fn an_update_names_clause_rows_and_changed_values() {
    assert_eq!(
        narrate(&merge(), 8),
        "Clause 2 (WHEN MATCHED) is the first that holds for target row sku = 'nut' and day = 2 of file 2 (day = 2) \
         and source row 1 (sku = 'nut' and day = 2): the row is updated (qty 3 → 7)."
    );
}

#[test]
fn a_null_key_is_shown_as_null() {
    assert!(narrate(&merge(), 11).starts_with("Source row 3 (sku = NULL and day = 2) matches no target row"));
}

#[test]
fn a_touched_file_tells_the_cost() {
    assert_eq!(
        narrate(&merge(), 6),
        "2 pairs in file 2 (day = 2) touch the whole file: all 3 rows of it must be written again, \
         since a Parquet file cannot be changed in place."
    );
}

#[test]
fn a_written_file_tells_its_rows_and_that_nobody_sees_it() {
    assert_eq!(
        narrate(&merge(), 12),
        "New file 1 (day = 2) is written with 3 rows: 1 inserted, 1 updated and 1 copied unchanged; \
         no log entry names it yet, so readers still see version 4."
    );
}

#[test]
fn a_commit_tells_what_becomes_visible() {
    assert_eq!(
        narrate(&merge(), 14),
        "00000000000000000005.json is put into the log and removes 1 file and adds 1 file: \
         readers go from version 4 to 5 in one step, never seeing anything between."
    );
}

#[test]
fn a_duplicate_names_every_row() {
    check(
        Step::Duplicate { target: at(1, 0), sources: vec![0, 2] },
        "Target row sku = 'nut' and day = 2 of file 2 (day = 2) is matched by 2 source rows (numbers 1 and 3); \
         a target row can change only once and nothing says which one wins, so the MERGE stops.",
    );
}

#[test]
fn a_pair_without_clause_says_why() {
    check(
        Step::Act { outcome: Outcome::Copied, clause: None, target: Some(at(1, 2)), source: Some(1) },
        "Target row sku = 'cog' and day = 2 of file 2 (day = 2) matches source row 2 (sku = 'bolt' and day = 2), \
         but no WHEN MATCHED condition is true for them (NULL counts as false): it is copied unchanged with its file.",
    );
}

#[test]
fn an_inserted_row_is_one_of_the_query() {
    let mut trace = merge();
    trace.operation = "WRITE".into();
    trace.source = None;
    trace.steps = vec![Step::Act { outcome: Outcome::Inserted, clause: Some(0), target: None, source: Some(2) }];
    assert_eq!(narrate(&trace, 0), "Row 3 of the query is inserted.");
}

#[test]
fn summaries_have_the_numbers() {
    check(
        Step::MatchMany { file: 1, pairs: 12_345 },
        "In file 2 (day = 2), 12\u{202f}345 pairs of a target row and a source row make `t.sku = s.sku AND t.day >= 2` true.",
    );
    check(
        Step::ActMany { outcome: Outcome::Updated, clause: Some(1), file: Some(1), rows: 900 },
        "Clause 2 (WHEN MATCHED) acts on 900 rows of file 2 (day = 2): they are updated.",
    );
    check(
        Step::ActMany { outcome: Outcome::Inserted, clause: Some(2), file: None, rows: 1000 },
        "1\u{202f}000 source rows match no target row that was read, so clause 3 (WHEN NOT MATCHED) acts: 1\u{202f}000 rows are inserted.",
    );
    check(
        Step::Files {
            event: FilesEvent::Skipped { reason: reason("No row can have day >= 2: day = 1.") },
            files: (0..300).collect(),
        },
        "300 files are skipped without being opened; the first because no row can have day >= 2: day = 1.",
    );
}

#[test]
fn a_condition_with_case_keeps_its_head() {
    let mut trace = merge();
    trace.clauses[0].text =
        "WHEN MATCHED AND CASE WHEN s.qty > 1 THEN true ELSE false END THEN UPDATE SET qty = 1".into();
    assert_eq!(trace.clause_label(0), "clause 1 (WHEN MATCHED AND CASE WHEN s.qty > 1 THEN true ELSE false END)");
}

#[test]
fn nothing_to_write_and_failure_say_which_version_stays() {
    check(
        Step::NoCommit,
        "No row has to be written and no file removed, so no commit is made: the table stays at version 4.",
    );
    let mut trace = merge();
    trace.failure = Some(FailureImage { condition: "DELTA_X".into(), message: "m".into() });
    trace.steps = vec![Step::Fail];
    assert_eq!(
        narrate(&trace, 0),
        "The MERGE stops with DELTA_X: nothing is committed, and readers still see version 4."
    );
}

#[test]
fn a_file_that_keeps_its_other_rows_is_not_called_rewritten() {
    let trace = hiding();
    let told: Vec<_> = [6, 9, 12].map(|idx| narrate(&trace, idx)).into();
    assert_eq!(
        told,
        [
            "2 pairs in file 2 (day = 2) touch it: its other rows stay where they are, since a deletion vector will hide \
             those that change.",
            "Clause 1 (WHEN MATCHED AND s.qty = 0) is the first that holds for target row sku = 'bolt' and day = 2 of \
             file 2 (day = 2) and source row 2 (sku = 'bolt' and day = 2): the row is deleted, that is, hidden from readers.",
            "The log entry will give file 2 (day = 2) a deletion vector that hides 2 rows: the file stays as it is, and \
             readers of the new version pass them by.",
        ]
    );
    assert!(narrate(&trace, 13).contains("hides rows of 1 file and adds 1 file"), "{}", narrate(&trace, 13));
}
