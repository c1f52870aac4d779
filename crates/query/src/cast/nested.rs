//! Conversions of arrays, maps and structs: their parts are converted one by one.

use super::{Rules, convert};
use crate::typed::SqlType;
use arrow::array::{Array, ArrayRef, AsArray, ListArray, MapArray, StructArray};
use arrow::datatypes::DataType as ArrowType;
use datafusion::common::Result;
use delta::schema::DataType;
use std::sync::Arc;

/// The converted array; `None` where the pair is not convertible.
pub(crate) fn to_nested(array: &ArrayRef, from: &DataType, to: &DataType, rules: Rules) -> Result<Option<ArrayRef>> {
    let arrow = SqlType::from(to.clone()).arrow();
    Ok(Some(match (from, to, &arrow) {
        (DataType::Array { element: old, .. }, DataType::Array { element: new, .. }, ArrowType::List(field)) => {
            let list = array.as_list::<i32>();
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
                let source = match rules.by_name {
                    true => old.fields.iter().position(|old| old.name.eq_ignore_ascii_case(&field.name)),
                    false => Some(idx),
                };
                let Some((source, old)) = source.and_then(|at| Some((structs.columns().get(at)?, old.fields.get(at)?)))
                else {
                    return Ok(None);
                };
                columns.push(part(source, &old.data_type, &field.data_type, rules)?);
            }
            let nulls = structs.nulls().cloned();
            Arc::new(StructArray::try_new_with_length(fields.clone(), columns, nulls, structs.len())?)
        }
        _ => return Ok(None),
    }))
}

fn part(array: &ArrayRef, from: &DataType, to: &DataType, rules: Rules) -> Result<ArrayRef> {
    convert(array, &from.clone().into(), &to.clone().into(), rules)
}
