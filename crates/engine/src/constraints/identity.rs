//! Identity columns: values that the table hands out, and the mark of the last one.

use arrow::array::{ArrayRef, Int64Array};
use delta::schema::{StructField, StructType};
use serde_json::Value;
use spec::{Diagnostic, Span};
use std::sync::Arc;

pub(crate) const START: &str = "delta.identity.start";
pub(crate) const STEP: &str = "delta.identity.step";
pub(crate) const HIGH_WATER_MARK: &str = "delta.identity.highWaterMark";
pub(crate) const ALLOW_EXPLICIT: &str = "delta.identity.allowExplicitInsert";

/// Whether the table hands out the values of the column.
pub(crate) fn is_identity(field: &StructField) -> bool {
    field.metadata.contains_key(START)
}

/// Refuses a value given for a column that is GENERATED ALWAYS AS IDENTITY.
///
/// # Errors
/// `DELTA_IDENTITY_COLUMNS_EXPLICIT_INSERT_NOT_SUPPORTED`.
pub(crate) fn refuse_explicit(field: &StructField, span: Span) -> Result<(), Diagnostic> {
    let allowed = field.metadata.get(ALLOW_EXPLICIT).and_then(Value::as_bool).unwrap_or(false);
    if !is_identity(field) || allowed {
        return Ok(());
    }
    let message =
        format!("Providing values for GENERATED ALWAYS AS IDENTITY column `{}` is not supported.", field.name);
    let condition = "DELTA_IDENTITY_COLUMNS_EXPLICIT_INSERT_NOT_SUPPORTED";
    Err(Diagnostic::new(condition, "42808", message, span)
        .with_hint("Leave the column out: the table numbers its rows."))
}

/// Refuses to assign an identity column.
///
/// # Errors
/// `DELTA_IDENTITY_COLUMNS_UPDATE_NOT_SUPPORTED`.
pub(crate) fn refuse_update(field: &StructField, span: Span) -> Result<(), Diagnostic> {
    if !is_identity(field) {
        return Ok(());
    }
    let message = format!("UPDATE on the identity column `{}` is not supported.", field.name);
    Err(Diagnostic::new("DELTA_IDENTITY_COLUMNS_UPDATE_NOT_SUPPORTED", "42808", message, span)
        .with_hint("Leave it out of SET: the numbers are the table's to give."))
}

/// Hands out the next values of identity columns.
#[derive(Debug, Clone)]
pub(crate) struct Counter {
    schema: StructType,
    moved: bool,
}

impl Counter {
    /// Continues where the table stands.
    pub(crate) fn new(schema: &StructType) -> Self {
        Self { schema: schema.clone(), moved: false }
    }

    /// Whether the column at `column` is one to count for.
    pub(crate) fn counts(&self, column: usize) -> bool {
        self.schema.fields.get(column).is_some_and(is_identity)
    }

    /// The next `n_rows` values of the identity column at `column`.
    ///
    /// # Errors
    /// The numbers run out.
    pub(crate) fn next(&mut self, column: usize, n_rows: usize) -> Result<ArrayRef, Diagnostic> {
        let field = self.schema.fields.get_mut(column).ok_or_else(|| Diagnostic::internal("no such column"))?;
        let number = |key: &str| field.metadata.get(key).and_then(Value::as_i64);
        let (start, step) = (number(START).unwrap_or(1), number(STEP).unwrap_or(1));
        let mut last = number(HIGH_WATER_MARK);
        let mut values = Vec::with_capacity(n_rows);
        for _ in 0..n_rows {
            let value = match last {
                None => Some(start),
                Some(last) => last.checked_add(step),
            };
            let value = value.ok_or_else(|| {
                let message = format!("The identity column `{}` has no numbers left.", field.name);
                Diagnostic::new("ARITHMETIC_OVERFLOW", "22003", message, None).with_hint(
                    "Numbers are not used twice; make the table anew with another START WITH or a smaller step.",
                )
            })?;
            values.push(value);
            last = Some(value);
        }
        if let Some(last) = last.filter(|_| n_rows > 0) {
            field.metadata.insert(HIGH_WATER_MARK.into(), Value::from(last));
            self.moved = true;
        }
        Ok(Arc::new(Int64Array::from(values)))
    }

    /// The schema with the new marks, where a value was handed out.
    pub(crate) fn into_schema(self) -> Option<StructType> {
        self.moved.then_some(self.schema)
    }
}
