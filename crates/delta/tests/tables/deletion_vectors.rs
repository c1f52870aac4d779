//! Deletion vectors: their bytes, their place, and what replay and checkpoints make of them.

use crate::commits::{add, commit, load, metadata};
use crate::store::{bytes, commit_paths, recorded};
use arrow::array::{Array, AsArray, Int64Array, RecordBatch};
use arrow::datatypes::Int64Type;
use delta::actions::{Action, DeletionVectorDescriptor, Protocol, Remove};
use delta::checkpoint::write_checkpoint;
use delta::deletion_vector::{self, Damage, DeletionVector, DeletionVectorFile};
use delta::error::Error;
use delta::log::parse_commit;
use delta::paths::commit_path;
use delta::snapshot::Snapshot;
use delta::stats::with_wide_bounds;
use delta::storage::{InMemory, Storage};
use futures::executor::block_on;
use std::collections::BTreeMap;
use std::sync::Arc;

const UUID: &str = "01234567-89ab-4def-8123-456789abcdef";

fn vector(rows: impl IntoIterator<Item = u64>) -> DeletionVector {
    rows.into_iter().collect()
}

/// A store with one file of vectors, and their descriptors.
fn stored(vectors: &[DeletionVector]) -> (InMemory, Vec<DeletionVectorDescriptor>) {
    let mut file = DeletionVectorFile::default();
    let descriptors = vectors.iter().map(|vector| file.push(vector, UUID).unwrap()).collect();
    let store = InMemory::new();
    block_on(store.put(&format!("t/deletion_vector_{UUID}.bin"), file.finish(), 0)).unwrap();
    (store, descriptors)
}

#[test]
fn recorded_files_are_written_back_byte_for_byte() {
    let store = recorded("deletion-vectors-file");
    let mut by_file: BTreeMap<String, BTreeMap<i32, DeletionVectorDescriptor>> = BTreeMap::new();
    for path in commit_paths(&store) {
        for action in parse_commit(&path, &bytes(&store, &path)).unwrap() {
            if let Action::Add(add) = action
                && let Some(descriptor) = add.deletion_vector
            {
                let path = deletion_vector::file_path("t", &descriptor).unwrap();
                by_file.entry(path).or_default().insert(descriptor.offset.unwrap(), descriptor);
            }
        }
    }
    assert_eq!(by_file.len(), 4);
    for (path, descriptors) in by_file {
        let uuid = path.strip_prefix("t/deletion_vector_").unwrap().strip_suffix(".bin").unwrap();
        let mut file = DeletionVectorFile::default();
        for descriptor in descriptors.values() {
            let vector = block_on(deletion_vector::read(&store, "t", descriptor)).unwrap();
            assert_eq!(&file.push(&vector, uuid).unwrap(), descriptor);
        }
        assert_eq!(file.finish(), bytes(&store, &path), "{path}");
    }
}

#[test]
fn a_new_vector_has_the_size_that_the_reference_gives_it() {
    let size = |rows: Vec<u64>| vector(rows).to_bytes().unwrap().len();
    assert_eq!((size(vec![1]), size(vec![1, 3]), size(vec![0, 1, 2])), (34, 36, 38));
    // A run of rows is packed: one run instead of a thousand numbers.
    assert!(size((0..1000).collect()) < 40);
}

#[test]
fn a_grown_vector_has_the_size_that_the_reference_gives_it() {
    let sizes = |steps: Vec<DeletionVector>| {
        let mut grown = DeletionVector::default();
        let add = |step: &DeletionVector| {
            grown = if grown.is_empty() { step.clone() } else { grown.union(step) };
            grown.to_bytes().unwrap().len()
        };
        steps.iter().map(add).collect::<Vec<_>>()
    };
    assert_eq!(sizes(vec![vector(0..50), vector([60, 70]), vector(71..=80)]), [31, 39, 39]);
    let thirds = (0..100_000).step_by(3).filter(|row| !(10..=2000).contains(row));
    let range = (70_000..=90_000).filter(|row| row % 3 != 0);
    let steps = vec![vector(10..=2000), vector(thirds), vector(range), vector([1, 2, 4, 5, 7])];
    assert_eq!(sizes(steps), [31, 16_424, 16_424, 16_424]);
}

#[test]
fn every_vector_of_a_file_is_found_again() {
    let vectors =
        [vector([7]), vector(0..100_000), vector((0..70_000).step_by(2)), vector([1, u64::from(u32::MAX) + 5])];
    let (store, descriptors) = stored(&vectors);
    for (vector, descriptor) in vectors.iter().zip(&descriptors) {
        assert_eq!(&block_on(deletion_vector::read(&store, "t", descriptor)).unwrap(), vector);
    }
    let moved = DeletionVectorDescriptor {
        storage_type: "p".to_owned(),
        path_or_inline_dv: format!("file:///t/deletion_vector_{UUID}.bin"),
        ..descriptors[1].clone()
    };
    assert_eq!(block_on(deletion_vector::read(&store, "elsewhere", &moved)).unwrap(), vectors[1]);
}

#[test]
fn damage_is_named_by_its_kind() {
    let (store, descriptors) = stored(&[vector([1, 2, 9])]);
    let read = |store: &InMemory, descriptor: &DeletionVectorDescriptor| match block_on(deletion_vector::read(
        store, "t", descriptor,
    )) {
        Err(Error::DamagedDeletionVector { damage, .. }) => damage,
        other => panic!("{other:?}"),
    };
    let told = DeletionVectorDescriptor { cardinality: 4, ..descriptors[0].clone() };
    assert_eq!(read(&store, &told), Damage::Cardinality { logged: 4, found: 3 });
    let told = DeletionVectorDescriptor { size_in_bytes: 20, ..descriptors[0].clone() };
    assert_eq!(read(&store, &told), Damage::Size { logged: 20, found: 38 });
    let told = DeletionVectorDescriptor { size_in_bytes: -1, ..descriptors[0].clone() };
    assert!(matches!(read(&store, &told), Damage::Size { .. }));
    let told = DeletionVectorDescriptor { path_or_inline_dv: "short".to_owned(), ..descriptors[0].clone() };
    assert!(matches!(read(&store, &told), Damage::Address { .. }));
    let path = format!("t/deletion_vector_{UUID}.bin");
    for (at, expected) in [(0, Damage::Version { found: 3 }), (20, Damage::Checksum)] {
        let mut bad = bytes(&store, &path).to_vec();
        bad[at] ^= 2;
        let broken = store.fork();
        block_on(broken.put(&path, bad.into(), 0)).unwrap();
        assert_eq!(read(&broken, &descriptors[0]), expected);
    }
    assert_eq!(vector([3, 9]).check_rows(9), Err(Damage::RowIndex { row: 9, n_rows: 9 }));
    assert_eq!(vector([3, 9]).check_rows(10), Ok(()));
    let missing = block_on(deletion_vector::read(&InMemory::new(), "t", &descriptors[0]));
    assert!(matches!(missing, Err(Error::Storage(_))), "{missing:?}");
}

#[test]
fn live_rows_and_their_positions_agree() {
    let deleted = vector([0, 1, 4, 9, 10, 11, 12, 13, 14, 15]);
    let batch = |rows: std::ops::Range<i64>| {
        let column = Arc::new(Int64Array::from_iter_values(rows)) as Arc<dyn Array>;
        RecordBatch::try_from_iter([("row", column)]).unwrap()
    };
    let batches = vec![batch(0..5), batch(5..9), batch(9..16), batch(16..20)];
    let live = deleted.live_rows(batches).unwrap();
    assert_eq!(live.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(), [2, 4, 4]);
    let rows = live.iter().flat_map(|batch| batch.column(0).as_primitive::<Int64Type>().values().to_vec());
    let rows: Vec<u64> = rows.map(|row| row as u64).collect();
    assert_eq!(rows, [2, 3, 5, 6, 7, 8, 16, 17, 18, 19]);
    assert_eq!(deleted.positions(0..10).collect::<Vec<_>>(), rows);
    assert_eq!(deleted.positions([1, 2, 6].into_iter()).collect::<Vec<_>>(), [3, 5, 16]);
    assert_eq!(deleted.union(&vector([2, 4])).iter().take(4).collect::<Vec<_>>(), [0, 1, 2, 4]);
}

#[test]
fn bounds_become_wide_and_keep_their_text() {
    let tight =
        r#"{"numRecords":2,"minValues":{"d":1.50},"maxValues":{"d":2.00},"nullCount":{"d":0},"tightBounds":true}"#;
    assert_eq!(with_wide_bounds(tight).unwrap(), tight.replace("true", "false"));
    assert_eq!(with_wide_bounds(r#"{"numRecords":2}"#).unwrap(), r#"{"numRecords":2,"tightBounds":false}"#);
    assert_eq!(with_wide_bounds(r#"{"minValues":{}}"#), None);
}

fn with_vectors() -> Action {
    let features = Some(vec!["deletionVectors".to_owned()]);
    Action::Protocol(Protocol {
        min_reader_version: 3,
        min_writer_version: 7,
        reader_features: features.clone(),
        writer_features: features,
    })
}

/// A table whose file first gets one vector, then a larger one.
fn grown() -> (InMemory, Vec<DeletionVectorDescriptor>, Snapshot) {
    let (store, descriptors) = stored(&[vector([1]), vector([1, 2])]);
    let plain = add("a.parquet", Some("x"));
    let properties = [("delta.enableDeletionVectors", "true")];
    let create = vec![metadata(&properties), with_vectors(), Action::Add(plain.clone())];
    let mut last = commit(&store, None, create, 0).snapshot;
    assert!(deletion_vector::are_written(&last));
    for descriptor in &descriptors {
        let marked = delta::actions::Add { deletion_vector: Some(descriptor.clone()), ..plain.clone() };
        let old = Action::Remove(Remove::of(&last.files()[0], 1, true));
        last = commit(&store, Some(last), vec![Action::Add(marked), old], 1).snapshot;
    }
    (store, descriptors, last)
}

#[test]
fn a_file_and_its_vector_are_one_key() {
    let (store, descriptors, last) = grown();
    assert_eq!(last.files().iter().map(|add| add.deletion_vector.as_ref()).collect::<Vec<_>>(), [descriptors.last()]);
    assert_eq!((last.tombstones().len(), load(&store).files()), (2, last.files()));
}

#[test]
fn a_checkpoint_keeps_vectors() {
    let (store, descriptors, last) = grown();
    block_on(write_checkpoint(&store, &last, 1)).unwrap();
    for version in 0..=2 {
        block_on(store.delete(&commit_path("t", version))).unwrap();
    }
    let read = load(&store);
    assert_eq!(read.files()[0].deletion_vector.as_ref(), descriptors.last());
    let removed: Vec<_> = read.tombstones().iter().map(|remove| remove.deletion_vector.clone()).collect();
    assert_eq!(removed, [None, Some(descriptors[0].clone())]);
}
