//! A colouring of SQL text. It knows enough to tell words, texts and comments apart and nothing
//! about what they mean: the engine parses, this only paints.

/// What a piece of the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    Plain,
    Keyword,
    Text,
    Number,
    Comment,
}

const KEYWORDS: &[&str] = &[
    "ADD",
    "ALL",
    "ALTER",
    "AND",
    "AS",
    "ASC",
    "BETWEEN",
    "BY",
    "CASE",
    "CAST",
    "CREATE",
    "CROSS",
    "DELETE",
    "DELTA",
    "DESC",
    "DESCRIBE",
    "DETAIL",
    "DISTINCT",
    "DROP",
    "ELSE",
    "END",
    "EXISTS",
    "EXPLODE",
    "FALSE",
    "FROM",
    "FULL",
    "GROUP",
    "HAVING",
    "HISTORY",
    "IF",
    "IN",
    "INNER",
    "INSERT",
    "INTERVAL",
    "INTO",
    "IS",
    "JOIN",
    "LEFT",
    "LIKE",
    "LIMIT",
    "MATCHED",
    "MERGE",
    "NOT",
    "NULL",
    "ON",
    "OPTIMIZE",
    "OR",
    "ORDER",
    "OUTER",
    "OVER",
    "OVERWRITE",
    "PARTITION",
    "PARTITIONED",
    "REPLACE",
    "RIGHT",
    "SCHEMA",
    "SELECT",
    "SET",
    "SOURCE",
    "TABLE",
    "TARGET",
    "TEMP",
    "THEN",
    "TRUE",
    "UNION",
    "UPDATE",
    "USING",
    "VALUES",
    "VERSION",
    "VIEW",
    "WHEN",
    "WHERE",
    "WITH",
];

/// Cuts the text into painted pieces. The pieces put together are the text again.
pub fn paint(text: &str) -> Vec<(Paint, &str)> {
    let mut pieces: Vec<(Paint, &str)> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (kind, len) = piece(rest, first);
        let (head, tail) = rest.split_at(len);
        pieces.push((kind, head));
        rest = tail;
    }
    pieces
}

fn piece(rest: &str, first: char) -> (Paint, usize) {
    if rest.starts_with("--") {
        return (Paint::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Paint::Comment, rest.find("*/").map_or(rest.len(), |at| at + 2));
    }
    match first {
        '\'' | '"' => (Paint::Text, quoted(rest, first)),
        '`' => (Paint::Plain, quoted(rest, first)),
        c if c.is_ascii_digit() => (Paint::Number, length(rest, |c| c.is_ascii_alphanumeric() || c == '.')),
        c if is_word(c) => {
            let len = length(rest, is_word);
            let word = rest.get(..len).unwrap_or_default().to_ascii_uppercase();
            (if KEYWORDS.binary_search(&word.as_str()).is_ok() { Paint::Keyword } else { Paint::Plain }, len)
        }
        _ => (Paint::Plain, length(rest, |c| !is_word(c) && !"'\"`-/".contains(c)).max(first.len_utf8())),
    }
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric() || !c.is_ascii()
}

/// Bytes up to the closing quote, or to the end where it is missing.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return at + c.len_utf8();
        }
    }
    rest.len()
}

fn length(rest: &str, belongs: impl Fn(char) -> bool) -> usize {
    rest.find(|c| !belongs(c)).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::{KEYWORDS, Paint, paint};

    #[test]
    fn keywords_are_sorted_for_the_search() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn the_pieces_are_the_text() {
        for text in ["", "MERGE INTO t -- é\nUSING 'a''b' /* x", "a-b/c `MERGE` 1.5e3 'open", "'\\'' 😀-"] {
            let joined: String = paint(text).into_iter().map(|(_, piece)| piece).collect();
            assert_eq!(joined, text);
        }
    }

    #[test]
    fn words_in_texts_and_comments_are_no_keywords() {
        let painted = paint("merge 'WHEN' -- SET\nmerged 42");
        let of = |kind| painted.iter().filter(|p| p.0 == kind).map(|p| p.1).collect::<Vec<_>>();
        assert_eq!(of(Paint::Keyword), ["merge"]);
        assert_eq!(of(Paint::Text), ["'WHEN'"]);
        assert_eq!(of(Paint::Comment), ["-- SET"]);
        assert_eq!(of(Paint::Number), ["42"]);
    }
}
