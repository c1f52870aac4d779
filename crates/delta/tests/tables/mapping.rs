//! Column mapping: ids and names are given once and kept, and files, statistics and partition values use them.

use crate::commits::{commit, info, load};
use crate::rows::rows;
use arrow::array::{ArrayRef, Int32Array, RecordBatch, StringArray, StructArray};
use arrow::datatypes::{Field, Fields};
use delta::actions::{Action, Add, Metadata, PartitionValues, Protocol};
use delta::error::Error;
use delta::mapping::{MAX_ID, MappingMode, assigned, checked, unmapped};
use delta::parquet_io::{read_file, read_mapped_file, write_file};
use delta::paths::data_path;
use delta::schema::{DataType, StructField, StructType};
use delta::snapshot::Snapshot;
use delta::stats::FileStats;
use delta::storage::{InMemory, Storage};
use delta::transaction::Transaction;
use futures::executor::block_on;
use indexmap::IndexMap;
use std::sync::Arc;

fn int(name: &str) -> StructField {
    StructField::new(name, DataType::Int)
}

/// `id INT, s STRUCT<a: INT, b: ARRAY<STRUCT<c: INT>>>, p STRING`.
fn schema() -> StructType {
    let element = Box::new(DataType::Struct(StructType::new(vec![int("c")])));
    let list = StructField::new("b", DataType::Array { element, contains_null: true });
    let inner = DataType::Struct(StructType::new(vec![int("a"), list]));
    StructType::new(vec![int("id"), StructField::new("s", inner), StructField::new("p", DataType::String)])
}

fn metadata(schema: &StructType, mode: &str) -> Metadata {
    Metadata {
        id: "0".to_owned(),
        name: None,
        description: None,
        format: delta::actions::Format::default(),
        schema_string: schema.to_json(),
        partition_columns: vec!["p".to_owned()],
        configuration: IndexMap::from([("delta.columnMapping.mode".to_owned(), mode.to_owned())]),
        created_time: Some(7),
    }
}

fn numbered() -> impl FnMut() -> String {
    let mut next = 0;
    move || {
        next += 1;
        next.to_string()
    }
}

fn protocol() -> Action {
    let (reader_features, writer_features) = (None, None);
    Action::Protocol(Protocol { min_reader_version: 2, min_writer_version: 5, reader_features, writer_features })
}

fn labels(schema: &StructType) -> Vec<(String, i64)> {
    schema.fields.iter().map(|field| (field.physical_name().to_owned(), field.column_id().unwrap())).collect()
}

#[test]
fn a_new_table_gets_ids_from_outside_in_and_names_of_their_own() {
    let (metadata, schema) = assigned(metadata(&schema(), "name"), schema(), None, &mut numbered()).unwrap();
    let expected = [("col-1", 1), ("col-2", 2), ("col-6", 6)].map(|(name, id)| (name.to_owned(), id));
    assert_eq!(labels(&schema), expected);
    assert_eq!(metadata.configuration.get(MAX_ID).map(String::as_str), Some("6"));
    assert_eq!(StructType::from_json(&metadata.schema_string).unwrap(), schema);
    let DataType::Struct(inner) = &schema.fields[1].data_type else { panic!("no struct") };
    assert_eq!(inner.fields.iter().map(|field| field.column_id()).collect::<Vec<_>>(), [Some(3), Some(4)]);
    assert_eq!(unmapped(&schema), self::schema());
}

#[test]
fn an_upgraded_table_keeps_the_names_its_files_have_and_later_columns_get_new_ones() {
    let old = metadata(&schema(), "none");
    let (upgraded, schema) = assigned(metadata(&schema(), "name"), schema(), Some(&old), &mut numbered()).unwrap();
    assert_eq!(schema.fields[0].physical_name(), "id");
    let mut wider = schema.clone();
    wider.fields.push(int("later"));
    let (after, wider) = assigned(upgraded.clone(), wider, Some(&upgraded), &mut numbered()).unwrap();
    assert_eq!((wider.fields[3].physical_name(), wider.fields[3].column_id()), ("col-1", Some(7)));
    // A dropped column's id is not given again.
    let mut narrower = wider.clone();
    narrower.fields.pop();
    narrower.fields.push(int("later"));
    let (last, narrower) = assigned(after.clone(), narrower, Some(&after), &mut numbered()).unwrap();
    assert_eq!(narrower.fields[3].column_id(), Some(8));
    assert_eq!(last.configuration.get(MAX_ID).map(String::as_str), Some("8"));
}

#[test]
fn only_none_to_name_can_be_switched_on_an_existing_table() {
    for (from, to) in [("none", "id"), ("name", "id"), ("id", "name"), ("name", "none")] {
        let old = metadata(&schema(), from);
        let error = assigned(metadata(&schema(), to), schema(), Some(&old), &mut numbered()).unwrap_err();
        assert_eq!(error.condition(), Some("DELTA_UNSUPPORTED_COLUMN_MAPPING_MODE_CHANGE"), "{from} to {to}");
    }
    let error = assigned(metadata(&schema(), "maybe"), schema(), None, &mut numbered()).unwrap_err();
    assert!(matches!(error, Error::InvalidProperty { .. }), "{error}");
}

#[test]
fn a_mapping_with_holes_or_twins_is_an_error() {
    let (_, mapped) = assigned(metadata(&schema(), "name"), schema(), None, &mut numbered()).unwrap();
    assert!(checked(mapped.clone(), MappingMode::Name).is_ok());
    assert_eq!(checked(mapped.clone(), MappingMode::None), Ok(schema()));
    let mut hole = mapped.clone();
    hole.fields[0].metadata.clear();
    let mut twin = mapped;
    twin.fields[0].metadata = twin.fields[2].metadata.clone();
    for broken in [hole, twin] {
        assert!(matches!(checked(broken, MappingMode::Name), Err(Error::InvalidSchema { .. })));
    }
}

fn batch(schema: &StructType) -> RecordBatch {
    let DataType::Struct(inner) = &schema.fields[1].data_type else { panic!("no struct") };
    let Some(list) = inner.fields.get(1) else { panic!("no list") };
    let fields = Fields::from(vec![
        Field::new("a", DataType::Int.to_arrow(), true),
        Field::new("b", list.data_type.to_arrow(), true),
    ]);
    let members: Vec<ArrayRef> = vec![
        Arc::new(Int32Array::from(vec![Some(7), None])),
        arrow::array::new_null_array(&list.data_type.to_arrow(), 2),
    ];
    let columns: Vec<ArrayRef> =
        vec![Arc::new(Int32Array::from(vec![1, 2])), Arc::new(StructArray::new(fields, members, None))];
    let stored = schema.without(&["p".to_owned()]);
    RecordBatch::try_new(stored.to_arrow(), columns).unwrap()
}

fn table(mode: &str) -> (InMemory, Snapshot) {
    let store = InMemory::new();
    let (metadata, schema) = assigned(metadata(&schema(), mode), schema(), None, &mut numbered()).unwrap();
    let written = write_file(&schema.without(&["p".to_owned()]), &[batch(&schema)]).unwrap();
    block_on(store.put(&data_path("t", "Ab/f.parquet"), written.bytes.clone(), 0)).unwrap();
    let add = Add {
        path: "Ab/f.parquet".to_owned(),
        partition_values: PartitionValues::from([(schema.fields[2].physical_name().to_owned(), Some("x".to_owned()))]),
        size: written.bytes.len() as i64,
        modification_time: 0,
        data_change: true,
        stats: Some(written.stats.to_json()),
        tags: None,
        deletion_vector: None,
        base_row_id: None,
        default_row_commit_version: None,
        clustering_provider: None,
    };
    let actions = vec![Action::Metadata(metadata), protocol(), Action::Add(add)];
    let snapshot = commit(&store, None, actions, 0).snapshot;
    (store, snapshot)
}

#[test]
fn files_and_statistics_have_physical_names_and_are_read_under_logical_ones() {
    for mode in ["name", "id"] {
        let (store, snapshot) = table(mode);
        assert_eq!(rows(&store, &snapshot).unwrap(), rows(&store, &load(&store)).unwrap());
        assert_eq!(rows(&store, &snapshot).unwrap()[0][0], "1");
        assert_eq!(rows(&store, &snapshot).unwrap()[0][2], "x");
        let json = snapshot.files()[0].stats.clone().unwrap();
        assert!(json.contains(r#""minValues":{"col-1":1,"col-2":{"col-3":7}}"#), "{json}");
        let stats = FileStats::parse(&json, snapshot.schema()).unwrap();
        assert_eq!(stats.column(&["s", "a"]).unwrap().nulls, Some(1));
        assert_eq!(stats.column(&["col-2", "col-3"]), None);
        let bytes = block_on(store.get("t/Ab/f.parquet")).unwrap();
        let plain = StructType::new(vec![int("col-1"), int("id")]);
        let read = read_file(bytes, &plain, 10).unwrap();
        assert_eq!((read[0].column(0).null_count(), read[0].column(1).null_count()), (0, 2));
    }
}

#[test]
fn ids_find_columns_whatever_they_are_called_and_a_file_without_ids_is_refused() {
    let (store, snapshot) = table("id");
    let mut renamed = snapshot.data_schema();
    renamed.fields[0].metadata.insert("delta.columnMapping.physicalName".to_owned(), "elsewhere".into());
    let bytes = block_on(store.get("t/Ab/f.parquet")).unwrap();
    let by = |mode| read_mapped_file(bytes.clone(), &renamed, mode, 10).unwrap()[0].column(0).null_count();
    assert_eq!((by(MappingMode::Id), by(MappingMode::Name)), (0, 2));

    let plain = StructType::new(vec![int("id")]);
    let column: ArrayRef = Arc::new(StringArray::from(vec!["1"]));
    let text = StructType::new(vec![StructField::new("id", DataType::String)]);
    let batch = RecordBatch::try_new(text.to_arrow(), vec![column]).unwrap();
    let without = write_file(&text, &[batch]).unwrap().bytes;
    let error = read_mapped_file(without, &plain, MappingMode::Id, 10).unwrap_err();
    assert!(matches!(error, Error::CorruptParquet { .. }), "{error}");
}

#[test]
fn the_mode_counts_only_where_the_protocol_has_the_feature() {
    let store = InMemory::new();
    let (reader_features, writer_features) = (None, None);
    let old = Protocol { min_reader_version: 1, min_writer_version: 2, reader_features, writer_features };
    let metadata = Action::Metadata(metadata(&schema(), "name"));
    let made = Transaction::new("t", None).commit(&store, vec![metadata, Action::Protocol(old)], info("WRITE", 0));
    assert!(block_on(made).is_ok());
    assert_eq!(load(&store).mapping(), MappingMode::None);
}
