//! Spans: that nodes cover exactly their text, and tokens for colouring.

use spec::Span;
use sql::TokenKind;
use std::fmt::Debug;

/// Every span inside a value, read from its debug text, in the order of its fields.
pub(crate) fn of(value: &impl Debug) -> Vec<Span> {
    let shown = format!("{value:?}");
    let number = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<usize>().ok();
    shown
        .split("Span { start: ")
        .skip(1)
        .filter_map(|part| {
            let (start, end) = part.split_once(", end: ")?;
            Some(Span::new(number(start)?, number(end)?))
        })
        .collect()
}

fn texts<'a>(text: &'a str, value: &impl Debug) -> Vec<&'a str> {
    of(value).into_iter().map(|span| span.of(text)).collect()
}

#[test]
fn an_expression_and_its_parts_cover_their_own_text() {
    let text = "  (a + 1) * -b::INT AND NOT f(x) <=> 'é' ";
    let expr = sql::parse_expr(text).unwrap();
    let expected = [
        "a",
        "a",
        "1",
        "(a + 1)",
        "b",
        "b",
        "b::INT",
        "-b::INT",
        "(a + 1) * -b::INT",
        "f",
        "x",
        "x",
        "f(x)",
        "'é'",
        "f(x) <=> 'é'",
        "NOT f(x) <=> 'é'",
        "(a + 1) * -b::INT AND NOT f(x) <=> 'é'",
    ];
    assert_eq!(texts(text, &expr), expected);
}

#[test]
fn a_statement_leaves_out_the_semicolon_and_comments_around_it() {
    let text = "-- one\n/* two */ SELECT 1 -- three\n ; ;; SELECT /* in */ 2";
    let statements = sql::parse(text).statements;
    let spans: Vec<&str> = statements.iter().map(|statement| statement.span.of(text)).collect();
    assert_eq!(spans, ["SELECT 1", "SELECT /* in */ 2"]);
}

#[test]
fn merge_clauses_cover_their_own_text() {
    let text = "MERGE INTO t USING (SELECT 1 AS k) s ON t.k = s.k WHEN MATCHED AND t.v THEN DELETE WHEN NOT MATCHED THEN INSERT *";
    let statements = sql::parse(text).statements;
    let spec::StatementKind::Merge(merge) = &statements[0].kind else { panic!("{statements:?}") };
    assert_eq!(merge.source.span().of(text), "(SELECT 1 AS k) s");
    assert_eq!(merge.matched[0].span.of(text), "WHEN MATCHED AND t.v THEN DELETE");
    assert_eq!(merge.not_matched[0].span.of(text), "WHEN NOT MATCHED THEN INSERT *");
}

#[test]
fn tokens_carry_what_colouring_needs() {
    let text = "SELECT t.select, `a b`, 'x' -- c\n FROM 1.5 <=> ?";
    let kinds: Vec<(&str, TokenKind)> =
        sql::tokens(text).into_iter().map(|token| (token.span.of(text), token.kind)).collect();
    assert_eq!(
        kinds,
        [
            ("SELECT", TokenKind::Keyword),
            ("t", TokenKind::Name),
            (".", TokenKind::Operator),
            ("select", TokenKind::Name),
            (",", TokenKind::Operator),
            ("`a b`", TokenKind::Name),
            (",", TokenKind::Operator),
            ("'x'", TokenKind::String),
            ("-- c", TokenKind::Comment),
            ("FROM", TokenKind::Keyword),
            ("1.5", TokenKind::Number),
            ("<=>", TokenKind::Operator),
            ("?", TokenKind::Operator),
        ]
    );
    assert_eq!(sql::tokens("'open").first().map(|token| token.kind), Some(TokenKind::Unknown));
}

#[test]
fn statements_around_a_broken_one_are_kept_in_order() {
    let text = "SELECT 1; SELECT FROM WHERE; SELECT 3; 'open; SELECT 4";
    let parsed = sql::parse(text);
    let kept: Vec<&str> = parsed.statements.iter().map(|statement| statement.span.of(text)).collect();
    assert_eq!(kept, ["SELECT 1", "SELECT 3"]);
    assert_eq!(parsed.diagnostics.len(), 2);
}
