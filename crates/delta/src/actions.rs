//! The actions of a commit file, with the protocol's field names in the order the reference writes them
//! (PROTOCOL.md, Actions). This is a wire format: do not reorder fields.

use crate::commit_info::CommitInfo;
use crate::schema::StructField;
use crate::stats::num_records;
use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

/// Partition column, by its physical name, to value in the table's partition order; `None` is NULL.
pub type PartitionValues = IndexMap<String, Option<String>>;

/// Table properties, in the order in which they were set.
pub type Configuration = IndexMap<String, String>;

/// A data file becomes part of the table (PROTOCOL.md, Add File).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Add {
    /// URI-encoded and relative to the table's root, or absolute.
    pub path: String,
    #[serde(default, deserialize_with = "null_as_default")]
    pub partition_values: PartitionValues,
    pub size: i64,
    /// Milliseconds since 1970-01-01 UTC.
    pub modification_time: i64,
    #[serde(default = "yes")]
    pub data_change: bool,
    /// The statistics as JSON text; see `stats`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<IndexMap<String, Option<String>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion_vector: Option<DeletionVectorDescriptor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_row_id: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_row_commit_version: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clustering_provider: Option<String>,
}

impl Add {
    /// A file of which no more is known than where it lies, its partition and its size in bytes.
    pub fn file(path: String, partition_values: PartitionValues, size: i64) -> Self {
        Self {
            path,
            partition_values,
            size,
            modification_time: 0,
            data_change: true,
            stats: None,
            tags: None,
            deletion_vector: None,
            base_row_id: None,
            default_row_commit_version: None,
            clustering_provider: None,
        }
    }

    /// The text of the file's value in a partition column; `None` is NULL.
    pub fn partition_value(&self, column: &StructField) -> Option<&str> {
        self.partition_values.get(column.physical_name()).and_then(Option::as_deref)
    }

    /// How many rows the file holds, deleted ones included; `None` where its statistics do not tell.
    pub fn n_physical_rows(&self) -> Option<u64> {
        u64::try_from(num_records(self.stats.as_deref()?)?).ok()
    }

    /// How many rows of the file its deletion vector marks.
    pub fn n_deleted_rows(&self) -> u64 {
        self.deletion_vector.as_ref().map_or(0, |vector| u64::try_from(vector.cardinality).unwrap_or(0))
    }

    /// How many rows a reader sees; `None` where the statistics do not tell.
    pub fn n_live_rows(&self) -> Option<u64> {
        Some(self.n_physical_rows()?.saturating_sub(self.n_deleted_rows()))
    }
}

/// A data file leaves the table (PROTOCOL.md, Remove File).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Remove {
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion_timestamp: Option<i64>,
    #[serde(default = "yes")]
    pub data_change: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extended_file_metadata: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition_values: Option<PartitionValues>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<IndexMap<String, Option<String>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion_vector: Option<DeletionVectorDescriptor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_row_id: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_row_commit_version: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<String>,
}

impl Remove {
    /// The tombstone of `add`. NULL partition values are left out and the statistics are not repeated, as
    /// the reference writes it; set `stats` afterwards where the command has counted the rows.
    pub fn of(add: &Add, deletion_timestamp: i64, data_change: bool) -> Self {
        let known = add.partition_values.iter().filter(|(_, value)| value.is_some());
        Self {
            path: add.path.clone(),
            deletion_timestamp: Some(deletion_timestamp),
            data_change,
            extended_file_metadata: Some(true),
            partition_values: Some(known.map(|(name, value)| (name.clone(), value.clone())).collect()),
            size: Some(add.size),
            tags: add.tags.clone(),
            deletion_vector: add.deletion_vector.clone(),
            base_row_id: add.base_row_id,
            default_row_commit_version: add.default_row_commit_version,
            stats: None,
        }
    }
}

/// Which rows of a data file are deleted (PROTOCOL.md, Deletion Vectors).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletionVectorDescriptor {
    pub storage_type: String,
    pub path_or_inline_dv: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i32>,
    pub size_in_bytes: i32,
    pub cardinality: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_row_index: Option<i64>,
}

impl DeletionVectorDescriptor {
    /// The id that tells two deletion vectors of one file apart (PROTOCOL.md, Derived Fields).
    pub fn unique_id(&self) -> String {
        match self.offset {
            Some(offset) => format!("{}{}@{offset}", self.storage_type, self.path_or_inline_dv),
            None => format!("{}{}", self.storage_type, self.path_or_inline_dv),
        }
    }
}

/// A file with recorded row changes (PROTOCOL.md, Add CDC File).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AddCdcFile {
    pub path: String,
    #[serde(default, deserialize_with = "null_as_default")]
    pub partition_values: PartitionValues,
    pub size: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<IndexMap<String, Option<String>>>,
    #[serde(default)]
    pub data_change: bool,
}

/// Schema, partitioning and properties of the table (PROTOCOL.md, Change Metadata).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub format: Format,
    /// The schema as Spark's JSON text; see `schema`. Empty in a table that has none.
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "String::is_empty")]
    pub schema_string: String,
    #[serde(default, deserialize_with = "null_as_default")]
    pub partition_columns: Vec<String>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub configuration: Configuration,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_time: Option<i64>,
}

/// The format of the data files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Format {
    pub provider: String,
    #[serde(default, deserialize_with = "null_as_default")]
    pub options: IndexMap<String, String>,
}

impl Default for Format {
    fn default() -> Self {
        Self { provider: "parquet".to_owned(), options: IndexMap::new() }
    }
}

/// What a reader and a writer must understand (PROTOCOL.md, Protocol Evolution).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Protocol {
    pub min_reader_version: i32,
    pub min_writer_version: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reader_features: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writer_features: Option<Vec<String>>,
}

/// An application's own progress mark (PROTOCOL.md, Transaction Identifiers).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Txn {
    pub app_id: String,
    pub version: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_updated: Option<i64>,
}

/// Configuration of a named domain (PROTOCOL.md, Domain Metadata).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DomainMetadata {
    pub domain: String,
    pub configuration: String,
    pub removed: bool,
}

/// One line of a commit file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Action {
    CommitInfo(CommitInfo),
    #[serde(rename = "metaData")]
    Metadata(Metadata),
    Protocol(Protocol),
    Add(Add),
    Remove(Remove),
    #[serde(rename = "cdc")]
    AddCdcFile(AddCdcFile),
    Txn(Txn),
    DomainMetadata(DomainMetadata),
}

impl Action {
    /// Reads one line. `None` is an action this program does not know, which readers must ignore.
    pub fn parse(line: &str) -> Result<Option<Self>, serde_json::Error> {
        let fields: IndexMap<String, Box<RawValue>> = serde_json::from_str(line)?;
        for (name, raw) in &fields {
            let text = raw.get();
            if text == "null" {
                continue;
            }
            let action = match name.as_str() {
                "add" => Self::Add(serde_json::from_str(text)?),
                "remove" => Self::Remove(serde_json::from_str(text)?),
                "metaData" => Self::Metadata(serde_json::from_str(text)?),
                "protocol" => Self::Protocol(serde_json::from_str(text)?),
                "commitInfo" => Self::CommitInfo(serde_json::from_str(text)?),
                "txn" => Self::Txn(serde_json::from_str(text)?),
                "domainMetadata" => Self::DomainMetadata(serde_json::from_str(text)?),
                "cdc" => Self::AddCdcFile(serde_json::from_str(text)?),
                _ => continue,
            };
            return Ok(Some(action));
        }
        Ok(None)
    }
}

fn yes() -> bool {
    true
}

fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}
