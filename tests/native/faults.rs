//! A statement whose storage fails, tears, loses an answer or repeats itself at any single operation.

use testkit::faults::{Scenario, check};

/// Three files, two partitions; with a checkpoint at every second version where the name says so.
const PLAIN: [&str; 3] = [
    "CREATE TABLE tgt (k INT, v STRING, p STRING) USING delta PARTITIONED BY (p)",
    "INSERT INTO tgt VALUES (1, 'a', 'x'), (2, 'b', 'x'), (3, 'c', 'y')",
    "INSERT INTO tgt VALUES (4, 'd', 'y'), (NULL, 'e', NULL)",
];
const CHECKPOINTED: [&str; 4] = [
    "CREATE TABLE tgt (k INT, v STRING, p STRING) USING delta PARTITIONED BY (p) \
     TBLPROPERTIES ('delta.checkpointInterval' = '2')",
    "INSERT INTO tgt VALUES (1, 'a', 'x'), (2, 'b', 'x'), (3, 'c', 'y')",
    "INSERT INTO tgt VALUES (4, 'd', 'y'), (NULL, 'e', NULL)",
    "INSERT INTO tgt VALUES (5, 'f', 'z')",
];
const STATEMENTS: [(&str, &str); 4] = [
    ("INSERT", "INSERT INTO tgt VALUES (7, 'g', 'x'), (7, 'g', 'w')"),
    ("UPDATE", "UPDATE tgt SET v = concat(v, v) WHERE k > 1"),
    ("DELETE", "DELETE FROM tgt WHERE v IN ('a', 'd')"),
    (
        "MERGE",
        "MERGE INTO tgt t USING (SELECT * FROM VALUES (1, 'A', 'x'), (9, 'n', 'y') AS v(k, v, p)) s ON t.k = s.k \
         WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT * \
         WHEN NOT MATCHED BY SOURCE AND t.k = 3 THEN DELETE",
    ),
];

fn hold(name: &str, setup: &[&str], statement: &str) -> (usize, usize) {
    let scenario = Scenario { name, setup, statement, query: "SELECT * FROM tgt" };
    let tried = check(&scenario).unwrap();
    assert!(tried.problems.is_empty(), "{} problems:\n{}", tried.problems.len(), tried.problems.join("\n"));
    println!("{name}: {} faults, {} second tries", tried.n_faults, tried.n_retries);
    (tried.n_faults, tried.n_retries)
}

#[test]
fn a_commit_is_whole_or_not_there_and_can_be_tried_again() {
    for (name, statement) in STATEMENTS {
        let (n_faults, n_retries) = hold(name, &PLAIN, statement);
        assert!(n_faults >= 20 && n_retries >= 5, "{name}: {n_faults} faults, {n_retries} second tries");
    }
}

#[test]
fn a_checkpoint_that_goes_wrong_loses_nothing() {
    for (name, statement) in STATEMENTS {
        let (n_faults, n_retries) = hold(name, &CHECKPOINTED, statement);
        assert!(n_faults >= 28 && n_retries >= 5, "{name}: {n_faults} faults, {n_retries} second tries");
    }
}

#[test]
fn a_table_is_made_whole_or_not_at_all() {
    hold("CREATE TABLE", &[], "CREATE TABLE tgt (k INT) USING delta");
    hold("CREATE TABLE AS SELECT", &[], "CREATE TABLE tgt USING delta PARTITIONED BY (k) AS SELECT 1 AS k, 'a' AS v");
}
