//! The real world: this machine's clock, and names that no other run has.

use delta::storage::Storage;
use engine::env::{Clock, Env, Names};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use uuid::Uuid;

/// The world around a store that outlives the run.
pub fn around(storage: Arc<dyn Storage>) -> Env {
    Env { storage, clock: Arc::new(SystemClock), names: Arc::new(RandomNames), note: None }
}

#[derive(Debug)]
struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> i64 {
        // A clock before 1970 is as good as none.
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
    }

    fn next_statement(&self) {}
}

#[derive(Debug)]
struct RandomNames;

impl Names for RandomNames {
    fn uuid(&self) -> String {
        Uuid::new_v4().to_string()
    }
}
