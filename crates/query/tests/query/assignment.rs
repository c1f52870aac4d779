//! Store assignment: what a written value becomes, by statement and policy.

use crate::harness::{NOW, catalog, run};
use arrow::array::{Array, RecordBatch, RecordBatchOptions};
use arrow::datatypes::Schema;
use delta::schema::{DataType, StructField, StructType};
use query::{AssignKind, Scope, Session, Settings, StoreAssignment, bind, display};
use spec::Diagnostic;
use std::sync::Arc;

fn one_row() -> RecordBatch {
    let options = RecordBatchOptions::new().with_row_count(Some(1));
    RecordBatch::try_new_with_options(Arc::new(Schema::empty()), Vec::new(), &options).unwrap()
}

fn assigned(policy: StoreAssignment, kind: AssignKind, text: &str, to: &DataType) -> Result<String, Diagnostic> {
    let session = Session::new(NOW, &Settings { store_assignment: policy, ..Settings::default() });
    let expr = sql::parse_expr(text)?;
    let bound = run(async { bind(&session, &catalog().await, &Scope::new(), &expr).await })?;
    let values = bound.assign(&session, to, kind)?.evaluate(&one_row())?;
    assert_eq!(*values.data_type(), to.to_arrow(), "{text}");
    let texts = display(&values)?;
    Ok(if texts.is_null(0) { "NULL".into() } else { texts.value(0).to_owned() })
}

type Case<'a> = (AssignKind, &'a str, DataType, &'a str);

fn check(policy: StoreAssignment, cases: &[Case]) {
    assert!(!cases.is_empty());
    for (kind, text, to, wanted) in cases {
        let got = assigned(policy, *kind, text, to).unwrap_or_else(|diagnostic| diagnostic.condition);
        assert_eq!(got, *wanted, "{kind:?} {text} into {}", to.spark_name());
    }
}

fn decimal(precision: u8, scale: i8) -> DataType {
    DataType::Decimal { precision, scale }
}

fn structure(fields: &[(&str, DataType)]) -> DataType {
    let fields = fields.iter().map(|(name, data_type)| StructField::new(*name, data_type.clone())).collect();
    DataType::Struct(StructType { fields })
}

#[test]
fn ansi_casts_and_fails_on_what_does_not_fit() {
    use AssignKind::{Insert, Merge, Update};
    check(
        StoreAssignment::Ansi,
        &[
            (Merge, "'11'", DataType::Int, "11"),
            (Merge, "'eleven'", DataType::Int, "CAST_INVALID_INPUT"),
            (Merge, "3000000000", DataType::Int, "DELTA_CAST_OVERFLOW_IN_TABLE_WRITE"),
            (Update, "300", DataType::Byte, "DELTA_CAST_OVERFLOW_IN_TABLE_WRITE"),
            (Insert, "300", DataType::Byte, "CAST_OVERFLOW_IN_TABLE_INSERT"),
            (Insert, "'1x'", DataType::Int, "CAST_INVALID_INPUT"),
            (Insert, "1.9", DataType::Int, "1"),
            (Merge, "-2.9D", DataType::Int, "-2"),
            (Merge, "true", DataType::Int, "1"),
            (Merge, "'no'", DataType::Boolean, "false"),
            (Merge, "12", DataType::String, "12"),
            (Merge, "'2024-3-4'", DataType::Date, "2024-03-04"),
            (Merge, "TIMESTAMP'2024-02-03 23:59:59'", DataType::Date, "2024-02-03"),
            (Merge, "12.3456", decimal(6, 2), "12.35"),
            (Merge, "123456.7", decimal(6, 2), "DELTA_CAST_OVERFLOW_IN_TABLE_WRITE"),
            (Merge, "1e300", DataType::Float, "Infinity"),
            (Merge, "NULL", DataType::Int, "NULL"),
            (Merge, "array(1)", DataType::Int, "DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION"),
            (Merge, "DATE'2024-01-01'", DataType::Int, "DATATYPE_MISMATCH.CAST_WITH_FUNC_SUGGESTION"),
        ],
    );
}

#[test]
fn the_overflow_guard_hides_what_goes_wrong_below_it() {
    use AssignKind::Merge;
    check(
        StoreAssignment::Ansi,
        &[
            (Merge, "1 / 0", DataType::Int, "DELTA_CAST_OVERFLOW_IN_TABLE_WRITE"),
            (Merge, "1 div 0", DataType::Int, "DELTA_CAST_OVERFLOW_IN_TABLE_WRITE"),
            (Merge, "1 / 0", DataType::Double, "DIVIDE_BY_ZERO"),
            (Merge, "2147483647 + 1", DataType::Long, "ARITHMETIC_OVERFLOW"),
            (Merge, "CAST('x' AS BIGINT)", DataType::Int, "CAST_INVALID_INPUT"),
        ],
    );
}

#[test]
fn structs_are_matched_by_name_where_delta_does() {
    use AssignKind::{Insert, Merge};
    let target = structure(&[("a", DataType::Int), ("b", DataType::String)]);
    check(
        StoreAssignment::Ansi,
        &[
            (Merge, "named_struct('B', 'x', 'a', '1')", target.clone(), "{1, x}"),
            (Insert, "named_struct('x', '1', 'y', 'z')", target.clone(), "{1, z}"),
            (Merge, "named_struct('a', 1)", target.clone(), "DELTA_UPDATE_SCHEMA_MISMATCH_EXPRESSION"),
            (
                Merge,
                "named_struct('a', 1, 'b', 'x', 'c', 2)",
                target.clone(),
                "DELTA_UPDATE_SCHEMA_MISMATCH_EXPRESSION",
            ),
            (Merge, "1", target.clone(), "DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION"),
            (
                Merge,
                "array(named_struct('b', 'x', 'a', 1))",
                DataType::Array { element: Box::new(target), contains_null: true },
                "[{1, x}]",
            ),
        ],
    );
}

#[test]
fn legacy_gives_null_or_wraps() {
    use AssignKind::Merge;
    check(
        StoreAssignment::Legacy,
        &[
            (Merge, "'oops'", DataType::Int, "NULL"),
            (Merge, "300", DataType::Byte, "44"),
            (Merge, "123456.7", decimal(6, 2), "NULL"),
            (Merge, "'12.7'", DataType::Int, "12"),
        ],
    );
}

#[test]
fn strict_only_widens() {
    use AssignKind::Merge;
    check(
        StoreAssignment::Strict,
        &[
            (Merge, "'11'", DataType::Int, "CANNOT_UP_CAST_DATATYPE"),
            (Merge, "1L", DataType::Int, "CANNOT_UP_CAST_DATATYPE"),
            (Merge, "1", DataType::Long, "1"),
            (Merge, "1", DataType::String, "1"),
        ],
    );
}
