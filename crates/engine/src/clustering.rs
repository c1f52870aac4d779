//! CLUSTER BY: the domain `delta.clustering` that names the clustering columns (PROTOCOL.md, Clustered Table).

use delta::actions::DomainMetadata;
use delta::schema::{DataType, StructField, StructType};
use delta::snapshot::Snapshot;
use serde_json::{Value, json};
use spec::{Diagnostic, Name};

/// The table feature.
pub(crate) const FEATURE: &str = "clustering";
const DOMAIN: &str = "delta.clustering";
const MOST_COLUMNS: usize = 4;

/// The clustering columns as paths of the schema's own names.
///
/// # Errors
/// A column that is not there or cannot be compared; too many.
pub(crate) fn columns(schema: &StructType, names: &[Name]) -> Result<Vec<Vec<String>>, Diagnostic> {
    if let Some(name) = names.get(MOST_COLUMNS) {
        let message = format!("CLUSTER BY takes at most {MOST_COLUMNS} columns, not {}.", names.len());
        return Err(Diagnostic::new("DELTA_CLUSTER_BY_INVALID_NUM_COLUMNS", "54000", message, name.span())
            .with_hint("Keep the columns that queries filter by most."));
    }
    names.iter().map(|name| path(schema, name)).collect()
}

fn path(schema: &StructType, name: &Name) -> Result<Vec<String>, Diagnostic> {
    let mut fields = schema;
    let mut found = Vec::with_capacity(name.parts.len());
    let n_parts = name.parts.len();
    for (idx, part) in name.parts.iter().enumerate() {
        let Some(field) = fields.field(&part.value) else {
            let message = format!("Unable to find the column `{name}` to cluster by.");
            return Err(Diagnostic::new("DELTA_COLUMN_NOT_FOUND_IN_SCHEMA", "42703", message, name.span())
                .with_hint("Name a column of the table, or a field of a struct column."));
        };
        found.push(field.name.clone());
        match &field.data_type {
            DataType::Struct(inner) if idx + 1 < n_parts => fields = inner,
            DataType::Struct(_)
            | DataType::Array { .. }
            | DataType::Map { .. }
            | DataType::Binary
            | DataType::Boolean => {
                let message = format!("`{name}` of type {} has no bounds to cluster by.", field.data_type.sql_name());
                let condition = "DELTA_CLUSTERING_COLUMNS_DATATYPE_NOT_SUPPORTED";
                return Err(Diagnostic::new(condition, "0AKDC", message, name.span()));
            }
            _ => {}
        }
    }
    Ok(found)
}

/// The clustering columns of a table; empty where it has none.
pub(crate) fn of(snapshot: &Snapshot) -> Vec<Vec<String>> {
    let Some(domain) = snapshot.domain_metadata().get(DOMAIN).filter(|domain| !domain.removed) else {
        return Vec::new();
    };
    let configuration: Value = serde_json::from_str(&domain.configuration).unwrap_or_default();
    let paths = configuration["clusteringColumns"].as_array().into_iter().flatten();
    let parts = |path: &Value| -> Vec<String> {
        path.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    paths
        .map(|path| translated(snapshot.schema(), &parts(path), StructField::physical_name, |field| &field.name))
        .collect()
}

/// A path in other words: each part is a field's `known` name and becomes its `wanted` one. What is not found stays.
fn translated(
    schema: &StructType,
    path: &[String],
    known: impl Fn(&StructField) -> &str,
    wanted: impl Fn(&StructField) -> &str,
) -> Vec<String> {
    let mut fields = Some(schema);
    let mut result = Vec::with_capacity(path.len());
    for part in path {
        let field = fields.and_then(|schema| schema.fields.iter().find(|field| known(field) == part));
        result.push(field.map_or(part.as_str(), &wanted).to_owned());
        fields = field.and_then(|field| match &field.data_type {
            DataType::Struct(inner) => Some(inner),
            _ => None,
        });
    }
    result
}

/// Whether a table has the domain, perhaps without columns.
pub(crate) fn is_clustered(snapshot: &Snapshot) -> bool {
    snapshot.domain_metadata().contains_key(DOMAIN)
}

/// The domain that a definition writes: for clustering columns, or to take those of the old table away.
pub(crate) fn domain(old: Option<&Snapshot>, schema: &StructType, columns: &[Vec<String>]) -> Option<DomainMetadata> {
    let had = old.is_some_and(is_clustered);
    (had || !columns.is_empty()).then(|| domain_of(schema, columns))
}

/// The domain for these columns, under the names that the data files have.
pub(crate) fn domain_of(schema: &StructType, columns: &[Vec<String>]) -> DomainMetadata {
    let physical = |path: &Vec<String>| translated(schema, path, |field| &field.name, StructField::physical_name);
    let columns: Vec<Vec<String>> = columns.iter().map(physical).collect();
    let configuration = json!({ "clusteringColumns": columns, "domainName": DOMAIN }).to_string();
    DomainMetadata { domain: DOMAIN.to_owned(), configuration, removed: false }
}
