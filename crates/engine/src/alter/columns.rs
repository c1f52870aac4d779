//! ADD COLUMNS and REPLACE COLUMNS.

use super::place::{fields_at, path_text, position_of};
use super::{Altering, Draft, json_text};
use crate::columns::{ColumnContext, check_name, field};
use delta::features::supported;
use delta::schema::{DataType, StructField};
use serde_json::{Map, Value, json};
use spec::{ColumnPosition, Diagnostic, Ident, NewColumn};

/// The table with more columns, each where it is asked for.
pub(super) fn add(table: &Altering<'_>, columns: &[NewColumn]) -> Result<Draft, Diagnostic> {
    let mut draft = table.draft("ADD COLUMNS", Vec::new());
    let mut shown = Vec::with_capacity(columns.len());
    for new in columns {
        let added = new_field(table, new)?;
        let name = path_text(&new.parent, &added.name);
        shown.push(parameter(&name, &added, new.position.as_ref()));
        let Some(fields) = fields_at(&mut draft.schema, &new.parent) else {
            let parent = new.parent.iter().map(|part| part.value.as_str()).collect::<Vec<_>>().join(".");
            let span = new.parent.first().map_or(new.column.span, |part| part.span);
            let message = format!("No such struct field `{parent}` to add `{}` to.", added.name);
            return Err(Diagnostic::new("FIELD_NOT_FOUND", "42704", message, span)
                .with_hint("DESCRIBE TABLE shows the columns and the fields of structs."));
        };
        if position_of(fields, &added.name).is_some() {
            let message = format!("Cannot add column, because `{name}` already exists.");
            return Err(Diagnostic::new("FIELD_ALREADY_EXISTS", "42710", message, new.column.name.span)
                .with_hint("Choose another name; names differ by more than upper and lower case."));
        }
        let at = place(fields, new.position.as_ref())?.unwrap_or(fields.len());
        fields.insert(at, added);
    }
    draft.parameters.insert("columns".into(), json_text(Value::Array(shown)));
    Ok(draft)
}

/// REPLACE COLUMNS may only add: to leave a column out is to drop it.
pub(super) fn replace(table: &Altering<'_>, columns: &[NewColumn]) -> Result<Draft, Diagnostic> {
    let span = columns.first().map_or(table.span, |new| new.column.span);
    let keeps = |field: &StructField| columns.iter().any(|new| new.column.name.is(&field.name));
    if table.snapshot.schema().fields.iter().all(keeps) {
        return Err(Diagnostic::unsupported("REPLACE COLUMNS", span));
    }
    let message = "REPLACE COLUMNS would drop a column, which ALTER TABLE does not do this way.";
    Err(Diagnostic::new("DELTA_UNSUPPORTED_ALTER_TABLE_REPLACE_COL_OP", "0AKDC", message, span)
        .with_hint("Write ALTER TABLE … DROP COLUMN, on a table with column mapping."))
}

/// Where a position puts a column among `fields`; `None` without one.
pub(super) fn place(fields: &[StructField], position: Option<&ColumnPosition>) -> Result<Option<usize>, Diagnostic> {
    match position {
        None => Ok(None),
        Some(ColumnPosition::First) => Ok(Some(0)),
        Some(ColumnPosition::After(column)) => match position_of(fields, &column.value) {
            Some(idx) => Ok(Some(idx + 1)),
            None => Err(no_such_field(column, fields)),
        },
    }
}

fn no_such_field(column: &Ident, fields: &[StructField]) -> Diagnostic {
    let names = fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ");
    let message = format!("No such struct field `{column}` in {names}.");
    Diagnostic::new("FIELD_NOT_FOUND", "42704", message, column.span)
        .with_hint("DESCRIBE TABLE shows the columns and their order.")
}

/// A column as the parameters of ADD COLUMNS and CHANGE COLUMN show it.
pub(super) fn parameter(name: &str, field: &StructField, position: Option<&ColumnPosition>) -> Value {
    let mut entry = Map::from_iter([("column".to_owned(), column_value(name, field))]);
    if let Some(position) = position {
        entry.insert("position".into(), position_text(position).into());
    }
    Value::Object(entry)
}

pub(super) fn column_value(name: &str, field: &StructField) -> Value {
    let metadata: Map<String, Value> =
        field.metadata.iter().filter(|(key, _)| *key == "comment").map(|(k, v)| (k.clone(), v.clone())).collect();
    json!({ "name": name, "type": field.data_type.to_value(), "nullable": field.nullable, "metadata": metadata })
}

pub(super) fn position_text(position: &ColumnPosition) -> String {
    match position {
        ColumnPosition::First => "FIRST".to_owned(),
        ColumnPosition::After(column) => format!("AFTER {column}"),
    }
}

fn new_field(table: &Altering<'_>, new: &NewColumn) -> Result<StructField, Diagnostic> {
    let column = &new.column;
    if !column.nullable {
        let message = format!(
            "NOT NULL in ALTER TABLE ADD COLUMNS is not allowed: old rows would have no value for `{}`.",
            column.name
        );
        return Err(Diagnostic::new("DELTA_OPERATION_NOT_ALLOWED", "0AKDC", message, column.span)
            .with_hint("Add the column without NOT NULL, and a DEFAULT or an UPDATE for its values."));
    }
    if column.default.is_some() {
        let message = "A column with a default cannot be added to a table that exists.";
        let condition = "WRONG_COLUMN_DEFAULTS_FOR_DELTA_ALTER_TABLE_ADD_COLUMN_NOT_SUPPORTED";
        return Err(Diagnostic::new(condition, "0AKDC", message, column.span)
            .with_hint("Add the column first, then ALTER TABLE … ALTER COLUMN c SET DEFAULT value."));
    }
    if column.generated.is_some() || column.identity.is_some() {
        return Err(Diagnostic::unsupported("Adding a generated or identity column", column.span));
    }
    let features = supported(table.snapshot.protocol());
    let added = field(&ColumnContext { script: table.context.script, features: &features }, column)?;
    if matches!(added.data_type, DataType::Void) {
        return Err(Diagnostic::unsupported("A column of type VOID", column.span));
    }
    check_name(&added, table.snapshot.metadata(), column.name.span)?;
    Ok(added)
}
