//! The session settings that change what a statement does.

use query::{Settings as Expressions, StoreAssignment, Tasks};
use spec::{Diagnostic, Span};
use std::collections::BTreeMap;

const INSERT_ONLY: &str = "spark.databricks.delta.merge.optimizeInsertOnlyMerge.enabled";
const STORE_ASSIGNMENT: &str = "spark.sql.storeAssignmentPolicy";
const AUTO_MERGE: &str = "spark.databricks.delta.schema.autoMerge.enabled";
/// The format of tables that name none.
const DEFAULT_SOURCE: &str = "spark.sql.sources.default";
const TIME_ZONE: &str = "spark.sql.session.timeZone";

/// Settings of which only the reference's default is built.
const DEFAULT_ONLY: [(&str, &str); 3] = [
    ("spark.sql.ansi.enabled", "true"),
    ("spark.databricks.delta.merge.repartitionBeforeWrite.enabled", "true"),
    ("spark.databricks.delta.optimizeWrite.enabled", "false"),
];

const NOTE: &str = "spark.databricks.delta.commitInfo.userMetadata";
const OVERWRITE_MODE: &str = "spark.sql.sources.partitionOverwriteMode";

/// Switches with their defaults; [`Settings::is_on`] asks for one.
const SWITCHES: [(&str, bool); 14] = [
    (ADAPTIVE, false),
    (INSERT_ONLY, true),
    (MERGE_MARKS, true),
    (UPDATE_MARKS, true),
    (DELETE_MARKS, true),
    (RETENTION_CHECK, true),
    (RETENTION_IGNORED, true),
    (VACUUM_LOGGED, true),
    (TRAVEL_WITHIN_RETENTION, true),
    (REPLACE_CHECKED, true),
    (REPLACE_ON_DATA, true),
    (ZORDER_NEEDS_STATS, true),
    (MISSING_FILES_IGNORED, false),
    (FEED_PAST_THE_END, false),
];
/// Whether MERGE hides changed rows where the table writes deletion vectors.
pub(crate) const MERGE_MARKS: &str = "spark.databricks.delta.merge.deletionVectors.persistent";
/// The same of UPDATE.
pub(crate) const UPDATE_MARKS: &str = "spark.databricks.delta.update.deletionVectors.persistent";
/// The same of DELETE.
pub(crate) const DELETE_MARKS: &str = "spark.databricks.delta.delete.deletionVectors.persistent";
/// Whether VACUUM refuses a retention below the table's.
pub(crate) const RETENTION_CHECK: &str = "spark.databricks.delta.retentionDurationCheck.enabled";
/// Whether VACUUM takes the table's retention whatever RETAIN says, but for 0 hours.
pub(crate) const RETENTION_IGNORED: &str = "spark.databricks.delta.vacuum.retentionWindowIgnore.enabled";
/// Whether VACUUM leaves its two commits.
pub(crate) const VACUUM_LOGGED: &str = "spark.databricks.delta.vacuum.logging.enabled";
/// Whether versions beyond the retention of deleted files are refused.
pub(crate) const TRAVEL_WITHIN_RETENTION: &str =
    "spark.databricks.delta.vacuum.enforceTimeTravelWithinDeletedFileRetentionDuration";
/// Whether new rows must meet the condition of REPLACE WHERE.
pub(crate) const REPLACE_CHECKED: &str = "spark.databricks.delta.replaceWhere.constraintCheck.enabled";
/// Whether REPLACE WHERE may ask for columns that are no partition columns.
pub(crate) const REPLACE_ON_DATA: &str = "spark.databricks.delta.replaceWhere.dataColumns.enabled";
/// Whether ZORDER BY takes columns with statistics only.
pub(crate) const ZORDER_NEEDS_STATS: &str = "spark.databricks.delta.optimize.zorder.checkStatsCollection.enabled";
/// Whether RESTORE goes on where data files are gone.
pub(crate) const MISSING_FILES_IGNORED: &str = "spark.sql.files.ignoreMissingFiles";
/// Whether the change feed may be asked for versions and instants after the last commit.
pub(crate) const FEED_PAST_THE_END: &str = "spark.databricks.delta.changeDataFeed.timestampOutOfRange.enabled";

/// Numbers with their defaults; [`Settings::number`] asks for one.
const NUMBERS: [(&str, f64); 3] =
    [(OPTIMIZE_MIN_FILE_SIZE, GIGABYTE), (OPTIMIZE_MAX_FILE_SIZE, GIGABYTE), (OPTIMIZE_MAX_DELETED, 0.05)];

/// Numbers of tasks, with the values that the reference's answers were recorded with.
const COUNTS: [(&str, usize); 2] = [(PARALLELISM, 1), (SHUFFLED, 1)];
const PARALLELISM: &str = "spark.sql.leafNodeDefaultParallelism";
/// Far more than a sandbox has rows for.
const MOST_TASKS: usize = 10_000;
const SHUFFLED: &str = "spark.sql.shuffle.partitions";
const ADAPTIVE: &str = "spark.sql.adaptive.enabled";

const GIGABYTE: f64 = 1_073_741_824.0;
/// Files below this size are put together.
pub(crate) const OPTIMIZE_MIN_FILE_SIZE: &str = "spark.databricks.delta.optimize.minFileSize";
/// How many bytes are put into one file.
pub(crate) const OPTIMIZE_MAX_FILE_SIZE: &str = "spark.databricks.delta.optimize.maxFileSize";
/// The part of deleted rows from which on a large file is written anew.
pub(crate) const OPTIMIZE_MAX_DELETED: &str = "spark.databricks.delta.optimize.maxDeletedRowsRatio";

/// Settings whose value changes nothing that this engine does.
const WITHOUT_EFFECT: [&str; 12] = [
    "spark.sql.autoBroadcastJoinThreshold",
    "spark.databricks.delta.merge.materializeSource",
    "spark.sql.adaptive.coalescePartitions.enabled",
    "spark.sql.adaptive.coalescePartitions.parallelismFirst",
    "spark.sql.adaptive.advisoryPartitionSizeInBytes",
    "spark.sql.adaptive.optimizeSkewsInRebalancePartitions.enabled",
    "spark.sql.adaptive.skewJoin.enabled",
    "spark.sql.adaptive.skewJoin.skewedPartitionFactor",
    "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes",
    "spark.databricks.delta.vacuum.parallelDelete.enabled",
    "spark.databricks.delta.optimize.repartition.enabled",
    "spark.databricks.delta.snapshotPartitions",
];

/// What `SET` has set; everything else has Spark's default.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Settings {
    values: BTreeMap<String, String>,
}

impl Settings {
    /// Sets `key` if this engine knows what it does.
    ///
    /// # Errors
    /// A key that changes results in a way that is not built, or a value it cannot have.
    pub(crate) fn set(&mut self, key: &str, value: &str, span: Span) -> Result<(), Diagnostic> {
        let default = DEFAULT_ONLY.iter().find(|(name, _)| *name == key).map(|(_, default)| *default);
        let allowed = match key {
            _ if default.is_some_and(|default| value.eq_ignore_ascii_case(default)) => true,
            _ if default.is_some() && value.to_ascii_lowercase().parse::<bool>().is_ok() => {
                return Err(Diagnostic::unsupported(format!("SET {key} = {value}"), span));
            }
            _ if default.is_some() => false,
            _ if SWITCHES.iter().any(|(name, _)| *name == key) => value.to_ascii_lowercase().parse::<bool>().is_ok(),
            _ if NUMBERS.iter().any(|(name, _)| *name == key) => {
                value.trim().parse::<f64>().is_ok_and(|number| number >= 0.0)
            }
            _ if COUNTS.iter().any(|(name, _)| *name == key) => {
                value.trim().parse::<usize>().is_ok_and(|n_tasks| (1..=MOST_TASKS).contains(&n_tasks))
            }
            OVERWRITE_MODE => ["STATIC", "DYNAMIC"].iter().any(|mode| value.eq_ignore_ascii_case(mode)),
            AUTO_MERGE => value.to_ascii_lowercase().parse::<bool>().is_ok(),
            STORE_ASSIGNMENT => store_assignment(value).is_some(),
            DEFAULT_SOURCE => ["DELTA", "PARQUET"].iter().any(|source| value.eq_ignore_ascii_case(source)),
            NOTE => true,
            TIME_ZONE if value.eq_ignore_ascii_case("UTC") => true,
            _ if WITHOUT_EFFECT.contains(&key) => true,
            _ if key.starts_with("spark.") => {
                return Err(Diagnostic::unsupported(format!("The setting {key}"), span));
            }
            _ => true,
        };
        if !allowed {
            let message = format!("`{value}` is not a value that {key} can have.");
            return Err(Diagnostic::new("INVALID_CONF_VALUE.DEFAULT", "22022", message, span));
        }
        self.values.insert(key.to_owned(), value.to_owned());
        Ok(())
    }

    /// Whether a MERGE of INSERT clauses only may take the one-pass plan.
    pub(crate) fn insert_only_plan(&self) -> bool {
        self.is_on(INSERT_ONLY)
    }

    /// A switch of [`SWITCHES`].
    pub(crate) fn is_on(&self, key: &str) -> bool {
        let default = SWITCHES.iter().any(|(name, default)| *name == key && *default);
        self.values.get(key).map_or(default, |value| value.eq_ignore_ascii_case("true"))
    }

    /// A number of [`NUMBERS`].
    pub(crate) fn number(&self, key: &str) -> f64 {
        let default = NUMBERS.iter().find(|(name, _)| *name == key).map_or(0.0, |(_, default)| *default);
        self.values.get(key).and_then(|value| value.trim().parse().ok()).unwrap_or(default)
    }

    /// What commits carry as `userMetadata`.
    pub(crate) fn note(&self) -> Option<String> {
        self.values.get(NOTE).cloned()
    }

    /// Whether INSERT OVERWRITE replaces only the partitions that its rows lie in.
    pub(crate) fn overwrites_dynamically(&self) -> bool {
        self.values.get(OVERWRITE_MODE).is_some_and(|mode| mode.eq_ignore_ascii_case("DYNAMIC"))
    }

    /// Whether a table that names no format is a plain Parquet table, as on Spark without Delta's makers.
    pub(crate) fn defaults_to_parquet(&self) -> bool {
        self.values.get(DEFAULT_SOURCE).is_some_and(|source| source.eq_ignore_ascii_case("PARQUET"))
    }

    /// What `SET` shows: everything that was set, by key.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// What `SET key` shows: what was set, or the default where this engine knows it.
    pub(crate) fn shown(&self, key: &str) -> Option<String> {
        let switch = || SWITCHES.iter().find(|(name, _)| *name == key).map(|(_, default)| default.to_string());
        let number = || NUMBERS.iter().find(|(name, _)| *name == key).map(|(_, default)| default.to_string());
        let count = || COUNTS.iter().find(|(name, _)| *name == key).map(|(_, default)| default.to_string());
        let fixed = || DEFAULT_ONLY.iter().find(|(name, _)| *name == key).map(|(_, default)| (*default).to_owned());
        let named = || match key {
            STORE_ASSIGNMENT => Some("ANSI".to_owned()),
            DEFAULT_SOURCE => Some("delta".to_owned()),
            OVERWRITE_MODE => Some("STATIC".to_owned()),
            TIME_ZONE => Some("UTC".to_owned()),
            _ => None,
        };
        self.values.get(key).cloned().or_else(switch).or_else(number).or_else(count).or_else(fixed).or_else(named)
    }

    /// Back to the default.
    pub(crate) fn reset(&mut self, key: &str) {
        self.values.remove(key);
    }

    /// Everything back to its default.
    pub(crate) fn reset_all(&mut self) {
        self.values.clear();
    }

    /// Whether new data may add columns to the table it is written to.
    pub(crate) fn merges_schemas(&self) -> bool {
        self.values.get(AUTO_MERGE).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    /// The settings that change what expressions mean.
    pub(crate) fn expressions(&self) -> Expressions {
        let policy = self.values.get(STORE_ASSIGNMENT).and_then(|value| store_assignment(value));
        let tasks = Tasks {
            parallelism: self.count(PARALLELISM).unwrap_or(1),
            shuffled: self.count(SHUFFLED).unwrap_or(1),
            adaptive: self.is_on(ADAPTIVE),
        };
        Expressions { store_assignment: policy.unwrap_or_default(), tasks, ..Expressions::default() }
    }

    /// One of [`COUNTS`], where it was set.
    fn count(&self, key: &str) -> Option<usize> {
        self.values.get(key).and_then(|value| value.trim().parse().ok())
    }
}

fn store_assignment(value: &str) -> Option<StoreAssignment> {
    match value.to_ascii_uppercase().as_str() {
        "ANSI" => Some(StoreAssignment::Ansi),
        "LEGACY" => Some(StoreAssignment::Legacy),
        "STRICT" => Some(StoreAssignment::Strict),
        _ => None,
    }
}
