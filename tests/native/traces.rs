//! The trace of every recorded case obeys the rules of traces.

use crate::cases::load;
use testkit::traces::{Checked, check_statement};

#[test]
fn every_trace_of_a_recorded_case_obeys_the_rules() {
    let mut problems = Vec::new();
    let mut n_traces = 0;
    let mut n_compared = 0;
    let mut n_metrics = 0;
    for case in ["merge_cases.jsonl", "random_merges.jsonl", "deletion_vectors.jsonl"].into_iter().flat_map(load) {
        let settings = case.conf.iter().map(|(key, value)| format!("SET {key} = {value}"));
        let setup: Vec<String> = settings.chain(case.create.iter().cloned()).collect();
        match check_statement(&setup, &case.statement) {
            Ok(Checked { refused: Some(why), .. }) => {
                problems.push(format!("{}: the setup is refused: {why}", case.id));
            }
            Ok(checked) => {
                n_traces += usize::from(checked.trace.is_some());
                n_compared += usize::from(checked.compared_rows);
                n_metrics += checked.n_metrics;
            }
            Err(problem) => problems.push(format!("{}: {problem}", case.id)),
        }
    }
    println!("{n_traces} traces, {n_compared} compared row by row, {n_metrics} metrics");
    // The others are differences of the metrics themselves or of the outcome, and told by other suites.
    let known: Vec<&str> = protocol::cases_that_differ().filter(|case| case.contains(" the steps count ")).collect();
    let n_problems = problems.len();
    problems.retain(|problem| !known.contains(&problem.as_str()));
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    assert_eq!(n_problems, known.len(), "every known difference is still one");
    assert!(n_traces > 250 && n_compared > 250 && n_metrics > 1_500);
}
