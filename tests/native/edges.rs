//! Which crate may depend on which: the table in ARCHITECTURE.md, read and enforced.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

const ARCHITECTURE: &str = include_str!("../../ARCHITECTURE.md");

/// Crates that only one of ours may name, because they decide its size or its purpose.
const HEAVY: [(&str, &[&str]); 4] =
    [("datafusion", &["query"]), ("datafusion-spark", &["query"]), ("pulldown-cmark", &["lesson"]), ("yew", &["web"])];

fn metadata() -> Value {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline", "--manifest-path", manifest])
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON")
}

/// Crate → crates it may depend on, from the table whose header starts with `| crate |`.
fn allowed() -> BTreeMap<String, BTreeSet<String>> {
    let rows = ARCHITECTURE.lines().skip_while(|line| !line.starts_with("| crate |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let mut table = BTreeMap::new();
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[1].trim_matches('`').to_owned();
        let edges = cells[2].split(',').map(|edge| edge.trim().trim_matches('`').to_owned());
        table.insert(name, edges.filter(|edge| !edge.is_empty() && edge != "–").collect());
    }
    table
}

#[test]
fn crates_depend_only_on_what_the_table_says() {
    let allowed = allowed();
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let ours: BTreeSet<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    assert_eq!(ours, allowed.keys().map(String::as_str).collect(), "the table lists exactly the workspace's crates");
    let mut wrong = Vec::new();
    for package in packages {
        let name = package["name"].as_str().expect("name");
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let on = dependency["name"].as_str().expect("name");
            let dev = dependency["kind"].as_str() == Some("dev");
            if ours.contains(on) && !dev && !allowed[name].contains(on) && !allowed[name].contains("any") {
                wrong.push(format!("{name} → {on}"));
            }
            if let Some((_, only)) = HEAVY.iter().find(|(heavy, _)| *heavy == on)
                && !only.contains(&name)
            {
                wrong.push(format!("{name} → {on} (only {only:?} may)"));
            }
        }
    }
    assert!(wrong.is_empty(), "edges that the table does not allow: {wrong:#?}");
}

#[test]
fn one_version_of_arrow_is_locked() {
    let lock = include_str!("../../Cargo.lock");
    let arrows = lock.matches("\nname = \"arrow\"\n").count();
    assert_eq!(arrows, 1);
}
