//! Comparing `spec` values without their spans.

use std::fmt::Debug;

const SPAN: &str = "Span { start: ";

/// Everything that the value holds but its spans, as text.
pub(crate) fn spanless(value: &impl Debug) -> String {
    let text = format!("{value:?}");
    let mut pieces = text.split(SPAN);
    let mut kept = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let (numbers, rest) = piece.split_once('}').unwrap();
        let is_span = numbers.trim().split(", end: ").all(|number| number.parse::<usize>().is_ok());
        assert!(is_span, "a text that looks like a span: {piece}");
        kept.push('…');
        kept.push_str(rest);
    }
    kept
}

#[test]
fn only_spans_are_ignored() {
    let of = |text: &str| spanless(&sql::parse_expr(text).unwrap());
    assert_eq!(of("a + 1"), of("  a  +  1"));
    assert_ne!(of("a + 1"), of("a + 1L"));
    assert_ne!(of("'Span {'"), of("''"));
}
