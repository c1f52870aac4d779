//! Expressions that are easily printed wrong.

use crate::corpus;
use crate::spanless::spanless;

/// Prints and reads again; gives the text.
fn comes_back(text: &str) -> String {
    let expr = sql::parse_expr(text).unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
    let printed = mirror::expression(&expr);
    let again = sql::parse_expr(&printed.text).unwrap_or_else(|wrong| panic!("{text} → {}: {wrong}", printed.text));
    assert_eq!(spanless(&expr), spanless(&again), "{text} → {}", printed.text);
    assert_eq!(printed.text, mirror::expression(&again).text, "{text}");
    assert!(printed.notes.is_empty(), "{text} → {:?}", printed.notes);
    printed.text
}

#[test]
fn tricky_expressions_come_back() {
    let lines = include_str!("tricky.txt").lines();
    let texts: Vec<&str> = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert!(texts.len() > 250);
    for text in texts {
        comes_back(text);
    }
}

#[test]
fn the_parsers_own_cases_come_back() {
    let readable: Vec<String> =
        corpus::expressions().into_iter().filter(|text| sql::parse_expr(text).is_ok()).collect();
    assert!(readable.len() > 100, "only {} expressions were found", readable.len());
    readable.iter().for_each(|text| {
        comes_back(text);
    });
}

#[test]
fn parentheses_stand_where_they_are_needed() {
    let cases = [
        ("((a) + (b * c))", "a + b * c"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a AND b) OR (c AND d)", "a AND b OR c AND d"),
        ("((a AND b) AND c)", "a AND b AND c"),
        ("a AND NOT b LIKE ANY ('p', 'q', 'r', 's')", "a AND NOT (b LIKE ANY ('p', 'q', 'r', 's'))"),
        ("a OR b NOT ILIKE ALL ('p', 'q', 'r', 's') AND c", "a OR b NOT ILIKE ALL ('p', 'q', 'r', 's') AND c"),
        ("a AND (b AND c)", "a AND (b AND c)"),
        ("NOT (a <=> b)", "NOT (a <=> b)"),
        ("NOT (a)", "NOT a"),
        ("(a IS NULL) AND (b IN (1))", "a IS NULL AND b IN (1)"),
        ("(-(5))", "-(5)"),
        ("(a[0]).b", "a[0].b"),
        ("((SELECT 1))", "((SELECT 1))"),
        ("a IN (((1)), (2))", "a IN (1, 2)"),
    ];
    for (text, expected) in cases {
        assert_eq!(comes_back(text), expected, "{text}");
    }
}

#[test]
fn a_chain_of_a_program_is_a_chain() {
    let expr = sql::parse_expr("((((a AND b) AND c) AND d) AND e) OR (((a OR b) OR (c OR d)) OR e)").unwrap();
    let printed = mirror::expression(&expr).text;
    assert_eq!(printed, "a AND b AND c AND d AND e OR (a OR b OR c OR d OR e)");
}

#[test]
fn names_and_constants_are_written_plainly() {
    let cases = [
        ("`date`", "date"),
        ("t.`order`", "t.order"),
        ("\"it's\"", "'it\\'s'"),
        ("5000000000", "5000000000L"),
        ("1e3", "1000D"),
        ("INTERVAL 1 WEEK", "INTERVAL '7' DAY"),
        ("a == b AND c != d", "a = b AND c <> d"),
        ("current_date", "current_date()"),
        ("a::int", "CAST(a AS INT)"),
        ("dateadd(month, 1, a)", "timestampadd(MONTH, 1, a)"),
    ];
    for (text, expected) in cases {
        assert_eq!(comes_back(text), expected, "{text}");
    }
}

#[test]
fn deep_expressions_are_printed_in_time() {
    let deepest = 100;
    let nested = [
        format!("{}a", "- ".repeat(deepest)),
        format!("{}a", "NOT ".repeat(deepest)),
        format!("{}a{}", "f(".repeat(deepest / 2), ")".repeat(deepest / 2)),
        format!("{}1{}", "(SELECT ".repeat(deepest / 2), ")".repeat(deepest / 2)),
        format!("{}a{}", "CASE WHEN ".repeat(30), " THEN b END".repeat(30)),
        vec!["a"; 390].join(" + "),
        vec!["a = 1"; 3000].join(" AND "),
        vec!["a IS NULL OR b"; 300].join(" AND "),
    ];
    for text in nested {
        comes_back(&text);
    }
    let source = format!("{}SELECT 1 AS k{}", "SELECT * FROM (".repeat(50), ") AS x".repeat(50));
    let query = sql::parse_query(&source).unwrap();
    let printed = mirror::query(&query).text;
    assert_eq!(spanless(&sql::parse_query(&printed).unwrap()), spanless(&query));
}
