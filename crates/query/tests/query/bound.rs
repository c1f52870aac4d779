use crate::harness::{Memories, catalog, run, session};
use arrow::array::{Array, NullArray, RecordBatch};
use arrow::datatypes::{Field, Schema};
use arrow::util::display::array_value_to_string;
use delta::scalar::Scalar;
use delta::schema::DataType;
use query::{AssignKind, BindError, Bound, CompareOp, Predicate, Scope, bind, usage};
use std::collections::BTreeSet;
use std::sync::Arc;

fn scope(catalog: &Memories) -> Scope {
    let mut scope = Scope::new();
    assert_eq!(scope.add(&["spark_catalog".into(), "default".into(), "t".into()], &catalog.batches("t").0), 0);
    assert_eq!(scope.add(&["s".into()], &catalog.batches("s").0), 4);
    scope
}

fn bound(text: &str) -> Result<Bound, BindError> {
    run(async {
        let catalog = catalog().await;
        bind(&session(), &catalog, &scope(&catalog), &sql::parse_expr(text).unwrap()).await
    })
}

fn predicate(text: &str) -> Predicate {
    bound(text).unwrap().predicate()
}

fn compare(column: usize, op: CompareOp, value: Scalar) -> Predicate {
    Predicate::Compare { column, path: Vec::new(), op, value }
}

#[test]
fn an_expression_is_evaluated_by_position() {
    let catalog = run(catalog());
    let batch = catalog.batches("t").1.remove(0);
    let absent = Arc::new(NullArray::new(batch.num_rows()));
    let mut columns = batch.columns().to_vec();
    columns.extend([absent.clone() as _, absent.clone() as _, absent as _]);
    let fields: Vec<Field> = columns
        .iter()
        .enumerate()
        .map(|(idx, array)| Field::new(idx.to_string(), array.data_type().clone(), true))
        .collect();
    let wide = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap();
    let values = |text: &str| -> Vec<String> {
        let array = bound(text).unwrap().evaluate(&wide).unwrap();
        (0..array.len()).map(|row| array_value_to_string(&array, row).unwrap()).collect()
    };
    assert_eq!(values("v + 1"), ["11", "21", "", "41"]);
    assert_eq!(values("default.t.id * (SELECT max(w) FROM s)"), ["201", "402", "603", "804"]);
    assert_eq!(values("7"), ["7", "7", "7", "7"]);
}

#[test]
fn columns_and_conjuncts() {
    let all = bound("t.id = s.id AND (v > 1 AND w IS NULL) AND k = 'x'").unwrap();
    assert_eq!(all.columns(), BTreeSet::from([0, 1, 2, 4, 6]));
    let parts: Vec<BTreeSet<usize>> = all.conjuncts().iter().map(Bound::columns).collect();
    assert_eq!(parts, [BTreeSet::from([0, 4]), BTreeSet::from([2]), BTreeSet::from([6]), BTreeSet::from([1])]);
    assert_eq!(all.data_type(), DataType::Boolean);
    assert_eq!(bound("t.id = s.id").unwrap().catalyst(), "(id = id)");
    assert!(bound("NULL").unwrap().is_literal());
    assert!(bound("id2 <=> 1").is_err());
}

#[test]
fn names_fail_as_mergers_need_it() {
    let Err(BindError::Unresolved { name, .. }) = bound("t.gone + 1") else { panic!("t.gone is bound") };
    assert_eq!(name, "t.gone");
    let Err(BindError::Other(diagnostic)) = bound("id = 1") else { panic!("id is bound") };
    assert_eq!(diagnostic.condition, "AMBIGUOUS_REFERENCE");
}

#[test]
fn predicates_for_statistics() {
    assert_eq!(predicate("v > 1 + 2"), compare(2, CompareOp::Gt, Scalar::Int(3)));
    assert_eq!(predicate("3 >= v"), compare(2, CompareOp::LtEq, Scalar::Int(3)));
    assert_eq!(predicate("v = 3L"), compare(2, CompareOp::Eq, Scalar::Int(3)));
    assert_eq!(predicate("k = 'a'"), compare(1, CompareOp::Eq, Scalar::String("a".into())));
    assert_eq!(predicate("v IS NULL"), Predicate::IsNull { column: 2, path: Vec::new() });
    assert_eq!(predicate("t.id = s.id"), Predicate::NullRejecting { columns: vec![0, 4] });
    assert_eq!(predicate("1 = 1"), Predicate::True);
    assert_eq!(predicate("k LIKE 'ab%'"), Predicate::StartsWith { column: 1, path: Vec::new(), prefix: "ab".into() });
    assert_eq!(
        predicate("v BETWEEN 1 AND 5"),
        Predicate::And(vec![compare(2, CompareOp::GtEq, Scalar::Int(1)), compare(2, CompareOp::LtEq, Scalar::Int(5))])
    );
    assert_eq!(
        predicate("v = 1 OR k = 'x'"),
        Predicate::Or(vec![
            compare(2, CompareOp::Eq, Scalar::Int(1)),
            compare(1, CompareOp::Eq, Scalar::String("x".into()))
        ])
    );
    assert_eq!(predicate("date_sub(current_date(), 7) = DATE'2024-03-03'"), Predicate::True);
    assert_eq!(predicate("v % 2 = 0"), Predicate::NullRejecting { columns: vec![2] });
    assert_eq!(predicate("coalesce(v, 1) = 0"), Predicate::Opaque);
}

#[test]
fn assignment_casts_to_the_column() {
    let text = bound("'12'").unwrap().assign(&session(), &DataType::Int, AssignKind::Insert).unwrap();
    assert_eq!(text.data_type(), DataType::Int);
}

#[test]
fn usage_finds_what_statements_restrict() {
    let of = |text: &str| usage(&sql::parse_expr(text).unwrap());
    assert_eq!(of("1 + max(v)").aggregates.unwrap().1, "max");
    assert_eq!(of("rand() > 0.5").nondeterministic.unwrap().1, "rand");
    assert!(of("sum(v) OVER ()").windows.is_some() && of("sum(v) OVER ()").aggregates.is_none());
    assert!(of("v IN (SELECT 1)").subqueries.is_some());
    assert!(of("explode(arr)").generators.is_some());
    assert_eq!(of("v + 1"), query::Usage::default());
}
