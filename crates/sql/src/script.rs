//! A script: statements between semicolons, each read on its own.

use crate::Parsed;
use crate::cursor::{Cursor, Parse};
use crate::lexer::{self, Kind, Lexeme};
use crate::{python, statement};
use spec::Statement;

/// Reads every statement; see [`crate::parse`].
pub(crate) fn parse(text: &str) -> Parsed {
    let lexemes = lexer::significant(text);
    let is_end = |lexeme: &Lexeme| lexeme.kind == Kind::Operator && lexeme.span.of(text) == ";";
    let mut parsed = Parsed::default();
    let mut seen_python = false;
    for segment in lexemes.split(is_end) {
        read(text, segment, &mut parsed, &mut seen_python);
    }
    parsed
}

/// Reads what stands between two semicolons. Python in it ends where SQL begins again.
fn read(text: &str, mut segment: &[Lexeme], parsed: &mut Parsed, seen_python: &mut bool) {
    while !segment.is_empty() {
        let failure = match one(text, segment) {
            Ok(statement) => return parsed.statements.push(statement),
            Err(failure) => failure,
        };
        let Some(python) = python::find(text, segment) else {
            // A semicolon inside Python leaves broken pieces, which are no SQL errors.
            if !*seen_python || python::may_be_sql(text, segment) {
                parsed.diagnostics.push(*failure);
            }
            return;
        };
        let (before, rest) = segment.split_at(python.start.min(segment.len()));
        if !before.is_empty() {
            match one(text, before) {
                Ok(statement) => parsed.statements.push(statement),
                Err(failure) if !*seen_python => parsed.diagnostics.push(*failure),
                Err(_) => {}
            }
        }
        if !*seen_python {
            *seen_python = true;
            parsed.diagnostics.push(python.diagnostic);
        }
        segment = rest.get(python.len.max(1)..).unwrap_or(&[]);
    }
}

fn one(text: &str, lexemes: &[Lexeme]) -> Parse<Statement> {
    let mut cursor = Cursor::new(text, lexemes);
    statement::parse(&mut cursor).map_err(|failure| cursor.blame_alias(failure))
}
