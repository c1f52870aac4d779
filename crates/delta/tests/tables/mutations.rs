//! Damaged input of every kind is an error or another answer, never a panic.

use crate::store::{bytes, commit_paths, recorded};
use delta::deletion_vector::{self, DeletionVector};
use delta::log::parse_commit;
use delta::parquet_io::{file_schema, read_file, row_count};
use delta::paths::data_path;
use delta::schema::StructType;
use delta::snapshot::Snapshot;
use delta::stats::FileStats;
use delta::storage::Storage;
use futures::executor::block_on;

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    fn damage(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.below(3) {
            let at = self.below(bytes.len());
            match self.below(4) {
                0 => bytes.truncate(at),
                1 => drop((at < bytes.len()).then(|| bytes.remove(at))),
                2 => bytes.insert(at, self.below(256) as u8),
                _ => {
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte ^= 1 << self.below(8);
                    }
                }
            }
        }
        bytes
    }
}

#[test]
fn damaged_logs() {
    let mut numbers = Numbers(0x5EED);
    let mut n_errors = 0;
    for name in ["merge-scd2", "partition-typed-values", "generated-identity-default"] {
        let store = recorded(name);
        for path in commit_paths(&store) {
            let good = bytes(&store, &path);
            for _ in 0..60 {
                let bad = numbers.damage(&good);
                let _ = parse_commit(&path, &bad);
                let broken = store.fork();
                block_on(broken.put(&path, bad.into(), 0)).unwrap();
                n_errors += usize::from(block_on(Snapshot::load(&broken, "t", None)).is_err());
            }
        }
    }
    assert!(n_errors > 100, "{n_errors}");
}

#[test]
fn damaged_checkpoints() {
    let mut numbers = Numbers(0xC0FFEE);
    let store = recorded("checkpoint-v1-classic");
    let path = "t/_delta_log/00000000000000000006.checkpoint.parquet";
    let good = bytes(&store, path);
    let mut n_errors = 0;
    for _ in 0..300 {
        let broken = store.fork();
        block_on(broken.put(path, numbers.damage(&good).into(), 0)).unwrap();
        n_errors += usize::from(block_on(Snapshot::load(&broken, "t", None)).is_err());
    }
    assert!(n_errors > 20, "{n_errors}");
}

#[test]
fn damaged_data_files() {
    let mut numbers = Numbers(0xDA7A);
    let mut n_errors = 0;
    for name in ["merge-scd2", "nested", "numbers", "timestamps", "long-strings"] {
        let store = recorded(name);
        let snapshot = block_on(Snapshot::load(&store, "t", None)).unwrap().unwrap();
        for add in snapshot.files().iter().take(2) {
            let good = bytes(&store, &data_path("t", &add.path));
            for _ in 0..400 {
                let bad = bytes::Bytes::from(numbers.damage(&good));
                let _ = (file_schema(bad.clone()), row_count(bad.clone()));
                n_errors += usize::from(read_file(bad, &snapshot.data_schema(), 1024).is_err());
            }
        }
    }
    assert!(n_errors > 200, "{n_errors}");
}

#[test]
fn damaged_deletion_vectors() {
    let mut numbers = Numbers(0xDE1E);
    let mut n_errors = 0;
    for name in ["deletion-vectors-file", "deletion-vectors-inline"] {
        let store = recorded(name);
        for version in 0..=7 {
            let Ok(Some(snapshot)) = block_on(Snapshot::load(&store, "t", Some(version))) else { continue };
            for descriptor in snapshot.files().iter().filter_map(|add| add.deletion_vector.as_ref()) {
                let whole = block_on(deletion_vector::read(&store, "t", descriptor)).unwrap();
                for _ in 0..300 {
                    let (broken, mut told) = (store.fork(), descriptor.clone());
                    match deletion_vector::file_path("t", descriptor) {
                        Some(path) if numbers.below(2) == 0 => {
                            let bad = numbers.damage(&bytes(&store, &path));
                            block_on(broken.put(&path, bad.into(), 0)).unwrap();
                        }
                        _ => {
                            let bad = numbers.damage(told.path_or_inline_dv.as_bytes());
                            told.path_or_inline_dv = String::from_utf8_lossy(&bad).into_owned();
                            told.size_in_bytes += numbers.below(3) as i32 - 1;
                        }
                    }
                    match block_on(deletion_vector::read(&broken, "t", &told)) {
                        Err(_) => n_errors += 1,
                        Ok(found) if told.storage_type == "u" => assert_eq!(found, whole),
                        Ok(_) => {}
                    }
                }
                let plain = whole.to_bytes().unwrap();
                for _ in 0..2000 {
                    let _ = DeletionVector::from_bytes(&numbers.damage(&plain));
                }
            }
        }
    }
    assert!(n_errors > 1000, "{n_errors}");
}

#[test]
fn damaged_schemas_and_statistics() {
    let mut numbers = Numbers(0xABCD);
    let snapshot = block_on(Snapshot::load(&recorded("nested"), "t", None)).unwrap().unwrap();
    let (schema, stats) = (snapshot.metadata().schema_string.clone(), snapshot.files()[0].stats.clone().unwrap());
    for _ in 0..2000 {
        let _ = StructType::from_json(&String::from_utf8_lossy(&numbers.damage(schema.as_bytes())));
        let _ = FileStats::parse(&String::from_utf8_lossy(&numbers.damage(stats.as_bytes())), snapshot.schema());
    }
    let deep = format!("{}\"int\"{}", "{\"type\":\"array\",\"elementType\":".repeat(5000), "}".repeat(5000));
    assert!(StructType::from_json(&deep).is_err());
}
