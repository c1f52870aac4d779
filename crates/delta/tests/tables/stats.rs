//! Statistics: the text must be the reference's, and pruning must get typed values back.

use crate::store::{READABLE, bytes, commit_paths, recorded};
use arrow::array::{ArrayRef, Float64Array, Int32Array, RecordBatch, StringArray};
use delta::actions::Action;
use delta::log::parse_commit;
use delta::parquet_io::{read_file, write_file, write_file_with};
use delta::paths::data_path;
use delta::scalar::Scalar;
use delta::schema::{DataType, StructField, StructType};
use delta::stats::{FileStats, IndexedColumns, StatsCollector};
use std::sync::Arc;

#[test]
fn the_text_is_the_one_the_reference_wrote_for_the_same_file() {
    let mut n_files = 0;
    for name in READABLE {
        let store = recorded(name);
        let mut schema = StructType::default();
        for path in commit_paths(&store) {
            let actions = parse_commit(&path, &bytes(&store, &path)).unwrap();
            for action in &actions {
                if let Action::Metadata(metadata) = action {
                    let all = StructType::from_json(&metadata.schema_string).unwrap();
                    schema = all.without(&metadata.partition_columns);
                }
            }
            for action in &actions {
                let Action::Add(add) = action else { continue };
                let batches = read_file(bytes(&store, &data_path("t", &add.path)), &schema, 2).unwrap();
                let mut collector = StatsCollector::new(&schema, &IndexedColumns::First(32));
                for batch in &batches {
                    collector.update(batch).unwrap();
                }
                let written = add.stats.clone().unwrap();
                let parsed = FileStats::parse(&written, &schema).unwrap();
                // Only the table, or a deletion vector, decides what is said of the bounds.
                let collected = FileStats { tight_bounds: parsed.tight_bounds, ..collector.finish() };
                assert_eq!(collected.to_json(), written, "{name} {}", add.path);
                assert_eq!(parsed.to_json(), written, "{name}: parsed");
                n_files += 1;
            }
        }
    }
    assert!(n_files > 60, "{n_files}");
}

#[test]
fn written_files_read_back_with_the_same_statistics() {
    for name in READABLE {
        let store = recorded(name);
        let snapshot =
            futures::executor::block_on(delta::snapshot::Snapshot::load(&store, "t", None)).unwrap().unwrap();
        let schema = snapshot.data_schema();
        for add in snapshot.files() {
            let batches = read_file(bytes(&store, &data_path("t", &add.path)), &schema, 1024).unwrap();
            let written = write_file(&schema, &batches).unwrap();
            assert_eq!(read_file(written.bytes.clone(), &schema, 1024).unwrap(), batches, "{name}");
            assert_eq!(write_file(&schema, &batches).unwrap().bytes, written.bytes, "{name}: same bytes twice");
        }
    }
}

#[test]
fn only_the_first_columns_are_indexed() {
    let fields = ["a", "b"].map(|name| StructField::new(name, DataType::Int)).to_vec();
    let schema = StructType::new(fields);
    let column: ArrayRef = Arc::new(Int32Array::from(vec![Some(3), None]));
    let batch = RecordBatch::try_new(schema.to_arrow(), vec![column.clone(), column]).unwrap();
    let text = |indexed| {
        write_file_with(&schema, std::slice::from_ref(&batch), &IndexedColumns::first(indexed)).unwrap().stats.to_json()
    };
    let one = r#"{"numRecords":2,"minValues":{"a":3},"maxValues":{"a":3},"nullCount":{"a":1}}"#;
    assert_eq!(text(1), one);
    assert_eq!(text(0), r#"{"numRecords":2}"#);
    assert_eq!(text(-1), one.replace("\"a\":3", "\"a\":3,\"b\":3").replace("\"a\":1", "\"a\":1,\"b\":1"));
}

#[test]
fn a_nan_is_the_maximum_whatever_its_sign() {
    let schema = StructType::new(vec![StructField::new("d", DataType::Double)]);
    let values = Float64Array::from(vec![1.0, -f64::NAN, f64::NEG_INFINITY]);
    let batch = RecordBatch::try_new(schema.to_arrow(), vec![Arc::new(values)]).unwrap();
    let stats = write_file(&schema, &[batch]).unwrap().stats;
    let expected = r#"{"numRecords":3,"minValues":{"d":"-Infinity"},"maxValues":{"d":"NaN"},"nullCount":{"d":0}}"#;
    assert_eq!(stats.to_json(), expected);
}

#[test]
fn a_cut_maximum_stays_an_upper_bound() {
    let schema = StructType::new(vec![StructField::new("s", DataType::String)]);
    for text in ["a".repeat(32), "a".repeat(33), "é".repeat(40), "😀".repeat(20), format!("{}😀x", "c".repeat(31))]
    {
        let values = StringArray::from(vec![text.as_str()]);
        let batch = RecordBatch::try_new(schema.to_arrow(), vec![Arc::new(values)]).unwrap();
        let column = write_file(&schema, &[batch]).unwrap().stats.column(&["S"]).unwrap();
        let value = Scalar::String(text);
        assert!(column.min.unwrap() <= value && column.max.unwrap() >= value, "{value}");
    }
}

#[test]
fn a_written_file_has_the_statistics_of_its_values() {
    let inner = StructType::new(vec![StructField::new("t", DataType::String)]);
    let fields = vec![StructField::new("s", DataType::String), StructField::new("n", DataType::Struct(inner))];
    let schema = StructType::new(fields);
    let long = "z".repeat(100);
    let columns: [&[Option<&str>]; 8] = [
        &[],
        &[None],
        &[None, None, Some("")],
        &[Some("b"), None, Some("a"), Some("é"), Some("😀")],
        &[Some("b"), Some(&long)],
        &[Some(&long[..64]), Some(&long[..65])],
        &[Some("\u{ffff}"), Some("\u{10000}")],
        &[Some(""), Some("\u{10ffff}")],
    ];
    for values in columns {
        let texts: ArrayRef = Arc::new(StringArray::from(values.to_vec()));
        // Every second struct is NULL, and its text does not count.
        let nulls = arrow::buffer::NullBuffer::from_iter((0..values.len()).map(|row| row % 2 == 0));
        let arrow::datatypes::DataType::Struct(of_struct) = schema.fields[1].data_type.to_arrow() else { panic!() };
        let nested = arrow::array::StructArray::new(of_struct, vec![texts.clone()], Some(nulls));
        let batch = RecordBatch::try_new(schema.to_arrow(), vec![texts, Arc::new(nested)]).unwrap();
        let cut = values.len() / 2;
        let batches = [batch.slice(0, cut), batch.slice(cut, values.len() - cut)];
        let mut collector = StatsCollector::new(&schema, &IndexedColumns::All);
        batches.iter().for_each(|batch| collector.update(batch).unwrap());
        assert_eq!(write_file(&schema, &batches).unwrap().stats, collector.finish(), "{values:?}");
    }
}

#[test]
fn bounds_keep_all_digits_of_a_decimal() {
    let schema = StructType::new(vec![StructField::new("z", DataType::Decimal { precision: 38, scale: 10 })]);
    let json = r#"{"numRecords":1,"minValues":{"z":-1E-10},"maxValues":{"z":1234567890123456789012345678.0123456789},"nullCount":{"z":0}}"#;
    let column = FileStats::parse(json, &schema).unwrap().column(&["z"]).unwrap();
    assert_eq!(column.min, Some(Scalar::Decimal(-1, 10)));
    assert_eq!(column.max, Some(Scalar::Decimal(12_345_678_901_234_567_890_123_456_780_123_456_789, 10)));
}

#[test]
fn text_that_is_not_statistics_is_none_and_odd_bounds_are_unknown() {
    let schema = StructType::new(vec![StructField::new("a", DataType::Int)]);
    for text in ["", "null", "[]", "{", r#"{"numRecords":"many"}"#, r#"{"minValues":{"a":1}}"#] {
        assert_eq!(FileStats::parse(text, &schema), None, "{text}");
    }
    let odd = r#"{"numRecords":1,"minValues":{"a":"x"},"maxValues":7,"nullCount":{"a":null}}"#;
    let column = FileStats::parse(odd, &schema).unwrap().column(&["a"]).unwrap();
    assert_eq!((column.min, column.max, column.nulls), (None, None, None));
}
