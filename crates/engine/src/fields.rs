//! The fields of inserted data beside those of the table: too few, too many, or new ones that the table takes over.
//!
//! INSERT matches struct fields the way it matches columns: by position, or by name after BY NAME.

use delta::schema::widening::is_supported;
use delta::schema::{DataType, StructField, StructType, same_name};
use spec::{Diagnostic, Name, Span};

/// How inserted data meets the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meeting<'a> {
    pub(crate) table: &'a Name,
    pub(crate) by_name: bool,
    /// New columns and fields are added to the table.
    pub(crate) evolves: bool,
    /// Types of the table may be widened.
    pub(crate) widens: bool,
    pub(crate) span: Span,
}

impl Meeting<'_> {
    /// The type of a table column after data of type `from` is written to it.
    ///
    /// # Errors
    /// Struct fields that are missing, or too many where the table does not evolve.
    pub(crate) fn column(&self, name: &str, to: &DataType, from: &DataType) -> Result<DataType, Diagnostic> {
        Ok(match (to, from) {
            (DataType::Struct(old), DataType::Struct(new)) => DataType::Struct(self.fields(name, old, new)?),
            // By position only structs themselves are taken apart; what is inside arrays and maps is cast as it is.
            (DataType::Array { element: old, contains_null }, DataType::Array { element: new, .. }) if self.by_name => {
                DataType::Array { element: Box::new(self.column(name, old, new)?), contains_null: *contains_null }
            }
            (
                DataType::Map { key, value, value_contains_null },
                DataType::Map { key: new_key, value: new_value, .. },
            ) if self.by_name => DataType::Map {
                key: Box::new(self.column(name, key, new_key)?),
                value: Box::new(self.column(name, value, new_value)?),
                value_contains_null: *value_contains_null,
            },
            _ if self.evolves && self.widens && is_supported(to, from) => from.clone(),
            _ => to.clone(),
        })
    }

    fn fields(&self, name: &str, old: &StructType, new: &StructType) -> Result<StructType, Diagnostic> {
        let find = |idx: usize, field: &StructField| match self.by_name {
            true => new.fields.iter().position(|other| same_name(&other.name, &field.name)),
            false => Some(idx).filter(|idx| *idx < new.fields.len()),
        };
        let places: Vec<Option<usize>> = old.fields.iter().enumerate().map(|(idx, field)| find(idx, field)).collect();
        if new.fields.len() < old.fields.len() {
            let message = format!(
                "Cannot write to `{}`: the struct `{name}` has {} fields, but the data has {}.",
                self.table,
                old.fields.len(),
                new.fields.len()
            );
            return Err(Diagnostic::new("DELTA_INSERT_COLUMN_ARITY_MISMATCH", "42802", message, self.span)
                .with_hint("Give every field a value, NULL where there is none, with named_struct(…)."));
        }
        let unplaced = |(idx, _): &(usize, &StructField)| !places.contains(&Some(*idx));
        if let (true, Some((_, extra))) = (places.contains(&None), new.fields.iter().enumerate().find(unplaced)) {
            return Err(self.mismatch(&format!("{name}.{}", extra.name)));
        }
        let mut fields = Vec::with_capacity(old.fields.len());
        for (field, place) in old.fields.iter().zip(&places) {
            let data_type = match place.and_then(|at| new.fields.get(at)) {
                Some(other) => self.column(&format!("{name}.{}", field.name), &field.data_type, &other.data_type)?,
                None => field.data_type.clone(),
            };
            fields.push(StructField { data_type, ..field.clone() });
        }
        for (_, extra) in new.fields.iter().enumerate().filter(unplaced) {
            if !self.evolves {
                return Err(self.mismatch(&format!("{name}.{}", extra.name)));
            }
            fields.push(StructField::new(&extra.name, extra.data_type.clone()));
        }
        Ok(StructType { fields })
    }

    /// The data has something that the table lacks.
    pub(crate) fn mismatch(&self, column: &str) -> Diagnostic {
        let table = self.table;
        let message =
            format!("A schema mismatch was found when writing to `{table}`: it has no column for `{column}`.");
        Diagnostic::new("DELTA_METADATA_MISMATCH", "42KDG", message, self.span)
            .with_hint("The data has more columns than the table. Leave the column out, or add it to the table first.")
    }
}
