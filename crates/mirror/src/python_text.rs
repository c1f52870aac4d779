//! Strings of Python.

use std::fmt::Write;

/// A string on one line. One with backslashes is a raw string where it can be, so that SQL in it reads as SQL.
pub fn string(text: &str) -> String {
    let plain = !text.contains('"') && !text.chars().any(|c| c.is_control());
    if plain && !text.contains('\\') {
        return format!("\"{text}\"");
    }
    if plain && may_be_raw(text) {
        return format!("r\"{text}\"");
    }
    format!("\"{}\"", escaped(text, true))
}

/// A string over several lines; `text` begins and ends with a line break, so no quote of it meets the closing ones.
pub fn block(text: &str) -> String {
    let plain = !text.contains("\"\"\"") && !text.chars().any(|c| c.is_control() && c != '\n');
    if plain && !text.contains('\\') {
        return format!("\"\"\"{text}\"\"\"");
    }
    if plain && may_be_raw(text) {
        return format!("r\"\"\"{text}\"\"\"");
    }
    format!("\"\"\"{}\"\"\"", escaped(text, false))
}

/// A raw string cannot end in a backslash, for that would take the quote with it.
fn may_be_raw(text: &str) -> bool {
    !text.ends_with('\\')
}

fn escaped(text: &str, line_breaks: bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\\\"),
            '"' => escaped.push_str("\\\""),
            '\n' if !line_breaks => escaped.push('\n'),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(escaped, "\\u{:04x}", u32::from(c));
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quietest_form_is_taken() {
        assert_eq!(string("t.id = s.id"), r#""t.id = s.id""#);
        assert_eq!(string(r"s.v RLIKE '\\d'"), r#"r"s.v RLIKE '\\d'""#);
        assert_eq!(string("a \"b\" \\"), r#""a \"b\" \\""#);
        assert_eq!(block("\n  a\n"), "\"\"\"\n  a\n\"\"\"");
        assert_eq!(block("\n\"\"\"\\\n"), "\"\"\"\n\\\"\\\"\\\"\\\\\n\"\"\"");
    }
}
