//! The recorded cases that the project keeps, and how far each group must go.

use cli::conform::Case;
use std::path::PathBuf;

/// Groups of MERGE cases that must pass, every one.
pub(crate) const COMPLETE: [&str; 12] = [
    "basic",
    "clauses",
    "clause-legality",
    "constraints",
    "defaults",
    "duplicates",
    "generated",
    "nulls",
    "not-matched-by-source",
    "source",
    "files-metrics",
    "deletion-vectors",
];

/// Groups of the other write cases whose SQL cases pass, or are refused by name.
pub(crate) const NO_FAULTS: [&str; 4] = ["create", "insert", "like", "replace"];

/// The cases of one file under `suite/reference`.
pub(crate) fn load(name: &str) -> Vec<Case> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("suite/reference").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let cases: Vec<Case> =
        text.lines().filter(|line| !line.is_empty()).map(|line| Case::parse(line).unwrap()).collect();
    assert!(!cases.is_empty(), "{name} holds no case");
    cases
}
