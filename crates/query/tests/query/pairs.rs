use crate::harness::{run, session};
use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use async_trait::async_trait;
use delta::schema::DataType;
use query::{At, Catalog, Column, Found, Scope, bind, join_pairs};
use spec::{Diagnostic, Name};
use std::sync::Arc;

struct Nothing;

#[async_trait]
impl Catalog for Nothing {
    async fn relation(&self, name: &Name, _at: Option<At>) -> Result<Found, Diagnostic> {
        Err(Diagnostic::unsupported(name, name.span()))
    }
}

fn batch(keys: Vec<Option<i64>>, texts: Vec<Option<&str>>) -> RecordBatch {
    let columns: [(&str, ArrayRef); 2] =
        [("k", Arc::new(Int64Array::from(keys))), ("x", Arc::new(StringArray::from(texts)))];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true))).unwrap()
}

fn pairs(target: &[RecordBatch], source: &[RecordBatch], on: &str) -> Vec<(u64, u64)> {
    let columns = ["k", "x"].map(|name| Column {
        name: name.into(),
        data_type: if name == "k" { DataType::Long } else { DataType::String },
        nullable: true,
    });
    let mut scope = Scope::new();
    scope.add(&["t".into()], &columns);
    scope.add(&["s".into()], &columns);
    run(async {
        let on = bind(&session(), &Nothing, &scope, &sql::parse_expr(on).unwrap()).await.unwrap();
        let pairs = join_pairs(&session(), target, source, &on).await.unwrap();
        pairs.target.values().iter().copied().zip(pairs.source.values().iter().copied()).collect()
    })
}

#[test]
fn pairs_are_those_for_which_the_condition_is_true() {
    let target = [
        batch(vec![Some(1), Some(2), None], vec![Some("a"), Some("b"), Some("c")]),
        batch(vec![Some(2), Some(3)], vec![None, Some("z")]),
    ];
    let source =
        [batch(vec![Some(2), None], vec![Some("b"), Some("c")]), batch(vec![Some(3), Some(2)], vec![None, None])];
    let cases: [(&str, &[(u64, u64)]); 12] = [
        ("t.k = s.k", &[(1, 0), (1, 3), (3, 0), (3, 3), (4, 2)]),
        ("t.k <=> s.k", &[(1, 0), (1, 3), (2, 1), (3, 0), (3, 3), (4, 2)]),
        ("t.k = s.k AND t.x <=> s.x", &[(1, 0), (3, 3)]),
        ("t.k = s.k AND t.x = 'b'", &[(1, 0), (1, 3)]),
        ("t.k = s.k AND s.x IS NULL", &[(1, 3), (3, 3), (4, 2)]),
        ("t.k = s.k AND t.x > s.x", &[]),
        ("t.k < s.k", &[(0, 0), (0, 2), (0, 3), (1, 2), (3, 2)]),
        ("t.k + 1 = s.k", &[(0, 0), (0, 3), (1, 2), (3, 2)]),
        ("s.k = t.k AND t.k <> 2", &[(4, 2)]),
        ("false", &[]),
        ("t.x = 'a' AND s.x = 'c'", &[(0, 1)]),
        ("CAST(NULL AS BOOLEAN)", &[]),
    ];
    for (on, wanted) in cases {
        assert_eq!(pairs(&target, &source, on), wanted, "{on}");
    }
    assert_eq!(pairs(&target, &source, "true").len(), 20);
}

#[test]
fn an_empty_side_has_no_pairs() {
    let some = [batch(vec![Some(1)], vec![None])];
    let none = [batch(vec![], vec![])];
    assert_eq!(pairs(&some, &none, "t.k = s.k"), []);
    assert_eq!(pairs(&none, &some, "t.k = s.k"), []);
    assert_eq!(pairs(&[], &some, "t.k = s.k"), []);
}

#[test]
fn pairs_come_sorted_whatever_the_size() {
    let keys: Vec<Option<i64>> = (0..30_000).map(|row| Some(row % 10_000)).collect();
    let target = [batch(keys.clone(), vec![None; 30_000])];
    let source = [batch((0..500).rev().map(|row| Some(row * 7 % 400)).collect(), vec![None; 500])];
    let found = pairs(&target, &source, "t.k = s.k");
    assert!(found.is_sorted());
    assert_eq!(found.len(), 1500);
}
