//! Schema evolution: the target's columns as the statement leaves them.
//!
//! What is new is decided by names alone: source columns, or fields inside them, that some MATCHED or NOT MATCHED clause
//! assigns. Which value is assigned does not matter.

use crate::env::Env;
use crate::target::Target;
use delta::schema::{DataType, Incompatible, StructField, StructType, same_name};
use query::Column;
use spec::{Diagnostic, Span};

/// The target with the columns it gets; `None` where it stays as it is.
///
/// # Errors
/// `DELTA_FAILED_TO_MERGE_FIELDS` where a column and the source column of the same name have unrelated types;
/// `DELTA_DUPLICATE_COLUMNS_FOUND.DATA` where two source columns have one name.
pub(crate) fn evolved(
    env: &Env,
    target: &Target,
    assigned: &[Vec<String>],
    source: &[Column],
    span: Span,
) -> Result<Option<Target>, Diagnostic> {
    let source = StructType {
        fields: source.iter().map(|column| StructField::new(&column.name, column.data_type.clone())).collect(),
    };
    let part = assigned_part(&source, &[], assigned);
    if let Some(name) = part.repeated_name() {
        return Err(repeated(name, span));
    }
    let is_new_void =
        |field: &&StructField| field.data_type == DataType::Void && target.schema().field(&field.name).is_none();
    if let Some(field) = part.fields.iter().find(is_new_void) {
        let message = format!("Cannot add column `{}` with type VOID.", field.name);
        return Err(Diagnostic::new("DELTA_MERGE_ADD_VOID_COLUMN", "42K09", message, span)
            .with_hint("Give the NULL a type: CAST(NULL AS STRING)."));
    }
    let merged = target.schema().merged_with(&part, target.widens());
    let merged = merged.map_err(|problem| failed_to_merge(&problem, span))?;
    let is_stuck = |field: &&StructField| {
        target.schema().field(&field.name).is_some_and(|old| !can_grow(&old.data_type, &field.data_type))
    };
    if let Some(field) = merged.fields.iter().find(is_stuck) {
        let message = format!("The old values of `{}` cannot be cast to {}.", field.name, field.data_type.sql_name());
        return Err(Diagnostic::new("DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION", "42K09", message, span)
            .with_hint("Cast the source column to the type that the table has."));
    }
    target.with_schema(env, &merged)
}

/// Whether old values can be read as the new type: the reference takes structs apart where they stand in a struct, a map
/// or directly in an array, and casts anything else as it is.
fn can_grow(old: &DataType, new: &DataType) -> bool {
    match (old, new) {
        (DataType::Struct(old), DataType::Struct(new)) => old
            .fields
            .iter()
            .all(|field| new.field(&field.name).is_none_or(|other| can_grow(&field.data_type, &other.data_type))),
        (DataType::Array { element: old, .. }, DataType::Array { element: new, .. }) => match (&**old, &**new) {
            (DataType::Struct(_), DataType::Struct(_)) => can_grow(old, new),
            (old, new) => old == new || !has_struct(old),
        },
        (DataType::Map { key, value, .. }, DataType::Map { key: new_key, value: new_value, .. }) => {
            can_grow(key, new_key) && can_grow(value, new_value)
        }
        _ => true,
    }
}

fn has_struct(data_type: &DataType) -> bool {
    match data_type {
        DataType::Struct(_) => true,
        DataType::Array { element, .. } => has_struct(element),
        DataType::Map { key, value, .. } => has_struct(key) || has_struct(value),
        _ => false,
    }
}

/// The fields of the source that are assigned, whole or in part.
fn assigned_part(source: &StructType, above: &[String], assigned: &[Vec<String>]) -> StructType {
    let mut fields = Vec::new();
    for field in &source.fields {
        let mut path = above.to_vec();
        path.push(field.name.clone());
        let under = |assigned: &&Vec<String>| {
            assigned.len() >= path.len() && path.iter().zip(assigned.iter()).all(|(left, right)| same_name(left, right))
        };
        if assigned.iter().filter(under).any(|assigned| assigned.len() == path.len()) {
            fields.push(field.clone());
        } else if let DataType::Struct(inner) = &field.data_type
            && assigned.iter().any(|assigned| under(&assigned))
        {
            let data_type = DataType::Struct(assigned_part(inner, &path, assigned));
            fields.push(StructField { data_type, ..field.clone() });
        }
    }
    StructType { fields }
}

/// The complaint about data in which two columns have one name.
pub(crate) fn repeated(name: &str, span: Span) -> Diagnostic {
    let message = format!("Found duplicate column(s) in the data to save: {}.", name.to_lowercase());
    Diagnostic::new("DELTA_DUPLICATE_COLUMNS_FOUND.DATA", "42711", message, span)
}

fn failed_to_merge(problem: &Incompatible, span: Span) -> Diagnostic {
    let message = format!("Failed to merge fields: {problem}.");
    Diagnostic::new("DELTA_FAILED_TO_MERGE_FIELDS", "22005", message, span).with_hint(
        "With schema evolution a source column must convert implicitly to the target column of the same name, even where \
         another value is assigned. Cast it in the source query, or give it another name there.",
    )
}
