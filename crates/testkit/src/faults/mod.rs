//! Every storage operation of a statement goes wrong in turn; the table must stay whole, and a second try must do
//! what the first was to do.

mod storage;

pub use storage::{FAULTS, Fault, Faulty};

use crate::world::World;
use delta::storage::InMemory;
use serde_json::Value;
use std::sync::Arc;

/// A statement, and what stands before it.
#[derive(Debug, Clone)]
pub struct Scenario<'a> {
    pub name: &'a str,
    pub setup: &'a [&'a str],
    pub statement: &'a str,
    /// The query whose rows tell the version; it fails where there is no table.
    pub query: &'a str,
}

/// What was tried, for suites that count.
#[derive(Debug, Clone, Default)]
pub struct Tried {
    /// Operations of the statement that went wrong, one at a time, times the ways to go wrong.
    pub n_faults: usize,
    /// After how many of them the statement failed, and was tried again.
    pub n_retries: usize,
    pub problems: Vec<String>,
}

/// Runs the statement once for each of its storage operations and each fault.
///
/// # Errors
/// The statement fails without any fault.
pub fn check(scenario: &Scenario<'_>) -> Result<Tried, String> {
    let store = InMemory::new();
    let mut world = open(&store, 0)?;
    for text in scenario.setup {
        world.run(text).map_err(|problem| format!("`{text}` fails: {problem}"))?;
    }
    let old = rows(&store, scenario);
    let (operations, new) = undisturbed(&store, scenario)?;
    let mut tried = Tried::default();
    for (at, operation) in operations.iter().enumerate() {
        for fault in FAULTS {
            tried.n_faults += 1;
            let outcome = with_fault(&store, scenario, (at, fault), &old, &new);
            match outcome {
                Ok(retried) => tried.n_retries += usize::from(retried),
                Err(problem) => {
                    tried.problems.push(format!("{}: {fault:?} at `{operation}`: {problem}", scenario.name))
                }
            }
        }
    }
    Ok(tried)
}

/// The rows of the query; its failure is an answer too.
type Rows = Result<Vec<Value>, String>;

fn undisturbed(store: &InMemory, scenario: &Scenario<'_>) -> Result<(Vec<String>, Rows), String> {
    let copy = store.fork();
    let faulty = Faulty::new(copy.clone());
    let mut world = World::open(Arc::new(faulty.clone()), 1).map_err(|problem| problem.to_string())?;
    faulty.arm(None);
    world.run(scenario.statement).map_err(|problem| format!("`{}` fails: {problem}", scenario.statement))?;
    Ok((faulty.asked(), rows(&copy, scenario)))
}

/// True if the statement failed and was tried again.
fn with_fault(
    store: &InMemory,
    scenario: &Scenario<'_>,
    fault: (usize, Fault),
    old: &Rows,
    new: &Rows,
) -> Result<bool, String> {
    let copy = store.fork();
    let faulty = Faulty::new(copy.clone());
    let mut world = World::open(Arc::new(faulty.clone()), 1).map_err(|problem| problem.to_string())?;
    faulty.arm(Some(fault));
    let result = world.run(scenario.statement);
    faulty.arm(None);
    let seen = rows(&copy, scenario);
    let is_committed = same(&seen, new) && !same(old, new);
    if !is_committed && !same(&seen, old) {
        return Err(format!("a reader sees neither the old nor the new version, but {}", shown(&seen)));
    }
    match result {
        Ok(_) if is_committed => {
            // The next statement builds on it: what a fault left behind must not disturb it.
            let again = world.run(scenario.query).map(|_| ()).map_err(|problem| problem.to_string());
            again.map_err(|problem| format!("it succeeds, but the session cannot read on: {problem}")).map(|()| false)
        }
        Ok(_) => Err("it says that it succeeded, but a reader sees the old version".into()),
        Err(problem) if is_committed => {
            Err(format!("it says that it failed, but a reader sees the new version: {problem}"))
        }
        Err(_) => {
            // Once in a session of its own, on a copy, and once in the session that saw the failure.
            let second = copy.fork();
            retry(&mut open(&second, 2)?, &second, scenario, new).map_err(|why| format!("a new session: {why}"))?;
            retry(&mut world, &copy, scenario, new).map_err(|why| format!("the same session: {why}"))?;
            Ok(true)
        }
    }
}

fn retry(world: &mut World, store: &InMemory, scenario: &Scenario<'_>, new: &Rows) -> Result<(), String> {
    world.run(scenario.statement).map_err(|problem| format!("the second try fails: {problem}"))?;
    let seen = rows(store, scenario);
    if same(&seen, new) { Ok(()) } else { Err(format!("after the second try a reader sees {}", shown(&seen))) }
}

fn open(store: &InMemory, run: u64) -> Result<World, String> {
    World::open(Arc::new(store.clone()), run).map_err(|problem| problem.to_string())
}

/// What a reader that knows nothing sees. All versions must be readable, not only the last.
fn rows(store: &InMemory, scenario: &Scenario<'_>) -> Rows {
    open(store, 3)?.rows(scenario.query)
}

fn same(left: &Rows, right: &Rows) -> bool {
    match (left, right) {
        (Ok(left), Ok(right)) => left == right,
        (Err(_), Err(_)) => true,
        _ => false,
    }
}

fn shown(rows: &Rows) -> String {
    match rows {
        Ok(rows) => format!("{} rows: {}", rows.len(), Value::Array(rows.clone())),
        Err(problem) => problem.clone(),
    }
}
