//! Queries that are easily printed wrong.

use crate::spanless::spanless;
use spec::QueryBody;

#[test]
fn tricky_queries_come_back() {
    let lines = include_str!("queries.txt").lines();
    let texts: Vec<&str> = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert!(texts.len() > 40);
    for text in texts {
        let query = sql::parse_query(text).unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
        let printed = mirror::query(&query);
        let again = sql::parse_query(&printed.text).unwrap_or_else(|wrong| panic!("{}\n{wrong}", printed.text));
        assert_eq!(spanless(&query), spanless(&again), "{text}\n---\n{}", printed.text);
        assert_eq!(printed.text, mirror::query(&again).text);
        // The same on one line, as a condition of a program has it.
        let inside = sql::parse_expr(&format!("a IN ({text})")).unwrap();
        let printed = mirror::expression(&inside).text;
        assert!(!printed.contains('\n'), "{printed}");
        assert_eq!(spanless(&sql::parse_expr(&printed).unwrap()), spanless(&inside), "{printed}");
    }
}

#[test]
fn a_set_operation_that_no_text_has_gets_parentheses() {
    let mut query = sql::parse_query("SELECT 1 EXCEPT (SELECT 2 UNION SELECT 3)").unwrap();
    let QueryBody::SetOp { right, .. } = &mut query.body else { panic!("{query:?}") };
    let QueryBody::Query(inner) = std::mem::replace(&mut **right, QueryBody::Table(spec::Name { parts: Vec::new() }))
    else {
        panic!("no parentheses")
    };
    **right = inner.body;
    let printed = mirror::query(&query).text;
    assert_eq!(printed, "SELECT 1\nEXCEPT\n(\n  SELECT 2\n  UNION\n  SELECT 3\n)");
}
