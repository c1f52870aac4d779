//! Recorded cases of the reference, run and compared.

use crate::cases::{load, load_bank};
use cli::conform::{Case, Seen, VARIANTS, Verdict, corrupted, difference, judge, judge_bank, judge_variant, run};
use host::block_on;
use std::collections::BTreeMap;

/// What SQL statements are refused by name, and how.
const REFUSED: [&str; 6] = [
    "119 pv-timestamp: refused: setting spark.sql.session.timeZone: [MERGELAB_NOT_SUPPORTED_YET] The setting spark.sql.session.timeZone is not supported yet. SQLSTATE: 0A000",
    "139 ct-insert-void: refused: it fails: [MERGELAB_NOT_SUPPORTED_YET] Column `note` of type VOID is not supported yet. SQLSTATE: 0A000; rows: expected [[1]], got \"`SELECT id FROM t`: [TABLE_OR_VIEW_NOT_FOUND] The table or view `t` cannot be found. SQLSTATE: 42P01\"",
    "alter-026: refused: A wider type for a column is not supported yet.",
    "alter-055: refused: DROP FEATURE is not supported yet.",
    "ctas-002: refused: Column `nothing` of type VOID is not supported yet.",
    "policies-018: refused: A result column of type INTERVAL DAY is not supported yet.",
];

/// The cases of a file that do not pass, one line each; the others are told by group.
fn faults(file: &str) -> Vec<String> {
    let mut groups: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut faults = Vec::new();
    for case in load(file) {
        let verdict = block_on(judge(&case));
        let (passed, all) = groups.entry(case.group).or_default();
        *passed += usize::from(verdict == Verdict::Passed);
        *all += 1;
        faults.extend(fault(&case.id, verdict));
    }
    for (group, (passed, all)) in groups {
        println!("{file}, {group}: {passed} of {all} pass");
    }
    faults
}

fn fault(id: &str, verdict: Verdict) -> Option<String> {
    match verdict {
        Verdict::Passed => None,
        Verdict::Failed(lines) => Some(format!("{id}: {}", lines.join("; "))),
        Verdict::NotSupported(what) => Some(format!("{id}: refused: {what}")),
    }
}

/// Every fault of the files is one that is known: of these cases, by name.
fn answer_like_the_reference(files: &[&str], prefixes: &[&str]) {
    let mut faults: Vec<String> = files.iter().flat_map(|file| faults(file)).collect();
    faults.sort();
    let is_of = |case: &&str| prefixes.iter().any(|prefix| case.starts_with(prefix));
    let mut known: Vec<&str> = protocol::cases_that_differ().chain(REFUSED).filter(is_of).collect();
    known.sort_unstable();
    assert_eq!(faults, known);
}

#[test]
fn merges_answer_like_the_reference() {
    answer_like_the_reference(&["merge_cases.jsonl"], &[]);
}

#[test]
fn random_merges_answer_like_the_reference() {
    answer_like_the_reference(&["random_merges.jsonl"], &[]);
}

#[test]
fn other_writes_answer_like_the_reference() {
    let files = ["write_cases.jsonl", "commands.jsonl"];
    answer_like_the_reference(&files, &["alter-", "ctas-", "evolution-"]);
}

#[test]
fn deletion_vectors_and_change_feeds_answer_like_the_reference() {
    answer_like_the_reference(&["deletion_vectors.jsonl", "change_feed.jsonl"], &[]);
}

#[test]
fn names_types_and_new_columns_are_bound_like_the_reference() {
    answer_like_the_reference(&["binding.jsonl"], &["insert-fit-", "policies-"]);
}

#[test]
fn what_random_chains_found_answers_like_the_reference() {
    answer_like_the_reference(&["found.jsonl", "branches.jsonl"], &[]);
}

#[test]
fn joins_of_every_shape_answer_like_the_reference() {
    answer_like_the_reference(&["join_shapes.jsonl", "sides.jsonl"], &[]);
}

#[test]
fn the_bank_of_real_world_cases_answers_like_the_reference() {
    let mut areas: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut faults = Vec::new();
    for case in load_bank("bank.jsonl") {
        let verdict = block_on(judge_bank(&case));
        let (passed, all) = areas.entry(case.area.clone()).or_default();
        *passed += usize::from(verdict == Verdict::Passed);
        *all += 1;
        faults.extend(fault(&case.id, verdict));
    }
    for (area, (passed, all)) in areas {
        println!("{area}: {passed} of {all} pass");
    }
    faults.sort();
    let known: Vec<&str> =
        REFUSED.into_iter().filter(|case| case.starts_with(|first: char| first.is_ascii_digit())).collect();
    assert_eq!(faults, known);
}

/// Deletion vectors and the change feed alter how a table keeps its changes, not what a MERGE does to its rows.
#[test]
fn merges_do_the_same_to_rows_whatever_the_tables_properties() {
    let mut n_passed = 0;
    let mut wrong = Vec::new();
    for case in ["merge_cases.jsonl", "random_merges.jsonl"].into_iter().flat_map(load) {
        for variant in VARIANTS {
            match block_on(judge_variant(&case, variant)) {
                Some(Verdict::Passed) => n_passed += 1,
                Some(verdict) => wrong.extend(fault(&format!("{} with {}", case.id, variant.name()), verdict)),
                // The case sets the property itself, or does not get as far as rows.
                None => {}
            }
        }
    }
    println!("{n_passed} variants pass");
    assert!(n_passed > 1_300 && wrong.is_empty(), "{} of {n_passed}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The comparison itself is tested: every key of every case, made wrong, must be noticed.
#[test]
fn every_corrupted_expectation_is_noticed() {
    let mut n_keys = 0;
    let mut missed = Vec::new();
    for case in load("merge_cases.jsonl") {
        let mut observed = block_on(run(&case)).unwrap();
        for (key, expected) in &case.expect {
            let Seen::Value(seen) = block_on(observed.see(&case, key)).unwrap() else { continue };
            n_keys += 1;
            let wrong = corrupted(key, expected);
            let optional = key == "wrapped_in" && seen.is_null();
            if !optional && difference(key, &wrong, &seen, &case.expect).is_none() {
                missed.push(format!("{}: {key} = {wrong}", case.id));
            }
        }
    }
    println!("{n_keys} keys corrupted");
    assert!(n_keys > 500 && missed.is_empty(), "{n_keys} keys; not noticed: {missed:#?}");
}

/// A case that is made to expect something else fails: nothing is passed over.
#[test]
fn a_case_with_a_wrong_expectation_is_a_fault() {
    let mut case: Case = load("merge_cases.jsonl").into_iter().find(|case| case.expect.contains_key("rows")).unwrap();
    case.expect.insert("commits".into(), 7.into());
    assert!(fault(&case.id, block_on(judge(&case))).is_some());
}
