//! Store assignment: the cast of a value to the type of the column it is written to.

use super::{Mode, Rules, castable_columns, converted, uncastable};
use crate::error::Complaint;
use crate::functions::udf;
use crate::ops::can_up_cast;
use crate::session::{Session, StoreAssignment};
use crate::typed::{SqlType, Typed};
use delta::schema::DataType;

/// The statement that writes the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssignKind {
    Merge,
    Insert,
    Update,
}

/// The value as the target column takes it, by the session's store assignment policy.
///
/// # Errors
/// Types without a cast, struct fields that differ (`DELTA_UPDATE_SCHEMA_MISMATCH_EXPRESSION`), and under STRICT
/// every cast that could lose something (`CANNOT_UP_CAST_DATATYPE`). Values that do not fit fail when they are
/// computed.
pub(crate) fn assign(session: &Session, value: Typed, to: &DataType, kind: AssignKind) -> Result<Typed, Complaint> {
    let target = SqlType::from(to.clone());
    if value.data_type == target {
        return Ok(value);
    }
    let policy = session.settings().store_assignment;
    let by_name = kind != AssignKind::Insert;
    if by_name && let Some(from) = value.data_type.column() {
        same_fields(from, to)?;
    }
    let mode = match policy {
        StoreAssignment::Ansi => Mode::Ansi,
        StoreAssignment::Legacy => Mode::Legacy,
        StoreAssignment::Strict if can_up_cast(&value.data_type, &target) => Mode::Ansi,
        StoreAssignment::Strict => return Err(cannot_up_cast(&value.data_type, &target)),
    };
    let possible = match value.data_type.column() {
        Some(from) => castable_columns(&aligned(from, to, by_name), to, mode),
        None => target.is_string(),
    };
    if !possible {
        return Err(uncastable(&value.data_type, &target));
    }
    let may_overflow = mode == Mode::Ansi && has_bounded_number(to) && !can_up_cast(&value.data_type, &target);
    let mut cast = converted(value, &target, Rules { mode, by_name });
    if may_overflow {
        cast.expr = udf::replacing_arithmetic_errors(cast.expr, &table_overflow(&target, kind));
    }
    Ok(cast)
}

fn table_overflow(to: &SqlType, kind: AssignKind) -> Complaint {
    let condition = match kind {
        AssignKind::Insert => "CAST_OVERFLOW_IN_TABLE_INSERT",
        AssignKind::Merge | AssignKind::Update => "DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",
    };
    let message = format!("A value does not fit into a column of type {}.", to.spark_name());
    Complaint::new(condition, "22003", message)
}

fn cannot_up_cast(from: &SqlType, to: &SqlType) -> Complaint {
    let (from, to) = (from.spark_name(), to.spark_name());
    let message = format!("A value of type {from} may not fit into {to}, and the STRICT policy refuses such casts.");
    Complaint::new("CANNOT_UP_CAST_DATATYPE", "42846", message).with_hint("Write the CAST yourself.")
}

/// Delta's overflow guard surrounds casts to types with a whole number or decimal inside.
fn has_bounded_number(data_type: &DataType) -> bool {
    match data_type {
        DataType::Byte | DataType::Short | DataType::Int | DataType::Long | DataType::Decimal { .. } => true,
        DataType::Array { element, .. } => has_bounded_number(element),
        DataType::Map { key, value, .. } => has_bounded_number(key) || has_bounded_number(value),
        DataType::Struct(fields) => fields.fields.iter().any(|field| has_bounded_number(&field.data_type)),
        _ => false,
    }
}

/// Structs on both sides have the same field names, in any order and case, at every depth.
fn same_fields(from: &DataType, to: &DataType) -> Result<(), Complaint> {
    match (from, to) {
        (DataType::Struct(old), DataType::Struct(new)) => {
            for field in &new.fields {
                let same = old.fields.iter().find(|old| old.name.eq_ignore_ascii_case(&field.name));
                match same {
                    Some(old) => same_fields(&old.data_type, &field.data_type)?,
                    None => return Err(fields_differ(&format!("the value has no field `{}`", field.name))),
                }
            }
            let extra = old
                .fields
                .iter()
                .find(|old| !new.fields.iter().any(|field| field.name.eq_ignore_ascii_case(&old.name)));
            match extra {
                Some(extra) => Err(fields_differ(&format!("the column has no field `{}`", extra.name))),
                None => Ok(()),
            }
        }
        (DataType::Array { element: from, .. }, DataType::Array { element: to, .. }) => same_fields(from, to),
        (DataType::Map { key: from_key, value: from, .. }, DataType::Map { key, value, .. }) => {
            same_fields(from_key, key)?;
            same_fields(from, value)
        }
        _ => Ok(()),
    }
}

fn fields_differ(what: &str) -> Complaint {
    let message = format!("The fields of the struct do not match the column: {what}.");
    Complaint::new("DELTA_UPDATE_SCHEMA_MISMATCH_EXPRESSION", "42846", message)
}

/// `from` with its struct fields in the order of `to`, for the positional check.
fn aligned(from: &DataType, to: &DataType, by_name: bool) -> DataType {
    match (from, to) {
        (DataType::Struct(old), DataType::Struct(new)) if by_name => {
            let mut result = old.clone();
            result.fields.sort_by_key(|field| {
                new.fields.iter().position(|new| new.name.eq_ignore_ascii_case(&field.name)).unwrap_or(usize::MAX)
            });
            for (field, target) in result.fields.iter_mut().zip(&new.fields) {
                field.data_type = aligned(&field.data_type, &target.data_type, by_name);
            }
            DataType::Struct(result)
        }
        (DataType::Array { element: old, .. }, DataType::Array { element: new, .. }) => {
            let mut result = from.clone();
            if let DataType::Array { element, .. } = &mut result {
                **element = aligned(old, new, by_name);
            }
            result
        }
        (DataType::Map { value: old, .. }, DataType::Map { value: new, .. }) => {
            let mut result = from.clone();
            if let DataType::Map { value, .. } = &mut result {
                **value = aligned(old, new, by_name);
            }
            result
        }
        _ => from.clone(),
    }
}
