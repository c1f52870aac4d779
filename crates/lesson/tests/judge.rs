//! The judge: each check type green and red, the order of failures, named mistakes, the shape of differences.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use common::{failed, failure, left, rows, seen};
use lesson::{
    Answer, Bound, ChangedRow, Check, CheckKind, Counter, Exercise, FileBound, FileCounts, Language, Mistake,
    MistakeRun, Observation, Order, Outcome, Rowset, Script, Status, TestStatus, Variant, Verdict, candidates, diff,
    judge,
};

fn check(id: &str, kind: CheckKind) -> Check {
    Check { id: id.to_owned(), title: id.to_owned(), message: String::new(), variants: Vec::new(), kind, line: 1 }
}

fn exercise(checks: Vec<Check>, variants: &[&str]) -> Exercise {
    let script = || Script { language: Language::Sql, text: "SELECT 1".to_owned() };
    let variant = |name: &&str| Variant {
        name: (*name).to_owned(),
        summary: String::new(),
        patch: "DELETE FROM pots".to_owned(),
        line: 1,
    };
    Exercise {
        id: "a".to_owned(),
        title: String::new(),
        task: Vec::new(),
        setup: String::new(),
        starter: script(),
        solution: script(),
        hints: Vec::new(),
        checks,
        variants: variants.iter().map(variant).collect(),
        mistakes: Vec::new(),
        line: 1,
    }
}

fn table_rows() -> CheckKind {
    CheckKind::RowsEqual { of: Rowset::Table("pots".to_owned()), order: Order::Any }
}

fn on_base(kind: CheckKind, learner: Vec<Outcome>, solution: Vec<Outcome>) -> Verdict {
    judge(&exercise(vec![check("c", kind)], &[]), &[seen("BASE", learner)], &[seen("BASE", solution)], &[])
}

fn assert_green(verdict: &Verdict) {
    assert_eq!(verdict.status, Status::Passed, "{verdict:?}");
    assert!(verdict.shown.is_none() && verdict.tests.iter().all(|test| test.status == TestStatus::Passed));
}

fn red_message(verdict: &Verdict) -> &str {
    assert_eq!(verdict.status, Status::Failed, "{verdict:?}");
    &verdict.tests[verdict.shown.unwrap()].message
}

const ONE: &[&[&str]] = &[&["1", "2"]];

#[test]
fn rows_equal_compares_bags_and_shows_the_rows_that_differ() {
    let reordered = left(&[&["2", "5"], &["1", "2"]]);
    assert_green(&on_base(table_rows(), vec![reordered], vec![left(&[&["1", "2"], &["2", "5"]])]));
    let wanted = left(&[&["1", "2"], &["2", "5"], &["3", "3"]]);
    let verdict = on_base(table_rows(), vec![left(&[&["1", "2"], &["2", "NULL"], &["9", "9"]])], vec![wanted]);
    assert_eq!(red_message(&verdict), "1 row missing, 1 row too many, 1 row with other values.");
    let rows = verdict.tests[1].rows.as_ref().unwrap();
    assert_eq!(rows.missing, [vec![Some("3".to_owned()), Some("3".to_owned())]]);
    assert_eq!(rows.unexpected, [vec![Some("9".to_owned()), Some("9".to_owned())]]);
    let changed = ChangedRow {
        expected: vec![Some("2".to_owned()), Some("5".to_owned())],
        found: vec![Some("2".to_owned()), None],
    };
    assert_eq!(rows.changed, [changed]);
}

#[test]
fn rows_equal_counts_duplicates() {
    let verdict = on_base(table_rows(), vec![left(&[&["1", "2"], &["1", "2"]])], vec![left(ONE)]);
    assert_eq!(red_message(&verdict), "1 row too many.");
}

#[test]
fn rows_equal_tells_null_from_text() {
    let mut text = left(&[]);
    let mut answer = rows(&["id", "n"], &[&["1", "x"]]);
    answer.rows[0][1] = Some("NULL".to_owned());
    text.tables[0].rows = Answer::Rows(answer);
    assert_eq!(
        red_message(&on_base(table_rows(), vec![text], vec![left(&[&["1", "NULL"]])])),
        "1 row with other values."
    );
}

#[test]
fn rows_equal_compares_columns_without_case_and_their_order() {
    let with_columns = |columns: &[&str]| {
        let mut outcome = left(&[]);
        outcome.tables[0].rows = Answer::Rows(rows(columns, ONE));
        outcome
    };
    assert_green(&on_base(table_rows(), vec![with_columns(&["ID", "N"])], vec![left(ONE)]));
    for columns in [&["n", "id"][..], &["id"][..], &["id", "n", "rn"][..]] {
        let verdict = on_base(table_rows(), vec![with_columns(columns)], vec![left(ONE)]);
        assert!(red_message(&verdict).contains("should be (id, n)"), "{columns:?}");
    }
}

#[test]
fn rows_equal_asks_for_the_order_when_told_to() {
    let kind = || CheckKind::RowsEqual { of: Rowset::Table("pots".to_owned()), order: Order::Exact };
    let data: &[&[&str]] = &[&["1", "2"], &["2", "5"]];
    assert_green(&on_base(kind(), vec![left(data)], vec![left(data)]));
    let verdict = on_base(kind(), vec![left(&[&["2", "5"], &["1", "2"]])], vec![left(data)]);
    assert_eq!(red_message(&verdict), "1 row with other values, and 1 more.");
}

#[test]
fn a_table_that_is_gone_is_a_failure_of_the_check() {
    let mut dropped = left(&[]);
    dropped.tables[0].rows = Answer::Failed(failure("TABLE_OR_VIEW_NOT_FOUND"));
    assert!(red_message(&on_base(table_rows(), vec![dropped], vec![left(ONE)])).contains("TABLE_OR_VIEW_NOT_FOUND"));
}

#[test]
fn metric_compares_with_its_bound() {
    let with = |number: Option<i64>| {
        let mut outcome = left(ONE);
        outcome.tables[0].metrics = number.map(|number| ("m".to_owned(), number)).into_iter().collect();
        vec![outcome]
    };
    let kind = |bound| CheckKind::Metric { table: "pots".to_owned(), metric: "m".to_owned(), bound };
    for (bound, green, red) in
        [(Bound::Equals(3), 3, 4), (Bound::AtMost(3), 3, 4), (Bound::AtLeast(3), 3, 2), (Bound::SameAsSolution, 7, 3)]
    {
        assert_green(&on_base(kind(bound), with(Some(green)), with(Some(7))));
        let verdict = on_base(kind(bound), with(Some(red)), with(Some(7)));
        assert!(red_message(&verdict).starts_with(&format!("m: {red}, and ")), "{bound:?}");
    }
    assert_eq!(
        red_message(&on_base(kind(Bound::SameAsSolution), with(None), with(Some(7)))),
        "m: 0, and it should be 7."
    );
}

#[test]
fn files_compares_each_counter() {
    let with = |scanned: i64, removed: i64| {
        let mut outcome = left(ONE);
        outcome.tables[0].files = FileCounts { added: 1, removed, scanned, skipped: 20 - scanned };
        vec![outcome]
    };
    let bound = |counter, bound| FileBound { counter, bound };
    let kind = || CheckKind::Files {
        table: "pots".to_owned(),
        bounds: vec![bound(Counter::Removed, Bound::AtMost(2)), bound(Counter::Scanned, Bound::AtMost(2))],
    };
    assert_green(&on_base(kind(), with(2, 2), with(2, 2)));
    let verdict = on_base(kind(), with(20, 2), with(2, 2));
    assert_eq!(red_message(&verdict), "Files scanned: 20, and at most 2 is asked for.");
    let verdict = on_base(kind(), with(2, 3), with(2, 2));
    assert_eq!(red_message(&verdict), "Files removed: 3, and at most 2 is asked for.");
    let skipped =
        CheckKind::Files { table: "pots".to_owned(), bounds: vec![bound(Counter::Skipped, Bound::AtLeast(18))] };
    assert_green(&on_base(skipped.clone(), with(2, 2), with(2, 2)));
    assert!(red_message(&on_base(skipped, with(3, 2), with(2, 2))).starts_with("Files skipped: 17"));
}

#[test]
fn error_wants_its_condition_and_nothing_else() {
    let kind = || CheckKind::Error { condition: "X".to_owned() };
    assert_green(&on_base(kind(), vec![failed("X")], vec![failed("X")]));
    assert_eq!(red_message(&on_base(kind(), vec![left(ONE)], vec![failed("X")])), "It must fail with X, and ran.");
    assert!(red_message(&on_base(kind(), vec![failed("Y")], vec![failed("X")])).contains("[Y] it went wrong"));
}

#[test]
fn invariant_wants_no_row() {
    let kind = || CheckKind::Invariant { query: "SELECT id FROM pots".to_owned() };
    let with = |answer: Answer| vec![Outcome { queries: vec![answer], ..left(ONE) }];
    let nothing = || with(Answer::Rows(rows(&["id"], &[])));
    assert_green(&on_base(kind(), nothing(), nothing()));
    let verdict = on_base(kind(), with(Answer::Rows(rows(&["id"], &[&["1"], &["2"]]))), nothing());
    assert_eq!(red_message(&verdict), "2 rows must not be there.");
    assert_eq!(verdict.tests[1].rows.as_ref().unwrap().unexpected.len(), 2);
    assert!(red_message(&on_base(kind(), with(Answer::Failed(failure("Z"))), nothing())).contains("[Z]"));
}

#[test]
fn idempotent_wants_a_second_run_that_changes_nothing() {
    let kind = || CheckKind::Idempotent { tables: vec!["pots".to_owned()] };
    let solution = || vec![left(ONE), left(ONE)];
    assert_green(&on_base(kind(), solution(), solution()));
    let verdict = on_base(kind(), vec![left(ONE), left(&[&["1", "2"], &["1", "2"]])], solution());
    assert_eq!(red_message(&verdict), "The second run changed pots: 1 row too many.");
    assert!(
        red_message(&on_base(kind(), vec![left(ONE), failed("X")], solution())).starts_with("The second run failed")
    );
    assert_eq!(red_message(&on_base(kind(), vec![left(ONE)], solution())), "The second run was not observed.");
}

#[test]
fn a_failing_text_fails_run_and_skips_the_rest() {
    let verdict = on_base(table_rows(), vec![failed("X")], vec![left(ONE)]);
    assert_eq!(red_message(&verdict), "The text failed: [X] it went wrong");
    assert_eq!(
        verdict.tests.iter().map(|test| test.status).collect::<Vec<_>>(),
        [TestStatus::Failed, TestStatus::Skipped]
    );
}

#[test]
fn the_first_variant_that_fails_is_shown_and_the_first_check_within_it() {
    let metric = CheckKind::Metric { table: "pots".to_owned(), metric: "m".to_owned(), bound: Bound::Equals(0) };
    let with_metric = |number| {
        let mut outcome = left(ONE);
        outcome.tables[0].metrics.insert("m".to_owned(), number);
        outcome
    };
    let exercise = exercise(vec![check("rows", table_rows()), check("metric", metric)], &["TIE"]);
    let solution = [seen("BASE", vec![left(ONE)]), seen("TIE", vec![left(ONE)])];
    let learner = [seen("BASE", vec![with_metric(1)]), seen("TIE", vec![left(&[])])];
    let verdict = judge(&exercise, &learner, &solution, &[]);
    let shown = &verdict.tests[verdict.shown.unwrap()];
    assert_eq!((shown.id.as_str(), shown.variant.as_deref()), ("metric", Some("BASE")));
    assert_eq!(verdict.tests[1].variant.as_deref(), Some("TIE"));
}

#[test]
fn a_check_is_asked_only_on_its_variants() {
    let mut only_tie = check("rows", table_rows());
    only_tie.variants = vec!["TIE".to_owned()];
    let exercise = exercise(vec![only_tie], &["TIE"]);
    let solution = [seen("BASE", vec![left(ONE)]), seen("TIE", vec![left(ONE)])];
    let wrong_base = [seen("BASE", vec![left(&[])]), seen("TIE", vec![left(ONE)])];
    assert_green(&judge(&exercise, &wrong_base, &solution, &[]));
    let wrong_tie = [seen("BASE", vec![left(ONE)]), seen("TIE", vec![left(&[])])];
    assert_eq!(judge(&exercise, &wrong_tie, &solution, &[]).status, Status::Failed);
}

#[test]
fn a_recorded_mistake_lends_its_sentence_only_to_the_same_outcome() {
    let mut exercise = exercise(vec![check("rows", table_rows())], &["TIE"]);
    exercise.mistakes.push(Mistake {
        name: "twice".to_owned(),
        variant: "TIE".to_owned(),
        check: "rows".to_owned(),
        says: "You did it twice.".to_owned(),
        script: Script { language: Language::Sql, text: String::new() },
        line: 1,
    });
    let twice: &[&[&str]] = &[&["1", "2"], &["1", "2"]];
    let solution = [seen("BASE", vec![left(ONE)]), seen("TIE", vec![left(ONE)])];
    let recorded = [MistakeRun { name: "twice".to_owned(), observation: seen("TIE", vec![left(twice)]) }];
    let learner = |base, tie| [seen("BASE", vec![left(base)]), seen("TIE", vec![left(tie)])];

    let made = learner(ONE, twice);
    let first = judge(&exercise, &made, &solution, &[]);
    assert_eq!((first.mistake.as_deref(), red_message(&first)), (None, "1 row too many."));
    assert_eq!(candidates(&exercise, &first).len(), 1);
    let second = judge(&exercise, &made, &solution, &recorded);
    assert_eq!((second.mistake.as_deref(), red_message(&second)), (Some("twice"), "You did it twice."));
    assert!(second.tests[1].rows.is_some(), "the rows stay beside the sentence");

    let other = judge(&exercise, &learner(ONE, &[]), &solution, &recorded);
    assert_eq!(other.mistake, None);
    let earlier = judge(&exercise, &learner(twice, twice), &solution, &recorded);
    assert_eq!(earlier.mistake, None, "it failed on BASE first");
    assert!(candidates(&exercise, &earlier).is_empty());
    let passed = judge(&exercise, &solution, &solution, &recorded);
    assert_green(&passed);
    assert!(candidates(&exercise, &passed).is_empty());
}

#[test]
fn an_authors_message_stands_before_the_numbers() {
    let mut with_message = check("rows", table_rows());
    with_message.message = "Look again.".to_owned();
    let verdict = judge(
        &exercise(vec![with_message], &[]),
        &[seen("BASE", vec![left(&[])])],
        &[seen("BASE", vec![left(ONE)])],
        &[],
    );
    assert_eq!(red_message(&verdict), "Look again. 1 row missing.");
}

#[test]
fn a_broken_lesson_is_not_the_learners_fault() {
    let exercise = exercise(vec![check("rows", table_rows())], &[]);
    let fine = [seen("BASE", vec![left(ONE)])];
    let unprepared = [Observation { variant: "BASE".to_owned(), prepared: Some(failure("S")), runs: Vec::new() }];
    for (learner, solution) in [
        (&unprepared, &fine),
        (&fine, &unprepared),
        (&fine, &[seen("BASE", vec![failed("X")])]),
        (&fine, &[seen("TIE", vec![left(ONE)])]),
        (&fine, &[seen("BASE", Vec::new())]),
    ] {
        let verdict = judge(&exercise, learner, solution, &[]);
        assert_eq!(verdict.status, Status::Broken);
        assert!(verdict.tests[0].message.starts_with("This lesson is broken, not your text"));
    }
}

#[test]
fn a_difference_lists_a_handful_and_counts_the_rest() {
    let numbers: Vec<String> = (0..20).map(|number| number.to_string()).collect();
    let many: Vec<Vec<&str>> = numbers.iter().map(|number| vec![number.as_str()]).collect();
    let many: Vec<&[&str]> = many.iter().map(Vec::as_slice).collect();
    let difference = diff(&rows(&["id"], &many), &rows(&["id"], &[]), Order::Any).unwrap();
    assert_eq!((difference.missing.len(), difference.more), (5, 15));
}
