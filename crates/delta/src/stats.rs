//! File statistics: collected on write, read back for pruning (PROTOCOL.md, Per-file Statistics). The text is
//! byte-equal to the reference's, and a bound is never tighter than the values.

mod bounds;
pub(crate) mod chunk;
mod collect;
mod indexed;
mod json;

use crate::scalar::Scalar;
use crate::schema::{DataType, StructField, StructType, same_name};

pub use collect::StatsCollector;
pub use indexed::IndexedColumns;
pub use json::with_wide_bounds;

/// The statistics of one data file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileStats {
    /// Physical rows, deleted ones included.
    pub num_records: i64,
    /// Written only in tables with deletion vectors.
    pub tight_bounds: Option<bool>,
    /// One entry per indexed leaf column, in schema order.
    pub columns: Vec<LeafStats>,
}

/// The statistics of one leaf column. Arrays and maps count as leaves.
#[derive(Debug, Clone, PartialEq)]
pub struct LeafStats {
    /// Field names from the top-level column down.
    pub path: Vec<String>,
    /// The same by physical names, as the statistics spell it.
    pub stored_path: Vec<String>,
    pub data_type: DataType,
    pub min: Option<Scalar>,
    pub max: Option<Scalar>,
    pub nulls: Option<i64>,
}

/// What pruning needs to know of a column. A bound that is absent is unknown, or the column is all NULL.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnStats {
    pub min: Option<Scalar>,
    pub max: Option<Scalar>,
    pub nulls: Option<i64>,
}

impl FileStats {
    /// The statistics of a leaf column, by its names without regard to case; `None` if it is not indexed, and for
    /// arrays and maps, since writers do not agree on what their NULL count counts.
    pub fn column<S: AsRef<str>>(&self, path: &[S]) -> Option<ColumnStats> {
        let is_same = |leaf: &&LeafStats| {
            leaf.path.len() == path.len()
                && leaf.path.iter().zip(path).all(|(left, right)| same_name(left, right.as_ref()))
        };
        let leaf = self.columns.iter().find(is_same)?;
        if matches!(leaf.data_type, DataType::Array { .. } | DataType::Map { .. }) {
            return None;
        }
        Some(ColumnStats { min: leaf.min.clone(), max: leaf.max.clone(), nulls: leaf.nulls })
    }
}

/// How many physical rows the statistics of a file name.
pub fn num_records(json: &str) -> Option<i64> {
    serde_json::from_str::<serde_json::Value>(json).ok()?.get("numRecords")?.as_i64()
}

/// Whether a column, or a field in it, is among the leaf columns that get statistics.
pub fn is_indexed<S: AsRef<str>>(data_schema: &StructType, indexed: &IndexedColumns, path: &[S]) -> bool {
    let mut leaves = leaves(data_schema);
    indexed.keep(&mut leaves);
    let leads_to = |leaf: &LeafStats| {
        leaf.path.len() >= path.len() && leaf.path.iter().zip(path).all(|(left, right)| same_name(left, right.as_ref()))
    };
    leaves.iter().any(|(_, leaf)| leads_to(leaf))
}

/// Whether the reference keeps a minimum and a maximum for a type.
pub fn has_bounds(data_type: &DataType) -> bool {
    !matches!(
        data_type,
        DataType::Boolean
            | DataType::Binary
            | DataType::Void
            | DataType::Array { .. }
            | DataType::Map { .. }
            | DataType::Struct(_)
    )
}

// The leaf columns in schema order, with the positions that lead to them.
fn leaves(schema: &StructType) -> Vec<(Vec<usize>, LeafStats)> {
    let mut found = Vec::new();
    add_leaves(schema, &[], &mut Vec::new(), &mut found);
    found
}

fn add_leaves<'a>(
    schema: &'a StructType,
    positions: &[usize],
    parents: &mut Vec<&'a StructField>,
    found: &mut Vec<(Vec<usize>, LeafStats)>,
) {
    for (position, field) in schema.fields.iter().enumerate() {
        let positions = [positions, &[position]].concat();
        parents.push(field);
        match &field.data_type {
            DataType::Struct(inner) => add_leaves(inner, &positions, parents, found),
            data_type => {
                let path = parents.iter().map(|parent| parent.name.clone()).collect();
                let stored_path = parents.iter().map(|parent| parent.physical_name().to_owned()).collect();
                let data_type = data_type.clone();
                found.push((positions, LeafStats { path, stored_path, data_type, min: None, max: None, nulls: None }));
            }
        }
        parents.pop();
    }
}
