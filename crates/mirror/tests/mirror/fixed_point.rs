//! SQL → spec → SQL changes nothing but the layout.

use crate::corpus::corpus;
use crate::spanless::spanless;
use spec::{MergeInto, StatementKind};

pub(crate) fn merge_of(text: &str) -> MergeInto {
    let mut parsed = sql::parse(text);
    assert!(parsed.diagnostics.is_empty(), "{text}\n{:?}", parsed.diagnostics);
    match parsed.statements.pop().map(|statement| statement.kind) {
        Some(StatementKind::Merge(merge)) => *merge,
        other => panic!("no MERGE: {text}\n{other:?}"),
    }
}

#[test]
fn every_merge_of_the_project_comes_back() {
    let merges = corpus().merges;
    for (text, merge) in &merges {
        let printed = mirror::sql(merge);
        let again = merge_of(&printed.text);
        assert_eq!(spanless(merge), spanless(&again), "\n{text}\n---\n{}", printed.text);
        assert_eq!(printed.text, mirror::sql(&again).text);
        assert!(printed.notes.is_empty(), "SQL has words for SQL: {:?}", printed.notes);
    }
    assert!(merges.len() > 1500, "only {} statements were found", merges.len());
}

#[test]
fn every_query_of_the_project_comes_back() {
    let queries = corpus().queries;
    for (text, query) in &queries {
        let printed = mirror::query(query);
        let again =
            sql::parse_query(&printed.text).unwrap_or_else(|wrong| panic!("{text}\n---\n{}\n{wrong}", printed.text));
        // INSERT knows DEFAULT, a query alone does not.
        if !text.to_uppercase().contains("DEFAULT") {
            assert_eq!(spanless(query), spanless(&again), "\n{text}\n---\n{}", printed.text);
        }
        assert_eq!(printed.text, mirror::query(&again).text);
        assert!(printed.notes.is_empty(), "SQL has words for SQL: {:?}", printed.notes);
    }
    assert!(queries.len() > 1500, "only {} queries were found", queries.len());
}
