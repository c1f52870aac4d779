//! ALTER COLUMN: comment, position, nullability, type and default of one column.

use super::columns::{column_value, place, position_text};
use super::place::{fields_at, path_text, position_of};
use super::rename_drop::{refuse_dependents, unresolved};
use super::{Altering, Draft, json_text};
use crate::columns::{ColumnContext, default_text};
use crate::types;
use delta::features::{CURRENT_DEFAULT, supported};
use delta::schema::{DataType, StructField};
use serde_json::Value;
use spec::{ColumnChange, DefaultChange, Diagnostic};

/// The table with one column changed.
pub(super) fn change(table: &Altering<'_>, change: &ColumnChange) -> Result<Draft, Diagnostic> {
    let mut draft = table.draft("CHANGE COLUMN", Vec::new());
    let Some((name, parent)) = change.column.parts.split_last() else {
        return Err(Diagnostic::internal("a name without parts"));
    };
    let Some(fields) = fields_at(&mut draft.schema, parent) else { return Err(unresolved(table, &change.column)) };
    let Some(at) = position_of(fields, &name.value) else { return Err(unresolved(table, &change.column)) };
    let mut field = fields.remove(at);
    alter(table, change, &mut field)?;
    let shown = column_value(&path_text(parent, &field.name), &field);
    let to = place(fields, change.position.as_ref())?.unwrap_or(at);
    fields.insert(to, field);
    draft.parameters.insert("column".into(), json_text(shown));
    if let Some(position) = &change.position {
        draft.parameters.insert("position".into(), Value::String(position_text(position)));
    }
    Ok(draft)
}

fn alter(table: &Altering<'_>, change: &ColumnChange, field: &mut StructField) -> Result<(), Diagnostic> {
    if let Some(comment) = &change.comment {
        field.metadata.insert("comment".into(), Value::String(comment.clone()));
    }
    match change.nullable {
        Some(true) => field.nullable = true,
        Some(false) if field.nullable => {
            let message = format!("Cannot change the nullable column `{}` to NOT NULL.", change.column);
            return Err(Diagnostic::new("_LEGACY_ERROR_TEMP_2330", "", message, change.span)
                .with_hint("ADD CONSTRAINT name CHECK (column IS NOT NULL) checks the rows that are there."));
        }
        Some(false) | None => {}
    }
    if let Some(declared) = &change.data_type {
        let wanted = types::field(&field.name, declared, field.nullable, None, change.span)?.data_type;
        retype(table, change, field, wanted)?;
    }
    match &change.default {
        None => {}
        Some(DefaultChange::Drop) => drop(field.metadata.remove(CURRENT_DEFAULT)),
        Some(DefaultChange::Set(value)) => {
            let features = supported(table.snapshot.protocol());
            let context = ColumnContext { script: table.context.script, features: &features };
            let text = default_text(&context, value)?;
            field.metadata.insert(CURRENT_DEFAULT.into(), Value::String(text));
        }
    }
    Ok(())
}

/// Another type for the column, where type widening allows it.
fn retype(
    table: &Altering<'_>,
    change: &ColumnChange,
    field: &mut StructField,
    wanted: DataType,
) -> Result<(), Diagnostic> {
    if wanted == field.data_type {
        return Ok(());
    }
    let (old, new) = (field.data_type.sql_name(), wanted.sql_name());
    if !types::up_cast(&field.data_type, &wanted) {
        let message = format!("ALTER TABLE CHANGE COLUMN cannot turn `{}` from {old} into {new}.", change.column);
        return Err(Diagnostic::new("NOT_SUPPORTED_CHANGE_COLUMN", "0A000", message, change.span)
            .with_hint("Add a column of the new type, fill it with UPDATE, and drop or rename the old one."));
    }
    let widening = delta::properties::is_on(table.snapshot.metadata(), "delta.enableTypeWidening");
    if !widening {
        let message = format!("The type of `{}` cannot change from {old} to {new} in this table.", change.column);
        let condition = "DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP";
        return Err(Diagnostic::new(condition, "0AKDC", message, change.span)
            .with_hint("SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true') allows wider types."));
    }
    refuse_dependents(table, &change.column, "change")?;
    Err(Diagnostic::unsupported("A wider type for a column", change.span))
}
