//! RENAME COLUMN and DROP COLUMN: with column mapping both change names only, without it they are refused.

use super::place::{fields_at, path_text, position_of};
use super::{Altering, Draft, json_text};
use crate::columns::check_name;
use crate::constraints::dependents;
use serde_json::Value;
use spec::{Diagnostic, Ident, Name};

/// The table with one column under another name.
pub(super) fn rename(table: &Altering<'_>, column: &Name, to: &Ident) -> Result<Draft, Diagnostic> {
    let mut draft = table.draft("RENAME COLUMN", Vec::new());
    let (parent, old) = split(column)?;
    let Some(fields) = fields_at(&mut draft.schema, parent) else { return Err(unresolved(table, column)) };
    let Some(at) = position_of(fields, &old.value) else { return Err(unresolved(table, column)) };
    if position_of(fields, &to.value).is_some_and(|other| other != at) {
        let message = format!("Cannot rename column, because `{}` already exists.", path_text(parent, &to.value));
        return Err(Diagnostic::new("FIELD_ALREADY_EXISTS", "42710", message, to.span));
    }
    if !is_mapped(table) {
        let message = "Column rename is not supported for this table: it needs column mapping.";
        return Err(Diagnostic::new("DELTA_UNSUPPORTED_RENAME_COLUMN", "0AKDC", message, column.span())
            .with_hint("ALTER TABLE … SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name') first."));
    }
    refuse_dependents(table, column, "rename")?;
    let Some(field) = fields.get_mut(at) else { return Err(Diagnostic::internal("the column is gone")) };
    let old_name = field.name.clone();
    field.name = to.value.clone();
    check_name(field, &draft.metadata, to.span)?;
    if parent.is_empty() {
        for partition in draft.metadata.partition_columns.iter_mut().filter(|name| **name == old_name) {
            *partition = to.value.clone();
        }
    }
    draft.parameters.insert("oldColumnPath".into(), Value::String(path_text(parent, &old_name)));
    draft.parameters.insert("newColumnPath".into(), Value::String(path_text(parent, &to.value)));
    Ok(draft)
}

/// The table without some columns. Their values stay in the data files, unread.
pub(super) fn drop(table: &Altering<'_>, columns: &[Name], if_exists: bool) -> Result<Draft, Diagnostic> {
    let mut draft = table.draft("DROP COLUMNS", Vec::new());
    let mut shown = Vec::new();
    for column in columns {
        let (parent, name) = split(column)?;
        let found = fields_at(&mut draft.schema, parent).and_then(|fields| {
            let at = position_of(fields, &name.value)?;
            Some((fields, at))
        });
        let Some((fields, at)) = found else {
            if if_exists {
                continue;
            }
            return Err(unresolved(table, column));
        };
        if !is_mapped(table) {
            let message = "DROP COLUMN is not supported for this table: it needs column mapping.";
            return Err(Diagnostic::new("DELTA_UNSUPPORTED_DROP_COLUMN", "0AKDC", message, column.span())
                .with_hint("ALTER TABLE … SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name') first."));
        }
        refuse_dependents(table, column, "drop")?;
        if parent.is_empty() && table.snapshot.partition_columns().iter().any(|partition| name.is(partition)) {
            let message = format!("Dropping the partition column `{name}` is not allowed.");
            return Err(Diagnostic::new("DELTA_UNSUPPORTED_DROP_PARTITION_COLUMN", "0AKDC", message, name.span)
                .with_hint("CREATE OR REPLACE TABLE … AS SELECT makes the table anew without it."));
        }
        if fields.len() == 1 {
            let message = format!("`{column}` is the only field there is; a struct or table needs at least one.");
            return Err(Diagnostic::new("DELTA_DROP_COLUMN_ON_SINGLE_FIELD_SCHEMA", "0AKDC", message, name.span)
                .with_hint("Add another column first, or drop the table."));
        }
        shown.push(Value::String(path_text(parent, &fields.remove(at).name)));
    }
    draft.parameters.insert("columns".into(), json_text(Value::Array(shown)));
    Ok(draft)
}

fn is_mapped(table: &Altering<'_>) -> bool {
    let mode = table.snapshot.metadata().configuration.get("delta.columnMapping.mode");
    mode.is_some_and(|mode| !mode.eq_ignore_ascii_case("none"))
}

fn split(column: &Name) -> Result<(&[Ident], &Ident), Diagnostic> {
    let (name, parent) = column.parts.split_last().ok_or_else(|| Diagnostic::internal("a name without parts"))?;
    Ok((parent, name))
}

/// Spark looks the column up before Delta sees the statement.
pub(super) fn unresolved(table: &Altering<'_>, column: &Name) -> Diagnostic {
    let names: Vec<String> = table.snapshot.schema().fields.iter().map(|field| format!("`{}`", field.name)).collect();
    let message = format!(
        "A column, variable, or function parameter with name `{column}` cannot be resolved. The table has: {}.",
        names.join(", ")
    );
    Diagnostic::new("UNRESOLVED_COLUMN.WITH_SUGGESTION", "42703", message, column.span())
        .with_hint("Names are compared without regard to upper and lower case; quote odd ones with backticks.")
}

/// A CHECK or a generated column that names the column would lose it.
pub(super) fn refuse_dependents(table: &Altering<'_>, column: &Name, verb: &str) -> Result<(), Diagnostic> {
    let found = dependents(table.snapshot.metadata(), table.snapshot.schema(), column)?;
    if let Some(constraint) = found.constraints.first() {
        let message = format!("Cannot {verb} column `{column}`: the CHECK constraint {constraint} uses it.");
        return Err(Diagnostic::new("DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE", "42K09", message, column.span())
            .with_hint("Drop the constraint first."));
    }
    if let Some(generated) = found.generated.first() {
        let message = format!("Cannot {verb} column `{column}`: the generated column {generated} uses it.");
        let condition = "DELTA_GENERATED_COLUMNS_DEPENDENT_COLUMN_CHANGE";
        return Err(Diagnostic::new(condition, "42K09", message, column.span()));
    }
    Ok(())
}
