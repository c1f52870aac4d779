//! `commitInfo`, the provenance line of a commit. Writers may put anything into it (PROTOCOL.md, Commit
//! Provenance Information), so reading it never fails: what does not fit its field goes to `other`.

use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// Who did what in a commit, with the reference's fields in the reference's order.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CommitInfo {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_commit_timestamp: Option<i64>,
    /// Milliseconds since 1970-01-01 UTC.
    pub timestamp: i64,
    pub operation: String,
    /// Values are strings holding JSON text, or bare booleans, numbers and nulls.
    pub operation_parameters: Map<String, Value>,
    /// Absent at version 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_version: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isolation_level: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_blind_append: Option<bool>,
    pub operation_metrics: IndexMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_metadata: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine_info: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub txn_id: Option<String>,
    /// Fields this program does not know, or whose value has an unexpected type.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl<'de> Deserialize<'de> for CommitInfo {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut info = Self::default();
        for (name, value) in Map::<String, Value>::deserialize(deserializer)? {
            if let Err(value) = info.take(&name, value) {
                info.other.insert(name, value);
            }
        }
        Ok(info)
    }
}

impl CommitInfo {
    /// When the commit was made, in milliseconds: the in-commit timestamp where there is one.
    pub fn time_ms(&self) -> i64 {
        self.in_commit_timestamp.unwrap_or(self.timestamp)
    }

    fn take(&mut self, name: &str, value: Value) -> Result<(), Value> {
        match (name, value) {
            (_, Value::Null) => {}
            ("operation", Value::String(text)) => self.operation = text,
            ("isolationLevel", Value::String(text)) => self.isolation_level = Some(text),
            ("userMetadata", Value::String(text)) => self.user_metadata = Some(text),
            ("engineInfo", Value::String(text)) => self.engine_info = Some(text),
            ("txnId", Value::String(text)) => self.txn_id = Some(text),
            ("isBlindAppend", Value::Bool(flag)) => self.is_blind_append = Some(flag),
            ("operationParameters", Value::Object(map)) => self.operation_parameters = map,
            ("tags", Value::Object(map)) => self.tags = Some(map),
            ("operationMetrics", Value::Object(map)) => {
                self.operation_metrics = map.into_iter().map(|(key, value)| (key, metric_text(value))).collect();
            }
            ("timestamp", value) => self.timestamp = value.as_i64().ok_or(value)?,
            ("inCommitTimestamp", value) => self.in_commit_timestamp = Some(value.as_i64().ok_or(value)?),
            ("readVersion", value) => self.read_version = Some(value.as_u64().ok_or(value)?),
            (_, value) => return Err(value),
        }
        Ok(())
    }
}

fn metric_text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}
