//! Columns and nested fields by their path: `s.f` inside a struct, `a.element` inside an array, `m.key` and `m.value`
//! inside a map.

use delta::schema::{DataType, StructField, StructType, same_name};
use spec::Ident;

/// The fields of the struct at `path`; the columns of the table for an empty path.
pub(super) fn fields_at<'a>(schema: &'a mut StructType, path: &[Ident]) -> Option<&'a mut Vec<StructField>> {
    let Some((first, rest)) = path.split_first() else { return Some(&mut schema.fields) };
    let field = schema.fields.iter_mut().find(|field| first.is(&field.name))?;
    fields_inside(&mut field.data_type, rest)
}

fn fields_inside<'a>(data_type: &'a mut DataType, path: &[Ident]) -> Option<&'a mut Vec<StructField>> {
    match data_type {
        DataType::Struct(inner) => fields_at(inner, path),
        DataType::Array { element, .. } => {
            let (first, rest) = path.split_first()?;
            if first.is("element") { fields_inside(element, rest) } else { None }
        }
        DataType::Map { key, value, .. } => {
            let (first, rest) = path.split_first()?;
            match first {
                part if part.is("key") => fields_inside(key, rest),
                part if part.is("value") => fields_inside(value, rest),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The field of that name among `fields`.
pub(super) fn position_of(fields: &[StructField], name: &str) -> Option<usize> {
    fields.iter().position(|field| same_name(&field.name, name))
}

/// The path as the reference's messages and parameters write it.
pub(super) fn path_text(parent: &[Ident], name: &str) -> String {
    parent.iter().map(|part| format!("{}.", part.value)).chain([name.to_owned()]).collect()
}
