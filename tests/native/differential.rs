//! Random statements that were run on the reference, run again here: `cargo xtask reference differential` records them.

use std::fs;
use std::path::Path;
use testkit::differential::replay;

#[test]
fn random_chains_of_statements_answer_as_they_did_on_the_reference() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/reference/differential");
    let (mut n_statements, mut n_failures, mut differences) = (0, 0, Vec::new());
    for entry in fs::read_dir(&folder).unwrap() {
        let replayed = replay(&fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap();
        n_statements += replayed.statements;
        n_failures += replayed.failures;
        differences.extend(replayed.differences);
    }
    println!("{n_statements} statements, {n_failures} of them fail on both");
    differences.sort();
    let known: Vec<&str> = protocol::cases_that_differ().filter(|case| case.starts_with("diff-")).collect();
    assert_eq!(differences, known);
    assert!(n_statements > 3_000 && n_failures > 100, "only {n_statements} statements, {n_failures} failures");
}
