//! The recorded cases that the project keeps, and how far each group must go.

use cli::conform::{BankCase, Case};
use std::path::PathBuf;

/// Groups of MERGE cases that must pass, every one.
pub(crate) const COMPLETE: [&str; 18] = [
    "analysis-errors",
    "basic",
    "casting",
    "clauses",
    "clause-legality",
    "constraints",
    "defaults",
    "duplicates",
    "expressions",
    "generated",
    "nested",
    "nulls",
    "not-matched-by-source",
    "patterns",
    "schema-evolution",
    "source",
    "files-metrics",
    "deletion-vectors",
];

/// Groups of the other write cases whose SQL cases pass, or are refused by name.
pub(crate) const NO_FAULTS: [&str; 16] = [
    "alter",
    "cdf",
    "create",
    "ctas",
    "delete",
    "describe",
    "insert",
    "like",
    "optimize",
    "overwrite",
    "replace",
    "replacewhere",
    "restore",
    "timetravel",
    "update",
    "vacuum",
];

/// The cases of a bank under `suite/reference`.
pub(crate) fn load_bank(name: &str) -> Vec<BankCase> {
    let cases: Vec<BankCase> =
        text(name).lines().filter_map(|line| BankCase::parse(line).unwrap()).filter(BankCase::is_runnable).collect();
    assert!(!cases.is_empty(), "{name} holds no case");
    cases
}

/// The cases of one file under `suite/reference`.
pub(crate) fn load(name: &str) -> Vec<Case> {
    let cases: Vec<Case> =
        text(name).lines().filter(|line| !line.is_empty()).map(|line| Case::parse(line).unwrap()).collect();
    assert!(!cases.is_empty(), "{name} holds no case");
    cases
}

fn text(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("suite/reference").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
