//! Conversions of arrays, maps and structs: their parts are converted one by one.

use super::{Rules, Structs, convert};
use crate::error::Complaint;
use crate::typed::SqlType;
use arrow::array::{Array, ArrayRef, AsArray, ListArray, MapArray, StructArray, new_null_array};
use arrow::buffer::NullBuffer;
use arrow::compute::kernels::nullif::nullif;
use arrow::datatypes::{DataType as ArrowType, Fields};
use datafusion::common::Result;
use delta::schema::{DataType, StructType, same_name};
use std::sync::Arc;

/// The converted array; `None` where the pair is not convertible.
pub(crate) fn to_nested(array: &ArrayRef, from: &DataType, to: &DataType, rules: Rules) -> Result<Option<ArrayRef>> {
    let arrow = SqlType::from(to.clone()).arrow();
    Ok(Some(match (from, to, &arrow) {
        (DataType::Array { element: old, .. }, DataType::Array { element: new, .. }, ArrowType::List(field)) => {
            let list = array.as_list::<i32>();
            // The reference takes structs apart that stand directly in an array, and casts anything else as it is.
            let direct = matches!(**new, DataType::Struct(_));
            let rules = if direct { rules } else { Rules { structs: Structs::Positional, ..rules } };
            let items = part(list.values(), old, new, rules)?;
            let nulls = list.nulls().cloned();
            Arc::new(ListArray::try_new(Arc::clone(field), list.offsets().clone(), items, nulls)?)
        }
        (
            DataType::Map { key: old_key, value: old_value, .. },
            DataType::Map { key, value, .. },
            ArrowType::Map(field, sorted),
        ) => {
            let map = array.as_map();
            let ArrowType::Struct(fields) = field.data_type() else { return Ok(None) };
            let columns = vec![part(map.keys(), old_key, key, rules)?, part(map.values(), old_value, value, rules)?];
            let entries = StructArray::try_new(fields.clone(), columns, None)?;
            let nulls = map.nulls().cloned();
            Arc::new(MapArray::try_new(Arc::clone(field), map.offsets().clone(), entries, nulls, *sorted)?)
        }
        (DataType::Struct(old), DataType::Struct(new), ArrowType::Struct(fields)) => {
            let structs = array.as_struct();
            let mut columns = Vec::with_capacity(new.fields.len());
            for (idx, field) in new.fields.iter().enumerate() {
                let source = match rules.structs {
                    Structs::Positional => Some(idx),
                    Structs::Named | Structs::NamedOrNull => {
                        old.fields.iter().position(|old| same_name(&old.name, &field.name))
                    }
                };
                let source = source.and_then(|at| Some((structs.columns().get(at)?, old.fields.get(at)?)));
                columns.push(match source {
                    Some((source, old)) => part(source, &old.data_type, &field.data_type, rules)?,
                    None if rules.structs == Structs::NamedOrNull => {
                        new_null_array(&field.data_type.to_arrow(), structs.len())
                    }
                    None => return Ok(None),
                });
            }
            structure(fields, columns, structs.nulls().cloned(), structs.len())?
        }
        _ => return Ok(None),
    }))
}

/// A struct of these fields.
///
/// # Errors
/// NULL in a field that is declared NOT NULL.
pub(crate) fn structure(
    fields: &Fields,
    columns: Vec<ArrayRef>,
    nulls: Option<NullBuffer>,
    len: usize,
) -> Result<ArrayRef> {
    for (field, column) in fields.iter().zip(&columns) {
        let is_lacking = |row: usize| column.is_null(row) && nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row));
        if !field.is_nullable() && column.null_count() > 0 && (0..len).any(is_lacking) {
            let message = format!("NOT NULL constraint violated for the field {}.", field.name());
            return Err(Complaint::new("DELTA_NOT_NULL_CONSTRAINT_VIOLATED", "23502", message).into());
        }
    }
    Ok(Arc::new(StructArray::try_new_with_length(fields.clone(), columns, nulls, len)?))
}

/// The converted structs, where fields that the new values lack keep what `old` has in them: `UPDATE SET *` with schema
/// evolution. `old` is of type `to`.
pub(crate) fn over(array: &ArrayRef, old: &ArrayRef, from: &DataType, to: &DataType, rules: Rules) -> Result<ArrayRef> {
    let (DataType::Struct(source), DataType::Struct(target)) = (from, to) else { return part(array, from, to, rules) };
    if same_shape(from, to) {
        return part(array, from, to, rules);
    }
    let ArrowType::Struct(fields) = to.to_arrow() else { return part(array, from, to, rules) };
    let (new_structs, old_structs) = (array.as_struct(), old.as_struct());
    let mut columns = Vec::with_capacity(target.fields.len());
    for (idx, field) in target.fields.iter().enumerate() {
        let kept = below(old_structs, idx)?;
        let found = source.fields.iter().position(|other| same_name(&other.name, &field.name));
        columns.push(match found.and_then(|at| Some((at, source.fields.get(at)?))) {
            Some((at, other)) => over(&below(new_structs, at)?, &kept, &other.data_type, &field.data_type, rules)?,
            None => kept,
        });
    }
    let nulls = match (new_structs.nulls(), old_structs.nulls()) {
        // A struct that is gone on both sides stays NULL; one with something to keep does not.
        (Some(new), Some(old)) if keeps_fields(source, target) => {
            Some(NullBuffer::from_iter((0..array.len()).map(|row| new.is_valid(row) || old.is_valid(row))))
        }
        (Some(_), None) if keeps_fields(source, target) => None,
        (nulls, _) => nulls.cloned(),
    };
    structure(&fields, columns, nulls, array.len())
}

/// The field at `idx`, NULL wherever the struct is.
fn below(structs: &StructArray, idx: usize) -> Result<ArrayRef> {
    let values = structs.column(idx);
    match structs.nulls() {
        Some(nulls) if nulls.null_count() > 0 => {
            Ok(nullif(values, &arrow::array::BooleanArray::new(!nulls.inner(), None))?)
        }
        _ => Ok(Arc::clone(values)),
    }
}

/// Whether the column has a field, at any depth of structs, that the new value lacks.
fn keeps_fields(source: &StructType, target: &StructType) -> bool {
    target.fields.iter().any(|field| {
        match source.field(&field.name).map(|other| (&other.data_type, &field.data_type)) {
            None => true,
            Some((DataType::Struct(source), DataType::Struct(target))) => keeps_fields(source, target),
            Some(_) => false,
        }
    })
}

/// The same fields in the same order with the same types; case and nullability do not count.
fn same_shape(left: &DataType, right: &DataType) -> bool {
    left.spark_name().eq_ignore_ascii_case(&right.spark_name())
}

fn part(array: &ArrayRef, from: &DataType, to: &DataType, rules: Rules) -> Result<ArrayRef> {
    convert(array, &from.clone().into(), &to.clone().into(), rules)
}
