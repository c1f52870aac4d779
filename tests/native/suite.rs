//! Recorded cases of the reference, run and compared.

use crate::cases::{COMPLETE, NO_FAULTS, load, load_bank};
use cli::conform::{Case, Seen, VARIANTS, Verdict, corrupted, difference, judge, judge_bank, judge_variant, run};
use host::block_on;
use std::collections::BTreeMap;

fn verdicts(file: &str) -> Vec<(Case, Verdict)> {
    load(file)
        .into_iter()
        .map(|case| block_on(judge(&case)))
        .zip(load(file))
        .map(|(verdict, case)| (case, verdict))
        .collect()
}

fn report(results: &[(Case, Verdict)]) {
    let mut groups: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (case, verdict) in results {
        let (passed, all) = groups.entry(&case.group).or_default();
        *passed += usize::from(*verdict == Verdict::Passed);
        *all += 1;
    }
    for (group, (passed, all)) in groups {
        println!("{group}: {passed} of {all} pass");
    }
}

/// A case passes, or is refused by name and commits nothing; anything else is a fault.
fn faults(results: &[(Case, Verdict)]) -> Vec<String> {
    let fault = |(case, verdict): &(Case, Verdict)| match verdict {
        Verdict::Failed(lines) => Some(format!("{}: {}", case.id, lines.join("; "))),
        Verdict::NotSupported(what) if COMPLETE.contains(&case.group.as_str()) => Some(format!("{}: {what}", case.id)),
        Verdict::Passed | Verdict::NotSupported(_) => None,
    };
    results.iter().filter_map(fault).collect()
}

#[test]
fn merge_cases_answer_like_the_reference() {
    let results = verdicts("merge_cases.jsonl");
    report(&results);
    let faults = faults(&results);
    assert!(faults.is_empty(), "{} of {} cases:\n{}", faults.len(), results.len(), faults.join("\n"));
}

#[test]
fn other_writes_answer_like_the_reference_or_are_refused() {
    let results = verdicts("write_cases.jsonl");
    report(&results);
    let guarded: Vec<_> = results
        .into_iter()
        .filter(|(case, _)| NO_FAULTS.contains(&case.group.as_str()) && case.lang == "sql")
        .collect();
    let faults = faults(&guarded);
    assert!(faults.is_empty(), "{} of {} cases:\n{}", faults.len(), guarded.len(), faults.join("\n"));
}

#[test]
fn random_merges_answer_like_the_reference_or_are_refused() {
    let results = verdicts("random_merges.jsonl");
    report(&results);
    let faults = faults(&results);
    assert!(faults.is_empty(), "{} of {} cases:\n{}", faults.len(), results.len(), faults.join("\n"));
}

/// Struct fields of INSERT BY NAME whose names do not fit are matched by position by the reference, if there are as many.
const MATCHED_BY_POSITION: [&str; 2] = [
    "insert-fit-004: error_class: expected \"CAST_INVALID_INPUT\", got \"DELTA_METADATA_MISMATCH\"; sqlstate: expected \"22018\", got \"42KDG\"",
    "insert-fit-014: error_class: expected \"CAST_INVALID_INPUT\", got \"DELTA_METADATA_MISMATCH\"; sqlstate: expected \"22018\", got \"42KDG\"",
];

#[test]
fn names_types_and_new_columns_are_bound_like_the_reference_but_for_the_known_differences() {
    let results = verdicts("binding.jsonl");
    report(&results);
    let mut faults = faults(&results);
    faults.sort();
    assert_eq!(faults, MATCHED_BY_POSITION);
}

#[test]
fn commands_answer_like_the_reference_or_are_refused() {
    let results = verdicts("commands.jsonl");
    report(&results);
    let faults = faults(&results);
    assert!(faults.is_empty(), "{} of {} cases:\n{}", faults.len(), results.len(), faults.join("\n"));
}

/// Statements in other languages than SQL are refused by name.
#[test]
fn the_bank_of_real_world_cases_answers_like_the_reference_or_is_refused() {
    let mut areas: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut faults = Vec::new();
    for case in load_bank("bank.jsonl") {
        let verdict = block_on(judge_bank(&case));
        let (passed, all) = areas.entry(case.area.clone()).or_default();
        *passed += usize::from(verdict == Verdict::Passed);
        *all += 1;
        if let Verdict::Failed(lines) = verdict {
            faults.push(format!("{}: {}", case.id, lines.join("; ")));
        }
    }
    for (area, (passed, all)) in areas {
        println!("{area}: {passed} of {all} pass");
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn deletion_vector_cases_answer_like_the_reference() {
    let results = verdicts("deletion_vectors.jsonl");
    report(&results);
    let others: Vec<_> = results
        .iter()
        .filter(|(_, verdict)| *verdict != Verdict::Passed)
        .map(|(case, verdict)| (&case.id, verdict))
        .collect();
    assert!(others.is_empty(), "{} of {} cases: {others:#?}", others.len(), results.len());
}

#[test]
fn what_random_chains_found_answers_like_the_reference_but_for_the_known_differences() {
    let mut faults: Vec<String> =
        ["found.jsonl", "branches.jsonl"].into_iter().flat_map(|name| faults(&verdicts(name))).collect();
    faults.sort();
    let known: Vec<&str> = protocol::cases_that_differ().filter(|case| case.starts_with("found-")).collect();
    assert_eq!(faults, known);
}

#[test]
fn joins_of_every_shape_answer_like_the_reference_but_for_the_known_differences() {
    let mut faults = faults(&verdicts("join_shapes.jsonl"));
    faults.sort();
    let known: Vec<&str> = protocol::cases_that_differ().filter(|case| case.starts_with("join-")).collect();
    assert_eq!(faults, known);
}

#[test]
fn change_feeds_answer_like_the_reference_or_are_refused() {
    let results = verdicts("change_feed.jsonl");
    report(&results);
    let faults = faults(&results);
    assert!(faults.is_empty(), "{} of {} cases:\n{}", faults.len(), results.len(), faults.join("\n"));
}

/// Deletion vectors and the change feed alter how a table keeps its changes, not what a MERGE does to its rows.
#[test]
fn merges_do_the_same_to_rows_whatever_the_tables_properties() {
    let mut n_passed = 0;
    let mut wrong = Vec::new();
    for case in ["merge_cases.jsonl", "random_merges.jsonl"].into_iter().flat_map(load) {
        for variant in VARIANTS {
            match block_on(judge_variant(&case, variant)) {
                Some(Verdict::Failed(lines)) => {
                    wrong.push(format!("{} with {}: {}", case.id, variant.name(), lines.join("; ")));
                }
                Some(Verdict::Passed) => n_passed += 1,
                Some(Verdict::NotSupported(_)) | None => {}
            }
        }
    }
    println!("{n_passed} variants pass");
    assert!(n_passed > 350 && wrong.is_empty(), "{} of {n_passed}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The comparison itself is tested: every key of every passing case, made wrong, must be noticed.
#[test]
fn every_corrupted_expectation_is_noticed() {
    let mut n_keys = 0;
    let mut missed = Vec::new();
    for case in load("merge_cases.jsonl").iter().filter(|case| COMPLETE.contains(&case.group.as_str())) {
        let mut observed = block_on(run(case)).unwrap();
        for (key, expected) in &case.expect {
            let Seen::Value(seen) = block_on(observed.see(case, key)).unwrap() else { continue };
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
