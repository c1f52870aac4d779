//! The session settings that change what a statement does.

use query::{Settings as Expressions, StoreAssignment};
use spec::{Diagnostic, Span};
use std::collections::BTreeMap;

const INSERT_ONLY: &str = "spark.databricks.delta.merge.optimizeInsertOnlyMerge.enabled";
/// Whether a statement marks rows as deleted where the table has deletion vectors.
const MARKS_ROWS: [(&str, &str); 3] = [
    ("MERGE", "spark.databricks.delta.merge.deletionVectors.persistent"),
    ("UPDATE", "spark.databricks.delta.update.deletionVectors.persistent"),
    ("DELETE", "spark.databricks.delta.delete.deletionVectors.persistent"),
];
const STORE_ASSIGNMENT: &str = "spark.sql.storeAssignmentPolicy";
const TIME_ZONE: &str = "spark.sql.session.timeZone";

/// Settings of which only the reference's default is built.
const DEFAULT_ONLY: [(&str, &str); 4] = [
    ("spark.databricks.delta.schema.autoMerge.enabled", "false"),
    ("spark.sql.ansi.enabled", "true"),
    ("spark.databricks.delta.merge.repartitionBeforeWrite.enabled", "true"),
    ("spark.databricks.delta.optimizeWrite.enabled", "false"),
];

/// Settings whose value changes nothing that this engine does.
const WITHOUT_EFFECT: [&str; 6] = [
    "spark.sql.shuffle.partitions",
    "spark.sql.adaptive.enabled",
    "spark.sql.autoBroadcastJoinThreshold",
    "spark.databricks.delta.merge.materializeSource",
    "spark.sql.adaptive.coalescePartitions.enabled",
    "spark.sql.adaptive.skewJoin.enabled",
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
            INSERT_ONLY => value.parse::<bool>().is_ok(),
            _ if MARKS_ROWS.iter().any(|(_, name)| *name == key) => value.to_ascii_lowercase().parse::<bool>().is_ok(),
            STORE_ASSIGNMENT => store_assignment(value).is_some(),
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
        self.values.get(INSERT_ONLY).is_none_or(|value| value == "true")
    }

    /// Whether `MERGE`, `UPDATE` or `DELETE` may mark rows as deleted instead of writing files again.
    pub(crate) fn marks_rows(&self, operation: &str) -> bool {
        let name = MARKS_ROWS.iter().find(|(of, _)| *of == operation).map(|(_, name)| *name);
        name.and_then(|name| self.values.get(name)).is_none_or(|value| value.eq_ignore_ascii_case("true"))
    }

    /// The settings that change what expressions mean.
    pub(crate) fn expressions(&self) -> Expressions {
        let policy = self.values.get(STORE_ASSIGNMENT).and_then(|value| store_assignment(value));
        Expressions { store_assignment: policy.unwrap_or_default(), ..Expressions::default() }
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
