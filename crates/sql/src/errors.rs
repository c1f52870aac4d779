//! The wording of syntax errors: what stood there, and what was expected.

use crate::cursor::Cursor;
use crate::keywords::nearest;
use crate::lexer::{Flaw, Kind};
use spec::{Diagnostic, Span};

/// Boxed, because a diagnostic is large and every parser function returns one.
pub(crate) type Failure = Box<Diagnostic>;

/// A syntax error at the next lexeme; `wanted` are keywords or descriptions. Where the word is
/// a misspelt keyword of the list, an edit offers the right one.
pub(crate) fn expected(cursor: &Cursor<'_>, wanted: &[&str]) -> Failure {
    if let Some(flaw) = broken(cursor) {
        return flaw;
    }
    let span = cursor.here();
    let place = match cursor.peek() {
        Some(lexeme) => format!("at or near '{}'", shorten(lexeme.span.of(cursor.text()))),
        None => "at the end of the statement".to_owned(),
    };
    let diagnostic = Diagnostic::syntax(format!("Syntax error {place}: expected {}.", either(wanted)), span);
    Box::new(match cursor.peek() {
        Some(lexeme) if lexeme.kind == Kind::Word => with_respelling(diagnostic, cursor, lexeme.span, wanted),
        _ => diagnostic,
    })
}

/// A syntax error with a sentence of its own.
pub(crate) fn syntax(message: impl Into<String>, span: Span) -> Failure {
    Box::new(Diagnostic::syntax(message, span))
}

/// A syntax error at a word that is followed by an explanation.
pub(crate) fn at(text: &str, span: Span, why: &str) -> Failure {
    syntax(format!("Syntax error at or near '{}': {why}", shorten(span.of(text))), span)
}

/// Something that Spark runs and this engine does not yet.
pub(crate) fn unsupported(what: impl std::fmt::Display, span: Span) -> Failure {
    Box::new(Diagnostic::unsupported(what, span))
}

/// A form that open-source Spark does not have, with the form that every Spark has.
pub(crate) fn databricks_only(what: &str, span: Span, portable: &str) -> Failure {
    let message = format!("{what} is no part of open-source Spark 4.0; Databricks has it.");
    Box::new(Diagnostic::syntax(message, span).with_hint(portable))
}

/// A named condition of Spark's parser.
pub(crate) fn condition(condition: &str, sqlstate: &str, message: impl Into<String>, span: Span) -> Failure {
    Box::new(Diagnostic::new(condition, sqlstate, message, span))
}

/// Adds the edit that respells the word, where one of the keywords is near.
pub(crate) fn with_respelling(
    diagnostic: Diagnostic,
    cursor: &Cursor<'_>,
    span: Span,
    keywords: &[&str],
) -> Diagnostic {
    let keywords: Vec<&str> = keywords.iter().flat_map(|words| words.split(' ')).filter(|w| is_upper(w)).collect();
    match nearest(span.of(cursor.text()), &keywords) {
        Some(keyword) => diagnostic.with_edit(format!("Change to {keyword}"), span, keyword),
        None => diagnostic,
    }
}

fn is_upper(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

fn broken(cursor: &Cursor<'_>) -> Option<Failure> {
    let lexeme = cursor.peek()?;
    let Kind::Broken(flaw) = lexeme.kind else { return None };
    let text = lexeme.span.of(cursor.text());
    let opening = text.char_indices().nth(1).map_or(text.len(), |(pos, _)| pos);
    let start = Span::new(lexeme.span.start, lexeme.span.start + opening);
    Some(match flaw {
        Flaw::UnclosedString => syntax("Syntax error: the string that starts here is never closed.", start),
        Flaw::UnclosedName => syntax("Syntax error: the quoted name that starts here is never closed.", start),
        Flaw::EmptyName => syntax("Syntax error: a name between backquotes needs at least one character.", lexeme.span),
        Flaw::UnclosedComment => {
            let span = Span::new(lexeme.span.start, lexeme.span.start + 2);
            condition("UNCLOSED_BRACKETED_COMMENT", "42601", "The comment that starts here is never closed.", span)
        }
        Flaw::BadNumber => {
            syntax(format!("Syntax error at or near '{}': this is no number.", shorten(text)), lexeme.span)
        }
        Flaw::UnknownCharacter => {
            let message = format!("Syntax error at or near '{text}': SQL does not know this character.");
            let mut failure = syntax(message, lexeme.span);
            failure.hint = (text == "#").then(|| "A comment starts with --.".to_owned());
            failure
        }
    })
}

fn either(wanted: &[&str]) -> String {
    match wanted {
        [] => "something else".to_owned(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Long strings and comments would fill the sentence.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")),
        None => text.to_owned(),
    }
}
