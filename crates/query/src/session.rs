//! What stays fixed while one statement runs.

use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use datafusion::prelude::SessionConfig;
use std::fmt;
use std::sync::Arc;

/// How a value that is written becomes the type of its column (`spark.sql.storeAssignmentPolicy`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StoreAssignment {
    #[default]
    Ansi,
    Legacy,
    Strict,
}

/// The settings that change what an expression means.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// `spark.sql.ansi.enabled`
    pub ansi: bool,
    pub store_assignment: StoreAssignment,
    pub tasks: Tasks,
}

/// How many tasks compute side by side. The reference's answers were recorded with one everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tasks {
    /// `spark.sql.leafNodeDefaultParallelism`: of what reads no files.
    pub parallelism: usize,
    /// `spark.sql.shuffle.partitions`: after an exchange that names no number.
    pub shuffled: usize,
    /// `spark.sql.adaptive.enabled`
    pub adaptive: bool,
}

impl Default for Tasks {
    fn default() -> Self {
        Self { parallelism: 1, shuffled: 1, adaptive: false }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self { ansi: true, store_assignment: StoreAssignment::default(), tasks: Tasks::default() }
    }
}

/// One statement's fixed facts: its instant and settings. The session zone is UTC. Cheap to clone.
#[derive(Clone)]
pub struct Session {
    state: Arc<SessionState>,
    now_micros: i64,
    settings: Settings,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("now_micros", &self.now_micros).field("settings", &self.settings).finish()
    }
}

impl Session {
    /// A session whose `current_timestamp()` is `now_micros` (microseconds since the epoch, UTC).
    pub fn new(now_micros: i64, settings: &Settings) -> Self {
        // One partition and no repartitioning: on wasm32 there is no thread that a task could be spawned on.
        let mut config = SessionConfig::new()
            .with_target_partitions(1)
            .with_batch_size(8192)
            .with_create_default_catalog_and_schema(false)
            .with_information_schema(false)
            .with_repartition_joins(false)
            .with_repartition_aggregations(false)
            .with_repartition_windows(false)
            .with_repartition_sorts(false)
            .with_repartition_file_scans(false);
        let options = config.options_mut();
        options.optimizer.enable_round_robin_repartition = false;
        options.optimizer.enable_dynamic_filter_pushdown = false;
        let state = SessionStateBuilder::new()
            // A fixed id: the default draws randomness, and two runs of a statement must be alike.
            .with_session_id("mergelab".into())
            .with_config(config)
            .with_runtime_env(Arc::new(RuntimeEnv::default()))
            .build();
        Self { state: Arc::new(state), now_micros, settings: settings.clone() }
    }

    /// The instant of the statement, microseconds since the epoch in UTC.
    pub fn now_micros(&self) -> i64 {
        self.now_micros
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) fn state(&self) -> &SessionState {
        &self.state
    }
}
