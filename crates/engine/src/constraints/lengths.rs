//! CHAR(n) and VARCHAR(n): texts are padded or cut by blanks only, longer ones refused.

use super::violation::sample;
use crate::types::{self, CharType};
use arrow::array::{Array, ArrayRef, AsArray, StringArray};
use arrow::record_batch::RecordBatch;
use delta::schema::StructType;
use spec::Diagnostic;
use std::sync::Arc;

/// A column with a length.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Length {
    pub(super) column: usize,
    of: CharType,
}

/// The CHAR and VARCHAR columns of a schema.
pub(super) fn of(schema: &StructType) -> Vec<Length> {
    let length = |(column, field)| types::char_type(field).map(|of| Length { column, of });
    schema.fields.iter().enumerate().filter_map(length).collect()
}

impl Length {
    /// The texts as the column keeps them. Those that are too long stay as they are.
    pub(super) fn fitted(&self, column: &ArrayRef) -> ArrayRef {
        let Some(texts) = column.as_string_opt::<i32>() else { return Arc::clone(column) };
        Arc::new(texts.iter().map(|text| text.map(|text| self.fit(text))).collect::<StringArray>())
    }

    fn fit(&self, text: &str) -> String {
        let n_chars = text.chars().count();
        let limit = self.of.length as usize;
        if n_chars < limit && self.of.padded {
            return format!("{text}{}", " ".repeat(limit - n_chars));
        }
        if n_chars > limit {
            let n_kept = text.trim_end_matches(' ').chars().count().max(limit);
            return text.chars().take(n_kept).collect();
        }
        text.to_owned()
    }

    /// The rows whose text is too long.
    pub(super) fn failing(&self, rows: &RecordBatch) -> Vec<u64> {
        let Some(texts) = rows.columns().get(self.column).and_then(|column| column.as_string_opt::<i32>()) else {
            return Vec::new();
        };
        let too_long =
            |row: &usize| texts.is_valid(*row) && texts.value(*row).chars().count() > self.of.length as usize;
        (0..texts.len()).filter(too_long).map(|row| row as u64).collect()
    }

    /// The complaint about them.
    pub(super) fn violated(&self, schema: &StructType, rows: &RecordBatch, failing: &[u64]) -> Diagnostic {
        let name = schema.fields.get(self.column).map_or("", |field| field.name.as_str());
        let text =
            rows.columns().get(self.column).and_then(|column| column.as_string_opt::<i32>()).zip(failing.first());
        let text = text.map_or("", |(texts, row)| texts.value(*row as usize));
        let message = format!(
            "Value \"{text}\" exceeds the char/varchar type length limitation of column `{name}`: {} characters.",
            self.of.length
        );
        let mut problem = Diagnostic::new("DELTA_EXCEED_CHAR_VARCHAR_LIMIT", "22001", message, None)
            .with_hint("Shorten the value, as with left(value, n), or declare the column STRING.");
        problem.rows.push(sample(schema, rows, failing));
        problem
    }
}
