//! Names, in backquotes where the grammar would read another thing.

use spec::{Ident, Name};

/// Words that mean something of their own where a name may begin, sorted. Nearly every word of the grammar may be a name
/// (`date`, `source`, `version`); these may not everywhere.
const RESERVED: &[&str] = &[
    "ALL",
    "AND",
    "ANTI",
    "AS",
    "BETWEEN",
    "BOTH",
    "CASE",
    "CLUSTER",
    "CROSS",
    "CURRENT_DATE",
    "CURRENT_TIMESTAMP",
    "CURRENT_USER",
    "DISTINCT",
    "DISTRIBUTE",
    "DIV",
    "ELSE",
    "END",
    "EXCEPT",
    "FALSE",
    "FROM",
    "FULL",
    "GROUP",
    "HAVING",
    "ILIKE",
    "IN",
    "INNER",
    "INTERSECT",
    "INTERVAL",
    "IS",
    "JOIN",
    "LATERAL",
    "LEADING",
    "LEFT",
    "LIKE",
    "LIMIT",
    "LOCALTIMESTAMP",
    "MINUS",
    "NATURAL",
    "NOT",
    "NULL",
    "OFFSET",
    "ON",
    "OR",
    "ORDER",
    "PIVOT",
    "QUALIFY",
    "RECURSIVE",
    "RIGHT",
    "RLIKE",
    "SELECT",
    "SEMI",
    "SESSION_USER",
    "SET",
    "SETMINUS",
    "SORT",
    "STREAM",
    "TABLE",
    "TABLESAMPLE",
    "THEN",
    "TRAILING",
    "TRUE",
    "UNION",
    "UNPIVOT",
    "USING",
    "VALUES",
    "WHEN",
    "WHERE",
    "WINDOW",
    "WITH",
];

/// Words that are no function, even with a parenthesis behind them, sorted.
const NO_FUNCTION: &[&str] = &[
    "AND", "AS", "BETWEEN", "CASE", "CAST", "CROSS", "CUBE", "ELSE", "EXTRACT", "FALSE", "FROM", "GROUP", "HAVING",
    "ILIKE", "IN", "INNER", "IS", "JOIN", "LIKE", "NOT", "NULL", "ON", "OR", "ORDER", "RLIKE", "ROLLUP", "SELECT",
    "SET", "STREAM", "TABLE", "THEN", "TRUE", "TRY_CAST", "UNION", "USING", "VALUES", "WHEN", "WHERE",
];

/// A name that stands alone, or the first part of a longer one.
pub(crate) fn ident(name: &Ident) -> String {
    word(&name.value)
}

/// The same for a text.
pub(crate) fn word(name: &str) -> String {
    if is_plain(name) && !is_one_of(RESERVED, name) { name.to_owned() } else { quoted(name) }
}

/// A part behind a dot, where every word is a name.
pub(crate) fn part(name: &Ident) -> String {
    if is_plain(&name.value) { name.value.clone() } else { quoted(&name.value) }
}

/// A dotted name.
pub(crate) fn name(name: &Name) -> String {
    dotted(&name.parts, ident)
}

/// The name of a function in front of its parenthesis.
pub(crate) fn function(name: &Name) -> String {
    dotted(&name.parts, |first| {
        if is_plain(&first.value) && !is_one_of(NO_FUNCTION, &first.value) {
            first.value.clone()
        } else {
            quoted(&first.value)
        }
    })
}

/// A column as the key of a dict: Delta reads it as a dotted name in which no word is reserved.
pub(crate) fn key(name: &Name) -> String {
    dotted(&name.parts, part)
}

/// A list of names in parentheses.
pub(crate) fn list(names: &[Ident]) -> String {
    let names: Vec<String> = names.iter().map(ident).collect();
    format!("({})", names.join(", "))
}

fn dotted(parts: &[Ident], first: impl Fn(&Ident) -> String) -> String {
    let parts: Vec<String> =
        parts.iter().enumerate().map(|(idx, each)| if idx == 0 { first(each) } else { part(each) }).collect();
    parts.join(".")
}

pub(crate) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// Letters beyond ASCII need quotes on older Sparks, and a leading digit may make a number of a name.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn is_one_of(words: &[&str], name: &str) -> bool {
    words.binary_search(&name.to_ascii_uppercase().as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_for_the_binary_search() {
        assert!(RESERVED.is_sorted());
        assert!(NO_FUNCTION.is_sorted());
    }

    #[test]
    fn only_names_that_need_it_are_quoted() {
        assert_eq!(word("date"), "date");
        assert_eq!(word("order"), "`order`");
        assert_eq!(word("5d"), "`5d`");
        assert_eq!(word("a`b"), "`a``b`");
    }
}
