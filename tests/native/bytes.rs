//! A run is reproducible to the byte, and the same with and without an observer.

use crate::cases::load;
use delta::storage::{InMemory, Storage};
use engine::env::{Env, START_MS};
use engine::observe::{Observer, Silent};
use engine::sandbox::Sandbox;
use host::{Recorder, block_on};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Every object of the store after the statements, by path.
fn objects(statements: &[String], observed: bool) -> BTreeMap<String, Vec<u8>> {
    let store = InMemory::new();
    let mut sandbox = Sandbox::new(Env::over(Arc::new(store.clone()), START_MS));
    for text in statements {
        for statement in sql::parse(text).statements {
            let mut recorder = Recorder::new();
            let observer: &mut dyn Observer = if observed { &mut recorder } else { &mut Silent };
            // Failing statements are part of the test: they must leave the same bytes too.
            let _ = block_on(sandbox.execute(text, &statement, observer));
        }
    }
    store
        .files()
        .into_iter()
        .map(|file| (file.path.clone(), block_on(store.get(&file.path)).unwrap().to_vec()))
        .collect()
}

#[test]
fn the_recorder_changes_no_byte() {
    let mut n_objects = 0;
    for case in load("merge_cases.jsonl") {
        let mut statements = case.create.clone();
        statements.push(case.statement.clone());
        let (silent, watched) = (objects(&statements, false), objects(&statements, true));
        assert!(silent == watched, "{}: the recorder changed what was written", case.id);
        n_objects += silent.len();
    }
    assert!(n_objects > 500, "only {n_objects} objects compared");
}
