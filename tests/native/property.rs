//! The engine against the naive model, with fixed seeds: a thousand cases here, more in `cargo xtask property`.

use testkit::property::{Agreement, Features, Report, run};

/// A quarter of the cases each, so that they run side by side.
fn quarter(number: u64) {
    let report: Report = run(number * 250, 250, Features::of_seed);
    println!("{:?}", report.agreements);
    assert!(
        report.disagreements.is_empty(),
        "{} disagreements:\n{}",
        report.disagreements.len(),
        report.disagreements.join("\n")
    );
    let changed = report.agreements.get(&Agreement::Changed).copied().unwrap_or_default();
    assert!(changed > 120, "only {changed} of 250 statements changed anything");
}

#[test]
fn cases_0_to_249_agree_with_the_model() {
    quarter(0);
}

#[test]
fn cases_250_to_499_agree_with_the_model() {
    quarter(1);
}

#[test]
fn cases_500_to_749_agree_with_the_model() {
    quarter(2);
}

#[test]
fn cases_750_to_999_agree_with_the_model() {
    quarter(3);
}
