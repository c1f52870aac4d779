//! Statements in the other language: a MERGE for the report of its run, a script while it is being written.

use protocol::Mirror;
use spec::{Statement, StatementKind};
use sql::Parsed;

/// What a statement was written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Sql,
    /// With the builder of `DeltaTable`; what a program gives to `spark.sql` is SQL.
    Python,
}

/// The statement in the language that it was not written in; only a MERGE has such a form.
pub(crate) fn mirrored(statement: &StatementKind, written: Language) -> Option<Mirror> {
    let StatementKind::Merge(merge) = statement else { return None };
    let printed = match written {
        Language::Sql => mirror::python(merge),
        Language::Python => mirror::sql(merge),
    };
    let notes = printed.notes.into_iter().map(|note| note.message).collect();
    Some(Mirror { python: written == Language::Sql, text: printed.text, notes })
}

/// A script of SQL as a program: a MERGE by the builder, a query shown, everything else given to `spark.sql`. `None` where the
/// script holds nothing, or something that cannot be read.
pub(crate) fn program_of(script: &str, parsed: &Parsed) -> Option<Mirror> {
    if parsed.statements.is_empty() || !parsed.diagnostics.is_empty() {
        return None;
    }
    let mut program = String::new();
    let mut notes = Vec::new();
    let mut at = 0;
    for statement in &parsed.statements {
        let comments = script.get(at..statement.span.start).map(comments).unwrap_or_default();
        at = statement.span.end;
        if !program.is_empty() {
            program.push('\n');
        }
        program.push_str(&comments);
        program.push_str(&step(script, statement, &mut notes));
        program.push('\n');
    }
    program.push_str(&script.get(at..).map(comments).unwrap_or_default());
    if program.contains("DeltaTable.") {
        program.insert_str(0, &format!("{}\n\n", mirror::IMPORT));
    }
    notes.dedup();
    Some(Mirror { python: true, text: program, notes })
}

fn step(script: &str, statement: &Statement, notes: &mut Vec<String>) -> String {
    if let StatementKind::Merge(merge) = &statement.kind {
        let printed = mirror::python(merge);
        notes.extend(printed.notes.into_iter().map(|note| note.message));
        return printed.text.strip_prefix(mirror::IMPORT).unwrap_or(&printed.text).trim().to_owned();
    }
    let text =
        script.get(statement.span.start..statement.span.end).unwrap_or_default().trim_end_matches([';', ' ', '\n']);
    let literal = if text.contains('\n') { mirror::block(&format!("\n{text}\n")) } else { mirror::string(text) };
    let shown = if let StatementKind::Query(_) = statement.kind { ".show()" } else { "" };
    format!("spark.sql({literal}){shown}")
}

/// The comments between two statements, as comments of Python.
fn comments(between: &str) -> String {
    let lines = between.lines().map(str::trim).filter(|line| !line.is_empty() && *line != ";");
    let plain =
        |line: &str| line.trim_start_matches(['-', '/', '*', ';', ' ']).trim_end_matches(['*', '/', ' ']).to_owned();
    lines.map(plain).filter(|line| !line.is_empty()).map(|line| format!("# {line}\n")).collect()
}
