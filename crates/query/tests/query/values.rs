//! Single expressions: their value as Spark prints it, their type, or the condition they fail with.

use crate::harness::{answer, catalog, run};

/// Each case: an expression, its value cast to STRING, and its type.
pub(crate) fn values(cases: &[(&str, &str, &str)]) {
    assert!(!cases.is_empty());
    let catalog = run(catalog());
    let mut failures = Vec::new();
    for (expr, value, data_type) in cases {
        let text = format!("SELECT CAST({expr} AS STRING) AS v, typeof({expr}) AS t");
        let got = match run(answer(&catalog, &text)) {
            Ok(answer) => answer.lines().nth(1).unwrap_or("no row").to_owned(),
            Err(diagnostic) => diagnostic.to_string(),
        };
        let wanted = format!("{value}|{data_type}");
        if got != wanted {
            failures.push(format!("{expr}\n  wanted: {wanted}\n  got:    {got}"));
        }
    }
    assert!(failures.is_empty(), "{} of {} cases differ\n\n{}", failures.len(), cases.len(), failures.join("\n\n"));
}

/// Each case: an expression, and the condition it fails with.
pub(crate) fn fails(cases: &[(&str, &str)]) {
    assert!(!cases.is_empty());
    let catalog = run(catalog());
    let mut failures = Vec::new();
    for (expr, condition) in cases {
        let got = match run(answer(&catalog, &format!("SELECT {expr} AS v"))) {
            Ok(answer) => answer,
            Err(diagnostic) => diagnostic.condition,
        };
        if got != *condition {
            failures.push(format!("{expr}\n  wanted: {condition}\n  got:    {got}"));
        }
    }
    assert!(failures.is_empty(), "{} of {} cases differ\n\n{}", failures.len(), cases.len(), failures.join("\n\n"));
}
