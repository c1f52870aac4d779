//! Partition values as text, folders and columns.

use arrow::array::{Array, ArrayRef, StringArray, TimestampMicrosecondArray};
use delta::actions::PartitionValues;
use delta::error::Error;
use delta::partition::{constant_array, parse_partition_value, partition_dir, partition_value_to_string, scalar_at};
use delta::paths::{data_file_name, data_path, decode_path, encode_path};
use delta::scalar::Scalar;
use delta::schema::{DataType, StructField};
use std::sync::Arc;

fn dir(value: Option<&str>, data_type: DataType) -> String {
    let values = PartitionValues::from([("p".to_owned(), value.map(str::to_owned))]);
    partition_dir(&[StructField::new("p", data_type)], &values)
}

#[test]
fn folders_are_escaped_once_and_log_paths_once_more() {
    for (value, folder, logged) in [
        ("x=y", "p=x%3Dy", "p=x%253Dy"),
        ("c/d", "p=c%2Fd", "p=c%252Fd"),
        ("a:b", "p=a%3Ab", "p=a%253Ab"),
        ("50%", "p=50%25", "p=50%2525"),
        ("a b", "p=a b", "p=a%20b"),
        ("é", "p=é", "p=é"),
        ("#1", "p=%231", "p=%25231"),
        ("a+b&c", "p=a+b&c", "p=a+b&c"),
        ("%20", "p=%2520", "p=%252520"),
        ("日本", "p=日本", "p=日本"),
    ] {
        assert_eq!(dir(Some(value), DataType::String), folder);
        assert_eq!(encode_path(folder), logged);
        assert_eq!(decode_path(logged), folder);
    }
    assert_eq!(data_path("w/t", "p=a%20b/f.parquet"), "w/t/p=a b/f.parquet");
}

#[test]
fn null_and_the_empty_text_share_a_folder() {
    for value in [None, Some("")] {
        assert_eq!(dir(value, DataType::String), "p=__HIVE_DEFAULT_PARTITION__");
    }
}

#[test]
fn a_timestamp_has_another_form_in_its_folder() {
    let array: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![1_704_164_645_500_000]).with_timezone("UTC"));
    let text = partition_value_to_string(&array, 0).unwrap();
    assert_eq!(text, "2024-01-02T03:04:05.500000Z");
    assert_eq!(dir(Some(&text), DataType::Timestamp), "p=2024-01-02 03%3A04%3A05.5");
    let expected = Some(Scalar::Timestamp(1_704_164_645_500_000));
    for text in [text.as_str(), "2024-01-02 03:04:05.5", "2024-01-02T04:04:05.5+01:00"] {
        assert_eq!(parse_partition_value(Some(text), &DataType::Timestamp), Ok(expected.clone()));
    }
}

#[test]
fn the_empty_text_is_written_as_null() {
    let array: ArrayRef = Arc::new(StringArray::from(vec![Some(""), None, Some("a")]));
    let texts: Vec<_> = (0..4).map(|row_idx| partition_value_to_string(&array, row_idx)).collect();
    assert_eq!(texts, [None, None, Some("a".to_owned()), None]);
}

#[test]
fn constants_have_the_type_of_the_column() {
    for (value, data_type) in [
        ("true", DataType::Boolean),
        ("-5", DataType::Byte),
        ("-5", DataType::Short),
        ("-5", DataType::Int),
        ("-5", DataType::Long),
        ("1.5", DataType::Float),
        ("1.0E7", DataType::Double),
        ("-0.001", DataType::Decimal { precision: 10, scale: 3 }),
        ("x", DataType::String),
        ("1969-12-31", DataType::Date),
    ] {
        let array = constant_array(Some(value), &data_type, 3).unwrap();
        assert_eq!((array.len(), array.data_type()), (3, &data_type.to_arrow()));
        assert_eq!(scalar_at(&array, 2).unwrap().to_string(), value);
        assert_eq!(constant_array(None, &data_type, 3).unwrap().null_count(), 3);
    }
}

#[test]
fn a_value_of_another_type_is_refused() {
    for (value, data_type) in [
        ("x", DataType::Int),
        ("300", DataType::Byte),
        ("2024-02-30", DataType::Date),
        ("yes", DataType::Boolean),
        ("1.0005", DataType::Decimal { precision: 10, scale: 3 }),
        ("25:00", DataType::Timestamp),
    ] {
        let error = parse_partition_value(Some(value), &data_type).unwrap_err();
        let expected = Error::InvalidPartitionValue { value: value.to_owned(), data_type: data_type.spark_name() };
        assert_eq!(error, expected);
    }
}

#[test]
fn data_files_are_named_as_spark_names_them() {
    assert_eq!(data_file_name(3, "u", false), "part-00003-u-c000.snappy.parquet");
    assert_eq!(data_file_name(0, "u", true), "part-00000-u.c000.snappy.parquet");
}
