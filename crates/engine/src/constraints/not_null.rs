//! NOT NULL, of columns and of fields inside structs.

use super::null_rows;
use super::violation::sample;
use arrow::array::{ArrayRef, AsArray};
use arrow::record_batch::RecordBatch;
use delta::schema::{DataType, StructType};
use spec::Diagnostic;

/// A column or nested field that takes no NULL.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NotNull {
    /// Positions: of the column, then of the field in each struct on the way.
    places: Vec<usize>,
    /// Names, joined by dots.
    pub(super) path: String,
}

/// The NOT NULL rules of a schema. Fields inside arrays and maps have none.
pub(super) fn of(schema: &StructType) -> Vec<NotNull> {
    let mut rules = Vec::new();
    collect(schema, &[], "", &mut rules);
    rules
}

fn collect(schema: &StructType, places: &[usize], path: &str, rules: &mut Vec<NotNull>) {
    for (idx, field) in schema.fields.iter().enumerate() {
        let places = [places, &[idx]].concat();
        let path = if path.is_empty() { field.name.clone() } else { format!("{path}.{}", field.name) };
        if !field.nullable {
            rules.push(NotNull { places: places.clone(), path: path.clone() });
        }
        if let DataType::Struct(inner) = &field.data_type {
            collect(inner, &places, &path, rules);
        }
    }
}

impl NotNull {
    /// The rows that have NULL there; a NULL on the way counts, for the field is NULL then too.
    pub(super) fn failing(&self, rows: &RecordBatch) -> Vec<u64> {
        let Some((first, inner)) = self.places.split_first() else { return Vec::new() };
        let mut failing = Vec::new();
        let mut column: Option<ArrayRef> = rows.columns().get(*first).cloned();
        let mut inner = inner.iter();
        while let Some(array) = column {
            failing.extend(null_rows(&array));
            column =
                inner.next().and_then(|idx| array.as_struct_opt().and_then(|array| array.columns().get(*idx).cloned()));
        }
        failing.sort_unstable();
        failing.dedup();
        failing
    }
}

/// The complaint about rows that have NULL where none may be.
pub(super) fn violated(path: &str, schema: &StructType, rows: &RecordBatch, failing: &[u64]) -> Diagnostic {
    let n_rows = failing.len();
    let message = format!("NOT NULL constraint violated for column: {path}. {n_rows} row(s) would have NULL there.");
    let mut problem = Diagnostic::new("DELTA_NOT_NULL_CONSTRAINT_VIOLATED", "23502", message, None)
        .with_hint("Only rows that are written are checked; give the column a value, for instance with coalesce.");
    problem.rows.push(sample(schema, rows, failing));
    problem
}
