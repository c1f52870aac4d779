//! The recorded cases that the project keeps.

use cli::conform::{BankCase, Case};
use std::path::PathBuf;

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
