//! What a trace tells beyond its steps, proved against the engine's own answers.

use host::{Host, block_on};
use protocol::{ReplyBody, Request, RunReport};
use std::collections::{BTreeMap, BTreeSet};
use trace::{ConditionImage, LogicOp, Over, Pair, RowId, Step, Trace, Truth, points};

const SETUP: &str = "CREATE TABLE tgt (r INT, k INT, v STRING, n INT, day INT) USING DELTA PARTITIONED BY (day);
INSERT INTO tgt VALUES (1, 1, 'a', 10, 1), (2, NULL, 'b', 0, 1); INSERT INTO tgt VALUES (3, 3, NULL, 4, 2), (4, 4, 'd', 6, 2);
INSERT INTO tgt VALUES (5, 5, 'e', NULL, 3);
CREATE TABLE src (r INT, k INT, v STRING, n INT) USING DELTA;
INSERT INTO src VALUES (1, 1, NULL, 1), (2, 3, 'x', NULL), (3, NULL, 'y', 0), (4, 9, 'z', 5)";

fn run(setup: &str, text: &str) -> RunReport {
    let request = Request::Run { setup: setup.into(), text: text.into(), clock: None };
    let ReplyBody::Ran(report) = block_on(Host::new("t").handle(request, &mut |_| ())) else { panic!("not run") };
    assert_eq!(report.errors, [], "{text}");
    *report
}

fn trace(setup: &str, text: &str) -> Trace {
    let mut report = run(setup, text);
    let statement = report.statements.remove(0);
    assert_eq!(statement.error, None, "{text}");
    (*statement.trace.unwrap()).clone()
}

const MERGE: &str = "MERGE INTO tgt AS t USING src AS s ON t.k = s.k AND (t.day < 3 OR NOT s.n > 3)
WHEN MATCHED AND t.v <> s.v AND s.n IS NOT NULL THEN DELETE
WHEN MATCHED AND NOT (t.n <=> s.n OR s.v LIKE 'x%') THEN UPDATE SET n = s.n
WHEN NOT MATCHED AND s.n = 0 THEN INSERT (r, day) VALUES (s.r, 4)
WHEN NOT MATCHED AND s.n / s.n = 1 AND s.k IN (1, 9) THEN INSERT (r, k, v, n, day) VALUES (s.r, s.k, s.v, s.n, 4)
WHEN NOT MATCHED BY SOURCE AND t.n > 5 AND t.v IS NOT NULL THEN DELETE";

/// The first column of a row: tables of these tests number their rows there.
fn number(row: &trace::RowImage) -> i32 {
    row[0].as_ref().unwrap().parse().unwrap()
}

/// Every value of a part by the numbers of its rows; 0 for a side that it does not see.
fn told(trace: &Trace, condition: &ConditionImage, node: usize) -> BTreeMap<(i32, i32), Truth> {
    let source = &trace.source.as_ref().unwrap().rows;
    let targets: Vec<Option<RowId>> =
        if condition.over == Over::Source { vec![None] } else { trace.target_rows().map(Some).collect() };
    let sources: Vec<Option<u32>> =
        if condition.over == Over::Target { vec![None] } else { (0..source.len() as u32).map(Some).collect() };
    let mut told = BTreeMap::new();
    for target in &targets {
        for of_source in &sources {
            let pair = Pair { target: *target, source: *of_source };
            let t = target.map_or(0, |id| number(&trace.target.files[id.file as usize].rows[id.row as usize]));
            let s = of_source.map_or(0, |row| number(&source[row as usize]));
            told.insert((t, s), trace.truth(condition, node, pair).unwrap());
        }
    }
    told
}

#[test]
fn every_part_is_what_a_select_of_it_says() {
    let trace = trace(SETUP, MERGE);
    let logic = trace.logic.as_ref().unwrap();
    assert_eq!(logic.conditions.len(), 6);
    let mut seen = BTreeSet::new();
    for condition in &logic.conditions {
        for (idx, node) in condition.nodes.iter().enumerate() {
            let from = match condition.over {
                Over::Pair => "t.r, s.r, {} FROM tgt t CROSS JOIN src s",
                Over::Source => "0, s.r, {} FROM src s",
                Over::Target => "t.r, 0, {} FROM tgt t",
            };
            // Division by zero stops a SELECT over all rows, and is asked about where it does not happen.
            let is_failing = node.text.contains('/');
            let filter = if is_failing { " WHERE s.n <> 0 OR s.n IS NULL" } else { "" };
            let case = format!("CASE WHEN {0} THEN 'T' WHEN NOT ({0}) THEN 'F' ELSE 'N' END", node.text);
            let select = format!("SELECT {}{filter}", from.replace("{}", &case));
            let report = run(SETUP, &select);
            assert_eq!(report.statements[0].error, None, "{select}");
            let told = told(&trace, condition, idx);
            let rows = &report.statements[0].grid.as_ref().unwrap().rows;
            for row in rows {
                let key = (number(row), row[1].as_ref().unwrap().parse().unwrap());
                let value = Truth::read(row[2].as_ref().unwrap().as_bytes()[0]);
                assert_eq!(told[&key], value, "{} for {key:?}", node.text);
                seen.insert(value.word());
            }
            assert!(is_failing || rows.len() == told.len(), "{select}");
            if node.op == LogicOp::Leaf && is_failing {
                assert_eq!(told[&(0, 3)], Truth::Failed, "0 / 0 stops a statement that asks for it");
            }
        }
    }
    assert_eq!(seen.len(), 3, "TRUE, FALSE and NULL occur");
}

#[test]
fn conditions_of_update_and_delete_are_taken_apart_too() {
    for text in ["UPDATE tgt SET n = 1 WHERE n > 4 AND v <> 'd'", "DELETE FROM tgt WHERE n > 4 AND v <> 'd'"] {
        let trace = trace(SETUP, text);
        let logic = trace.logic.unwrap();
        let texts: Vec<_> = logic.conditions[0].nodes.iter().map(|node| node.text.as_str()).collect();
        assert_eq!(texts, ["n > 4 AND v <> 'd'", "n > 4", "v <> 'd'"]);
        assert_eq!(logic.conditions[0].nodes[1].values, "TFFTN");
    }
    assert_eq!(trace(SETUP, "DELETE FROM tgt").logic, None);
}

fn skipped(trace: &Trace) -> BTreeSet<u32> {
    let skipped = trace.steps.iter().filter_map(|step| match step {
        Step::SkipFile { file, .. } => Some(*file),
        _ => None,
    });
    skipped.collect()
}

#[test]
fn the_edit_that_would_skip_a_file_skips_it_and_no_other() {
    let statements = [
        ("MERGE INTO tgt AS t USING src AS s ON t.k = s.k {} WHEN MATCHED THEN UPDATE SET v = s.v", 3),
        (
            "MERGE INTO tgt AS t USING src AS s ON t.k = s.k AND t.day >= 2 {} WHEN MATCHED THEN DELETE WHEN NOT MATCHED AND s.k = 0 THEN INSERT (r) VALUES (1)",
            2,
        ),
        ("MERGE INTO tgt USING src AS s ON tgt.k = s.k {} WHEN MATCHED THEN DELETE", 3),
        ("UPDATE tgt SET v = 'x' WHERE n > 0 {}", 2),
        ("DELETE FROM tgt WHERE v <> 'q' {}", 3),
    ];
    for (text, n_edits) in statements {
        let before = trace(SETUP, &text.replace("{}", ""));
        let mut n_found = 0;
        for step in &before.steps {
            let Step::ScanFile { file, reason } = step else { continue };
            let Some(conjunct) = &reason.would_skip else { continue };
            let after = trace(SETUP, &text.replace("{}", &format!("AND {conjunct}")));
            let new: Vec<u32> = skipped(&after).difference(&skipped(&before)).copied().collect();
            assert_eq!(new, [*file], "{text} with {conjunct}");
            n_found += 1;
        }
        assert_eq!(n_found, n_edits, "{text}");
    }
}

#[test]
fn nothing_is_proposed_where_nothing_can_be_pruned() {
    let text = "MERGE INTO tgt AS t USING src AS s ON t.k = s.k WHEN NOT MATCHED BY SOURCE THEN DELETE";
    let proposed = |trace: &Trace| {
        trace.steps.iter().any(|step| matches!(step, Step::ScanFile { reason, .. } if reason.would_skip.is_some()))
    };
    assert!(!proposed(&trace(SETUP, text)));
    assert!(!proposed(&trace(SETUP, "DELETE FROM tgt")));
}

#[test]
fn as_many_rows_are_lit_as_a_metric_counts() {
    let vectors = SETUP.replace(
        "PARTITIONED BY (day);",
        "PARTITIONED BY (day) TBLPROPERTIES ('delta.enableDeletionVectors' = 'true');",
    );
    let upsert = "MERGE INTO tgt AS t USING src AS s ON t.k = s.k WHEN MATCHED AND s.n = 1 THEN DELETE
        WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (r, k, v, n, day) VALUES (s.r, s.k, s.v, s.n, 4)
        WHEN NOT MATCHED BY SOURCE AND t.n > 5 THEN DELETE WHEN NOT MATCHED BY SOURCE AND t.n < 5 THEN UPDATE SET n = 0";
    let mut n_metrics = 0;
    for setup in [SETUP, &vectors] {
        for text in [
            upsert,
            "UPDATE tgt SET v = 'x' WHERE n > 4",
            "DELETE FROM tgt WHERE n > 4",
            "INSERT INTO tgt VALUES (9, 9, 'n', 9, 9)",
        ] {
            let trace = trace(setup, text);
            let scene = trace.scene(usize::MAX);
            let metrics = &trace.commit.as_ref().unwrap().metrics;
            let pointing: Vec<_> = metrics
                .iter()
                .filter_map(|(name, value)| Some((name, value, points(&trace.operation, name)?)))
                .collect();
            let lit = |points| trace.count_lit(&scene, points).to_string();
            let wrong: Vec<_> = pointing.iter().filter(|(_, value, points)| lit(*points) != **value).collect();
            assert!(wrong.is_empty(), "{text}: {wrong:?} of {metrics:?}");
            n_metrics += pointing.len();
        }
    }
    assert!(n_metrics > 40, "{n_metrics}");
}

/// A small generator: the same clauses on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

#[test]
fn random_clauses_act_as_the_grid_says() {
    let mut dice = Dice(7);
    for _ in 0..25 {
        let mut text = "MERGE INTO tgt AS t USING src AS s ON t.k = s.k".to_owned();
        let mut conditions = Vec::new();
        for _ in 0..1 + dice.roll(3) {
            let (column, limit, sets) = (dice.roll(2), dice.roll(8) as i32, 100 + conditions.len());
            let side = if column == 0 { "t" } else { "s" };
            text.push_str(&format!(" WHEN MATCHED AND {side}.n > {limit} THEN UPDATE SET n = {sets}"));
            conditions.push((column, limit));
        }
        let trace = trace(SETUP, &text);
        let grid = trace.firing(&trace.scene(usize::MAX));
        // By hand: the pairs are (1, 1) and (3, 2); NULL is never greater.
        let rows = [(1, Some(10), Some(1)), (3, Some(4), None)];
        let mut expected = vec![0; conditions.len()];
        for (target, of_target, of_source) in rows {
            let holds = |(column, limit): &(u64, i32)| {
                if *column == 0 { of_target } else { of_source }.is_some_and(|n| n > *limit)
            };
            let first = conditions.iter().position(holds);
            if let Some(first) = first {
                expected[first] += 1;
            }
            let committed = trace
                .scene(usize::MAX)
                .reader_rows(&trace)
                .into_iter()
                .find(|row| number(row) == target)
                .cloned()
                .unwrap();
            let n = first.map_or(of_target, |first| Some(100 + first as i32));
            assert_eq!(committed[3], n.map(|n| n.to_string()), "{text}");
        }
        assert_eq!(grid.acted, expected, "{text}");
    }
}

#[test]
fn the_rows_that_hold_at_an_instant_are_those_of_an_as_of_query() {
    let setup = "CREATE TABLE dim (k INT, plan STRING, valid_from DATE, valid_to DATE, is_current BOOLEAN) USING DELTA;
INSERT INTO dim SELECT id % 7, concat('p', id), date_add(DATE'2025-01-01', id * 5), if(id % 4 = 0, NULL, date_add(DATE'2025-01-01', id * 5 + 20)), id % 4 = 0
FROM (SELECT explode(sequence(1, 40)) AS id)";
    let trace = trace(setup, "UPDATE dim SET plan = 'x' WHERE k = 3 AND is_current");
    let seen = trace.scene(usize::MAX);
    let rows = seen.reader_rows(&trace);
    let columns = trace::IntervalColumns::of(&trace.target.columns).unwrap();
    let instants: Vec<String> =
        (1..=9).flat_map(|month| (1..=25).step_by(2).map(move |day| format!("2025-{month:02}-{day:02}"))).collect();
    assert!(instants.len() > 100);
    let query = |instant: &String| {
        format!(
            "SELECT count(*), sum(k), max(plan) FROM dim WHERE valid_from <= DATE'{instant}' AND (valid_to IS NULL OR DATE'{instant}' < valid_to)"
        )
    };
    let text = format!(
        "UPDATE dim SET plan = 'x' WHERE k = 3 AND is_current; {}",
        instants.iter().map(query).collect::<Vec<_>>().join("; ")
    );
    let report = run(setup, &text);
    for (instant, statement) in instants.iter().zip(&report.statements[1..]) {
        let holding = columns.as_of(&rows, instant);
        let sum: Option<i64> = (!holding.is_empty())
            .then(|| holding.iter().map(|row| row[0].as_ref().unwrap().parse::<i64>().unwrap()).sum());
        let most = holding.iter().map(|row| row[1].clone().unwrap()).max();
        let told = vec![Some(holding.len().to_string()), sum.map(|sum| sum.to_string()), most];
        assert_eq!(statement.grid.as_ref().unwrap().rows, [told], "as of {instant}");
    }
}

#[test]
fn a_deletion_vector_marks_as_many_rows_as_its_cardinality_says() {
    let setup = SETUP.replace(
        "PARTITIONED BY (day);",
        "PARTITIONED BY (day) TBLPROPERTIES ('delta.enableDeletionVectors' = 'true');",
    );
    let trace = trace(&setup, "DELETE FROM tgt WHERE r IN (1, 4)");
    let scene = trace.scene(usize::MAX);
    let log = &trace.commit.as_ref().unwrap().log_text;
    let adds: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["add"].clone()).collect();
    let mut n_vectors = 0;
    for (file, state) in trace.target.files.iter().zip(&scene.files) {
        let n_marked = state.rows.iter().filter(|row| row.outcome.is_some_and(trace::Outcome::leaves)).count();
        let add = adds.iter().find(|add| add["path"] == file.path.as_str());
        let cardinality = add.map_or(0, |add| add["deletionVector"]["cardinality"].as_u64().unwrap());
        assert_eq!(n_marked as u64, cardinality, "{}", file.path);
        n_vectors += usize::from(cardinality > 0);
    }
    assert_eq!(n_vectors, 2);
}
