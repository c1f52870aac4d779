//! Tables that this engine wrote, read by the reference: rows of its first, a middle and its last version, and the history.
#![allow(clippy::disallowed_methods, reason = "the reference reads a folder")]

use super::reference::Reference;
use crate::world::{World, sorted};
use anyhow::{Context, Result, anyhow};
use host::block_on;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What a table showed.
#[derive(Debug, Clone, Default)]
pub struct ReadBack {
    pub versions: u64,
    pub differences: Vec<String>,
}

/// Runs the statements here, copies `tgt` to `folder`, which is made anew, and has the reference read it there.
///
/// # Errors
/// The folder cannot be written, or the reference ended.
pub fn read_back(reference: &mut Reference, statements: &[String], folder: &Path) -> Result<ReadBack> {
    let mut world = World::new();
    for sql in statements {
        // A statement that fails was meant to.
        drop(world.run(sql));
    }
    let problem = |text: String| anyhow!(text);
    let Some(latest) = world.version("tgt").map_err(problem)? else { return Ok(ReadBack::default()) };
    copy(&world, folder)?;
    let mut read = ReadBack::default();
    let table = format!("delta.`{}`", folder.display());
    // Each query costs the reference half a second, so three stand for all.
    for version in BTreeSet::from([0, latest / 2, latest]) {
        let ours = world.rows(&format!("SELECT * FROM tgt VERSION AS OF {version}")).map_err(problem)?;
        let answer =
            reference.ask(&json!({ "op": "run", "sql": format!("SELECT * FROM {table} VERSION AS OF {version}") }))?;
        read.versions += 1;
        match answer["rows"].as_array() {
            Some(rows) if sorted(rows.clone()) == ours => {}
            _ => read.differences.push(format!("version {version}: the reference reads {answer}, we {ours:?}")),
        }
    }
    let ours = world.last_commits("tgt", usize::MAX).map_err(problem)?;
    let ours: Vec<Value> = ours.iter().map(|info| info.operation.as_str().into()).collect();
    let answer = reference.ask(&json!({ "op": "run", "sql": format!("DESCRIBE HISTORY {table}") }))?;
    let theirs = operations(&answer);
    if theirs.as_ref() != Some(&ours) {
        read.differences.push(format!("the reference tells the history as {answer}, we as {ours:?}"));
    }
    Ok(read)
}

/// The column `operation` of DESCRIBE HISTORY, newest first.
fn operations(answer: &Value) -> Option<Vec<Value>> {
    let idx = answer["columns"].as_array()?.iter().position(|column| column[0] == "operation")?;
    Some(answer["rows"].as_array()?.iter().map(|row| row[idx].clone()).collect())
}

fn copy(world: &World, folder: &Path) -> Result<()> {
    // It may not be there.
    drop(fs::remove_dir_all(folder));
    let root = world.snapshot("tgt").map_err(|text| anyhow!(text))?.map(|snapshot| snapshot.root().to_owned());
    let root = root.context("there is no table")?;
    for file in block_on(world.storage().list_from(&root, ""))? {
        let bytes = block_on(world.storage().get(&file.path))?;
        let inside = file.path.strip_prefix(&root).unwrap_or(&file.path).trim_start_matches('/');
        let path = folder.join(inside);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, &bytes)?;
    }
    Ok(())
}
