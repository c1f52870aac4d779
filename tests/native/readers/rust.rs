//! Reading our tables with delta-rs, through its Python package.

use super::dump::tables;
use delta::storage::Storage;
use host::block_on;
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

const SCRIPT: &str = include_str!("read_tables.py");

/// The Python that `cargo xtask test` found or installed; alone, any `python3` with `deltalake` will do.
pub(super) fn python() -> Option<String> {
    let candidate = std::env::var("MERGELAB_PYTHON").unwrap_or_else(|_| "python3".into());
    let has_package =
        Command::new(&candidate).args(["-c", "import deltalake"]).output().is_ok_and(|output| output.status.success());
    has_package.then_some(candidate)
}

/// What delta-rs does not read, for it does not know type widening.
const REFUSED: [&str; 3] = [
    "evolve-034 warehouse/tgt version 0: [TypeWidening]",
    "evolve-034 warehouse/tgt version 1: [TypeWidening]",
    "evolve-034 warehouse/tgt version 2: [TypeWidening]",
];

#[test]
fn delta_rs_reads_every_version_of_every_table() {
    let Some(python) = python() else {
        assert!(std::env::var("CI").is_err(), "CI has no Python with `deltalake`");
        println!("0 tables: no Python with the package `deltalake` is here (cargo xtask test installs one)");
        return;
    };
    let (tables, _) = tables();
    let folder = std::env::temp_dir().join(format!("mergelab-readers-{}", std::process::id()));
    let mut manifest = Vec::new();
    let mut n_versions = 0;
    for (idx, table) in tables.iter().enumerate() {
        let place = folder.join(idx.to_string());
        for file in table.store.files().iter().filter(|file| file.path.starts_with(&format!("{}/", table.root))) {
            let path = place.join(&file.path[table.root.len() + 1..]);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, block_on(table.store.get(&file.path)).unwrap()).unwrap();
        }
        n_versions += table.versions.len();
        manifest
            .push(json!({ "id": format!("{} {}", table.case, table.root), "path": place, "versions": table.versions }));
    }
    fs::write(folder.join("manifest.json"), Value::Array(manifest).to_string()).unwrap();
    let output = Command::new(python).arg("-c").arg(SCRIPT).arg(folder.join("manifest.json")).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    fs::remove_dir_all(&folder).unwrap();
    println!("{text}");
    assert!(output.status.success(), "delta-rs sees other rows:\n{text}");
    let refused: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("refused ")).collect();
    assert_eq!(refused, REFUSED);
    let n_read = n_versions - refused.len();
    assert!(text.contains(&format!("{n_read} versions of {} tables", tables.len())), "not all were read:\n{text}");
}
