//! Inputs that are too large to be told one by one.

use host::{Host, MAX_STEPS, block_on};
use protocol::{ReplyBody, Request};
use testkit::traces::check_statement;
use trace::{FilesEvent, Outcome, Step};

const ROWS: &str = "CREATE TABLE tgt (k BIGINT, v STRING) USING DELTA;
INSERT INTO tgt SELECT id, 'old' FROM (SELECT explode(sequence(1, 3000)) AS id);
CREATE TABLE src (k BIGINT, v STRING) USING DELTA;
INSERT INTO src SELECT id, 'new' FROM (SELECT explode(sequence(2001, 4000)) AS id)";

#[test]
fn many_rows_are_summarised_with_exact_counts() {
    let text =
        "MERGE INTO tgt t USING src s ON t.k = s.k WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT *";
    let checked = check_statement(&[ROWS.to_owned()], text).unwrap();
    let trace = checked.trace.unwrap();
    assert!(trace.summarised && checked.n_metrics == 10);
    assert!(trace.steps.len() < 20, "{} steps", trace.steps.len());
    assert!(trace.steps.contains(&Step::MatchMany { file: 0, pairs: 1000 }), "{:?}", trace.steps);
    let many = |outcome, clause, file, rows| Step::ActMany { outcome, clause, file, rows };
    assert!(trace.steps.contains(&many(Outcome::Updated, Some(0), Some(0), 1000)));
    assert!(trace.steps.contains(&many(Outcome::Copied, None, Some(0), 2000)));
    assert!(trace.steps.contains(&many(Outcome::Inserted, Some(1), None, 1000)));
    assert!(!trace.target.files[0].rows.is_empty() && trace.target.files[0].rows.len() < 100);
    assert_eq!(trace.target.files[0].n_rows, 3000);
}

#[test]
fn many_files_are_summarised_with_exact_counts() {
    let setup = "CREATE TABLE tgt (k BIGINT, day BIGINT) USING DELTA PARTITIONED BY (day);
INSERT INTO tgt SELECT id, id FROM (SELECT explode(sequence(1, 300)) AS id);
CREATE TABLE src (k BIGINT, day BIGINT) USING DELTA;
INSERT INTO src SELECT id, id FROM (SELECT explode(sequence(1, 300)) AS id)";
    let pruned = "MERGE INTO tgt t USING src s ON t.k = s.k AND t.day > 290 WHEN MATCHED THEN UPDATE SET k = s.k + 1";
    let trace = check_statement(&[setup.to_owned()], pruned).unwrap().trace.unwrap();
    let skipped = trace.steps.iter().find_map(|step| match step {
        Step::Files { event: FilesEvent::Skipped { .. }, files } => Some(files.len()),
        _ => None,
    });
    assert_eq!(skipped, Some(290));
    let everything = "MERGE INTO tgt t USING src s ON t.k = s.k AND s.k < 290 WHEN MATCHED THEN UPDATE SET k = s.k + 1 \
        WHEN NOT MATCHED THEN INSERT * WHEN NOT MATCHED BY SOURCE THEN DELETE";
    let trace = check_statement(&[setup.to_owned()], everything).unwrap().trace.unwrap();
    assert!(trace.summarised && trace.steps.len() <= MAX_STEPS);
    for text in ["UPDATE tgt SET k = 0", "DELETE FROM tgt WHERE k % 2 = 0"] {
        check_statement(&[setup.to_owned()], text).unwrap();
    }
}

#[test]
fn a_run_at_the_limits_of_what_is_told_stays_bounded() {
    // 200 pairs in 24 files, and 200 rows with a fate of their own.
    let setup = "CREATE TABLE tgt (k BIGINT, day BIGINT) USING DELTA PARTITIONED BY (day);
INSERT INTO tgt SELECT id, id % 24 FROM (SELECT explode(sequence(1, 240)) AS id);
CREATE TABLE src (k BIGINT, day BIGINT) USING DELTA;
INSERT INTO src SELECT id, id % 24 FROM (SELECT explode(sequence(1, 200)) AS id)";
    let text = "MERGE INTO tgt t USING src s ON t.k = s.k WHEN MATCHED THEN UPDATE SET k = s.k + 1 \
        WHEN NOT MATCHED THEN INSERT *";
    let checked = check_statement(&[setup.to_owned()], text).unwrap();
    let trace = checked.trace.unwrap();
    assert!(!trace.summarised && checked.compared_rows);
    let n_steps = trace.steps.len();
    assert!((400..=MAX_STEPS).contains(&n_steps), "{n_steps} steps");
}

#[test]
fn a_grid_has_the_first_rows_and_the_number_of_all() {
    let request = Request::Run { setup: ROWS.into(), text: "SELECT * FROM tgt".into(), clock: None };
    let ReplyBody::Ran(report) = block_on(Host::new("t").handle(request, &mut |_| ())) else { panic!("not run") };
    let grid = report.statements[0].grid.as_ref().unwrap();
    assert_eq!((grid.rows.len(), grid.total), (1000, 3000));
}
