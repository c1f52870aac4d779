//! What a native run of the scenarios writes, hashed, for a browser to compare with.

use super::scenario::{Scenario, all, kinds};
use anyhow::{Result, bail};
use host::{Host, block_on};
use protocol::{ReplyBody, Request};
use serde_json::{Value, json};

/// Small sizes: every scenario touches all of its files, in a second.
const ROWS: u64 = 1_600;

/// One entry per scenario: its texts and the fingerprints of everything in the store after them.
///
/// # Errors
/// A scenario that does not run.
pub fn expectations() -> Result<Value> {
    let mut scenarios = all(ROWS, 7);
    scenarios.push(kinds());
    scenarios.iter().map(expectation).collect::<Result<Vec<_>>>().map(Value::Array)
}

fn expectation(scenario: &Scenario) -> Result<Value> {
    let mut host = Host::new("parity");
    let run = Request::Run { setup: scenario.setup.clone(), text: scenario.statement.clone(), clock: None };
    match block_on(host.handle(run, &mut |_| {})) {
        ReplyBody::Ran(report)
            if report.errors.is_empty() && report.statements.iter().all(|done| done.error.is_none()) => {}
        other => bail!("{}: {other:?}", scenario.name),
    }
    match block_on(host.handle(Request::Fingerprints, &mut |_| {})) {
        ReplyBody::Fingerprints { objects } => Ok(json!({
            "name": scenario.name,
            "setup": scenario.setup,
            "statement": scenario.statement,
            "objects": objects,
        })),
        other => bail!("{}: {other:?}", scenario.name),
    }
}
