//! Schema evolution: the columns of a table together with those of new data.
//!
//! Existing columns keep their place, spelling and nullability; new ones are appended. Types change by widening only, and
//! only where the table allows it.

use super::widening::is_supported;
use super::{DataType, StructField, StructType, same_name};
use std::fmt;

/// Why two types cannot live in one column.
#[derive(Debug, Clone, PartialEq)]
pub struct Incompatible {
    /// The column, and the fields inside it.
    pub path: Vec<String>,
    pub current: DataType,
    pub update: DataType,
}

impl fmt::Display for Incompatible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is {}, and {} does not fit into it",
            self.path.join("."),
            self.current.sql_name(),
            self.update.sql_name()
        )
    }
}

impl StructType {
    /// These fields with those of `update` merged in. Where both have a field, its type is kept if values of the new type
    /// convert implicitly, and widened if `widen` allows it.
    ///
    /// # Errors
    /// A field whose types have nothing to do with each other.
    pub fn merged_with(&self, update: &StructType, widen: bool) -> Result<StructType, Incompatible> {
        let mut fields = Vec::with_capacity(self.fields.len());
        for field in &self.fields {
            let data_type = match update.field(&field.name) {
                None => field.data_type.clone(),
                Some(new) => merged(&field.data_type, &new.data_type, widen).map_err(|mut problem| {
                    problem.path.insert(0, field.name.clone());
                    problem
                })?,
            };
            fields.push(StructField { data_type, ..field.clone() });
        }
        let is_new = |field: &&StructField| self.field(&field.name).is_none();
        fields.extend(update.fields.iter().filter(is_new).map(as_new));
        Ok(StructType { fields })
    }

    /// The first name that stands for two fields, at any depth: names differ by more than case.
    pub fn repeated_name(&self) -> Option<&str> {
        for (idx, field) in self.fields.iter().enumerate() {
            if self.fields.iter().take(idx).any(|other| same_name(&other.name, &field.name)) {
                return Some(&field.name);
            }
            if let Some(name) = repeated_inside(&field.data_type) {
                return Some(name);
            }
        }
        None
    }
}

fn repeated_inside(data_type: &DataType) -> Option<&str> {
    match data_type {
        DataType::Struct(inner) => inner.repeated_name(),
        DataType::Array { element, .. } => repeated_inside(element),
        DataType::Map { key, value, .. } => repeated_inside(key).or_else(|| repeated_inside(value)),
        _ => None,
    }
}

/// A field that older rows do not have, so it must take NULL; the fields inside it too.
fn as_new(field: &StructField) -> StructField {
    StructField { data_type: nullable(&field.data_type), nullable: true, ..field.clone() }
}

fn nullable(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Struct(inner) => DataType::Struct(StructType { fields: inner.fields.iter().map(as_new).collect() }),
        DataType::Array { element, .. } => {
            DataType::Array { element: Box::new(nullable(element)), contains_null: true }
        }
        DataType::Map { key, value, .. } => {
            DataType::Map { key: Box::new(nullable(key)), value: Box::new(nullable(value)), value_contains_null: true }
        }
        simple => simple.clone(),
    }
}

fn merged(current: &DataType, update: &DataType, widen: bool) -> Result<DataType, Incompatible> {
    match (current, update) {
        (DataType::Struct(old), DataType::Struct(new)) => old.merged_with(new, widen).map(DataType::Struct),
        (DataType::Array { element: old, contains_null }, DataType::Array { element: new, .. }) => {
            Ok(DataType::Array { element: Box::new(merged(old, new, widen)?), contains_null: *contains_null })
        }
        (
            DataType::Map { key: old_key, value: old, value_contains_null },
            DataType::Map { key: new_key, value: new, .. },
        ) => Ok(DataType::Map {
            key: Box::new(merged(old_key, new_key, widen)?),
            value: Box::new(merged(old, new, widen)?),
            value_contains_null: *value_contains_null,
        }),
        _ if widen && is_supported(current, update) => Ok(update.clone()),
        _ if is_implicit(update, current) => Ok(current.clone()),
        (DataType::Void, _) => Ok(update.clone()),
        _ => Err(Incompatible { path: Vec::new(), current: current.clone(), update: update.clone() }),
    }
}

/// Spark's implicit casts outside of ANSI mode, which is what the reference asks whatever the session's mode is.
fn is_implicit(from: &DataType, to: &DataType) -> bool {
    use DataType as T;
    let number = |t: &T| matches!(t, T::Byte | T::Short | T::Int | T::Long | T::Float | T::Double | T::Decimal { .. });
    let instant = |t: &T| matches!(t, T::Date | T::Timestamp | T::TimestampNtz);
    let atomic = |t: &T| !matches!(t, T::Void | T::Array { .. } | T::Map { .. } | T::Struct(_));
    match (from, to) {
        _ if from == to => true,
        (T::Void, _) => true,
        (from, T::String) => atomic(from),
        (from, to) if number(from) && number(to) => true,
        (from, to) if instant(from) && instant(to) => true,
        (T::String, T::Binary) => true,
        (T::String, to) => number(to) || instant(to),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(list: &[(&str, DataType)]) -> StructType {
        StructType { fields: list.iter().map(|(name, data_type)| StructField::new(*name, data_type.clone())).collect() }
    }

    #[test]
    fn new_fields_are_appended_at_every_depth() {
        let inner = |list| DataType::Struct(fields(list));
        let old = fields(&[("k", DataType::Int), ("P", inner(&[("a", DataType::Int)]))]);
        let new = fields(&[("z", DataType::Date), ("p", inner(&[("b", DataType::Int), ("A", DataType::Long)]))]);
        let both = inner(&[("a", DataType::Int), ("b", DataType::Int)]);
        let wanted = fields(&[("k", DataType::Int), ("P", both), ("z", DataType::Date)]);
        assert_eq!(old.merged_with(&new, false), Ok(wanted));
    }

    #[test]
    fn types_are_kept_widened_or_refused() {
        let cases = [
            (DataType::Int, DataType::Long, false, Some(DataType::Int)),
            (DataType::Int, DataType::Long, true, Some(DataType::Long)),
            (DataType::Long, DataType::Int, true, Some(DataType::Long)),
            (DataType::String, DataType::Boolean, true, Some(DataType::String)),
            (DataType::Boolean, DataType::String, true, None),
            (DataType::Int, DataType::Boolean, true, None),
            (DataType::Date, DataType::Int, false, None),
            (DataType::Binary, DataType::String, false, Some(DataType::Binary)),
            (DataType::Int, DataType::Void, false, Some(DataType::Int)),
        ];
        for (old, new, widen, wanted) in cases {
            let found = fields(&[("c", old.clone())]).merged_with(&fields(&[("C", new.clone())]), widen);
            let found = found.ok().map(|schema| schema.fields[0].data_type.clone());
            assert_eq!(found, wanted, "{old:?} with {new:?}");
        }
    }
}
