//! `FEATURES.md` says which test holds which rule. It must be whole and true.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const TABLE: &str = include_str!("../FEATURES.md");

/// The cells of all rows of the table, headings and rulers left out.
fn rows() -> Vec<Vec<&'static str>> {
    let lines = TABLE.lines().filter(|line| line.starts_with("| ") && !line.contains("| tests |"));
    lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// The names between backticks.
fn named(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// The names of all functions below a folder.
fn functions(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder of the project") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && name != "node_modules" && name != "target" {
            functions(&path, found);
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).expect("a source file");
            // A macro of the parser's cases names them without `fn`.
            let starts = text.split("fn ").skip(1).chain(text.lines().map(str::trim_start));
            found.extend(starts.map(|start| {
                start.chars().take_while(|char| char.is_ascii_alphanumeric() || *char == '_').collect::<String>()
            }));
        }
    }
}

#[test]
fn every_rule_and_feature_has_a_row_with_a_test_or_a_reason() {
    let rows = rows();
    let first: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    for rule in 1..=48 {
        assert!(first.contains(&format!("R-{rule}").as_str()), "R-{rule} has no row");
    }
    let features: Vec<u32> =
        first.iter().flat_map(|cell| cell.split(", ")).filter_map(|number| number.parse().ok()).collect();
    let mut all = features.clone();
    all.sort_unstable();
    assert_eq!(all, (1..=25).collect::<Vec<_>>());
    for row in rows {
        let tests = row.last().expect("a last cell");
        assert!(!named(tests).is_empty() || tests.starts_with("left out: "), "{row:?}");
    }
}

#[test]
fn every_test_that_the_table_names_exists_and_the_first_of_a_row_runs_in_a_browser() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut all, mut in_browser) = (BTreeSet::new(), BTreeSet::new());
    for folder in ["crates", "web/src", "xtask/src", "tests"] {
        functions(&root.join(folder), &mut all);
    }
    functions(&root.join("tests/e2e"), &mut in_browser);
    // What is a budget, a parser's rule or the making of sample tables needs no browser.
    let native = ["R-23", "R-27", "sample tables with hostile names"];
    let mut n_named = 0;
    for row in rows() {
        let tests = named(row.last().expect("a last cell"));
        n_named += tests.len();
        for test in &tests {
            assert!(all.contains(*test), "{}: there is no `{test}`", row[0]);
        }
        if let Some(first) = tests.first() {
            assert!(
                native.contains(&row[0]) || in_browser.contains(*first),
                "{}: `{first}` runs in no browser",
                row[0]
            );
        }
    }
    assert!(n_named > 90, "{n_named}");
}
