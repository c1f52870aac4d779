//! Words that the grammar knows, for syntax colouring and for suggestions.

use crate::lexer::{Kind, Lexeme};
use spec::Span;

/// What a token is, for syntax colouring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    Keyword,
    /// An identifier, quoted or not.
    Name,
    String,
    Number,
    Comment,
    Operator,
    /// What can be no token: an unclosed string, a character that SQL does not know.
    Unknown,
}

/// A token and its place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// Sorted, for binary search. Type names and function-like forms are left out on purpose: they
/// are names until the grammar gives them a place.
const KEYWORDS: &[&str] = &[
    "ALL",
    "ALTER",
    "ALWAYS",
    "AND",
    "ANTI",
    "AS",
    "ASC",
    "BETWEEN",
    "BY",
    "CASE",
    "CAST",
    "CLUSTER",
    "COMMENT",
    "CREATE",
    "CROSS",
    "CUBE",
    "DATABASE",
    "DEFAULT",
    "DELETE",
    "DESC",
    "DESCRIBE",
    "DETAIL",
    "DISTINCT",
    "DIV",
    "DROP",
    "ELSE",
    "END",
    "ESCAPE",
    "EVOLUTION",
    "EXCEPT",
    "EXISTS",
    "EXTENDED",
    "FALSE",
    "FILTER",
    "FIRST",
    "FOLLOWING",
    "FOR",
    "FROM",
    "FULL",
    "GENERATED",
    "GROUP",
    "GROUPING",
    "HAVING",
    "HISTORY",
    "IF",
    "IGNORE",
    "ILIKE",
    "IN",
    "INNER",
    "INSERT",
    "INTERSECT",
    "INTERVAL",
    "INTO",
    "IS",
    "JOIN",
    "LAST",
    "LATERAL",
    "LEFT",
    "LIKE",
    "LIMIT",
    "LOCATION",
    "MATCHED",
    "MERGE",
    "MINUS",
    "NATURAL",
    "NOT",
    "NULL",
    "NULLS",
    "OF",
    "OFFSET",
    "ON",
    "OPTIMIZE",
    "OPTIONS",
    "OR",
    "ORDER",
    "OUTER",
    "OVER",
    "OVERWRITE",
    "PARTITION",
    "PARTITIONED",
    "PRECEDING",
    "RANGE",
    "REPLACE",
    "RESTORE",
    "RIGHT",
    "RLIKE",
    "ROLLUP",
    "ROWS",
    "SCHEMA",
    "SELECT",
    "SEMI",
    "SET",
    "SETS",
    "SHOW",
    "SOURCE",
    "TABLE",
    "TABLES",
    "TARGET",
    "TBLPROPERTIES",
    "TEMP",
    "TEMPORARY",
    "THEN",
    "TO",
    "TRUE",
    "TRUNCATE",
    "TRY_CAST",
    "UNBOUNDED",
    "UNION",
    "UPDATE",
    "USE",
    "USING",
    "VACUUM",
    "VALUES",
    "VERSION",
    "VIEW",
    "VIEWS",
    "WHEN",
    "WHERE",
    "WINDOW",
    "WITH",
];

/// All of them.
pub(crate) fn all() -> &'static [&'static str] {
    KEYWORDS
}

/// Whether syntax colouring shows the word as a keyword.
pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word.to_ascii_uppercase().as_str()).is_ok()
}

/// Lexemes as tokens. A word right behind a dot is a name whatever it spells.
pub(crate) fn classify(text: &str, lexemes: &[Lexeme]) -> Vec<Token> {
    let mut after_dot = false;
    let mut tokens = Vec::with_capacity(lexemes.len());
    for lexeme in lexemes {
        let word = lexeme.span.of(text);
        let kind = match lexeme.kind {
            Kind::Word if !after_dot && is_keyword(word) => TokenKind::Keyword,
            Kind::Word | Kind::Quoted => TokenKind::Name,
            Kind::String => TokenKind::String,
            Kind::Number => TokenKind::Number,
            Kind::Comment => TokenKind::Comment,
            Kind::Operator => TokenKind::Operator,
            Kind::Broken(_) => TokenKind::Unknown,
        };
        tokens.push(Token { kind, span: lexeme.span });
        after_dot = word == ".";
    }
    tokens
}

/// Words that end a FROM item or a SELECT item, so they are no alias unless AS stands before them.
const NO_ALIAS: &[&str] = &[
    "ANTI",
    "CLUSTER",
    "CROSS",
    "DISTRIBUTE",
    "EXCEPT",
    "FROM",
    "FULL",
    "GROUP",
    "HAVING",
    "INNER",
    "INTERSECT",
    "JOIN",
    "LATERAL",
    "LEFT",
    "LIMIT",
    "MINUS",
    "NATURAL",
    "OFFSET",
    "ON",
    "ORDER",
    "PIVOT",
    "QUALIFY",
    "RIGHT",
    "SEMI",
    "SET",
    "SETMINUS",
    "SORT",
    "TABLESAMPLE",
    "UNION",
    "UNPIVOT",
    "USING",
    "WHEN",
    "WHERE",
    "WINDOW",
    "SELECT",
    "VALUES",
    "AND",
    "OR",
    "THEN",
    "ELSE",
    "END",
    "AS",
    "WITH",
];

/// Whether the word may be an alias without AS.
pub(crate) fn may_be_alias(word: &str) -> bool {
    !NO_ALIAS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// Words that start the next part of a statement where an expression is missing.
const NO_COLUMN: &[&str] = &[
    "AND", "AS", "BETWEEN", "CASE", "CROSS", "ELSE", "FROM", "GROUP", "HAVING", "ILIKE", "IN", "INNER", "IS", "JOIN",
    "LIKE", "NOT", "ON", "OR", "ORDER", "RLIKE", "SELECT", "SET", "THEN", "UNION", "USING", "VALUES", "WHEN", "WHERE",
];

/// Whether a bare word is more likely a misplaced keyword than a column.
pub(crate) fn unlikely_column(word: &str) -> bool {
    NO_COLUMN.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// What may follow a relation or a complete clause; a misspelt one is first taken for an alias.
pub(crate) const CLAUSES: &[&str] = &[
    "WHERE",
    "GROUP",
    "ORDER",
    "HAVING",
    "LIMIT",
    "JOIN",
    "LEFT",
    "RIGHT",
    "INNER",
    "CROSS",
    "UNION",
    "ON",
    "USING",
    "WHEN",
    "SET",
    "WINDOW",
    "FROM",
    "OFFSET",
    "LATERAL",
    "INTERSECT",
    "EXCEPT",
    "AND",
    "VALUES",
    "SELECT",
];

/// The candidate that the word was most likely meant to be: at most two typing errors, fewer in
/// short words, and never a different word of one or two letters.
pub(crate) fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let word = word.to_ascii_uppercase();
    let limit = match word.chars().count() {
        0..=2 => return None,
        3..=4 => 1,
        _ => 2,
    };
    let scored = candidates.iter().filter(|candidate| candidate.len() > 2).map(|c| (distance(&word, c), *c));
    scored.filter(|(typos, _)| (1..=limit).contains(typos)).min_by_key(|(typos, _)| *typos).map(|(_, best)| best)
}

/// Edit distance in which swapping two neighbours counts once.
fn distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=right.len()).collect()];
    for (i, l) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, r) in right.iter().enumerate() {
            let at = |row: &[usize], idx: usize| row.get(idx).copied().unwrap_or(usize::MAX / 2);
            let above = rows.last().map_or(&[][..], Vec::as_slice);
            let mut cost = (at(above, j) + usize::from(l != r)).min(at(above, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && left.get(i - 1) == Some(r) && right.get(j - 1) == Some(l);
            if swapped && let Some(before) = i.checked_sub(1).and_then(|idx| rows.get(idx)) {
                cost = cost.min(at(before, j - 1) + 1);
            }
            row.push(cost);
        }
        rows.push(row);
    }
    rows.last().and_then(|row| row.last()).copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_for_the_binary_search() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn a_swap_is_one_typo_and_a_short_word_allows_no_second() {
        assert_eq!(nearest("UPDTE", &["UPDATE", "DELETE"]), Some("UPDATE"));
        assert_eq!(nearest("form", &["FROM", "FOR"]), Some("FROM"));
        assert_eq!(nearest("abcd", &["SET", "FROM"]), None);
    }
}
