//! Type widening (PROTOCOL.md, Type Widening): which changes keep every value, and how the schema remembers them.

use super::{DataType, StructType};
use serde_json::{Map, Value};

/// The field metadata that lists the changes of a column's type, oldest first.
pub const TYPE_CHANGES: &str = "delta.typeChanges";

/// Whether a column of type `from` may be declared `to`: older files are read as the wider type.
pub fn is_supported(from: &DataType, to: &DataType) -> bool {
    use DataType as T;
    match (from, to) {
        _ if from == to => true,
        _ if is_whole(from) && is_whole(to) => size(from) <= size(to),
        (T::Float, T::Double) => true,
        (T::Byte | T::Short | T::Int, T::Double) => true,
        (T::Date, T::TimestampNtz) => true,
        (T::Decimal { .. }, T::Decimal { .. }) => is_wider(digits(from), digits(to)),
        (T::Byte | T::Short | T::Int, T::Decimal { .. }) => is_wider((10, 0), digits(to)),
        (T::Long, T::Decimal { .. }) => is_wider((20, 0), digits(to)),
        _ => false,
    }
}

/// `new` with every change of a type since `old` noted in the metadata of its field.
pub fn with_type_changes(new: &StructType, old: &StructType) -> StructType {
    let mut fields = new.fields.clone();
    for field in &mut fields {
        let Some(before) = old.field(&field.name) else { continue };
        let mut changes = Vec::new();
        field.data_type = noted(&field.data_type, &before.data_type, &mut Vec::new(), &mut changes);
        if changes.is_empty() {
            continue;
        }
        let earlier = field.metadata.get(TYPE_CHANGES).and_then(Value::as_array).cloned().unwrap_or_default();
        let all = earlier.into_iter().chain(changes).collect();
        field.metadata.insert(TYPE_CHANGES.to_owned(), Value::Array(all));
    }
    StructType { fields }
}

/// Collects the changes inside arrays and maps; structs keep those of their own fields.
fn noted(new: &DataType, old: &DataType, path: &mut Vec<&'static str>, changes: &mut Vec<Value>) -> DataType {
    let mut inside = |step, new: &DataType, old: &DataType, changes: &mut Vec<Value>| {
        path.push(step);
        let data_type = noted(new, old, path, changes);
        path.pop();
        Box::new(data_type)
    };
    match (new, old) {
        (DataType::Struct(new), DataType::Struct(old)) => DataType::Struct(with_type_changes(new, old)),
        (DataType::Array { element, contains_null }, DataType::Array { element: old, .. }) => {
            DataType::Array { element: inside("element", element, old, changes), contains_null: *contains_null }
        }
        (DataType::Map { key, value, value_contains_null }, DataType::Map { key: old_key, value: old_value, .. }) => {
            DataType::Map {
                key: inside("key", key, old_key, changes),
                value: inside("value", value, old_value, changes),
                value_contains_null: *value_contains_null,
            }
        }
        _ => {
            if new != old && is_supported(old, new) {
                changes.push(change(old, new, path));
            }
            new.clone()
        }
    }
}

fn change(from: &DataType, to: &DataType, path: &[&str]) -> Value {
    let mut entry = Map::from_iter([("toType".to_owned(), to.to_value()), ("fromType".to_owned(), from.to_value())]);
    if !path.is_empty() {
        entry.insert("fieldPath".to_owned(), Value::String(path.join(".")));
    }
    Value::Object(entry)
}

fn is_whole(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Byte | DataType::Short | DataType::Int | DataType::Long)
}

fn size(data_type: &DataType) -> u8 {
    match data_type {
        DataType::Byte => 1,
        DataType::Short => 2,
        DataType::Int => 4,
        _ => 8,
    }
}

/// Precision and scale.
fn digits(data_type: &DataType) -> (i16, i16) {
    match data_type {
        DataType::Decimal { precision, scale } => (i16::from(*precision), i16::from(*scale)),
        _ => (0, 0),
    }
}

/// Neither the digits before the point nor those after it become fewer.
fn is_wider((from_precision, from_scale): (i16, i16), (precision, scale): (i16, i16)) -> bool {
    precision - scale >= from_precision - from_scale && scale >= from_scale
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::StructField;

    fn one(data_type: DataType) -> StructType {
        StructType { fields: vec![StructField::new("c", data_type)] }
    }

    #[test]
    fn changes_are_noted_where_they_happen() {
        let array = |element: DataType| DataType::Array { element: Box::new(element), contains_null: true };
        let first = with_type_changes(&one(DataType::Int), &one(DataType::Byte));
        let mut second = first.clone();
        second.fields[0].data_type = DataType::Long;
        let second = with_type_changes(&second, &first);
        let noted = second.fields[0].metadata[TYPE_CHANGES].to_string();
        assert!(noted.contains("byte") && noted.contains("long") && noted.matches("fromType").count() == 2, "{noted}");

        let inside = with_type_changes(&one(array(DataType::Long)), &one(array(DataType::Int)));
        assert_eq!(inside.fields[0].metadata[TYPE_CHANGES][0]["fieldPath"], "element");

        let nested = |data_type| one(DataType::Struct(one(data_type)));
        let nested = with_type_changes(&nested(DataType::Double), &nested(DataType::Float));
        assert!(nested.fields[0].metadata.is_empty());
        let DataType::Struct(inner) = &nested.fields[0].data_type else { panic!("a struct") };
        assert_eq!(inner.fields[0].metadata[TYPE_CHANGES][0]["toType"], "double");
    }

    #[test]
    fn decimals_keep_both_sides_of_the_point() {
        let decimal = |precision, scale| DataType::Decimal { precision, scale };
        assert!(is_supported(&decimal(5, 2), &decimal(10, 3)));
        assert!(!is_supported(&decimal(5, 2), &decimal(5, 3)));
        assert!(is_supported(&DataType::Int, &decimal(10, 0)));
        assert!(is_supported(&DataType::Int, &decimal(12, 2)));
        assert!(!is_supported(&DataType::Int, &decimal(11, 2)));
    }
}
