//! The columns of a checkpoint, and which columns of another writer's checkpoint are read.

use crate::schema::{DataType, StructField, StructType};
use arrow::datatypes::SchemaRef;

const ACTIONS: &[&str] =
    &["txn", "add", "remove", "metaData", "protocol", "domainMetadata", "sidecar", "checkpointMetadata"];

/// The checkpoint schema (PROTOCOL.md, Checkpoint Schema), as the reference lays it out.
pub(super) fn schema() -> SchemaRef {
    StructType::new(vec![
        group("txn", vec![text("appId"), long("version"), long("lastUpdated")]),
        group("add", add()),
        group("remove", remove()),
        group("metaData", metadata()),
        group(
            "protocol",
            vec![
                StructField::new("minReaderVersion", DataType::Int),
                StructField::new("minWriterVersion", DataType::Int),
                list("readerFeatures"),
                list("writerFeatures"),
            ],
        ),
        group("domainMetadata", vec![text("domain"), text("configuration"), flag("removed")]),
    ])
    .to_arrow()
}

/// Whether a leaf column is needed for the actions. Parsed statistics and partition values repeat what is
/// there as text.
pub(super) fn is_needed(path: &[String]) -> bool {
    let is_action = path.first().is_some_and(|action| ACTIONS.contains(&action.as_str()));
    let is_parsed = path.get(1).is_some_and(|field| field.ends_with("_parsed"));
    is_action && !is_parsed
}

fn add() -> Vec<StructField> {
    vec![
        text("path"),
        map("partitionValues"),
        long("size"),
        long("modificationTime"),
        flag("dataChange"),
        map("tags"),
        deletion_vector(),
        long("baseRowId"),
        long("defaultRowCommitVersion"),
        text("clusteringProvider"),
        text("stats"),
    ]
}

fn remove() -> Vec<StructField> {
    vec![
        text("path"),
        long("deletionTimestamp"),
        flag("dataChange"),
        flag("extendedFileMetadata"),
        map("partitionValues"),
        long("size"),
        deletion_vector(),
        long("baseRowId"),
        long("defaultRowCommitVersion"),
    ]
}

fn metadata() -> Vec<StructField> {
    vec![
        text("id"),
        text("name"),
        text("description"),
        group("format", vec![text("provider"), map("options")]),
        text("schemaString"),
        list("partitionColumns"),
        map("configuration"),
        long("createdTime"),
    ]
}

fn deletion_vector() -> StructField {
    let int = |name: &str| StructField::new(name, DataType::Int);
    group(
        "deletionVector",
        vec![
            text("storageType"),
            text("pathOrInlineDv"),
            int("offset"),
            int("sizeInBytes"),
            long("cardinality"),
            long("maxRowIndex"),
        ],
    )
}

fn group(name: &str, fields: Vec<StructField>) -> StructField {
    StructField::new(name, DataType::Struct(StructType::new(fields)))
}

fn text(name: &str) -> StructField {
    StructField::new(name, DataType::String)
}

fn long(name: &str) -> StructField {
    StructField::new(name, DataType::Long)
}

fn flag(name: &str) -> StructField {
    StructField::new(name, DataType::Boolean)
}

fn list(name: &str) -> StructField {
    StructField::new(name, DataType::Array { element: Box::new(DataType::String), contains_null: true })
}

fn map(name: &str) -> StructField {
    let text = || Box::new(DataType::String);
    StructField::new(name, DataType::Map { key: text(), value: text(), value_contains_null: true })
}
