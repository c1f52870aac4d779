//! Small pieces of sentences.

use crate::Outcome;

/// `1 row`, `2 rows`.
pub(super) fn count(n: u64, noun: &str) -> String {
    let ending = if n == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(n))
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A number with a thin space between groups of three digits, so that long counts can be read.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// Text on one line, cut at about `limit` characters.
pub(super) fn one_line(text: &str, limit: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(&line).trim_end()),
        None => line,
    }
}

/// What became of rows, as the end of "… rows are".
pub(super) fn past(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Inserted => "inserted",
        Outcome::Updated | Outcome::UpdatedBySource => "updated",
        Outcome::Deleted | Outcome::DeletedBySource => "deleted",
        Outcome::Copied => "copied unchanged",
        Outcome::Ignored => "left alone",
    }
}

/// `is` or `are`.
pub(super) fn be(n: u64) -> &'static str {
    if n == 1 { "is" } else { "are" }
}
