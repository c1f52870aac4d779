//! Whether changes of an older version can be read with a newer schema; pure.
//!
//! Columns may have been added since. A column that is gone, has another type or is spelled otherwise would give rows
//! that never were; so would one that was dropped and added again, and one that is NOT NULL now and was not then.

use delta::schema::{DataType, StructField, StructType, same_name};

/// Whether rows of `old` can be read as rows of `new`.
pub(super) fn can_read(old: &StructType, new: &StructType) -> bool {
    old.fields.iter().all(|old| new.fields.iter().any(|new| same_name(&old.name, &new.name) && is_kept(old, new)))
}

fn is_kept(old: &StructField, new: &StructField) -> bool {
    let is_same = old.name == new.name && old.physical_name() == new.physical_name();
    is_same && (new.nullable || !old.nullable) && same_type(&old.data_type, &new.data_type)
}

fn same_type(old: &DataType, new: &DataType) -> bool {
    match (old, new) {
        (DataType::Struct(old), DataType::Struct(new)) => can_read(old, new),
        (
            DataType::Array { element: old, contains_null: old_null },
            DataType::Array { element: new, contains_null: new_null },
        ) => (*new_null || !old_null) && same_type(old, new),
        (
            DataType::Map { key: old_key, value: old, value_contains_null: old_null },
            DataType::Map { key: new_key, value: new, value_contains_null: new_null },
        ) => (*new_null || !old_null) && same_type(old_key, new_key) && same_type(old, new),
        (old, new) => old == new,
    }
}
