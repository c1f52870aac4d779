//! How sentences call files, clauses and rows.

use super::words::{list, one_line};
use crate::{Cell, ClauseImage, ClauseKind, ColumnImage, FileImage, Pair, RowId, RowImage, Trace};

/// The most columns that identify a row in a sentence.
const N_KEYS: usize = 3;

impl Trace {
    /// The name of an old file in sentences and on its card: `file 2 (day = 2026-01-05)`.
    pub fn file_label(&self, file: u32) -> String {
        label("file", file, self.target.files.get(file as usize))
    }

    /// The name of a written file: `new file 1 (day = 2026-01-05)`.
    pub fn written_label(&self, file: u32) -> String {
        label("new file", file, self.written.get(file as usize).map(|written| &written.file))
    }

    /// The name of a clause: its number in the statement and its head, without what follows THEN.
    pub fn clause_label(&self, clause: u32) -> String {
        let Some(image) = self.clauses.get(clause as usize) else { return format!("clause {}", clause + 1) };
        match image.kind {
            ClauseKind::Statement => format!("the {}", self.operation_name()),
            _ => format!("clause {} ({})", clause + 1, head(image)),
        }
    }

    /// The names of the rows of a pair: `source row 3 (id = 7) × target row id = 7 of file 2`.
    pub fn pair_label(&self, pair: Pair) -> String {
        let source = pair.source.map(|source| source_row(self, source));
        let target = pair.target.map(|target| target_row(self, target));
        source.into_iter().chain(target).collect::<Vec<_>>().join(" × ")
    }

    /// What a learner calls the operation: commits name every INSERT `WRITE`.
    pub(super) fn operation_name(&self) -> &str {
        if self.operation == "WRITE" { "INSERT" } else { &self.operation }
    }
}

fn label(noun: &str, idx: u32, file: Option<&FileImage>) -> String {
    let number = idx + 1;
    let values: Vec<_> =
        file.iter().flat_map(|file| &file.partition).map(|(name, value)| equation(name, value, false)).collect();
    if values.is_empty() { format!("{noun} {number}") } else { format!("{noun} {number} ({})", values.join(", ")) }
}

// The text up to THEN. THEN inside CASE … END belongs to the condition, so the last one that is
// followed by an action counts.
fn head(clause: &ClauseImage) -> String {
    let line = one_line(&clause.text, usize::MAX);
    let upper = line.to_ascii_uppercase();
    let end = ["UPDATE", "DELETE", "INSERT"].iter().filter_map(|action| upper.rfind(&format!(" THEN {action}"))).max();
    one_line(end.and_then(|end| line.get(..end)).unwrap_or(&line), 90)
}

/// `id = 7`, `name = 'Ada'`, `id = NULL`.
fn equation(column: &str, value: &Cell, is_text: bool) -> String {
    format!("{column} = {}", literal(value, is_text))
}

/// A cell as it stands in a sentence.
pub(super) fn literal(value: &Cell, is_text: bool) -> String {
    match value {
        None => "NULL".to_owned(),
        Some(text) if is_text => format!("'{}'", one_line(text, 40)),
        Some(text) => one_line(text, 40),
    }
}

/// Whether values of the column are written in quotes.
pub(super) fn is_text(column: &ColumnImage) -> bool {
    column.data_type == "string" || column.data_type.starts_with("varchar") || column.data_type.starts_with("char")
}

/// A row of the target: `target row id = 7 of file 2`.
pub(super) fn target_row(trace: &Trace, id: RowId) -> String {
    let file = trace.file_label(id.file);
    let row = trace.target.files.get(id.file as usize).and_then(|file| file.rows.get(id.row as usize));
    match row.map(|row| identity(trace, &trace.target.columns, row)).filter(|text| !text.is_empty()) {
        Some(identity) => format!("target row {identity} of {file}"),
        None => format!("target row {} of {file}", id.row + 1),
    }
}

/// A row of the source: `source row 3 (id = 7)`.
pub(super) fn source_row(trace: &Trace, source: u32) -> String {
    let number = source + 1;
    let image = trace.source.as_ref();
    let row = image.and_then(|image| Some((image, image.rows.get(source as usize)?)));
    match row.map(|(image, row)| identity(trace, &image.columns, row)).filter(|text| !text.is_empty()) {
        Some(identity) => format!("source row {number} ({identity})"),
        None if trace.operation == "WRITE" => format!("row {number} of the query"),
        None => format!("source row {number}"),
    }
}

/// The cells that tell a row from others: those of the columns that the condition names, else the
/// first. UPDATE and DELETE choose by any column, so there the first one always leads.
fn identity(trace: &Trace, columns: &[ColumnImage], row: &RowImage) -> String {
    let condition = trace.condition.as_deref().unwrap_or("");
    let is_key = |idx: usize, name: &str| {
        (idx == 0 && trace.operation != "MERGE") || names_in(condition).any(|word| word.eq_ignore_ascii_case(name))
    };
    let cells = || columns.iter().zip(row).enumerate();
    let mut keys: Vec<_> = cells().filter(|(idx, (column, _))| is_key(*idx, &column.name)).collect();
    if keys.is_empty() {
        keys = cells().take(1).collect();
    }
    let shown: Vec<_> = keys
        .into_iter()
        .take(N_KEYS)
        .map(|(_, (column, cell))| equation(&column.name, cell, is_text(column)))
        .collect();
    list(&shown)
}

// Every word of a condition that may be a column: `t.id` gives `t` and `id`. Text in single quotes is none.
fn names_in(condition: &str) -> impl Iterator<Item = &str> {
    let outside_quotes = condition.split('\'').step_by(2);
    outside_quotes
        .flat_map(|part| {
            part.split(|character: char| {
                !(character.is_ascii_alphanumeric() || character == '_' || !character.is_ascii())
            })
        })
        .filter(|word| !word.is_empty())
}
