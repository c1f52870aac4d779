//! SET and UNSET TBLPROPERTIES.

use super::{Altering, Draft, json_text};
use crate::definition;
use crate::failure;
use delta::properties::{canonical_key, check_retention};
use serde_json::Value;
use spec::{Diagnostic, Span};

/// The condition under which Spark reports a property value that Delta does not take.
const UNSUPPORTED_CHANGE: &str = "_LEGACY_ERROR_TEMP_2045";

/// The table with these properties set.
pub(super) fn set(table: &Altering<'_>, given: &[(String, String)]) -> Result<Draft, Diagnostic> {
    for (key, _) in given {
        refuse_reserved(key, table.span)?;
    }
    let shown = given.iter().map(|(key, value)| (key.clone(), Value::String(value.clone())));
    let mut draft = table.draft("SET TBLPROPERTIES", vec![("properties", json_text(Value::Object(shown.collect())))]);
    let (comments, properties): (Vec<_>, Vec<_>) = given.iter().cloned().partition(|(key, _)| key == "comment");
    if let Some((_, comment)) = comments.last() {
        draft.metadata.description = Some(comment.clone());
    }
    let (stored, requested) = definition::stored_properties(&properties, table.span).map_err(as_change)?;
    draft.metadata.configuration.extend(stored);
    check_retention(&draft.metadata.configuration).map_err(|error| as_change(failure::of_table(error, table.span)))?;
    draft.requested = requested;
    Ok(draft)
}

/// The table without these properties; those that it does not have are no mistake.
pub(super) fn unset(table: &Altering<'_>, keys: &[String]) -> Result<Draft, Diagnostic> {
    for key in keys {
        refuse_reserved(key, table.span)?;
    }
    let shown: Vec<Value> = keys.iter().cloned().map(Value::String).collect();
    let parameters = vec![("properties", json_text(shown)), ("ifExists", Value::Bool(true))];
    let mut draft = table.draft("UNSET TBLPROPERTIES", parameters);
    for key in keys {
        if key == "comment" {
            draft.metadata.description = None;
        }
        let stored = canonical_key(key).unwrap_or(key);
        draft.metadata.configuration.shift_remove(stored);
    }
    check_retention(&draft.metadata.configuration).map_err(|error| as_change(failure::of_table(error, table.span)))?;
    Ok(draft)
}

/// Properties that have statements of their own.
fn refuse_reserved(key: &str, span: Span) -> Result<(), Diagnostic> {
    if key.to_ascii_lowercase().starts_with("delta.constraints.") {
        let message = "CHECK constraints are not set as properties.";
        return Err(Diagnostic::new("DELTA_ADD_CONSTRAINTS", "0A000", message, span)
            .with_hint("Write ALTER TABLE … ADD CONSTRAINT name CHECK (condition)."));
    }
    let statement = match key {
        "location" => "The location of a table cannot be changed here.",
        "provider" => "The format of a table cannot be changed.",
        "owner" | "external" | "is_managed_location" | "table_type" | "collation" => "Spark keeps this itself.",
        _ => return Ok(()),
    };
    let message = format!("The property `{key}` is reserved. {statement}");
    Err(Diagnostic::new("UNSUPPORTED_FEATURE.SET_TABLE_PROPERTY", "0A000", message, span)
        .with_hint("Leave the property out, or choose a name of your own."))
}

/// Where Delta only knows that a value is wrong, Spark reports an unsupported change of the table.
fn as_change(problem: Diagnostic) -> Diagnostic {
    if problem.condition != "MERGELAB_INVALID_TABLE_PROPERTY" {
        return problem;
    }
    let message = format!("Unsupported table change: {}", problem.message);
    Diagnostic::new(UNSUPPORTED_CHANGE, "", message, problem.span)
}
