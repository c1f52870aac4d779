//! The steps and sentences of small runs.

use host::Host;
use host::block_on;
use protocol::{ReplyBody, Request};
use trace::{Outcome, Phase, Step, Trace, narrate};

const SETUP: &str = "CREATE TABLE tgt (k INT, v STRING, day INT) USING DELTA PARTITIONED BY (day);
INSERT INTO tgt VALUES (1, 'one', 1); INSERT INTO tgt VALUES (2, 'two', 2), (3, 'three', 2); INSERT INTO tgt VALUES (4, 'four', 3);
CREATE TABLE src (k INT, v STRING, day INT) USING DELTA;
INSERT INTO src VALUES (2, 'TWO', 2), (7, 'seven', 2)";

fn trace(text: &str) -> Trace {
    let request = Request::Run { setup: SETUP.into(), text: text.into(), clock: None };
    let ReplyBody::Ran(report) = block_on(Host::new("t").handle(request, &mut |_| ())) else { panic!("not run") };
    assert_eq!(report.errors, []);
    (**report.statements[0].trace.as_ref().unwrap()).clone()
}

fn sentences(trace: &Trace) -> Vec<String> {
    (0..trace.steps.len()).map(|idx| narrate(trace, idx)).collect()
}

#[test]
fn an_upsert_is_told_from_source_to_commit() {
    let trace = trace(
        "MERGE INTO tgt t USING src s ON t.k = s.k AND t.day = 2 \
         WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT *",
    );
    let skipped = "because `t.day = 2` cannot be true for any row of it: its partition value is";
    assert_eq!(
        sentences(&trace),
        [
            "The source s is read: 2 rows will be compared with the target.".to_owned(),
            format!("File 1 (day = 1) is skipped without being opened, {skipped} day = 1."),
            "File 2 (day = 2) is read, because its partition values and statistics leave room for `t.day = 2`.".into(),
            format!("File 3 (day = 3) is skipped without being opened, {skipped} day = 3."),
            "Source row 1 (k = 2 and day = 2) meets target row k = 2 and day = 2 of file 2 (day = 2): \
             `t.k = s.k AND t.day = 2` is true for this pair."
                .into(),
            "One pair in file 2 (day = 2) touches the whole file: all 2 rows of it must be written again, \
             since a Parquet file cannot be changed in place."
                .into(),
            "Clause 1 (WHEN MATCHED) is the first that holds for target row k = 2 and day = 2 of file 2 (day = 2) \
             and source row 1 (k = 2 and day = 2): the row is updated (v 'two' → 'TWO')."
                .into(),
            "1 row of file 2 (day = 2) is copied unchanged, only because other rows beside it change.".into(),
            "Source row 2 (k = 7 and day = 2) matches no target row that was read, so clause 2 (WHEN NOT MATCHED) acts: \
             the row is inserted."
                .into(),
            "New file 1 (day = 2) is written with 3 rows: 1 inserted, 1 updated and 1 copied unchanged; \
             no log entry names it yet, so readers still see version 3."
                .into(),
            "The log entry will remove file 2 (day = 2): readers of the new version pass it by, \
             while its bytes stay in the store for time travel."
                .into(),
            "00000000000000000004.json is put into the log and removes 1 file and adds 1 file: \
             readers go from version 3 to 4 in one step, never seeing anything between."
                .into(),
        ]
    );
}

#[test]
fn written_rows_know_where_they_came_from() {
    let trace = trace(
        "MERGE INTO tgt t USING src s ON t.k = s.k WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT *",
    );
    let written = &trace.written[0];
    let origins: Vec<_> = written.origins.iter().map(|origin| (origin.outcome, origin.target, origin.source)).collect();
    let two = trace::RowId { file: 1, row: 0 };
    let three = trace::RowId { file: 1, row: 1 };
    assert_eq!(
        origins,
        [
            (Outcome::Copied, Some(three), None),
            (Outcome::Updated, Some(two), Some(0)),
            (Outcome::Inserted, None, Some(1))
        ]
    );
    assert_eq!(trace.clauses[0].text, "WHEN MATCHED THEN UPDATE SET v = s.v");
    let (start, end) = trace.clauses[1].span;
    assert_eq!(&trace.statement[start as usize..end as usize], "WHEN NOT MATCHED THEN INSERT *");
}

#[test]
fn a_duplicate_match_shows_the_rows_and_commits_nothing() {
    let trace = trace(
        "MERGE INTO tgt t USING (SELECT * FROM src UNION ALL SELECT * FROM src) s ON t.k = s.k \
         WHEN MATCHED THEN UPDATE SET v = s.v",
    );
    let target = trace::RowId { file: 1, row: 0 };
    assert!(trace.steps.contains(&Step::Duplicate { target, sources: vec![0, 2] }), "{:?}", trace.steps);
    assert_eq!(trace.steps.last(), Some(&Step::Fail));
    assert_eq!(trace.failure.unwrap().condition, "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE");
    assert_eq!((trace.commit, trace.written.len()), (None, 0));
}

#[test]
fn a_pair_without_a_true_clause_leaves_or_copies_the_row() {
    let only_matched = trace("MERGE INTO tgt t USING src s ON t.k = s.k WHEN MATCHED AND s.v = 'x' THEN DELETE");
    let idle = |outcome| move |step: &Step| matches!(step, Step::Act { outcome: found, clause: None, target: Some(_), source: Some(0) } if *found == outcome);
    assert!(only_matched.steps.iter().any(idle(Outcome::Ignored)));
    assert_eq!(only_matched.steps.last(), Some(&Step::NoCommit));
    let with_insert = trace(
        "MERGE INTO tgt t USING src s ON t.k = s.k WHEN MATCHED AND s.v = 'x' THEN DELETE WHEN NOT MATCHED THEN INSERT *",
    );
    assert!(with_insert.steps.iter().any(idle(Outcome::Copied)));
}

#[test]
fn update_and_delete_are_told_with_their_condition() {
    let update = trace("UPDATE tgt SET v = 'X' WHERE k = 3");
    assert!(
        sentences(&update).contains(
            &"`k = 3` is true for target row k = 3 of file 2 (day = 2): the row is updated (v 'three' → 'X')."
                .to_owned()
        ),
        "{:#?}",
        sentences(&update)
    );
    let delete = trace("DELETE FROM tgt WHERE day = 3");
    assert!(delete.phases().iter().map(|phase| phase.phase).eq([
        Phase::Prune,
        Phase::Join,
        Phase::Classify,
        Phase::Commit
    ]));
}
