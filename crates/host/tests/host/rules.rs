//! The rules of every trace, over statements of all kinds.

use host::MAX_STEPS;
use testkit::traces::{check_statement, check_trace};
use trace::{Outcome, Step};

const THREE_FILES: &str = "CREATE TABLE tgt (k INT, v STRING, day DATE) USING DELTA PARTITIONED BY (day);
INSERT INTO tgt VALUES (1, 'one', DATE'2026-01-01'), (2, 'two', DATE'2026-01-01');
INSERT INTO tgt VALUES (3, 'three', DATE'2026-01-02'), (4, NULL, DATE'2026-01-02');
INSERT INTO tgt VALUES (5, 'five', DATE'2026-01-03'), (NULL, 'none', DATE'2026-01-03')";
const SOURCE: &str = "CREATE TABLE src (k INT, v STRING, day DATE) USING DELTA;
INSERT INTO src VALUES (2, 'TWO', DATE'2026-01-01'), (3, 'three', DATE'2026-01-02'),
  (9, 'nine', DATE'2026-01-09'), (NULL, 'new', DATE'2026-01-09')";

const STATEMENTS: [(&str, &str); 16] = [
    (
        "upsert",
        "MERGE INTO tgt t USING src s ON t.k = s.k WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT *",
    ),
    (
        "upsert of changed rows only",
        "MERGE INTO tgt t USING src s ON t.k = s.k WHEN MATCHED AND NOT t.v <=> s.v THEN UPDATE SET v = s.v \
         WHEN NOT MATCHED AND s.k IS NOT NULL THEN INSERT *",
    ),
    (
        "pruned by the partition",
        "MERGE INTO tgt t USING src s ON t.k = s.k AND t.day >= DATE'2026-01-02' WHEN MATCHED THEN DELETE",
    ),
    ("pruned by statistics", "MERGE INTO tgt t USING src s ON t.k = s.k AND t.k > 4 WHEN MATCHED THEN DELETE"),
    ("insert only", "MERGE INTO tgt t USING src s ON t.k = s.k WHEN NOT MATCHED THEN INSERT *"),
    (
        "all clause kinds",
        "MERGE INTO tgt t USING src s ON t.k = s.k WHEN MATCHED AND s.v = 'TWO' THEN UPDATE SET v = s.v \
         WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (k, v) VALUES (s.k, upper(s.v)) \
         WHEN NOT MATCHED BY SOURCE AND t.k = 1 THEN UPDATE SET v = 'gone' \
         WHEN NOT MATCHED BY SOURCE AND t.k = 5 THEN DELETE",
    ),
    (
        "matched, but no clause is true",
        "MERGE INTO tgt t USING src s ON t.k = s.k WHEN MATCHED AND s.v = 'never' THEN DELETE",
    ),
    (
        "rewritten for nothing",
        "MERGE INTO tgt t USING src s ON t.k = s.k WHEN MATCHED AND s.v = 'never' THEN DELETE \
         WHEN NOT MATCHED AND s.v = 'never' THEN INSERT *",
    ),
    ("no match", "MERGE INTO tgt t USING src s ON t.k = s.k + 100 WHEN MATCHED THEN DELETE"),
    (
        "empty source",
        "MERGE INTO tgt t USING (SELECT * FROM src WHERE k > 99) s ON t.k = s.k WHEN MATCHED THEN UPDATE SET * \
         WHEN NOT MATCHED THEN INSERT *",
    ),
    (
        "duplicates that only delete",
        "MERGE INTO tgt t USING (SELECT k FROM src UNION ALL SELECT k FROM src) s ON t.k = s.k WHEN MATCHED THEN DELETE",
    ),
    (
        "duplicate match",
        "MERGE INTO tgt t USING (SELECT * FROM src UNION ALL SELECT * FROM src) s ON t.k = s.k \
         WHEN MATCHED THEN UPDATE SET v = s.v",
    ),
    ("update", "UPDATE tgt SET v = upper(v) WHERE k > 2"),
    ("delete", "DELETE FROM tgt WHERE k = 1 OR day = DATE'2026-01-03'"),
    ("delete everything", "DELETE FROM tgt"),
    ("insert", "INSERT INTO tgt SELECT k + 10, v, day FROM src"),
];

#[test]
fn every_trace_obeys_the_rules() {
    let setup = [THREE_FILES.to_owned(), SOURCE.to_owned()];
    let mut problems = Vec::new();
    let (mut n_compared, mut n_metrics) = (0, 0);
    for (name, text) in STATEMENTS {
        match check_statement(&setup, text) {
            Ok(checked) => {
                if checked.trace.is_none() {
                    problems.push(format!("{name}: no trace, {:?}", checked.refused));
                }
                n_compared += usize::from(checked.compared_rows);
                n_metrics += checked.n_metrics;
            }
            Err(problem) => problems.push(format!("{name}: {problem}")),
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
    assert_eq!(n_compared, STATEMENTS.len(), "all of these are small enough to compare rows");
    assert!(n_metrics > 80, "only {n_metrics} metrics compared");
}

#[test]
fn statements_that_write_nothing_have_no_trace() {
    let setup = [THREE_FILES.to_owned()];
    for text in
        ["CREATE TABLE other (k INT) USING DELTA", "MERGE INTO tgt USING nowhere s ON true WHEN MATCHED THEN DELETE"]
    {
        let checked = check_statement(&setup, text).unwrap();
        assert_eq!((checked.trace, checked.refused), (None, None), "{text}");
    }
}

/// The check itself is tested: a trace that tells something else than what happened is noticed.
#[test]
fn a_wrong_trace_is_noticed() {
    let setup = [THREE_FILES.to_owned(), SOURCE.to_owned()];
    let (_, text) = STATEMENTS[0];
    let good = check_statement(&setup, text).unwrap().trace.unwrap();
    let rows = |step| good.scene(step).reader_rows(&good).into_iter().cloned().collect::<Vec<_>>();
    let (before, after) = (rows(0), rows(usize::MAX));
    check_trace(&good, &before, &after).unwrap();

    let without = |unwanted: fn(&Step) -> bool| {
        let mut trace = good.clone();
        trace.steps.retain(|step| !unwanted(step));
        assert!(trace.steps.len() < good.steps.len());
        trace
    };
    let mut early = good.clone();
    early.steps.rotate_right(1);
    let mut wrong_cell = good.clone();
    wrong_cell.written[0].file.rows[0][1] = Some("other".into());
    let mut endless = good.clone();
    endless.steps.splice(0..0, (0..MAX_STEPS).map(|_| Step::LeaveFile { file: 0 }));
    let wrong = [
        ("a row less", without(|step| matches!(step, Step::Act { .. }))),
        ("copied rows untold", without(|step| matches!(step, Step::ActMany { outcome: Outcome::Copied, .. }))),
        ("a removed file untold", without(|step| matches!(step, Step::RemoveFile { .. }))),
        ("a scan untold", without(|step| matches!(step, Step::ScanFile { .. }))),
        ("the source untold", without(|step| matches!(step, Step::ReadSource { .. }))),
        ("the commit untold", without(|step| matches!(step, Step::Commit { .. }))),
        ("committed at the start", early),
        ("another value", wrong_cell),
        ("too many steps", endless),
    ];
    for (name, trace) in wrong {
        assert!(check_trace(&trace, &before, &after).is_err(), "{name} is not noticed");
    }
    assert!(check_trace(&good, &after, &after).is_err(), "the wrong old rows are not noticed");
    assert!(check_trace(&good, &before, &before).is_err(), "the wrong new rows are not noticed");
}
