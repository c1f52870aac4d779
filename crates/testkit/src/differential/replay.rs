//! Recordings run again on this engine, without the reference.

use super::record::{Before, digested, unpack};
use super::seen::{differences, ours};
use crate::world::World;
use anyhow::{Context, Result};
use serde_json::Value;

/// How a recording went.
#[derive(Debug, Clone, Default)]
pub struct Replayed {
    pub statements: usize,
    /// Statements that failed on the reference, and here.
    pub failures: usize,
    pub differences: Vec<String>,
}

/// Runs the recorded chains, a line each.
///
/// # Errors
/// A line is no recording.
pub fn replay(text: &str) -> Result<Replayed> {
    let mut replayed = Replayed::default();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let chain: Value = serde_json::from_str(line)?;
        let id = chain["id"].as_str().context("a chain without id")?;
        let feed = chain["feed"] == true;
        let (mut world, mut before) = (World::new(), Before::default());
        for step in chain["steps"].as_array().with_context(|| format!("{id} has no steps"))? {
            let sql = step[0].as_str().with_context(|| format!("{id}: a step without statement"))?;
            let theirs = unpack(&step[1], &mut before);
            let mut ours = digested(ours(&mut world, sql, feed)?);
            // The statement's own row repeats its metrics, and is not recorded.
            ours.remove("result");
            replayed.statements += 1;
            replayed.failures += usize::from(theirs.contains_key("error_class"));
            let lines = differences(&theirs, &ours, sql.starts_with("MERGE"));
            if !lines.is_empty() {
                replayed.differences.push(format!("{id}: {}", lines.join("; ")));
            }
        }
    }
    Ok(replayed)
}
