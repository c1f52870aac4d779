//! Text to lexemes.
//!
//! Never fails: what Spark's lexer would refuse becomes a [`Kind::Broken`] lexeme, and the parser
//! complains when it gets there. `>` is always a lexeme of its own, so that `ARRAY<ARRAY<INT>>`
//! needs no special care; shifts are put together again by the expression parser.

use spec::Span;

/// What a lexeme is, before any grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An unquoted word: keyword or name.
    Word,
    /// A name in backquotes.
    Quoted,
    /// A string in single or double quotes, with its `r` prefix.
    String,
    Number,
    Comment,
    Operator,
    Broken(Flaw),
}

/// Why a lexeme cannot be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    UnclosedString,
    UnclosedName,
    EmptyName,
    UnclosedComment,
    BadNumber,
    UnknownCharacter,
}

/// A lexeme and its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Lexeme {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// Longest first, so that the first that fits is the right one.
const OPERATORS: [&str; 36] = [
    "<=>", "<=", "<>", "<<", ">=", "!=", "==", "->", "=>", "::", "||", "|>", "<", ">", "=", "!", "+", "-", "*", "/",
    "%", "&", "|", "^", "~", "(", ")", "[", "]", ",", ".", ":", ";", "?", "{", "}",
];

/// The ends of a hint.
pub(crate) const HINT: &str = "/*+";
pub(crate) const HINT_END: &str = "*/";

/// Every lexeme of the text but the comments.
pub(crate) fn significant(text: &str) -> Vec<Lexeme> {
    let mut lexemes = lex(text);
    lexemes.retain(|lexeme| lexeme.kind != Kind::Comment);
    lexemes
}

/// Every lexeme of the text, comments included.
pub(crate) fn lex(text: &str) -> Vec<Lexeme> {
    let mut lexemes = Vec::new();
    let mut start = 0;
    let mut is_hint = false;
    while let Some(first) = rest(text, start).chars().next() {
        if first.is_whitespace() || first == '\u{feff}' {
            start += first.len_utf8();
            continue;
        }
        let after_word = follows_word(&lexemes, start);
        let here = rest(text, start);
        let (kind, len) = match is_hint {
            false if here.starts_with(HINT) && follows_select(text, &lexemes) => {
                is_hint = true;
                (Kind::Operator, HINT.len())
            }
            true if here.starts_with(HINT_END) => {
                is_hint = false;
                (Kind::Operator, HINT_END.len())
            }
            _ => one(here, first, after_word),
        };
        lexemes.push(Lexeme { kind, span: Span::new(start, start + len) });
        start += len;
    }
    lexemes
}

/// A comment of this form behind SELECT is a hint.
fn follows_select(text: &str, lexemes: &[Lexeme]) -> bool {
    let last = lexemes.iter().rfind(|lexeme| lexeme.kind != Kind::Comment);
    last.is_some_and(|last| {
        text.get(last.span.start..last.span.end).is_some_and(|word| word.eq_ignore_ascii_case("select"))
    })
}

fn rest(text: &str, start: usize) -> &str {
    text.get(start..).unwrap_or("")
}

/// In `t.5` the dot belongs to the name, in `a + .5` to the number.
fn follows_word(lexemes: &[Lexeme], start: usize) -> bool {
    lexemes.last().is_some_and(|last| matches!(last.kind, Kind::Word | Kind::Quoted) && last.span.end == start)
}

fn one(text: &str, first: char, after_word: bool) -> (Kind, usize) {
    let second = text.chars().nth(1);
    match first {
        '-' if second == Some('-') => (Kind::Comment, text.find('\n').unwrap_or(text.len())),
        '/' if second == Some('*') => block_comment(text),
        '\'' | '"' => string(text, first, 0),
        'r' | 'R' if matches!(second, Some('\'' | '"')) => raw_string(text),
        '`' => quoted_name(text),
        '.' if !after_word && second.is_some_and(|c| c.is_ascii_digit()) => number(text),
        _ if first.is_ascii_digit() => number(text),
        _ if is_word(first) => (Kind::Word, word_len(text)),
        _ => match OPERATORS.iter().find(|operator| text.starts_with(**operator)) {
            Some(operator) => (Kind::Operator, operator.len()),
            None => (Kind::Broken(Flaw::UnknownCharacter), first.len_utf8()),
        },
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word_len(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// Block comments nest in Spark.
fn block_comment(text: &str) -> (Kind, usize) {
    let bytes = text.as_bytes();
    let (mut pos, mut depth) = (0, 0_usize);
    while pos + 1 < bytes.len() {
        match bytes.get(pos..pos + 2) {
            Some(b"/*") => (depth, pos) = (depth + 1, pos + 2),
            Some(b"*/") => (depth, pos) = (depth.saturating_sub(1), pos + 2),
            _ => pos += 1,
        }
        if depth == 0 {
            return (Kind::Comment, pos);
        }
    }
    (Kind::Broken(Flaw::UnclosedComment), text.len())
}

/// A backslash takes the next character with it; a doubled quote stays inside.
fn string(text: &str, quote: char, prefix: usize) -> (Kind, usize) {
    let mut chars = text.char_indices().skip(prefix + 1).peekable();
    while let Some((pos, c)) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c == quote && chars.next_if(|(_, next)| *next == quote).is_none() {
            return (Kind::String, pos + 1);
        }
    }
    (Kind::Broken(Flaw::UnclosedString), text.len())
}

/// In a raw string nothing is escaped: the next quote of the same kind ends it.
fn raw_string(text: &str) -> (Kind, usize) {
    let quote = text.chars().nth(1).unwrap_or('\'');
    match rest(text, 2).find(quote) {
        Some(pos) => (Kind::String, pos + 3),
        None => (Kind::Broken(Flaw::UnclosedString), text.len()),
    }
}

fn quoted_name(text: &str) -> (Kind, usize) {
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((pos, c)) = chars.next() {
        if c == '`' && chars.next_if(|(_, next)| *next == '`').is_none() {
            let kind = if pos == 1 { Kind::Broken(Flaw::EmptyName) } else { Kind::Quoted };
            return (kind, pos + 1);
        }
    }
    (Kind::Broken(Flaw::UnclosedName), text.len())
}

/// A number with exponent and suffix. Digits followed by other word characters are a name, as in
/// Spark (`2024_sales`).
fn number(text: &str) -> (Kind, usize) {
    let digits = |from: usize| rest(text, from).bytes().take_while(u8::is_ascii_digit).count();
    let mut len = digits(0);
    let mut whole = true;
    let after_dot = rest(text, len).strip_prefix('.').and_then(|tail| tail.chars().next());
    if rest(text, len).starts_with('.') && !after_dot.is_some_and(|c| c == '.' || (is_word(c) && !starts_tail(c))) {
        whole = false;
        len += 1;
        len += digits(len);
    }
    let exponent = rest(text, len);
    if exponent.starts_with(['e', 'E']) {
        let sign = usize::from(exponent.get(1..2).is_some_and(|sign| sign == "+" || sign == "-"));
        let n_digits = digits(len + 1 + sign);
        if n_digits > 0 {
            whole = whole && sign == 0;
            len += 1 + sign + n_digits;
        }
    }
    let tail = word_len(rest(text, len));
    let suffix = rest(text, len).get(..tail).unwrap_or("").to_ascii_uppercase();
    match suffix.as_str() {
        "" | "D" | "F" | "BD" | "L" | "S" | "Y" => (Kind::Number, len + tail),
        _ if whole => (Kind::Word, len + tail),
        _ => (Kind::Broken(Flaw::BadNumber), len + tail),
    }
}

/// What may follow the dot of `1.`: a digit, an exponent or a suffix.
fn starts_tail(c: char) -> bool {
    c.is_ascii_digit() || matches!(c.to_ascii_lowercase(), 'e' | 'd' | 'f' | 'b')
}
