//! The left sides of assignments: which column, or which field inside one, a name stands for.

use delta::schema::{DataType, StructType};
use query::Column;
use spec::{Diagnostic, Ident, Name};

/// What a name on the left leads to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Left {
    /// A column and the struct fields behind it, spelled as they are declared.
    Path(Vec<String>),
    /// Something inside an array or a map, which cannot be assigned in part.
    InCollection,
    /// No such column or field.
    Unknown,
}

/// Finds what `name` stands for. The column may stand behind any suffix of the qualifier; the longest one wins.
pub(crate) fn left_of(qualifier: &[String], columns: &[Column], name: &Name) -> Left {
    for n_before in (0..name.parts.len()).rev() {
        let (before, rest) = name.parts.split_at(n_before);
        let Some(start) = qualifier.len().checked_sub(n_before) else { continue };
        let qualified = qualifier.iter().skip(start).zip(before).all(|(own, part)| part.is(own));
        let Some((first, fields)) = rest.split_first().filter(|_| qualified) else { continue };
        let Some(column) = columns.iter().find(|column| first.is(&column.name)) else { continue };
        return below(vec![column.name.clone()], &column.data_type, fields);
    }
    Left::Unknown
}

fn below(mut path: Vec<String>, data_type: &DataType, names: &[Ident]) -> Left {
    let Some((first, rest)) = names.split_first() else { return Left::Path(path) };
    match data_type {
        DataType::Struct(StructType { fields }) => match fields.iter().find(|field| first.is(&field.name)) {
            Some(field) => {
                path.push(field.name.clone());
                below(path, &field.data_type, rest)
            }
            None => Left::Unknown,
        },
        DataType::Array { .. } | DataType::Map { .. } => Left::InCollection,
        _ => Left::Unknown,
    }
}

/// The complaint about a name that leads into an array or a map.
pub(crate) fn in_collection(name: &Name) -> Diagnostic {
    let message =
        format!("`{name}` is inside an array or a map; updating nested fields is only supported for structs.");
    Diagnostic::new("DELTA_UNSUPPORTED_NESTED_FIELD_IN_UPDATE", "0A000", message, name.span())
        .with_hint("Assign the whole column: build the new array or map from the old one.")
}
