//! `operationParameters` of a MERGE.

use super::bind::BoundMerge;
use crate::commit::predicate_list;
use crate::observe::ClauseKind;
use serde_json::{Map, Value};

/// The predicate and one list per clause kind; every value is JSON text inside a string.
pub(crate) fn of(bound: &BoundMerge) -> Map<String, Value> {
    let list = |kind: ClauseKind| {
        let clauses = bound.clauses.iter().filter(|clause| clause.kind == kind).map(|clause| {
            let mut entry = Map::new();
            if let Some(condition) = &clause.condition {
                entry.insert("predicate".into(), Value::String(condition.catalyst()));
            }
            entry.insert("actionType".into(), Value::String(clause.action.kind().word().into()));
            Value::Object(entry)
        });
        Value::String(Value::Array(clauses.collect()).to_string())
    };
    Map::from_iter([
        ("predicate".to_owned(), predicate_list(Some(&bound.on.catalyst()))),
        ("matchedPredicates".to_owned(), list(ClauseKind::Matched)),
        ("notMatchedPredicates".to_owned(), list(ClauseKind::NotMatched)),
        ("notMatchedBySourcePredicates".to_owned(), list(ClauseKind::NotMatchedBySource)),
    ])
}
