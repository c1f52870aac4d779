//! Recognises Python typed where SQL is expected.
//!
//! Only asked about text that is no SQL, so a guess can hide no valid statement. What it finds is
//! reported once, in one sentence, and no SQL error is made of it.

use crate::keywords::nearest;
use crate::lexer::{Kind, Lexeme};
use crate::statement::VERBS;
use spec::{Diagnostic, Span};

/// Python inside the lexemes between two semicolons.
pub(crate) struct Python {
    /// Index of the first lexeme.
    pub(crate) start: usize,
    /// Number of lexemes.
    pub(crate) len: usize,
    pub(crate) diagnostic: Diagnostic,
}

/// The first stretch of Python, if there is one.
pub(crate) fn find(text: &str, lexemes: &[Lexeme]) -> Option<Python> {
    let commented = lexemes.first().is_some_and(|first| first.span.of(text) == "#");
    let start = if commented { commented_code(text, lexemes)? } else { first_line(text, lexemes)? };
    let rest = lexemes.get(start..)?;
    let len = sql_again(text, rest).unwrap_or(rest.len());
    let span = rest.first()?.span.to(rest.get(len - 1)?.span);
    Some(Python { start, len, diagnostic: diagnostic(span) })
}

/// Whether broken text behind Python starts as SQL does: with a verb, perhaps misspelt, on a line
/// of its own.
pub(crate) fn may_be_sql(text: &str, lexemes: &[Lexeme]) -> bool {
    let Some(first) = lexemes.first() else { return false };
    let word = first.span.of(text);
    starts_line(text, first.span.start) && (is_verb(word) || nearest(word, VERBS).is_some())
}

fn first_line(text: &str, lexemes: &[Lexeme]) -> Option<usize> {
    let mut last_end = None;
    for (idx, lexeme) in lexemes.iter().enumerate() {
        let gap = last_end.and_then(|end| text.get(end..lexeme.span.start));
        last_end = Some(lexeme.span.end);
        // What follows a semicolon counts as a line of its own.
        if gap.is_some_and(|gap| !gap.contains('\n')) {
            continue;
        }
        let line = rest_of_line(text, lexeme.span.start);
        if is_python_line(line) || (idx == 0 && starts_like_python(line)) {
            return Some(idx);
        }
    }
    None
}

/// Python behind a comment that starts with `#`, which belongs to it. An apostrophe in such a
/// comment may have swallowed whole lines, so this asks the text, not the lexemes.
fn commented_code(text: &str, lexemes: &[Lexeme]) -> Option<usize> {
    let span = lexemes.first()?.span.to(lexemes.last()?.span);
    let mut lines = span.of(text).lines().map(str::trim).filter(|line| !line.starts_with('#'));
    lines.any(|line| is_python_line(line) || starts_like_python(line)).then_some(0)
}

fn diagnostic(span: Span) -> Diagnostic {
    Diagnostic::new("MERGELAB_LOOKS_LIKE_PYTHON", "42601", "This looks like Python, but this editor runs SQL.", span)
        .with_hint("Write the step as a SQL statement; the SQL beside it still runs.")
}

fn rest_of_line(text: &str, start: usize) -> &str {
    text.get(start..).unwrap_or("").lines().next().unwrap_or("").trim_end()
}

fn starts_line(text: &str, start: usize) -> bool {
    text.get(..start)
        .is_some_and(|before| before.trim_end_matches([' ', '\t']).chars().next_back().is_none_or(|c| c == '\n'))
}

/// Lines that are Python wherever they stand.
fn is_python_line(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let block = line.ends_with(':') || line.contains("): ");
    match words.as_slice() {
        ["import", _] | ["import", _, "as", _] | ["from", _, "import", ..] => return true,
        ["def" | "class" | "for" | "if" | "elif" | "while" | "with" | "try:" | "else:" | "except", ..] if block => {
            return true;
        }
        _ => {}
    }
    if let Some(rest) = line.strip_prefix('.') {
        return rest.starts_with(|c: char| c.is_alphabetic());
    }
    if let Some(rest) = line.strip_prefix('@') {
        return rest.starts_with(|c: char| c.is_alphabetic());
    }
    const ROOTS: [&str; 8] = ["spark.", "DeltaTable.", "df.", "F.", "dbutils.", "Window.", "print(", "display("];
    let opened = line.trim_start_matches('(');
    ROOTS.iter().any(|root| opened.starts_with(root)) || assigned(line).is_some_and(is_python_value)
}

/// Lines that are Python at the start of a statement, where SQL has a verb.
fn starts_like_python(line: &str) -> bool {
    let opened = line.trim_start_matches('(');
    let name_len = opened.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(opened.len());
    let (name, rest) = opened.split_at_checked(name_len).unwrap_or((opened, ""));
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || is_verb(name) {
        return line.starts_with("%python") || line.starts_with("%pip");
    }
    let rest = rest.trim_start();
    assigned(line).is_some() || rest.starts_with('.') || (rest.starts_with('(') && nearest(name, VERBS).is_none())
}

fn is_verb(word: &str) -> bool {
    VERBS.iter().any(|verb| verb.eq_ignore_ascii_case(word))
}

/// The right side of `name = value` or `name.attribute = value`.
fn assigned(line: &str) -> Option<&str> {
    let (left, right) = line.split_once('=')?;
    let left = left.trim_end();
    let is_name = !left.is_empty() && left.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    (is_name && !right.starts_with('=') && !is_verb(left)).then_some(right.trim_start())
}

/// Values that no SET clause has.
fn is_python_value(value: &str) -> bool {
    let opened = value.trim_start_matches(['(', '[']);
    let starts = ["spark.", "DeltaTable.", "df.", "{", "f\"", "f'", "lambda ", "\"\"\"", "None", "True", "False"];
    if starts.iter().any(|start| opened.starts_with(start)) || value.starts_with('[') {
        return true;
    }
    let chain = opened.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').unwrap_or(0);
    let (name, rest) = opened.split_at_checked(chain).unwrap_or(("", ""));
    rest.starts_with('(') && name.contains('.')
}

/// Where SQL begins again: a verb at the very start of a line, outside brackets.
fn sql_again(text: &str, lexemes: &[Lexeme]) -> Option<usize> {
    let mut depth = 0_usize;
    for (idx, lexeme) in lexemes.iter().enumerate() {
        let word = lexeme.span.of(text);
        match word {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let starts_line = text.get(..lexeme.span.start).is_some_and(|before| before.ends_with('\n'));
        if idx == 0 || depth > 0 || !starts_line || lexeme.kind != Kind::Word || !is_verb(word) {
            continue;
        }
        let next = lexemes.get(idx + 1).map_or("", |next| next.span.of(text));
        let python_with = word == "with";
        if !python_with && !matches!(next, "." | "=" | "(" | "[") {
            return Some(idx);
        }
    }
    None
}
