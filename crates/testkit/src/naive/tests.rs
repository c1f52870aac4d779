//! The model on cases small enough to check by eye.

use super::*;

fn number(name: &str) -> Column {
    Column { name: name.into(), data_type: Type::Int, required: false }
}

fn table(inserts: &[&[(i64, i64)]]) -> Table {
    let row = |(key, value): &(i64, i64)| vec![Value::Int(*key), Value::Int(*value)];
    let inserts = inserts.iter().map(|rows| rows.iter().map(row).collect()).collect();
    Table { columns: vec![number("k"), number("v")], partition: None, inserts }
}

fn source(rows: &[(i64, i64)]) -> Vec<Row> {
    table(&[rows]).inserts.remove(0)
}

fn column(side: Side, idx: usize) -> Expr {
    Expr::Column(side, idx)
}

fn equal(left: Expr, right: Expr) -> Expr {
    Expr::Compare(Comparison::Equal, Box::new(left), Box::new(right))
}

fn statement(clauses: Vec<Clause>) -> Merge {
    Merge { on: equal(column(Side::Target, 0), column(Side::Source, 0)), clauses }
}

fn update() -> Clause {
    let sets = vec![(1, column(Side::Source, 1))];
    Clause { when: When::Matched, condition: None, action: Action::Update(sets), star: false }
}

fn delete(when: When) -> Clause {
    Clause { when, condition: None, action: Action::Delete, star: false }
}

fn shown(rows: &[Row]) -> Vec<String> {
    let mut shown: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    shown.sort();
    shown
}

#[test]
fn a_matched_row_changes_and_its_neighbour_is_copied() {
    let merged =
        merge(&table(&[&[(1, 1), (2, 2)], &[(3, 3)]]), &source(&[(1, 9)]), &statement(vec![update()]), false, false);
    let merged = merged.unwrap();
    assert_eq!(shown(&merged.rows), shown(&source(&[(1, 9), (2, 2), (3, 3)])));
    let files = Metrics { files_removed: 1, files_added: 1, files_apart: 1, ..Metrics::default() };
    let expected = Metrics { source: 1, matched_updated: 1, copied: 1, ..files };
    assert_eq!(merged.metrics, expected);
}

#[test]
fn two_matches_fail_unless_the_only_clause_deletes() {
    let (table, source) = (table(&[&[(1, 1)]]), source(&[(1, 8), (1, 9)]));
    let failure = merge(&table, &source, &statement(vec![update()]), false, false).unwrap_err();
    assert_eq!(failure, Failure::Duplicate);
    let merged = merge(&table, &source, &statement(vec![delete(When::Matched)]), false, false).unwrap();
    assert_eq!((merged.rows.len(), merged.metrics.matched_deleted), (0, 1));
}

#[test]
fn a_null_key_matches_nothing() {
    let rows = vec![vec![Value::Null, Value::Int(1)]];
    let nulls = Table { inserts: vec![rows.clone()], ..table(&[]) };
    let merged = merge(&nulls, &rows, &statement(vec![delete(When::Matched)]), false, false).unwrap();
    assert!(!merged.commits && merged.rows.len() == 1);
    let merged = merge(&nulls, &rows, &statement(vec![delete(When::NotMatchedBySource)]), false, false).unwrap();
    assert_eq!((merged.rows.len(), merged.metrics.by_source_deleted), (0, 1));
}

#[test]
fn unknown_is_neither_true_nor_false() {
    let unknown = Expr::Literal(Value::Null, Type::Bool);
    let yes = || Box::new(Expr::Literal(Value::Bool(true), Type::Bool));
    assert!(Expr::And(Box::new(unknown.clone()), yes()).eval(None, None).is_null());
    assert!(Expr::Or(Box::new(unknown.clone()), yes()).eval(None, None).is_true());
    assert!(Expr::Not(Box::new(unknown)).eval(None, None).is_null());
}

#[test]
fn an_empty_partition_text_is_null() {
    let texts = Column { name: "p".into(), data_type: Type::Text, required: false };
    let rows = vec![vec![Value::Text(String::new())], vec![Value::Null], vec![Value::Text("a".into())]];
    let files = files_of(&Table { columns: vec![texts], partition: Some(0), inserts: vec![rows] });
    assert_eq!(files.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    assert!(files[0].iter().all(|row| row[0].is_null()));
}

#[test]
fn the_model_names_nothing_that_it_judges() {
    let texts = [include_str!("expr.rs"), include_str!("merge.rs"), include_str!("value.rs"), include_str!("mod.rs")];
    for text in texts {
        let used = text.lines().filter(|line| line.trim_start().starts_with("use ") || line.contains("extern crate"));
        for line in used {
            let inside = ["use super::", "use std::", "pub use expr::", "pub use merge::", "pub use value::"];
            assert!(inside.iter().any(|start| line.trim_start().starts_with(start)), "{line}");
        }
    }
}
