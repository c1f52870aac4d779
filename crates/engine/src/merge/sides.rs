//! What the reference's optimiser knows of the two sides of the join before it runs: which side is smaller, and which can
//! hold no row that meets ON. Results do not depend on it; how rows are split into files and what is counted does.

use super::bind::BoundMerge;
use delta::schema::DataType;
use query::{Bound, Column, CompareOp, Predicate, has_equality};
use std::collections::BTreeSet;

/// How large touched files are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) n_rows: u64,
    pub(crate) n_bytes: u64,
}

/// A side below this many bytes is sent to every task of the other (`spark.sql.autoBroadcastJoinThreshold`).
pub(crate) const BROADCAST_BYTES: u64 = 10 * 1024 * 1024;

/// What a row of these columns is taken to weigh, in bytes (`EstimationUtils` of Spark).
pub(crate) fn row_bytes(columns: &[Column]) -> u64 {
    8 + columns.iter().map(|column| default_bytes(&column.data_type)).sum::<u64>()
}

fn default_bytes(data_type: &DataType) -> u64 {
    match data_type {
        DataType::Boolean | DataType::Byte | DataType::Void => 1,
        DataType::Short => 2,
        DataType::Int | DataType::Float | DataType::Date => 4,
        DataType::Decimal { precision, .. } if *precision > 18 => 16,
        DataType::Long | DataType::Double | DataType::Timestamp | DataType::TimestampNtz | DataType::Decimal { .. } => {
            8
        }
        DataType::String => 20,
        DataType::Binary => 100,
        DataType::Array { element, .. } => default_bytes(element),
        DataType::Map { key, value, .. } => default_bytes(key) + default_bytes(value),
        DataType::Struct(fields) => fields.fields.iter().map(|field| default_bytes(&field.data_type)).sum(),
    }
}

/// ON with the columns of a source without FROM as the constants that they are.
fn known_on(bound: &BoundMerge) -> Bound {
    bound.on.knowing(&bound.source, bound.target.columns.len())
}

/// Whether rows of both sides can be brought together by a value that they share. A condition that no pair meets brings
/// none together.
pub(crate) fn meet_by_equality(bound: &BoundMerge) -> bool {
    !is_never(bound) && has_equality(&known_on(bound), bound.target.columns.len())
}

/// Whether ON is NULL for every pair because it compares with a constant of the source that is NULL.
pub(crate) fn compares_with_null(bound: &BoundMerge) -> bool {
    let (written, known) = (bound.on.conjuncts(), known_on(bound).conjuncts());
    written.iter().zip(&known).any(|(written, known)| !written.is_null() && known.is_null())
}

/// Whether ON is false or NULL for every pair, whatever the columns hold.
pub(crate) fn is_never(bound: &BoundMerge) -> bool {
    bound.on.conjuncts().iter().any(|conjunct| conjunct.is_null() || conjunct.is_false())
}

/// Whether no target row can meet ON, because it asks that a value differ from itself, or that a column be NULL and
/// hold something.
pub(crate) fn contradicts_itself(bound: &BoundMerge) -> bool {
    let is_target = |column: &usize| *column < bound.target.columns.len();
    let (mut null, mut held) = (BTreeSet::new(), BTreeSet::new());
    for conjunct in bound.on.conjuncts() {
        if conjunct.is_contradiction() && conjunct.columns().iter().all(is_target) {
            return true;
        }
        let predicate = conjunct.predicate();
        null.extend(asked_to_be_null(&predicate));
        // Of conditions on both sides only an equality is looked through.
        if conjunct.is_equality() || conjunct.columns().iter().all(is_target) {
            held.extend(asked_to_hold(&predicate));
        }
    }
    null.intersection(&held).any(is_target)
}

fn asked_to_be_null(predicate: &Predicate) -> Option<usize> {
    match predicate {
        Predicate::IsNull { column, path } if path.is_empty() => Some(*column),
        Predicate::Not(inner) => match inner.as_ref() {
            Predicate::IsNotNull { column, path } if path.is_empty() => Some(*column),
            _ => None,
        },
        _ => None,
    }
}

/// The columns that cannot be NULL where the predicate is true.
fn asked_to_hold(predicate: &Predicate) -> Vec<usize> {
    match predicate {
        Predicate::And(parts) => parts.iter().flat_map(asked_to_hold).collect(),
        Predicate::IsNotNull { column, path } if path.is_empty() => vec![*column],
        Predicate::Not(inner) => compared(inner),
        other => compared(other),
    }
}

/// The columns whose NULL makes a comparison NULL.
fn compared(predicate: &Predicate) -> Vec<usize> {
    match predicate {
        Predicate::Compare { op: CompareOp::NullSafeEq, .. } => Vec::new(),
        Predicate::Compare { column, path, .. }
        | Predicate::In { column, path, .. }
        | Predicate::StartsWith { column, path, .. }
            if path.is_empty() =>
        {
            vec![*column]
        }
        Predicate::NullRejecting { columns } => columns.clone(),
        _ => Vec::new(),
    }
}
