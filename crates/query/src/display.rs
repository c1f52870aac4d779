//! Values as the text that Spark prints.

use crate::cast;
use crate::error::diagnose;
use arrow::array::{Array, ArrayRef, AsArray, StringArray};
use spec::Diagnostic;

/// The text of each value, as `CAST(… AS STRING)` gives it; NULL stays NULL.
///
/// # Errors
/// A type that has no text form.
pub fn display(values: &ArrayRef) -> Result<StringArray, Diagnostic> {
    if let Some(text) = values.as_string_opt::<i32>() {
        return Ok(text.clone());
    }
    let text = cast::to_text(values).map_err(|error| diagnose(&error))?;
    text.as_string_opt::<i32>().cloned().ok_or_else(|| Diagnostic::internal(format!("{} as text", text.data_type())))
}

/// The text of each value, as `DataFrame.show` prints it; NULL stays NULL.
///
/// # Errors
/// A type that has no text form.
pub fn shown(values: &ArrayRef) -> Result<StringArray, Diagnostic> {
    if let Some(text) = values.as_string_opt::<i32>() {
        return Ok(text.clone());
    }
    let text = cast::to_shown(values).map_err(|error| diagnose(&error))?;
    text.as_string_opt::<i32>().cloned().ok_or_else(|| Diagnostic::internal(format!("{} as text", text.data_type())))
}
